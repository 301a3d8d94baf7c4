// Making one unit of a pack: kernel text from a folder or the generator, binary from a compiler.
//
// In:  a spec, a target, where things may come from. Out: manifest, binary and how it was made, free of this machine's
//      paths, so that the same input gives the same bytes in any folder. Nothing that was compiled is run.
#pragma once

#include <functional>
#include <string>

#include "alnsmith/packs.hpp"
#include "base/cache.h"
#include "base/process.h"
#include "packs/index.h"

namespace alnsmith::rt::packs {

struct MadeUnit {
  PackTarget target;  // with the machine that a shared object turned out to be for
  UnitKind kind = UnitKind::shared_object;
  PackedBuild build;
  std::string text_hash, manifest, binary;
  std::uint64_t kernels = 0;
};

Result<MadeUnit> make_unit(const PackOrder &order, const SpecRef &spec, const PackTarget &target, const Cache &cache,
                           const Cancelled &cancelled);

}  // namespace alnsmith::rt::packs
