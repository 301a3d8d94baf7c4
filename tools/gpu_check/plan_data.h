// What a folder's sequences are: sampled from the test data, or from what the repository bundles where that is absent.
//
// Out: stored lists, and the sets of tests and benches over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index.h"
#include "spec/spec.h"

namespace alnsmith::check {

struct Data {
  Stored stored;
  std::vector<SetEntry> sets;                             // checksums still 0
  std::map<std::string, std::vector<std::string>> ids;    // of a set's pairs, where they are golden ones
  std::size_t longest = SIZE_MAX, most_cells = SIZE_MAX;  // letters of a sequence, cells of a pair, of tests
  bool takes(std::size_t query, std::size_t target) const {
    return std::max(query, target) <= longest && query * target <= most_cells;
  }
};

// `tiny`: as much as a driver on the CPU can bear.
Result<Data> plan_data(bool tiny);

// Sets for a spec's tests: the golden pairs of its alphabet, or random ones that are added to `data`.
std::string test_set(const spec::Spec &spec, Data &data);

// Benches whose specs are all in `specs`.
std::vector<BenchEntry> plan_benches(const std::vector<std::string> &specs, bool tiny);

}  // namespace alnsmith::check
