// `align --all`: each query with each target, query by query in the output; the pairs are never materialised.
//
// Targets stay in memory if they fit their share; else a regular file is read again for every block of queries.
// A block holds as many queries as their scores against all targets fit in memory; one query at least, whose
// scores are then written chunk by chunk.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "align_job.h"
#include "common/interrupt.h"

namespace alnsmith::tool {
namespace {

constexpr std::size_t kQueriesPerBlock = std::size_t{1} << 12;
constexpr std::size_t kNoLimit = ~std::size_t{0};

// All targets, however they are kept: calls `use(block)` for consecutive blocks.
class Targets {
 public:
  explicit Targets(AlignJob &job) : job_(job) {}

  // Loads them, or learns that they do not fit and what they amount to.
  Status survey() {
    if (Status ok = job_.targets.fill(kept_, kNoLimit, job_.shares.resident); !ok) return ok;
    count_ = kept_.size();
    name_bytes_ = names_of(kept_);
    if (job_.targets.exhausted()) return Ok{};
    if (!job_.targets.can_reopen())
      return Error{
          fmt::format("{}: the targets need more than {} bytes of memory and cannot be read twice: "
                      "give them as a file, or raise --memory",
                      job_.targets.label(), job_.shares.resident)};
    resident_ = false;
    while (!job_.targets.exhausted()) {
      kept_.clear();
      if (Status ok = job_.targets.fill(kept_, kNoLimit, job_.shares.resident); !ok) return ok;
      count_ += kept_.size();
      name_bytes_ += names_of(kept_);
    }
    kept_.clear();
    return Ok{};
  }

  // For a call that takes all of `block`: devices keep targets that stay in memory. Null: on the CPU, or they do not.
  Result<const Prepared *> prepared(const Block &block) {
    if (!resident_ || job_.options.devices.empty() || &block != &kept_) return nullptr;
    if (!prepared_) {
      Result<Prepared> made = job_.aligner.prepare(kept_.views(), job_.options);
      if (!made) return made.error();
      prepared_.emplace(std::move(*made));
    }
    return &*prepared_;
  }

  std::size_t count() const { return count_; }
  std::size_t name_bytes() const { return name_bytes_; }

  template <class Use>
  Status each_block(Use use) {
    if (resident_) return use(kept_);
    Result<Input> again = job_.targets.reopened();
    if (!again) return again.error();
    std::size_t seen = 0;
    while (!again->exhausted()) {
      kept_.clear();
      if (Status ok = again->fill(kept_, kNoLimit, job_.shares.resident); !ok) return ok;
      seen += kept_.size();
      if (seen > count_) break;
      if (kept_.empty()) continue;
      if (Status ok = use(kept_); !ok) return ok;
    }
    if (seen != count_) return Error{fmt::format("{}: changed while it was read", job_.targets.label())};
    return Ok{};
  }

 private:
  static std::size_t names_of(const Block &block) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < block.size(); ++i) sum += block.name(i).size() + sizeof(std::size_t);
    return sum;
  }

  AlignJob &job_;
  Block kept_;
  std::optional<Prepared> prepared_;  // of kept_
  bool resident_ = true;
  std::size_t count_ = 0, name_bytes_ = 0;
};

struct Place {
  std::uint64_t query, target;  // record numbers of the first of each
};

// `targets` of a block: views, or all of it prepared.
template <class SomeTargets>
Status call(AlignJob &job, std::span<const std::string_view> queries, const SomeTargets &targets, Results &results,
            Place first) {
  const Result<Report> report =
      job.aligner.align_all(queries, targets, results.scores(), job.call_options(), results.ends());
  if (interrupted()) return interrupted_error();
  if (!report) return job.located(report.error(), first.query, first.target);
  job.account(*report);
  return Ok{};
}

Status call_with_block(AlignJob &job, std::span<const std::string_view> queries, const Block &block, Targets &targets,
                       Results &results, Place first) {
  const Result<const Prepared *> prepared = targets.prepared(block);
  if (!prepared) return prepared.error();
  if (*prepared) return call(job, queries, **prepared, results, first);
  return call(job, queries, block.views(), results, first);
}

// One query: results leave as they come.
Status align_query(AlignJob &job, const Block &queries, std::size_t q, std::uint64_t first_query, Targets &targets) {
  const std::vector<std::string_view> query = queries.views(q, 1);
  const std::size_t chunk = std::max<std::size_t>(1, job.shares.scores / Results::bytes_each(job.aligner.has_ends()));
  Results results(job.aligner.has_ends());
  std::size_t before = 0;  // targets of earlier blocks
  return targets.each_block([&](const Block &block) -> Status {
    for (std::size_t begin = 0; begin < block.size(); begin += chunk) {
      const std::size_t n = std::min(chunk, block.size() - begin);
      results.resize(n);
      const Place first{first_query + q, before + begin + 1};
      const Status ok = n == block.size() ? call_with_block(job, query, block, targets, results, first)
                                          : call(job, query, block.views(begin, n), results, first);
      if (!ok) return ok;
      for (std::size_t t = 0; t < n; ++t) results.write(job.output, queries.name(q), block.name(begin + t), t);
    }
    before += block.size();
    return job.output.flush();
  });
}

// Several queries: their results against all targets are kept, then written query by query.
Status align_queries(AlignJob &job, const Block &queries, std::uint64_t first_query, Targets &targets) {
  const std::size_t rows = queries.size(), columns = targets.count();
  const std::vector<std::string_view> letters = queries.views();
  Results all(job.aligner.has_ends()), part(job.aligner.has_ends());
  all.resize(rows * columns);
  Block names;
  std::size_t done = 0;
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    const bool whole = block.size() == columns;
    if (!whole) part.resize(rows * block.size());
    if (Status ok = call_with_block(job, letters, block, targets, whole ? all : part, {first_query, done + 1}); !ok)
      return ok;
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

}  // namespace

Status AlignJob::run_all() {
  Targets all(*this);
  if (Status ok = all.survey(); !ok) return ok;
  const bool names_fit = all.name_bytes() + all.count() * Block::kPerRecord <= shares.scores;
  const std::size_t rows = names_fit ? shares.scores / 2 / Results::bytes_each(aligner.has_ends()) / all.count() : 1;
  const std::size_t per_block = std::clamp<std::size_t>(rows, 1, kQueriesPerBlock);
  Block block;
  std::uint64_t first = 1;  // record number of the block's first query
  while (!queries.exhausted()) {
    block.clear();
    if (Status ok = queries.fill(block, per_block, shares.block); !ok) return ok;
    if (block.empty()) break;
    const Status ok =
        block.size() == 1 ? align_query(*this, block, 0, first, all) : align_queries(*this, block, first, all);
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
