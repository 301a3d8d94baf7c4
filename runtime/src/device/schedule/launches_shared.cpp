// Launches over portions of targets: queries against places of a portion that take one kernel.  See launches.h.
#include <algorithm>

#include "device/schedule/launches.h"

namespace alnsmith::rt::schedule {

// A portion that does not fill the device once goes pair by pair, many queries in a launch.
Result<bool> Launches::worth_sharing(const Portion &portion, std::size_t queries) {
  const align::Chooser &shared = choice_.chooser(choice_.form_for(queries));
  if (!portions_ || shared.levels() == 0) return false;
  const auto at_once = capacity(shared.kernel(0), 0);
  if (!at_once) return at_once.error();
  return portion.order.size() >= *at_once;
}

Status Launches::add_rows(const Share &share) {
  std::vector<std::uint32_t> queries;
  for (std::uint64_t q = share.begin; q < share.end; ++q)
    if (!sequences_.queries[q].empty()) queries.push_back(static_cast<std::uint32_t>(q));
  const Portion &portion = targets_->portions()[share.portion];
  const auto shared = worth_sharing(portion, queries.size());
  if (!shared) return shared.error();
  if (!*shared) {
    for (std::uint32_t q : queries)
      for (std::uint32_t t : portion.order)
        enqueue(make_item(std::uint64_t{q} * sequences_.targets.size() + portion.first + t), 0, 0);
    return plan_lists();
  }
  const auto length = [&](std::uint32_t q) { return sequences_.queries[q].size(); };
  std::stable_sort(queries.begin(), queries.end(), [&](auto a, auto b) { return length(a) > length(b); });
  const Form form = choice_.form_for(queries.size());
  const std::size_t packing = static_cast<std::size_t>(info(choice_.chooser(form).kernel(0)).device.packing);
  const std::size_t launches = (queries.size() + packing - 1) / packing;
  for (std::size_t at = 0; at < queries.size(); at += packing) {
    const std::size_t end = std::min(at + packing, queries.size());
    if (auto ok = add_shared(
            share.portion,
            {queries.begin() + static_cast<std::ptrdiff_t>(at), queries.begin() + static_cast<std::ptrdiff_t>(end)},
            launches);
        !ok)
      return ok;
  }
  return plan_lists();
}

// Places of a portion that take the same kernel with queries of these lengths.
const std::vector<Launches::Range> &Launches::ranges(Form form, std::size_t portion_index, std::uint32_t longest,
                                                     std::uint32_t shortest) {
  if (ranges_form_ == form && ranges_portion_ == portion_index && ranges_of_ == std::pair(longest, shortest))
    return ranges_;
  ranges_form_ = form;
  ranges_portion_ = portion_index;
  ranges_of_ = {longest, shortest};
  ranges_.clear();
  const Portion &portion = targets_->portions()[portion_index];
  std::uint32_t last = 0;
  for (std::size_t place = 0; place < portion.order.size(); ++place) {
    const std::uint32_t target = portion.lengths[place];
    if (place > 0 && target == last) {
      ++ranges_.back().end;
      continue;
    }
    last = target;
    align::SuitableLevel suitable = choice_.choose(form, 0, longest, target);
    int kernel = suitable.level < 0 ? -1 : choice_.chooser(form).kernel(suitable.level, longest, target);
    if (kernel >= 0) suitable.exact = suitable.exact && choice_.chooser(form).exact(info(kernel), shortest, target);
    if (kernel >= 0 && !suitable.exact && !info(kernel).checked) kernel = -1;
    const bool same =
        !ranges_.empty() && ranges_.back().kernel == kernel && ranges_.back().suitable.exact == suitable.exact;
    if (same)
      ++ranges_.back().end;
    else
      ranges_.push_back({place, place + 1, suitable, kernel});
  }
  return ranges_;
}

// `launches`: how many the queries of the share make, these among them.
Status Launches::add_shared(std::size_t portion, std::vector<std::uint32_t> queries, std::size_t launches) {
  const auto length = [&](std::uint32_t q) { return static_cast<std::uint32_t>(sequences_.queries[q].size()); };
  const Form form = choice_.form_for(queries.size());
  const std::vector<Range> list = ranges(form, portion, length(queries.front()), length(queries.back()));
  const auto first_block = threshold_of(list, portion, queries, launches);
  if (!first_block) return first_block.error();
  const Portion &own = targets_->portions()[portion];
  for (std::uint32_t q : queries)
    for (std::size_t place = *first_block; place < own.order.size(); ++place)
      enqueue_block(make_item(std::uint64_t{q} * sequences_.targets.size() + own.first + own.order[place]));
  for (const Range &range : list) {
    if (range.begin >= *first_block) break;
    PlannedLaunch planned;
    planned.form = form;
    planned.kernel = range.kernel;
    planned.level = range.suitable.level;
    planned.exact = range.suitable.exact;
    planned.portion = portion;
    planned.begin = range.begin;
    planned.end = std::min(range.end, *first_block);
    if (range.kernel >= 0 && info(range.kernel).device.packing < static_cast<int>(queries.size())) {
      // A wider kernel of this form takes them one by one.
      for (std::uint32_t q : queries)
        if (auto ok = add_parts(planned, {q}); !ok) return ok;
      continue;
    }
    if (auto ok = add_parts(planned, queries); !ok) return ok;
  }
  return Ok{};
}

// The launch with these queries, in parts that memory holds.
Status Launches::add_parts(PlannedLaunch planned, std::vector<std::uint32_t> queries) {
  const Portion &portion = targets_->portions()[planned.portion];
  const std::size_t longest = portion.lengths[planned.end - 1];
  const bool fits = planned.kernel >= 0 && Slot::border_bytes(info(planned.kernel), 1, longest) <= border_limit() &&
                    sequences_.queries[queries.front()].size() * 2 <= list_limit() / 2;
  if (!fits) {
    for (std::uint32_t q : queries)
      for (std::size_t place = planned.begin; place < planned.end; ++place)
        enqueue(make_item(std::uint64_t{q} * sequences_.targets.size() + portion.first + portion.order[place]), 0, 0);
    return Ok{};
  }
  if (const auto loaded = kernel(planned.kernel); !loaded) return loaded.error();
  const std::size_t most =
      std::max<std::size_t>(list_limit() / 2 / (Slot::list_bytes(0, 0, 1) * queries_per_launch(planned)), 1);
  planned.queries = std::move(queries);
  const std::size_t end = planned.end;
  for (std::size_t at = planned.begin; at < end; at += most) {
    planned.begin = at;
    planned.end = std::min(at + most, end);
    ready.push_back(planned);
  }
  return Ok{};
}

}  // namespace alnsmith::rt::schedule
