// The preludes, which travel inside the generator.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace alnsmith::backend {

using EmbeddedFile = std::pair<std::string_view, std::string_view>;  // name, text
std::span<const EmbeddedFile> embedded_preludes();

}  // namespace alnsmith::backend
