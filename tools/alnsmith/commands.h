// The subcommands: each registers its options and says what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::tool {

// `status` receives the exit status when the subcommand was chosen and has run.
void add_align(CLI::App &app, int &status);
void add_spec(CLI::App &app, int &status);
void add_generate(CLI::App &app, int &status);
void add_devices(CLI::App &app, int &status);
void add_tune(CLI::App &app, int &status);
void add_version(CLI::App &app, int &status);

// Prints the error's line on stderr, if it has one, and returns its exit status.
int report_error(const Error &error);

// Text for stdout, checked: a full disk is an error, a closed pipe a silent one. Returns an exit status.
int print(std::string_view text);

}  // namespace alnsmith::tool
