// See extent.h.
#include "align/extent.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "align/lane_loading.h"
#include "align/shape.h"

namespace alnsmith::rt::align {
namespace {

// The time of both directions relative to the first: the second stops at the ends that the first has found.
constexpr double kBothWays = 1.7;
// How many times longer unlike pairs take as whole alignments than they would if no lane waited for another and paths
// met in patches.
constexpr double kPadded = 2;
// The share of a probe's cells that may lie in boxes: beyond it extents cost more than they save.
constexpr double kSmallBoxes = 0.4;

constexpr std::size_t kMostPairs = std::size_t{1} << 18;  // in a chunk
constexpr std::size_t kPairBytes = 160;                   // that one takes here
constexpr std::size_t kProbedLanes = 8;  // pairs per lane up to which a whole group serves as the probe

constexpr std::uint32_t kAnyLength = std::numeric_limits<std::uint32_t>::max();

// How far the best alignments of one query reach, by target.
class ExtentSink : public ResultSink {
 public:
  struct Extent {
    bool known = false;
    std::int32_t row = -1, column = -1;  // -1: nothing is aligned
  };
  explicit ExtentSink(std::size_t targets) : extents(targets) {}
  Result<OutputSet> begin(const CallShape &shape) override { return shape.outputs; }
  Result<Next> put(const ResultBlock &block) override {
    for (std::size_t i = 0; i < block.size(); ++i)
      extents[block.pair[i]] = {true, block[kEnds.query][i], block[kEnds.target][i]};
    return Next::more;
  }
  std::vector<Extent> extents;
};

OutputSet score_and_end() {
  OutputSet outputs{Output::score};
  outputs.add(kEnds.query);
  outputs.add(kEnds.target);
  return outputs;
}

std::string reversed(std::string_view letters) { return {letters.rbegin(), letters.rend()}; }

}  // namespace

ExtentRun::ExtentRun(Call &call, const Sequences &sequences)
    : call_(call),
      sequences_(sequences),
      chunk_(std::clamp<std::size_t>(call.budget() / 16 / kPairBytes, 64, kMostPairs)) {
  for (const kernels::KernelInfo &kernel : call.manifest().kernels)
    if (kernel.form == Form::extent) kernels_.push_back(&kernel);
}

ExtentRun::Group ExtentRun::group_at(std::uint64_t id, std::uint64_t end) const {
  std::uint64_t after = id + 1;
  if (sequences_.all) {
    const std::uint64_t targets = sequences_.targets.size();
    after = std::min(end, id + targets - id % targets);
  } else {
    const std::string_view query = sequences_.query(id);
    const auto same = [&](std::string_view other) {
      return other.data() == query.data() && other.size() == query.size();
    };
    while (after < end && same(sequences_.query(after))) ++after;
  }
  Group group{id, static_cast<std::size_t>(after - id)};
  if (group.count < 2 || sequences_.query(id).empty()) return group;  // most calls share nothing
  group.longest = kAnyLength;
  group.longest = longest_that_suits(*kernels_.front(), targets_of(group));
  return group;
}

ExtentRun::Targets ExtentRun::targets_of(const Group &group) const {
  Targets targets(group.count);
  for (std::size_t i = 0; i < group.count; ++i)
    if (const auto target = sequences_.target(group.first + i); target.size() <= group.longest) targets[i] = target;
  return targets;
}

double ExtentRun::cells_of(const Group &group) const {
  double letters = 0;
  for (const std::string_view target : targets_of(group)) letters += static_cast<double>(target.size());
  return letters * static_cast<double>(sequences_.query(group.first).size());
}

// By vectors of cells for each letter of the query, as pairs_suit() counts them. A long target keeps the lanes of all
// others waiting, so those beyond some length are left to align as pairs.
std::uint32_t ExtentRun::longest_that_suits(const kernels::KernelInfo &kernel, const Targets &targets) const {
  if (targets.size() < 2) return 0;
  std::vector<std::uint32_t> lengths;
  for (const std::string_view target : targets) lengths.push_back(static_cast<std::uint32_t>(target.size()));
  std::ranges::sort(lengths);
  const double as_extent = kBothWays * cell_work(call_.manifest(), Form::extent);
  const double as_pair = kPadded * cell_work(call_.manifest(), Form::pairwise);
  const kernels::KernelInfo *const pairs = widest(call_.manifest(), Form::pairwise);
  const double pair_lanes = pairs != nullptr ? pairs->lanes : kernel.lanes;
  double letters = 0, most = 0;
  std::uint32_t longest = 0;
  for (const std::uint32_t length : lengths) {
    letters += length;
    const double saved = as_pair * letters / pair_lanes - as_extent * std::max<double>(length, letters / kernel.lanes);
    if (saved > most) longest = length;
    most = std::max(saved, most);
  }
  return longest;
}

bool ExtentRun::suits() const {
  double cells = 0;
  const std::uint64_t n = kernels_.empty() ? 0 : sequences_.pairs();
  for (std::uint64_t id = 0; id < n && cells < kSmallCall;) {
    const Group group = group_at(id, std::min<std::uint64_t>(n, id + chunk_));
    if (group.longest > 0) cells += cells_of(group);
    id += group.count;
  }
  return cells >= kSmallCall;
}

Status ExtentRun::run(bool admitted) {
  const std::uint64_t n = sequences_.pairs();
  for (std::uint64_t begin = 0; begin < n; begin += chunk_) {
    const std::uint64_t end = std::min<std::uint64_t>(begin + chunk_, n);
    for (std::uint64_t id = begin; !admitted && id < end; ++id)
      if (const auto wanted = admit_pair(call_, sequences_, id); !wanted) return wanted.error();
    call_.hold((end - begin) * kPairBytes);
    const Status done = run_chunk(begin, end);
    call_.hold(0);
    if (!done || call_.stopped()) return done;
  }
  return Ok{};
}

Status ExtentRun::run_chunk(std::uint64_t begin, std::uint64_t end) {
  std::vector<Group> groups;
  std::vector<Pending> others;
  std::size_t boxes = 0;
  for (std::uint64_t id = begin; id < end;) {
    Group group = group_at(id, end);
    if (!pays_.value_or(true)) group.longest = 0;
    for (const std::uint64_t after = id + group.count; id < after; ++id) {
      const std::size_t letters = sequences_.target(id).size();
      if (letters > group.longest && !sequences_.query(id).empty()) others.push_back({id, 0});
    }
    if (group.longest == 0) continue;
    group.box = boxes;
    boxes += group.count;
    groups.push_back(group);
  }
  boxes_.assign(boxes, {});
  if (!groups.empty() && !pays_)
    if (auto ok = probe(groups); !ok || call_.stopped()) return ok;
  if (!groups.empty()) {
    if (auto ok = *pays_ ? find_boxes(groups) : Status(Ok{}); !ok || call_.stopped()) return ok;
    if (auto ok = align_boxes(groups); !ok || call_.stopped()) return ok;
  }
  return others.empty() ? Status(Ok{}) : align_pending(call_, sequences_, others);
}

// The group of most cells, or as many of its targets as there are lanes, evenly spread: depends on the sequences alone.
Status ExtentRun::probe(std::vector<Group> &groups) {
  Group &group = *std::ranges::max_element(groups, {}, [&](const Group &g) { return cells_of(g); });
  const auto lanes = static_cast<std::size_t>(kernels_.front()->lanes);
  const std::string_view query = sequences_.query(group.first);
  Targets targets = targets_of(group);
  std::vector<Box> sample;
  std::span<Box> boxes = std::span(boxes_).subspan(group.box, group.count);
  group.done = group.count <= kProbedLanes * lanes;
  if (!group.done) {
    std::erase_if(targets, [](std::string_view target) { return target.empty(); });
    const std::size_t count = std::min(targets.size(), lanes);
    for (std::size_t i = 0; i < count; ++i) targets[i] = targets[i * targets.size() / count];
    targets.resize(count);
    sample.resize(count);
    boxes = sample;
  }
  Options options = call_.options();
  options.progress = {};
  options.memory_bytes = call_.budget();
  if (auto ok = find_boxes(query, targets, boxes, options); !ok || call_.stopped()) return ok;
  double whole = 0, boxed = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (boxes[i].held == 0) continue;
    whole += static_cast<double>(query.size()) * static_cast<double>(targets[i].size());
    boxed += static_cast<double>(boxes[i].cells());
  }
  pays_ = boxed < kSmallBoxes * whole;
  return Ok{};
}

// Groups side by side where there are enough of them; else all threads share each.
Status ExtentRun::find_boxes(std::vector<Group> &groups) {
  const auto find = [&](Group &group, const Options &options) -> Status {
    if (std::exchange(group.done, true)) return Ok{};
    return find_boxes(sequences_.query(group.first), targets_of(group),
                      std::span(boxes_).subspan(group.box, group.count), options);
  };
  const auto threads = static_cast<std::size_t>(call_.threads());
  Options options = call_.options();
  options.progress = {};
  options.memory_bytes = call_.budget();
  if (groups.size() < 2 * threads) {
    for (Group &group : groups)
      if (auto ok = find(group, options); !ok || call_.stopped()) return ok;
    return Ok{};
  }
  options.threads = 1;
  options.memory_bytes = call_.budget() / threads;
  // The largest first, so that no thread is left with it at the end.
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < groups.size(); ++i) order.emplace_back(-cells_of(groups[i]), i);
  std::ranges::sort(order);
  const auto group = [&](std::size_t i) -> Group & { return groups[order[i].second]; };
  const auto need = [&](std::size_t) { return options.memory_bytes; };
  const auto body = [&](std::size_t i, Workspace &) {
    if (const auto ok = find(group(i), options); !ok) call_.fail(ok.error());
  };
  const auto describe = [&](std::size_t i) { return sequences_.name(group(i).first); };
  return call_.for_each(groups.size(), call_.budget(), need, body, describe);
}

// Width by width: what one does not hold goes on to the next, where enough of it is left.
Status ExtentRun::find_boxes(std::string_view query, Targets targets, std::span<Box> boxes, const Options &options) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    boxes[i] = {};
    boxes[i].query.end = static_cast<std::uint32_t>(query.size());
    boxes[i].target.end = static_cast<std::uint32_t>(targets[i].size());
  }
  for (const kernels::KernelInfo *kernel : kernels_) {
    const std::uint32_t longest = longest_that_suits(*kernel, targets);
    if (longest == 0) break;
    for (std::string_view &target : targets)
      if (target.size() > longest) target = {};
    if (!fits(*kernel, query.size(), targets, options.memory_bytes)) break;
    const auto ran = find_ends(*kernel, query, targets, boxes, options);
    if (!ran || call_.stopped()) return ran ? Status(Ok{}) : Status(ran.error());
    if (!*ran) continue;
    Targets found(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].empty()) continue;
      if (boxes[i].held > 0)
        found[i] = std::exchange(targets[i], {}).substr(0, boxes[i].target.end);
      else
        boxes[i].overflowed = static_cast<std::uint8_t>(kernel->width);
    }
    if (auto ok = find_begins(*kernel, query, found, boxes, options); !ok || call_.stopped()) return ok;
  }
  return Ok{};
}

// Whether a batch of the longest targets is no more than calls take of their memory, with room for more than one batch.
bool ExtentRun::fits(const kernels::KernelInfo &kernel, std::size_t query, const Targets &targets,
                     std::size_t memory) const {
  std::vector<std::size_t> lengths;
  for (const std::string_view target : targets)
    if (!target.empty()) lengths.push_back(target.size());
  if (lengths.empty()) return true;
  std::ranges::sort(lengths);
  const std::size_t lanes = std::min(lengths.size(), static_cast<std::size_t>(kernel.lanes));
  const auto longest = std::span(lengths).last(lanes);
  const std::size_t batch =
      loaded_bytes(kernel, {lanes, std::accumulate(longest.begin(), longest.end(), std::size_t{0}), longest.back()});
  const std::size_t fixed = kernel.scratch_fixed + static_cast<std::size_t>(kernel.lanes) * 64 + 4096;
  return query <= memory / 4 && fixed + batch + kernel.scratch_per_letter * query <= memory / 2 - memory / 16;
}

// Results of a call beside this one; false: the kernel serves none of it.
Result<bool> ExtentRun::run_kernel(const kernels::KernelInfo &kernel, std::string_view query, const Targets &targets,
                                   ResultSink &sink, const Options &options) {
  const Sequences sequences{std::span(&query, 1), targets, true};
  Call beside = call_.beside(options, sink, shape_of(call_.manifest(), sequences), score_and_end());
  const auto done = align_admitted(beside, sequences, Form::extent,
                                   [&](const kernels::KernelInfo &other) { return other.width == kernel.width; });
  const std::lock_guard lock(mutex_);
  call_.used.insert(beside.used.begin(), beside.used.end());
  call_.obtaining_seconds = std::max(call_.obtaining_seconds, beside.obtaining_seconds);
  if (beside.has_invalid_letter()) call_.reject_letter();
  if (!done) return done.error();
  return *done && beside.used.contains(kernel.entry);
}

Result<bool> ExtentRun::find_ends(const kernels::KernelInfo &kernel, std::string_view query, const Targets &targets,
                                  std::span<Box> boxes, const Options &options) {
  ExtentSink last(targets.size());
  const auto ran = run_kernel(kernel, query, targets, last, options);
  if (!ran || !*ran) return ran;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ExtentSink::Extent &extent = last.extents[i];
    if (!extent.known) continue;
    Box &box = boxes[i];
    box.held = static_cast<std::uint8_t>(kernel.width);
    // Kernels count whole strips. Of a pair in which nothing is aligned nothing is in any part, such as the first cell.
    box.query.end = static_cast<std::uint32_t>(std::max(extent.row, 0)) + 1;
    box.target.end = std::min(static_cast<std::uint32_t>(std::max(extent.column, 0)) + 1, box.target.end);
  }
  return true;
}

// `targets`: up to their ends.
Status ExtentRun::find_begins(const kernels::KernelInfo &kernel, std::string_view query, const Targets &targets,
                              std::span<Box> boxes, const Options &options) {
  std::size_t rows = 0, letters = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].empty()) rows = std::max<std::size_t>(rows, boxes[i].query.end);
    letters += targets[i].size();
  }
  if (letters == 0) return Ok{};
  std::string text;  // the targets reversed, one behind another
  text.reserve(letters);
  Targets back(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    text.append(targets[i].rbegin(), targets[i].rend());
    back[i] = std::string_view(text).substr(text.size() - targets[i].size());
  }
  const std::string query_back = reversed(query.substr(0, rows));
  ExtentSink first(targets.size());
  if (const auto ran = run_kernel(kernel, query_back, back, first, options); !ran) return ran.error();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ExtentSink::Extent &extent = first.extents[i];
    if (!extent.known || extent.row < 0) continue;
    boxes[i].query.begin = static_cast<std::uint32_t>(rows) - 1 - static_cast<std::uint32_t>(extent.row);
    const std::uint32_t columns = std::min(static_cast<std::uint32_t>(extent.column) + 1, boxes[i].target.end);
    boxes[i].target.begin = boxes[i].target.end - columns;
  }
  return Ok{};
}

// Pairs without a box as a whole.
Status ExtentRun::align_boxes(const std::vector<Group> &groups) {
  std::vector<Part> parts;
  std::vector<std::string_view> queries, targets;
  std::vector<Pending> pending;
  for (const Group &group : groups)
    for (std::size_t i = 0; i < group.count; ++i) {
      const std::uint64_t id = group.first + i;
      const std::string_view query = sequences_.query(id), target = sequences_.target(id);
      if (target.empty() || target.size() > group.longest) continue;
      Box box = boxes_[group.box + i];
      if (box.held == 0) {
        box.query.end = static_cast<std::uint32_t>(query.size());
        box.target.end = static_cast<std::uint32_t>(target.size());
      }
      pending.push_back({parts.size(), box.overflowed});
      parts.push_back({id, box.query.begin, box.target.begin});
      queries.push_back(box.query.of(query));
      targets.push_back(box.target.of(target));
    }
  Sequences between{queries, targets};
  between.parts = parts;
  between.whole = &sequences_;
  return align_pending(call_, between, pending);
}

}  // namespace alnsmith::rt::align
