// Does a binary hold what its kernel manifest claims?  Read, not loaded, so that it can be asked of any target
// anywhere.
#pragma once

#include <string_view>

#include "kernels/manifest.h"
#include "packs/target.h"

namespace alnsmith::rt::packs {

// Kind of file, machine, every entry, and for a CPU the manifest inside, which must be `manifest` word for word.
// The error says what is wrong with the binary: "the entry aln_... is missing".
Status check_entries(const PackTarget &target, UnitKind kind, std::string_view binary,
                     const kernels::Manifest &manifest);

// The manifest that a shared object carries, without loading it.
Result<std::string> manifest_inside(std::string_view shared_object);

}  // namespace alnsmith::rt::packs
