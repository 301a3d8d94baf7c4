// See default_statics.h.
#include "plan/default_statics.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace alnsmith::plan {
namespace {

constexpr std::array<std::string_view, 5> mappings = {"lanes", "strips", "striped", "wavefront", "block"};

}  // namespace

frontend::Statics default_statics(std::string_view mapping) {
  frontend::Statics statics;
#define ALN_FIELD_OR(type, name, otherwise) statics[#name] = static_cast<std::int64_t>(otherwise);
#include "../../templates/spec.def"
#define ALN_CIRCUIT_NUMBER(name) statics["circuit." #name] = 0;
#include "../../templates/circuit.def"
  statics["mapping"] = std::ranges::find(mappings, mapping) - mappings.begin();  // in the order of enum Mapping
  return statics;
}

}  // namespace alnsmith::plan
