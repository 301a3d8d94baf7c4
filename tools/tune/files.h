// Whole files of the tuner: read within a bound, written beside and renamed.
//
// What is loaded, or decides what is, is read by alnsmith::trusted_bytes (alnsmith/build.hpp) instead.
#pragma once

#include <cstddef>
#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::tool::tune {

// An error where the file has more than `limit` bytes.
Result<std::string> read_whole(const std::string &path, std::size_t limit);

Status write_whole(const std::string &path, const std::string &text);

}  // namespace alnsmith::tool::tune
