// The subcommands: each registers its options and says what to run.
#pragma once

#include <CLI/CLI.hpp>

#include "common/status.h"

namespace alnsmith::tool {

// `status` receives the exit status when the subcommand was chosen and has run.
void add_align(CLI::App &app, int &status);
void add_search(CLI::App &app, int &status);
void add_merge(CLI::App &app, int &status);
void add_place(CLI::App &app, int &status);
void add_spec(CLI::App &app, int &status);
void add_generate(CLI::App &app, int &status);
void add_circuits(CLI::App &app, int &status);
void add_devices(CLI::App &app, int &status);
void add_pack(CLI::App &app, int &status);
void add_stats(CLI::App &app, int &status);
void add_makedb(CLI::App &app, int &status);
void add_tune(CLI::App &app, int &status);
void add_version(CLI::App &app, int &status);

}  // namespace alnsmith::tool
