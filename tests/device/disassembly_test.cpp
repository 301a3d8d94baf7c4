// Machine code is read back right, and says which instructions the arithmetics become on each architecture.
#include "models/disassembly.h"

#include <gtest/gtest.h>

#include "disassemble.h"
#include "small_kernels.h"

namespace alnsmith::test {
namespace {

using namespace models;

TEST(Disassembly, InnermostLoopsOfAListing) {
  const std::string listing =
      ".text.one:\n"
      "        /*0000*/                   MOV R1, R2 ;\n"
      ".L_x_0:\n"
      "        /*0010*/                   HADD2 R1, R2, R3 ;\n"
      ".L_x_1:\n"
      "        /*0020*/               @P0 VIADDMNMX.S16x2 R1, R2, R3, R4, !PT ;\n"
      "        /*0030*/               @P0 BRA `(.L_x_1) ;\n"
      "        /*0040*/              @!P1 BRA `(.L_x_0) ;\n"
      "        /*0050*/                   BRA `(.L_x_3) ;\n"
      ".L_x_2:\n"
      "        /*0060*/                   HADD2.F32 R1, R2, R3 ;\n"
      "        /*0070*/                   HADD2 R1, R2, R3 ;\n"
      "        /*0080*/                   BRA `(.L_x_2) ;\n"
      ".L_x_3:\n"
      ".text.two:\n"
      "        /*0000*/                   EXIT ;\n";
  const Listing read = read_sass(listing);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_TRUE(read.at("two").empty());
  const auto &loops = read.at("one");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].instructions, 3);
  EXPECT_EQ(loops[0].count("HADD2"), 2);
  EXPECT_EQ(loops[1].instructions, 2);
  EXPECT_EQ(loops[1].count("VIADDMNMX"), 1);
  EXPECT_EQ(loops[1].count("VIADDMNMX.S16x2"), 1);
}

// The hot loop of `kernel` compiled for sm_`arch`; null where a program is missing, which is said.
const Loop *hot(const std::string &arch, const std::string &kernel, Listing &listing, std::string &missing) {
  const std::string target = (arch.starts_with("gfx") ? "hip:" : "cuda:") + arch;
  const bool hip = arch.starts_with("gfx");
  if (auto there = rt::compile::find_device_compiler(target, {}, {}); !there)
    return missing = there.error().message, nullptr;
  const auto binary = rt::compile::compile_device(hip ? rows_hip() : rows_cuda(), target, {}, {});
  if (!binary) return ADD_FAILURE() << binary.error().message, nullptr;
  if (auto fits = rt::compile::check_resources(*binary, target); !fits) ADD_FAILURE() << fits.error().message;
  auto read = check::disassemble(*binary);
  if (!read) return missing = read.error().message, nullptr;
  listing = *std::move(read);
  if (listing[kernel].empty()) return ADD_FAILURE() << kernel << " has no loop", nullptr;
  return &listing[kernel][0];
}

#define HOT_OR_SKIP(loop, arch, kernel)                                 \
  Listing listing_##loop;                                               \
  std::string missing_##loop;                                           \
  const Loop *loop = hot(arch, kernel, listing_##loop, missing_##loop); \
  if (!loop) GTEST_SKIP() << "skipped: " << missing_##loop

// ptxas may unroll rows: each loads one score per cell.
int rows_in(const Loop &loop) { return loop.count("LDG") / kRowCells; }

// Three adds per cell; over unrolled rows a cell's gap from the left is the next row's from above, which leaves two.
// ptxas puts half of the packed adds on the multiplier's pipe, as HFMA2.
void expect_half_adds(const Loop &loop, const std::string &arch) {
  const int adds = loop.count("HADD2") + loop.count("HFMA2");
  EXPECT_GE(adds, 2 * kRowCells * rows_in(loop)) << arch;
  EXPECT_LE(adds, 3 * kRowCells * rows_in(loop)) << arch;
  EXPECT_GE(loop.count("HADD2"), kRowCells * rows_in(loop)) << arch;
}

// From Hopper on, but not on consumers' Blackwell, two maxima are one VHMNMX.
TEST(Disassembly, HalfPrecisionAddsAndMaxima) {
  for (const std::string arch : {"sm_80", "sm_90", "sm_100", "sm_120"}) {
    HOT_OR_SKIP(loop, arch, "half2");
    ASSERT_GE(rows_in(*loop), 1) << arch;
    expect_half_adds(*loop, arch);
    EXPECT_EQ(loop->count("HMNMX2") + 2 * loop->count("VHMNMX"), 2 * kRowCells * rows_in(*loop)) << arch;
    EXPECT_EQ(loop->count("VHMNMX") > 0, arch == "sm_90" || arch == "sm_100") << arch;
    EXPECT_EQ(loop->count("VIADDMNMX"), 0) << arch;
  }
}

TEST(Disassembly, HybridAddsOnTheHalfPipeAndTakesIntegerMaxima) {
  for (const std::string arch : {"sm_90", "sm_100"}) {
    HOT_OR_SKIP(loop, arch, "hybrid");
    ASSERT_GE(rows_in(*loop), 1) << arch;
    expect_half_adds(*loop, arch);
    EXPECT_EQ(loop->count("HMNMX2") + loop->count("VHMNMX"), 0) << arch;
    EXPECT_EQ(loop->count("VIMNMX3"), kRowCells * rows_in(*loop)) << arch;
  }
}

TEST(Disassembly, ShortAddsAndMaximaFuseOnHopper) {
  HOT_OR_SKIP(loop, "sm_90", "s16x2");
  EXPECT_GE(loop->count("VIADDMNMX"), kRowCells);
  EXPECT_EQ(loop->count("HADD2"), 0);
}

TEST(Disassembly, PackedShortsOnAmd) {
  for (const std::string arch : {"gfx906", "gfx90a", "gfx1100", "gfx1201"}) {
    HOT_OR_SKIP(loop, arch, "s16x2");
    EXPECT_EQ(loop->count("v_pk_add_u16") + loop->count("v_pk_add_i16"), 3 * kRowCells - 2) << arch;  // 0 + x twice
    EXPECT_EQ(loop->count("v_pk_max_i16"), 2 * kRowCells) << arch;
    EXPECT_GT(loop->instructions, 6 * kRowCells) << arch;
  }
}

}  // namespace
}  // namespace alnsmith::test
