// Help, version, exit statuses of wrong usage, the spec and generate subcommands, and what the program links.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "program.h"
#include "spec/schema.h"

namespace alnsmith::testing {
namespace {

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

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

TEST(SpecCommand, ListsAndShowsShippedSpecs) {
  const Finished list = alnsmith({"spec", "list"});
  EXPECT_EQ(list.status, 0);
  EXPECT_TRUE(has(list.out, "\ndna-global-affine\tScore short reads ")) << list.out;
  const Finished show = alnsmith({"spec", "show", "dna-global-affine"});
  EXPECT_EQ(show.status, 0);
  EXPECT_TRUE(has(show.out, "name: \"dna-global-affine\"")) << show.out;
  EXPECT_TRUE(has(show.out, "# hash ")) << show.out;
}

TEST(SpecCommand, WhatShowPrintsIsASpecAgain) {
  const Folder folder;
  const Finished show = alnsmith({"spec", "show", "protein-local-blosum62"});
  const Finished again = alnsmith({"spec", "show", folder.write("again.yaml", show.out)});
  EXPECT_EQ(again.out, show.out);
}

TEST(SpecCommand, CheckGivesOneVerdictAFileAndFailsIfOneFails) {
  const Folder folder;
  const std::string good = folder.write("good.yaml", strict_spec),
                    bad = folder.write("bad.yaml", std::string(strict_spec) + "colour: red\n");
  const Finished both = alnsmith({"spec", "check", bad, good});
  EXPECT_EQ(both.status, 1);
  EXPECT_TRUE(has(both.out, good + ": ok, strict ")) << both.out;
  EXPECT_TRUE(one_line(both.err)) << both.err;
  EXPECT_TRUE(has(both.err, "bad.yaml:7:1")) << both.err;
  EXPECT_EQ(alnsmith({"spec", "check", good}).status, 0);
}

TEST(SpecCommand, CheckListsWhatTheGeneratorCanMake) {
  if (!std::filesystem::exists(std::filesystem::path(program()).parent_path() / "alnsmith-generate"))
    GTEST_SKIP() << "no generator";
  const Folder folder;
  const std::string spec =
      folder.write("s.yaml", std::string(strict_spec) + "targets: [x86-64-v3, \"cuda:sm_90\", \"cuda:sm_50\"]\n");
  const Finished got = alnsmith({"spec", "check", spec});
  EXPECT_TRUE(has(got.out, "\n  x86-64-v3: pairs: lanes int")) << got.out;
  EXPECT_TRUE(has(got.out, "\n  cuda:sm_90: pairs: block s16x2 p=32 k=16")) << got.out;
  EXPECT_TRUE(has(got.out, "\n  cuda:sm_50: refused: ")) << got.out;
}

TEST(SpecCommand, CheckFailsWhereEveryTargetIsRefused) {
  if (!std::filesystem::exists(std::filesystem::path(program()).parent_path() / "alnsmith-generate"))
    GTEST_SKIP() << "no generator";
  const Folder folder;
  const std::string profiles = folder.write("profiles.yaml",
                                            "version: 1\nname: profiles\nalignment: global\n"
                                            "gap: {model: linear, extend: 1}\nalphabet: dna\n"
                                            "score: {target: profile}\n");
  const Finished got = alnsmith({"spec", "check", profiles, "edit-distance"});
  EXPECT_EQ(got.status, 1);
  EXPECT_TRUE(has(got.out, "profiles.yaml: valid, without a kernel, profiles ")) << got.out;
  EXPECT_TRUE(has(got.out, "edit-distance.yaml: ok, edit-distance ")) << got.out;
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_TRUE(has(got.err, "no kernel can be generated for any of its targets")) << got.err;
}

// What the schema marks as having no kernel yet has none on any kind of target, and everything else has one.
TEST(SpecCommand, CheckAgreesWithTheSchemasMarks) {
  if (!std::filesystem::exists(std::filesystem::path(program()).parent_path() / "alnsmith-generate"))
    GTEST_SKIP() << "no generator";
  const Folder folder;
  const std::string body =
      "version: 1\nname: s\nalignment: global\ngap: {model: affine, open: 1, extend: 1}\nalphabet: dna\n"
      "score: {match: 2, mismatch: -1}\ntargets: [x86-64-v4, \"cuda:sm_90\"]\n";
  for (const char *key : {"output", "mapping", "arithmetic"}) {
    for (const spec::Rule *rule : spec::rules_of("spec")) {
      if (rule->key != key) continue;
      for (const std::string &word : rule->words) {
        const bool idle = std::ranges::find(rule->idle, word) != rule->idle.end();
        const bool list = (rule->forms & spec::form_words) != 0;
        const std::string line = rule->key + ": " +
                                 (!list             ? word
                                  : word == "score" ? "[score]"
                                  : word == "end"   ? "[score, end]"
                                  : word == "begin" ? "[score, end, begin]"
                                                    : "[score, end, begin, " + word + "]");
        const std::string spec = folder.write("s.yaml", body + line + "\n");
        EXPECT_EQ(alnsmith({"spec", "check", spec}).status, idle ? 1 : 0) << line;
      }
    }
  }
}

// What columns that differ have no templates for is refused by the key that makes them so.
TEST(SpecCommand, CheckNamesWhatDoesNotGoTogether) {
  if (!std::filesystem::exists(std::filesystem::path(program()).parent_path() / "alnsmith-generate"))
    GTEST_SKIP() << "no generator";
  const Folder folder;
  const std::string sets =
      "version: 1\nname: s\nalignment: global\nalphabet: {state_sets: dna}\nscore: {match: 1, mismatch: 0}\n";
  const std::string gap = "gap: {model: affine, open: 2, extend: 1}\n";
  const std::string plain =
      "version: 1\nname: s\nalignment: global\nalphabet: dna\nscore: {match: 1, mismatch: 0}\n" + gap;
  const std::string flags =
      "column_flags: 1\ngap: {insertion: {model: linear, extend: 1}, deletion: {model: linear, extend: 1, at_flag: "
      "0}}\n";
  const std::string sliced = "version: 1\nname: s\nalphabet: dna\narithmetic: bitsliced\n",
                    v4 = sliced + "targets: [x86-64-v4]\n", global = v4 + "alignment: global\n",
                    score = "score: {match: 2, mismatch: -1}\n", linear = "gap: {model: linear, extend: 1}\n",
                    none = "arithmetic: bitsliced has no ";
  const std::pair<std::string, std::string> rows[] = {
      {sliced + "alignment: global\ntargets: [opencl]\n" + linear + score,
       "arithmetic: bitsliced is not generated for opencl"},
      {v4 + "alignment: local\n" + linear + score, none + "template for `alignment: local`"},
      {global + "output: [score, begin]\n" + linear + score, none + "template for `output: begin` and `cigar`"},
      {global + "gap: {model: linear, extend: runtime}\n" + score, none + "template for scoring values that are"},
      {global + "band: {width: 5}\n" + linear + score, "band has no template in arithmetic: bitsliced"},
      {global + "mapping: strips\n" + linear + score, none + "template for mapping: strips"},
      {v4 + "alignment: semiglobal\n" + linear + "score: {match: -1, mismatch: -1}\n",
       none + "template for affine gaps or free ends where a match scores below 0"},
      {sets + gap + "targets: [\"cuda:sm_90\"]\noutput: [score, begin]\n",
       "alphabet: state_sets has no template that finds begins (output: begin or cigar) for cuda:sm_90"},
      {sets + gap + "targets: [opencl]\narithmetic: s16x2\n",
       "alphabet: state_sets has no template in arithmetic: s16x2 for opencl"},
      {sets + flags + "targets: [\"hip:gfx90a\"]\n",
       "gap.deletion.at_flag has no template for hip:gfx90a unless `target_begin` is free or forbidden"},
      {sets + gap + "mapping: strips\n", "alphabet: state_sets has no template in mapping: strips"},
      {sets + gap + "arithmetic: int8\n", "alphabet: state_sets has no template in arithmetic: int8"},
      {sets + flags + "output: [score, cigar]\n", "gap.deletion.at_flag has no template that finds begins"},
      {plain + "border: {query_begin: forbidden}\nmapping: striped\n", "border has no template in mapping: striped"},
      {plain + "band: {from: 0}\ntargets: [opencl]\narithmetic: half2\n",
       "band: {from, to} has no template in arithmetic: half2 for opencl"},
  };
  for (const auto &[text, says] : rows) {
    const Finished got = alnsmith({"spec", "check", folder.write("s.yaml", text)});
    EXPECT_EQ(got.status, 1) << text;
    EXPECT_TRUE(has(got.out + got.err, says)) << got.out << got.err;
  }
  // Kernels of int8 serve where there is no circuit, or one lane.
  const std::string affine = "gap: {model: affine, open: 3, extend: 2}\n";
  for (const auto &[text, says] :
       {std::pair(
            global + affine + score,
            "there is no circuit for a match of 2, a mismatch of -1 and gaps of 3 + 2 a letter and 3 + 2 a letter"),
        {sliced + "alignment: global\ntargets: [scalar]\n" + linear + score, "scalar has one lane"}}) {
    const std::string spec = folder.write("s.yaml", text);
    const Finished got = alnsmith({"spec", "check", spec});
    EXPECT_EQ(got.status, 0) << text;
    EXPECT_TRUE(has(got.out, says)) << got.out;
    EXPECT_TRUE(has(got.out, "int8 k=")) << got.out;
    const Finished made = alnsmith({"generate", spec, "-o", folder.path("out")});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_TRUE(has(made.err, says) && one_line(made.err)) << made.err;
  }
}

TEST(CircuitsCommand, TellsSearchesAndProves) {
  if (!std::filesystem::exists(std::filesystem::path(program()).parent_path() / "alnsmith-generate"))
    GTEST_SKIP() << "no generator";
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
  EXPECT_TRUE(has(search(whole, "1", "5").err, "was searched with --gates x86-64-v4 --seed 4 --steps 2000"));
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

TEST(SpecCommand, PrintsTheSchema) {
  const Finished got = alnsmith({"spec", "schema"});
  EXPECT_EQ(got.status, 0);
  EXPECT_TRUE(got.out.starts_with('{')) << got.out;
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

TEST(GenerateCommand, WritesReadableText) {
  if (!std::filesystem::exists(std::filesystem::path(program()).parent_path() / "alnsmith-generate"))
    GTEST_SKIP() << "no generator";
  const Folder folder;
  const std::string spec = folder.write("s.yaml", strict_spec);
  const Finished got = alnsmith({"generate", spec, "--target", "scalar", "-o", folder.path("out/deep")});
  ASSERT_EQ(got.status, 0) << got.err;
  const std::string path = got.out.substr(0, got.out.find('\n'));
  EXPECT_TRUE(has(read_file(path), "do not edit")) << path;
}

TEST(GenerateCommand, SaysWhatItSkipsAndIgnores) {
  if (!std::filesystem::exists(std::filesystem::path(program()).parent_path() / "alnsmith-generate"))
    GTEST_SKIP() << "no generator";
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
