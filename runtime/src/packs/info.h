// What the public interface says of an opened pack.
#pragma once

#include "alnsmith/packs.hpp"
#include "packs/file.h"

namespace alnsmith::rt::packs {

PackInfo info_of(const PackFile &pack);

}  // namespace alnsmith::rt::packs
