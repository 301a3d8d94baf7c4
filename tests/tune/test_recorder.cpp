// The result file: appended, locked, torn ends cut off.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "program.h"
#include "records.h"
#include "tune/recorder.h"

namespace alnsmith::tool::tune {
namespace {

using testing::Folder;

TEST(TuneRecorder, AppendsAndGoesOn) {
  const Folder folder;
  const std::string path = folder.path("a.jsonl");
  {
    auto recorder = Recorder::open(path, false);
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(recorder->append({record_of(4, 1), record_of(5, 2)}));
  }
  const auto refused = Recorder::open(path, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, 2);
  EXPECT_NE(refused.error().message.find("--resume"), std::string::npos);
  auto again = Recorder::open(path, true);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->records().size(), 2U);
  ASSERT_TRUE(again->append({record_of(6, 3)}));
  const auto all = read_recording(path);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->records.size(), 3U);
  EXPECT_EQ(all->records[2], record_of(6, 3));
}

TEST(TuneRecorder, ATornLineIsCutOff) {
  const Folder folder;
  const std::string whole = record_line(record_of(4, 1)) + record_line(record_of(5, 2));
  for (const std::size_t part : {std::size_t{1}, std::size_t{40}, record_line(record_of(6, 3)).size() - 2}) {
    const std::string path = folder.write("t.jsonl", whole + record_line(record_of(6, 3)).substr(0, part));
    {
      auto recorder = Recorder::open(path, true);
      ASSERT_TRUE(recorder) << recorder.error().message;
      EXPECT_EQ(recorder->records().size(), 2U);
      ASSERT_TRUE(recorder->append({record_of(7, 4)}));
    }
    EXPECT_EQ(testing::read_file(path), whole + record_line(record_of(7, 4)));
  }
  // A whole line that only lacks its end is kept.
  const std::string path = folder.write("o.jsonl", whole.substr(0, whole.size() - 1));
  auto recorder = Recorder::open(path, true);
  ASSERT_TRUE(recorder);
  EXPECT_EQ(recorder->records().size(), 2U);
  ASSERT_TRUE(recorder->append({record_of(7, 4)}));
  EXPECT_EQ(testing::read_file(path), whole + record_line(record_of(7, 4)));
}

TEST(TuneRecorder, OneRunAtATimeAndNothingLeftOfNone) {
  const Folder folder;
  const std::string path = folder.path("l.jsonl");
  {
    const auto first = Recorder::open(path, false);
    ASSERT_TRUE(first);
    const auto second = Recorder::open(path, true);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("another run"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(Recorder::open(folder.path("no/such/folder.jsonl"), false));
  EXPECT_FALSE(Recorder::open("/dev/null", false));
  folder.write("bad.jsonl", "{\"schema_version\": \"9.0.0\"}\n");
  EXPECT_FALSE(Recorder::open(folder.path("bad.jsonl"), true));
}

}  // namespace
}  // namespace alnsmith::tool::tune
