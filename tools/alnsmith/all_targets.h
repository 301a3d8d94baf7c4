// The targets of `align --all`, however they are kept, and calls that align a block of queries with one of theirs.
//
// Targets stay in memory if they fit their share; else a regular file is read again for every block of queries.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "align_job.h"
#include "common/interrupt.h"

namespace alnsmith::tool {

// Record numbers of the first query and the first target of a call.
struct Place {
  std::uint64_t query, target;
};

class AllTargets {
 public:
  // `aligner`: what aligns with them.
  AllTargets(AlignJob &job, const Aligner &aligner) : job_(job), aligner_(aligner) {}

  // Loads them, or learns that they do not fit and what they amount to.
  Status survey();

  std::size_t count() const { return count_; }
  std::size_t name_bytes() const { return name_bytes_; }
  std::size_t longest_name() const { return longest_name_; }
  std::size_t letters() const { return letters_; }  // of all of them
  std::size_t longest() const { return longest_; }  // letters of one
  // All of them where they stay in memory, else null.
  const Block *resident() const { return resident_ ? &kept_ : nullptr; }

  // Calls `use(block)` for consecutive blocks.
  template <class Use>
  Status each_block(Use use) {
    if (resident_) return use(kept_);
    Result<Input> again = job_.targets.reopened();
    if (!again) return again.error();
    std::size_t seen = 0;
    while (!again->exhausted()) {
      if (Status ok = next_block(*again, seen); !ok) return ok;
      if (seen > count_) break;
      if (kept_.empty()) continue;
      if (Status ok = use(kept_); !ok) return ok;
    }
    return seen == count_ ? Status(Ok{}) : changed();
  }

  // Aligns with a whole block that each_block() gave; `out`: columns or a sink.
  template <class Out>
  Status align(std::span<const std::string_view> queries, const Block &block, Out &&out, Place first) {
    const Result<const Prepared *> ready = prepared(block);
    if (!ready) return ready.error();
    if (*ready) return align_views(queries, **ready, out, first);
    return align_views(queries, block.views(), out, first);
  }
  // With some targets: views, or prepared ones.
  template <class SomeTargets, class Out>
  Status align_views(std::span<const std::string_view> queries, const SomeTargets &targets, Out &&out, Place first) {
    const Result<Report> report =
        aligner_.align_all(queries, targets, out, job_.call_options(queries.size() * targets.size()));
    if (interrupted()) return interrupted_error();
    if (!report) return job_.located(report.error(), first.query, first.target);
    job_.account(*report);
    return Ok{};
  }

 private:
  // For a call that takes all of `block`: devices keep targets that stay in memory. Null: on the CPU, or they do not.
  Result<const Prepared *> prepared(const Block &block);
  Status next_block(Input &input, std::size_t &seen);
  Status changed() const;
  Status count_kept();  // adds what is in kept_ to what they amount to, and to an output that lists all targets

  AlignJob &job_;
  const Aligner &aligner_;
  Block kept_;
  std::optional<Prepared> prepared_;  // of kept_
  bool resident_ = true;
  std::size_t count_ = 0, name_bytes_ = 0, longest_name_ = 0, letters_ = 0, longest_ = 0;
};

// Blocks of queries whose results are chosen by --top or --min-score.
Status align_best(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets);
// How many queries a block may hold for it.
Result<std::size_t> best_rows(const AlignJob &job, const AllTargets &targets);

}  // namespace alnsmith::tool
