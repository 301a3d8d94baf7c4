// `alnsmith tune`: the group of commands that search for the fastest kernels.
#include "commands.h"
#include "tune/report_command.h"

namespace alnsmith::tool {

void add_tune(CLI::App &app, int &status) {
  CLI::App *tune = app.add_subcommand("tune", "Recorded searches for the fastest kernels");
  tune->require_subcommand(1);
  add_tune_report(*tune, status);
}

}  // namespace alnsmith::tool
