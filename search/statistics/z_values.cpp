// z-values of hits from shuffled targets: see alnsmith/statistics.hpp.
#include <algorithm>
#include <cmath>
#include <string>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/statistics.hpp"
#include "random.h"

namespace alnsmith::search {
namespace {

constexpr std::size_t kShuffledLetters = std::size_t{32} << 20;  // of shuffled targets: what a call is given at a time

std::uint64_t hash_of(std::string_view letters) {
  std::uint64_t hash = letters.size();
  for (const char letter : letters) hash = mixed(hash, static_cast<unsigned char>(letter));
  return hash;
}

// Sums from the first score on, so that they stay small.
struct Moments {
  std::int64_t count = 0, origin = 0, sum = 0, squares = 0;
  void add(std::int64_t score) {
    if (count == 0) origin = score;
    score -= origin;
    ++count;
    sum += score;
    squares += score * score;
  }
  // (score - mean) / standard deviation.
  std::optional<double> z(std::int64_t score) const {
    const auto n = static_cast<double>(count), total = static_cast<double>(sum);
    const double spread = n * static_cast<double>(squares) - total * total;
    if (!(spread > 0)) return std::nullopt;
    return (static_cast<double>(score - origin) - total / n) / std::sqrt(spread / (n * (n - 1)));
  }
};

}  // namespace

Result<std::vector<std::optional<double>>> z_values(std::span<const ShuffledHit> hits, int shuffles, bool minimize,
                                                    const Aligner &aligner, const Options &options) {
  if (shuffles < 2)
    return Error{
        "z-values from " + std::to_string(shuffles) + " shuffles: two at least have a deviation; take 100 or more", 2};
  std::vector<std::optional<double>> out(hits.size());
  std::vector<Moments> moments(hits.size());
  std::vector<Random> random;
  for (const ShuffledHit &hit : hits) random.emplace_back(mixed(hash_of(hit.query), hit.target_number));

  std::vector<std::string> letters;
  std::vector<std::string_view> queries, targets;
  std::vector<std::size_t> owner;
  std::vector<std::int32_t> scores;
  std::size_t held = 0;
  const auto flush = [&]() -> Status {
    targets.assign(letters.begin(), letters.end());
    scores.assign(letters.size(), 0);
    if (!letters.empty())
      if (const Result<Report> done = aligner.align_pairs(queries, targets, scores, options); !done)
        return done.error();
    for (std::size_t i = 0; i < owner.size(); ++i) moments[owner[i]].add(scores[i]);
    letters.clear();
    queries.clear();
    owner.clear();
    held = 0;
    return Ok{};
  };
  for (std::size_t i = 0; i < hits.size(); ++i)
    for (int n = 0; n < shuffles; ++n) {
      letters.emplace_back(hits[i].target);
      shuffle(random[i], letters.back());
      queries.push_back(hits[i].query);
      owner.push_back(i);
      held += hits[i].target.size();
      if (held >= kShuffledLetters)
        if (Status ok = flush(); !ok) return ok.error();
    }
  if (Status ok = flush(); !ok) return ok.error();
  for (std::size_t i = 0; i < hits.size(); ++i) {
    out[i] = moments[i].z(hits[i].score);
    if (out[i] && minimize) *out[i] = -*out[i];
  }
  return out;
}

}  // namespace alnsmith::search
