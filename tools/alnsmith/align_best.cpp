// `align --all` with --top or --min-score: the runtime's sinks keep what is asked for, and only that takes memory.
//
// --top: the best targets of a query, the best first. --min-score alone: all targets that reach it, in input order.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "all_targets.h"
#include "alnsmith/sinks.hpp"
#include "results.h"

namespace alnsmith::tool {
namespace {

// A hit and its query, for hits that are not kept query by query.
struct Kept {
  std::uint64_t query;
  Hit hit;
};

// The target of a hit, once its block is gone. Letters: where they are printed.
struct OwnTarget {
  std::string name, letters;
};

// Targets that stay in memory keep their letters there.
bool keeps_letters(const AlignJob &job, const AllTargets &targets) { return job.cigars() && !targets.resident(); }

// That the target of a hit takes, about: in the table of those so far, and in the next one while that is made.
std::size_t bytes_of_target(std::size_t longest) { return std::max<std::size_t>(160, 96 + 2 * longest); }

Status align_top(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  TopSink top(job.top, {job.worst, {}});
  const std::vector<std::string_view> letters = queries.views();
  std::unordered_map<std::uint64_t, OwnTarget> own;  // of the hits so far
  const bool letters_too = keeps_letters(job, targets);
  std::size_t done = 0;
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    top.first_target(done);
    if (Status ok = targets.align(letters, block, top, {first_query, done + 1}); !ok) return ok;
    std::unordered_map<std::uint64_t, OwnTarget> kept;
    for (std::size_t q = 0; q < queries.size(); ++q)
      for (const Hit &hit : top.hits(q)) {
        if (kept.contains(hit.target)) continue;
        if (hit.target < done) {
          kept[hit.target] = std::move(own[hit.target]);
          continue;
        }
        const std::size_t t = static_cast<std::size_t>(hit.target) - done;
        kept[hit.target] = {std::string(block.name(t)), std::string(letters_too ? block.letters(t) : "")};
      }
    own = std::move(kept);
    done += block.size();
    return Ok{};
  });
  if (!aligned) return aligned;
  for (std::size_t q = 0; q < queries.size(); ++q)
    for (const Hit &hit : top.hits(q)) {
      const OwnTarget &target = own[hit.target];
      const std::string_view read = targets.resident()
                                        ? targets.resident()->letters(static_cast<std::size_t>(hit.target))
                                        : std::string_view(target.letters);
      const Status ok = job.rows.row(
          {first_query + q, queries.name(q), queries.letters(q), target.name, read, hit.values, hit.cigar});
      if (!ok) return ok;
    }
  return job.rows.flush();
}

// Results that reach the score, in input order. Several queries: all of a block are kept until its end.
Status align_reaching(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  const std::vector<std::string_view> letters = queries.views();
  const bool alone = queries.size() == 1;
  std::vector<Kept> kept;
  Block names;            // of the targets, where rows are written at the end
  std::size_t first = 0;  // target of the call under way
  StreamSink sink(
      [&](const ResultBlock &results) -> Result<Next> {
        for (std::size_t i = 0; i < results.size(); ++i) {
          Kept one{results.query(i), {first + results.target(i), {}, {}}};
          for (std::size_t o = 0; o < kOutputCount; ++o)
            if (!results.column[o].empty()) one.hit.values[o] = results.column[o][i];
          const auto cigar = results.cigar(i);
          one.hit.cigar.assign(cigar.begin(), cigar.end());
          kept.push_back(std::move(one));
        }
        return Next::more;
      },
      {job.worst, {}});
  // `block`: where the targets are, the first of them that of index `before`.
  const auto write = [&](const Block &block, std::size_t before) -> Status {
    std::sort(kept.begin(), kept.end(), [](const Kept &a, const Kept &b) {
      return std::pair(a.query, a.hit.target) < std::pair(b.query, b.hit.target);
    });
    for (const Kept &one : kept) {
      formats::AlignedPair pair = pair_of(queries, static_cast<std::size_t>(one.query), first_query, block,
                                          static_cast<std::size_t>(one.hit.target) - before);
      pair.values = one.hit.values;
      pair.cigar = one.hit.cigar;
      if (Status ok = job.rows.row(pair); !ok) return ok;
    }
    kept.clear();
    return job.rows.flush();
  };
  std::size_t done = 0;  // targets of earlier blocks
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    for (std::size_t begin = 0, n = 0; begin < block.size(); begin += n) {
      n = alone ? targets_that_fit(job, 2 * sizeof(Kept), queries.letters(0).size(), block, begin) : block.size();
      first = done + begin;
      const Place place{first_query, first + 1};
      const Status ok = n == block.size() ? targets.align(letters, block, sink, place)
                                          : targets.align_views(letters, block.views(begin, n), sink, place);
      if (!ok) return ok;
      if (!alone) continue;
      if (Status written = write(block, done); !written) return written;
    }
    for (std::size_t t = 0; t < block.size() && !alone && !targets.resident(); ++t) names.add({block.name(t), {}});
    done += block.size();
    return Ok{};
  });
  if (!aligned || alone) return aligned;
  return write(targets.resident() ? *targets.resident() : names, 0);
}

}  // namespace

Result<std::size_t> best_rows(const AlignJob &job, const AllTargets &targets) {
  if (job.top == 0) {
    if (keeps_letters(job, targets)) return 1;  // each query's are written while its targets are there
    const bool names_fit = targets.name_bytes() + targets.count() * Block::kPerRecord <= job.shares.scores;
    return names_fit || targets.resident()
               ? job.shares.scores / 2 / sizeof(Kept) / std::max<std::size_t>(targets.count(), 1)
               : 1;
  }
  const std::size_t hits = std::min(job.top, targets.count());
  const std::size_t longest = targets.longest_name() + (keeps_letters(job, targets) ? targets.longest() : 0);
  const std::size_t room = job.shares.scores / (sizeof(Hit) + bytes_of_target(longest));
  if (hits > room)
    return Error{
        fmt::format("--top {}: the memory holds {} hits of a query: ask for fewer, or raise --memory", job.top, room)};
  return room / std::max<std::size_t>(hits, 1);
}

Status align_best(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  return job.top > 0 ? align_top(job, queries, first_query, targets)
                     : align_reaching(job, queries, first_query, targets);
}

}  // namespace alnsmith::tool
