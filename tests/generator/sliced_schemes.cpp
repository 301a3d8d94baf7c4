#include "sliced_schemes.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../templates/circuit.h"

namespace sliced {

using namespace alnsmith;
using circuits::Circuit;

namespace {

constexpr const char *kOfCall = "{model: affine, open: runtime, extend: runtime}";
std::string yaml(const Gap &gap) {
  return "{model: affine, open: " + std::to_string(gap.open) + ", extend: " + std::to_string(gap.extend) + "}";
}
class Builder {
 public:
  explicit Builder(const circuits::Scheme &scheme) {
    c_.scheme = scheme;
    planes_ = digits(scheme.total);
  }
  Circuit make(int flipped) {
    for (int value = 0; value <= c_.scheme.total; ++value)
      c_.codes.difference.push_back(static_cast<std::uint8_t>(value ^ (flipped & ((1 << planes_) - 1))));
    std::vector<int> u, v, x, y;
    const auto input = [&](int p) { return flipped >> p & 1 ? gate(0x0F, inputs_++) : inputs_++; };
    first_gate_ = 1 + 2 * planes_ + digits(c_.scheme.opens[0]) + digits(c_.scheme.opens[1]);
    for (int p = 0; p < planes_; ++p) u.push_back(input(p));
    for (int p = 0; p < planes_; ++p) v.push_back(input(p));
    for (const auto &[planes, side] : {std::pair(&x, 0), {&y, 1}}) {
      const int open = c_.scheme.opens[static_cast<std::size_t>(side)];
      for (int value = 0; value <= open && open > 0; ++value)
        c_.codes.gap[static_cast<std::size_t>(side)].push_back(static_cast<std::uint8_t>(value));
      for (int p = 0; p < digits(open); ++p) planes->push_back(inputs_++);
    }
    const std::vector<int> across = sum(u, y), down = sum(v, x);
    std::vector<int> best;
    const int less = borrow_of(across, down);
    for (int p = 0; p < planes_; ++p) best.push_back(gate(0xCA, less, at(down, p), at(across, p)));
    const std::vector<int> floor = constant(c_.scheme.floor), total = constant(c_.scheme.total);
    const int below = borrow_of(best, floor);
    for (int p = 0; p < planes_; ++p)
      at(best, p) = gate(0xCA, 0, at(total, p), gate(0xCA, below, at(floor, p), at(best, p)));
    for (const auto &other : {v, u}) {
      const std::vector<int> differences = difference(best, other).first;
      for (int p = 0; p < planes_; ++p) put(flipped >> p & 1 ? gate(0x0F, at(differences, p)) : at(differences, p));
    }
    for (const auto &[reached, side] : {std::pair(&down, 0), {&across, 1}}) {
      const int open = c_.scheme.opens[static_cast<std::size_t>(side)];
      if (open == 0) continue;
      const auto [left, negative] = difference(constant(open), difference(best, *reached).first);
      for (int p = 0; p < digits(open); ++p) put(gate(0x30, at(left, p), negative, negative));
    }
    return c_;
  }

 private:
  static int digits(int most) {
    int count = 0;
    while (most >> count) ++count;
    return count;
  }
  static int &at(std::vector<int> &planes, int p) { return planes[static_cast<std::size_t>(p)]; }
  static int at(const std::vector<int> &planes, int p) { return planes[static_cast<std::size_t>(p)]; }
  void put(int value) { c_.outputs.push_back(static_cast<std::uint16_t>(value)); }
  int gate(int table, int a = 0, int b = 0, int c = 0) {
    const auto number = [](int n) { return static_cast<std::uint16_t>(n); };
    c_.gates.push_back({static_cast<std::uint8_t>(table), {number(a), number(b), number(c)}});
    return first_gate_ - 1 + static_cast<int>(c_.gates.size());
  }
  std::vector<int> constant(int value) {
    std::vector<int> planes;
    for (int p = 0; p < planes_; ++p) planes.push_back(gate(value >> p & 1 ? 0xFF : 0));
    return planes;
  }
  // Sums do not exceed `total`. What has fewer planes is the second.
  std::vector<int> sum(const std::vector<int> &a, const std::vector<int> &b) {
    if (b.empty()) return a;
    std::vector<int> planes;
    int carry = gate(0);
    for (int p = 0; p < planes_; ++p) {
      const int other = p < static_cast<int>(b.size()) ? at(b, p) : carry;
      planes.push_back(p < static_cast<int>(b.size()) ? gate(0x96, at(a, p), other, carry)
                                                      : gate(0x3C, at(a, p), carry));
      carry = p < static_cast<int>(b.size()) ? gate(0xE8, at(a, p), other, carry) : gate(0xC0, at(a, p), carry);
    }
    return planes;
  }
  // a - b, and whether that is below 0.
  std::pair<std::vector<int>, int> difference(const std::vector<int> &a, const std::vector<int> &b) {
    std::vector<int> planes;
    int borrow = gate(0);
    for (int p = 0; p < planes_; ++p) {
      planes.push_back(gate(0x96, at(a, p), at(b, p), borrow));
      borrow = gate(0x8E, at(a, p), at(b, p), borrow);
    }
    return {planes, borrow};
  }
  // Whether a < b.
  int borrow_of(const std::vector<int> &a, const std::vector<int> &b) {
    int borrow = gate(0);
    for (int p = 0; p < planes_; ++p) borrow = gate(0x8E, at(a, p), at(b, p), borrow);
    return borrow;
  }
  Circuit c_;
  int planes_ = 0, inputs_ = 1, first_gate_ = 0;
};

}  // namespace

std::string yaml(const Numbers &n, bool wildcard, int free, Wanted output, bool of_call) {
  static constexpr const char *outputs[] = {"[score]", "[score, end]", "[score, end, begin, cigar]"};
  std::string ends;
  for (const char *name : {"query_begin", "query_end", "target_begin", "target_end"}) {
    if (free & 1) ends += (ends.empty() ? "" : ", ") + std::string(name);
    free >>= 1;
  }
  return "version: 1\nname: sliced\nalignment: " + (ends.empty() ? "global" : "{free_ends: [" + ends + "]}") +
         "\ngap: {insertion: " + (of_call ? kOfCall : yaml(n.insertion)) +
         ", deletion: " + (of_call ? kOfCall : yaml(n.deletion)) + "}\nalphabet: " + (wildcard ? "dna5" : "dna") +
         "\nscore: {match: " + (of_call ? "runtime" : std::to_string(n.match)) +
         ", mismatch: " + (of_call ? "runtime" : std::to_string(n.mismatch)) + "}\noutput: " + outputs[output] +
         "\narithmetic: int32\n";
}

const std::vector<Numbers> &with_circuits() {
  static const std::vector<Numbers> all = {{0, -1, {0, 1}, {0, 1}}, {2, -1, {0, 1}, {0, 1}}, {1, -1, {0, 1}, {0, 1}},
                                           {1, -3, {0, 2}, {0, 2}}, {2, -3, {0, 2}, {0, 2}}, {2, -3, {0, 5}, {0, 5}},
                                           {2, -1, {0, 0}, {0, 2}}, {1, 0, {0, 0}, {0, 1}},  {0, -1, {1, 1}, {1, 1}},
                                           {1, -1, {1, 1}, {1, 1}}, {2, -1, {1, 1}, {1, 1}}, {1, -1, {2, 1}, {2, 1}},
                                           {2, -1, {2, 1}, {2, 1}}, {2, -1, {1, 0}, {1, 2}}};
  return all;
}

Numbers drawn(std::mt19937 &random, bool affine, int free) {
  const auto draw = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  for (;;) {
    Numbers n{draw(-3, 12), draw(-12, 4), {0, draw(0, 7)}, {0, draw(0, 7)}};
    if (affine) n.insertion.open = draw(0, 3), n.deletion.open = draw(0, 3);
    if (affine && n.insertion.open + n.deletion.open == 0) continue;
    if (n.match < 0 && (affine || free)) continue;
    const circuits::Scheme scheme = n.scheme();
    if (scheme.total < 1 || scheme.total > (affine ? 7 : 31) || scheme.floor > scheme.total) continue;
    if (plain_circuit(scheme, 31).gates.size() <= MAX_GATES) return n;
  }
}

Circuit plain_circuit(const circuits::Scheme &scheme, int flipped) { return Builder(scheme).make(flipped); }

}  // namespace sliced
