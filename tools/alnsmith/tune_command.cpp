// `alnsmith tune`: measures a spec's candidates, and what is made of the results. The parts are in tune/.
#include "commands.h"
#include "tune/report_command.h"
#include "tune/tune_parts.h"
#include "tune/worker.h"

namespace alnsmith::tool {

void add_tune(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("tune", "Measure which tile, arithmetic and compiler are fastest for a spec");
  tune::add_run(*command, status);
  tune::add_show(*command, status);
  tune::add_replay(*command, status);
  tune::add_apply(*command, status);
  add_tune_report(*command, status);
  CLI::App *worker = command->add_subcommand("worker", "Run one candidate for another `tune`")->group("");
  worker->callback([&status] { status = tune::serve_worker(); });
}

}  // namespace alnsmith::tool
