// Scorings of bit-sliced kernels as specs, and circuits for any of them.
#pragma once

#include <map>
#include <string>

#include "circuits/circuit.h"

namespace sliced {

struct Gap {
  int open, extend;
};
struct Numbers {
  int match, mismatch;
  Gap insertion, deletion;
  std::map<std::string, int> values() const {
    return {{"match", match},
            {"mismatch", mismatch},
            {"insertion_open", insertion.open},
            {"insertion_extend", insertion.extend},
            {"deletion_open", deletion.open},
            {"deletion_extend", deletion.extend}};
  }
  alnsmith::circuits::Scheme scheme() const {
    const int gaps = insertion.open + insertion.extend + deletion.open + deletion.extend;
    return {match + gaps, std::max(0, mismatch + gaps), {insertion.open, deletion.open}};
  }
};

// `free`: a bit for each end that is, of query and target in turn; `of_call`: the scoring comes with the call.
std::string yaml(const Numbers &numbers, bool wildcard, int free, bool end, bool of_call = false);

// Gates as they come: adders, comparators, then subtractions. `flipped`: planes that are kept inverted.
alnsmith::circuits::Circuit plain_circuit(const alnsmith::circuits::Scheme &scheme, int flipped);

}  // namespace sliced
