// `alnsmith tune` as users run it: complete, killed, interrupted, without a generator, and with candidates that do not
// build, hang, crash or score wrongly.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/devices.hpp"
#include "program.h"
#include "tune/ranking.h"
#include "tune/record.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;
using testing::alnsmith;
using testing::Finished;

// The planner's own choice begins at int8: there is no circuit for it.
const std::string head =
    "version: 1\nname: tiny\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
    "score: {match: 3, mismatch: -1}\n";

class TuneProgram : public ::testing::Test {
 protected:
  void SetUp() override { ALNSMITH_NEEDS_KERNELS(); }

  std::string spec(const std::string &tune) const { return folder.write("tiny.yaml", head + "tune: {" + tune + "}\n"); }
  // A quick run of everything in the space; what `more` says goes before.
  std::vector<std::string> words(const std::string &spec, const std::vector<std::string> &more = {}) const {
    std::vector<std::string> all = {"tune", spec, "--out", out()};
    const std::vector<std::pair<std::string, std::string>> usual = {
        {"--strategy", "exhaustive"}, {"--cells", "200000"}, {"--repeats", "3"}, {"--final-repeats", "15"}};
    for (const auto &[option, value] : usual)
      if (std::find(more.begin(), more.end(), option) == more.end()) all.insert(all.end(), {option, value});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string out() const { return folder.path("out.jsonl"); }
  std::vector<Record> records() const {
    auto recording = read_recording(out());
    EXPECT_TRUE(recording) << recording.error().message;
    return recording ? recording->records : std::vector<Record>{};
  }
  // Every configuration once.
  static void expect_once(const std::vector<Record> &all, std::size_t count) {
    std::set<std::string> seen;
    std::size_t candidates = 0;
    for (const Record &record : all) {
      if (is_final(record)) continue;
      ++candidates;
      EXPECT_TRUE(seen.insert(configuration_text(record.configuration)).second)
          << configuration_text(record.configuration) << " is measured twice";
    }
    EXPECT_EQ(candidates, count);
  }
  static const Record *with_k(const std::vector<Record> &all, int k) {
    for (const Record &record : all)
      if (!is_final(record) && record.configuration.at("k") == Value(std::int64_t{k})) return &record;
    return nullptr;
  }
  // The shipped templates with one text in one of them replaced.
  std::string templates_with(const std::string &file, const std::string &old_text, const std::string &new_text) const {
    const std::string copy = folder.path("templates");
    fs::copy(TEMPLATES, copy);
    std::string text = testing::read_file(copy + "/" + file);
    const std::size_t at = text.find(old_text);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, old_text.size(), new_text);
    folder.write("templates/" + file, text);
    return copy;
  }
  testing::Folder folder;
};

TEST_F(TuneProgram, MeasuresEachCandidateOnce) {
  const Finished got =
      alnsmith(words(spec("k: [4, 6], arithmetic: [int8, int16], threads: [1, 2], "
                          "constraints: [\"k == 4 || arithmetic == int8\"]")));
  ASSERT_EQ(got.status, 0) << got.err;
  const auto all = records();
  expect_once(all, 8);
  std::size_t ruled_out = 0, models = 0;
  for (const Record &record : all) {
    models += record.search.model;
    ruled_out += record.invalidity == Invalidity::constraints;
    if (record.invalidity != Invalidity::correct) continue;
    EXPECT_EQ(record.times.runtimes.size(), is_final(record) ? 15U : 3U);
    EXPECT_GT(record.measurement("gcups").value_or(0), 0);
    EXPECT_GT(record.measurement("relative").value_or(0), 0);
    EXPECT_FALSE(record.kernels.empty());
    EXPECT_EQ(record.lengths.size(), 3U);
    EXPECT_EQ(record.environment.cpu_class.empty(), false);
  }
  EXPECT_EQ(models, 1U);
  EXPECT_EQ(ruled_out, 2U);
  EXPECT_TRUE(all[0].search.model);  // first of all
  EXPECT_NE(got.out.find("best "), std::string::npos);
  EXPECT_FALSE(fs::exists(out() + ".build"));
  const Finished shown = alnsmith({"tune", "show", out()});
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(shown.out, got.out);
  EXPECT_EQ(alnsmith({"tune", "replay", out(), "--seeds", "3"}).status, 0);
  EXPECT_EQ(alnsmith({"tune", "apply", out(), "-o", folder.path("table.json")}).status, 0);
  EXPECT_NE(testing::read_file(folder.path("table.json")).find("\"target\": \"x86-64-"), std::string::npos);
}

TEST_F(TuneProgram, AKilledRunLosesNothingAndRepeatsNothing) {
  const std::string file = spec("k: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]");
  std::vector<std::string> all_words = words(file, {"--repeats", "20", "--cells", "10000000"});
  all_words.insert(all_words.begin(), testing::program());
  std::string before;
  {
    testing::Process process(all_words, "", "");
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (std::chrono::steady_clock::now() < limit &&
           testing::read_file(out()).find("\"group\":1") == std::string::npos)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    process.signal(SIGKILL);
    EXPECT_EQ(process.finish().status, 128 + SIGKILL);
    before = testing::read_file(out());
  }
  ASSERT_NE(before.find("\"group\":1"), std::string::npos);
  std::ofstream(out(), std::ios::app) << "{\"schema_version\": \"1.0.0\", \"spec\": {\"na";  // and a torn line
  all_words.push_back("--resume");
  const Finished got = testing::run(all_words);
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_TRUE(testing::read_file(out()).starts_with(before));
  expect_once(records(), 16);
  // Another work is another recording.
  const Finished other = alnsmith(words(file, {"--resume", "--seed", "2"}));
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(testing::one_line(other.err)) << other.err;
  EXPECT_NE(other.err.find("holds results of work"), std::string::npos);
  // What stood to another choice of the planner's is not compared with what stands to this one.
  std::string text = testing::read_file(out());
  const std::string key = "\"configuration\":{\"k\":";
  text.insert(text.find(key, text.find("\"model\":true")) + key.size(), "9");
  std::ofstream(out(), std::ios::trunc) << text;
  const Finished planned = alnsmith(words(file, {"--cells", "10000000", "--resume"}));
  EXPECT_EQ(planned.status, 1);
  EXPECT_NE(planned.err.find("holds results of the model's choice k=9"), std::string::npos) << planned.err;
}

TEST_F(TuneProgram, AnInterruptEndsItWith130) {
  std::vector<std::string> all_words =
      words(spec("k: [1, 2, 3, 4, 5, 6, 7, 8]"), {"--repeats", "10000", "--cells", "20000000", "--quiet"});
  all_words.insert(all_words.begin(), testing::program());
  testing::Process process(all_words, "", "");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  const auto start = std::chrono::steady_clock::now();
  process.signal(SIGINT);
  const Finished got = process.finish();
  EXPECT_EQ(got.status, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(got.out, "");
}

// Where a global alignment's answer is taken, in the templates.
constexpr const char *answer_file = "watch_edges.h", *answer = "const EdgeAnswer found = edge.answer(k);\n";

TEST_F(TuneProgram, AWrongCandidateIsFoundAndNeverWins) {
  const std::string templates = templates_with(answer_file, answer,
                                               "EdgeAnswer found = edge.answer(k);\n"
                                               "    if (k.sp.k == 5) found.score = found.score + splat_wide(1);\n");
  const Finished got = alnsmith(words(spec("k: [4, 5, 6]"), {"--templates", templates}));
  ASSERT_EQ(got.status, 0) << got.err;
  const auto all = records();
  const Record *wrong = with_k(all, 5);
  ASSERT_NE(wrong, nullptr);
  EXPECT_EQ(wrong->invalidity, Invalidity::correctness);
  EXPECT_EQ(wrong->reason.substr(0, 34), "the sample: the score of pair 0 (1") << wrong->reason;
  EXPECT_TRUE(wrong->times.runtimes.empty());
  EXPECT_EQ(with_k(all, 4)->invalidity, Invalidity::correct);
  const Record *best = best_of(all);
  ASSERT_NE(best, nullptr);
  EXPECT_NE(best->configuration.at("k"), Value(std::int64_t{5}));
}

// The sample misses the one pair whose result is wrong; the whole work does not.
TEST_F(TuneProgram, AWrongResultOutsideTheSampleIsFound) {
  const std::string templates =
      templates_with(answer_file, answer,
                     "EdgeAnswer found = edge.answer(k);\n"
                     "    if (k.sp.k == 5) found.score = select(equal(k.register_length, splat_pos(77)), "
                     "found.score + splat_wide(1), found.score);\n");
  std::string queries, targets;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t length = i == 1234 ? 77 : 60;
    queries += ">q\n" + std::string(60, "ACGT"[i % 4]) + "\n";
    targets += ">t\n" + std::string(length, "ACGT"[i / 4 % 4]) + "\n";
  }
  const Finished got =
      alnsmith(words(spec("k: [4, 5]"), {"--templates", templates, "--queries", folder.write("q.fa", queries),
                                         "--targets", folder.write("t.fa", targets)}));
  ASSERT_EQ(got.status, 0) << got.err;
  const auto all = records();
  EXPECT_EQ(with_k(all, 5)->invalidity, Invalidity::correctness);
  EXPECT_EQ(with_k(all, 5)->reason.substr(0, 44), "class 0, pair 1234: the score of pair 0 (60 ")
      << with_k(all, 5)->reason;
  EXPECT_EQ(with_k(all, 4)->invalidity, Invalidity::correct);
  EXPECT_EQ(with_k(all, 4)->work.name, "files");
}

TEST_F(TuneProgram, ACrashTakesNobodyAlong) {
  const std::string templates =
      templates_with(answer_file, answer,
                     std::string(answer) + "    if (k.sp.k == 5) store_wide(k.a->score, 1 << 28, found.score);\n");
  const Finished got = alnsmith(words(spec("k: [4, 5, 6]"), {"--templates", templates}));
  ASSERT_EQ(got.status, 0) << got.err;
  const auto all = records();
  EXPECT_EQ(with_k(all, 5)->invalidity, Invalidity::runtime);
  EXPECT_NE(with_k(all, 5)->reason.find("signal 11"), std::string::npos) << with_k(all, 5)->reason;
  EXPECT_EQ(with_k(all, 6)->invalidity, Invalidity::correct);
}

// What `apply` writes is what the next run takes; the lines that it prints are lines of a spec.
TEST_F(TuneProgram, TheNextRunTakesWhatApplyWrote) {
  const std::string file = spec("k: [4, 5]");
  ASSERT_EQ(alnsmith(words(file)).status, 0);
  Record last = *with_k(records(), 5);  // as if k = 5 had been faster, on any machine
  last.search = {.strategy = final_strategy, .seed = 1, .sequence = 9, .group = 9, .model = false};
  last.measurements.push_back({"gain", 1.5, "1"});
  last.measurements.push_back({"gain_spread", 0.01, "1"});
  std::ofstream(out(), std::ios::app) << record_line(last);
  ::setenv("XDG_DATA_HOME", folder.path("data").c_str(), 1);
  ::setenv("ALNSMITH_CACHE", folder.path("cache").c_str(), 1);
  const std::string letters = folder.write("q.fa", ">a\nACGT\n");
  const auto said = [&](const std::string &of) {
    return alnsmith({"align", "--spec", of, "--query", letters, "--target", letters, "--explain"}).err;
  };
  EXPECT_EQ(said(file).find("_k5_"), std::string::npos) << said(file);
  const Finished applied = alnsmith({"tune", "apply", out()});
  EXPECT_EQ(applied.status, 0) << applied.err;
  const std::string table = folder.path("data/alnsmith/tuned/") + last.target + ".json";
  EXPECT_TRUE(applied.out.starts_with(table + "\n")) << applied.out;
  EXPECT_NE(said(file).find("_k5_"), std::string::npos) << said(file);
  // Others may have written it: it is left alone, and said.
  ASSERT_EQ(::chmod(table.c_str(), 0666), 0);
  EXPECT_EQ(said(file).find("_k5_"), std::string::npos) << said(file);
  EXPECT_NE(said(file).find(table + ": not loaded: others may write to it"), std::string::npos) << said(file);
  fs::remove(table);
  const std::size_t at = applied.out.find("    tile: ");
  ASSERT_NE(at, std::string::npos) << applied.out;
  const std::string line = applied.out.substr(at + 4, applied.out.find('\n', at) - at - 4);
  const std::string with_line = folder.write("pasted.yaml", head + line.substr(line.find("tile:")) + "\n");
  EXPECT_NE(said(with_line).find("_k5_"), std::string::npos) << said(with_line);
  ::unsetenv("XDG_DATA_HOME");
  ::unsetenv("ALNSMITH_CACHE");
}

TEST_F(TuneProgram, WhatDoesNotBuildSaysWhy) {
  const auto script = [&](const std::string &name, const std::string &body) {
    const std::string path = folder.write(name, "#!/bin/sh\n" + body);
    ::chmod(path.c_str(), 0755);
    return path;
  };
  const std::string refuses = script(
      "refuses", "[ \"$1\" = --version ] && echo refuses 1 && exit 0\necho 'x.cpp:1: error: not today' >&2\nexit 1\n");
  const std::string hangs = script("hangs", "[ \"$1\" = --version ] && echo hangs 1 && exit 0\nexec sleep 100\n");
  const Finished got = alnsmith(
      words(spec("k: [4], compiler: [auto, g++-99]"), {"--build-timeout", "3", "--compiler", "auto", "--compiler",
                                                       refuses, "--compiler", hangs, "--compiler", "no-such-one"}));
  ASSERT_EQ(got.status, 0) << got.err;
  for (const Record &record : records()) {
    const std::string compiler = value_text(record.configuration.at("compiler"));
    if (is_final(record)) continue;
    if (compiler == refuses) {
      EXPECT_EQ(record.invalidity, Invalidity::compile);
      EXPECT_NE(record.reason.find("not today"), std::string::npos) << record.reason;
    } else if (compiler == hangs) {
      EXPECT_EQ(record.invalidity, Invalidity::timeout);
      EXPECT_EQ(record.reason, "compilation took longer than 3 s");
    } else if (compiler == "no-such-one") {
      EXPECT_EQ(record.invalidity, Invalidity::compile);
    } else {
      EXPECT_EQ(record.invalidity, Invalidity::correct) << record.reason;
    }
  }
  expect_once(records(), 5);  // the model's k = 8 beside them
}

TEST_F(TuneProgram, ARunThatTakesTooLongIsATimeout) {
  const Finished got =
      alnsmith(words(spec("k: [4]"), {"--target", "scalar", "--cells", "3000000000", "--run-timeout", "0.3"}));
  ASSERT_EQ(got.status, 0) << got.err;
  for (const Record &record : records()) {
    EXPECT_EQ(record.invalidity, Invalidity::timeout) << record.reason;
    EXPECT_NE(record.reason.find("0.3 s"), std::string::npos) << record.reason;
  }
}

// The program and its library alone, and no compiler: what a machine has that only measures.
TEST_F(TuneProgram, APreparedFolderNeedsNeitherGeneratorNorCompiler) {
  const std::string prepared = folder.path("prepared");
  const Finished made = alnsmith({"tune", spec("k: [4, 6], arithmetic: [int8, int16], compiler: [auto, g++-99]"),
                                  "--prepare", prepared, "--cells", "200000", "--mode", "all", "--quiet"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_NE(made.out.find("4 without kernels"), std::string::npos) << made.out;
  const std::string bare = folder.path("bare");
  fs::create_directory(bare);
  fs::copy(testing::program(), bare + "/alnsmith");
  fs::copy(fs::canonical(TUNE_LIBRARY), bare + "/" + fs::path(TUNE_LIBRARY).filename().string());
  fs::create_directory(folder.path("empty"));
  const Finished got = testing::run({"/usr/bin/env", "PATH=" + folder.path("empty"),
                                     "ALNSMITH_CXX=", bare + "/alnsmith", "tune", "--run", prepared, "--out", out(),
                                     "--strategy", "exhaustive", "--repeats", "3", "--final-repeats", "15", "--quiet"});
  ASSERT_EQ(got.status, 0) << got.err;
  const auto all = records();
  expect_once(all, 8);
  std::size_t correct = 0;
  for (const Record &record : all)
    if (!is_final(record)) correct += record.invalidity == Invalidity::correct;
  EXPECT_EQ(correct, 4U);
  EXPECT_EQ(all[0].mode, "all");
  const Finished live = testing::run({bare + "/alnsmith", "tune", folder.path("tiny.yaml")});
  EXPECT_EQ(live.status, 1);
  EXPECT_NE(live.err.find("--run"), std::string::npos) << live.err;
}

TEST_F(TuneProgram, RunsOnOpenCl) {
  bool there = false;
  for (const PlatformReport &platform : list_devices())
    there = there || (platform.kind == DeviceKind::opencl && !platform.devices.empty());
  if (!there) GTEST_SKIP() << "no OpenCL device";
  const std::string file =
      folder.write("o.yaml",
                   "version: 1\nname: tiny-opencl\nalignment: global\ngap: {model: linear, extend: 1}\n"
                   "alphabet: dna\nscore: {match: 2, mismatch: -1}\narithmetic: int32\n"
                   "mapping: wavefront\ntile: {k: 4, p: 2}\ntune: {k: [4, 6]}\n");
  const Finished got = alnsmith(words(file, {"--device", "opencl:0", "--cells", "20000", "--run-timeout", "400"}));
  ASSERT_EQ(got.status, 0) << got.err;
  const auto all = records();
  expect_once(all, 3);  // the planner's own tiles, and two
  for (const Record &record : all) {
    EXPECT_EQ(record.invalidity, Invalidity::correct) << record.reason;
    EXPECT_EQ(record.device, "opencl:0");
    EXPECT_FALSE(record.environment.device_name.empty());
  }
}

TEST_F(TuneProgram, AFolderOfSomethingElseIsLeftAlone) {
  const std::string mine = spec("k: [4]");
  for (const std::string &taken : {out() + ".build", folder.path("kernels")}) {
    fs::create_directories(taken + "/builds");
    std::ofstream(taken + "/builds/mine.txt") << "mine";
    std::ofstream(taken + "/notes.txt") << "mine";
    const bool prepare = taken == folder.path("kernels");
    const Finished done = prepare ? alnsmith({"tune", mine, "--prepare", taken}) : alnsmith(words(mine));
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.err.find("holds notes.txt, which is not of a tuning run"), std::string::npos) << done.err;
    EXPECT_TRUE(fs::exists(taken + "/builds/mine.txt"));
    EXPECT_FALSE(fs::exists(out()));
  }
}

TEST_F(TuneProgram, WrongWordsAreUsageErrors) {
  const std::string file = spec("k: [4]");
  const std::vector<std::vector<std::string>> wrong = {
      {"tune"},
      {"tune", file, "--run", "x"},
      {"tune", file, "--budget", "fast"},
      {"tune", file, "--budget", "0"},
      {"tune", file, "--strategy", "best"},
      {"tune", file, "--queries", "q.fa"},
      {"tune", file, "--target", "cuda:sm_90", "--device", "cpu"},
      {"tune", "show"},
  };
  for (const auto &line : wrong) {
    const Finished got = alnsmith(line);
    EXPECT_EQ(got.status, 2) << got.err;
    EXPECT_TRUE(testing::one_line(got.err)) << got.err;
  }
  for (const std::vector<std::string> &line :
       std::vector<std::vector<std::string>>{{"tune", "show", folder.path("none.jsonl")},
                                             {"tune", "--run", folder.path("none")},
                                             {"tune", folder.path("none.yaml"), "--out", out()},
                                             {"tune", "show", folder.write("empty.jsonl", "")},
                                             {"tune", "apply", folder.write("bad.jsonl", "{}\n")}}) {
    const Finished got = alnsmith(line);
    EXPECT_EQ(got.status, 1) << got.err;
    EXPECT_TRUE(testing::one_line(got.err)) << got.err;
  }
  EXPECT_FALSE(fs::exists(out()));
}

}  // namespace
}  // namespace alnsmith::tool::tune
