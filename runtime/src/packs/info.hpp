// What the public interface says of an opened pack.
#pragma once

#include "alnsmith/packs.hpp"
#include "packs/file.hpp"

namespace alnsmith::rt {

PackInfo info_of(const PackFile &pack);

}  // namespace alnsmith::rt
