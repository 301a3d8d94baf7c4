// `alnsmith tune report` as a command: its page's bytes, its errors. What the page shows is tested in a browser
// (report_browser.py).
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "program.h"
#include "tune/report.h"

namespace alnsmith::testing {
namespace {

using namespace tool::tune;

Record record(std::int64_t k, double gcups) {
  Record r;
  r.spec_name = "s";
  r.spec_hash = "h";
  r.target = "x86-64-v4";
  r.device = "cpu";
  r.search.sequence = static_cast<std::uint64_t>(k);
  r.configuration = {{"k", k}};
  r.measurements = {{"gcups", gcups, "GCUPS"}};
  return r;
}

Record failure(std::int64_t k, Invalidity invalidity, const std::string &reason) {
  Record r = record(k, 0);
  r.measurements.clear();
  r.invalidity = invalidity;
  r.reason = reason;
  return r;
}

std::string data_of(const std::vector<Record> &records) {
  return report_data({{"run.jsonl", {records, false, 0, false}}});
}

std::size_t count(const std::string &text, const std::string &words) {
  std::size_t n = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
  return n;
}

std::string text_of(const std::vector<Record> &records) {
  std::string text;
  for (const Record &one : records) text += record_line(one);
  return text;
}

class TuneReport : public ::testing::Test {
 protected:
  Folder folder;
  std::string good = folder.write("run.jsonl", text_of({record(1, 2), record(2, 3)}));
  std::string page = folder.path("page.html");

  void SetUp() override {
    const Finished got = alnsmith({"tune", "report", good, "-o", page});
    if (got.err.find("this build has no D3") != std::string::npos) GTEST_SKIP() << got.err;
    ASSERT_EQ(got.status, 0) << got.err;
  }
};

TEST_F(TuneReport, TheSameRecordingGivesTheSameBytes) {
  const std::string again = folder.path("again.html");
  ASSERT_EQ(alnsmith({"tune", "report", good, "-o", again}).status, 0);
  EXPECT_EQ(read_file(again), read_file(page));
  EXPECT_EQ(alnsmith({"tune", "report", good, "-o", "-"}).out, read_file(page));
}

TEST_F(TuneReport, ThePageIsWholeAndBelowAMegabyte) {
  const std::string text = read_file(page);
  EXPECT_EQ(text.rfind("<!doctype html>", 0), 0U);
  EXPECT_EQ(text.substr(text.size() - 8), "</html>\n");
  EXPECT_LT(text.size(), 1000000U);
  for (const char *mark : {"@title@", "@style@", "@data@", "@d3@", "@d3_licence@", "@scripts@"})
    EXPECT_EQ(count(text, mark), 0U) << mark;
  EXPECT_EQ(count(text, "Redistribution and use in source and binary forms"), 1U) << "D3's licence goes with it";
  EXPECT_NE(text.find("default-src 'none'"), std::string::npos);
  for (const char *link : {"<script src", "<link rel=\"stylesheet", "@import", "url(http"})
    EXPECT_EQ(count(text, link), 0U) << link;
}

TEST_F(TuneReport, ErrorsAreOneLineAndLeaveThePageAlone) {
  const std::string before = read_file(page);
  const std::string bad = folder.write("bad.jsonl", text_of({record(1, 2)}) + "{}\n");
  const std::string empty = folder.write("empty.jsonl", ""), torn = folder.write("torn.jsonl", "{\"schema_ver");
  const struct {
    std::vector<std::string> words;
    int status;
    std::string says;
  } cases[] = {
      {{"tune", "report", bad, "-o", page}, 1, "bad.jsonl:2: 'schema_version' is missing"},
      {{"tune", "report", good, bad, "-o", page}, 1, "bad.jsonl:2: "},
      {{"tune", "report", empty, "-o", page}, 1, "empty.jsonl: holds no whole record"},
      {{"tune", "report", torn, "-o", page}, 1, "torn.jsonl: holds no whole record"},
      {{"tune", "report", folder.path("none"), "-o", page}, 1, "none: cannot be read: No such file"},
      {{"tune", "report", good, "-o", folder.path("none/page.html")}, 1, "none"},
      {{"tune", "report", good, "-o", good}, 2, "would replace this recording"},
      {{"tune", "report", good}, 2, "--out"},
      {{"tune", "report", "-o", page}, 2, "FILE"},
      {{"tune"}, 2, "give a SPEC"},
  };
  for (const auto &one : cases) {
    const Finished got = alnsmith(one.words);
    EXPECT_EQ(got.status, one.status) << one.says;
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_NE(got.err.find(one.says), std::string::npos) << got.err;
    EXPECT_EQ(got.out, "");
  }
  EXPECT_EQ(read_file(page), before);
  EXPECT_EQ(read_file(good), text_of({record(1, 2), record(2, 3)}));
  EXPECT_EQ(folder.entries().size(), 5U) << "something half written is left";
}

TEST(TuneReportData, NothingInARecordCanEndTheScript) {
  const std::string data = data_of({failure(1, Invalidity::compile, "</script><!-- & \xE2\x80\xA8 \xFF \" \\")});
  EXPECT_EQ(data.find_first_of("<>&\n"), std::string::npos);
  for (const char c : data) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << static_cast<int>(c);
  EXPECT_NE(data.find("\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028 \\ufffd \\\" \\\\"), std::string::npos) << data;
}

TEST(TuneReportData, OfSeveralMeasurementsTheMiddleOneCounts) {
  const std::string data = data_of({record(1, 5), record(1, 9), record(1, 2), record(1, 7)});
  EXPECT_EQ(count(data, "\"text\":\"k=1\""), 1U);
  EXPECT_NE(data.find("\"gcups\":5.0,\"repeats\":[2.0,5.0,7.0,9.0]"), std::string::npos) << data;
}

TEST(TuneReportData, AWrongConfigurationStaysWrong) {
  const std::string data = data_of({record(1, 5), failure(1, Invalidity::correctness, "pair 3"), record(1, 5)});
  EXPECT_NE(data.find("\"kind\":\"correctness\""), std::string::npos) << data;
  EXPECT_EQ(data.find("\"gcups\""), std::string::npos) << data;
}

TEST(TuneReportData, AFailureThatPassedWhenTriedAgainIsStillListed) {
  const std::string data = data_of({failure(1, Invalidity::timeout, "10 s"), record(1, 5)});
  EXPECT_NE(data.find("\"kind\":\"correct\""), std::string::npos) << data;
  EXPECT_NE(data.find("\"failures\":[{\"kind\":\"timeout\",\"reason\":\"10 s\"}]"), std::string::npos) << data;
}

TEST(TuneReportData, WhatCannotBeComparedIsARunOfItsOwn) {
  std::vector<Record> records(8, record(1, 5));
  records[1].target = "x86-64-v3";
  records[2].device = "cuda:0";
  records[3].work.seed = 9;
  records[4].environment.cpu = "another";
  records[5].spec_hash = "other";
  records[6].mode = "all";
  records[7].environment.compiler = "another";  // compilers are compared
  EXPECT_EQ(count(data_of(records), "\"file\":"), 7U);
}

TEST(TuneReportData, TheFinalComparisonIsNoCandidate) {
  Record last = record(2, 6);
  last.search.strategy = "final";
  last.measurements.push_back({"gain", 1.25, "1"});
  last.measurements.push_back({"gain_spread", 0.01, "1"});
  const std::string data = data_of({record(1, 4), record(2, 5), last});
  EXPECT_EQ(count(data, "\"repeats\":[5.0]"), 1U) << data;
  EXPECT_NE(data.find("\"final\":{\"text\":\"k=2\",\"kind\":\"correct\",\"reason\":\"\",\"gcups\":6.0,"
                      "\"gain\":1.25,\"gain_spread\":0.01,\"verdict\":\"faster\",\"noisy\":false}"),
            std::string::npos)
      << data;
  EXPECT_NE(data_of({record(1, 4)}).find("\"final\":null"), std::string::npos);
}

TEST(TuneReportData, IntegersThatJavaScriptWouldRoundAreTexts) {
  const std::string data = data_of({record((std::int64_t{1} << 53) + 1, 5), record(4, 5)});
  EXPECT_NE(data.find("{\"k\":\"9007199254740993\"}"), std::string::npos) << data;
  EXPECT_NE(data.find("{\"k\":4}"), std::string::npos) << data;
}

}  // namespace
}  // namespace alnsmith::testing
