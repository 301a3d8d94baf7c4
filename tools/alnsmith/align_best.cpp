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

// That the name of a hit takes, about: in the table of those so far, and in the next one while that is made.
std::size_t bytes_of_name(std::size_t longest) { return std::max<std::size_t>(128, 64 + 2 * longest); }

Status align_top(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  TopSink top(job.top, {job.worst, {}});
  const std::vector<std::string_view> letters = queries.views();
  std::unordered_map<std::uint64_t, std::string> names;  // of the hits so far
  std::size_t done = 0;
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    top.first_target(done);
    if (Status ok = targets.align(letters, block, top, {first_query, done + 1}); !ok) return ok;
    std::unordered_map<std::uint64_t, std::string> kept;
    for (std::size_t q = 0; q < queries.size(); ++q)
      for (const Hit &hit : top.hits(q))
        kept.try_emplace(hit.target, hit.target < done ? std::string_view(names[hit.target])
                                                       : block.name(static_cast<std::size_t>(hit.target) - done));
    names = std::move(kept);
    done += block.size();
    return Ok{};
  });
  if (!aligned) return aligned;
  for (std::size_t q = 0; q < queries.size(); ++q)
    for (const Hit &hit : top.hits(q))
      write_row(job.output, queries.name(q), names[hit.target], job.aligner.outputs(), hit.values);
  return job.output.flush();
}

// Results that reach the score, in input order. Several queries: all of a block are kept until its end.
Status align_reaching(AlignJob &job, const Block &queries, std::uint64_t first_query, AllTargets &targets) {
  const std::vector<std::string_view> letters = queries.views();
  const bool alone = queries.size() == 1;
  const std::size_t chunk = std::max<std::size_t>(1, job.shares.scores / 2 / sizeof(Kept));
  std::vector<Kept> kept;
  std::vector<std::string> names;  // of the targets, where rows are written at the end
  std::size_t first = 0;           // target of the call under way
  StreamSink sink(
      [&](const ResultBlock &results) -> Result<Next> {
        for (std::size_t i = 0; i < results.size(); ++i) {
          Kept one{results.query(i), {first + results.target(i), {}}};
          for (std::size_t o = 0; o < kOutputCount; ++o)
            if (!results.column[o].empty()) one.hit.values[o] = results.column[o][i];
          kept.push_back(one);
        }
        return Next::more;
      },
      {job.worst, {}});
  const auto write = [&](auto &&name) -> Status {
    std::sort(kept.begin(), kept.end(), [](const Kept &a, const Kept &b) {
      return std::pair(a.query, a.hit.target) < std::pair(b.query, b.hit.target);
    });
    for (const Kept &one : kept)
      write_row(job.output, queries.name(static_cast<std::size_t>(one.query)), name(one.hit.target),
                job.aligner.outputs(), one.hit.values);
    kept.clear();
    return job.output.flush();
  };
  std::size_t done = 0;  // targets of earlier blocks
  const Status aligned = targets.each_block([&](const Block &block) -> Status {
    for (std::size_t begin = 0; begin < block.size(); begin += alone ? chunk : block.size()) {
      const std::size_t n = alone ? std::min(chunk, block.size() - begin) : block.size();
      first = done + begin;
      const Place place{first_query, first + 1};
      const Status ok = n == block.size() ? targets.align(letters, block, sink, place)
                                          : targets.align_views(letters, block.views(begin, n), sink, place);
      if (!ok) return ok;
      if (!alone) continue;
      const auto name = [&](std::uint64_t target) { return block.name(static_cast<std::size_t>(target) - done); };
      if (Status written = write(name); !written) return written;
    }
    for (std::size_t t = 0; t < block.size() && !alone; ++t) names.emplace_back(block.name(t));
    done += block.size();
    return Ok{};
  });
  if (!aligned || alone) return aligned;
  return write([&](std::uint64_t target) { return std::string_view(names[static_cast<std::size_t>(target)]); });
}

}  // namespace

Result<std::size_t> best_rows(const AlignJob &job, const AllTargets &targets) {
  if (job.top == 0) {
    const bool names_fit =
        targets.name_bytes() + targets.count() * (Block::kPerRecord + sizeof(std::string)) <= job.shares.scores;
    return names_fit ? job.shares.scores / 2 / sizeof(Kept) / std::max<std::size_t>(targets.count(), 1) : 1;
  }
  const std::size_t hits = std::min(job.top, targets.count());
  const std::size_t room = job.shares.scores / (sizeof(Hit) + bytes_of_name(targets.longest_name()));
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
