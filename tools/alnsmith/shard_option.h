// --shard I/N of `search` and `place`.
#pragma once

#include <string>

#include "alnsmith/search_parts.hpp"

namespace alnsmith::tool {

// Empty: the whole. What is no i/n is a usage error.
Result<search::Shard> shard_of(const std::string &text);

}  // namespace alnsmith::tool
