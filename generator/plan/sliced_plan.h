// Bit-sliced kernels (templates/sliced.h): which specs they serve on which targets, and what of them is static.
#pragma once

#include <string>

#include "circuits/circuit.h"
#include "frontend/facts.h"
#include "spec/spec.h"
#include "target/target.h"

namespace alnsmith::plan {

// Why `arithmetic: bitsliced` has no kernel for a spec on a CPU target, naming the key; empty if it has one.
std::string sliced_refusal(const spec::Spec &spec, const backend::Target &target);

// The spec's circuit; null if there is none.
const circuits::Circuit *circuit_of(const spec::Spec &spec);

// The fields of templates/circuit.h: of a circuit, and of none.
void put_circuit(frontend::Statics &statics, const circuits::Circuit &circuit);
void put_no_circuit(frontend::Statics &statics);

// What a vector of cells takes by the model, in percent of what one takes in kernels of int8. A spec that is not
// refused.
int sliced_work(const spec::Spec &spec);

// Letters of the tile.
int sliced_k(const spec::Spec &spec);

}  // namespace alnsmith::plan
