// Tuning records: what is written is read back, a torn line is left out, and any other bad line is refused by name.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "program.h"
#include "tune/record.h"

namespace alnsmith::testing {
namespace {

using namespace tool::tune;

Record full_record() {
  Record r;
  r.spec_name = "dna-global-affine";
  r.spec_hash = std::string(64, 'a');
  r.target = "x86-64-v4";
  r.device = "cpu";
  r.mode = "pairs";
  r.work = {"reads", 18446744073709551615ULL, 4096, 92274688, {100, 150, 250}, {90, 140, 260}};
  r.environment = {"0.1.0", "AMD EPYC", "AuthenticAMD-25-17", 2, "", "", "clang version 22", "Linux \"6.1\" </script>"};
  r.timestamp = "2026-11-21T17:20:00Z";
  r.search = {"local", 7, 17, 3, true};
  r.configuration = {{"k", 8}, {"arithmetic", "int16"}, {"shift", std::int64_t{-9223372036854775807}}};
  r.times = {0.41, 1.92, 0.05, {0.0042, 1.0 / 3, 0}};
  r.kernels = {"aln_a", "aln_b"};
  r.measurements = {{"gcups", 21.7, "GCUPS"}, {"spread", 0.012, "1"}};
  r.limit = Limit{26.5, "GCUPS"};
  r.lengths = {{150, 150, 20.1}, {512, 400, 23.4}};
  r.objectives = {"gcups"};
  return r;
}

Record failed_record(Invalidity invalidity) {
  Record r = full_record();
  r.invalidity = invalidity;
  r.reason = "kernel.cpp:3: \xC3\xBC \xF0\x9F\xA7\xAC\t\"x\"";
  r.measurements.clear();
  r.lengths.clear();
  r.limit.reset();
  r.search.model = false;
  return r;
}

std::string error_of(const std::string &text) {
  const Result<Recording> got = parse_recording(text, "run.jsonl");
  return got ? "" : got.error().message;
}

// A good line in which the first `from` is replaced.
std::string changed(const std::string &from, const std::string &to) {
  std::string line = record_line(full_record());
  const std::size_t at = line.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return line.replace(at, from.size(), to);
}

TEST(TuneRecord, WhatIsWrittenIsReadBack) {
  std::vector<Record> records = {full_record()};
  for (const Invalidity one : {Invalidity::constraints, Invalidity::compile, Invalidity::runtime, Invalidity::timeout,
                               Invalidity::correctness})
    records.push_back(failed_record(one));
  std::string text;
  for (const Record &record : records) text += record_line(record);
  const Result<Recording> got = parse_recording(text, "run.jsonl");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->records, records);
  EXPECT_FALSE(got->torn);
  EXPECT_EQ(got->whole, text.size());
}

TEST(TuneRecord, ALineIsOneLineWhateverItsTexts) {
  Record record = failed_record(Invalidity::compile);
  record.reason = "two\nlines \xE2\x80\xA8 and bytes \xFF\xC0";
  const std::string line = record_line(record);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const Result<Recording> got = parse_recording(line, "run.jsonl");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->records[0].reason, "two\nlines \xE2\x80\xA8 and bytes \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(TuneRecord, EveryCutOfTheLastLineIsLeftOut) {
  const std::string first = record_line(full_record()), second = record_line(failed_record(Invalidity::timeout));
  for (std::size_t cut = 0; cut + 1 < second.size(); ++cut) {
    const Result<Recording> got = parse_recording(first + second.substr(0, cut), "run.jsonl");
    ASSERT_TRUE(got) << cut << ": " << got.error().message;
    EXPECT_EQ(got->records.size(), 1U) << cut;
    EXPECT_EQ(got->torn, cut > 0) << cut;
    EXPECT_EQ(got->whole, first.size()) << cut;
  }
}

TEST(TuneRecord, ALastLineThatLacksOnlyItsNewlineCounts) {
  std::string text = record_line(full_record()) + record_line(failed_record(Invalidity::runtime));
  text.pop_back();
  const Result<Recording> got = parse_recording(text, "run.jsonl");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->records.size(), 2U);
  EXPECT_FALSE(got->torn);
  EXPECT_TRUE(got->open_ended);
  EXPECT_EQ(got->whole, text.size());
}

TEST(TuneRecord, AnEmptyRecordingHoldsNothing) {
  const Result<Recording> got = parse_recording("", "run.jsonl");
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->records.empty());
  EXPECT_FALSE(got->torn);
}

TEST(TuneRecord, UnknownKeysAreIgnored) {
  const Result<Recording> got = parse_recording(changed("{", "{\"later\": {\"deep\": [1, null]}, "), "run.jsonl");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->records[0], full_record());
}

TEST(TuneRecord, WhatMayBeMissingMayBeMissing) {
  const Result<Recording> got = parse_recording(
      R"({"schema_version": "1.2.0", "spec": {"name": "s", "hash": "h"}, "target": "scalar", "device": "cpu", )"
      R"("configuration": {}, "invalidity": "compile", "reason": "no compiler", "limit": null})"
      "\n",
      "run.jsonl");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->records[0].reason, "no compiler");
  EXPECT_FALSE(got->records[0].limit);
}

TEST(TuneRecord, ABadLineIsNamedByFileAndLine) {
  const std::string good = record_line(full_record());
  EXPECT_EQ(error_of(good + "{\"torn\": \n" + good),
            "run.jsonl:2: not a JSON object: every line of a recording is one");
  EXPECT_EQ(error_of("\n" + good), "run.jsonl:1: not a JSON object: every line of a recording is one");
  EXPECT_EQ(error_of("[1]\n"), "run.jsonl:1: not a JSON object: every line of a recording is one");
  EXPECT_EQ(error_of(good + good + changed("\"device\":\"cpu\"", "\"device\":3")),
            "run.jsonl:3: 'device' must be a text");
}

TEST(TuneRecord, EachRuleIsTold) {
  const std::vector<std::vector<std::string>> rules = {
      {"\"schema_version\":\"1.0.0\"", "\"schema_version\":\"2.0.0\"", "'schema_version' is '2.0.0': this alnsmith"},
      {"\"schema_version\":\"1.0.0\"", "\"x\":0", "'schema_version' is missing"},
      {"\"name\":\"dna-global-affine\"", "\"name\":null", "'name' must be a text"},
      {"\"invalidity\":\"correct\"", "\"invalidity\":\"fine\"", "'invalidity' is 'fine', but must be one of correct,"},
      {"\"k\":8", "\"k\":8.5", "'configuration.k' must be an integer or a word"},
      {"\"k\":8", "\"k\":9223372036854775808", "'configuration.k' must be an integer or a word"},
      {"\"configuration\":{", "\"configuration\":[], \"x\":{", "'configuration' must be an object"},
      {"\"pairs\":4096", "\"pairs\":-1", "'pairs' must be an integer of at least 0"},
      {"\"value\":21.7", "\"value\":\"21.7\"", "'value' must be a number of at least 0"},
      {"\"value\":21.7", "\"value\":-1", "'value' must be a number of at least 0"},
      {"\"name\":\"gcups\"", "\"name\":\"other\"", "'measurements' must hold 'gcups' where 'invalidity' is correct"},
      {"\"measurements\":[", "\"measurements\":[1,", "'measurements' must list objects"},
      {"\"runtimes\":[", "\"runtimes\":[\"a\",", "'runtimes' must list numbers of at least 0"},
      {"\"kernels\":[", "\"kernels\":[1,", "'kernels' must be a list of texts"},
      {"\"lengths\":[", "\"lengths\":[{\"query\":1},", "'target' is missing"},
      {"\"model\":true", "\"model\":1", "'model' must be true or false"},
      {"\"limit\":{", "\"limit\":3,\"x\":{", "'limit' must be an object"}};
  for (const auto &rule : rules) {
    const std::string error = error_of(changed(rule[0], rule[1]));
    EXPECT_EQ(error.rfind("run.jsonl:1: " + rule[2], 0), 0U) << rule[1] << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(TuneRecord, NumbersThatNoDoubleHoldsAreRefused) {
  EXPECT_NE(error_of(changed("\"value\":21.7", "\"value\":1e999")), "");
}

TEST(TuneRecord, DeepNestingIsNoTrouble) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  const Result<Recording> got = parse_recording(changed("{", "{\"later\":" + deep + ","), "run.jsonl");
  ASSERT_TRUE(got) << got.error().message;
}

// One byte changed, dropped or doubled, or a piece cut out: a recording or a one-line error, never anything else.
TEST(TuneRecord, NoDamageIsMoreThanAnError) {
  const std::string good = record_line(full_record()) + record_line(failed_record(Invalidity::compile));
  std::mt19937 dice(1);
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = good;
    const std::size_t at = dice() % text.size();
    switch (dice() % 4) {
      case 0:
        text[at] = static_cast<char>(dice());
        break;
      case 1:
        text.erase(at, 1);
        break;
      case 2:
        text.insert(at, 1, text[dice() % text.size()]);
        break;
      default:
        text.erase(at, dice() % 40);
    }
    const Result<Recording> got = parse_recording(text, "run.jsonl");
    if (got) {
      EXPECT_LE(got->records.size(), 2U);
      continue;
    }
    ++refused;
    EXPECT_EQ(got.error().message.rfind("run.jsonl:", 0), 0U) << got.error().message;
    EXPECT_EQ(got.error().message.find('\n'), std::string::npos) << got.error().message;
  }
  EXPECT_GT(refused, 1000);
}

TEST(TuneRecord, FilesThatCannotBeReadAreNamed) {
  const Folder folder;
  for (const std::string &path : {folder.path("none.jsonl"), folder.path("")}) {
    const Result<Recording> got = read_recording(path);
    ASSERT_FALSE(got) << path;
    EXPECT_NE(got.error().message.find("cannot be read"), std::string::npos) << got.error().message;
  }
  const Result<Recording> got = read_recording(folder.write("run.jsonl", record_line(full_record())));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->records.at(0), full_record());
}

TEST(TuneRecord, ConfigurationsAreTextsInOrder) {
  EXPECT_EQ(configuration_text(full_record().configuration), "arithmetic=int16 k=8 shift=-9223372036854775807");
}

}  // namespace
}  // namespace alnsmith::testing
