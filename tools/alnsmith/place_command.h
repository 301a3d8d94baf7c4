// `alnsmith place` over any aligner: the program's, or a test's.
#pragma once

#include "commands.h"
#include "place_job.h"

namespace alnsmith::tool {

void add_place_with(CLI::App &app, int &status, OpenKernels open);

}  // namespace alnsmith::tool
