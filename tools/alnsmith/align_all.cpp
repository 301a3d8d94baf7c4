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

// As many targets from `begin` on as their results with one query fit in memory; one at least.
std::size_t targets_that_fit(const AlignJob &job, std::size_t query_letters, const Block &targets, std::size_t begin) {
  std::size_t end = begin;
  for (std::size_t bytes = 0; end < targets.size(); ++end) {
    bytes += job.strands.each() * (bytes_each(job.aligner.outputs()) +
                                   cigar_bytes(job.aligner.outputs(), query_letters + targets.letters(end).size()));
    if (bytes > job.shares.scores) break;
  }
  return std::max<std::size_t>(end - begin, 1);
}

// A pair of queries[q] and targets[t], whose results come later. `first_query` is the record number of queries[0].
formats::AlignedPair pair_of(const Block &queries, std::size_t q, std::uint64_t first_query, const Block &targets,
                             std::size_t t) {
  formats::AlignedPair pair;
  pair.query_number = first_query + q;
  pair.query_name = queries.name(q);
  pair.target_name = targets.name(t);
  pair.target = targets.letters(t);
  return pair;
}

// One query: results leave as they come.
Status align_query(AlignJob &job, const Block &queries, std::size_t q, std::uint64_t first_query, AllTargets &targets) {
  const std::size_t length = queries.letters(q).size();
  StrandResults results(job.aligner.outputs(), job.strands);
  std::size_t before = 0;  // targets of earlier blocks
  return targets.each_block([&](const Block &block) -> Status {
    for (std::size_t begin = 0, n = 0; begin < block.size(); begin += n) {
      n = targets_that_fit(job, length, block, begin);
      results.resize(n);
      const Place first{first_query + q, before + begin + 1};
      for (job.pass = 0; job.pass < job.strands.each(); ++job.pass) {
        const auto query = job.strands.views(queries, job.strands.wanted()[job.pass], q, 1);
        const Columns columns = results.columns(job.pass);
        const Status ok = n == block.size() ? targets.align(query, block, columns, first)
                                            : targets.align_views(query, block.views(begin, n), columns, first);
        if (!ok) return ok;
      }
      for (std::size_t t = begin; t < begin + n; ++t)
        if (Status written = results.write(job.rows, pair_of(queries, q, first_query, block, t), queries, q, t - begin);
            !written)
          return written;
    }
    before += block.size();
    return job.rows.flush();
  });
}

// Several queries: their results against all targets are kept, then written query by query. CIGARs are for targets
// that are in memory alone (all_rows), as their letters are needed again.
Status align_queries(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  const std::size_t rows = queries.size(), columns = targets.count();
  StrandResults all(job.aligner.outputs(), job.strands);
  Results part(job.aligner.outputs());
  all.resize(rows * columns);
  Block names;
  std::size_t done = 0;
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    const bool whole = block.size() == columns;
    if (!whole) part.resize(rows * block.size());
    for (job.pass = 0; job.pass < job.strands.each(); ++job.pass) {
      const auto letters = job.strands.views(queries, job.strands.wanted()[job.pass], 0, rows);
      Results &own = whole ? all.of(job.pass) : part;
      if (Status ok = targets.align(letters, block, own.columns(), {first_query, done + 1}); !ok) return ok;
      for (std::size_t q = 0; q < rows && !whole; ++q)
        all.of(job.pass).copy(part, q * block.size(), block.size(), q * columns + done);
    }
    done += block.size();
    for (std::size_t t = 0; t < block.size() && !targets.resident(); ++t) names.add({block.name(t), {}});
    return Ok{};
  });
  if (!aligned) return aligned;
  const Block &written = targets.resident() ? *targets.resident() : names;
  for (std::size_t q = 0; q < rows; ++q) {
    for (std::size_t t = 0; t < columns; ++t)
      if (Status ok = all.write(job.rows, pair_of(queries, q, first_query, written, t), queries, q, q * columns + t);
          !ok)
        return ok;
    if (interrupted()) return interrupted_error();
  }
  return job.rows.flush();
}

// Queries of a block: as many as their results, but for CIGARs, fit in memory.
std::size_t all_rows(const AlignJob &job, const AllTargets &targets) {
  if (job.cigars() && !targets.resident()) return 1;
  const bool names_fit = targets.name_bytes() + targets.count() * Block::kPerRecord <= job.shares.scores;
  const std::size_t room = job.shares.scores / 2 / job.strands.each() / bytes_each(job.aligner.outputs());
  return names_fit || targets.resident() ? room / std::max<std::size_t>(targets.count(), 1) : 1;
}

// The first queries of a block whose CIGARs with all targets fit in memory; one at least.
std::size_t queries_that_fit(const AlignJob &job, const AllTargets &targets, const Block &block) {
  std::size_t n = 0;
  for (std::size_t bytes = 0; n < block.size(); ++n) {
    bytes += job.strands.each() *
             cigar_bytes(job.aligner.outputs(), targets.count() * block.letters(n).size() + targets.letters());
    if (bytes > job.shares.scores) break;
  }
  return std::max<std::size_t>(n, 1);
}

}  // namespace

Status AlignJob::run_all() {
  const bool best = top > 0 || worst;
  AllTargets all(*this, best ? searcher : aligner);
  if (Status ok = all.survey(); !ok) return ok;
  const Result<std::size_t> fit = best ? best_rows(*this, all) : Result<std::size_t>(all_rows(*this, all));
  if (!fit) return fit.error();
  const std::size_t per_block = std::clamp<std::size_t>(*fit, 1, kQueriesPerBlock);
  Block block;
  Block rest;               // of its queries, for the next one
  std::uint64_t first = 1;  // record number of the block's first query
  if (Status ok = rows.begin(); !ok) return ok;
  for (;;) {
    std::swap(block, rest);
    rest.clear();
    if (Status ok = queries.fill(block, per_block, shares.block); !ok) return ok;
    if (block.empty()) break;
    if (const std::size_t n = best ? block.size() : queries_that_fit(*this, all, block); n < block.size())
      block.move_tail(n, rest);
    strands.take(block);
    progress.begin_part(std::uint64_t{block.size()} * all.count(), queries.share_read());
    const Status ok = best                ? align_best(*this, block, first, all)
                      : block.size() == 1 ? align_query(*this, block, 0, first, all)
                                          : align_queries(*this, block, first, all);
    if (!ok) return ok;
    first += block.size();
  }
  return rows.end();
}

void AlignJob::account(const Report &report, bool again) {
  totals.add(report, !again && pass + 1 == strands.each());
  warnings.print(report.warnings);
}

Error AlignJob::located(const Error &error, std::uint64_t first_query, std::uint64_t first_target) const {
  const bool of_sequences = error.message.starts_with("pair ") || error.message.starts_with("query ") ||
                            error.message.starts_with("target ") || error.message.starts_with("a batch ");
  if (!of_sequences) return error;
  return Error{fmt::format("{} from record {} and {} from record {}: {}", queries.label(), first_query, targets.label(),
                           first_target, error.message),
               error.exit_code};
}

Options AlignJob::call_options(std::uint64_t pairs) {
  Options out = options;
  const std::uint64_t before = totals.pairs, each = strands.each(), passed = pass * pairs;
  out.progress = [this, before, each, passed](std::uint64_t done) { progress.update(before + (passed + done) / each); };
  return out;
}

}  // namespace alnsmith::tool
