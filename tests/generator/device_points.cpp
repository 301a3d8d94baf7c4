// See device_points.h.
#include "device_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../mutated.h"
#include "random_letters.h"

namespace device_points {

using namespace alnsmith;

std::string with_choice(std::string yaml, const Choice &c) {
  const std::size_t tile = yaml.find("tile:");
  if (tile != std::string::npos) yaml.erase(tile, yaml.find('\n', tile) - tile + 1);
  if (yaml.back() != '\n') yaml += '\n';
  return yaml + "arithmetic: " + c.arithmetic + "\nmapping: " + c.mapping + "\ntile: {p: " + std::to_string(c.p) +
         ", k: " + std::to_string(c.k) + "}\n";
}

std::vector<Pair> make_pairs(std::mt19937 &random, const std::string &letters, Kind kind,
                             const plan::KernelPlan &kernel) {
  const std::size_t items = 1 + random() % static_cast<unsigned>(3 * kernel.lanes / kernel.p);
  std::size_t count = items * static_cast<std::size_t>(kernel.packing);
  if (kernel.form != Form::shared_profile) count -= random() % static_cast<unsigned>(kernel.packing);
  if (kind == Kind::long_) count = std::min<std::size_t>(count, 4);
  std::vector<Pair> pairs;
  const std::size_t width = static_cast<std::size_t>(kernel.p * kernel.k);
  const auto query_length = [&]() -> std::size_t {
    switch (kind) {
      case Kind::extremes:
        return random() % 2 ? 1 : width;
      case Kind::level:
        return 24;
      case Kind::long_:
        return width * 2 + 1 + random() % (width + 1);
      default:
        return 1 + random() % 40;
    }
  };
  const std::size_t shared = static_cast<std::size_t>(kernel.queries());
  std::vector<std::string> queries;
  for (std::size_t h = 0; h < shared; ++h) queries.push_back(random_text(random, letters, query_length()));
  std::string target;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string query = shared > 0 ? queries[i % shared] : random_text(random, letters, query_length());
    if (shared == 0 || i % shared == 0) {
      switch (kind) {
        case Kind::extremes:
          target = random() % 2 ? std::string(1, letters.back()) : random_text(random, letters, 1 + random() % 3);
          break;
        case Kind::level:
          target = mutated(random, letters, query + query, 16).substr(0, 24);
          break;
        case Kind::ragged:
          target = random_text(random, letters, 1 + random() % 70);
          break;
        default:
          target = mutated(random, letters, query, 16);
      }
    }
    pairs.emplace_back(query, target);
  }
  return pairs;
}

rt::kernels::Values predicate_values(const lanes::Scoring &scoring, const Pair &pair) {
  rt::kernels::Values v{};
  for (std::size_t i = 0; i < ALN_SCORING_COUNT; ++i) v[i] = scoring.values[i];
  return rt::kernels::with_lengths(v, static_cast<std::int64_t>(pair.first.size()),
                                   static_cast<std::int64_t>(pair.second.size()));
}

void check(const grid::Case &c, const spec::Spec &spec, const rt::kernels::Predicate &exact,
           const lanes::Scoring &scoring, std::span<const Pair> pairs, const devices::Batch &batch, const char *what) {
  const int sign = spec.objective == spec::Objective::minimize ? -1 : 1;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool sure = exact.holds(predicate_values(scoring, pairs[i]));
    if (batch.status[i] != 0) {
      ASSERT_EQ(batch.status[i], 1) << what;
      ASSERT_FALSE(sure) << what << " " << pairs[i].first << " " << pairs[i].second;
      continue;
    }
    if (c.problem.mode != oracle::Mode::local && !sure) continue;  // not checked by the kernel, so never called
    const oracle::Answer answer = c.textbook(pairs[i].first, pairs[i].second);
    if (c.problem.band_from && answer.score == oracle::no_alignment) continue;  // calls refuse what holds no alignment
    ASSERT_EQ(sign * batch.score[i], answer.score)
        << what << " pair " << i << " " << pairs[i].first << " " << pairs[i].second;
    if (!spec.output.end) continue;
    ASSERT_EQ(batch.query_end[i], answer.query_end) << what << " " << pairs[i].first << " " << pairs[i].second;
    ASSERT_EQ(batch.target_end[i], answer.target_end) << what << " " << pairs[i].first << " " << pairs[i].second;
    if (!spec.output.begin) continue;
    if (spec.output.cigar) {
      ASSERT_EQ(batch.cigar(i), oracle::text(answer.cigar)) << what << " " << pairs[i].first << " " << pairs[i].second;
    }
    ASSERT_EQ(batch.query_begin[i], answer.query_begin) << what << " " << pairs[i].first << " " << pairs[i].second;
    ASSERT_EQ(batch.target_begin[i], answer.target_begin) << what << " " << pairs[i].first << " " << pairs[i].second;
  }
}

}  // namespace device_points
