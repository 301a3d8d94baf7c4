// The parts of `alnsmith tune`: each file adds its own.
#pragma once

#include <CLI/CLI.hpp>

namespace alnsmith::tool::tune {

void add_run(CLI::App &tune, int &status);  // SPEC, --prepare, --run
void add_show(CLI::App &tune, int &status);
void add_replay(CLI::App &tune, int &status);
void add_apply(CLI::App &tune, int &status);

}  // namespace alnsmith::tool::tune
