// One call of the batch interface: its scoring, kernels, threads, memory, cancellation and first error;
// and how a single vector batch is run.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "align/by_lengths.h"
#include "align/found.h"
#include "align/scoring.h"
#include "alnsmith/sinks.hpp"
#include "alnsmith/strip_abi.h"
#include "sources/kernel_source.h"

namespace alnsmith::rt::align {

// 64-byte aligned, uninitialised, grows only.
class Buffer {
 public:
  std::uint8_t *reserve(std::size_t bytes);
  std::uint8_t *data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::uint8_t *p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::uint8_t, Free> data_;
  std::size_t size_ = 0;
};

// What one worker needs to run batches; reused from batch to batch.
struct Workspace {
  Buffer registers, stream, scratch, letters, path;
  std::vector<std::string_view> register_side, stream_side;
  std::vector<int> register_length, stream_length, segment_end, band_from, band_to;
  std::array<std::vector<int>, kOutputCount> results;  // of the kernel
  std::vector<std::uint8_t> status;
  std::vector<int> cigar, cigar_runs, cigar_first;  // the last one of bit-sliced kernels
  std::vector<std::uint64_t> path_words;
  std::vector<std::uint64_t> ids;     // of the pairs that have their results,
  std::vector<std::uint32_t> places;  // and where these stand
  Found found;                        // on its way to the sink
  std::size_t bytes() const {
    return registers.size() + stream.size() + scratch.size() + letters.size() + path.size() + 4 * cigar.size() +
           8 * path_words.size();
  }
  KernelResults stored() const {
    KernelResults places;
    for (std::size_t i = 0; i < kOutputCount; ++i)
      if (!results[i].empty()) places.column[i] = results[i].data();
    places.cigar = cigar.data();
    places.cigar_runs = cigar_runs.empty() ? nullptr : cigar_runs.data();
    places.cigar_first = cigar_first.empty() ? nullptr : cigar_first.data();
    places.cigar_stride = cigar_runs.size();
    return places;
  }
};

// How targets lie in the lanes of a shared kernel: one each, or, where the kernel refills its lanes, several one behind
// another, each begun at a multiple of k.
struct Loading {
  int rows = 0;                        // of a letter's byte
  std::vector<int> length;             // [lanes] letters
  std::vector<int> refill_column{-1};  // kernel_abi.h
  std::vector<std::uint8_t> refill_lanes;
  std::size_t refills() const { return refill_column.size() - 1; }
};

// Which kernel a pair takes: `level` counts the usable kernels of a form, narrow to wide. Devices, and CPUs of form
// `split`, may have several kernels of one level for different lengths.
struct SuitableLevel {
  int level = -1;      // -1: none can hold the pair
  bool exact = false;  // else the status must be looked at
  double cost = 0;     // of form `split`, as of split_cost (split.h)
};

class Chooser {
 public:
  using Filter = std::function<bool(const kernels::KernelInfo &)>;
  // `entries` lengths are remembered, at most. Kernels that `possible` (may be empty) denies are left out.
  Chooser(const kernels::Manifest &manifest, const CallScoring &scoring, Form form, std::size_t entries,
          const Filter &possible = {});
  int levels() const { return static_cast<int>(kernels_.size()); }
  int kernel(int level) const { return kernels_[static_cast<std::size_t>(level)].front(); }
  const std::vector<int> &kernels(int level) const { return kernels_[static_cast<std::size_t>(level)]; }
  // The level's kernel that suits these lengths, of devices the last one where none says so; of form `split` the one
  // that takes least.
  int kernel(int level, std::uint32_t query, std::uint32_t target) const;
  // From this level on: the narrowest kernel that holds the pair or may; of form `split` the one that takes least.
  // Remembered.
  const SuitableLevel &choose(int level, std::uint32_t query, std::uint32_t target) {
    return remembered_.get(level, query, target, [&] { return choose_from(level, query, target); });
  }
  SuitableLevel choose_from(int level, std::uint32_t query, std::uint32_t target) const;
  bool exact(int level, std::uint32_t query, std::uint32_t target) const;
  // Of a kernel that need not be the one that suits these lengths.
  bool exact(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target) const;
  // Whether trying a kernel that is not exact may pay; a probe decides. Local: always, as the score of unrelated
  // sequences grows with the logarithm of their lengths only. Some end free: `exact` is missed by no more than a factor
  // of 8 in length. Anchored at both ends: never, the scores leave a narrow range for certain.
  bool near(int level, std::uint32_t query, std::uint32_t target) const;
  bool near(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target) const;
  std::string rule(std::uint32_t query, std::uint32_t target) const;  // for the error where nothing holds

 private:
  SuitableLevel cheapest_from(int first, std::uint32_t query, std::uint32_t target) const;
  bool counts(const kernels::KernelInfo &kernel, std::uint32_t query, std::uint32_t target) const;  // these lengths
  kernels::Values at(std::uint32_t query, std::uint32_t target) const;
  const kernels::KernelInfo &info(int level, std::uint32_t query, std::uint32_t target) const {
    return manifest_.kernels[static_cast<std::size_t>(kernel(level, query, target))];
  }
  const kernels::Manifest &manifest_;
  Form form_;
  kernels::Values values_;
  std::vector<std::vector<int>> kernels_;  // by level
  ByLengths<SuitableLevel> remembered_;    // by level
};

class Call {
 public:
  // `scoring`: what `kernels` take of `options` and `standing`; `wanted`: what the sink has said that it takes.
  Call(sources::CpuKernels &kernels, const CallScoring &scoring, const Scoring &standing, const Options &options,
       ResultSink &sink, const CallShape &shape, OutputSet wanted);

  const kernels::Manifest &manifest() const { return kernels_.manifest(); }
  // Letters of state sets: how far apart the bytes of one lie.
  struct Strides {
    std::size_t query = 0, target = 0;
  };
  Strides strides;
  // Where a pair's cells begin and end by the spec's band: target position - query position.
  std::pair<int, int> band_of(std::size_t query, std::size_t target) const;
  // Sequences of state sets are letters already.
  const kernels::CodeTable &query_codes() const {
    return manifest().sets.empty() ? manifest().query_codes : kernels::codes_as_they_are();
  }
  const kernels::CodeTable &target_codes() const {
    return manifest().sets.empty() ? manifest().target_codes : kernels::codes_as_they_are();
  }
  // What lanes are filled up with: no set has any state in common with the empty one.
  std::uint8_t query_pad() const { return manifest().sets.empty() ? ALN_CODE_QUERY_PAD : 0; }
  std::uint8_t target_pad() const { return manifest().sets.empty() ? ALN_CODE_TARGET_PAD : 0; }
  const kernels::KernelInfo &info(int kernel) const { return manifest().kernels[static_cast<std::size_t>(kernel)]; }
  const CallScoring &scoring() const { return scoring_; }  // of the CPU's kernels
  // Of a device's kernels: what those of the CPU have folded in may come with the call there.
  Result<CallScoring> scoring_for(const kernels::Manifest &device) const {
    return resolve_scoring(device, options_.scoring, standing_);
  }
  int threads() const { return threads_; }
  std::size_t budget() const { return budget_ - held_; }
  // So many bytes of the budget are the caller's own until it says another number.
  void hold(std::size_t bytes) { held_ = std::min(bytes, budget_ / 2); }
  // A call of its own over the same kernels and scoring. All that is given has to outlive it.
  Call beside(const Options &options, ResultSink &sink, const CallShape &shape, OutputSet wanted) const {
    return Call(kernels_, scoring_, standing_, options, sink, shape, wanted);
  }
  const Options &options() const { return options_; }

  // Loads kernels; its time is not the call's.
  Status obtain(std::span<const int> kernels);

  // Runs body(i, workspace) for 0 <= i < n on up to threads() workers, as many as `need(i)` bytes each allow within
  // `available`; stops early once stopped(). An index that cannot run alone is an error by `describe`. `soon(i)`, if
  // not empty, is called by the worker that will run i next, before its current one: a chance to prefetch.
  Status for_each(std::size_t n, std::size_t available, const std::function<std::size_t(std::size_t)> &need,
                  const std::function<void(std::size_t, Workspace &)> &body,
                  const std::function<std::string(std::size_t)> &describe,
                  const std::function<void(std::size_t)> &soon = {});

  // Bytes of workspace for one batch.
  static std::size_t need(const kernels::KernelInfo &kernel, std::size_t register_max, std::size_t stream_max);
  // Runs a pairs kernel over workspace.register_side and stream_side (lanes views each); false stops the call.
  bool run_pairs(int kernel, Workspace &workspace);
  // Runs a shared kernel over packed targets and an encoded query. Workspace's results and status then have a row of
  // lanes for every refill and one for the end.
  bool run_shared(int kernel, Workspace &workspace, const std::uint8_t *packed, const Loading &loading,
                  const std::uint8_t *query, std::size_t query_length, std::span<const int> sets = {});

  // Runs a stage of a kernel of form `split`; false: it cannot, and the call has failed.
  bool run_stage(int kernel, aln_strip_args_v1 &args);

  bool stopped();
  void fail(Error error);  // the first one stays
  void reject_letter() {
    invalid_ = true;
    stop_ = true;
  }  // a letter outside the alphabet was met
  // Hands the results to the sink and empties them; what the sink answers may end the call. From any thread.
  void deliver(Found &found);
  // Found for as many results, of what the sink wants.
  void expect(Found &found, std::size_t most) const { found.begin(wanted_, most); }
  bool minimize() const { return shape_.minimize; }
  bool ended() const { return ended_; }  // the sink has had enough
  std::uint64_t delivered() const { return done_; }
  std::uint64_t delivered_cells() const { return done_cells_; }
  bool has_invalid_letter() const { return invalid_; }
  std::optional<Error> error() const;  // of fail()
  Status outcome() const;              // that, or that a letter was rejected

  Report report;  // seconds are the caller's
  double obtaining_seconds = 0;
  std::set<std::string> used;

 private:
  // Sets the lanes' bands.
  void bound(const kernels::KernelInfo &kernel, Workspace &workspace, aln_args_v1 &args) const;
  bool invoke(int kernel, Workspace &workspace, aln_args_v1 &args);
  // Begins and CIGARs of a bit-sliced kernel that has run.
  void read_paths_of(const kernels::KernelInfo &kernel, Workspace &workspace, const aln_args_v1 &args) const;
  bool run(int kernel, aln_args_v1 &args);
  bool ran(int kernel, int code);

  sources::CpuKernels &kernels_;
  alignas(64) CallScoring scoring_;  // kernels load the matrix by rows: two cache lines each, not three
  const Scoring &standing_;
  const Options &options_;
  int threads_;
  std::size_t budget_, held_ = 0;
  ResultSink &sink_;
  CallShape shape_;
  OutputSet wanted_;
  std::optional<tbb::task_arena> arena_;
  std::atomic<bool> stop_{false}, invalid_{false}, ended_{false};
  std::atomic<std::uint64_t> done_{0}, done_cells_{0};
  mutable std::mutex mutex_;
  std::optional<Error> error_;
};

// Error for the first byte of `letters` outside the alphabet, named `where`; nothing if all are in it.
std::optional<Error> invalid_letter(const kernels::CodeTable &codes, const kernels::Manifest &manifest,
                                    std::string_view letters, const std::string &where);

}  // namespace alnsmith::rt::align
