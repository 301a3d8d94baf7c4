// The circuits of this build: the files *.circuit of this folder, which travel inside the generator.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "circuits/circuit.h"
#include "circuits/gate_sets.h"

namespace alnsmith::circuits {

std::span<const std::pair<std::string_view, std::string_view>> embedded_circuits();  // name, text

// What the names of a scheme's files begin with, up to a point: "linear-4-1", "affine-4-3-1-1".
std::string file_stem(const Scheme &scheme);

// The schemes that have circuits, in order.
std::vector<Scheme> schemes();

// The scheme's lightest circuit on a set of gates; null if there is none.
const Circuit *find(const Scheme &scheme, const GateSet &set);

}  // namespace alnsmith::circuits
