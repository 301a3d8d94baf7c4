// Kernels that are linked in: tables of every kind of fault are refused or passed over, never run; a sound one aligns.
// The kernels are those of fake_kernels.cpp, compiled into this program.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "alnsmith/alnsmith.h"
#include "alnsmith/alnsmith.hpp"
#include "alnsmith/kernel_abi.h"

extern "C" {
extern const char aln_manifest_v1[];
int fake_pairs_i8(const aln_args_v1 *);
int fake_pairs_i16(const aln_args_v1 *);
int fake_pairs_i32(const aln_args_v1 *);
int fake_shared_i8(const aln_args_v1 *);
int fake_shared_i16(const aln_args_v1 *);
int fake_shared_i32(const aln_args_v1 *);
}

namespace {

using namespace alnsmith;

// Not in the manifest's order.
const alnsmith_linked_entry entries[] = {{"fake_shared_i32", fake_shared_i32}, {"fake_pairs_i8", fake_pairs_i8},
                                         {"fake_pairs_i16", fake_pairs_i16},   {"fake_pairs_i32", fake_pairs_i32},
                                         {"fake_shared_i8", fake_shared_i8},   {"fake_shared_i16", fake_shared_i16}};
const alnsmith_linked_unit scalar = {"scalar", aln_manifest_v1, 6, entries};
const alnsmith_linked_unit *const one_unit[] = {&scalar};
const alnsmith_linked_kernels sound_kernels = {ALNSMITH_LINKED_VERSION, 1, one_unit, "fake"};

Result<Aligner> open_units(const std::vector<const alnsmith_linked_unit *> &units, const Options &options = {}) {
  return Aligner::open_linked({ALNSMITH_LINKED_VERSION, static_cast<unsigned>(units.size()), units.data(), "mine"},
                              options);
}

void expect_scores(const Aligner &aligner) {
  const std::vector<std::string_view> queries = {"ACGT", ""}, targets = {"acgu", "ACG"};
  std::vector<std::int32_t> scores(2);
  ASSERT_TRUE(aligner.align_pairs(queries, targets, scores));
  EXPECT_EQ(scores, (std::vector<std::int32_t>{8, -5}));
}

std::string why(const Result<Aligner> &opened) { return opened ? "opened" : opened.error().message; }

TEST(Linked, AlignsAndSaysWhereItsKernelsAreFrom) {
  auto aligner = Aligner::open_linked(sound_kernels);
  ASSERT_TRUE(aligner) << why(aligner);
  EXPECT_EQ(aligner->target(), "scalar");
  EXPECT_EQ(aligner->manifest(), aln_manifest_v1);
  const auto lines = aligner->provenance();
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0], "fake_pairs_i8: linked in as fake");
  expect_scores(*aligner);
}

TEST(Linked, TablesOfAnotherVersionAreRefused) {
  EXPECT_EQ(why(Aligner::open_linked({2, 1, one_unit, "fake"})),
            "fake: made for another version of alnsmith (tables of version 2, this library reads 1); generate it anew");
}

TEST(Linked, AWiderUnitIsNotTakenBeyondTheLimit) {
  const alnsmith_linked_unit wide = {"x86-64-v4", aln_manifest_v1, 6, entries};
  Options options;
  options.isa = Isa{};
  EXPECT_EQ(
      why(open_units({&wide}, options)),
      "mine: has kernels for x86-64-v4, this CPU or the given limit has scalar; add a narrower one to its TARGETS");
  EXPECT_TRUE(open_units({&wide, &scalar}, options));
}

TEST(Linked, AUnitThatDoesNotFitItsManifestIsPassedOverAndNamed) {
  if (!(*parse_isa("x86-64-v2") <= *best_isa())) GTEST_SKIP() << "needs x86-64-v2";
  // Its manifest says scalar.
  const alnsmith_linked_unit wrong = {"x86-64-v2", aln_manifest_v1, 6, entries};
  EXPECT_EQ(why(open_units({&wrong})), "mine for x86-64-v2: holds kernels for scalar; generate it anew");
  auto aligner = open_units({&wrong, &scalar});
  ASSERT_TRUE(aligner) << why(aligner);
  EXPECT_EQ(aligner->provenance().at(0), "mine for x86-64-v2: holds kernels for scalar; generate it anew");
  expect_scores(*aligner);
}

TEST(Linked, DamagedTablesAreErrors) {
  const alnsmith_linked_unit short_table = {"scalar", aln_manifest_v1, 5, entries};
  EXPECT_EQ(why(open_units({&short_table})), "mine for scalar: the entry fake_shared_i16 is missing; generate it anew");
  alnsmith_linked_entry holes[6] = {};
  const alnsmith_linked_unit empty_table = {"scalar", aln_manifest_v1, 6, holes};
  EXPECT_EQ(why(open_units({&empty_table})), "mine for scalar: the entry fake_pairs_i8 is missing; generate it anew");
  const alnsmith_linked_unit no_json = {"scalar", "{\"schema\": 1", 6, entries};
  EXPECT_NE(why(open_units({&no_json})).find("mine for scalar: "), std::string::npos);
  const alnsmith_linked_unit nothing = {nullptr, nullptr, 0, nullptr};
  EXPECT_NE(why(open_units({&nothing, nullptr})).find("has kernels for no target"), std::string::npos);
  EXPECT_NE(why(open_units({})).find("has kernels for no target"), std::string::npos);
}

TEST(Linked, OptionsThatDoNotFitAreUsageErrors) {
  Options on_device;
  on_device.devices = {"cuda:0"};
  const auto refused = Aligner::open_linked(sound_kernels, on_device);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, 2);
  EXPECT_EQ(refused.error().message, "fake: holds kernels for CPUs: open the spec to run on devices");
  Options scored;
  scored.scoring.values["match"] = 7;  // the spec folds it in
  EXPECT_FALSE(Aligner::open_linked(sound_kernels, scored));
}

TEST(Linked, TheCInterfaceOpensThemToo) {
  alnsmith_aligner *aligner = nullptr;
  EXPECT_EQ(alnsmith_open_linked(nullptr, nullptr, &aligner), 2);
  ASSERT_EQ(alnsmith_open_linked(&sound_kernels, nullptr, &aligner), 0) << alnsmith_last_error();
  EXPECT_STREQ(alnsmith_target(aligner), "scalar");
  const alnsmith_text query = {"ACGT", 4}, target = {"ACGT", 4};
  std::int32_t score = 0;
  alnsmith_columns columns = {};
  columns.size = sizeof columns;
  columns.score = &score;
  EXPECT_EQ(alnsmith_align_pairs(aligner, &query, &target, 1, &columns, nullptr, nullptr), 0);
  EXPECT_EQ(score, 8);
  alnsmith_close(aligner);
}

}  // namespace
