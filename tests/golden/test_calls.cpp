// Batch calls with generated kernels score as the oracle says: every shipped spec, wildcards, scoring that comes with
// the call, distances, custom alphabets, ragged lengths, ends, and scores that outgrow the narrow kernels.
//
// In: specs/, and specs of the tests' own. Every spec runs on this machine's best instruction set, and one of each
// kind on the narrower ones too.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <random>

#include "../mutated.h"
#include "alnsmith/alnsmith.hpp"
#include "golden.h"
#include "host_isas.h"
#include "sample.h"
#include "scratch.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "temporary_aligner.h"

namespace {

constexpr std::string_view kResidues = "ARNDCQEGHILKMFPSTWYV";

using alnsmith::Isa;

std::string random_letters(std::mt19937 &random, std::string_view letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

// About one letter in eight inserted, left out or exchanged.
struct Batch {
  std::vector<std::string> queries, targets;
  static std::vector<std::string_view> views(const std::vector<std::string> &texts) {
    return {texts.begin(), texts.end()};
  }
};

// Lengths from 1 to `longest` in any order, related and not; also homopolymers and two empty sequences.
Batch ragged(unsigned seed, std::string_view letters, int count, std::size_t longest) {
  std::mt19937 random(seed);
  Batch batch;
  for (int i = 0; i < count; ++i) {
    const std::size_t length = i == 0 ? longest : i == 1 ? 1 : 1 + random() % longest;
    batch.queries.push_back(i % 17 == 3 ? std::string(length, letters[random() % letters.size()])
                                        : random_letters(random, letters, length));
    std::string target = i % 2 == 0 ? mutated(random, letters, batch.queries.back(), 24)
                                    : random_letters(random, letters, 1 + random() % longest);
    if (target.size() > longest) target.resize(longest);
    batch.targets.push_back(std::move(target));
  }
  if (count > 20) batch.queries[20] = batch.targets[15] = "";
  return batch;
}

// Every letter of the alphabet, both cases, its synonyms, and its wildcard.
std::string all_letters(const alnsmith::spec::Alphabet &alphabet) {
  std::string letters = alphabet.letters + alphabet.letters;
  for (char letter : alphabet.letters) letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  for (const auto &[byte, letter] : alphabet.synonyms) letters += byte;
  return letters;
}

class Calls : public testing::Test {
 protected:
  // `wanted`: nothing is the machine's best.
  void prepare(std::optional<Isa> wanted) {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    const auto best = alnsmith::best_isa();
    ASSERT_TRUE(best) << best.error().message;
    isa_ = wanted.value_or(*best);
    if (!(isa_ <= *best)) GTEST_SKIP() << "this machine has no " << alnsmith::isa_name(isa_);
  }

  struct Opened {
    alnsmith::spec::Spec spec;
    golden::TemporaryAligner aligner;
    alnsmith::Options options;
    oracle::Problem problem;
  };
  // `path`: a spec file.
  Opened open_file(const std::string &path, const std::string &tables = "") const {
    const auto spec = alnsmith::spec::parse_file(path);
    if (!spec) throw std::runtime_error(spec.error().message);
    alnsmith::Sources sources;
    sources.generator = ALNSMITH_GENERATOR_PROGRAM;
    sources.cache_dir = folder_.path();
    sources.tuned_dir = tables;
    alnsmith::Options options;
    options.isa = isa_;
    options.threads = 2;
    options.scoring = oracle::call_scoring(*spec);
    auto aligner = golden::TemporaryAligner::open_file(path, sources, options);
    if (!aligner) throw std::runtime_error(aligner.error().message);
    return {*spec, *std::move(aligner), options, oracle::spec_problem(*spec, options.scoring)};
  }
  Opened open_shipped(const std::string &name) const { return open_file(ALNSMITH_SPECS "/" + name + ".yaml"); }
  // With the planner's own choices: a tuned table may begin with a wider kernel.
  Opened open_untuned(const std::string &name) const {
    const std::string none = folder_.path("no-tables");
    std::filesystem::create_directories(none);
    return open_file(ALNSMITH_SPECS "/" + name + ".yaml", none);
  }
  Opened open_text(const std::string &yaml) const {
    return open_file(folder_.write("spec.yaml", "version: 1\nname: spec\n" + yaml));
  }

  // Scores of a call, and ends where the spec's output has them.
  struct Results {
    Results(const Opened &o, std::size_t n) : scores(n, -999999) {
      EXPECT_EQ(o.aligner->outputs().contains(alnsmith::Output::query_end), o.spec.output.end);
      if (o.spec.output.end) query_ends = target_ends = scores;
    }
    alnsmith::Columns columns() {
      alnsmith::Columns columns{{alnsmith::Output::score, scores}};
      if (query_ends.empty()) return columns;
      columns.set(alnsmith::Output::query_end, query_ends);
      columns.set(alnsmith::Output::target_end, target_ends);
      return columns;
    }
    void expect(std::size_t i, const oracle::Answer &want, const std::string &where) const {
      EXPECT_EQ(scores[i], want.score) << where;
      if (query_ends.empty()) return;
      EXPECT_EQ(target_ends[i], want.target_end) << where;
      EXPECT_EQ(query_ends[i], want.query_end) << where;
    }
    std::vector<std::int32_t> scores, query_ends, target_ends;
  };

  static alnsmith::Report expect_pairs(const Opened &o, const Batch &batch) {
    Results got(o, batch.queries.size());
    const auto report =
        o.aligner->align_pairs(Batch::views(batch.queries), Batch::views(batch.targets), got.columns(), o.options);
    EXPECT_TRUE(report) << report.error().message;
    if (!report) return {};
    EXPECT_EQ(o.aligner->target(), alnsmith::isa_name(*o.options.isa));
    for (std::size_t i = 0; i < got.scores.size() && !HasFailure(); ++i)
      got.expect(i, oracle::align(o.problem, batch.queries[i], batch.targets[i]),
                 o.spec.name + ", pair " + std::to_string(i) + ": " + batch.queries[i] + " / " + batch.targets[i]);
    return *report;
  }
  static alnsmith::Report expect_all(const Opened &o, const Batch &batch) {
    const std::size_t targets = batch.targets.size();
    Results got(o, batch.queries.size() * targets);
    const auto report =
        o.aligner->align_all(Batch::views(batch.queries), Batch::views(batch.targets), got.columns(), o.options);
    EXPECT_TRUE(report) << report.error().message;
    if (!report) return {};
    for (std::size_t i = 0; i < got.scores.size() && !HasFailure(); ++i)
      got.expect(i, oracle::align(o.problem, batch.queries[i / targets], batch.targets[i % targets]),
                 o.spec.name + ": " + batch.queries[i / targets] + " / " + batch.targets[i % targets]);
    return *report;
  }
  // Both calls, over ragged lengths from 1 to 600.
  static void expect_ragged(const Opened &o) {
    const std::string letters = all_letters(o.spec.alphabet);
    expect_pairs(o, ragged(1, letters, 150, 600));
    Batch all = ragged(2, letters, 90, 300);
    all.queries.resize(7);
    all.queries.emplace_back("");
    expect_all(o, all);
  }

  Isa isa_;
  scratch::Folder folder_;
};

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

class EveryIsa : public Calls, public testing::WithParamInterface<Isa> {
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    prepare(GetParam());
  }
};
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
  for (const char *alignment : {"global", "local", "semiglobal", "{free_ends: [query_begin, target_end]}",
                                "{free_ends: [query_end, target_begin]}"})
    expect_ragged(open_text("alignment: " + std::string(alignment) + R"(
gap: {model: affine, open: 2, extend: 1}
alphabet: dna5
score: {match: 2, mismatch: -1}
output: [score, end]
)"));
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

// Targets of a search share lanes, and some outgrow the narrow kernels.
TEST_P(EveryIsa, ends_survive_shared_lanes_and_promotion) {
  const Opened o = open_text(R"(alignment: local
gap: {model: affine, open: 11, extend: 1}
alphabet: protein
score: {matrix: BLOSUM62}
output: [score, end]
)");
  std::mt19937 random(6);
  Batch batch;
  for (int i = 0; i < 3; ++i) batch.queries.push_back(random_letters(random, kResidues, 40 + random() % 80));
  for (int i = 0; i < 700; ++i)
    batch.targets.push_back(i % 60 == 7 ? random_letters(random, kResidues, random() % 30) + batch.queries[1] +
                                              random_letters(random, kResidues, random() % 30)
                                        : random_letters(random, kResidues, 1 + random() % 120));
  EXPECT_GT(expect_all(o, batch).promoted, 0u);
}

// Many reads against few targets would leave lanes of targets empty.
TEST_P(EveryIsa, fills_lanes_with_pairs_where_targets_are_few) {
  const Opened o = open_untuned("dna-local-end");
  std::mt19937 random(8);
  Batch few;
  for (int i = 0; i < 300; ++i) few.queries.push_back(random_letters(random, "ACGT", 140 + random() % 20));
  for (int i = 0; i < 2; ++i) few.targets.push_back(random_letters(random, "ACGT", 400));
  Batch many = few;
  many.queries.resize(2);
  for (int i = 2; i < 300; ++i) many.targets.push_back(random_letters(random, "ACGT", 400));
  const auto form = [&](const Batch &batch) {
    const alnsmith::Report report = expect_all(o, batch);
    return report.kernels.empty() ? "" : report.kernels.front();
  };
  Batch uneven;  // of the lanes' last targets most are missing, in refilled lanes too
  uneven.queries.assign(few.queries.begin(), few.queries.begin() + 12);
  for (int i = 0; i < 70; ++i) uneven.targets.push_back(random_letters(random, "ACGT", 160));
  const bool one_lane = isa_ == Isa{};  // nothing to leave empty
  EXPECT_NE(form(few).find(one_lane ? "_shared_" : "_pairs_"), std::string::npos) << form(few);
  EXPECT_NE(form(uneven).find(one_lane ? "_shared_" : "_pairs_"), std::string::npos) << form(uneven);
  EXPECT_NE(form(many).find("_shared_"), std::string::npos) << form(many);
}

// One target of each query outgrows 8 bits: a vector of 16 bits for each would take as long as all others together.
TEST_P(EveryIsa, promotes_few_targets_of_many_queries_side_by_side) {
  auto opened = open_untuned("dna-local-affine");
  std::mt19937 random(9);
  Batch batch;
  for (int i = 0; i < 61; ++i) {
    batch.queries.push_back(random_letters(random, "ACGT", 150));
    batch.targets.push_back(random_letters(random, "ACGT", 500) + batch.queries.back());
  }
  const auto queries = Batch::views(batch.queries), targets = Batch::views(batch.targets);
  std::vector<std::int32_t> scores(queries.size() * targets.size());
  const auto report = opened.aligner->align_all(queries, targets, scores, opened.options);
  ASSERT_TRUE(report) << report.error().message;
  const auto ran = [&](const char *name) {
    return std::ranges::any_of(report->kernels, [&](const auto &k) { return k.find(name) != std::string::npos; });
  };
  if (GetParam().rank > 0) {
    EXPECT_FALSE(ran("_shared_i16_"));
    EXPECT_TRUE(ran("_pairs_"));
    EXPECT_EQ(report->promoted, 61u);
  }
  for (std::size_t q = 0; q < queries.size(); q += 7)
    for (std::size_t t = q % 3; t < targets.size(); t += 3)
      ASSERT_EQ(scores[q * targets.size() + t], oracle::score(opened.problem, queries[q], targets[t])) << q << " " << t;
}

// A long target outgrows 8 bits: in 16, all lanes but its own would be empty. Stripes of 8 bits would overflow as well.
TEST_P(EveryIsa, promotes_a_long_target_alone) {
  auto opened = open_untuned("protein-local-blosum62");
  std::mt19937 random(10);
  const std::string query = random_letters(random, kResidues, 1000);
  Batch batch{{query}, {}};
  for (int i = 0; i < 3000; ++i) batch.targets.push_back(random_letters(random, kResidues, 100 + i % 300));
  batch.targets[7] =
      random_letters(random, kResidues, 3000) + query.substr(100, 400) + random_letters(random, kResidues, 3000);
  const auto queries = Batch::views(batch.queries), targets = Batch::views(batch.targets);
  std::vector<std::int32_t> scores(targets.size());
  const auto report = opened.aligner->align_all(queries, targets, scores, opened.options);
  ASSERT_TRUE(report) << report.error().message;
  if (GetParam().rank > 0) {
    EXPECT_EQ(report->promoted, 1u);
    const auto ran = [&](const char *name) {
      return std::ranges::any_of(report->kernels, [&](const auto &k) { return k.find(name) != std::string::npos; });
    };
    EXPECT_TRUE(ran("_striped_i16_"));
    EXPECT_FALSE(ran("_striped_i8_") || ran("_shared_i16_") || ran("_pairs_"));
  }
  for (std::size_t t = 0; t < targets.size(); t += t < 70 ? 7 : 70)
    ASSERT_EQ(scores[t], oracle::score(opened.problem, queries[0], targets[t])) << t;
}

// One batch of long pairs that are alike: their first letters tell that 8 bits would overflow, so none is promoted.
TEST_P(EveryIsa, tries_the_first_letters_of_a_batch_of_long_pairs) {
  if (GetParam().rank == 0) GTEST_SKIP() << "one lane is no batch";
  const Opened opened = open_text(
      "alignment: local\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\nscore: {match: 2, mismatch: -1}\n"
      "arithmetic: int8\nmapping: lanes\n");
  std::mt19937 random(11);
  Batch batch;
  for (int i = 0; i < 3 << GetParam().rank; ++i) {  // three quarters of the lanes
    batch.queries.push_back(random_letters(random, "ACGT", 2100));
    batch.targets.push_back(batch.queries.back());
    for (int n = 0; n < 80; ++n) batch.targets.back()[random() % 2100] = "ACGT"[random() % 4];
  }
  const auto queries = Batch::views(batch.queries), targets = Batch::views(batch.targets);
  std::vector<std::int32_t> scores(queries.size());
  const auto report = opened.aligner->align_pairs(queries, targets, scores, opened.options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->promoted, 0u);
  for (std::size_t i = 0; i < queries.size(); i += 5)
    ASSERT_EQ(scores[i], oracle::score(opened.problem, queries[i], targets[i])) << i;
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

// Scores of local pairs in 8 bits beside a base of each lane's own: costs up to where a chunk of rows just fits, steps
// that are as large as they get, up along equal letters and down along gaps, and lanes of every length side by side.
TEST_P(EveryIsa, holds_any_local_score_in_8_bits_beside_a_base) {
  struct Costs {
    int match, mismatch, open, extend;
  };
  std::mt19937 random(12);
  for (const Costs c : {Costs{1, -1, 0, 1},
                        {2, -3, 5, 2},
                        {1, 0, 0, 0},
                        {12, -30, 3, 0},
                        {23, -24, 4, 1},
                        {9, -5, 25, 1},
                        {3, -60, 20, 3}}) {
    const std::string gap =
        c.open > 0 ? "{model: affine, open: " + std::to_string(c.open) + ", extend: " : "{model: linear, extend: ";
    const Opened o = open_text("alignment: local\ngap: " + gap + std::to_string(c.extend) +
                               "}\nalphabet: dna\nscore: {match: " + std::to_string(c.match) +
                               ", mismatch: " + std::to_string(c.mismatch) + "}\nmapping: lanes\n");
    Batch batch;
    const auto add = [&](std::string query, std::string target) {
      batch.queries.push_back(std::move(query));
      batch.targets.push_back(std::move(target));
    };
    for (int i = 0; i < 120; ++i) {
      const std::string query = random_letters(random, "ACGT", 1 + random() % 260);
      add(query, i % 3 == 0 ? random_letters(random, "ACGT", 1 + random() % 260) : mutated(random, "ACGT", query, 12));
    }
    const std::string equal(800, 'A'), left = random_letters(random, "ACGT", 350);
    const std::string right = random_letters(random, "ACGT", 300), between = random_letters(random, "ACGT", 170);
    add(equal, equal);
    add(equal, std::string(800, 'C'));
    add(left + between + right, left + right);
    add(left + right, left + between + right);
    add(left + std::string(90, 'A') + right, left + std::string(200, 'C') + right);
    add(left + std::string(200, 'C') + right, left + std::string(90, 'A') + right);
    add("", left);
    const alnsmith::Report report = expect_pairs(o, batch);
    EXPECT_EQ(report.promoted, 0u);
    for (const std::string &kernel : report.kernels) EXPECT_NE(kernel.find("_i8b_"), std::string::npos) << kernel;
  }
}

// Similar proteins outgrow 8 bits, a long one 16; all others stay in the narrow kernel.
TEST_P(EveryIsa, promotes_what_outgrows_a_kernel_and_only_that) {
  // With ends: scores alone are kept beside a base, and nothing outgrows them.
  const Opened o = open_text(
      "alignment: local\ngap: {model: affine, open: 11, extend: 1}\nalphabet: protein\nscore: {matrix: BLOSUM62}\n"
      "output: [score, end]\n");
  std::mt19937 random(5);
  Batch batch;
  std::uint64_t similar = 0;
  for (int i = 0; i < 600; ++i) {
    const std::string query = random_letters(random, kResidues, 90 + random() % 60);
    const bool same = i % 50 == 49;
    similar += same;
    batch.targets.push_back(same ? query : random_letters(random, kResidues, 90 + random() % 60));
    batch.queries.push_back(query);
  }
  const alnsmith::Report narrow = expect_pairs(o, batch);
  EXPECT_EQ(narrow.promoted, similar);
  ASSERT_EQ(narrow.kernels.size(), 2u);

  // 6,300 tryptophans score 11 each: 69,300, more than 16 bits hold whether signed or not. Too large for the oracle,
  // but no alignment can have more than each residue with itself.
  const std::string tryptophans(6300, 'W');
  batch.queries.push_back(tryptophans);
  batch.targets.push_back(tryptophans);
  std::vector<std::int32_t> scores(batch.queries.size());
  const auto wide = o.aligner->align_pairs(Batch::views(batch.queries), Batch::views(batch.targets), scores, o.options);
  ASSERT_TRUE(wide) << wide.error().message;
  EXPECT_EQ(scores.back(), 69300);
  // Where lanes can share it, it is aligned alone: in stripes, whose 16 bits it outgrows, then beside a base that
  // moves.
  const bool alone = !GetParam().machine.empty();
  EXPECT_EQ(wide->promoted, similar + 1);
  for (const char *width : {"_i8_", "_i16_", alone ? "_split_i16_" : "_i32_"})
    EXPECT_TRUE(std::any_of(wide->kernels.begin(), wide->kernels.end(), [&](const std::string &kernel) {
      return kernel.find(width) != std::string::npos;
    })) << width;

  batch.queries = {batch.queries[49], batch.queries[0]};
  batch.targets.pop_back();
  EXPECT_GT(expect_all(o, batch).promoted, 0u);
}

}  // namespace
