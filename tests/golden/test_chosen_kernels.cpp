// Which kernels batch calls run: pairs or targets in lanes, wider ones for what outgrows 8 bits, and those alone;
// scores and ends are the oracle's all the same.
#include <algorithm>

#include "calls.h"

namespace {

using namespace calls;

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
  EXPECT_NE(form(few).find(one_lane ? "_shared_" : "_pairwise_"), std::string::npos) << form(few);
  EXPECT_NE(form(uneven).find(one_lane ? "_shared_" : "_pairwise_"), std::string::npos) << form(uneven);
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
    EXPECT_FALSE(ran("_shared_profile_i16_"));
    EXPECT_TRUE(ran("_pairwise_"));
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
    EXPECT_FALSE(ran("_striped_i8_") || ran("_shared_profile_i16_") || ran("_pairwise_"));
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
  // Gaps that cost too much for 8 bits beside a base, which nothing outgrows.
  const Opened o = open_text(
      "alignment: local\ngap: {model: affine, open: 40, extend: 3}\nalphabet: protein\nscore: {matrix: BLOSUM62}\n"
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
