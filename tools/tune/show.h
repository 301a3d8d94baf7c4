// A recording as text: the last comparison, the best of the search, the planner's choice, lengths, failures, the next
// step.
#pragma once

#include <string>
#include <vector>

#include "tune/record.h"

namespace alnsmith::tool::tune {

// Lines; empty if there are no records. `file`: the recording's name, for the next step.
std::string shown_recording(const std::vector<Record> &records, const std::string &file);

}  // namespace alnsmith::tool::tune
