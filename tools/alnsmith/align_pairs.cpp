// `align --pairs`: the i-th query with the i-th target. While one block is aligned the next is read.
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

#include "align_job.h"
#include "common/interrupt.h"

namespace alnsmith::tool {
namespace {

constexpr std::size_t kPairsPerBlock = std::size_t{1} << 17;

struct PairBlock {
  Block queries, targets;
  std::optional<double> until = 0.0;  // share of the queries that is read with this block
  std::size_t pairs() const { return std::min(queries.size(), targets.size()); }
};

// Reads both inputs at once; the first error of the queries, else of the targets.
Status read_ahead(AlignJob &job, PairBlock &block) {
  const auto fill = [&](Input &input, Block &part) { return input.fill(part, kPairsPerBlock, job.shares.block); };
  std::future<Status> targets = std::async(std::launch::async, [&] { return fill(job.targets, block.targets); });
  Status queries = fill(job.queries, block.queries);
  Status others = targets.get();
  block.until = job.queries.share_read();
  return queries ? others : queries;
}

// Counts both inputs to their ends for the refusal.
Status unequal_counts(AlignJob &job) {
  const Result<std::uint64_t> queries = job.queries.count_rest();
  if (!queries) return queries.error();
  const Result<std::uint64_t> targets = job.targets.count_rest();
  if (!targets) return targets.error();
  return Error{fmt::format(
      "{} has {} records and {} has {}: --pairs needs as many queries as targets (--all aligns each with each)",
      job.queries.label(), *queries, job.targets.label(), *targets)};
}

// What an output that lists all targets first needs: a reading of them that stops at nothing but their end.
Status list_targets(AlignJob &job) {
  if (!job.targets.can_reopen())
    return Error{fmt::format("{}: --format sam lists all targets before the first record, so they are read twice: give "
                             "them as a file, or take --format paf",
                             job.targets.label()),
                 2};
  Result<Input> targets = job.targets.reopened();
  if (!targets) return targets.error();
  Block block;
  while (!targets->exhausted()) {
    block.clear();
    if (Status ok = targets->fill(block, kPairsPerBlock, job.shares.block); !ok) return ok;
    for (std::size_t i = 0; i < block.size(); ++i)
      if (Status ok = job.rows.add_target(block.name(i), block.letters(i)); !ok) return ok;
  }
  return Ok{};
}

Status align_block(AlignJob &job, const PairBlock &block) {
  const std::size_t n = block.pairs();
  const std::uint64_t first = job.totals.pairs;
  job.strands.take(block.queries);
  StrandResults results(job.aligner.outputs(), job.strands);
  results.resize(n);
  for (job.pass = 0; job.pass < job.strands.each(); ++job.pass) {
    const auto queries = job.strands.views(block.queries, job.strands.wanted()[job.pass], 0, n);
    const Result<Report> report =
        job.aligner.align_pairs(queries, block.targets.views(0, n), results.columns(job.pass), job.call_options(n));
    if (interrupted()) return interrupted_error();
    if (!report) return job.located(report.error(), first + 1, first + 1);
    job.account(*report);
  }
  for (std::size_t i = 0; i < n; ++i) {
    formats::AlignedPair pair;
    pair.query_number = first + i;
    pair.query_name = block.queries.name(i);
    pair.target_name = block.targets.name(i);
    pair.target = block.targets.letters(i);
    if (Status ok = results.write(job.rows, pair, block.queries, i, i); !ok) return ok;
  }
  return job.rows.flush();
}

}  // namespace

Status AlignJob::run_pairs() {
  if (rows.needs_targets())
    if (Status ok = list_targets(*this); !ok) return ok;
  if (Status ok = rows.begin(); !ok) return ok;
  PairBlock now, next;
  if (Status ok = read_ahead(*this, now); !ok) return ok;
  for (;;) {
    const std::size_t n = now.pairs();
    const bool query_missing = queries.exhausted() && now.queries.size() < now.targets.size();
    const bool target_missing = targets.exhausted() && now.targets.size() < now.queries.size();
    if (query_missing || target_missing || (n == 0 && !(now.queries.empty() && now.targets.empty())))
      return unequal_counts(*this);
    if (n == 0) return rows.end();
    next.queries.clear();
    next.targets.clear();
    now.queries.move_tail(n, next.queries);
    now.targets.move_tail(n, next.targets);
    std::future<Status> reading = std::async(std::launch::async, [&] { return read_ahead(*this, next); });
    progress.begin_part(n, now.until);
    const Status aligned = align_block(*this, now);
    const Status read = reading.get();
    if (!aligned) return aligned;
    if (!read) return read;
    std::swap(now, next);
  }
}

}  // namespace alnsmith::tool
