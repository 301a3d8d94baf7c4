// One case of the fuzzer: a spec as plain values, what runs it, and the pairs of one call.
//
// Plain data, so that a case can be drawn, simplified value by value, printed as YAML, and kept as one line of JSON
// (`tools/soak --replay`).
#pragma once

#include <alnsmith/alnsmith.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oracle.h"
#include "spec/spec.h"

namespace soak {

// What runs a case: the library's interface on a CPU or an OpenCL device, a template directly, or a kernel's text on
// the SIMT library.
enum class Route { cpu, opencl, direct, simt };
const char *name(Route route);

// A scoring value: folded into the code or, if `runtime`, given by the call; equal if a spec writes the same.
struct Number {
  bool runtime = false;
  int value = 0;
  bool operator==(const Number &other) const { return runtime == other.runtime && (runtime || value == other.value); }
};

struct Gap {
  bool affine = false;
  Number open, extend;
  bool operator==(const Gap &) const = default;
};

struct SpecValues {
  bool local = false;
  int free_ends = 0;              // a bit each: query_begin, query_end, target_begin, target_end
  Gap insertion, deletion;        // written once where they are equal
  std::string alphabet;           // a name; empty: of its own
  std::string letters, wildcard;  // of its own
  bool matrix = false;
  Number match, mismatch;
  bool matrix_runtime = false;
  std::vector<int> scores;  // letters x letters
  bool minimize = false;
  int max_query = 0, max_target = 0;              // 0: unbounded
  bool end = true, begin = false, cigar = false;  // of the output; each takes the one before
  std::string arithmetic = "auto", mapping = "auto";
  bool half_precision = false;
  int p = 0, k = 0;  // 0: not said
  int band = -1;  // how far a band goes at least beside both corners' diagonals, lengths differing by no more; -1: none
  int band_form = 0;  // 1: `from` by the lengths, 2: `to` so; 4 and more: `from` alone, 8 and more: `to` alone
};

struct Case {
  SpecValues spec;
  Route route = Route::cpu;
  std::string target;                 // "x86-64-v4", "cuda:sm_90", "opencl"
  int rows = 0, block = 0, grid = 0;  // of the generator's --choice; 0: not said
  int kernel = 0;                     // which of those that could take the call, where one is run (simt)
  bool all = false;                   // each query with each target, else the i-th with the i-th
  int threads = 1;                    // of the call; devices: blocks
  std::vector<std::string> queries, targets;
  std::string note;  // of a kept case: what it once found

  std::size_t pairs() const { return all ? queries.size() * targets.size() : queries.size(); }
  const std::string &query(std::size_t pair) const { return queries[all ? pair / targets.size() : pair]; }
  const std::string &target_of(std::size_t pair) const { return targets[all ? pair % targets.size() : pair]; }
};

void to_json(nlohmann::json &json, const Case &c);
void from_json(const nlohmann::json &json, Case &c);

std::string yaml(const SpecValues &spec);
std::string choice(const Case &c);                  // "rows=2,block=4"; empty: the planner's
alnsmith::Scoring scoring(const SpecValues &spec);  // what the call brings
std::string all_letters(const SpecValues &spec);    // of the alphabet, the wildcard included, upper case
char wildcard(const SpecValues &spec);              // 0: none
// What the call means to the textbook DP.
oracle::Problem problem(const SpecValues &values, const alnsmith::spec::Spec &spec);

// A byte that no alphabet has: taken for the wildcard where there is one.
constexpr char invalid_letter = '~';

}  // namespace soak
