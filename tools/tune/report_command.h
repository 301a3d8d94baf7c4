// `alnsmith tune report`, for the command group `tune`.
#pragma once

#include <CLI/CLI.hpp>

namespace alnsmith::tool {

void add_tune_report(CLI::App &tune, int &status);

}  // namespace alnsmith::tool
