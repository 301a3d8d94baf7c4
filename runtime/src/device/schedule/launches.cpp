// See launches.h.
#include "device/schedule/launches.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace alnsmith::rt::schedule {
namespace {

constexpr std::size_t kMostLetters = std::size_t{1} << 30;  // of a launch; offsets are ints
constexpr std::size_t kMostBorder = std::size_t{1} << 33;   // bytes: 2^31 ints

// Bytes that a block works in, at least 1.
std::size_t work_bytes(const kernels::KernelInfo &kernel, const kernels::DeviceWork &work) {
  return std::max<std::size_t>(work.bytes(kernel) * static_cast<std::size_t>(kernel.device.groups()), 1);
}

// Numbers the sequences of one launch: where each query meets each target, most sequences come up several times.
class Numbering {
 public:
  explicit Numbering(std::size_t known) : number_(known, -1) {}
  // Of sequence `index`; a new one is appended to `list`.
  int operator()(std::size_t index, std::string_view letters, std::vector<std::string_view> &list) {
    if (index < number_.size() && number_[index] >= 0) return number_[index];
    if (index < number_.size()) number_[index] = static_cast<int>(list.size());
    list.push_back(letters);
    return static_cast<int>(list.size()) - 1;
  }

 private:
  std::vector<int> number_;
};

}  // namespace

Launches::Launches(Device &device, align::Call &call, const align::CallScoring &scoring,
                   const align::Sequences &sequences, const Targets *targets)
    : device_(device),
      call_(call),
      sequences_(sequences),
      targets_(targets),
      choice_(device, scoring),
      lists_(static_cast<std::size_t>(choice_.chooser(Form::pairwise).levels())),
      roomy_lists_(lists_.size()) {}

// Bytes of letters and lists, on the device and, pinned, on the host.
std::size_t Launches::list_limit() const { return std::min({limit_ / 4, kMostLetters, call_.budget() / 8}); }

std::size_t Launches::work_limit() const { return limit_ / 4; }

std::size_t Launches::border_limit() const { return std::min(work_limit(), kMostBorder - 1); }

Launches::Keeping Launches::keeping(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target,
                                    std::size_t blocks) const {
  Keeping best;
  double most = 0;
  for (const kernels::WayKept kept : kernels::kWaysKept) {
    if (!keeps(kernel, kept, query)) continue;
    const kernels::DeviceWork work = device_work(kernel, kept, query, target);
    Keeping one{kept, work_bytes(kernel, work), false};
    one.fits = Slot::border_bytes(kernel, 1, work.border_rows) <= border_limit() &&
               work.trace_words < kMostBorder / sizeof(int) && one.bytes <= work_limit();
    const std::size_t at_once = one.fits ? std::min(blocks, work_limit() / one.bytes) : 0;
    const double speed = static_cast<double>(at_once) / passes(kept);
    if (kept == kernels::WayKept::codes || speed > most) best = one;
    most = std::max(most, speed);
  }
  return best;
}

bool Launches::takes_portions() const {
  return choice_.chooser(Form::shared_profile).levels() > 0 || choice_.chooser(Form::single_query).levels() > 0;
}

// Runs to have room for: what such pairs asked for before, or the most that there can be.
std::size_t Launches::cigar_room(const kernels::KernelInfo &kernel, const align::Item &item, bool roomy) const {
  if (!kernel.outputs.contains(Output::cigar)) return 0;
  const std::size_t most = 2 * std::size_t{std::min<std::uint32_t>(item.query, item.target)} + 1;
  const double usual = 8 + device_.runs_per_letter * (double(item.query) + double(item.target));
  return roomy ? most : std::min(most, static_cast<std::size_t>(usual));
}

Result<const driver::DeviceKernel *> Launches::kernel(int index) {
  const auto begin = std::chrono::steady_clock::now();
  auto kernel = device_.kernel(index, [this] { return call_.stopped(); });
  obtaining += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return kernel;
}

// Alignments that the device scores at once.
Result<std::size_t> Launches::capacity(int index, int rows) {
  if (const auto loaded = kernel(index); !loaded) return loaded.error();
  const kernels::DeviceShape &shape = info(index).device;
  return static_cast<std::size_t>(device_.blocks(index, shape.shared(rows))) *
         static_cast<std::size_t>(shape.groups() * shape.alignments());
}

align::Item Launches::make_item(std::uint64_t id) const {
  return {id, static_cast<std::uint32_t>(sequences_.query(id).size()),
          0,  static_cast<std::uint32_t>(sequences_.target(id).size()),
          0,  0};
}

// `width`: of the kernel that failed, 0 if none was tried.
void Launches::enqueue(align::Item item, int from, int width) {
  const align::SuitableLevel suitable = choice_.choose(Form::pairwise, from, item.query, item.target);
  if (suitable.level < 0) {
    promoted -= item.promoted;  // who takes it counts it
    pending.push_back({item.id, width});
    return;
  }
  promoted += width > 0 && !item.promoted;
  item.promoted |= width > 0;
  item.tried = !suitable.exact;
  lists_[static_cast<std::size_t>(suitable.level)].push_back(item);
}

Status Launches::add(const Share &share) {
  if (share.kind == Share::Kind::rows) return add_rows(share);
  const auto put = [&](std::uint64_t id) {
    const align::Item item = make_item(id);
    if (item.query > 0 && item.target > 0) enqueue(item, 0, 0);
  };
  for (std::uint64_t id = share.begin; id < share.end; ++id) put(id);
  for (const align::Pending &p : share.list) put(p.id);
  return plan_lists();
}

Status Launches::retry(PlannedLaunch planned) {
  if (!planned.shared()) {
    const bool block = !planned.roomy && planned.kernel == choice_.block();
    auto &list = block ? blocks_ : (planned.roomy ? roomy_lists_ : lists_)[static_cast<std::size_t>(planned.level)];
    list.insert(list.end(), planned.items.begin(), planned.items.end());
    return plan_lists();
  }
  if (!portions_) {
    std::vector<align::Pending> ids;
    return_to_queue(planned, ids);
    for (const PlannedLaunch &other : ready)
      if (other.shared()) return_to_queue(other, ids);
    std::erase_if(ready, [](const PlannedLaunch &other) { return other.shared(); });
    for (const align::Pending &p : ids) enqueue(make_item(p.id), 0, 0);
    return plan_lists();
  }
  const std::size_t middle = planned.begin + (planned.end - planned.begin) / 2;
  PlannedLaunch second = planned;
  second.begin = planned.end = middle;
  ready.push_front(std::move(second));
  if (planned.begin < planned.end) ready.push_front(std::move(planned));
  return Ok{};
}

void Launches::promote(const PlannedLaunch &planned, align::Item item) {
  int from = planned.level + 1;
  const align::Chooser &pairs = choice_.chooser(Form::pairwise);
  if (planned.shared())  // on to the pairs' kernels of wider levels
    for (from = 0; from < pairs.levels() && info(pairs.kernel(from)).level <= info(planned).level;) ++from;
  enqueue(item, from, info(planned).width);
}

void Launches::retry_pair(const PlannedLaunch &planned, align::Item item) {
  if (!planned.roomy) return roomy_lists_[static_cast<std::size_t>(planned.level)].push_back(item);
  promoted -= item.promoted;
  pending.push_back({item.id, 0});
}

Result<bool> Launches::plan_promoted() {
  if (auto ok = plan_lists(); !ok) return ok.error();
  return !ready.empty();
}

void Launches::learn(const PlannedLaunch &planned, std::uint64_t tried, std::uint64_t flagged) {
  choice_.learn(planned.form, planned.level, tried, flagged);
  if (planned.shared()) ranges_portion_ = SIZE_MAX;
}

std::size_t Launches::queries_per_launch(const PlannedLaunch &planned) const {
  return static_cast<std::size_t>(info(planned).queries());
}

align::Item Launches::item(const PlannedLaunch &planned, std::size_t alignment) const {
  const std::size_t queries_per_launch = this->queries_per_launch(planned);
  const Portion &portion = targets_->portions()[planned.portion];
  const std::size_t target = portion.first + portion.order[planned.begin + alignment / queries_per_launch];
  const std::uint32_t query = planned.queries[std::min(alignment % queries_per_launch, planned.queries.size() - 1)];
  return make_item(std::uint64_t{query} * sequences_.targets.size() + target);
}

bool Launches::exact(const PlannedLaunch &planned, const align::Item &item) const {
  if (!planned.shared()) return !item.tried;
  // The launch's kernel suits its longest query; another kernel may suit this query, and hold more.
  return planned.exact || choice_.chooser(planned.form).exact(info(planned), item.query, item.target);
}

Status Launches::plan_lists() {
  if (auto ok = plan_blocks(); !ok) return ok;
  if (auto ok = plan(lists_, false); !ok) return ok;
  return plan(roomy_lists_, true);
}

// Whether so many of such pairs fill a launch. It is asked before the kernel is made.
bool Launches::fills(int kernel, const std::vector<align::Item> &items) const {
  double bytes = 1;
  for (const align::Item &item : items) bytes += static_cast<double>(list_need(info(kernel), item, false));
  const double count = static_cast<double>(items.size());
  const double launch = std::min(count, count * static_cast<double>(list_limit()) / bytes);
  return kernels::fills(info(kernel), device_.info().processors, launch);
}

// Sends those pairs of a bit-sliced kernel that it does not suit to the next level, if that has a kernel for them; and
// all of them where they are few, or the kernel cannot be had.
void Launches::pass_on(int kernel, int level, std::vector<align::Item> &items) {
  const kernels::KernelInfo &own = info(kernel);
  const auto next = [&](const align::Item &item) {
    return choice_.choose(Form::pairwise, level + 1, item.query, item.target).level >= 0;
  };
  const auto suited = [&](const align::Item &item) {
    return own.device.suits.holds(kernels::with_lengths({}, item.query, item.target)) &&
           keeping(own, item.query, item.target, 1).fits;
  };
  const auto hand_on = [&](const auto &which) {
    std::erase_if(items, [&](const align::Item &item) {
      if (!which(item) || !next(item)) return false;
      enqueue(item, level + 1, 0);
      return true;
    });
  };
  const auto all = [](const align::Item &) { return true; };
  hand_on([&](const align::Item &item) { return !suited(item); });
  if (no_bits_ || !fills(kernel, items)) return hand_on(all);
  if (this->kernel(kernel) || call_.stopped()) return;
  no_bits_ = true;
  hand_on(all);
}

Status Launches::plan(std::vector<std::vector<align::Item>> &lists, bool roomy) {
  for (int level = 0; level < choice_.chooser(Form::pairwise).levels(); ++level) {
    std::map<int, std::vector<align::Item>> by_kernel;
    for (const align::Item &item : std::exchange(lists[static_cast<std::size_t>(level)], {})) {
      const int kernel = kernels_.get(level, item.query, item.target, [&] {
        return choice_.chooser(Form::pairwise).kernel(level, item.query, item.target);
      });
      by_kernel[kernel].push_back(item);
    }
    for (auto &[kernel, items] : by_kernel) {
      if (info(kernel).sliced()) pass_on(kernel, level, items);
      if (auto ok = cut(kernel, level, roomy, items); !ok) {
        auto &list = lists[static_cast<std::size_t>(level)];
        for (const auto &[other, rest] : by_kernel)
          if (other >= kernel) list.insert(list.end(), rest.begin(), rest.end());
        return ok;
      }
    }
  }
  return Ok{};
}

// What a launch needs of letters, lists and CIGARs for a pair.
std::size_t Launches::list_need(const kernels::KernelInfo &kernel, const align::Item &item, bool roomy) const {
  const auto letters = std::size_t{item.query} + item.target;
  return letters * static_cast<std::size_t>(kernel.letter_bytes) + Slot::list_bytes(1, 1, 1) +
         cigar_room(kernel, item, roomy) * sizeof(int);
}

// A launch fills the device four times over, unless its letters and lists need too much memory; or its longest pair
// needs so much for the way back that there is room for few groups, and pairs that need half as much follow.
Status Launches::cut(int kernel, int level, bool roomy, std::vector<align::Item> &items) {
  if (items.empty()) return Ok{};
  const kernels::KernelInfo &own = info(kernel);
  const auto at_once = capacity(kernel, 0);
  if (!at_once) return at_once.error();
  const auto needs = [&](const align::Item &item) { return list_need(own, item, roomy); };
  const auto a_block = static_cast<std::size_t>(own.device.groups() * own.device.alignments());
  const std::size_t blocks = *at_once / a_block;  // that run at once
  const std::size_t busy = std::min(blocks, (items.size() + a_block - 1) / a_block);
  align::ByLengths<Keeping> remembered(std::min<std::size_t>(items.size() + 16, 1 << 12));
  const auto keeps = [&](std::uint32_t query, std::uint32_t target) {
    return remembered.get(0, query, target, [&] { return keeping(own, query, target, busy); });
  };
  // What needs more than all of the memory is the CPU's.
  std::erase_if(items, [&](const align::Item &item) {
    if (needs(item) <= list_limit() && keeps(item.query, item.target).fits) return false;
    promoted -= item.promoted;
    pending.push_back({item.id, 0});
    return true;
  });
  align::make_batches(items, own.device.alignments(), own.device.p * own.k, own.query_in_registers);
  const std::size_t most = std::max<std::size_t>(4 * *at_once, 1 << 14);
  for (std::size_t at = 0; at < items.size();) {
    std::size_t end = at, bytes = 0;
    std::uint32_t query = 0, target = 0;  // the longest
    std::size_t room = 0;
    Keeping before;
    while (end < items.size() && end - at < most && bytes + needs(items[end]) <= list_limit()) {
      const align::Item &item = items[end];
      const std::uint32_t longer_query = std::max(query, item.query), longer_target = std::max(target, item.target);
      const Keeping all = keeps(longer_query, longer_target);
      const Keeping alone = keeps(item.query, item.target);
      const bool tight = (own.device.trace_row_words > 0 || own.sliced()) && all.bytes * blocks > work_limit();
      const bool apart = 2 * std::min(before.bytes, alone.bytes) < all.bytes;
      const bool other = all.kept != before.kept || all.kept != alone.kept;
      if (end > at && (!all.fits || other || (tight && apart))) break;
      query = longer_query;
      target = longer_target;
      before = all;
      bytes += needs(item);
      room += cigar_room(own, item, roomy);
      ++end;
    }
    PlannedLaunch planned;
    planned.kernel = kernel;
    planned.roomy = roomy;
    planned.cigar_room = room;
    planned.kept = before.kept;
    planned.level = level;
    planned.items.assign(items.begin() + static_cast<std::ptrdiff_t>(at),
                         items.begin() + static_cast<std::ptrdiff_t>(end));
    ready.push_back(std::move(planned));
    at = end;
  }
  items.clear();
  return Ok{};
}

std::vector<int> Launches::bands_of(const std::vector<align::Item> &items) const {
  if (!call_.manifest().bounded) return {};
  return kernels::listed_bands(items.size(),
                               [&](std::size_t i) { return call_.band_of(items[i].query, items[i].target); });
}

Result<Launch> Launches::make(const PlannedLaunch &planned, const OnDevice *resident) {
  const kernels::KernelInfo &own = info(planned);
  const kernels::DeviceShape &shape = own.device;
  Launch launch;
  launch.info = &own;
  launch.strides = call_.strides;
  const auto loaded = kernel(planned.kernel);
  if (!loaded) return loaded.error();
  launch.kernel = *loaded;
  std::uint32_t rows = 0, columns = 0;  // the longest sequences
  if (planned.shared()) {
    launch.resident = resident;
    for (std::uint32_t q : planned.queries) launch.queries.push_back(sequences_.queries[q]);
    const int last = static_cast<int>(launch.queries.size()) - 1;
    for (std::size_t place = planned.begin; place < planned.end; ++place)
      for (int half = 0; half < static_cast<int>(queries_per_launch(planned)); ++half) {
        launch.pair_query.push_back(std::min(half, last));
        launch.pair_target.push_back(static_cast<int>(place));
      }
    const Portion &portion = targets_->portions()[planned.portion];
    rows = static_cast<std::uint32_t>(targets_->target(portion, static_cast<std::uint32_t>(planned.end - 1)).size());
  } else {
    Numbering query(sequences_.all ? sequences_.queries.size() : 0);
    Numbering target(sequences_.all ? sequences_.targets.size() : 0);
    const std::size_t all_targets = sequences_.targets.size();
    for (const align::Item &item : planned.items) {
      launch.pair_query.push_back(query(item.id / all_targets, sequences_.query(item.id), launch.queries));
      launch.pair_target.push_back(target(item.id % all_targets, sequences_.target(item.id), launch.targets));
      rows = std::max<std::uint32_t>(rows, item.target);
      columns = std::max(columns, item.query);
    }
    launch.bands = bands_of(planned.items);
  }
  const kernels::DeviceWork work_of_group = kernels::device_work(own, planned.kept, columns, rows);
  launch.border_rows = static_cast<int>(work_of_group.border_rows);
  launch.trace_words = work_of_group.trace_words;
  launch.cigar_room = planned.cigar_room;
  const std::size_t work = static_cast<std::size_t>(shape.alignments()) * static_cast<std::size_t>(shape.groups());
  const std::size_t needed = (launch.pair_query.size() + work - 1) / work;
  const std::size_t border = std::max<std::size_t>(Slot::border_bytes(own, 1, work_of_group.border_rows), 1);
  const std::size_t bytes = work_bytes(own, work_of_group);
  const auto at_once = static_cast<std::size_t>(device_.blocks(planned.kernel, work_of_group.shared_bytes(own)));
  launch.blocks = static_cast<int>(std::max<std::size_t>(
      1, std::min({needed, border_limit() / border, work_limit() / bytes, most_blocks(own, at_once, bytes)})));
  return launch;
}

void Launches::return_to_queue(const PlannedLaunch &planned, std::vector<align::Pending> &out) const {
  for (const align::Item &item : planned.items) out.push_back({item.id, 0});
  if (!planned.shared()) return;
  const Portion &portion = targets_->portions()[planned.portion];
  for (std::uint32_t q : planned.queries)
    for (std::size_t place = planned.begin; place < planned.end; ++place)
      out.push_back({std::uint64_t{q} * sequences_.targets.size() + portion.first + portion.order[place], 0});
}

void Launches::return_to_queue(std::vector<align::Pending> &out) {
  for (const PlannedLaunch &planned : ready) return_to_queue(planned, out);
  for (auto *lists : {&lists_, &roomy_lists_})
    for (auto &list : *lists) {
      for (const align::Item &item : list) out.push_back({item.id, 0});
      list.clear();
    }
  for (const align::Item &item : blocks_) out.push_back({item.id, 0});
  blocks_.clear();
  ready.clear();
}

}  // namespace alnsmith::rt::schedule
