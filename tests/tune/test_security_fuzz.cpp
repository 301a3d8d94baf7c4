// Specs, recordings, tuned tables and prepared folders with hostile values in any place, seeded: no program is started
// but compilers of the list, no file is made outside the run's own folders, nothing hangs or crashes, and what fails
// says so in one line that no terminal takes orders from. A few seconds; ALNSMITH_FULL=1: some thousand runs.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "full_run.h"
#include "program.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::Finished;

// Every key of a spec that takes a text, and some that take numbers.
const std::string whole_spec =
    "version: 1\nname: tiny\nalignment: {free_ends: [target_begin, target_end]}\n"
    "gap: {model: affine, open: 2, extend: 1}\nalphabet: {letters: ACGT, wildcard: N}\n"
    "score: {matrix: ./m.mat}\nobjective: maximize\nmax_length: {query: 512, target: 512}\noutput: [score, end]\n"
    "mapping: lanes\narithmetic: int16\nhalf_precision: off\ntile: {k: 4, scalar: {k: 4}}\ntargets: [scalar, opencl]\n"
    "tune: {k: [4], arithmetic: [int16], mapping: [lanes], compiler: [auto, g++], budget: 1runs,\n"
    "  constraints: [\"k < 9\", {expression: \"compiler != 'g++-9'\", reason: why}]}\n";
const std::string matrix =
    "# a matrix\n   A  C  G  T  N\nA  1 -1 -1 -1 -1\nC -1  1 -1 -1 -1\nG -1 -1  1 -1 -1\n"
    "T -1 -1 -1  1 -1\nN -1 -1 -1 -1 -1\n";

class Hostile : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char *name : {"a/b/work/tuned", "bin", "home", "tmp", "cache"})
      fs::create_directories(folder.path(name));
    // Compilers of the list write down that they were called; anything else leaves a mark.
    for (const std::string name : {"clang++", "clang", "g++", "gcc", "c++", "nvcc", "clang++-22", "clang++-21",
                                   "clang++-20", "clang++-19", "clang-22", "g++-9"})
      script("bin/" + name, "echo " + name + " >>" + folder.path("called") +
                                "\n[ \"$1\" = --version ] && echo 'clang version 22.0.0' && exit 0\nexit 1\n");
    for (const std::string name : {"canary.sh", "bin/canary.sh", "bin/sh", "bin/touch", "bin/evil",
                                   "a/b/work/canary.sh", "a/canary.sh", "bin/as", "bin/id"})
      script(name, "echo \"$0\" >>" + folder.path("ran") + "\n");
    values_ = {folder.path("canary.sh"),
               "./canary.sh",
               "canary.sh",
               "evil",
               "../../canary.sh",
               folder.path("stolen"),
               "../stolen",
               "x/../../../stolen",
               "..",
               "/",
               "",
               "-o" + folder.path("stolen"),
               "--templates=" + folder.path("a"),
               "--version",
               "$(touch stolen)",
               "`touch stolen`",
               ";touch stolen;",
               "| touch stolen",
               "g++ canary.sh",
               "lanes,k=1",
               "\"; int evil = system(\"canary.sh\"); //",
               "*/ #include \"/etc/passwd\" /*",
               "// \\",
               ")json\"",
               "'\\''",
               "</script><script>alert(1)</script>",
               "<!--",
               "${jndi}",
               "%s%n%s%n",
               "{}{0}{1}",
               std::string("a\0b", 3),
               "a\nalnsmith: ok",
               "\x1b[2J\x1b]0;x\a",
               "\xe2\x80\xae\xe2\x80\x8b",
               "\xff\xfe\xc0",
               std::string(100000, 'A'),
               "NaN",
               "18446744073709551615",
               "-9223372036854775808"};
  }
  void script(const std::string &name, const std::string &body) const {
    ::chmod(folder.write(name, "#!/bin/sh\n" + body).c_str(), 0755);
  }

  std::size_t below(std::size_t n) { return engine_() % n; }
  std::string value() { return values_[below(values_.size())]; }
  // A value for a place in JSON: a text, or what is none.
  Json any() {
    Json nest = 1;
    for (std::size_t i = below(80); i > 0; --i) nest = Json::array({nest});
    const std::vector<Json> others = {nullptr,
                                      true,
                                      -1,
                                      0,
                                      1e308,
                                      1.5,
                                      UINT64_MAX,
                                      INT64_MIN,
                                      Json::array(),
                                      Json::object(),
                                      nest,
                                      Json::array({value()}),
                                      {{value(), value()}}};
    return below(3) == 0 ? others[below(others.size())] : Json(value());
  }
  std::string text_of(const Json &json) const { return json.dump(-1, ' ', false, Json::error_handler_t::ignore); }
  // A JSON text with one to three places changed: a value, a key, or a few bytes.
  std::string mutated(const std::string &text) {
    if (below(8) == 0) {
      std::string torn = text;
      for (std::size_t i = 1 + below(4); i > 0; --i) torn[below(torn.size())] = static_cast<char>(engine_());
      return torn;
    }
    Json json = Json::parse(text);
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      Json flat;
      try {
        flat = json.flatten();
      } catch (const Json::exception &) {
        break;
      }
      if (flat.empty()) break;
      Json::json_pointer place(std::next(flat.begin(), static_cast<std::ptrdiff_t>(below(flat.size()))).key());
      for (std::size_t up = below(3); up > 0 && !place.parent_pointer().empty(); --up) place = place.parent_pointer();
      try {
        Json &parent = json[place.parent_pointer()];
        if (parent.is_object() && below(5) == 0) {
          parent[value()] = any();
          if (below(2)) parent.erase(place.back());
        } else {
          json[place] = any();
        }
      } catch (const Json::exception &) {  // a place that is gone by now
      }
    }
    return text_of(json);
  }
  // A spec in which one word is another: as it is, or quoted as YAML would have it.
  std::string mutated_spec() {
    std::vector<std::pair<std::size_t, std::size_t>> words;  // where they begin and end
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("+-_./", c); };
    for (std::size_t at = 0; at < whole_spec.size();) {
      std::size_t end = at;
      while (end < whole_spec.size() && in_word(whole_spec[end])) ++end;
      if (end > at) words.emplace_back(at, end);
      at = end + 1;
    }
    std::string text = whole_spec;
    const auto [begin, end] = words[below(words.size())];
    return text.replace(begin, end - begin, below(3) == 0 ? value() : text_of(Json(value())));
  }

  Finished run(std::vector<std::string> words) const {
    std::vector<std::string> all = {"/usr/bin/env",
                                    "-i",
                                    "-C",
                                    folder.path("a/b/work"),
                                    "PATH=" + folder.path("bin"),
                                    "HOME=" + folder.path("home"),
                                    "TMPDIR=" + folder.path("tmp"),
                                    "ALNSMITH_CACHE=" + folder.path("cache"),
                                    "/usr/bin/timeout",
                                    "-s",
                                    "KILL",
                                    "100",
                                    testing::program()};
    all.insert(all.end(), words.begin(), words.end());
    return testing::run(all);
  }
  // All but the folders that a run may write to.
  std::set<std::string> outside() const {
    std::set<std::string> names;
    for (fs::recursive_directory_iterator at(folder.path()), end; at != end; ++at) {
      const std::string name = fs::relative(at->path(), folder.path()).string();
      if (name == "a/b/work" || name == "home" || name == "tmp" || name == "cache") at.disable_recursion_pending();
      if (name != "called") names.insert(name);
    }
    return names;
  }
  void check(const std::vector<std::string> &words) {
    ++runs_;
    const Finished got = run(words);
    std::string said;
    for (const std::string &word : words) said += word.substr(0, 200) + " ";
    SCOPED_TRACE(said);
    EXPECT_TRUE(got.status == 0 || got.status == 1 || got.status == 2) << got.status << ": " << got.err;
    EXPECT_TRUE(got.status == 0 || testing::one_line(got.err)) << got.err;
    for (const std::string &text : {got.out, got.err})
      EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }))
          << text;
    EXPECT_EQ(got.err.find("internal error"), std::string::npos) << got.err;
    ASSERT_EQ(testing::read_file(folder.path("ran")), "");
    ASSERT_EQ(outside(), before_);
  }
  // For as long as rounds are to go on.
  template <class Round>
  void rounds(std::size_t usual, Round round) {
    before_ = outside();
    const bool full = sample::full();
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < (full ? 40 * usual : usual) && !HasFatalFailure(); ++i) {
      if (!full && i > 2 && std::chrono::steady_clock::now() - begin > std::chrono::seconds(4)) break;
      SCOPED_TRACE(i);
      engine_.seed(static_cast<unsigned>(i + 1));
      round();
    }
    std::cout << runs_ << " runs\n";
  }
  std::string work(const std::string &name) const { return folder.path("a/b/work/" + name); }
  std::string shipped_recording() const {
    return testing::read_file(testing::data_file("tuning/dna-global-affine-x86-64-v4.jsonl"));
  }

  testing::Folder folder;
  std::vector<std::string> values_;
  std::mt19937 engine_;
  std::set<std::string> before_;
  std::size_t runs_ = 0;
};

TEST_F(Hostile, Specs) {
  folder.write("a/b/work/m.mat", matrix);
  folder.write("a/b/work/q.fa", ">q\nACGT\n");
  rounds(20, [&] {
    folder.write("a/b/work/s.yaml", runs_ == 0 ? whole_spec : mutated_spec());
    fs::remove(work("o.jsonl"));
    check({"spec", "check", "s.yaml"});
    check({"align", "--spec", "s.yaml", "--query", "q.fa", "--target", "q.fa", "--out", "o.tsv", "--quiet"});
    if (!testing::have_kernels()) return;
    check({"tune", "s.yaml", "--target", "scalar", "--budget", "2", "--out", "o.jsonl", "--quiet", "--cells", "1000"});
    check({"generate", "s.yaml", "--target", "scalar", "-o", "kernels"});
  });
  std::istringstream called(testing::read_file(folder.path("called")));
  std::size_t count = 0;
  for (std::string name; called >> name; ++count) EXPECT_TRUE(fs::exists(folder.path("bin/" + name))) << name;
  EXPECT_TRUE(count > 0 || !testing::have_kernels());  // it does come to starting compilers
}

TEST_F(Hostile, Recordings) {
  const std::string good = shipped_recording();
  std::vector<std::string> lines;
  std::istringstream in(good);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  folder.write("a/b/work/s.yaml", testing::read_file(testing::shipped_spec("dna-global-affine")));
  rounds(25, [&] {
    std::string text;
    const std::size_t changed = below(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i == changed ? mutated(lines[i]) : lines[i]) + "\n";
    folder.write("a/b/work/r.jsonl", text);
    check({"tune", "show", "r.jsonl"});
    check({"tune", "apply", "r.jsonl"});
    check({"tune", "replay", "r.jsonl"});
    check({"tune", "report", "r.jsonl", "-o", "r.html"});
  });
}

TEST_F(Hostile, TunedTables) {
  const std::string sound =
      R"({"schema": 1, "target": "scalar", "rows": [{"name": "tiny", "spec": "", "cpu": "znver4",)"
      R"( "kernel": {"form": "pairwise", "arithmetic": "int16"}, "choice": {"k": 4, "mapping": "lanes", "arithmetic": "int16"}}]})";
  folder.write("a/b/work/m.mat", matrix);
  folder.write("a/b/work/s.yaml", whole_spec);
  folder.write("a/b/work/q.fa", ">q\nACGT\n");
  folder.write("a/b/work/good.jsonl", shipped_recording());
  const Finished shown = run({"spec", "show", "s.yaml"});
  const std::size_t at = shown.out.find("# hash ");
  ASSERT_NE(at, std::string::npos) << shown.err;
  Json table = Json::parse(sound);
  table["rows"][0]["spec"] = shown.out.substr(at + 7, 64);
  table["rows"][0].erase("cpu");
  rounds(15, [&] {
    folder.write("a/b/work/tuned/scalar.json", mutated(table.dump()));
    folder.write("a/b/work/t.json", mutated(sound));
    check({"tune", "apply", "good.jsonl", "-o", "t.json"});
    check({"align", "--spec", "s.yaml", "--tuned", "tuned", "--query", "q.fa", "--target", "q.fa", "--out", "o.tsv",
           "--quiet"});
  });
}

TEST_F(Hostile, PreparedFolders) {
  ALNSMITH_NEEDS_KERNELS();
  folder.write("a/b/work/s.yaml",
               "version: 1\nname: tiny\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
               "score: {match: 2, mismatch: -1}\ntune: {k: [4]}\n");
  const Finished made = testing::alnsmith(
      {"tune", work("s.yaml"), "--prepare", work("sound"), "--target", "scalar", "--cells", "2000", "--quiet"});
  ASSERT_EQ(made.status, 0) << made.err;
  std::vector<std::string> indices;
  for (const auto &entry : fs::recursive_directory_iterator(work("sound")))
    if (entry.path().extension() == ".json") indices.push_back(fs::relative(entry.path(), work("sound")).string());
  std::ranges::sort(indices);
  rounds(15, [&] {
    fs::remove_all(work("p"));
    fs::copy(work("sound"), work("p"), fs::copy_options::recursive);
    fs::remove(work("o.jsonl"));
    const std::string index = "a/b/work/p/" + indices[below(2) ? indices.size() - 1 : below(indices.size())];
    folder.write(index, mutated(testing::read_file(folder.path(index))));
    std::vector<std::string> words = {"tune", "--run", "p", "--repeats", "1", "--quiet", "--run-timeout", "5"};
    if (below(2)) words.insert(words.end(), {"--out", "o.jsonl"});
    check(words);
    for (const auto &entry : fs::directory_iterator(folder.path("a/b/work")))
      if (entry.path().extension() == ".jsonl") fs::remove(entry.path());
  });
}

}  // namespace
}  // namespace alnsmith::tool::tune
