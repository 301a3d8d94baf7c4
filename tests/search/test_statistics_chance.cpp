// What E promises, where nothing is related: random proteins against random ones, and real queries against a database
// whose letters are shuffled, target by target.
//
// By default a part of the data; ALNSMITH_FULL=1: all of it. Without the large data, the bundled proteins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "full_run.h"
#include "golden.h"
#include "statistics/random.h"
#include "statistics_kernels.h"
#include "statistics_scorings.h"

namespace alnsmith::search {
namespace {

using test::open_local;
using test::protein_scoring;
using Texts = std::vector<std::string>;

std::vector<std::string_view> views(const Texts &texts) { return {texts.begin(), texts.end()}; }

std::uint64_t letters_of(const Texts &texts) {
  std::uint64_t sum = 0;
  for (const std::string &text : texts) sum += text.size();
  return sum;
}

// All scores, query by query.
std::vector<std::int32_t> scores_of(const Texts &queries, const Texts &targets, const ScoringSystem &scoring) {
  const auto aligner = open_local(scoring, false);
  std::vector<std::int32_t> scores(queries.size() * targets.size());
  if (!aligner) {
    ADD_FAILURE() << aligner.error().message;
    return scores;
  }
  const auto done = (*aligner)->align_all(views(queries), views(targets), scores);
  EXPECT_TRUE(done) << done.error().message;
  return scores;
}

struct Counts {
  int hits[3] = {0, 0, 0};  // E up to 0.01, 0.1 and 1
  void add(double e) {
    hits[0] += e <= 0.01 ? 1 : 0;
    hits[1] += e <= 0.1 ? 1 : 0;
    hits[2] += e <= 1 ? 1 : 0;
  }
};

// Kolmogorov and Smirnov's distance of probabilities from uniform ones.
double distance_from_uniform(std::vector<double> probabilities) {
  std::ranges::sort(probabilities);
  double most = 0;
  const auto n = static_cast<double>(probabilities.size());
  for (std::size_t i = 0; i < probabilities.size(); ++i)
    most = std::max(
        {most, probabilities[i] - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - probabilities[i]});
  return most;
}

TEST(Chance, RandomProteinsAreFoundAsOftenAsESays) {
  STATISTICS_NEED_KERNELS();
  const ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  const Statistics table = *tabulated(scoring);
  const LetterSource source(scoring.letters, Frequencies::standard(scoring).parts);
  const std::size_t query_count = sample::full() ? 1000 : 300, target_count = sample::full() ? 4000 : 1000;
  Random random(11);
  const auto draw = [&](std::size_t count, std::uint64_t shortest, std::uint64_t longest) {
    Texts texts;
    for (std::size_t i = 0; i < count; ++i) {
      texts.emplace_back(shortest + random.below(longest - shortest + 1), ' ');
      source.fill(random, texts.back());
    }
    return texts;
  };
  const Texts queries = draw(query_count, 80, 500), targets = draw(target_count, 50, 800);
  const std::uint64_t letters = letters_of(targets);
  const std::vector<std::int32_t> scores = scores_of(queries, targets, scoring);

  int hits = 0, in_short_targets = 0;
  double short_letters = 0;
  std::vector<double> best;
  for (const std::string &target : targets)
    short_letters += target.size() <= 425 ? static_cast<double>(target.size()) : 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    double least = 1e9;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const double e =
          expected_hits(table, scores[q * targets.size() + t], 1, queries[q].size(), targets[t].size(), letters);
      least = std::min(least, e);
      hits += e <= 1 ? 1 : 0;
      in_short_targets += e <= 1 && targets[t].size() <= 425 ? 1 : 0;
    }
    best.push_back(1 - std::exp(-least));
  }
  const auto expected = static_cast<double>(queries.size());
  std::printf("hits with E <= 1: %d, expected %.0f; in targets up to 425 letters %d of %.0f; distance %.3f\n", hits,
              expected, in_short_targets, expected * short_letters / static_cast<double>(letters),
              distance_from_uniform(best));
  // Three standard deviations of the count, and the tabulated values' own error.
  EXPECT_NEAR(hits, expected, 0.15 * expected + 3 * std::sqrt(expected) * (sample::full() ? 0 : 0.5));
  const double expected_short = expected * short_letters / static_cast<double>(letters);
  EXPECT_NEAR(in_short_targets, expected_short, 0.15 * expected_short + 3 * std::sqrt(expected_short));
  EXPECT_LT(distance_from_uniform(best), 1.63 / std::sqrt(expected));  // 1 % of uniform samples are farther
}

struct Real {
  Texts queries, targets;
};

Real real_proteins() {
  Real out;
  const auto data = golden::data_dir();
  const auto sequences = [](const std::string &path, std::size_t every, std::size_t shortest, std::size_t longest) {
    Texts texts;
    std::size_t number = 0;
    for (auto &record : golden::read_sequences(path))
      if (number++ % every == 0 && record.letters.size() >= shortest && record.letters.size() <= longest)
        texts.push_back(record.letters);
    return texts;
  };
  if (data) {
    out.queries = sequences(*data + "/protein/queries_mmseqs.fasta", 1, 100, 400);
    if (out.queries.size() > 60) out.queries.resize(60);
    out.targets = sequences(*data + "/protein/db.fasta.gz", sample::full() ? 1 : 6, 1, 100000);
  } else {
    out.queries = sequences(golden::bundled_dir() + "/protein_queries.fasta", 1, 1, 100000);
    const Texts few = sequences(golden::bundled_dir() + "/protein_targets.fasta.gz", 1, 1, 100000);
    for (int copy = 0; copy < 20; ++copy) out.targets.insert(out.targets.end(), few.begin(), few.end());
  }
  return out;
}

TEST(Chance, RealQueriesFindNoMoreThanTwiceInAShuffledDatabase) {
  STATISTICS_NEED_KERNELS();
  Real real = real_proteins();
  Random random(5);
  for (std::string &target : real.targets) shuffle(random, target);
  const ScoringSystem scoring = protein_scoring("BLOSUM62", 11, 1);
  const Statistics table = *tabulated(scoring);
  const Composition composition(scoring, Frequencies::standard(scoring));
  const std::uint64_t letters = letters_of(real.targets);
  const std::vector<std::int32_t> scores = scores_of(real.queries, real.targets, scoring);
  Counts plain, mended;
  int none = 0;
  for (std::size_t q = 0; q < real.queries.size(); ++q) {
    const LetterCounts query = composition.count(real.queries[q]);
    for (std::size_t t = 0; t < real.targets.size(); ++t) {
      const std::int32_t score = scores[q * real.targets.size() + t];
      const std::size_t n = real.targets[t].size();
      const double e = expected_hits(table, score, 1, real.queries[q].size(), n, letters);
      plain.add(e);
      if (e > 10) continue;  // composition only makes E larger
      const auto ratio = composition.ratio(query, composition.count(real.targets[t]));
      none += ratio ? 0 : 1;
      if (ratio) mended.add(expected_hits(table, score, *ratio, real.queries[q].size(), n, letters));
    }
  }
  const auto expected = static_cast<double>(real.queries.size());
  std::printf(
      "%zu queries, %zu targets; E up to 0.01, 0.1, 1: plain %d %d %d, by composition %d %d %d, expected %.1f %.1f "
      "%.0f; %d pairs without E\n",
      real.queries.size(), real.targets.size(), plain.hits[0], plain.hits[1], plain.hits[2], mended.hits[0],
      mended.hits[1], mended.hits[2], expected / 100, expected / 10, expected, none);
  EXPECT_LE(mended.hits[0], std::max(2.0, 2 * expected / 100));
  EXPECT_LE(mended.hits[1], std::max(2.0, 2 * expected / 10));
  EXPECT_LE(mended.hits[2], 2 * expected);
  EXPECT_GE(mended.hits[2], expected / 5);  // not by giving nothing
  if (golden::data_dir()) {
    EXPECT_GT(plain.hits[1], 4 * expected / 10);  // what there is to mend
  }
}

}  // namespace
}  // namespace alnsmith::search
