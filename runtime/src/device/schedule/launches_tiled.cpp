// Launches over tiles of targets: queries against places of a tile that take one kernel.  See launches.h.
#include <algorithm>

#include "device/schedule/launches.h"

namespace alnsmith::rt::schedule {

// A tile that does not fill the device once goes pair by pair, many queries in a launch.
Result<bool> Launches::worth_tiling(const Tile &tile, std::size_t queries) {
  const align::Chooser &tiled = choice_.chooser(choice_.form_for(queries));
  if (!tiles_ || tiled.levels() == 0) return false;
  const auto at_once = capacity(tiled.kernel(0), 0);
  if (!at_once) return at_once.error();
  return tile.order.size() >= *at_once;
}

Status Launches::add_rows(const Block &block) {
  std::vector<std::uint32_t> queries;
  for (std::uint64_t q = block.begin; q < block.end; ++q)
    if (!sequences_.queries[q].empty()) queries.push_back(static_cast<std::uint32_t>(q));
  const Tile &tile = targets_->tiles()[block.tile];
  const auto tiled = worth_tiling(tile, queries.size());
  if (!tiled) return tiled.error();
  if (!*tiled) {
    for (std::uint32_t q : queries)
      for (std::uint32_t t : tile.order)
        enqueue(make_item(std::uint64_t{q} * sequences_.targets.size() + tile.first + t), 0, 0);
    return plan_lists();
  }
  const auto length = [&](std::uint32_t q) { return sequences_.queries[q].size(); };
  std::stable_sort(queries.begin(), queries.end(), [&](auto a, auto b) { return length(a) > length(b); });
  const Form form = choice_.form_for(queries.size());
  const std::size_t packing = static_cast<std::size_t>(info(choice_.chooser(form).kernel(0)).device.packing);
  const std::size_t launches = (queries.size() + packing - 1) / packing;
  for (std::size_t at = 0; at < queries.size(); at += packing) {
    const std::size_t end = std::min(at + packing, queries.size());
    if (auto ok = add_tiled(
            block.tile,
            {queries.begin() + static_cast<std::ptrdiff_t>(at), queries.begin() + static_cast<std::ptrdiff_t>(end)},
            launches);
        !ok)
      return ok;
  }
  return plan_lists();
}

// Places of a tile that take the same kernel with queries of these lengths.
const std::vector<Launches::Range> &Launches::ranges(Form form, std::size_t tile_index, std::uint32_t longest,
                                                     std::uint32_t shortest) {
  if (ranges_form_ == form && ranges_tile_ == tile_index && ranges_of_ == std::pair(longest, shortest)) return ranges_;
  ranges_form_ = form;
  ranges_tile_ = tile_index;
  ranges_of_ = {longest, shortest};
  ranges_.clear();
  const Tile &tile = targets_->tiles()[tile_index];
  std::uint32_t last = 0;
  for (std::size_t place = 0; place < tile.order.size(); ++place) {
    const std::uint32_t target = tile.lengths[place];
    if (place > 0 && target == last) {
      ++ranges_.back().end;
      continue;
    }
    last = target;
    align::Choice choice = choice_.choose(form, 0, longest, target);
    int kernel = choice.level < 0 ? -1 : choice_.chooser(form).kernel(choice.level, longest, target);
    if (kernel >= 0) choice.exact = choice.exact && choice_.chooser(form).exact(info(kernel), shortest, target);
    if (kernel >= 0 && !choice.exact && !info(kernel).checked) kernel = -1;
    const bool same =
        !ranges_.empty() && ranges_.back().kernel == kernel && ranges_.back().choice.exact == choice.exact;
    if (same)
      ++ranges_.back().end;
    else
      ranges_.push_back({place, place + 1, choice, kernel});
  }
  return ranges_;
}

// `launches`: how many the queries of the block make, these among them.
Status Launches::add_tiled(std::size_t tile, std::vector<std::uint32_t> queries, std::size_t launches) {
  const auto length = [&](std::uint32_t q) { return static_cast<std::uint32_t>(sequences_.queries[q].size()); };
  const Form form = choice_.form_for(queries.size());
  const std::vector<Range> list = ranges(form, tile, length(queries.front()), length(queries.back()));
  const auto first_block = border_of(list, tile, queries, launches);
  if (!first_block) return first_block.error();
  const Tile &own = targets_->tiles()[tile];
  for (std::uint32_t q : queries)
    for (std::size_t place = *first_block; place < own.order.size(); ++place)
      enqueue_block(make_item(std::uint64_t{q} * sequences_.targets.size() + own.first + own.order[place]));
  for (const Range &range : list) {
    if (range.begin >= *first_block) break;
    PlannedLaunch planned;
    planned.form = form;
    planned.kernel = range.kernel;
    planned.level = range.choice.level;
    planned.exact = range.choice.exact;
    planned.tile = tile;
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
  const Tile &tile = targets_->tiles()[planned.tile];
  const std::size_t longest = tile.lengths[planned.end - 1];
  const bool fits = planned.kernel >= 0 && Slot::border_bytes(info(planned.kernel), 1, longest) <= border_limit() &&
                    sequences_.queries[queries.front()].size() * 2 <= list_limit() / 2;
  if (!fits) {
    for (std::uint32_t q : queries)
      for (std::size_t place = planned.begin; place < planned.end; ++place)
        enqueue(make_item(std::uint64_t{q} * sequences_.targets.size() + tile.first + tile.order[place]), 0, 0);
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
