// The user's tuned tables: where they lie, and whether one of them has a row for a spec on this machine.
//
// In:  the sources of a call. Out: the same, `tuned_dir` set to the user's folder where its table for the target has a
//      row for the spec and nothing was given by hand. A table that others could write to is skipped, with a line.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"

namespace alnsmith::rt::compile {

// The table for `target` in a folder of tables, as the generator names it.
std::string tuned_table(const std::string &folder, const std::string &target);

Sources with_user_tables(Sources sources, const SpecRef &spec, const std::string &target,
                         std::vector<std::string> &skipped);

}  // namespace alnsmith::rt::compile
