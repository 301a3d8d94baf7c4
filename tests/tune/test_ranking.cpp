// Which record is the better, also where the model's choice failed in a group.
#include <gtest/gtest.h>

#include "records.h"
#include "tune/ranking.h"

namespace alnsmith::tool::tune {
namespace {

Record standing(int k, double gcups, double relative, bool model = false) {
  Record record = record_of(k, gcups, model);
  record.measurements.push_back({"relative", relative, "1"});
  return record;
}

TEST(TuneRanking, WhatStoodBetterToTheModelsChoiceIsBetter) {
  const std::vector<Record> records = {standing(8, 20, 1, true), standing(10, 15, 1.1), standing(12, 19, 0.9)};
  EXPECT_EQ(best_of(records), &records[1]);
}

// 4 GCUPS are not four times the model's choice.
TEST(TuneRanking, ASpeedWithoutTheModelsChoiceIsComparedWithItsSpeedInOtherGroups) {
  std::vector<Record> records = {standing(8, 20, 1, true), standing(10, 21, 1.05), record_of(12, 4)};
  EXPECT_EQ(best_of(records), &records[1]);
  EXPECT_DOUBLE_EQ(*Ranking(records).score(records[2]), 0.2);
  records.push_back(record_of(14, 24));
  EXPECT_EQ(best_of(records), &records[3]);
}

TEST(TuneRanking, SpeedsCountWhereNoRecordHasMore) {
  const std::vector<Record> records = {record_of(8, 20), record_of(10, 22), final_record(12, 2, 0)};
  EXPECT_EQ(best_of(records), &records[1]);
  EXPECT_DOUBLE_EQ(*Ranking(records).score(records[0]), 20);
}

TEST(TuneRanking, FailuresHaveNoScore) {
  Record failed = standing(8, 20, 2);
  failed.invalidity = Invalidity::correctness;
  const std::vector<Record> records = {failed};
  EXPECT_FALSE(Ranking(records).score(failed));
  EXPECT_EQ(best_of(records), nullptr);
}

}  // namespace
}  // namespace alnsmith::tool::tune
