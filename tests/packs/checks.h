// What tests of packs check.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "alnsmith/packs.hpp"
#include "maker.h"
#include "tiny.h"

namespace pack_maker {

inline bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

// The first thing that is wrong with a pack; empty: nothing.
inline std::string trouble(const std::string &path) {
  const auto check = verify_pack(path);
  if (!check) return check.error().message;
  return check->problems.empty() ? "" : check->problems.front();
}

inline void expect_aligned(const Aligner &aligner, const tiny::Pairs &pairs) {
  std::vector<std::int32_t> scores(pairs.queries.size(), -1);
  const auto report = aligner.align_pairs(pairs.query_views(), pairs.target_views(), scores);
  ASSERT_TRUE(report) << report.error().message;
  for (std::size_t i = 0; i < scores.size(); ++i)
    ASSERT_EQ(scores[i], tiny::score(pairs.queries[i], pairs.targets[i], false)) << i;
}

}  // namespace pack_maker
