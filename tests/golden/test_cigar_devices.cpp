// Whole alignments by devices are the CPU's, byte for byte: every mapping, packed scores and 32 bits, room for CIGARs
// that does not suffice at first, memory that does not hold the codes of all cells, or leaves the long ones to the CPU.
//
// On the first OpenCL device (PoCL); skipped where there is none. The texts of CUDA and HIP run on the SIMT library
// (tests/generator/test_device_matrix.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <alnsmith/devices.hpp>
#include <random>

#include "../mutated.h"
#include "full_run.h"
#include "golden.h"
#include "host_isas.h"
#include "random_problems.h"
#include "whole_alignments.h"

namespace {

using golden::Alignments;
using golden::kGlobal;
using golden::kLocal;
using golden::kOverlap;
using golden::PairList;

// No letter is worth a mismatch, so that CIGARs of unrelated sequences have about as many runs as letters.
constexpr const char *kShattered =
    "alignment: global\ngap: {model: linear, extend: 1}\nalphabet: dna\nscore: {match: 3, mismatch: -9}";

// Tiles have two processors: PoCL compiles such a kernel in a quarter of the time of one for four or eight, whose loops
// over them it unrolls. Wide ones are those of a full run, and many on the SIMT library.
class CigarDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    if (!golden::has_opencl_device()) GTEST_SKIP() << "no OpenCL device";
  }
  golden::WholeAligner open(const std::string &fields, const std::string &choice,
                            std::vector<std::string> devices = {"opencl:0"}, std::size_t memory = 0) const {
    return golden::open_whole(fields, host_isas().front(),
                              {ALNSMITH_GENERATOR_PROGRAM, choice, std::move(devices), memory});
  }
  Alignments wanted(const std::string &fields, const PairList &pairs) const {
    return open(fields, "", {}).align(pairs);
  }
  static bool on_device(const alnsmith::Report &report) {
    return report.devices.size() == 1 && report.devices[0].id == "opencl:0";
  }

 protected:
};

PairList some_pairs(unsigned seed, std::size_t count, std::size_t longest) {
  std::mt19937 random(seed);
  PairList pairs = golden::ragged_pairs(random, "ACGT", count, longest);
  golden::add_corner_cases(pairs, "ACGT");
  return pairs;
}

TEST_F(CigarDevices, give_the_same_by_every_mapping) {
  const PairList pairs = some_pairs(21, sample::full() ? 150 : 50, 130);
  struct Point {
    const char *fields;
    std::string choice;
  };
  std::vector<Point> points = {{kLocal, "mapping=lanes,arithmetic=s16x2,k=4"}};
  if (sample::full()) {
    points.push_back({kGlobal, "mapping=wavefront,arithmetic=s16x2,k=4,p=8"});
    points.push_back({kLocal, "mapping=wavefront,arithmetic=int32,k=3,p=8"});
    points.push_back({kOverlap, "mapping=block,arithmetic=s16x2,k=5,p=8"});
  } else {  // the others by the kernels of the checkpoints' test
    points.push_back({kLocal, "mapping=wavefront,arithmetic=int32,k=3,p=2"});
  }
  for (const Point &point : points) {
    SCOPED_TRACE(std::string(point.fields) + " " + point.choice);
    alnsmith::Report report;
    const golden::WholeAligner device = open(point.fields, point.choice);
    EXPECT_EQ(golden::difference(device.align(pairs, &report), wanted(point.fields, pairs), pairs), "");
    EXPECT_TRUE(on_device(report));
  }
}

// Begins alone, each with each, and with the CPU at work beside: pairs that outgrow 16 bits go on to the next level.
TEST_F(CigarDevices, give_the_same_in_calls_of_any_kind) {
  std::mt19937 random(25);
  PairList pairs = some_pairs(26, 60, 90);
  const std::string equal(2500, 'A');
  pairs.add(equal, equal);  // scores 20,000: beyond what a hybrid or half register holds
  const std::string fields =
      "alignment: local\ngap: {model: affine, open: 12, extend: 4}\nalphabet: dna\nscore: {match: 16, mismatch: -16}";
  const std::string tiled = fields + "\ntile: {p: 2, k: 4}";  // the CPU's own too
  const Alignments right = wanted(fields, pairs);
  const auto both = open(tiled, "", {"opencl:0", "cpu"});
  EXPECT_EQ(golden::difference(both.align(pairs), right, pairs), "");
  const golden::WholeAligner begins = golden::open_whole(
      tiled, host_isas().front(), {ALNSMITH_GENERATOR_PROGRAM, "", {"opencl:0"}}, "[score, end, begin]");
  Alignments got(pairs.size());
  ASSERT_TRUE(
      begins.aligner->align_pairs(pairs.query_views(), pairs.target_views(), got.columns(false), begins.options));
  EXPECT_EQ(got.query_begin, right.query_begin);
  EXPECT_EQ(got.target_begin, right.target_begin);
  // Each with each.
  const std::vector<std::string_view> queries = {pairs.queries[0], pairs.queries[1], pairs.queries[2]};
  const auto targets = pairs.target_views();
  Alignments on_device(queries.size() * targets.size()), on_cpu(queries.size() * targets.size());
  const golden::WholeAligner device = open(tiled, ""), cpu = open(fields, "", {});
  ASSERT_TRUE(device.aligner->align_all(queries, targets, on_device.columns(), device.options));
  ASSERT_TRUE(cpu.aligner->align_all(queries, targets, on_cpu.columns(), cpu.options));
  for (std::size_t i = 0; i < on_cpu.size(); ++i)
    ASSERT_EQ(golden::shown(on_device.answer(i)), golden::shown(on_cpu.answer(i))) << i;
}

TEST_F(CigarDevices, have_room_for_cigars_of_any_length) {
  std::mt19937 random(22);
  PairList pairs;
  for (int i = 0; i < (sample::full() ? 200 : 80); ++i)
    pairs.add(golden::random_letters(random, "ACGT", 40 + random() % 60),
              golden::random_letters(random, "ACGT", 40 + random() % 60));
  const golden::WholeAligner device = open(kShattered, "mapping=wavefront,arithmetic=s16x2,p=2,k=4");
  alnsmith::Report report;
  EXPECT_EQ(golden::difference(device.align(pairs, &report), wanted(kShattered, pairs), pairs), "");
  EXPECT_TRUE(on_device(report));
  EXPECT_EQ(report.devices[0].pairs, pairs.size());
}

// Paths that cross the borders of many stages, by gaps too: those that lead down one column or along one row, and
// longer than a stage.
PairList long_pairs(unsigned seed) {
  std::mt19937 random(seed);
  const auto letters = [&](std::size_t length) { return golden::random_letters(random, "ACGT", length); };
  PairList pairs = some_pairs(seed + 1, 12, 300);
  for (const std::size_t length : {560u, 600u}) {
    const std::string query = letters(length);
    pairs.add(query, mutated(random, "ACGT", query, 12));
    const std::string left = letters(length / 2), right = letters(length / 2 - 110), between = letters(110);
    pairs.add(left + between + right, left + right);
    pairs.add(left + right, left + between + right);
    pairs.add(std::string(length, 'A'), std::string(length - 40, 'A'));
    pairs.add(query, "G");
    pairs.add("G", query);
    pairs.add(std::string(length, 'A'), std::string(length, 'C'));
  }
  return pairs;
}

// Where only so much memory may be taken, no alignment of 560 letters and more can have the codes of all its cells;
// where much may be, all have them. Every alignment type and every gap model; mappings and memories take turns. All
// with each other with ALNSMITH_FULL=1.
TEST_F(CigarDevices, go_back_by_checkpoints_where_memory_does_not_hold_all_codes) {
  const std::vector<const char *> alignments = {"global", "local", "semiglobal"};
  const std::vector<const char *> gaps = {
      "{model: linear, extend: 2}", "{model: affine, open: 3, extend: 1}",
      "{model: dual_affine, open: 4, extend: 2, open2: 13, extend2: 1}",
      "{insertion: {model: affine, open: 5, extend: 1}, deletion: {model: linear, extend: 2}}"};
  const std::string width = sample::full() ? "p=8,k=4" : "p=2,k=16";
  unsigned point = 0, turn = 0;
  for (const char *alignment : alignments)
    for (const char *gap : gaps) {
      if ((point / 4 + point % 4) % 4 != 0 && !sample::full()) {
        ++point;
        continue;
      }
      ++point;
      const std::string fields =
          std::string("alignment: ") + alignment + "\ngap: " + gap + "\nalphabet: dna\nscore: {match: 2, mismatch: -3}";
      const bool block = turn % 2 > 0;
      const std::string choice = (block ? "mapping=block," : "mapping=wavefront,") + width;
      const bool dual = std::string_view(gap).find("dual") != std::string_view::npos;
      // Borders of all stages, or of sections.
      const std::size_t memory = (turn / 2 % 2 > 0 ? std::size_t{5} << 18 : std::size_t{2} << 20) << (dual ? 1 : 0);
      SCOPED_TRACE(fields + " " + choice + ", memory " + std::to_string(memory));
      const PairList pairs = long_pairs(40 + turn++);
      alnsmith::Report report;
      const golden::WholeAligner device = open(fields, choice, {"opencl:0"}, memory);
      const Alignments right = wanted(fields, pairs);
      ASSERT_EQ(golden::difference(device.align(pairs, &report), right, pairs), "");
      ASSERT_TRUE(on_device(report));
      ASSERT_EQ(golden::difference(open(fields, choice).align(pairs), right, pairs), "");
      std::size_t not_empty = 0;
      for (std::size_t i = 0; i < pairs.size(); ++i)
        not_empty += !pairs.queries[i].empty() && !pairs.targets[i].empty();
      ASSERT_EQ(report.devices[0].pairs, not_empty);
    }
}

TEST_F(CigarDevices, leave_to_the_cpu_what_their_memory_does_not_hold) {
  PairList pairs = some_pairs(23, 100, 120);
  const std::size_t many = pairs.size();
  std::mt19937 random(24);
  const std::string query = golden::random_letters(random, "ACGT", 3000);
  pairs.add(query, mutated(random, "ACGT", query, 12));
  const golden::WholeAligner device =
      open(std::string(kGlobal) + "\ntile: {p: 2, k: 4}", "", {"opencl:0"}, std::size_t{1} << 20);
  alnsmith::Report report;
  EXPECT_EQ(golden::difference(device.align(pairs, &report), wanted(kGlobal, pairs), pairs), "");
  std::size_t there = 0;
  for (const auto &share : report.devices)
    if (share.id == "opencl:0") there = share.pairs;
  EXPECT_GT(there, many / 2);
  EXPECT_LT(there, pairs.size());
}

}  // namespace
