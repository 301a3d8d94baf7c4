// What candidates are checked and timed with: classes of sequences by length, and a sample with every extreme.
//
// Deterministic: the same spec, seed and size give the same letters on every machine. Related pairs are mutated
// copies, one pair in five is unrelated. Or the user's own files, as one class.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "spec/spec.h"
#include "tune/record.h"

namespace alnsmith::tool::tune {

// `all`: each query with each target; else the i-th with the i-th.
struct Batch {
  std::vector<std::string> queries, targets;
  std::uint64_t pairs(bool all) const;
  std::uint64_t cells(bool all) const;
};

struct Workload {
  std::string name;  // "reads", "proteins", "letters", "files"
  std::uint64_t seed = 0;
  bool all = false;
  std::vector<Batch> classes;
  Batch sample;  // for the reference: small, with single letters, identical, unlike and long sequences

  Work described() const;                           // of the classes
  std::vector<LengthResult> class_lengths() const;  // median lengths, gcups 0
};

// About `cells` cells in all classes together.
Workload make_workload(const spec::Spec &spec, bool all, std::uint64_t seed, std::uint64_t cells);

// One class of the given sequences, and the sample that `make_workload` has for the seed.
Workload file_workload(const spec::Spec &spec, bool all, std::uint64_t seed, Batch sequences);

}  // namespace alnsmith::tool::tune
