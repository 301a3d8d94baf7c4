// The canonical form parses to an equal Spec; the hash is stable and depends on meaning alone.
#include "helpers.h"
#include "spec/canonical.h"

namespace alnsmith::spec {
namespace {

void expect_round_trip(Spec spec, const std::string &label) {
  const std::string text = canonical(spec);
  Spec again = parse_ok(text);
  spec.score.matrix_name.clear();  // a matrix is its values in the canonical form
  EXPECT_TRUE(again == spec) << label << "\n" << text;
  EXPECT_EQ(canonical(again), text) << label;
  EXPECT_EQ(hash(again), hash(spec)) << label;
}

TEST(SpecCanonical, ShippedSpecsRoundTrip) {
  for (const auto &file : shipped_specs()) {
    const auto spec = parse_file(file.string());
    ASSERT_TRUE(spec) << spec.error().message;
    expect_round_trip(*spec, file.filename().string());
  }
}

TEST(SpecCanonical, RareFieldsRoundTrip) {
  for (const std::string &text :
       {with("name: x", "name: \"null\""), with("global", "{free_ends: []}"),
        with("global", "{free_ends: [query_end]}"),
        with("alphabet: dna", "alphabet: {letters: \"0123\", wildcard: \"*\"}"),
        with("alphabet: dna", "alphabet: {letters: \"-.=_\"}"), with("match: 2", "match: runtime"),
        with("{match: 2, mismatch: -1}", "{target: profile}"),
        with("dna", "{state_sets: protein}", "column_flags: 1\n"),
        with("dna", "{state_sets: {states: acgt, sets: {\"-\": ACGT, r: ag, \"?\": TG}}}"),
        with("model: affine, open: 2, extend: 1", "model: dual_affine, open: 4, extend: 2, open2: 24, extend2: 1"),
        small_spec + "band: {from: \"0\", to: query*2 -target}\nborder: {query_begin: forbidden}\n",
        small_spec + "band: {width: 0}\n",
        small_spec + "tile: {k: 8, \"cuda:sm_90\": {p: 16}}\ntargets: [\"cuda:sm_90\", opencl]\n",
        small_spec + "half_precision: on\nmapping: strips\noutput: [cigar, score]\nmax_length: {target: 9}\n",
        small_spec + "tune: {k: [1, 2], constraints: [\"k > 1\", \"k * p < 9\"], budget: 3h}\n",
        small_spec + "tune: {mapping: [lanes], arithmetic: [int8, int16], compiler: [auto, g++], threads: [1, 2], "
                     "block: [2], constraints: [{expression: k==1, reason: 'a \"b\"'}, \"compiler != 'g++'\"]}\n"}) {
    expect_round_trip(parse_ok(text), text);
  }
}

TEST(SpecCanonical, Text) {
  EXPECT_EQ(canonical(parse_ok(small_spec)),
            "version: 1\n"
            "name: \"x\"\n"
            "alignment: global\n"
            "gap: {model: affine, open: 2, extend: 1}\n"
            "alphabet: dna\n"
            "score: {match: 2, mismatch: -1}\n"
            "objective: maximize\n"
            "output: [score]\n"
            "mapping: auto\n"
            "arithmetic: auto\n"
            "half_precision: off\n"
            "column_flags: 0\n"
            "targets: [\"x86-64-v4\", \"x86-64-v3\", \"x86-64-v2\", \"scalar\"]\n");
}

// A change here invalidates every user's cache of kernels: change it only together with the schema.
TEST(SpecHash, Golden) {
  EXPECT_EQ(hash(parse_ok(small_spec)), "5f4616b6910db0d5f2a730e155aacc9c0731291ddac522c668271e22b1d8f1bc");
}

TEST(SpecHash, SpellingDoesNotMatter) {
  const std::string other =
      "# the same\n"
      "score:\n  mismatch: -1\n  match: +2   # in another order\n"
      "alphabet: \"dna\"\n"
      "gap:\n  deletion: {extend: 1, open: 2, model: affine}\n  insertion: {open: 02, extend: 1, model: affine}\n"
      "name: another\n"
      "objective: maximize\n"
      "targets: [scalar]\n"
      "tune: {k: [4], compiler: [g++], constraints: [k < 9]}\n"
      "alignment: {free_ends: []}\n"
      "version: 1\n";
  EXPECT_EQ(hash(parse_ok(other)), hash(parse_ok(small_spec)));
}

TEST(SpecHash, MatrixIsItsValues) {
  const auto protein = [](const std::string &matrix) {
    return hash(parse_ok(with("dna\nscore: {match: 2, mismatch: -1}", "protein\nscore: {matrix: " + matrix + "}")));
  };
  EXPECT_EQ(protein("BLOSUM62"), protein("blosum62"));
  EXPECT_EQ(protein("BLOSUM62"), protein("./matrices/BLOSUM62"));
  EXPECT_NE(protein("BLOSUM62"), protein("BLOSUM50"));
  EXPECT_NE(protein("BLOSUM62"), protein("runtime"));
}

TEST(SpecHash, MeaningAndTilesMatter) {
  const std::string base = hash(parse_ok(small_spec));
  for (const std::string &text :
       {with("open: 2", "open: 3"), with("match: 2", "match: runtime"), with("global", "local"), with("dna", "dna5"),
        with("dna", "{letters: ACGT}"), small_spec + "tile: {k: 8}\n", small_spec + "max_length: {query: 9}\n",
        small_spec + "arithmetic: int16\n", small_spec + "output: [score, end]\n"}) {
    EXPECT_NE(hash(parse_ok(text)), base) << text;
  }
}

}  // namespace
}  // namespace alnsmith::spec
