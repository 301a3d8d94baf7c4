// Targets of a portion that take a block each: where the model of block_threshold.h sees that they keep the others
// waiting. See launches.h.
#include <algorithm>

#include "device/schedule/launches.h"

namespace alnsmith::rt::schedule {
namespace {

// By form, what a lane's column takes: the pipe model of an H200, protein-local-blosum62 in hybrid arithmetic
// (`alnsmith generate --explain`: 7,434, 10,705 and 8,110 GCUPS). Without a matrix forms are nearer to each other.
constexpr double kColumn[] = {1.44, 1, 1.32};

}  // namespace

// What one of the device's kernels has of it, with so many queries for each target.
Result<ThresholdKernel> Launches::threshold_kernel(int index, std::size_t queries, int rows) {
  const auto alignments = capacity(index, rows);
  if (!alignments) return alignments.error();
  const kernels::KernelInfo &own = info(index);
  const kernels::DeviceShape &shape = own.device;
  const auto at_once = static_cast<double>(*alignments);
  const double lanes = at_once / shape.packing * (shape.block ? shape.threads : shape.p);
  return ThresholdKernel{shape.p, own.k, shape.block ? shape.threads / shape.warp : 1,
                         at_once / static_cast<double>(queries),
                         lanes * own.k * kColumn[static_cast<std::size_t>(own.form)]};
}

// The first place of a portion whose target takes a block with each of these queries. A block's kernel is asked for
// only where launches over the portion take longer than their work evenly spread.
Result<std::size_t> Launches::threshold_of(const std::vector<Range> &list, std::size_t portion_index,
                                           const std::vector<std::uint32_t> &queries, std::size_t launches) {
  const Portion &portion = targets_->portions()[portion_index];
  const std::size_t count = portion.order.size();
  const std::uint32_t longest = portion.lengths.back();
  const auto query = static_cast<std::uint32_t>(sequences_.queries[queries.front()].size());
  const auto shared = std::ranges::find_if(list, [](const Range &range) { return range.kernel >= 0; });
  if (shared == list.end() || choice_.choose_block(query, longest).level < 0) return count;
  const auto lanes = threshold_kernel(shared->kernel, static_cast<std::size_t>(info(shared->kernel).queries()), 0);
  if (!lanes) return lanes.error();
  const LaunchTime alone = shared_time(count, portion.letters, longest, query, launches, *lanes);
  Threshold found{count, alone.time, alone.time};
  if (alone.work < kWorthAThreshold * alone.time) {
    const auto blocks = threshold_kernel(choice_.block(), queries.size(), static_cast<int>(longest));
    if (blocks)
      found = find_threshold(portion.lengths, portion.letters, query, launches, *lanes, *blocks);
    else
      choice_.leave_blocks();  // nobody needs it: what other kernels of the device do goes on
  }
  threshold.pairs += queries.size() * count;
  threshold.block_pairs += queries.size() * (count - found.place);
  threshold.time += found.time / static_cast<double>(launches);
  threshold.time_without += found.time_without / static_cast<double>(launches);
  if (found.place < count) {
    const std::uint32_t letters = portion.lengths[found.place];
    threshold.least = threshold.least == 0 ? letters : std::min(threshold.least, letters);
    threshold.most = std::max(threshold.most, letters);
  }
  return found.place;
}

// A pair for a block, whatever lengths its kernel is meant for; one that it does not hold goes with the others.
void Launches::enqueue_block(align::Item item) {
  const align::SuitableLevel suitable = choice_.choose_block(item.query, item.target);
  if (suitable.level < 0) return enqueue(item, 0, 0);
  item.tried = !suitable.exact;
  blocks_.push_back(item);
}

Status Launches::plan_blocks() {
  if (blocks_.empty()) return Ok{};
  std::vector<align::Item> items = std::exchange(blocks_, {});
  auto ok = cut(choice_.block(), choice_.block_level(), false, items);
  if (!ok) blocks_ = std::move(items);
  return ok;
}

}  // namespace alnsmith::rt::schedule
