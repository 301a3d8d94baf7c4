// Limits of `alnsmith tune`: from the model's cores, from one that was calibrated, and where its file is damaged.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "alnsmith/alnsmith.hpp"
#include "program.h"
#include "tune/record.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;
using testing::alnsmith;
using testing::Finished;

class TuneLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    ::setenv("ALNSMITH_TUNED", folder.path("tuned").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("ALNSMITH_TUNED"); }

  std::string spec() const {
    return folder.write("tiny.yaml",
                        "version: 1\nname: tiny\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\n"
                        "alphabet: dna\nscore: {match: 2, mismatch: -1}\ntune: {k: [4]}\n");
  }
  std::string out() const { return folder.path("out.jsonl"); }
  std::string core_file() const { return "tuned/core-" + cpu_class() + ".json"; }
  void write_core(const std::string &text) const {
    fs::create_directories(folder.path("tuned"));
    folder.write(core_file(), text);
  }
  // A quick run; `what` is a spec or a prepared folder.
  Finished tune(std::vector<std::string> what) const {
    fs::remove(out());
    std::vector<std::string> words = {"tune", "--out", out(), "--repeats", "3", "--final-repeats", "15"};
    words.insert(words.end(), what.begin(), what.end());
    return alnsmith(words);
  }
  // Of the planner's choice; the run of `tune` had no failure.
  std::optional<double> limit() const {
    const auto recording = read_recording(out());
    EXPECT_TRUE(recording) << recording.error().message;
    if (!recording || recording->records.empty()) return std::nullopt;
    for (const Record &record : recording->records) EXPECT_EQ(record.invalidity, Invalidity::correct) << record.reason;
    const auto &limit = recording->records[0].limit;
    return limit ? std::optional(limit->value) : std::nullopt;
  }
  static std::string core(double ghz) {
    const nlohmann::json rates = {{"any", 4}, {"maxima", 2}, {"compares", 2}, {"saturating", 2}};
    return nlohmann::json({{"schema", 1}, {"machine", "x86_64"}, {"ghz", ghz}, {"wide", rates}, {"narrow", rates}})
        .dump();
  }
  testing::Folder folder;
};

// Seconds, and figures that a core can have, of all of the hardware whatever ALNSMITH_ISA leaves of it.
TEST_F(TuneLimits, CalibrationMeasuresTheCore) {
  const auto widest = best_isa();
  if (!widest || !parse_isa("x86-64-v3") || *widest < *parse_isa("x86-64-v3")) GTEST_SKIP() << "it wants AVX2";
  const auto begin = std::chrono::steady_clock::now();
  ::setenv("ALNSMITH_ISA", "scalar", 1);
  const Finished got = alnsmith({"tune", "--calibrate"});
  ::unsetenv("ALNSMITH_ISA");
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_NE(got.out.find(folder.path(core_file())), std::string::npos) << got.out;
  const auto core = nlohmann::json::parse(testing::read_file(folder.path(core_file())));
  EXPECT_GT(core.at("ghz"), 0.3);
  EXPECT_LT(core.at("ghz"), 10);
  EXPECT_EQ(core.contains("wide"), *parse_isa("x86-64-v4") <= *widest);
  for (const char *rate : {"any", "maxima", "compares", "saturating"}) {
    EXPECT_GT(core.at("narrow").at(rate), 0.3) << rate;
    EXPECT_LT(core.at("narrow").at(rate), 9) << rate;
  }
}

TEST_F(TuneLimits, ACalibratedCoreGivesThem) {
  if (cpu_class() == "generic") GTEST_SKIP() << "no x86-64";
  const auto of_core = [&](double ghz) {
    write_core(core(ghz));
    const Finished got = tune({spec()});
    EXPECT_EQ(got.status, 0) << got.err;
    return limit().value_or(0);
  };
  const double slow = of_core(1);
  EXPECT_GT(slow, 0);
  EXPECT_NEAR(of_core(3), 3 * slow, 0.01 * slow);
}

// It costs its own limits: kernels, and limits of the model where that knows the core, are as without it.
TEST_F(TuneLimits, ADamagedCoreFileIsLeftOut) {
  const Finished without = tune({spec()});
  ASSERT_EQ(without.status, 0) << without.err;
  const auto known = limit();
  write_core(core(2).substr(0, 20));
  const Finished got = tune({spec()});
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_NE(got.err.find(cpu_class() + ".json is no measured core"), std::string::npos) << got.err;
  EXPECT_EQ(limit(), known);

  const std::string generator = fs::path(testing::program()).parent_path().string() + "/alnsmith-generate";
  for (const std::string &path : {folder.path(core_file()), folder.path("none.json")}) {
    const auto generate = [&](const std::vector<std::string> &words) {
      std::vector<std::string> all = {"/usr/bin/env", "ALNSMITH_CORE=" + path, generator};
      all.insert(all.end(), words.begin(), words.end());
      return testing::run(all);
    };
    const Finished plain = generate({"generate", spec(), "--target", "scalar", "-o", folder.path("texts")});
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(plain.err, "");
    for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
             {"generate", spec(), "--target", "x86-64-v3", "-o", folder.path("texts"), "--explain"},
             {"text", spec(), "--target", "x86-64-v3", "-o", folder.path("t.cpp"), "--limits",
              folder.path("l.json")}}) {
      const Finished told = generate(words);
      EXPECT_EQ(told.status, 0) << told.err;
      EXPECT_TRUE(testing::one_line(told.err)) << told.err;
      EXPECT_NE(told.err.find("ALNSMITH_CORE: " + path), std::string::npos) << told.err;
    }
    EXPECT_NE(testing::read_file(folder.path("l.json")).find("AMD Zen 4"), std::string::npos);
  }
}

// Prepared kernels have limits of the model's cores: those count where the machine that runs them has a file of its
// own.
TEST_F(TuneLimits, ACalibrationTakesNoneFromPreparedKernels) {
  const std::string prepared = folder.path("prepared");
  const Finished made = alnsmith({"tune", spec(), "--prepare", prepared, "--cells", "200000", "--quiet"});
  ASSERT_EQ(made.status, 0) << made.err;
  ASSERT_EQ(tune({"--run", prepared}).status, 0);
  const auto known = limit();
  if (!known) GTEST_SKIP() << "the model does not know " << cpu_class();
  write_core(core(2));
  ASSERT_EQ(tune({"--run", prepared}).status, 0);
  EXPECT_EQ(limit(), known);
}

}  // namespace
}  // namespace alnsmith::tool::tune
