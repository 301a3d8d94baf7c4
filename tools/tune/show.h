// What a recording says, as text: the best, the model's limit, the gain over the model's choice, the failures.
#pragma once

#include <string>
#include <vector>

#include "tune/record.h"

namespace alnsmith::tool::tune {

std::string shown_recording(const std::vector<Record> &records);

}  // namespace alnsmith::tool::tune
