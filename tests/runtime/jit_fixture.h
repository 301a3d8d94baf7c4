// What tests of generation at run time start from: a spec, a stand-in for the generator that warnings its starts, a
// cache.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "scratch.h"
#include "tiny.h"

namespace jit {

using namespace alnsmith;
namespace fs = std::filesystem;

inline const std::string kHash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

class Jit : public testing::Test {
 protected:
  void SetUp() override {
    log_ = root_ + "/log";
    ::setenv("FAKE_LOG", log_.c_str(), 1);
    ::unsetenv("ALNSMITH_ISA");
    ::unsetenv("ALNSMITH_CXX");
    ::unsetenv("ALNSMITH_TUNED");
    ::setenv("XDG_DATA_HOME", (root_ + "/data").c_str(), 1);
    sources_.cache_dir = root_ + "/deep/cache";
    sources_.generator = std::string(FAKE_DIR) + "/fake_generator";
    options_.isa = Isa{};
    write("name: fake\n");
  }
  void TearDown() override {
    ::unsetenv("FAKE_LOG");
    fs::permissions(root_, fs::perms::owner_all);
  }

  void write(const std::string &text) { std::ofstream(spec_.path = root_ + "/spec.yaml") << text; }

  Result<Aligner> open() { return Aligner::open(spec_, sources_, options_); }

  // Scores a few pairs; the error where that fails.
  std::string align(const Aligner &a, bool local = false) {
    const auto p = tiny::random_pairs(1, 40, 30);
    std::vector<std::int32_t> scores(p.queries.size());
    const auto r = a.align_pairs(p.query_views(), p.target_views(), scores, options_);
    if (!r) return r.error().message;
    for (std::size_t i = 0; i < scores.size(); ++i)
      EXPECT_EQ(scores[i], tiny::score(p.queries[i], p.targets[i], local));
    return "";
  }
  std::string run(bool local = false) {
    const auto a = open();
    return a ? align(*a, local) : a.error().message;
  }

  int starts() const {  // of the generator
    std::ifstream in(log_);
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
  }
  std::vector<fs::path> cached(const std::string &prefix) const {
    std::vector<fs::path> found;
    for (const auto &entry : fs::directory_iterator(sources_.cache_dir))
      if (entry.path().filename().string().rfind(prefix, 0) == 0) found.push_back(entry.path());
    return found;
  }
  static std::string joined(const std::vector<std::string> &lines) {
    std::string all;
    for (const auto &line : lines) all += line + "\n";
    return all;
  }

  scratch::Folder folder_;
  const std::string root_ = folder_.path();
  std::string log_;
  SpecRef spec_{"", "fake", kHash};
  Sources sources_;
  Options options_;
};

}  // namespace jit
