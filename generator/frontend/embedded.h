// The templates and the ABI headers, which travel inside the generator.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace alnsmith::frontend {

std::span<const std::pair<std::string_view, std::string_view>> embedded_templates();  // name, text

}  // namespace alnsmith::frontend
