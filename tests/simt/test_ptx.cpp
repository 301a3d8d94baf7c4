// Every row of the PTX table, through the harness, against plain code on random inputs salted with extremes; ptxas,
// where there is one, must know each instruction; NVIDIA's DPX functions are what their names compose.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "plain_ptx.h"
#include "ptx.h"
#include "random.h"
#include "scratch.h"
#include "simt.h"

namespace {

constexpr unsigned TABLE = 0xe8;  // lop3's constant: the majority of three

std::string statement(const simt::PtxRow &row, const std::string &result, const char *const (&inputs)[3]) {
  const std::string kinds = row.operands;
  const bool whole = row.instruction[0] == '{';
  std::string text = "asm(\"" + std::string(row.instruction) + (whole ? "" : " %0"), constraints;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i == 3) {
      text += ", " + std::to_string(TABLE);
      continue;
    }
    if (!whole) text += ", %" + std::to_string(i + 1);
    constraints += std::string(i ? ", " : "") + "\"" + kinds[i] + "\"(" +
                   (kinds[i] == 'f'   ? "__uint_as_float(" + std::string(inputs[i]) + ")"
                    : kinds[i] == 'h' ? "(unsigned short)" + std::string(inputs[i])
                                      : inputs[i]) +
                   ")";
  }
  return text + (whole ? "" : ";") + "\" : \"=" + row.result + "\"(" + result + ") : " + constraints + ");";
}

// One kernel per row: out[i] = op(a[i], b[i], c[i]).
std::string all_kernels() {
  std::string text;
  for (const simt::PtxRow &row : simt::ptx_rows()) {
    text += std::string("extern \"C\" __global__ void __launch_bounds__(32) row_") + row.name +
            "(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out, int n) {\n"
            "  for (int i = threadIdx.x; i < n; i += 32) {\n    " +
            (row.result == 'f'   ? "float"
             : row.result == 'h' ? "unsigned short"
                                 : "unsigned") +
            " d;\n    " + statement(row, "d", {"a[i]", "b[i]", "c[i]"}) +
            "\n    out[i] = " + (row.result == 'f' ? "__float_as_uint(d)" : "d") + ";\n  }\n}\n";
  }
  return text;
}

// Random words, every other one made of halves that are extremes.
std::vector<unsigned> inputs(std::uint64_t seed, std::size_t count) {
  constexpr unsigned extremes[] = {0,      1,      0x8000, 0x8001, 0xffff, 0x7fff, 0x7c00, 0xfc00, 0x7bff, 0xfbff,
                                   0x3c00, 0xbc00, 0x0400, 0x03ff, 0x83ff, 0x7e01, 0x3c01, 0x5bff, 0x1400, 0x0010};
  simt::Random random(seed);
  std::vector<unsigned> list(count);
  for (unsigned &value : list) {
    value = static_cast<unsigned>(random.next());
    if (random.below(2)) value = (value & 0xffff0000u) | extremes[random.below(std::size(extremes))];
    if (random.below(2)) value = (value & 0x0000ffffu) | extremes[random.below(std::size(extremes))] << 16;
    if (random.below(8) == 0) value = random.below(70);  // shifts, selectors
  }
  return list;
}

TEST(Ptx, EveryRowMeansWhatPlainCodeSays) {
  constexpr std::size_t COUNT = 1u << 20;
  const simt::Module module = simt::compile(all_kernels(), simt::Dialect::cuda);
  std::vector<unsigned> a = inputs(1, COUNT), b = inputs(2, COUNT), c = inputs(3, COUNT), out(COUNT);
  for (std::size_t i = 0; i < COUNT; i += 16) b[i] = a[i];  // equal operands
  const unsigned *pa = a.data(), *pb = b.data(), *pc = c.data();
  unsigned *po = out.data();
  int n = COUNT;
  for (const simt::PtxRow &row : simt::ptx_rows()) {
    const auto plain = plain_ptx().find(row.name);
    ASSERT_NE(plain, plain_ptx().end()) << "plain_ptx.cpp lacks " << row.name;
    const auto arguments = simt::pointers(pa, pb, pc, po, n);
    module.launch(std::string("row_") + row.name, 1, 32, 0, arguments);
    for (std::size_t i = 0; i < COUNT; ++i) {
      const unsigned expected = plain->second(a[i], b[i], c[i], TABLE);
      ASSERT_EQ(out[i], expected) << std::hex << row.instruction << " of " << a[i] << ", " << b[i] << ", " << c[i]
                                  << " gives " << out[i] << ", not " << expected;
    }
  }
  EXPECT_EQ(plain_ptx().size(), simt::ptx_rows().size());
}

TEST(Ptx, LopTakesAnyTable) {
  std::string text = "extern \"C\" __global__ void entry(unsigned a, unsigned b, unsigned c, unsigned *out) {\n";
  for (int table = 0; table < 256; ++table) {
    text += "  asm(\"lop3.b32 %0, %1, %2, %3, " + std::to_string(table) + ";\" : \"=r\"(out[" + std::to_string(table) +
            "]) : \"r\"(a), \"r\"(b), \"r\"(c));\n";
  }
  const simt::Module module = simt::compile(text + "}\n", simt::Dialect::cuda);
  std::vector<unsigned> out(256);
  unsigned a = 0xf0f0aa55, b = 0xccccffff, c = 0xaaaa0f0f, *pointer = out.data();
  const auto arguments = simt::pointers(a, b, c, pointer);
  module.launch("entry", 1, 1, 0, arguments);
  for (unsigned table = 0; table < 256; ++table) EXPECT_EQ(out[table], plain_ptx().at("lop3_b32")(a, b, c, table));
}

TEST(Ptx, AllHalvesAddedToAFew) {
  const simt::Module module = simt::compile(all_kernels(), simt::Dialect::cuda);
  std::vector<unsigned> a(65536), b(65536), out(65536);
  const unsigned *pa = a.data(), *pb = b.data();
  unsigned *po = out.data();
  int n = 65536;
  for (const unsigned other : {0x0000u, 0x8000u, 0x0001u, 0x83ffu, 0x3c00u, 0x7bffu, 0xfc00u, 0x7e00u}) {
    for (unsigned i = 0; i < 65536; ++i) a[i] = i | other << 16, b[i] = other | i << 16;
    for (const char *name : {"add_f16x2", "mul_f16x2", "max_f16x2", "min_f16x2", "set_gt_f16x2", "set_eq_f16x2"}) {
      const auto arguments = simt::pointers(pa, pb, pa, po, n);
      module.launch(std::string("row_") + name, 1, 32, 0, arguments);
      for (unsigned i = 0; i < 65536; ++i) {
        ASSERT_EQ(out[i], plain_ptx().at(name)(a[i], b[i], 0, 0)) << std::hex << name << " of " << a[i] << ", " << b[i];
      }
    }
  }
}

// __viaddmax_s16x2 and its kin: a maximum over a sum that wraps, as CUDA's DPX functions are documented.
TEST(Ptx, DpxFunctionsAreCompositions) {
  const std::string text =
      "extern \"C\" __global__ void __launch_bounds__(32) entry(const unsigned *a, const unsigned *b, const unsigned "
      "*c,\n"
      "                                                        unsigned *out, int n) {\n"
      "  for (int i = threadIdx.x; i < n; i += 32) {\n    unsigned s, m, r;\n"
      "    asm(\"add.s16x2 %0, %1, %2;\" : \"=r\"(s) : \"r\"(a[i]), \"r\"(b[i]));\n"
      "    asm(\"max.s16x2 %0, %1, %2;\" : \"=r\"(m) : \"r\"(s), \"r\"(c[i]));\n"
      "    asm(\"max.relu.s16x2 %0, %1, %2;\" : \"=r\"(r) : \"r\"(s), \"r\"(c[i]));\n"
      "    out[2 * i] = m;\n    out[2 * i + 1] = r;\n  }\n}\n";
  const simt::Module module = simt::compile(text, simt::Dialect::cuda);
  constexpr std::size_t COUNT = 100000;
  const std::vector<unsigned> a = inputs(4, COUNT), b = inputs(5, COUNT), c = inputs(6, COUNT);
  std::vector<unsigned> out(2 * COUNT);
  const unsigned *pa = a.data(), *pb = b.data(), *pc = c.data();
  unsigned *po = out.data();
  int n = COUNT;
  const auto arguments = simt::pointers(pa, pb, pc, po, n);
  module.launch("entry", 1, 32, 0, arguments, {9});
  for (std::size_t i = 0; i < COUNT; ++i) {
    for (int half = 0; half < 32; half += 16) {
      const auto at = [half](unsigned v) { return static_cast<std::int16_t>(v >> half); };
      const auto sum = static_cast<std::int16_t>(at(a[i]) + at(b[i]));
      ASSERT_EQ(at(out[2 * i]), std::max(sum, at(c[i])));
      ASSERT_EQ(at(out[2 * i + 1]), std::max({sum, at(c[i]), std::int16_t{0}}));
    }
  }
}

TEST(Ptx, PtxasKnowsEveryRow) {
  const char *given = std::getenv("PTXAS");
  const std::string ptxas = given ? given : SIMT_PTXAS;
  if (std::system((ptxas + " --version >/dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "no ptxas";
  std::string text =
      ".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry e()\n{\n.reg .b32 r<5>;\n.reg .f32 f<5>;\n.reg "
      ".b16 h<5>;\n";
  for (const simt::PtxRow &row : simt::ptx_rows()) {
    const std::string kinds = row.operands;
    if (row.instruction[0] == '{') {
      std::string whole = row.instruction;
      for (const auto &[from, to] : {std::pair("%0", "r0"), std::pair("%1", "r1")})
        for (std::size_t at; (at = whole.find(from)) != std::string::npos;) whole.replace(at, 2, to);
      text += whole + "\n";
      continue;
    }
    text += std::string(row.instruction) + " " + row.result + "0";
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      text += i == 3 ? ", " + std::to_string(TABLE) : std::string(", ") + kinds[i] + std::to_string(i + 1);
    }
    text += ";\n";
  }
  const scratch::Folder folder;
  const std::string file = folder.write("rows.ptx", text + "ret;\n}\n");
  EXPECT_EQ(std::system((ptxas + " -arch=sm_100 -o /dev/null " + file).c_str()), 0) << text;
}

TEST(PlainHalf, RoundsAsTheStandardSays) {
  const auto unit = [](int power) { return static_cast<unsigned __int128>(1) << (48 + power); };
  EXPECT_EQ(round_to_half(false, unit(0)), 0x3c00);
  EXPECT_EQ(round_to_half(true, unit(0) + unit(-11)), 0xbc00);               // a tie, to even
  EXPECT_EQ(round_to_half(false, unit(0) + unit(-11) + 1), 0x3c01);          // above the tie
  EXPECT_EQ(round_to_half(false, unit(0) + unit(-10) + unit(-11)), 0x3c02);  // a tie, to even
  EXPECT_EQ(round_to_half(false, unit(-24)), 0x0001);
  EXPECT_EQ(round_to_half(false, unit(-25)), 0x0000);
  EXPECT_EQ(round_to_half(false, unit(-25) + 1), 0x0001);
  EXPECT_EQ(round_to_half(false, unit(-14)), 0x0400);
  EXPECT_EQ(round_to_half(false, unit(16) - unit(5)), 0x7bff);
  EXPECT_EQ(round_to_half(false, unit(16) - unit(4)), 0x7c00);
  EXPECT_EQ(round_to_half(true, 0), 0x8000);
}

}  // namespace
