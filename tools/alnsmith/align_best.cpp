// `align --all` with --top or --min-score: the runtime's sinks keep what is asked for, and only that takes memory.
//
// --top: the best targets of a query, the best first. --min-score alone: all targets that reach it, in input order.
// Where more than scores and ends is asked for, these are found by their scores and aligned once more.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
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
  Strand strand = Strand::plus;
};

// The target of a hit, once its block is gone. Letters: where they are needed again.
struct OwnTarget {
  std::string name, letters;
};

// Whether hits are aligned once more.
bool aligned_again(const AlignJob &job) { return job.aligner.outputs().contains(alnsmith::kBegins.query); }

// Targets that stay in memory keep their letters there.
bool keeps_letters(const AlignJob &job, const AllTargets &targets) { return aligned_again(job) && !targets.resident(); }

// That the target of a hit takes, about: in the table of those so far, and in the next one while that is made.
std::size_t bytes_of_target(std::size_t longest) { return std::max<std::size_t>(160, 96 + 2 * longest); }

Selection selection_of(const AlignJob &job) {
  return {job.worst, aligned_again(job) ? OutputSet{alnsmith::Output::score} : OutputSet{}};
}

// Aligns pairs once more and writes them. `pairs` have no results yet.
Status align_again(AlignJob &job, std::span<const formats::AlignedPair> pairs) {
  Options options = job.options;
  Results results(job.aligner.outputs());
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    std::vector<std::string_view> queries, targets;
    for (std::size_t bytes = 0; end < pairs.size(); ++end) {
      const formats::AlignedPair &pair = pairs[end];
      bytes += bytes_each(job.aligner.outputs()) + 2 * sizeof(std::string_view) +
               cigar_bytes(job.aligner.outputs(), pair.query.size() + pair.target.size());
      if (bytes > job.shares.scores && end > begin) break;
      queries.push_back(pair.query);
      targets.push_back(pair.target);
    }
    results.resize(end - begin);
    const Result<Report> report = job.aligner.align_pairs(queries, targets, results.columns(), options);
    if (interrupted()) return interrupted_error();
    if (!report) return report.error();
    job.account(*report, true);
    for (std::size_t i = begin; i < end; ++i)
      if (Status ok = results.write(job.rows, pairs[i], i - begin); !ok) return ok;
  }
  return job.rows.flush();
}

// Writes hits in their order. `target(index)`: a pair with the name and the letters of a target alone.
template <class Target>
Status write_hits(AlignJob &job, const Block &queries, std::uint64_t first_query, const std::vector<Kept> &hits,
                  Target target) {
  std::vector<formats::AlignedPair> pairs;
  for (const Kept &one : hits) {
    const std::size_t q = static_cast<std::size_t>(one.query);
    formats::AlignedPair pair = target(one.hit.target);
    pair.query_number = first_query + one.query;
    pair.query_name = queries.name(q);
    pair.query = job.strands.letters(queries, one.strand, q);
    pair.reverse = one.strand == Strand::minus;
    pair.values = one.hit.values;
    if (aligned_again(job))
      pairs.push_back(pair);
    else if (Status ok = job.rows.row(pair); !ok)
      return ok;
  }
  return aligned_again(job) ? align_again(job, pairs) : job.rows.flush();
}

// Of the hits of both strands with one target the better one stays, in its place; then the first `most` of each query.
void keep_better_strand(const AlignJob &job, std::vector<Kept> &hits, std::size_t most) {
  const auto score = [](const Kept &one) { return one.hit.values[0]; };
  std::stable_sort(hits.begin(), hits.end(), [&](const Kept &a, const Kept &b) {
    if (a.query != b.query) return a.query < b.query;
    if (score(a) != score(b)) return job.strands.better(score(a), score(b));
    return a.hit.target < b.hit.target;
  });
  std::vector<Kept> kept;
  std::unordered_set<std::uint64_t> seen;  // targets of the query
  for (Kept &one : hits) {
    if (kept.empty() || kept.back().query != one.query) seen.clear();
    if (seen.size() < most && seen.insert(one.hit.target).second) kept.push_back(std::move(one));
  }
  hits = std::move(kept);
}

Status align_top(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  std::deque<TopSink> tops;
  for (std::size_t s = 0; s < job.strands.each(); ++s) tops.emplace_back(job.top, selection_of(job));
  std::unordered_map<std::uint64_t, OwnTarget> own;  // of the hits so far
  const bool letters_too = keeps_letters(job, targets);
  std::size_t done = 0;
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    for (job.pass = 0; job.pass < tops.size(); ++job.pass) {
      tops[job.pass].first_target(done);
      const auto letters = job.strands.views(queries, job.strands.wanted()[job.pass], 0, queries.size());
      if (Status ok = targets.align(letters, block, tops[job.pass], {first_query, done + 1}); !ok) return ok;
    }
    std::unordered_map<std::uint64_t, OwnTarget> kept;
    for (TopSink &top : tops)
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
  std::vector<Kept> hits;
  for (std::size_t s = 0; s < tops.size(); ++s)
    for (std::size_t q = 0; q < queries.size(); ++q)
      for (Hit &hit : tops[s].hits(q)) hits.push_back({q, std::move(hit), job.strands.wanted()[s]});
  if (tops.size() > 1) keep_better_strand(job, hits, job.top);
  return write_hits(job, queries, first_query, hits, [&](std::uint64_t index) {
    formats::AlignedPair pair;
    const OwnTarget &target = own[index];
    pair.target_name = target.name;
    pair.target = target.letters;
    if (targets.resident()) pair.target = targets.resident()->letters(static_cast<std::size_t>(index));
    return pair;
  });
}

// Results that reach the score, in input order. Several queries: all of a block are kept until its end.
Status align_reaching(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  const bool alone = queries.size() == 1;
  const std::size_t chunk = std::max<std::size_t>(1, job.shares.scores / 4 / job.strands.each() / sizeof(Kept));
  std::vector<Kept> kept;
  Block names;            // of the targets, where rows are written at the end
  std::size_t first = 0;  // target of the call under way
  StreamSink sink(
      [&](const ResultBlock &results) -> Result<Next> {
        for (std::size_t i = 0; i < results.size(); ++i) {
          Kept one{results.query(i), {first + results.target(i), {}, {}}, job.strands.wanted()[job.pass]};
          for (std::size_t o = 0; o < kOutputCount; ++o)
            if (!results.column[o].empty()) one.hit.values[o] = results.column[o][i];
          kept.push_back(std::move(one));
        }
        return Next::more;
      },
      selection_of(job));
  // `block`: where the targets are, the first of them that of index `before`.
  const auto write = [&](const Block &block, std::size_t before) -> Status {
    if (job.strands.each() > 1) keep_better_strand(job, kept, kept.size());
    std::sort(kept.begin(), kept.end(), [](const Kept &a, const Kept &b) {
      return std::pair(a.query, a.hit.target) < std::pair(b.query, b.hit.target);
    });
    const Status written = write_hits(job, queries, first_query, kept, [&](std::uint64_t index) {
      formats::AlignedPair pair;
      pair.target_name = block.name(static_cast<std::size_t>(index) - before);
      pair.target = block.letters(static_cast<std::size_t>(index) - before);
      return pair;
    });
    kept.clear();
    return written;
  };
  std::size_t done = 0;  // targets of earlier blocks
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    for (std::size_t begin = 0; begin < block.size(); begin += alone ? chunk : block.size()) {
      const std::size_t n = alone ? std::min(chunk, block.size() - begin) : block.size();
      first = done + begin;
      const Place place{first_query, first + 1};
      for (job.pass = 0; job.pass < job.strands.each(); ++job.pass) {
        const auto letters = job.strands.views(queries, job.strands.wanted()[job.pass], 0, queries.size());
        const Status ok = n == block.size() ? targets.align(letters, block, sink, place)
                                            : targets.align_views(letters, block.views(begin, n), sink, place);
        if (!ok) return ok;
      }
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
  const std::size_t pair = aligned_again(job) ? sizeof(formats::AlignedPair) : 0;
  const std::size_t kept = job.strands.each() * sizeof(Kept);
  if (job.top == 0) {
    if (keeps_letters(job, targets)) return 1;  // each query's are written while its targets are there
    const bool names_fit = targets.name_bytes() + targets.count() * Block::kPerRecord <= job.shares.scores;
    return names_fit || targets.resident()
               ? job.shares.scores / 2 / (kept + pair) / std::max<std::size_t>(targets.count(), 1)
               : 1;
  }
  const std::size_t hits = std::min(job.top, targets.count());
  const std::size_t longest = targets.longest_name() + (keeps_letters(job, targets) ? targets.longest() : 0);
  const std::size_t room =
      job.shares.scores / (job.strands.each() * (sizeof(Hit) + bytes_of_target(longest)) + kept + pair);
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
