// Circuits: the integer recurrence against textbook matrices, the shipped files, proofs, searches and what they refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "circuits/file.h"
#include "circuits/gate_sets.h"
#include "circuits/search.h"
#include "circuits/shipped.h"
#include "circuits/states.h"

namespace {

using namespace alnsmith::circuits;

// A circuit on one state, gate by gate on single bits.
bool right_in(const Circuit &c, bool equal, const State &state) {
  const auto planes = [&](const State &s) {
    std::vector<bool> bits;
    const auto put = [&](const std::vector<std::uint8_t> &code, int value) {
      for (int p = 0; p < planes_of(code); ++p) bits.push_back(code.at(static_cast<std::size_t>(value)) >> p & 1);
    };
    put(c.codes.difference, s.u), put(c.codes.difference, s.v), put(c.codes.gap[0], s.x), put(c.codes.gap[1], s.y);
    return bits;
  };
  std::vector<bool> values = planes(state);
  values.insert(values.begin(), equal);
  for (const Gate &gate : c.gates)
    values.push_back(gate.table >> (4 * values[gate.in[0]] + 2 * values[gate.in[1]] + values[gate.in[2]]) & 1);
  const std::vector<bool> want = planes(next(c.scheme, equal, state));
  for (std::size_t o = 0; o < want.size(); ++o)
    if (values[c.outputs[o]] != want[o]) return false;
  return true;
}
bool right(const Circuit &c) {
  return std::ranges::all_of(reachable(c.scheme),
                             [&](const State &s) { return right_in(c, false, s) && right_in(c, true, s); });
}

std::vector<CircuitFile> shipped() {
  std::vector<CircuitFile> files;
  for (const auto &[name, text] : embedded_circuits()) {
    const auto file = read(std::string(text), std::string(name));
    EXPECT_TRUE(file) << file.error().message;
    if (file) files.push_back(*file);
  }
  return files;
}

// Matrices of whole alignments by Gotoh's recurrences, for scorings and letters drawn at random: each cell's
// differences are those that the recurrence gives, from a state that counts as reachable.
TEST(Circuits, TheRecurrenceIsThatOfTextbookMatrices) {
  std::mt19937 random(3);
  const auto draw = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  for (int trial = 0; trial < 300; ++trial) {
    // Side 0: gaps along the stream (down), side 1: along the registers (across).
    const int open[2] = {draw(0, 3), draw(0, 3)}, extend[2] = {draw(0, 2), draw(0, 2)};
    const int match = draw(0, 4), mismatch = draw(-9, match);
    const int first[2] = {open[0] + extend[0], open[1] + extend[1]};
    const Scheme scheme = {
        match + first[0] + first[1], std::max(0, mismatch + first[0] + first[1]), {open[0], open[1]}};
    if (!obstacle(scheme).empty()) continue;
    const auto states = reachable(scheme);
    const bool free[2] = {draw(0, 1) == 1, draw(0, 1) == 1};
    constexpr int n = 40;
    constexpr int never = -1'000'000;
    std::vector<std::vector<int>> h(n + 1, std::vector<int>(n + 1, 0)), down = h, across = h;
    const auto border = [&](int side, int length) {
      return length == 0 || free[side] ? 0 : -open[side] - extend[side] * length;
    };
    for (std::size_t i = 0; i <= n; ++i) {
      h[i][0] = border(0, static_cast<int>(i));
      h[0][i] = border(1, static_cast<int>(i));
      down[i][0] = across[i][0] = down[0][i] = across[0][i] = never;
    }
    std::string a, b;
    for (int i = 0; i < n; ++i) a += "ACGT"[draw(0, 3)], b += draw(0, 2) ? a.back() : "ACGT"[draw(0, 3)];
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t j = 1; j <= n; ++j) {
        down[i][j] = std::max(h[i - 1][j] - open[0], down[i - 1][j]) - extend[0];
        across[i][j] = std::max(h[i][j - 1] - open[1], across[i][j - 1]) - extend[1];
        h[i][j] = std::max({h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? match : mismatch), down[i][j], across[i][j]});
      }
    const auto u = [&](std::size_t i, std::size_t j) { return h[i][j] - h[i - 1][j] + first[0]; };
    const auto v = [&](std::size_t i, std::size_t j) { return h[i][j] - h[i][j - 1] + first[1]; };
    // How much better the gap that reaches the cell is than one that opens in front of it.
    const auto x = [&](std::size_t i, std::size_t j) { return std::max(down[i][j] - (h[i - 1][j] - first[0]), 0); };
    const auto y = [&](std::size_t i, std::size_t j) { return std::max(across[i][j] - (h[i][j - 1] - first[1]), 0); };
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t j = 1; j <= n; ++j) {
        const State before = {u(i, j - 1), v(i - 1, j), x(i, j), y(i, j)};
        ASSERT_TRUE(std::ranges::binary_search(states, before))
            << text_of(scheme) << ", match " << match << ": " << before.u << " " << before.v << " " << before.x << " "
            << before.y;
        const State after = next(scheme, a[i - 1] == b[j - 1], before);
        ASSERT_EQ(after.u, u(i, j));
        ASSERT_EQ(after.v, v(i, j));
        if (i < n) {
          ASSERT_EQ(after.x, x(i + 1, j));
        }
        if (j < n) {
          ASSERT_EQ(after.y, y(i, j + 1));
        }
      }
  }
}

TEST(Circuits, ShippedFilesAreRightAndSayWhatTheyWeigh) {
  const auto files = shipped();
  ASSERT_GE(files.size(), 9U);
  std::size_t i = 0;
  for (const auto &[name, text] : embedded_circuits()) {
    SCOPED_TRACE(name);
    const Circuit &c = files.at(i).circuit;
    EXPECT_TRUE(right(c));
    EXPECT_EQ(write(files[i++]), text);
    EXPECT_EQ(name.substr(0, name.find('.')), file_stem(c.scheme)) << "it is looked up by its name";
    bool is_best = false;  // on some set of gates, or it need not be there
    for (const GateSet &set : gate_sets()) {
      const Circuit *best = find(c.scheme, set);
      ASSERT_TRUE(best);
      is_best |= *best == c;
      EXPECT_EQ(best->scheme, c.scheme);
      EXPECT_LE(weight(*best, costs_of(set)), weight(c, costs_of(set)));
    }
    EXPECT_TRUE(is_best);
  }
  EXPECT_FALSE(find({1, 1, {0, 0}}, gate_sets()[0]));
}

TEST(Circuits, ThousandMutatedOnesAreFoundWhereverAStateShowsThem) {
  const auto files = shipped();
  std::mt19937 random(7);
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    Circuit c = files[static_cast<std::size_t>(i) % files.size()].circuit;
    const std::size_t g = random() % c.gates.size();
    if (random() % 2)
      c.gates[g].table ^= static_cast<std::uint8_t>(1U << random() % 8);
    else
      c.gates[g].in[random() % 3] = static_cast<std::uint16_t>(random() % (static_cast<std::size_t>(c.inputs()) + g));
    const bool is_right = right(c);
    ASSERT_EQ(disproof(c).empty(), is_right) << text_of(c.scheme) << ", mutation " << i;
    wrong += !is_right;
  }
  EXPECT_GT(wrong, 500);
}

// The cheapest formula over a set's operations, for tables whose cost is known.
TEST(Circuits, GatesCostWhatMachinesTakeForThem) {
  const auto cost = [](const char *set, int table) {
    return costs_of(*find_gate_set(set)).work[static_cast<std::size_t>(table)];
  };
  for (const auto &[set, table, want] : {std::tuple{"avx2", 0xCA, 3.0},
                                         {"avx2", 0x96, 2.0},
                                         {"avx2", 0xE8, 4.0},
                                         {"avx2", 0x0F, 1.0},
                                         {"avx2", 0x30, 1.0},
                                         {"avx2", 0x3F, 2.0},
                                         {"neon", 0xCA, 1.0},
                                         {"neon", 0xAC, 1.0},
                                         {"neon", 0xE8, 2.0},
                                         {"gfx", 0xFE, 1.0},
                                         {"gfx", 0xEA, 1.0},
                                         {"opencl", 0x0C, 1.0},
                                         {"opencl", 0xE8, 2.0},
                                         {"lop3", 0x12, 1.0},
                                         {"avx512", 0x12, 1.5},
                                         {"avx512", 0x3C, 1.0},
                                         {"avx512-zen", 0x12, 2.0}})
    EXPECT_EQ(cost(set, table), want) << set << " " << table;
  for (const GateSet &set : gate_sets())
    for (int table = 0; table < 256; ++table) {
      const double own = costs_of(set).work[static_cast<std::size_t>(table)];
      EXPECT_LE(own, 8) << set.name << " " << table;
      const bool nothing_to_do =
          support_of(static_cast<std::uint8_t>(table)) == 0 || table == 0xF0 || table == 0xCC || table == 0xAA;
      EXPECT_EQ(own == 0, nothing_to_do) << set.name << " " << table;
    }
}

CircuitFile searched(const Scheme &scheme, const char *set, std::uint64_t seed, std::vector<int> rounds) {
  CircuitFile file{{scheme, {}, {}, {}}, {set, seed, 3000, 0}};
  for (const int until : rounds)
    file = search(*find_gate_set(set), file, [&](const CircuitFile &best) { return best.progress.rounds < until; });
  return file;
}

TEST(Circuits, ASearchFindsRightOnesForEverySetOfGates) {
  std::mt19937 random(9);
  for (const GateSet &set : gate_sets())
    for (int i = 0; i < 4; ++i) {
      Scheme scheme{static_cast<int>(1 + random() % 5), 0, {0, 0}};
      scheme.floor = static_cast<int>(random() % static_cast<unsigned>(scheme.total + 1));
      if (i >= 2 && scheme.total >= 3)
        scheme.opens = {static_cast<int>(random() % 2), static_cast<int>(1 + random() % 2)};
      const CircuitFile file = searched(scheme, set.name.data(), 1, {2});
      EXPECT_TRUE(right(file.circuit)) << set.name << ": " << text_of(scheme);
      const auto again = read(write(file), "a.circuit");
      ASSERT_TRUE(again) << again.error().message << "\n" << write(file);
      EXPECT_EQ(*again, file);
    }
}

TEST(Circuits, ASearchThatWasStoppedGoesOnAsIfItHadNotBeen) {
  const Scheme scheme = {3, 1, {0, 0}};
  const CircuitFile whole = searched(scheme, "avx512", 5, {6}), parts = searched(scheme, "avx512", 5, {1, 4, 6});
  EXPECT_EQ(whole, parts);
  EXPECT_NE(searched(scheme, "avx512", 6, {6}), whole);
  EXPECT_LE(weight(whole.circuit, costs_of(*find_gate_set("avx512"))),
            weight(searched(scheme, "avx512", 5, {1}).circuit, costs_of(*find_gate_set("avx512"))));
}

TEST(Circuits, TheCellOfEditDistanceTakesFiveGates) {
  const CircuitFile file = searched({2, 1, {0, 0}}, "lop3", 1, {40});
  EXPECT_TRUE(right(file.circuit));
  EXPECT_LE(file.circuit.gates.size(), 5U);
}

const char a_circuit[] =
    R"(# 14 gates, 11 of three operands. Weights: avx512 21.5, avx512-intel 16, avx512-zen 27, lop3 14, gfx 29, avx2 41, neon 37.5, opencl 30
scheme: {total: 4, floor: 3, open: [1, 1]}
difference: [4, 3, 2, 1, 0]
gap_x: [0, 1]
gap_y: [0, 1]
gates:
  - [0x03, v1, v2, v2]  # g0
  - [0x03, u2, y0, y0]  # g1
  - [0x12, g1, u1, u0]  # g2
  - [0xf8, g2, x0, g0]  # g3
  - [0xfc, g3, equal, equal]  # g4
  - [0xa1, v0, g0, g4]  # g5
  - [0x6c, g4, v1, v0]  # g6
  - [0x58, g0, g6, x0]  # g7
  - [0x10, g7, g6, g6]  # g8
  - [0x96, u0, v0, g5]  # g9
  - [0x6a, g9, u0, u1]  # g10
  - [0x10, g1, g9, u1]  # g11
  - [0x68, g7, g5, g0]  # g12
  - [0x18, g1, g9, g10]  # g13
u: [g5, g6, g8]
v: [g9, g10, g11]
x: [g12]
y: [g13]
)";

TEST(Circuits, FilesThatAreNoCircuitAreRefused) {
  const std::string good = a_circuit;
  ASSERT_TRUE(read(good, "a.circuit"));
  EXPECT_EQ(write(*read(good, "a.circuit")), good);
  const auto refused = [&](const std::string &from, const std::string &to, const std::string &why) {
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, text.npos) << from;
    text.replace(at, from.size(), to);
    const auto got = read(text, "a.circuit");
    ASSERT_FALSE(got) << text;
    EXPECT_NE(got.error().message.find(why), std::string::npos) << got.error().message;
    EXPECT_TRUE(got.error().message.starts_with("a.circuit:")) << got.error().message;
    EXPECT_EQ(got.error().message.find('\n'), std::string::npos);
  };
  refused("total: 4", "total: 40", "no number of 0 to 31");
  refused("total: 4", "total: 3", "a code for each value");
  refused("difference: [", "difference: [9, ", "a code for each value");
  refused("gap_x: [0, 1]", "gap_x: [1, 1]", "two values have the code");
  refused("gap_x: [0, 1]", "gap_z: [0, 1]", "no key");
  refused("gap_x: [0, 1]\n", "", "`gap_x` is missing");
  refused("  - [0x", "  - [0x1", "no number of 0 to 255");
  refused(", equal]", ", g90]", "no value");
  refused("\nu: [", "\nu: [g0, ", "planes");
  refused("  - [0x", "  - [0xf", "");
  refused("gates:\n", "gates: 3\ngates:\n", "");
  const std::string inverted = [&] {
    std::string text = good;
    const std::size_t at = text.find("[0x") + 3;
    text[at] = text[at] == '0' ? 'f' : '0';
    return text;
  }();
  const auto wrong = read(inverted, "a.circuit");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("this circuit is wrong: plane "), std::string::npos) << wrong.error().message;
}

}  // namespace
