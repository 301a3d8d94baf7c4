// Where results go: complete files or none, devices, full disks and closed pipes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "common/output.h"
#include "program.h"

namespace alnsmith::testing {
namespace {

TEST(OutputFile, AppearsOnlyWhenFinished) {
  const Folder folder;
  {
    auto out = tool::Output::open(folder.path("o.tsv"));
    ASSERT_TRUE(out);
    out->text("q\tt\t-12\n");
    EXPECT_EQ(folder.entries().size(), 1U);  // the temporary file
    EXPECT_NE(folder.entries()[0], "o.tsv");
    ASSERT_TRUE(out->finish());
  }
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"o.tsv"});
  EXPECT_EQ(read_file(folder.path("o.tsv")), "q\tt\t-12\n");
}

TEST(OutputFile, LeavesNothingAndTheOldFileWhenAbandoned) {
  const Folder folder;
  const std::string path = folder.write("o.tsv", "old");
  {
    auto out = tool::Output::open(path);
    ASSERT_TRUE(out);
    out->text("new");
    ASSERT_TRUE(out->flush());
  }
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"o.tsv"});
  EXPECT_EQ(read_file(path), "old");
}

TEST(OutputFile, KeepsModeAndSymbolicLink) {
  const Folder folder;
  const std::string path = folder.write("real.tsv", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_EQ(::symlink("real.tsv", folder.path("link.tsv").c_str()), 0);
  auto out = tool::Output::open(folder.path("link.tsv"));
  ASSERT_TRUE(out);
  out->text("new");
  ASSERT_TRUE(out->finish());
  EXPECT_EQ(read_file(path), "new");
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640U);
  ASSERT_EQ(::lstat(folder.path("link.tsv").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
}

TEST(OutputFile, RefusesFoldersAndPlacesThatAreNot) {
  const Folder folder;
  const std::string file = folder.write("file", "");
  for (const std::string &path : {folder.path(""), folder.path("none/o.tsv"), file + "/o.tsv"}) {
    const auto out = tool::Output::open(path);
    ASSERT_FALSE(out);
    EXPECT_NE(out.error().message.find("cannot be written"), std::string::npos);
    EXPECT_EQ(out.error().exit_code, 1);
  }
}

TEST(OutputFile, AFullDeviceIsAnErrorAtTheLatestInFinish) {
  auto out = tool::Output::open("/dev/full");
  ASSERT_TRUE(out);
  out->text("x");
  const Status done = out->finish();
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("No space left"), std::string::npos);
}

TEST(OutputOfHelp, AFullDeviceIsOneLine) {
  const Finished got = alnsmith({"--help"}, "", "/dev/full");
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err)) << got.err;
}

class OutputOfAlign : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    spec = folder.write("strict.yaml", strict_spec);
    fasta = folder.write("a.fa", ">a\nACGT\n>b\nGGT\n");
    for (int i = 0; i < 20000; ++i) text += ">record" + std::to_string(i) + "\nA\n";
    many = folder.write("many.fa", text);
  }
  std::vector<std::string> words(const std::string &input, const std::string &out) const {
    return {"align", "--spec", spec, "--query", input, "--target", input, "--out", out};
  }
  Folder folder, results;
  std::string spec, fasta, many, text;
};

TEST_F(OutputOfAlign, AFullDeviceIsOneLine) {
  const Finished to_stdout = alnsmith({"align", "--spec", spec, "--query", fasta, "--target", fasta}, "", "/dev/full");
  const Finished to_file = alnsmith(words(fasta, "/dev/full"));
  for (const Finished &got : {to_stdout, to_file}) {
    EXPECT_EQ(got.status, 1);
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_NE(got.err.find("No space left"), std::string::npos) << got.err;
  }
}

TEST_F(OutputOfAlign, AFileThatCannotGrowLeavesNothing) {
  ASSERT_EQ(alnsmith(words(many, results.path("warm.tsv"))).status, 0);  // kernels are in the cache now
  ::unlink(results.path("warm.tsv").c_str());
  const std::string command = "ulimit -f 100; exec '" + program() + "' align --spec '" + spec + "' --query '" + many +
                              "' --target '" + many + "' --out '" + results.path("o.tsv") + "'";
  const Finished got = run({"/bin/sh", "-c", command});
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_TRUE(results.entries().empty());
}

TEST_F(OutputOfAlign, AFolderThatIsNotThereIsNamed) {
  const Finished got = alnsmith(words(fasta, folder.path("none/o.tsv")));
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_NE(got.err.find("none/o.tsv"), std::string::npos);
}

TEST_F(OutputOfAlign, AnInputIsNotOverwritten) {
  const Finished got = alnsmith(words(fasta, fasta));
  EXPECT_EQ(got.status, 2);
  EXPECT_EQ(read_file(fasta), ">a\nACGT\n>b\nGGT\n");
}

TEST_F(OutputOfAlign, AClosedPipeIsSilent) {
  const Finished got = run({"/bin/sh", "-c",
                            "'" + program() + "' align --spec '" + spec + "' --query '" + many + "' --target '" + many +
                                "' --quiet | head -n 1"});
  EXPECT_EQ(got.out, "#query\ttarget\tscore\n");
  EXPECT_EQ(got.err, "");
}

}  // namespace
}  // namespace alnsmith::testing
