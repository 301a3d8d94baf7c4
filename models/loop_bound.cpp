// See loop_bound.h. docs/performance.md, section GPUs, has what was measured beside the assumed rates.
#include "models/loop_bound.h"

#include <algorithm>
#include <set>

namespace alnsmith::models {
namespace {

// From so much of the shorter's time on two operations have one pipe. Below, they get in each other's way, by ports of
// registers mostly, and what each of them has in common with a third tells nothing.
constexpr double kOnePipe = 0.85;
constexpr double kIssue = 128;  // lanes per clock and processor: four schedulers, a warp each

struct Prefix {
  std::string_view text, operation;
};

// The first that fits an instruction's beginning counts.
constexpr Prefix kPrefixes[] = {
    {"VIADDMNMX.S16x2", "viaddmnmx16"},
    {"VIADDMNMX.U16x2", "viaddmnmx16"},
    {"VIADDMNMX", "viaddmnmx32"},
    {"VIMNMX3.S16x2", "vimnmx3_16"},
    {"VIMNMX3.U16x2", "vimnmx3_16"},
    {"VIMNMX3", "vimnmx3_32"},
    {"VIMNMX.S16x2", "vimnmx16"},
    {"VIMNMX.U16x2", "vimnmx16"},
    {"VIMNMX", "vimnmx32"},
    {"IMNMX", "vimnmx32"},
    {"VIADD.16x2", "viadd16"},
    {"VIADD", "iadd"},
    {"IADD", "iadd"},
    {"VHMNMX", "vhmnmx"},
    {"HMNMX2", "hmnmx2"},
    {"HADD2", "hadd2"},
    {"HFMA2.MMA", "hfma2"},
    {"HFMA2", "hfma2"},
    {"HMUL2", "hfma2"},
    {"HSET2", "hset2"},
    {"HSETP2", "hset2"},
    {"IMAD", "imad"},
    {"FADD", "fadd"},
    {"FFMA", "fadd"},
    {"FMUL", "fadd"},
    {"FMNMX", "fmnmx"},
    {"LOP3", "lop3"},
    {"PRMT", "prmt"},
    {"SEL", "sel"},
    {"FSEL", "sel"},
    {"ISETP", "isetp"},
    {"FSETP", "isetp"},
    {"LEA", "lea"},
    {"SHFL", "shfl"},
    {"SHF", "shf"},
    {"MOV", "mov"},
    {"LDS.128", "lds128"},
    {"LDS", "lds32"},
    {"STS", "lds32"},
};

}  // namespace

const std::vector<Operation> &operations() {
  static const std::vector<Operation> list = {
      {"viaddmnmx16", "alu", 64}, {"viaddmnmx32", "alu", 64}, {"vimnmx3_16", "alu", 64}, {"vimnmx3_32", "alu", 64},
      {"vimnmx16", "alu", 64},    {"vimnmx32", "alu", 64},    {"viadd16", "imad", 64},   {"iadd", "alu", 64},
      {"vhmnmx", "alu", 64},      {"hmnmx2", "alu", 64},      {"hset2", "alu", 64},      {"fmnmx", "alu", 64},
      {"lop3", "alu", 64},        {"prmt", "alu", 64},        {"sel", "alu", 64},        {"isetp", "alu", 64},
      {"lea", "alu", 64},         {"shf", "alu", 64},         {"mov", "alu", 64},        {"hadd2", "fp16", 128},
      {"hfma2", "fp16", 128},     {"imad", "imad", 64},       {"fadd", "fp32", 128},     {"lds128", "shared", 8},
      {"lds32", "shared", 32},    {"shfl", "shared", 32},
  };
  return list;
}

Rates assumed_rates() {
  Rates rates;
  for (const Operation &operation : operations()) {
    rates.lanes[std::string(operation.name)] = operation.lanes;
    rates.pipe[std::string(operation.name)] = operation.pipe;
  }
  return rates;
}

const std::vector<std::string> &reference_operations() {
  static const std::vector<std::string> list = {"viaddmnmx16", "hadd2", "imad", "shfl"};
  return list;
}

void correct(Rates &rates, const std::map<std::string, double> &alone, const std::vector<TimedPair> &pairs) {
  for (const auto &[name, lanes] : alone) {
    if (lanes <= 0) continue;
    rates.lanes[name] = lanes;
    rates.measured = true;
  }
  std::map<std::string, double> closest;  // by operation: the largest part that it shares with a reference
  std::set<std::string> seen;
  for (const TimedPair &pair : pairs) {
    const double a = 1 / rates.lanes[pair.a], b = 1 / rates.lanes[pair.b];
    // Two of each four lanes that can be issued: together they take at least as long as their issue.
    const double apart = std::max({a, b, 2 / kIssue});
    if (pair.lanes <= 0 || apart >= 0.95 * (a + b)) continue;  // it would look the same either way
    const double part = std::clamp((1 / pair.lanes - apart) / (a + b - apart), 0.0, 1.0);
    rates.sharing.push_back({pair.a, pair.b, part});
    if (part > kOnePipe && part > closest[pair.b]) {
      closest[pair.b] = part;
      rates.pipe[pair.b] = rates.pipe[pair.a];
    }
    seen.insert(pair.b);
  }
  // Not in any reference's way: a pipe of its own.
  for (const std::string &name : seen)
    if (closest[name] == 0 && !std::ranges::count(reference_operations(), name)) rates.pipe[name] = name;
}

std::string_view operation_of(std::string_view instruction) {
  for (const Prefix &prefix : kPrefixes)
    if (instruction.starts_with(prefix.text)) return prefix.operation;
  return {};
}

Bound bound(const RowLoop &loop, const Rates &rates) {
  std::map<std::string, double> number;  // by operation
  for (const auto &[instruction, count] : loop.operations)
    if (const std::string_view name = operation_of(instruction); !name.empty()) number[std::string(name)] += count;
  const auto clocks = [&](const std::string &name) {
    const auto count = number.find(name);
    const auto rate = rates.lanes.find(name);
    return count == number.end() || rate == rates.lanes.end() || rate->second <= 0 ? 0 : count->second / rate->second;
  };
  Bound best{loop.instructions / kIssue, "issue"};
  const auto consider = [&](double value, const std::string &name) {
    if (value > best.clocks) best = {value, name};
  };
  std::map<std::string, double> pipes;
  for (const auto &[name, pipe] : rates.pipe) pipes[pipe] += clocks(name);
  for (const auto &[pipe, value] : pipes) consider(value, pipe);
  for (const Sharing &pair : rates.sharing) {
    const double a = clocks(pair.a), b = clocks(pair.b);
    consider(std::max(a, b) + pair.part * std::min(a, b), pair.a + "+" + pair.b);
  }
  return best;
}

double cells_per_second(const Bound &bound, const RowLoop &loop, int k, int packing, int processors, double clock_hz) {
  return bound.clocks <= 0 ? 0 : double(loop.rows) * k * packing / bound.clocks * processors * clock_hz;
}

}  // namespace alnsmith::models
