// See default_statics.h.
#include "plan/default_statics.h"

#include <cstdint>

namespace alnsmith::plan {

frontend::Statics default_statics(std::string_view mapping) {
  frontend::Statics statics;
#define ALN_FIELD_OR(type, name, otherwise) statics[#name] = static_cast<std::int64_t>(otherwise);
#include "../../templates/spec.def"
#define ALN_CIRCUIT_NUMBER(name) statics["circuit." #name] = 0;
#include "../../templates/circuit.def"
#define ALN_MAPPING(name, ...) \
  if (mapping == #name) statics["mapping"] = static_cast<std::int64_t>(Mapping::name);
#include "targets/mappings.def"
  return statics;
}

}  // namespace alnsmith::plan
