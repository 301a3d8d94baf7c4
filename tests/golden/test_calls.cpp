// Batch calls with generated kernels score as the oracle says: every shipped spec, wildcards, scoring that comes with
// the call, distances, custom alphabets, ragged lengths and ends.
//
// In: specs/, and specs of the tests' own. Every spec runs on this machine's best instruction set, and one of each
// kind on the narrower ones too.
#include <algorithm>
#include <filesystem>

#include "calls.h"

namespace {

using namespace calls;

std::vector<std::string> shipped_specs() {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(ALNSMITH_SPECS))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class ShippedSpec : public Calls, public testing::WithParamInterface<std::string> {
  void SetUp() override {
    ONE_IN(2);
    prepare(std::nullopt);
  }
};
INSTANTIATE_TEST_SUITE_P(calls, ShippedSpec, testing::ValuesIn(shipped_specs()),
                         [](const auto &info) { return test_name(info.param); });

TEST_P(ShippedSpec, scores_ragged_pairs_and_all_against_all_as_the_oracle) {
  const auto spec = alnsmith::spec::parse_file(ALNSMITH_SPECS "/" + GetParam() + ".yaml");
  ASSERT_TRUE(spec) << spec.error().message;
  if (!spec->alphabet.sets.empty()) GTEST_SKIP() << "scored by test_state_sets";
  expect_ragged(open_shipped(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(calls, EveryIsa, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

TEST_P(EveryIsa, counts_edits) {
  const Opened edits = open_shipped("edit-distance");
  expect_ragged(edits);
  const Batch words{{"ACGTACGT", "ACGT", "acgt", "", "NNNN"}, {"ACGTACGT", "TGCA", "AGT", "ACG", "NNNN"}};
  EXPECT_EQ(oracle::score(edits.problem, words.queries[2], words.targets[2]), 1);
  expect_pairs(edits, words);
  expect_all(edits, words);
}

TEST_P(EveryIsa, minimises_affine_costs_that_differ_by_side_with_free_ends) {
  expect_ragged(open_text(R"(objective: minimize
alignment: {free_ends: [target_begin, target_end]}
gap: {insertion: {model: affine, open: 3, extend: 2}, deletion: {model: linear, extend: runtime}}
alphabet: dna5
score: {match: 0, mismatch: runtime}
)"));
}

TEST_P(EveryIsa, takes_the_smaller_of_two_gap_lines) {
  const Opened shipped = open_shipped("minimap2-local-dual-affine");
  EXPECT_EQ(shipped.aligner->gap_formula(), "cost(L) = min(4 + 2*L, 24 + 1*L)");
  expect_ragged(shipped);
  // Per side, partly from the call, and the line of long gaps first.
  const Opened mixed = open_text(R"(alignment: {free_ends: [target_begin, query_end]}
gap:
  insertion: {model: dual_affine, open: runtime, extend: 0, open2: 2, extend2: runtime}
  deletion: {model: affine, open: 3, extend: 1}
alphabet: dna5
score: {match: 2, mismatch: -3}
output: [score, end]
)");
  expect_ragged(mixed);
}

TEST_P(EveryIsa, takes_scoring_from_the_call) { expect_ragged(open_shipped("dna-global-runtime")); }

TEST_P(EveryIsa, takes_a_matrix_without_symmetry_from_the_call) {
  expect_ragged(open_shipped("protein-local-runtime"));
}

// Costs that the call gives to both sides alike have kernels of their own, and others do not run them.
TEST_P(EveryIsa, takes_kernels_of_one_gap_where_both_sides_cost_the_same) {
  std::size_t turn = 0;
  for (const char *alignment : {"global", "semiglobal", "local"}) {
    if (!sample::falls_to(GetParam(), turn++)) continue;
    Opened o = open_text("alignment: " + std::string(alignment) +
                         "\ngap: {model: affine, open: runtime, extend: runtime}\nalphabet: dna5\n"
                         "score: {match: runtime, mismatch: runtime}\n");
    for (const bool alike : {true, false}) {
      o.options.scoring.values = {{"match", 4},          {"mismatch", -3},
                                  {"insertion_open", 5}, {"insertion_extend", 3},
                                  {"deletion_open", 5},  {"deletion_extend", alike ? 3 : 2}};
      o.problem = oracle::spec_problem(o.spec, o.options.scoring);
      Batch each = ragged(2, "ACGT", 90, 300);
      each.queries.resize(7);
      const auto entries = [](const alnsmith::Report &report) {
        std::string all;
        for (const std::string &entry : report.kernels) all += entry + " ";
        return all;
      };
      const std::string pairs = entries(expect_pairs(o, ragged(1, "ACGT", 150, 300)));
      const std::string shared = entries(expect_all(o, each));
      EXPECT_EQ(pairs.find("_pairwise_i8b_") != pairs.npos && pairs.find("_one_gap_") != pairs.npos, alike) << pairs;
      EXPECT_EQ(shared.find("_one_gap_") != shared.npos, alike) << shared;
    }
  }
}

TEST_P(EveryIsa, takes_custom_alphabets) {
  expect_ragged(open_shipped("structure-global-affine"));
  expect_ragged(open_text(R"(alignment: semiglobal
gap: {model: linear, extend: 2}
alphabet: {letters: "01=-"}
score: {match: 3, mismatch: -2}
)"));
}

// A wildcard matches nothing, itself included, under match/mismatch; under a matrix its row decides.
TEST_P(EveryIsa, scores_wildcards_alone_and_among_letters) {
  for (const char *name :
       {"dna-global-affine", "dna-local-linear", "dna-semiglobal-affine", "iupac-semiglobal-nuc44", "edit-distance"}) {
    Batch batch;
    for (int length : {1, 2, 7, 8, 9, 33, 150}) {
      const std::string wild(static_cast<std::size_t>(length), 'N');
      std::string mixed(static_cast<std::size_t>(length), 'A');
      for (std::size_t i = 0; i < mixed.size(); i += 3) mixed[i] = 'n';
      batch.queries.insert(batch.queries.end(), {wild, wild, mixed, mixed, wild});
      batch.targets.insert(batch.targets.end(), {wild, mixed, wild, mixed, wild + "N"});
    }
    const Opened o = open_shipped(name);
    expect_pairs(o, batch);
    expect_all(o, batch);
  }
}

TEST_P(EveryIsa, reports_where_alignments_end) {
  std::size_t turn = 0;
  for (const char *alignment : {"global", "local", "semiglobal", "{free_ends: [query_begin, target_end]}",
                                "{free_ends: [query_end, target_begin]}"}) {
    if (!sample::falls_to(GetParam(), turn++)) continue;
    expect_ragged(open_text("alignment: " + std::string(alignment) + R"(
gap: {model: affine, open: 2, extend: 1}
alphabet: dna5
score: {match: 2, mismatch: -1}
output: [score, end]
)"));
  }
}

// Two letters only, so that many cells share the best score.
TEST_P(EveryIsa, breaks_ties_between_ends) {
  for (const char *alignment : {"local", "semiglobal"}) {
    const Opened o = open_text("alignment: " + std::string(alignment) + R"(
gap: {model: linear, extend: 1}
alphabet: dna
score: {match: 1, mismatch: 0}
output: [score, end]
)");
    const Batch batch = ragged(3, "AC", 150, 60);
    expect_pairs(o, batch);
    Batch all = ragged(4, "AC", 300, 60);
    all.queries.resize(5);
    expect_all(o, all);
  }
}

TEST_P(EveryIsa, refuses_ends_that_the_spec_does_not_give) {
  const Opened o = open_shipped("dna-global-affine");
  EXPECT_TRUE(o.aligner->outputs() == alnsmith::OutputSet{alnsmith::Output::score});
  const std::vector<std::string_view> letters = {"ACGT", "AC"};
  std::vector<std::int32_t> scores(2), ends(2), few(1);
  const auto unknown = o.aligner->align_pairs(
      letters, letters, {{alnsmith::Output::score, scores}, {alnsmith::Output::query_end, ends}}, o.options);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().exit_code, 2);
  EXPECT_NE(unknown.error().message.find("output: [score, end]"), std::string::npos) << unknown.error().message;
  const auto unequal = o.aligner->align_pairs(
      letters, letters, {{alnsmith::Output::score, scores}, {alnsmith::Output::query_end, few}}, o.options);
  ASSERT_FALSE(unequal);
  EXPECT_NE(unequal.error().message.find("make 2 pairs; the column query_end has room for 1"), std::string::npos)
      << unequal.error().message;
}

}  // namespace
