// What tests of sinks start from: the stand-in's kernels, calls of both kinds, and results as maps from pairs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "tiny.h"

namespace sinks {

using namespace alnsmith;

using Values = std::array<std::int32_t, kOutputCount>;
using Found = std::map<std::uint64_t, Values>;  // by pair

inline Aligner open(const std::string &name) {
  auto aligner = Aligner::open_file(std::string(FAKE_DIR) + "/" + name + ".so");
  if (!aligner) throw std::runtime_error(aligner.error().message);
  return *std::move(aligner);
}

inline Options on(int threads) {
  Options options;
  options.threads = threads;
  return options;
}

template <class Out>
Result<Report> align(const Aligner &a, const tiny::Pairs &p, bool all, Out &&out, const Options &options = {}) {
  return all ? a.align_all(p.query_views(), p.target_views(), out, options)
             : a.align_pairs(p.query_views(), p.target_views(), out, options);
}

// By columns.
inline Found dense(const Aligner &a, const tiny::Pairs &p, bool all, Report *report = nullptr) {
  const std::size_t n = all ? p.queries.size() * p.targets.size() : p.queries.size();
  std::array<std::vector<std::int32_t>, kOutputCount> values;
  Columns columns;
  for (const OutputInfo &info : kOutputs)
    if (a.outputs().contains(info.output)) {
      values[index_of(info.output)].assign(n, -999);
      columns.set(info.output, values[index_of(info.output)]);
    }
  const auto done = align(a, p, all, columns);
  EXPECT_TRUE(done) << done.error().message;
  if (done && report) *report = *done;
  Found found;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < kOutputCount; ++o) found[i][o] = values[o].empty() ? 0 : values[o][i];
  return found;
}

inline void take(const ResultBlock &block, Found &found) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    Values values{};
    for (std::size_t o = 0; o < kOutputCount; ++o)
      if (!block.column[o].empty()) values[o] = block.column[o][i];
    EXPECT_TRUE(found.try_emplace(block.pair[i], values).second) << "pair " << block.pair[i] << " twice";
  }
}

// What a query's hits are by the definition: sorted by score, then index.
inline std::vector<std::pair<std::uint64_t, Values>> best(const Found &found, std::size_t targets, std::size_t query,
                                                          std::size_t most, std::optional<std::int32_t> worst) {
  std::vector<std::pair<std::uint64_t, Values>> list;
  for (std::size_t t = 0; t < targets; ++t)
    if (const Values &v = found.at(query * targets + t); !worst || v[0] >= *worst) list.emplace_back(t, v);
  std::stable_sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.second[0] > b.second[0]; });
  list.resize(std::min(list.size(), most));
  return list;
}

inline void expect_hits(const TopSink &top, const tiny::Pairs &p, const Found &found, std::size_t most,
                        std::optional<std::int32_t> worst = {}) {
  for (std::size_t q = 0; q < p.queries.size(); ++q) {
    const auto want = best(found, p.targets.size(), q, most, worst);
    const auto hits = top.hits(q);
    ASSERT_EQ(hits.size(), want.size()) << q;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(hits[i].target, want[i].first) << q << " " << i;
      EXPECT_EQ(hits[i].values, want[i].second) << q << " " << i;
    }
  }
}

// Related sequences, some of which outgrow 8 bits, and empty ones.
inline tiny::Pairs mixed(unsigned seed, int n, int queries) {
  tiny::Pairs p = tiny::random_pairs(seed, n, 180);
  p.targets[1] = p.queries[3] = "";
  if (queries > 0) p.queries.resize(static_cast<std::size_t>(queries));
  return p;
}

class Sinks : public testing::TestWithParam<const char *> {};

}  // namespace sinks
