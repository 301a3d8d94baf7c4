// Scorings of bit-sliced kernels as specs, and circuits for any of them.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

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

// Those that there are circuits for; under gates of two the ones that open for 2 take too many.
const std::vector<Numbers> &with_circuits();

// Any that a bit-sliced kernel may have, with affine gaps or linear ones. `free`: of `yaml`.
Numbers drawn(std::mt19937 &random, bool affine, int free);

// `free`: a bit for each end that is, of query and target in turn; `output`: the score, its end too, or also begin and
// CIGAR; `of_call`: the scoring comes with the call.
enum Wanted { kScore, kEnd, kCigar };
std::string yaml(const Numbers &numbers, bool wildcard, int free, Wanted output, bool of_call = false);

// Gates as they come: adders, comparators, then subtractions. `flipped`: planes that are kept inverted.
alnsmith::circuits::Circuit plain_circuit(const alnsmith::circuits::Scheme &scheme, int flipped);

}  // namespace sliced
