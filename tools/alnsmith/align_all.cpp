// `align --all`: each query with each target, query by query in the output; the pairs are never materialised.
//
// A block holds as many queries as their scores against all targets fit in memory; one query at least, whose
// scores are then written chunk by chunk.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "align_job.h"
#include "all_targets.h"
#include "common/interrupt.h"

namespace alnsmith::tool {
namespace {

constexpr std::size_t kQueriesPerBlock = std::size_t{1} << 12;

// One query: results leave as they come.
Status align_query(AlignJob &job, const Block &queries, std::size_t q, std::uint64_t first_query, AllTargets &targets) {
  const std::vector<std::string_view> query = queries.views(q, 1);
  const std::size_t chunk = std::max<std::size_t>(1, job.shares.scores / Results::bytes_each(job.aligner.outputs()));
  Results results(job.aligner.outputs());
  std::size_t before = 0;  // targets of earlier blocks
  return targets.each_block([&](const Block &block) -> Status {
    for (std::size_t begin = 0; begin < block.size(); begin += chunk) {
      const std::size_t n = std::min(chunk, block.size() - begin);
      results.resize(n);
      const Place first{first_query + q, before + begin + 1};
      const Status ok = n == block.size() ? targets.align(query, block, results.columns(), first)
                                          : targets.align_views(query, block.views(begin, n), results.columns(), first);
      if (!ok) return ok;
      for (std::size_t t = 0; t < n; ++t) results.write(job.output, queries.name(q), block.name(begin + t), t);
    }
    before += block.size();
    return job.output.flush();
  });
}

// Several queries: their results against all targets are kept, then written query by query.
Status align_queries(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  const std::size_t rows = queries.size(), columns = targets.count();
  const std::vector<std::string_view> letters = queries.views();
  Results all(job.aligner.outputs()), part(job.aligner.outputs());
  all.resize(rows * columns);
  Block names;
  std::size_t done = 0;
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    const bool whole = block.size() == columns;
    if (!whole) part.resize(rows * block.size());
    Results &own = whole ? all : part;
    if (Status ok = targets.align(letters, block, own.columns(), {first_query, done + 1}); !ok) return ok;
    for (std::size_t q = 0; q < rows && !whole; ++q) all.copy(part, q * block.size(), block.size(), q * columns + done);
    done += block.size();
    for (std::size_t t = 0; t < block.size(); ++t) names.add({block.name(t), {}});
    return Ok{};
  });
  if (!aligned) return aligned;
  for (std::size_t q = 0; q < rows; ++q) {
    for (std::size_t t = 0; t < columns; ++t) all.write(job.output, queries.name(q), names.name(t), q * columns + t);
    if (interrupted()) return interrupted_error();
  }
  return job.output.flush();
}

// Queries of a block: as many as their results fit in memory.
std::size_t all_rows(const AlignJob &job, const AllTargets &targets) {
  const bool names_fit = targets.name_bytes() + targets.count() * Block::kPerRecord <= job.shares.scores;
  const std::size_t room = job.shares.scores / 2 / Results::bytes_each(job.aligner.outputs());
  return names_fit ? room / std::max<std::size_t>(targets.count(), 1) : 1;
}

}  // namespace

Status AlignJob::run_all() {
  AllTargets all(*this);
  if (Status ok = all.survey(); !ok) return ok;
  const bool best = top > 0 || worst;
  const Result<std::size_t> rows = best ? best_rows(*this, all) : Result<std::size_t>(all_rows(*this, all));
  if (!rows) return rows.error();
  const std::size_t per_block = std::clamp<std::size_t>(*rows, 1, kQueriesPerBlock);
  Block block;
  std::uint64_t first = 1;  // record number of the block's first query
  while (!queries.exhausted()) {
    block.clear();
    if (Status ok = queries.fill(block, per_block, shares.block); !ok) return ok;
    if (block.empty()) break;
    progress.begin_part(std::uint64_t{block.size()} * all.count(), queries.share_read());
    const Status ok = best                ? align_best(*this, block, first, all)
                      : block.size() == 1 ? align_query(*this, block, 0, first, all)
                                          : align_queries(*this, block, first, all);
    if (!ok) return ok;
    first += block.size();
  }
  return Ok{};
}

void AlignJob::account(const Report &report) {
  totals.pairs += report.pairs;
  totals.cells += report.cells;
  totals.promoted += report.promoted;
  totals.batch_seconds += report.seconds;
  totals.kernels.insert(report.kernels.begin(), report.kernels.end());
  for (const DeviceShare &share : report.devices) totals.devices.insert(share.id);
  warnings.print(report.notes);
}

Error AlignJob::located(const Error &error, std::uint64_t first_query, std::uint64_t first_target) const {
  const bool of_sequences = error.message.starts_with("pair ") || error.message.starts_with("query ") ||
                            error.message.starts_with("target ") || error.message.starts_with("a batch ");
  if (!of_sequences) return error;
  return Error{fmt::format("{} from record {} and {} from record {}: {}", queries.label(), first_query, targets.label(),
                           first_target, error.message),
               error.exit_code};
}

Options AlignJob::call_options() {
  Options out = options;
  const std::uint64_t before = totals.pairs;
  out.progress = [this, before](std::uint64_t done) { progress.update(before + done); };
  return out;
}

}  // namespace alnsmith::tool
