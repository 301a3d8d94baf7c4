// Packed copies beside a database: made, made anew when the database changes, listed, verified.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "alnsmith/packed_copy.hpp"

namespace alnsmith::tool {

// The layouts that a database's copies are to have: those of the copies that are there, and of the kernels of a spec
// (empty: none). A damaged copy counts for nothing.
Result<std::set<std::string>> wanted_layouts(const std::string &database, const std::string &spec);
// Writes a copy in each; `done` is told of each one's path and bytes.
Status write_copies(const std::string &database, const std::set<std::string> &layouts,
                    const std::function<void(const std::string &, std::uint64_t)> &done);
// A line for each copy: its layout but for the codes, its bytes, the blocks that it has as they are.
Result<std::string> copies_text(const search::Database &database);
Status verify_copies(const search::Database &database, const std::function<bool(std::uint64_t)> &go_on);

}  // namespace alnsmith::tool
