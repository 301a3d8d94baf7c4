// The generator's version, part of every stamp and manifest.
#pragma once

namespace alnsmith::plan {
inline constexpr const char *version = ALNSMITH_VERSION;
}
