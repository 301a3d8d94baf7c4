// `alnsmith spec`: lists, shows and checks specs, and says which kernels they have.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "program.h"
#include "spec/schema.h"
#include "words.h"

namespace alnsmith::testing {
namespace {

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
  ALNSMITH_NEEDS_KERNELS();
  const Folder folder;
  const std::string spec =
      folder.write("s.yaml", std::string(strict_spec) + "targets: [x86-64-v3, \"cuda:sm_90\", \"cuda:sm_50\"]\n");
  const Finished got = alnsmith({"spec", "check", spec});
  EXPECT_TRUE(has(got.out, "\n  x86-64-v3: pairwise: lanes int")) << got.out;
  EXPECT_TRUE(has(got.out, "\n  cuda:sm_90: pairwise: lanes bitsliced p=1 k=8, block s16x2 p=32 k=16")) << got.out;
  EXPECT_TRUE(has(got.out, "\n  cuda:sm_50: refused: ")) << got.out;
}

TEST(SpecCommand, CheckFailsWhereEveryTargetIsRefused) {
  ALNSMITH_NEEDS_KERNELS();
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
  ALNSMITH_NEEDS_KERNELS();
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
  ALNSMITH_NEEDS_KERNELS();
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
      {sliced + "alignment: global\ntargets: [opencl]\nmapping: wavefront\n" + linear + score,
       none + "template for mapping: wavefront"},
      {v4 + "alignment: local\n" + linear + score, none + "template for `alignment: local`"},
      {global + "mapping: strips\noutput: [score, begin]\n" + linear + score,
       none + "template for `output: begin` and `cigar` in mapping: strips"},
      {sliced + "alignment: global\ntargets: [opencl]\noutput: [score, begin]\n" + linear + score,
       none + "template for `output: begin` and `cigar` on devices"},
      {global + linear + "score: {matrix: runtime}\n", none + "template for matrices and profiles"},
      {global + "band: {width: 5}\n" + linear + score, "band has no template in arithmetic: bitsliced"},
      {global + "mapping: striped\n" + linear + score, none + "template for mapping: striped"},
      {v4 + "alignment: semiglobal\n" + linear + "score: {match: -1, mismatch: -1}\n",
       none + "template for affine gaps or free ends where a match scores below 0"},
      {sets + gap + "targets: [\"cuda:sm_90\"]\noutput: [score, begin]\n",
       "alphabet: state_sets has no template that finds begins (output: begin or cigar) for cuda:sm_90"},
      {sets + gap + "targets: [opencl]\narithmetic: s16x2\n",
       "alphabet: state_sets has no template in arithmetic: s16x2 for opencl"},
      {sets + flags + "targets: [\"hip:gfx90a\"]\n",
       "gap.deletion.at_flag has no template for hip:gfx90a unless `target_begin` is free or forbidden"},
      {sets + gap + "mapping: strips\n", "alphabet: state_sets has no template in mapping: strips"},
      {sets + gap + "band: {width: 5}\n", "band: {width} has no template together with alphabet: state_sets"},
      {plain + "border: {query_begin: forbidden}\nband: {width: 5}\n",
       "band: {width} has no template together with border"},
      {sets + flags + "arithmetic: int8\n", "alphabet: state_sets has no template in arithmetic: int8"},
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

TEST(SpecCommand, PrintsTheSchema) {
  const Finished got = alnsmith({"spec", "schema"});
  EXPECT_EQ(got.status, 0);
  EXPECT_TRUE(got.out.starts_with('{')) << got.out;
}

}  // namespace
}  // namespace alnsmith::testing
