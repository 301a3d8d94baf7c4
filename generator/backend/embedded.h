// Files that travel inside the generator: the templates, the preludes and the ABI header.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace alnsmith::backend {

using EmbeddedFile = std::pair<std::string_view, std::string_view>;  // name, text
std::span<const EmbeddedFile> embedded_templates();                  // with kernel_abi.h
std::span<const EmbeddedFile> embedded_preludes();

}  // namespace alnsmith::backend
