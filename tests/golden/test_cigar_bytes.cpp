// Whole alignments are the same bytes whatever computes them: instruction set, arithmetic, k, threads, and how much of
// the way back is kept (a section of strips, as many as lengths and k say).
//
// By default a sample of about 10^8 cells; ALNSMITH_FULL=1: 10,000 pairs of 1 to 5,000 letters, a tenth of them scalar.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "../mutated.h"
#include "golden.h"
#include "host_isas.h"
#include "random_problems.h"
#include "sample.h"
#include "whole_alignments.h"

namespace {

using golden::Alignments;
using golden::kGlobal;
using golden::kLocal;
using golden::kOverlap;
using golden::PairList;

class CigarBytes : public testing::TestWithParam<alnsmith::Isa> {
 protected:
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
  }
  golden::WholeAligner open(const std::string &fields, const std::string &choice, int threads = 2) const {
    return open(GetParam(), fields, choice, threads);
  }
  // What the others are held against: the best instruction set, one thread.
  golden::WholeAligner open_base(const std::string &fields, const std::string &choice = "") const {
    return open(host_isas().front(), fields, choice, 1);
  }

 private:
  golden::WholeAligner open(alnsmith::Isa isa, const std::string &fields, const std::string &choice,
                            int threads) const {
    golden::WholeAligner whole = golden::open_whole(fields, isa, {ALNSMITH_GENERATOR_PROGRAM, choice});
    whole.options.threads = threads;
    return whole;
  }
};
INSTANTIATE_TEST_SUITE_P(isa, CigarBytes, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

// The instruction sets share out 1 to 16, and the arithmetics.
TEST_P(CigarBytes, are_the_same_for_every_k) {
  const auto isas = host_isas();
  const auto place = static_cast<std::size_t>(std::ranges::find(isas, GetParam()) - isas.begin());
  std::mt19937 random(11);
  PairList pairs = golden::ragged_pairs(random, "ACGT", 70, 700);
  golden::add_corner_cases(pairs, "ACGT");
  const Alignments wanted = open_base(kGlobal, "arithmetic=int32").align(pairs);
  for (std::size_t k = 1 + place; k <= 16; k += isas.size()) {
    const std::string choice = (k % 3 == 0 ? "arithmetic=int32,k=" : "arithmetic=int16,k=") + std::to_string(k);
    SCOPED_TRACE(choice);
    alnsmith::Report report;
    EXPECT_EQ(golden::difference(open(kGlobal, choice).align(pairs, &report), wanted, pairs), "");
    EXPECT_NE(report.kernels.front().find("_k" + std::to_string(k) + "_"), std::string::npos) << report.kernels.front();
  }
}

// The lengths of a batch decide how many strips a section has: 2 up to all.
TEST_P(CigarBytes, are_the_same_for_sections_of_any_size) {
  std::mt19937 random(12);
  PairList pairs;
  for (const std::size_t query : {3u, 60u, 700u, 2500u})
    for (const std::size_t target : {1u, 17u, 200u, 900u, 4200u}) {
      const std::string letters = golden::random_letters(random, "ACGT", query);
      std::string other = golden::random_letters(random, "ACGT", target / 2) + letters;
      other.resize(target, 'A');
      pairs.add(letters, other);
    }
  const Alignments wanted = open_base(kLocal, "arithmetic=int32").align(pairs);
  for (const char *choice : {"arithmetic=int16,k=1", "arithmetic=int32,k=5"}) {
    SCOPED_TRACE(choice);
    const golden::WholeAligner whole = open(kLocal, choice);
    EXPECT_EQ(golden::difference(whole.align(pairs), wanted, pairs), "");  // in one batch
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      PairList alone;
      alone.add(pairs.queries[i], pairs.targets[i]);
      ASSERT_EQ(golden::shown(whole.align(alone).answer(0)), golden::shown(wanted.answer(i))) << i;
    }
  }
}

// All lanes on one pair: memory decides how many stages a section has.
TEST_P(CigarBytes, are_the_same_for_long_pairs_in_little_memory) {
  if (GetParam().machine.empty()) GTEST_SKIP() << "one lane has nothing to share";
  std::mt19937 random(14);
  PairList pairs;
  const std::string query = golden::random_letters(random, "ACGT", 12000);
  std::string target = mutated(random, "ACGT", query.substr(1000), 12);
  target.resize(9000);
  pairs.add(query, target);
  for (const char *fields : {kGlobal, kLocal, kOverlap}) {
    const Alignments wanted = open_base(fields, "mapping=lanes").align(pairs);
    for (const char *choice : {"mapping=strips", "mapping=strips,arithmetic=int16"})
      for (const int threads : {1, 2}) {
        golden::WholeAligner whole = open(fields, choice, threads);
        // As little as it takes, and enough for all stages at once.
        whole.options.memory_bytes = 400000;
        const auto suffices = [&] {
          Alignments got(1);
          const auto done =
              whole.aligner->align_pairs(pairs.query_views(), pairs.target_views(), got.columns(), whole.options);
          return static_cast<bool>(done);
        };
        while (!suffices()) whole.options.memory_bytes += whole.options.memory_bytes / 16;
        EXPECT_LT(whole.options.memory_bytes, 4000000u);
        for (const std::size_t memory : {whole.options.memory_bytes, std::size_t{64} << 20}) {
          SCOPED_TRACE(std::string(fields) + " " + choice + ", threads " + std::to_string(threads) + ", memory " +
                       std::to_string(memory));
          whole.options.memory_bytes = memory;
          alnsmith::Report report;
          ASSERT_EQ(golden::difference(whole.align(pairs, &report), wanted, pairs), "");
          EXPECT_NE(report.kernels.front().find("_split_"), std::string::npos) << report.kernels.front();
        }
      }
  }
}

TEST_P(CigarBytes, are_the_same_for_every_arithmetic_and_number_of_threads) {
  // A scalar kernel would take hours for all pairs of a full run.
  const bool full = sample::full(), scalar = GetParam().rank == 0;
  const std::size_t count = full ? scalar ? 1000 : 10000 : 120;
  const std::vector<const char *> specs = {kGlobal, kLocal, kOverlap};
  std::size_t turn = 0;
  for (const char *fields : specs) {
    if (!sample::falls_to(GetParam(), turn++)) continue;
    std::mt19937 random(13);
    const PairList pairs = golden::ragged_pairs(random, "ACGT", count / specs.size() + 1, full ? 5000 : 800);
    const Alignments wanted = open_base(fields).align(pairs);
    const auto expect_same = [&](const char *choice, int threads) {
      SCOPED_TRACE(std::string(fields) + " " + choice + ", threads " + std::to_string(threads));
      EXPECT_EQ(golden::difference(open(fields, choice, threads).align(pairs), wanted, pairs), "");
    };
    for (const int threads : {1, 2}) expect_same("", threads);
    if (full && scalar) continue;
    for (const char *choice : {"arithmetic=int8", "arithmetic=int16", "arithmetic=int32"}) expect_same(choice, 2);
    if (GetParam().machine.empty()) continue;
    for (const char *choice : {"mapping=strips", "mapping=strips,arithmetic=int16", "mapping=strips,arithmetic=int32"})
      expect_same(choice, 2);
  }
}

}  // namespace
