// The two phases: PaPaRa's scores, best branches, ties and alignments.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "alnsmith/placement_aligner.hpp"
#include "alnsmith/placement_report.hpp"
#include "papara_set.h"
#include "temporary_aligner.h"
#include "textbook.h"

namespace alnsmith::placement {
namespace {

using testing::PaparaSet;
using testing::Scheme;
using testing::Textbook;

struct Case {
  std::string set, flags;
  Scheme scheme;
  std::size_t reads;  // of the golden ones, at most; 0: all, by the library's kernels and not the textbook
  std::string name() const {
    return set + "_" + flags + (scheme == Scheme::v25 ? "_v25" : "_eq1") + (reads == 0 ? "_kernels" : "");
  }
};
void PrintTo(const Case &one, std::ostream *out) { *out << one.name(); }

// The library's aligners of a scheme's spec, with another alphabet where that is asked for.
class Kernels {
 public:
  Kernels(Scheme scheme, const std::string &alphabet)
      : scores_(open(scheme, alphabet, "")),
        paths_(open(scheme, alphabet, "output: [score, end, begin, cigar]\n")),
        aligner_(*scores_, *paths_, scheme == Scheme::eq1, {}, {}) {}
  SpecAligner &aligner() { return aligner_; }

 private:
  static golden::TemporaryAligner open(Scheme scheme, const std::string &alphabet, const std::string &output) {
    std::string text = testing::file_text(std::string(ALNSMITH_SPECS) +
                                          (scheme == Scheme::v25 ? "/papara-v25.yaml" : "/papara-eq1.yaml"));
    const std::string base = "{state_sets: dna}";
    text.replace(text.find(base), base.size(), "{state_sets: " + alphabet + "}");
    Sources sources;
    sources.generator = ALNSMITH_GENERATOR_PROGRAM;
    auto opened = golden::TemporaryAligner::open(text + output, sources, {});
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }

  golden::TemporaryAligner scores_, paths_;
  SpecAligner aligner_;
};

TEST(BranchesAtATime, FillLanesInGroupsThatAreAlike) {
  EXPECT_EQ(branches_at_a_time(319, 1000), 319u);
  EXPECT_EQ(branches_at_a_time(319, 319), 319u);
  EXPECT_EQ(branches_at_a_time(319, 214), 192u);   // 192 and 127, where 214 and 105 leave more lanes empty
  EXPECT_EQ(branches_at_a_time(1000, 210), 192u);  // 5 of 200 would be 256 each
  EXPECT_EQ(branches_at_a_time(319, 63), 63u);     // too few to fill a vector
  EXPECT_EQ(branches_at_a_time(319, 1), 1u);
  EXPECT_EQ(branches_of_a_call(400, 2500000), 64u);  // half a million columns
  EXPECT_EQ(branches_of_a_call(40, 2500000), 40u);
  EXPECT_EQ(branches_of_a_call(100000, 1 << 15), 2048u);
  EXPECT_EQ(branches_of_a_call(1000, 1 << 15), 1000u);
  for (std::size_t most = 1; most < 700; ++most) {
    const std::size_t group = branches_at_a_time(600, most);
    EXPECT_TRUE(group >= 1 && group <= std::min<std::size_t>(most, 600)) << most;
    EXPECT_TRUE(group == 600 || most < 64 || group % 64 == 0) << most;
  }
}

class Placed : public ::testing::TestWithParam<Case> {};

TEST_P(Placed, ReadsBelongWherePaparaSays) {
  ALNSMITH_NEEDS_PAPARA_SETS();
  const Case &one = GetParam();
  if (one.reads == 0 && std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty())
    GTEST_SKIP() << "built without the generator";
  const PaparaSet set(one.set);
  const BranchVectors vectors = set.vectors(one.flags == "cgap" ? FlagRule::cgap : FlagRule::probability);
  const std::vector<std::size_t> branch_of_edge = set.branch_of_edge();
  const auto golden = testing::table(set.folder + "golden/" + one.flags + ".best.tsv");
  const std::size_t at = one.scheme == Scheme::v25 ? 2 : 6;
  std::vector<Read> reads;
  std::vector<const std::vector<std::string> *> rows;
  for (std::size_t i = 0; i < golden.size() && (one.reads == 0 || reads.size() < one.reads); ++i) {
    std::string letters = set.reads[i].second;
    std::erase(letters, '-');
    ASSERT_EQ(set.reads[i].first, golden[i].at(0));
    if (letters.size() != std::stoul(golden[i].at(1))) continue;  // PaPaRa deletes N from reads, and we do not
    reads.push_back({set.reads[i].first, letters});
    rows.push_back(&golden[i]);
  }
  Textbook textbook(one.scheme, set.alphabet);
  std::optional<Kernels> kernels;
  if (one.reads == 0) kernels.emplace(one.scheme, set.alphabet.name);
  // So little memory that branches come in several groups.
  const PlaceOptions options{std::size_t{10} << 20, {}};
  const Result<std::vector<PlacedRead>> placed =
      place(reads, vectors, kernels ? static_cast<BranchAligner &>(kernels->aligner()) : textbook, options);
  ASSERT_TRUE(placed) << placed.error().message;
  std::vector<std::uint32_t> sets(vectors.columns());
  std::vector<std::uint8_t> flags(vectors.columns());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const PlacedRead &read = (*placed)[i];
    EXPECT_EQ(std::to_string(read.score), rows[i]->at(at)) << reads[i].name;
    EXPECT_EQ(std::to_string(read.branches.size()), rows[i]->at(at + 2)) << reads[i].name;
    const std::size_t edge = branch_of_edge[std::stoul(rows[i]->at(at + 1))];
    EXPECT_TRUE(std::ranges::binary_search(read.branches, edge)) << reads[i].name;
    EXPECT_TRUE(fits(read, vectors.branches(), vectors.columns())) << reads[i].name;
    vectors.expand(read.branches[0], sets, flags);
    EXPECT_EQ(testing::score_of(one.scheme, set.alphabet, reads[i].letters, {sets, flags}, read.runs), read.score)
        << reads[i].name << " " << cigar_text(read.runs);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Papara, Placed,
    ::testing::Values(Case{"lacto16s", "cgap", Scheme::v25, 4}, Case{"lacto16s", "pgap", Scheme::v25, 8},
                      Case{"lacto16s", "cgap", Scheme::eq1, 8}, Case{"lacto16s", "pgap", Scheme::eq1, 4},
                      Case{"protein407", "pgap", Scheme::v25, 1}, Case{"protein407", "cgap", Scheme::eq1, 1},
                      Case{"bench1604", "pgap", Scheme::v25, 1}),
    [](const auto &one) { return one.param.name(); });

std::vector<Case> all_by_kernels() {
  std::vector<Case> out;
  for (const char *set : {"lacto16s", "protein407", "rpsS1277", "vaginal16s652", "bench1604"})
    for (const char *flags : {"cgap", "pgap"})
      for (const Scheme scheme : {Scheme::v25, Scheme::eq1}) out.push_back({set, flags, scheme, 0});
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, Placed, ::testing::ValuesIn(all_by_kernels()),
                         [](const auto &one) { return one.param.name(); });

}  // namespace
}  // namespace alnsmith::placement
