// Bit-sliced kernels (templates/sliced.h): which specs they serve on which targets, and what of them is static.
#pragma once

#include <string>
#include <vector>

#include "circuits/circuit.h"
#include "frontend/facts.h"
#include "spec/spec.h"
#include "target/target.h"

namespace alnsmith::plan {

// Why `arithmetic: bitsliced` has no kernel for a spec on any CPU, or on any device, naming the key; empty if it may
// have one.
std::string sliced_refusal(const spec::Spec &spec, const backend::Target &target);

// What a spec's kernel is made with.
struct SlicedKernel {
  circuits::Circuit circuit;  // of the target's operations
  int work;                   // of a vector of cells by the model, in percent of what one takes in kernels of int8
  int k;                      // letters of the tile
  bool pays;                  // by the model it is faster than int8
};

// Those of a spec that is not refused on a CPU target: of scoring that the spec fixes the one of its scheme, of what
// comes with the call one for each scheme that has a circuit and may be meant. None where there is no circuit.
std::vector<SlicedKernel> sliced_kernels(const spec::Spec &spec, const backend::Target &target);

// Why a spec that is not refused has no bit-sliced kernel on a target all the same; empty if it has one.
std::string sliced_missing(const spec::Spec &spec, const backend::Target &target);

// What of a spec has no circuit, whatever its target; empty if there may be one; and, where the call does not say
// which, what the circuit computes.
std::string without_circuit(const spec::Spec &spec);
circuits::Scheme scheme_of(const spec::Spec &spec);

// The fields of templates/circuit.h.
void put_circuit(frontend::Statics &statics, const circuits::Circuit &circuit);

}  // namespace alnsmith::plan
