// `alnsmith generate` and `alnsmith circuits`: what the generator writes and says.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "program.h"
#include "words.h"

namespace alnsmith::testing {
namespace {

TEST(GenerateCommand, WritesReadableText) {
  ALNSMITH_NEEDS_KERNELS();
  const Folder folder;
  const std::string spec = folder.write("s.yaml", strict_spec);
  const Finished got = alnsmith({"generate", spec, "--target", "scalar", "-o", folder.path("out/deep")});
  ASSERT_EQ(got.status, 0) << got.err;
  const std::string path = got.out.substr(0, got.out.find('\n'));
  EXPECT_TRUE(has(read_file(path), "do not edit")) << path;
}

TEST(GenerateCommand, SaysWhatItSkipsAndIgnores) {
  ALNSMITH_NEEDS_KERNELS();
  const Folder folder;
  const std::string half =
      "version: 1\nname: half\nalignment: global\ngap: {model: linear, extend: 1}\nalphabet: dna\n"
      "score: {match: 2, mismatch: -1}\nhalf_precision: on\ntargets: [\"cuda:sm_50\"";  // a target that specs may name
                                                                                        // and this build does not know
  const Finished some =
      alnsmith({"generate", folder.write("some.yaml", half + ", scalar]\n"), "-o", folder.path("out")});
  EXPECT_EQ(some.status, 0) << some.err;
  EXPECT_TRUE(has(some.err, "skipped cuda:sm_50")) << some.err;
  EXPECT_TRUE(has(some.err, "the CPU targets ignore it")) << some.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path("out/half-scalar.cpp")));
  const Finished none = alnsmith({"generate", folder.write("none.yaml", half + "]\n"), "-o", folder.path("none")});
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(has(none.err, "lists no target of this build")) << none.err;
}

TEST(CircuitsCommand, TellsSearchesAndProves) {
  ALNSMITH_NEEDS_KERNELS();
  const Folder folder;
  const auto spec = [&](const std::string &name, const std::string &gap, const std::string &score) {
    return folder.write(name, "version: 1\nname: s\nalignment: global\nalphabet: dna\ngap: " + gap +
                                  "\nscore: " + score + "\narithmetic: bitsliced\ntargets: [x86-64-v4]\n");
  };
  const std::string known = spec("known.yaml", "{model: linear, extend: 1}", "{match: 2, mismatch: -1}"),
                    unknown = spec("unknown.yaml", "{model: linear, extend: 1}", "{match: 1, mismatch: 0}"),
                    large = spec("large.yaml", "{model: linear, extend: 20}", "{match: 2, mismatch: -1}"),
                    open = spec("runtime.yaml", "{model: linear, extend: runtime}", "{match: 2, mismatch: -1}");
  const Finished told = alnsmith({"circuits", known});
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_TRUE(has(told.out, "total 4, floor 1, open 0 and 0") && has(told.out, "lop3") &&
              has(told.out, "times the speed of int8"))
      << told.out;
  EXPECT_TRUE(has(alnsmith({"circuits", unknown}).out, "no circuit in this build"));
  EXPECT_TRUE(has(alnsmith({"circuits", open}).err, "there are no circuits for scoring values that are `runtime`"));
  EXPECT_TRUE(has(alnsmith({"circuits", large, "-o", folder.path("l.circuit")}).err, "differences are kept up to 31"));
  EXPECT_EQ(alnsmith({"circuits"}).status, 2);
  EXPECT_EQ(alnsmith({"circuits", known, "--gates", "tubes"}).status, 2);
  // A search, whole and in two parts.
  const std::string whole = folder.path("whole.circuit"), parts = folder.path("parts.circuit");
  const auto search = [&](const std::string &file, const char *rounds, const char *seed) {
    return alnsmith({"circuits", unknown, "-o", file, "--rounds", rounds, "--steps", "2000", "--seed", seed});
  };
  EXPECT_EQ(search(whole, "3", "4").status, 0);
  EXPECT_EQ(search(parts, "1", "4").status, 0);
  EXPECT_EQ(search(parts, "2", "4").status, 0);
  EXPECT_EQ(read_file(whole), read_file(parts));
  EXPECT_TRUE(has(search(whole, "1", "5").err, "was searched with --gates avx512 --seed 4 --steps 2000"));
  EXPECT_TRUE(has(alnsmith({"circuits", known, "-o", whole, "--rounds", "1"}).err, "is for total 3, floor 2"));
  const Finished proven = alnsmith({"circuits", "--check", whole, parts});
  EXPECT_EQ(proven.status, 0) << proven.err;
  const std::string as_found = read_file(whole);
  folder.write("whole.circuit", as_found.substr(as_found.find('\n') + 1));
  EXPECT_TRUE(has(alnsmith({"circuits", "--check", whole}).err, "--rewrite mends it"));
  EXPECT_EQ(alnsmith({"circuits", "--check", whole, "--rewrite"}).status, 0);
  EXPECT_EQ(read_file(whole), as_found);
  std::string broken = read_file(whole);
  broken.replace(broken.find("[0x") + 3, 2, broken.substr(broken.find("[0x") + 3, 2) == "5a" ? "5b" : "5a");
  const Finished refused = alnsmith({"circuits", "--check", folder.write("broken.circuit", broken)});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(one_line(refused.err) && has(refused.err, "this circuit is wrong")) << refused.err;
}

}  // namespace
}  // namespace alnsmith::testing
