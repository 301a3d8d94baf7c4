// Whole files of text: plain, gzip or bgzip.
#pragma once

#include <cstddef>
#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// A file of more than `most_bytes`, unpacked, is refused. `path` is no stdin.
Result<std::string> read_text_file(const std::string &path, std::size_t most_bytes);

}  // namespace alnsmith::tool
