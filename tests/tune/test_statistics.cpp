// Medians, spreads, outliers; the order in which a group is timed.
#include <gtest/gtest.h>

#include <algorithm>

#include "tune/statistics.h"

namespace alnsmith::tool::tune {
namespace {

TEST(TuneStatistics, MedianSpreadAndOutliers) {
  const Statistics made = statistics({5, 1, 2, 4, 3, 100});
  EXPECT_DOUBLE_EQ(made.median, 3.5);
  EXPECT_DOUBLE_EQ(made.spread, (4.75 - 2.25) / 3.5);
  EXPECT_EQ(made.outliers, 1U);
  EXPECT_DOUBLE_EQ(statistics({7}).median, 7);
  EXPECT_DOUBLE_EQ(statistics({7}).spread, 0);
  EXPECT_DOUBLE_EQ(statistics({}).median, 0);
}

TEST(TuneStatistics, AGroupIsTimedInTurns) {
  for (const std::size_t members : {1U, 3U, 8U}) {
    const auto order = interleaved(members, 11);
    ASSERT_EQ(order.size(), members * 11);
    for (std::size_t round = 0; round < 11; ++round) {
      std::vector<std::size_t> part(order.begin() + static_cast<std::ptrdiff_t>(round * members),
                                    order.begin() + static_cast<std::ptrdiff_t>((round + 1) * members));
      EXPECT_EQ(part.front(), round % members);  // each round begins one later
      std::sort(part.begin(), part.end());
      for (std::size_t i = 0; i < members; ++i) EXPECT_EQ(part[i], i);  // and has each once
    }
  }
  EXPECT_TRUE(interleaved(0, 5).empty());
}

}  // namespace
}  // namespace alnsmith::tool::tune
