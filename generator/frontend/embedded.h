// The templates and the ABI headers, which travel inside the generator, and the syntax tree that Clang makes of them.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace alnsmith::frontend {

std::span<const std::pair<std::string_view, std::string_view>> embedded_templates();  // name, text
// Of all main files of the embedded templates; empty if this build keeps none (built for another machine than it is
// built on).
std::string_view embedded_tree();

}  // namespace alnsmith::frontend
