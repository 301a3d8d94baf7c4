// Winners into tables: only those that beat the model's choice beyond the spread.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "records.h"
#include "tune/apply.h"

namespace alnsmith::tool::tune {
namespace {

using nlohmann::json;

Recording recording_of(std::vector<Record> records) {
  Recording recording;
  recording.records = std::move(records);
  return recording;
}

json rows_of(const std::string &table, const std::vector<Recording> &recordings) {
  const auto made = applied(table, "x86-64-v4", recordings);
  EXPECT_TRUE(made) << made.error().message;
  return made ? json::parse(made->text)["rows"] : json();
}

const Record model = record_of(8, 20, true);

TEST(TuneApply, AWinnerBeyondTheSpreadGetsARow) {
  const json rows = rows_of("", {recording_of({model, record_of(12, 22), final_record(12, 1.1, 0.02)})});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["spec"], std::string(64, 'a'));
  EXPECT_EQ(rows[0]["cpu"], "znver4");
  EXPECT_EQ(rows[0]["kernel"], json({{"form", "pairwise"}}));
  EXPECT_EQ(rows[0]["choice"], json({{"k", 12}}));  // what differs, and no threads
  EXPECT_DOUBLE_EQ(rows[0]["gcups"], 22);
  EXPECT_DOUBLE_EQ(rows[0]["model_gcups"], 20);
}

TEST(TuneApply, WithinTheSpreadThereIsNoneAndTheOldOneGoes) {
  const auto good = applied("", "x86-64-v4", {recording_of({model, record_of(12, 22), final_record(12, 1.1, 0.02)})});
  ASSERT_TRUE(good);
  EXPECT_EQ(rows_of(good->text, {recording_of({model, record_of(12, 22), final_record(12, 1.02, 0.03)})}).size(), 0U);
  EXPECT_EQ(rows_of(good->text, {recording_of({model, record_of(12, 22), final_record(12, 0.9, 0.01)})}).size(), 0U);
  EXPECT_EQ(rows_of(good->text, {recording_of({model, record_of(12, 19)})}).size(), 0U);  // the model's is the best
  EXPECT_EQ(rows_of(good->text, {recording_of({model, record_of(12, 22)})}).size(), 1U);  // not finished: stays
}

TEST(TuneApply, RowsOfOthersStayAndTheNewReplacesTheOld) {
  Record other_final = final_record(6, 1.2, 0.01), other_model = model;
  other_final.environment.cpu_class = other_model.environment.cpu_class = "sapphirerapids";
  const auto first = applied(
      "", "x86-64-v4", {recording_of({other_model, other_final}), recording_of({model, final_record(12, 1.1, 0.02)})});
  ASSERT_TRUE(first);
  const json rows = rows_of(first->text, {recording_of({model, final_record(14, 1.3, 0.02)})});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["cpu"], "sapphirerapids");
  EXPECT_EQ(rows[1]["choice"], json({{"k", 14}}));
}

TEST(TuneApply, TheLinesForASpecAreSaid) {
  const auto made = applied("", "x86-64-v4", {recording_of({model, record_of(12, 22), final_record(12, 1.1, 0.02)})});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->lines.back(), "    tile: {x86-64-v4: {k: 12}}");
  const Configuration choice = {{"arithmetic", "int16"}, {"grid", std::int64_t{2}}, {"k", std::int64_t{8}},
                                {"mapping", "block"},    {"p", std::int64_t{16}},   {"rows", std::int64_t{4}}};
  EXPECT_EQ(spec_lines(choice, "cuda:sm_90"),
            (std::vector<std::string>{"tile: {\"cuda:sm_90\": {k: 8, p: 16}}", "arithmetic: int16", "mapping: block",
                                      "# grid=2, rows=4: a spec has no key for it, a table has"}));
}

TEST(TuneApply, ForeignTablesAreRefused) {
  for (const char *table :
       {"{}", "no json", R"({"schema": 2, "target": "x86-64-v4", "rows": []})",
        R"({"schema": 1, "target": "x86-64-v3", "rows": []})", R"({"schema": 1, "target": "x86-64-v4", "rows": [1]})",
        R"({"schema": 1, "target": "x86-64-v4", "rows": [{"name": "a"}]})",
        R"({"schema": 1, "target": "x86-64-v4", "rows": [{"name": 1, "spec": "a"}]})"}) {
    const auto made = applied(table, "x86-64-v4", {recording_of({model, final_record(12, 1.1, 0.02)})});
    ASSERT_FALSE(made) << table;
    EXPECT_NE(made.error().message.find("-o"), std::string::npos);
  }
}

}  // namespace
}  // namespace alnsmith::tool::tune
