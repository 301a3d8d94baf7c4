// Which launches the pairs of a share become on one device: a kernel for each pair, pairs of about equal lengths
// together, no more at a time than memory holds.
//
// In:  shares from the work queue, and later the pairs that a kernel could not hold.
// Out: launches, in `ready`; pairs that no kernel of the device holds, in `pending`.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "align/align.h"
#include "align/batch.h"
#include "align/by_lengths.h"
#include "device/schedule/block_threshold.h"
#include "device/schedule/level_choice.h"
#include "device/schedule/targets.h"
#include "device/schedule/work_queue.h"
#include "kernels/device_work.h"

namespace alnsmith::rt::schedule {

// One launch to come. Form `pairwise`: the alignments are `items`. The others: `queries` with places [begin, end) of a
// portion; form `shared_profile` has `packing` alignments per place, form `single_query` one.
struct PlannedLaunch {
  int kernel = -1, level = -1;
  Form form = Form::pairwise;
  std::vector<align::Item> items;
  std::size_t portion = 0, begin = 0, end = 0;
  std::vector<std::uint32_t> queries;
  bool exact = false;  // of all pairs of a launch over a portion
  bool roomy = false;  // has room for any CIGAR of its pairs
  kernels::WayKept kept = kernels::WayKept::codes;
  std::size_t cigar_room = 0;

  bool shared() const { return form != Form::pairwise; }
};

class Launches {
 public:
  Launches(Device &device, align::Call &call, const align::CallScoring &scoring, const align::Sequences &sequences,
           const Targets *targets);

  std::deque<PlannedLaunch> ready;
  std::vector<align::Pending> pending;
  std::uint64_t promoted = 0;  // pairs that went on to a wider kernel of the device
  double obtaining = 0;        // seconds spent on getting kernels
  BlockThreshold threshold;    // of all launches over portions

  // Bytes of the device for one slot: what a launch needs of letters, lists and CIGARs is a quarter at most, of borders
  // and ways back together another. The rest is room to grow.
  void limit(std::size_t bytes) { limit_ = bytes; }
  std::size_t limit() const { return limit_; }
  // Some of the device's kernels take portions of resident targets.
  bool takes_portions() const;
  // From now on portions are taken pair by pair: the device cannot hold one.
  void leave_portions() { portions_ = false; }

  Status add(const Share &share);
  // A launch's work again, with the limits of now.
  Status retry(PlannedLaunch planned);
  // A pair that the launch's kernel could not hold.
  void promote(const PlannedLaunch &planned, align::Item item);
  // A pair whose CIGAR there was no room for. Where there was for any, the kernel does not do what it should on this
  // device, and the pair is the CPU's.
  void retry_pair(const PlannedLaunch &planned, align::Item item);
  // Makes launches of promoted pairs, and of those to be done again; false if there are none.
  Result<bool> plan_promoted();

  // How many of the pairs that a level tried it could not hold; it is no longer tried where it is more than a quarter.
  void learn(const PlannedLaunch &planned, std::uint64_t tried, std::uint64_t flagged);
  // How many runs the CIGARs of pairs with so many letters together have asked for.
  void learn_runs(std::size_t runs, std::uint64_t letters) {
    device_.runs_per_letter =
        std::max(device_.runs_per_letter, 1.25 * static_cast<double>(runs) / static_cast<double>(letters));
  }

  const kernels::KernelInfo &info(const PlannedLaunch &f) const { return info(f.kernel); }
  // Of a launch over a portion: alignments per place, the last ones repeated where there are fewer queries, and one of
  // them.
  std::size_t queries_per_launch(const PlannedLaunch &planned) const;
  align::Item item(const PlannedLaunch &planned, std::size_t alignment) const;
  bool exact(const PlannedLaunch &planned, const align::Item &item) const;
  // What the device is given; `resident` for a launch over a portion.
  Result<Launch> make(const PlannedLaunch &planned, const OnDevice *resident);
  // All pairs of everything that is not launched, for other workers.
  void return_to_queue(std::vector<align::Pending> &out);
  void return_to_queue(const PlannedLaunch &planned, std::vector<align::Pending> &out) const;

 private:
  struct Range {
    std::size_t begin, end;
    align::SuitableLevel suitable;
    int kernel;
  };
  const kernels::KernelInfo &info(int kernel) const {
    return device_.manifest().kernels[static_cast<std::size_t>(kernel)];
  }
  Result<const driver::DeviceKernel *> kernel(int index);
  Result<std::size_t> capacity(int kernel, int rows);
  align::Item make_item(std::uint64_t id) const;
  std::vector<int> bands_of(const std::vector<align::Item> &items) const;  // as Launch has them
  void enqueue(align::Item item, int from, int width);
  bool fills(int kernel, const std::vector<align::Item> &items) const;
  void pass_on(int kernel, int level, std::vector<align::Item> &items);
  std::size_t list_need(const kernels::KernelInfo &kernel, const align::Item &item, bool roomy) const;
  Status plan_lists();
  Status plan(std::vector<std::vector<align::Item>> &lists, bool roomy);
  Status cut(int kernel, int level, bool roomy, std::vector<align::Item> &items);
  std::size_t cigar_room(const kernels::KernelInfo &kernel, const align::Item &item, bool roomy) const;
  Status add_rows(const Share &share);
  Status add_shared(std::size_t portion, std::vector<std::uint32_t> queries, std::size_t launches);
  Status add_parts(PlannedLaunch planned, std::vector<std::uint32_t> queries);
  const std::vector<Range> &ranges(Form form, std::size_t portion, std::uint32_t longest, std::uint32_t shortest);
  Result<ThresholdKernel> threshold_kernel(int index, std::size_t queries, int rows);
  Result<std::size_t> threshold_of(const std::vector<Range> &list, std::size_t portion,
                                   const std::vector<std::uint32_t> &queries, std::size_t launches);
  void enqueue_block(align::Item item);
  Status plan_blocks();
  Result<bool> worth_sharing(const Portion &portion, std::size_t queries);
  std::size_t list_limit() const;
  std::size_t work_limit() const;
  std::size_t border_limit() const;  // whose elements are counted in ints
  // What is kept for the way back of pairs whose longest sequences these are.
  struct Keeping {
    kernels::WayKept kept = kernels::WayKept::codes;
    std::size_t bytes = 0;  // of a block, at least 1
    bool fits = false;
  };
  // That with which the device is done soonest, of so many blocks at most at once.
  Keeping keeping(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target,
                  std::size_t blocks) const;

  Device &device_;
  align::Call &call_;
  const align::Sequences &sequences_;
  const Targets *targets_;
  LevelChoice choice_;
  std::vector<std::vector<align::Item>> lists_, roomy_lists_;  // by level of form `pairwise`
  std::vector<align::Item> blocks_;                            // for choice_.block()
  align::ByLengths<int> kernels_{1 << 10};                     // of a level of form `pairwise`
  std::vector<Range> ranges_;
  std::size_t ranges_portion_ = SIZE_MAX;
  Form ranges_form_ = Form::shared_profile;
  std::pair<std::uint32_t, std::uint32_t> ranges_of_;
  std::size_t limit_ = 0;
  bool portions_ = true;
  bool no_bits_ = false;  // bit-sliced kernels cannot be had
};

}  // namespace alnsmith::rt::schedule
