// Batch calls of generated kernels give whole alignments: the textbook's score, ends, begins and CIGARs, letter by
// letter, and such as the checker of alignments lets pass.
//
// In: specs of every alignment type and gap model. Each runs on this machine's best instruction set, a few on the
// narrower ones too; test_cigar_bytes.cpp holds all of them to the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host_isas.h"
#include "random_problems.h"
#include "sample.h"
#include "whole_alignments.h"

namespace {

using golden::PairList;

constexpr std::string_view kNucleotides = "ACGT", kResidues = "ARNDCQEGHILKMFPSTWYV";

struct Kind {
  const char *name;
  bool protein;
  const char *fields;
};
void PrintTo(const Kind &kind, std::ostream *out) { *out << kind.name; }

// The first ones run on every instruction set.
constexpr std::size_t kEverywhere = 4;
const std::vector<Kind> kinds = {
    {"global_affine", false,
     "alignment: global\ngap: {model: affine, open: 3, extend: 1}\nalphabet: dna5\nscore: {match: 2, mismatch: -3}"},
    {"local_blosum62", true,
     "alignment: local\ngap: {model: affine, open: 11, extend: 1}\nalphabet: protein\nscore: {matrix: BLOSUM62}"},
    {"all_ends_free_dual_affine", false,
     "alignment: semiglobal\ngap: {model: dual_affine, open: 4, extend: 2, open2: 13, extend2: 1}\nalphabet: dna5\n"
     "score: {match: 2, mismatch: -4}"},
    {"distance_of_edits", false,
     "objective: minimize\nalignment: global\ngap: {model: linear, extend: 1}\nalphabet: dna\n"
     "score: {match: 0, mismatch: 1}"},
    {"global_linear", false,
     "alignment: global\ngap: {model: linear, extend: 2}\nalphabet: dna\nscore: {match: 1, mismatch: -1}"},
    {"global_dual_affine", false,
     "alignment: global\ngap: {model: dual_affine, open: 4, extend: 2, open2: 24, extend2: 1}\nalphabet: dna\n"
     "score: {match: 2, mismatch: -4}"},
    {"global_blosum62_per_side", true,
     "alignment: global\ngap: {insertion: {model: affine, open: 6, extend: 2}, deletion: {model: linear, extend: 3}}\n"
     "alphabet: protein\nscore: {matrix: BLOSUM62}"},
    {"local_linear", false,
     "alignment: local\ngap: {model: linear, extend: 1}\nalphabet: dna5\nscore: {match: 1, mismatch: -1}"},
    {"local_dual_affine_per_side", false,
     "alignment: local\ngap: {insertion: {model: dual_affine, open: 2, extend: 2, open2: 6, extend2: 0}, deletion: "
     "{model: affine, open: 1, extend: 1}}\nalphabet: dna5\nscore: {match: 3, mismatch: -2}"},
    {"query_begin_free", false,
     "alignment: {free_ends: [query_begin]}\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
     "score: {match: 2, mismatch: -1}"},
    {"query_end_free", false,
     "alignment: {free_ends: [query_end]}\ngap: {model: affine, open: 2, extend: 1}\nalphabet: dna\n"
     "score: {match: 2, mismatch: -1}"},
    {"target_begin_free", false,
     "alignment: {free_ends: [target_begin]}\ngap: {model: linear, extend: 1}\nalphabet: dna\n"
     "score: {match: 1, mismatch: -1}"},
    {"target_end_free", true,
     "alignment: {free_ends: [target_end]}\ngap: {model: affine, open: 10, extend: 1}\nalphabet: protein\n"
     "score: {matrix: BLOSUM62}"},
    {"read_in_reference", false,
     "alignment: {free_ends: [target_begin, target_end]}\ngap: {model: affine, open: 4, extend: 2}\nalphabet: dna5\n"
     "score: {match: 1, mismatch: -4}"},
    {"overlap_at_a_cost", false,
     "objective: minimize\nalignment: {free_ends: [query_begin, target_end]}\n"
     "gap: {model: affine, open: 1, extend: 1}\nalphabet: dna\nscore: {match: 0, mismatch: 2}"},
    {"free_gaps", false,
     "alignment: global\ngap: {model: affine, open: 3, extend: 0}\nalphabet: dna\nscore: {match: 1, mismatch: -1}"},
    {"scoring_of_the_call", false,
     "alignment: semiglobal\ngap: {insertion: {model: affine, open: runtime, extend: runtime}, deletion: {model: "
     "affine, open: runtime, extend: runtime}}\nalphabet: dna5\nscore: {match: runtime, mismatch: runtime}"},
    {"lines_of_the_call", false,
     "alignment: {free_ends: [target_begin, query_end]}\ngap: {model: dual_affine, open: runtime, extend: runtime, "
     "open2: runtime, extend2: runtime}\nalphabet: dna5\nscore: {match: 2, mismatch: -3}"},
    {"matrix_of_the_call", true,
     "alignment: local\ngap: {model: affine, open: runtime, extend: runtime}\nalphabet: protein\n"
     "score: {matrix: runtime}"},
};

class Cigars : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
  }
  golden::WholeAligner open(const std::string &fields, alnsmith::Isa isa = host_isas().front(),
                            const std::string &choice = "") const {
    return golden::open_whole(fields, isa, {ALNSMITH_GENERATOR_PROGRAM, choice});
  }
  static void expect_right(const golden::WholeAligner &whole, const PairList &pairs,
                           alnsmith::Report *report = nullptr) {
    EXPECT_EQ(whole.complaint(pairs, whole.align(pairs, report)), "");
  }
};

class OfEveryKind : public Cigars, public testing::WithParamInterface<Kind> {};
INSTANTIATE_TEST_SUITE_P(cigars, OfEveryKind, testing::ValuesIn(kinds),
                         [](const auto &info) { return info.param.name; });

// The long pairs take several sections of strips (runtime/src/align/way_back.cpp), a kernel's widths as their scores
// ask.
TEST_P(OfEveryKind, are_the_textbooks) {
  ONE_IN(2);
  const golden::WholeAligner whole = open(GetParam().fields);
  const std::string_view letters = GetParam().protein ? kResidues : kNucleotides;
  std::mt19937 random(1);
  PairList pairs = golden::ragged_pairs(random, letters, 130, 400);
  golden::add_corner_cases(pairs, letters);
  PairList longer = golden::ragged_pairs(random, letters, 3, 3000);
  longer.targets[0].resize(std::min<std::size_t>(longer.targets[0].size(), 1200));
  for (std::size_t i = 0; i < 2; ++i) pairs.add(longer.queries[i], longer.targets[i]);
  pairs.add(longer.targets[0], longer.queries[0]);
  expect_right(whole, pairs);
}

class OnEveryIsa : public Cigars, public testing::WithParamInterface<alnsmith::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    Cigars::SetUp();
  }
};
INSTANTIATE_TEST_SUITE_P(cigars, OnEveryIsa, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

TEST_P(OnEveryIsa, are_the_textbooks) {
  for (const Kind &kind : std::span(kinds).first(kEverywhere)) {
    SCOPED_TRACE(kind.name);
    const std::string_view letters = kind.protein ? kResidues : kNucleotides;
    const golden::WholeAligner whole = open(kind.fields, GetParam());
    EXPECT_EQ(whole.aligner->target(), alnsmith::isa_name(GetParam()));
    std::mt19937 random(2);
    PairList pairs = golden::ragged_pairs(random, letters, 90, 300);
    golden::add_corner_cases(pairs, letters);
    expect_right(whole, pairs);
  }
}

// What 8 bits cannot hold is walked back by the kernel that scores it, and nothing else is.
TEST_P(OnEveryIsa, survive_promotion) {
  // Gaps that cost too much for 8 bits beside a base, which nothing outgrows.
  const golden::WholeAligner whole =
      open("alignment: local\ngap: {model: affine, open: 40, extend: 3}\nalphabet: protein\nscore: {matrix: BLOSUM62}",
           GetParam());
  std::mt19937 random(3);
  PairList pairs = golden::ragged_pairs(random, kResidues, 200, 120);
  std::uint64_t alike = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (i % 40 == 7) {
      pairs.queries[i] = golden::random_letters(random, kResidues, 110);
      pairs.targets[i] = pairs.queries[i].substr(0, 50) + "WW" + pairs.queries[i].substr(50);
      ++alike;
    } else {
      pairs.targets[i] = golden::random_letters(random, kResidues, 1 + random() % 120);
    }
  alnsmith::Report report;
  expect_right(whole, pairs, &report);
  EXPECT_EQ(report.promoted, alike);
  EXPECT_EQ(report.kernels.size(), 2u);
}

// Far more runs than the runtime makes room for at first, in some lanes only.
TEST_P(OnEveryIsa, have_as_many_runs_as_they_need) {
  const golden::WholeAligner whole = open(
      "alignment: global\ngap: {model: linear, extend: 1}\nalphabet: dna\nscore: {match: 3, mismatch: -9}", GetParam());
  std::mt19937 random(4);
  PairList pairs = golden::ragged_pairs(random, kNucleotides, 60, 80);
  std::string query, target;
  for (int i = 0; i < 500; ++i) {
    (query += 'A') += 'C';
    (target += 'A') += i % 3 == 0 ? "" : "G";
  }
  pairs.add(query, target);
  pairs.add(target, query);
  const golden::Alignments got = whole.align(pairs);
  EXPECT_GT(got.cigars[pairs.size() - 1].size(), 1200u);
  EXPECT_EQ(whole.complaint(pairs, got), "");
}

// Memory that one batch's way back does not fit into is asked for, not taken.
TEST_F(Cigars, of_a_pair_too_long_for_the_memory_are_refused_by_its_name) {
  golden::WholeAligner whole = open(kinds[0].fields);
  std::mt19937 random(5);
  PairList pairs;
  for (const std::size_t length : {100u, 60000u, 50u})
    pairs.add(golden::random_letters(random, kNucleotides, length),
              golden::random_letters(random, kNucleotides, length));
  whole.options.memory_bytes = 4 << 20;
  golden::Alignments got(pairs.size());
  const auto refused =
      whole.aligner->align_pairs(pairs.query_views(), pairs.target_views(), got.columns(), whole.options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, 1);
  const std::string &said = refused.error().message;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  EXPECT_NE(said.find("pair 2"), std::string::npos) << said;
  EXPECT_NE(said.find("60000"), std::string::npos) << said;
  EXPECT_NE(said.find("memory"), std::string::npos) << said;
  // Without the long one it is enough.
  pairs.queries[1].resize(300);
  pairs.targets[1].resize(300);
  expect_right(whole, pairs);
}

// Kernels that have a lane for each pair count what they keep in 32 bits. Nothing is allocated before that is known.
TEST_F(Cigars, of_sequences_that_kernels_cannot_walk_back_are_refused) {
  golden::WholeAligner whole = open(std::string(kinds[0].fields) + "\nmapping: lanes");
  PairList pairs;
  pairs.add("ACGT", "ACGT");
  pairs.add(std::string(3000000, 'A'), std::string(3000000, 'C'));
  whole.options.memory_bytes = std::size_t{1} << 50;
  golden::Alignments got(pairs.size());
  const auto refused =
      whole.aligner->align_pairs(pairs.query_views(), pairs.target_views(), got.columns(), whole.options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("pair 2"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("is more than kernels count in 32 bits"), std::string::npos)
      << refused.error().message;
}

}  // namespace
