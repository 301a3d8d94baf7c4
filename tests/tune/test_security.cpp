// What others wrote chooses neither what is executed nor what is written: specs, recordings, tuned tables and prepared
// folders with values made to do so (docs/security.md).
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "program.h"
#include "tune/record.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using testing::alnsmith;
using testing::Finished;

// The planner begins at int8: there is no circuit for it.
const std::string head =
    "version: 1\nname: tiny\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
    "score: {match: 3, mismatch: -1}\n";

class Security : public ::testing::Test {
 protected:
  std::string spec(const std::string &tune) const { return folder.write("tiny.yaml", head + "tune: {" + tune + "}\n"); }
  std::string out() const { return folder.path("out.jsonl"); }
  // A script that leaves a mark where it runs.
  std::string canary() const {
    const std::string path = folder.write("canary.sh", "#!/bin/sh\ntouch " + folder.path("ran") + "\nexit 1\n");
    ::chmod(path.c_str(), 0755);
    return path;
  }
  bool ran() const { return fs::exists(folder.path("ran")); }
  static void expect_refused(const Finished &got, const std::string &why) {
    EXPECT_EQ(got.status, 1) << got.out << got.err;
    EXPECT_TRUE(testing::one_line(got.err)) << got.err;
    EXPECT_NE(got.err.find(why), std::string::npos) << got.err;
  }
  // The shipped recording with `key` of each line set.
  std::string recording_with(const std::string &key, const ordered_json &value) const {
    std::istringstream in(testing::read_file(testing::data_file("tuning/dna-global-affine-x86-64-v4.jsonl")));
    std::string text;
    for (std::string line; std::getline(in, line);) {
      ordered_json json = ordered_json::parse(line);
      json[ordered_json::json_pointer(key)] = value;
      text += json.dump() + "\n";
    }
    return folder.write("changed.jsonl", text);
  }
  std::vector<std::string> quick(const std::string &file, const std::vector<std::string> &more) const {
    std::vector<std::string> words = {"tune",       file,         "--out",     out(), "--cells",         "200000",
                                      "--strategy", "exhaustive", "--repeats", "3",   "--final-repeats", "15",
                                      "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  testing::Folder folder;
};

TEST_F(Security, ASpecStartsNoProgramOfItsOwn) {
  const std::string script = canary();
  for (const std::string &compiler : {script, std::string("./canary.sh"), std::string("canary.sh")}) {
    const Finished got =
        testing::run({"/usr/bin/env", "-C", folder.path(), "PATH=" + folder.path() + ":/usr/bin:/bin",
                      testing::program(), "tune", spec("k: [4], compiler: [auto, " + compiler + "]"), "--out", out()});
    expect_refused(got, "`tune.compiler` takes text");
    EXPECT_NE(got.err.find("--compiler"), std::string::npos) << got.err;
  }
  EXPECT_FALSE(ran());
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Security, TheCommandLineMay) {
  ALNSMITH_NEEDS_KERNELS();
  const Finished got = alnsmith(quick(spec("k: [4]"), {"--compiler", "auto", "--compiler", canary()}));
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_TRUE(ran());
}

TEST_F(Security, ARecordingDoesNotChooseWhereTablesLie) {
  fs::create_directories(folder.path("a/tuned"));
  for (const std::string target :
       {"../../stolen", "../stolen", "x/../../stolen", "/tmp/stolen", "..", "", "X", "a b"}) {
    const std::string file = recording_with("/target", target);
    expect_refused(testing::run({"/usr/bin/env", "-C", folder.path("a"), testing::program(), "tune", "apply", file}),
                   "'target' is");
    EXPECT_EQ(folder.entries(), (std::vector<std::string>{"a", "changed.jsonl"}));
  }
}

TEST_F(Security, OnlyWhatTheSpaceHasIsBuiltAgain) {
  ALNSMITH_NEEDS_KERNELS();
  const std::string file = spec("k: [4, 6]");
  ASSERT_EQ(alnsmith(quick(file, {})).status, 0);
  auto recording = read_recording(out());
  ASSERT_TRUE(recording);
  std::string text;
  Record best;
  for (const Record &record : recording->records) {
    if (record.search.strategy == "final") continue;
    if (!record.search.model) best = record;
    text += record_line(record);
  }
  best.configuration = {{"k", std::int64_t{3}}, {"mapping", "lanes,k=1"}};
  for (Measurement &one : best.measurements)
    if (one.name == "gcups" || one.name == "relative") one.value = 1e6;
  folder.write("out.jsonl", text + record_line(best));
  const Finished got = alnsmith(quick(file, {"--resume"}));
  ASSERT_EQ(got.status, 0) << got.err;
  recording = read_recording(out());
  ASSERT_TRUE(recording);
  for (const Record &record : recording->records) {
    if (record.search.strategy == "final") {
      EXPECT_NE(record.configuration, best.configuration);
    }
  }
}

// What a prepared folder's parts may be.
TEST_F(Security, APreparedFolderIsLoadedByTheRuleOfPacks) {
  ALNSMITH_NEEDS_KERNELS();
  const std::string sound = folder.path("sound"), changed = folder.path("changed");
  ASSERT_EQ(alnsmith({"tune", spec("k: [4]"), "--prepare", sound, "--cells", "200000", "--quiet"}).status, 0);
  std::vector<std::string> parts, objects;  // relative
  for (const auto &entry : fs::recursive_directory_iterator(sound)) {
    if (entry.path().extension() == ".so") objects.push_back(fs::relative(entry.path(), sound).string());
    if (entry.is_regular_file()) parts.push_back(fs::relative(entry.path(), sound).string());
  }
  ASSERT_FALSE(objects.empty());
  const auto measure = [&](const std::string &why) {
    const Finished got = alnsmith({"tune", "--run", changed, "--out", out(), "--repeats", "3", "--final-repeats", "15",
                                   "--strategy", "exhaustive", "--quiet"});
    if (why.empty()) {
      EXPECT_EQ(got.status, 0) << got.err;
      fs::remove(out());
    } else {
      expect_refused(got, why);
      EXPECT_FALSE(fs::exists(out())) << testing::read_file(out());
      fs::remove(out());
    }
  };
  const auto renew = [&] {
    fs::remove_all(changed);
    fs::copy(sound, changed, fs::copy_options::recursive);
  };
  renew();
  measure("");
  const auto in_builds = [](const std::string &part) { return part.starts_with("builds/"); };
  const std::string model = [&] {  // of the candidate that is measured first
    for (const std::string &part : objects)
      if (part.find("k=6") != std::string::npos) return fs::path(part).parent_path().string();
    return std::string();
  }();
  ASSERT_FALSE(model.empty());
  for (const std::string &part : parts) {
    if (in_builds(part) && !part.starts_with(model)) continue;
    SCOPED_TRACE(part);
    renew();
    ::chmod((changed + "/" + part).c_str(), 0646);
    measure("others may write to it");
    if (::geteuid() == 0) {
      renew();
      ASSERT_EQ(::chown((changed + "/" + part).c_str(), 12345, 12345), 0);
      measure("another user");
    }
    if (part == "job.json" || part.ends_with("build.json")) continue;  // they hold the hashes
    renew();
    std::ofstream(changed + "/" + part, std::ios::app) << "x";
    measure(in_builds(part) ? "are not those that it lists" : "does not have its hash");
  }
  renew();
  ::chmod((changed + "/" + model).c_str(), 0777);
  measure("others may write to it");
  renew();
  ::chmod(changed.c_str(), 0777);
  measure("others may write to it");
  renew();  // found before the right one, were it not for the list
  fs::copy(sound + "/" + objects.front(), changed + "/" + model + "/aaa.so");
  measure("are not those that it lists");
  renew();
  for (const std::string &part : objects)
    if (!part.starts_with(model)) {
      fs::remove_all(changed + "/" + model);
      fs::copy(fs::path(sound + "/" + part).parent_path(), changed + "/" + model);
      break;
    }
  measure("is of another candidate");
  renew();
  fs::rename(changed, folder.path("moved"));  // a link of the user's own is no obstacle
  fs::create_directory_symlink(folder.path("moved"), changed);
  measure("");
}

TEST_F(Security, NoTreeIsDeeperThanTheStack) {
  const std::string nest = std::string(400000, '[') + std::string(400000, ']');
  const std::string good = testing::data_file("tuning/dna-global-affine-x86-64-v4.jsonl");
  const std::string table =
      folder.write("t.json", R"({"schema":1,"target":"x86-64-v4","rows":[{"spec":"s","x":)" + nest + "}]}");
  expect_refused(alnsmith({"tune", "apply", good, "-o", table}), "t.json");
  const std::string recording = folder.write("r.jsonl", R"({"schema_version":)" + nest + "}\n");
  for (const std::string command : {"show", "replay", "apply"})
    expect_refused(alnsmith({"tune", command, recording}), "r.jsonl:1: 'schema_version'");
  fs::create_directory(folder.path("tuned"));
  folder.write("tuned/x86-64-v4.json", R"({"schema":1,"target":"x86-64-v4","rows":[{"spec":"s","choice":{"k":)" +
                                           nest.substr(200000, 400000) + "}}]}");
  if (!testing::have_kernels()) return;
  const std::string generator = fs::path(testing::program()).parent_path().string() + "/alnsmith-generate";
  const Finished got = testing::run({generator, "plan", testing::shipped_spec("dna-global-affine"), "--target",
                                     "x86-64-v4", "--tuned", folder.path("tuned")});
  expect_refused(got, "nested too deep");
}

TEST_F(Security, NoTerminalTakesOrdersFromAFile) {
  const std::string evil = "\x1b[2J\x1b]0;x\a\nalnsmith: ok\r\xe2\x80\xae";
  for (const std::string key : {"/spec/name", "/device", "/mode", "/environment/cpu", "/configuration/arithmetic",
                                "/environment/device_name", "/search/strategy", "/measurements/0/unit", "/spec/hash"}) {
    SCOPED_TRACE(key);
    const std::string file = recording_with(key, evil);
    for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
             {"tune", "show", file}, {"tune", "apply", file, "-o", folder.path("t.json")}, {"tune", "replay", file}}) {
      const Finished got = alnsmith(words);
      for (const std::string &text : {got.out, got.err}) {
        EXPECT_EQ(text.find_first_of("\x1b\a\r\xe2"), std::string::npos) << text;
        EXPECT_EQ(text.find("\nalnsmith: ok"), std::string::npos) << text;
      }
      fs::remove(folder.path("t.json"));
    }
  }
  const Finished got = alnsmith({"tune", "show", folder.path("\x1b[2Jx\ny")});
  EXPECT_TRUE(testing::one_line(got.err)) << got.err;
  EXPECT_EQ(got.err.find('\x1b'), std::string::npos);
}

// Whoever may write to the folder may guess the name of the file that is renamed.
TEST_F(Security, ALinkBesideAFileIsNotFollowed) {
  const std::string victim = folder.write("victim", "mine");
  const std::string path = folder.path("table.json");
  std::string guessed = rt::temporary_beside(path);  // ".tmp-<pid>-<count>", and the next ones
  const std::size_t count = guessed.rfind('-') + 1;
  const int first = std::stoi(guessed.substr(count));
  for (int i = first; i < first + 40; ++i)
    fs::create_symlink(victim, guessed.replace(count, std::string::npos, std::to_string(i)));
  ASSERT_TRUE(rt::write_file(path, "new"));
  EXPECT_EQ(testing::read_file(victim), "mine");
  EXPECT_EQ(testing::read_file(path), "new");
  EXPECT_FALSE(fs::is_symlink(path));
}

}  // namespace
}  // namespace alnsmith::tool::tune
