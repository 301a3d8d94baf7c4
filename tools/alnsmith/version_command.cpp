// `alnsmith version`: what this build is and can do.
#include <fmt/format.h>

#include "alnsmith/alnsmith.hpp"
#include "commands.h"
#include "common/paths.h"

namespace alnsmith::tool {
namespace {

int run_version() {
  const Result<Isa> isa = best_isa();
  if (!isa) return report_error(isa.error());
  const std::string generator = generator_path();
  return print(fmt::format("alnsmith {}\ninstruction set {}\ngenerator {}\n", ALNSMITH_VERSION, isa_name(*isa),
                           generator.empty() ? "none (this build uses compiled kernels)" : generator));
}

}  // namespace

void add_version(CLI::App &app, int &status) {
  CLI::App *command =
      app.add_subcommand("version", "Print the version, this CPU's instruction set and the generator in use");
  command->callback([&status] { status = run_version(); });
}

}  // namespace alnsmith::tool
