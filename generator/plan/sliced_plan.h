// Bit-sliced kernels (templates/sliced.h): which specs they serve on which targets, and what of them is static.
#pragma once

#include <optional>
#include <string>

#include "circuits/circuit.h"
#include "frontend/facts.h"
#include "spec/spec.h"
#include "target/target.h"

namespace alnsmith::plan {

// Why `arithmetic: bitsliced` has no kernel for a spec on any CPU, naming the key; empty if it may have one.
std::string sliced_refusal(const spec::Spec &spec);

// Why a spec that is not refused has no bit-sliced kernel on a target all the same; empty if it has one.
std::string sliced_missing(const spec::Spec &spec, const backend::Target &target);

// Whether `arithmetic: auto` takes them: there is a kernel, and by the model it is faster than int8.
bool sliced_pays(const spec::Spec &spec, const backend::Target &target);

// What of a spec has no scheme of a circuit, whatever its target; empty if it has one.
std::string without_scheme(const spec::Spec &spec);
circuits::Scheme scheme_of(const spec::Spec &spec);

// The spec's circuit on a CPU target, of its operations; none if there is none.
std::optional<circuits::Circuit> circuit_of(const spec::Spec &spec, const backend::Target &target);

// The fields of templates/circuit.h: of a circuit, and of none.
void put_circuit(frontend::Statics &statics, const circuits::Circuit &circuit);
void put_no_circuit(frontend::Statics &statics);

// What a vector of cells takes by the model, in percent of what one takes in kernels of int8. A spec that is not
// refused.
int sliced_work(const spec::Spec &spec, const backend::Target &target);

// Letters of the tile.
int sliced_k(const spec::Spec &spec, const backend::Target &target);

}  // namespace alnsmith::plan
