// Help, version, exit statuses of wrong usage, a program without what stands beside it, and what the program links.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "program.h"
#include "words.h"

namespace alnsmith::testing {
namespace {

TEST(Usage, HelpGoesToStdoutAndSucceeds) {
  for (const std::vector<std::string> &words : {std::vector<std::string>{"--help"},
                                                {"align", "--help"},
                                                {"spec", "--help"},
                                                {"spec", "check", "--help"},
                                                {"devices", "--help"},
                                                {"version", "--help"}}) {
    const Finished got = alnsmith(words);
    EXPECT_EQ(got.status, 0);
    EXPECT_TRUE(has(got.out, "Usage: ")) << got.out;
    EXPECT_EQ(got.err, "");
  }
}

TEST(Usage, HelpOfAlignNamesEveryOption) {
  const std::string help = alnsmith({"align", "--help"}).out;
  for (const char *option :
       {"--spec", "--query",     "--target", "--pairs",          "--all",     "--threads", "--out",
        "--isa",  "--set",       "--matrix", "--gap-convention", "--memory",  "--quiet",   "--explain",
        "--top",  "--min-score", "--output", "--format",         "--columns", "--eqx"})
    EXPECT_TRUE(has(help, option)) << option;
}

TEST(Usage, VersionSucceeds) {
  const Finished got = alnsmith({"version"});
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.out.rfind("alnsmith ", 0), 0U);
  const Finished flag = alnsmith({"--version"});
  EXPECT_EQ(flag.status, 0);
  EXPECT_EQ(flag.out, got.out.substr(0, got.out.find('\n') + 1));
}

TEST(Usage, HelpIsASubcommandToo) {
  EXPECT_EQ(alnsmith({"help"}).out, alnsmith({"--help"}).out);
  EXPECT_EQ(alnsmith({"help", "align"}).out, alnsmith({"align", "--help"}).out);
  EXPECT_EQ(alnsmith({"help", "pack", "build"}).out, alnsmith({"pack", "build", "--help"}).out);
  const Finished unknown = alnsmith({"help", "pack", "nonsense"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.err, "alnsmith: alnsmith pack has no subcommand 'nonsense' (see `alnsmith pack --help`)\n");
}

TEST(Usage, AnErrorPointsToTheHelpOfItsSubcommand) {
  EXPECT_TRUE(has(alnsmith({"align", "--nonsense"}).err, "(see `alnsmith align --help`)"));
  EXPECT_TRUE(has(alnsmith({"pack", "build"}).err, "(see `alnsmith pack build --help`)"));
  EXPECT_TRUE(has(alnsmith({}).err, "(see `alnsmith --help`)"));
}

TEST(Usage, WrongUsageIsOneLineAndStatusTwo) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"nonsense"},
      {"--nonsense"},
      {"align"},
      {"align", "--spec", "x.yaml"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--pairs", "--all"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--threads", "-3"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--threads", "many"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--gap-convention", "other"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--memory", "2X"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--memory", "1"},
      {"align", "--spec", "x", "--query", "-", "--target", "-"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "surplus"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--format", "bam"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--output", "all"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--top", "3"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--all", "--top", "0"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--all", "--top", "-2"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--all", "--top", "some"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--min-score", "3"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--all", "--min-score", "1.5"},
      {"align", "--spec", "x", "--query", "q", "--target", "t", "--pairs", "--top", "3"},
      {"spec"},
      {"spec", "check"},
      {"spec", "nonsense"},
  };
  for (const auto &words : wrong) {
    const Finished got = alnsmith(words);
    EXPECT_EQ(got.status, 2) << got.err;
    EXPECT_TRUE(one_line(got.err)) << got.err;
    EXPECT_EQ(got.out, "");
  }
}

TEST(Usage, AnUnknownInstructionSetIsRefused) {
  const Folder folder;
  const std::string fasta = folder.write("a.fa", ">a\nA\n");
  const Finished got = alnsmith({"align", "--spec", folder.write("s.yaml", strict_spec), "--query", fasta, "--target",
                                 fasta, "--isa", "avx9000"});
  EXPECT_EQ(got.status, 2);
  EXPECT_TRUE(one_line(got.err));
  EXPECT_TRUE(has(got.err, "x86-64-v4")) << got.err;
}

TEST(Usage, AMissingSpecIsNamed) {
  const Finished got = alnsmith({"align", "--spec", "no-such-spec", "--query", "q", "--target", "t"});
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err));
  EXPECT_TRUE(has(got.err, "no-such-spec")) << got.err;
  const Finished near = alnsmith({"align", "--spec", "dna-gobal-afine", "--query", "q", "--target", "t"});
  EXPECT_EQ(near.status, 1);
  EXPECT_TRUE(has(near.err, "the nearest is dna-global-affine ")) << near.err;
  const auto said = [](const std::string &name) {
    const Finished got = alnsmith({"align", "--spec", name, "--query", "q", "--target", "t"});
    EXPECT_TRUE(got.status == 1 && one_line(got.err)) << got.err;
    return got.err;
  };
  // What contains the word goes before what is near; where nothing is like it, nothing is suggested.
  EXPECT_TRUE(has(said("protein"), "; there are protein-global-blosum62, protein-local-blosum62, ")) << said("protein");
  EXPECT_TRUE(has(said("HOXD70"), "; there is genome-local-hoxd70 (")) << said("HOXD70");
  for (const char *name : {"nw", "smith", "quite-another-thing"})
    EXPECT_TRUE(has(said(name), "no shipped spec of that name (`alnsmith spec list`")) << said(name);
}

// The program alone in a folder: no generator, no kernels, no shipped specs beside it.
Finished lonely_program(const Folder &folder, const std::vector<std::string> &arguments) {
  const std::filesystem::path copy = folder.path("alnsmith");
  std::filesystem::copy_file(program(), copy, std::filesystem::copy_options::overwrite_existing);
  std::vector<std::string> words = {"env", "LD_LIBRARY_PATH=" + std::filesystem::path(library()).parent_path().string(),
                                    "ALNSMITH_CACHE=" + folder.path("cache"), copy.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run(words);
}

TEST(GenerateCommand, SaysSoWhereThereIsNoGenerator) {
  const Folder folder;
  const Finished got = lonely_program(folder, {"generate", "x.yaml"});
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err));
  EXPECT_TRUE(has(got.err, "ALNSMITH_GENERATOR")) << got.err;
}

TEST(AlignCommand, SaysSoWhereThereIsNoKernel) {
  const Folder folder;
  const std::string fasta = folder.write("a.fa", ">a\nA\n");
  const Finished got = lonely_program(
      folder, {"align", "--spec", folder.write("s.yaml", strict_spec), "--query", fasta, "--target", fasta});
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_EQ(got.out, "");
}

// The program and the library start without LLVM; the library without YAML too.
TEST(Linkage, NoLlvmInTheProgramAndNoYamlInTheLibrary) {
  const Finished in_program = run({"readelf", "-d", program()}), in_library = run({"readelf", "-d", library()});
  ASSERT_EQ(in_program.status, 0);
  ASSERT_EQ(in_library.status, 0);
  for (const std::string &words : {in_program.out, in_library.out}) {
    EXPECT_FALSE(has(words, "LLVM")) << words;
    EXPECT_FALSE(has(words, "clang")) << words;
  }
  EXPECT_FALSE(has(in_library.out, "yaml")) << in_library.out;
}

}  // namespace
}  // namespace alnsmith::testing
