// Every field reaches its member; defaults; alphabets; the two PaPaRa specs.
#include <regex>

#include "helpers.h"
#include "spec/alphabet.h"
#include "targets/targets.h"

namespace alnsmith::spec {
namespace {

const std::vector<std::string> default_targets = {"x86-64-v4", "x86-64-v3", "x86-64-v2", "scalar"};

TEST(SpecFields, Defaults) {
  const Spec spec = parse_ok(small_spec);
  EXPECT_EQ(spec.name, "x");
  EXPECT_EQ(spec.alignment, Alignment::global);
  EXPECT_EQ(spec.ends, FreeEnds{});
  EXPECT_EQ(spec.insertion, spec.deletion);
  EXPECT_EQ(spec.insertion.model, GapModel::affine);
  EXPECT_EQ(spec.insertion.open, (Value{false, 2}));
  EXPECT_EQ(spec.insertion.extend, (Value{false, 1}));
  EXPECT_EQ(spec.score.match, (Value{false, 2}));
  EXPECT_EQ(spec.score.mismatch, (Value{false, -1}));
  EXPECT_EQ(spec.objective, Objective::maximize);
  EXPECT_EQ(spec.output, Output{});
  EXPECT_EQ(spec.targets, default_targets);
  EXPECT_EQ(spec.half_precision, Switch::off);
  EXPECT_FALSE(spec.max_query || spec.max_target || spec.tile.p || spec.tile.k);
  EXPECT_EQ(spec.column_flags, 0);
}

TEST(SpecFields, Everything) {
  const Spec spec = parse_ok(
      "version: 1\nname: all\nalignment: {free_ends: [query_end, target_begin]}\n"
      "gap:\n  insertion: {model: dual_affine, open: 4, extend: 2, open2: 24, extend2: 1}\n"
      "  deletion: {model: linear, extend: runtime}\n"
      "alphabet: {letters: acgt, wildcard: n}\nscore: {match: runtime, mismatch: -3}\n"
      "max_length: {query: 150, target: 512}\noutput: [score, end, begin, cigar]\nmapping: wavefront\n"
      "arithmetic: half2\ntile: {p: 32, k: 16, \"hip:gfx90a:xnack-\": {p: 64}}\n"
      "targets: [x86-64-v4+vbmi, \"cuda:sm_90a\", \"hip:gfx90a:xnack-\", opencl]\n"
      "band: {from: -5, to: (target-query)*2}\nborder: {query_begin: forbidden}\n"
      "tune: {k: [4, 8], p: [16, 32], constraints: [\"k * p <= 512\"], budget: 60s}\n");
  EXPECT_EQ(spec.alignment, Alignment::semiglobal);
  EXPECT_EQ(spec.ends, (FreeEnds{false, true, true, false}));
  EXPECT_EQ(spec.insertion,
            (GapCost{GapModel::dual_affine, {false, 4}, {false, 2}, {false, 24}, {false, 1}, std::nullopt}));
  EXPECT_EQ(spec.deletion, (GapCost{GapModel::linear, {}, {true, 0}, {}, {}, std::nullopt}));
  EXPECT_EQ(spec.alphabet.name, "custom");
  EXPECT_EQ(spec.alphabet.letters, "ACGTN");
  EXPECT_EQ(spec.alphabet.wildcard, 'N');
  EXPECT_TRUE(spec.score.match.runtime);
  EXPECT_EQ(spec.max_query, 150);
  EXPECT_EQ(spec.max_target, 512);
  EXPECT_EQ(spec.output, (Output{true, true, true, true}));
  EXPECT_EQ(spec.mapping, "wavefront");
  EXPECT_EQ(spec.arithmetic, "half2");
  EXPECT_EQ(spec.half_precision, Switch::on);  // implied by half2
  EXPECT_EQ(spec.tile, (Tile{32, 16}));
  EXPECT_EQ(spec.target_tile.at("hip:gfx90a:xnack-"), (Tile{64, std::nullopt}));
  EXPECT_EQ(spec.targets.size(), 4u);
  EXPECT_EQ(spec.band_from, "-5");
  EXPECT_EQ(spec.band_to, "(target - query) * 2");
  EXPECT_EQ(spec.border.at("query_begin"), "forbidden");
  EXPECT_EQ(spec.tune.at("k"), (std::vector<int>{4, 8}));
  EXPECT_EQ(spec.tune.at("p"), (std::vector<int>{16, 32}));
  EXPECT_EQ(spec.tune_constraints, (std::vector<Constraint>{{"k * p <= 512", ""}}));
  EXPECT_EQ(spec.tune_budget, "60s");
}

// Where both ends are the sequences' own, what belongs to an output needs no words.
TEST(SpecFields, OutputsOfGlobalAlignments) {
  EXPECT_EQ(parse_ok(small_spec + "output: [score, cigar]\n").output, (Output{true, true, true, true}));
  EXPECT_EQ(parse_ok(small_spec + "output: [score, begin]\n").output, (Output{true, true, true, false}));
  EXPECT_EQ(parse_ok(small_spec + "output: [score]\n").output, (Output{true, false, false, false}));
}

TEST(SpecFields, SearchSpace) {
  const Spec spec = parse_ok(small_spec +
                             "tune:\n  arithmetic: [int16, int8]\n  compiler: [auto, g++-12]\n  threads: [2, 1]\n"
                             "  constraints:\n    - k*p<=512\n    - {expression: threads==1, reason: one is enough}\n");
  EXPECT_EQ(spec.tune_words.at("arithmetic"), (std::vector<std::string>{"int16", "int8"}));
  EXPECT_EQ(spec.tune_words.at("compiler"), (std::vector<std::string>{"auto", "g++-12"}));
  EXPECT_EQ(spec.tune.at("threads"), (std::vector<int>{2, 1}));
  EXPECT_EQ(spec.tune_constraints, (std::vector<Constraint>{{"k * p <= 512", ""}, {"threads == 1", "one is enough"}}));
}

TEST(SpecFields, CompilersOfTheList) {
  for (const std::string name :
       {"auto", "clang++", "clang++-22", "clang", "clang-19", "g++", "g++-9", "gcc", "gcc-14", "c++", "nvrtc", "nvcc"})
    EXPECT_EQ(parse_ok(small_spec + "tune: {compiler: [" + name + "]}\n").tune_words.at("compiler").front(), name);
}

TEST(SpecFields, AllSubsetsOfFreeEnds) {
  const std::vector<std::string> names = {"query_begin", "query_end", "target_begin", "target_end"};
  for (int subset = 0; subset < 16; ++subset) {
    std::string list;
    for (int i = 0; i < 4; ++i) {
      if (subset >> i & 1) list += (list.empty() ? "" : ", ") + names[static_cast<size_t>(i)];
    }
    const Spec spec = parse_ok(with("global", "{free_ends: [" + list + "]}"));
    EXPECT_EQ(spec.ends, (FreeEnds{(subset & 1) != 0, (subset & 2) != 0, (subset & 4) != 0, (subset & 8) != 0}));
    EXPECT_EQ(spec.alignment, subset == 0 ? Alignment::global : Alignment::semiglobal);
  }
  EXPECT_EQ(parse_ok(with("global", "semiglobal")).ends, (FreeEnds{true, true, true, true}));
}

TEST(SpecFields, Alphabets) {
  const auto check = [](const char *name, const char *letters, char wildcard) {
    const Spec spec = parse_ok(with("dna", name));
    EXPECT_EQ(spec.alphabet.letters, letters);
    EXPECT_EQ(spec.alphabet.wildcard, wildcard);
    return spec.alphabet.synonyms;
  };
  using Synonyms = std::map<char, char>;
  EXPECT_EQ(check("dna", "ACGT", 0), (Synonyms{{'U', 'T'}}));
  EXPECT_EQ(check("dna5", "ACGTN", 'N'), (Synonyms{{'U', 'T'}}));
  EXPECT_EQ(check("rna", "ACGU", 0), (Synonyms{{'T', 'U'}}));
  EXPECT_EQ(check("iupac", "ACGTRYSWKMBDHVN", 'N'), (Synonyms{{'U', 'T'}}));
  EXPECT_EQ(check("protein", "ARNDCQEGHILKMFPSTWYVBJZX*", 'X'), (Synonyms{{'U', 'X'}, {'O', 'X'}}));
}

TEST(SpecFields, Papara25) {
  const auto spec = parse_file(std::string(SPEC_FOLDER) + "/papara-v25.yaml");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->alignment, Alignment::semiglobal);
  EXPECT_EQ(spec->ends, (FreeEnds{true, true, true, true}));
  EXPECT_EQ(spec->alphabet.name, "state_sets");
  EXPECT_EQ(spec->alphabet.state_set_base, "dna");
  EXPECT_EQ(spec->column_flags, 1);
  EXPECT_EQ(spec->score.match, (Value{false, 2}));
  EXPECT_EQ(spec->score.mismatch, (Value{false, 0}));
  EXPECT_EQ(spec->score.at_flag, -3);
  EXPECT_EQ(spec->deletion, (GapCost{GapModel::affine, {false, 2}, {false, 1}, {}, {}, 0}));
  EXPECT_EQ(spec->insertion, (GapCost{GapModel::affine, {false, 2}, {false, 1}, {}, {}, std::nullopt}));
}

TEST(SpecFields, PaparaEquation1) {
  const auto spec = parse_file(std::string(SPEC_FOLDER) + "/papara-eq1.yaml");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->objective, Objective::minimize);
  EXPECT_EQ(spec->ends, (FreeEnds{false, false, true, true}));
  EXPECT_EQ(spec->border, (std::map<std::string, std::string>{{"query_begin", "forbidden"}}));
  EXPECT_EQ(spec->band_from, "0");
  EXPECT_FALSE(spec->band_width);
  EXPECT_EQ(spec->band_to, "target - query");
  EXPECT_EQ(spec->score.mismatch, (Value{false, 3}));
  EXPECT_EQ(spec->score.at_flag, 3);
  EXPECT_EQ(spec->deletion, (GapCost{GapModel::affine, {false, 3}, {false, 1}, {}, {}, 0}));
  EXPECT_EQ(spec->insertion, (GapCost{GapModel::linear, {}, {false, 3}, {}, {}, std::nullopt}));
}

TEST(SpecTargets, NamesAreStructured) {
  const auto hip = targets::parse("hip:gfx90a:sramecc+:xnack-");
  ASSERT_TRUE(hip);
  EXPECT_EQ(hip->kind, targets::Kind::hip);
  EXPECT_EQ(hip->arch, "gfx90a");
  EXPECT_EQ(hip->features, (std::vector<std::string>{"sramecc+", "xnack-"}));
  EXPECT_EQ(targets::parse("cuda:sm_90a")->arch, "sm_90a");
  EXPECT_EQ(targets::parse("cuda:compute_80")->arch, "compute_80");
  EXPECT_EQ(targets::parse("x86-64-v4+vbmi2")->features, std::vector<std::string>{"vbmi2"});
  for (const char *name : {"", "cuda", "cuda:sm_9", "cuda:sm_90b", "hip:gfx90a:", "hip:gfx90a:xnack", "x86-64",
                           "x86-64-v4+", "x86-64-v4+vbmi+vbmi", "scalar "}) {
    const auto parsed = targets::parse(name);
    EXPECT_FALSE(parsed && targets::known(*parsed)) << name;
  }
}

// Specs are checked by the pattern, which other programs read too.
TEST(SpecTargets, TheirPatternIsTheirGrammar) {
  std::vector<std::string> names = targets::known_names();
  for (const char *name : {"x86-64-v4+vbmi", "x86-64-v4+vbmi+vbmi2", "x86-64-v4+vbmi2+vbmi", "x86-64-v3+vbmi",
                           "scalar+vbmi", "opencl:spirv64", "opencl:spirv32", "opencl:spirv64:xnack-",
                           "hip:gfx90a:sramecc+", "hip:gfx90a:sramecc+:xnack-", "hip:gfx90a:xnack-:sramecc+",
                           "hip:gfx90a:sramecc+:sramecc-", "cuda:sm_90:xnack-", "cuda:sm_91", "cuda", ""})
    names.emplace_back(name);
  const std::regex pattern(targets::pattern());
  int known = 0;
  for (const std::string &name : names) {
    const auto parsed = targets::parse(name);
    EXPECT_EQ(std::regex_match(name, pattern), parsed && targets::known(*parsed)) << name;
    known += parsed && targets::known(*parsed);
  }
  EXPECT_EQ(known, static_cast<int>(targets::known_names().size()) + 5);
}

TEST(SpecTargets, LargestP) {
  EXPECT_EQ(targets::largest_p(*targets::parse("scalar")), 0);
  EXPECT_EQ(targets::largest_p(*targets::parse("cuda:sm_90")), 32);
  EXPECT_EQ(targets::largest_p(*targets::parse("hip:gfx1201")), 32);
  for (const char *wide : {"hip:gfx906", "hip:gfx908", "hip:gfx90a", "hip:gfx942"}) {
    EXPECT_EQ(targets::largest_p(*targets::parse(wide)), 64) << wide;
  }
}

TEST(SpecTargets, PIsFreeOnCpus) { EXPECT_EQ(parse_ok(small_spec + "tile: {p: 64}\n").tile.p, 64); }

}  // namespace
}  // namespace alnsmith::spec
