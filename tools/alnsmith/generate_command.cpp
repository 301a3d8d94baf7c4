// `alnsmith generate`: hands its words to alnsmith-generate, the program that holds Clang.
#include <string>
#include <vector>

#include "child.h"
#include "commands.h"
#include "common/paths.h"

namespace alnsmith::tool {
namespace {

int run_generate(const std::vector<std::string> &words) {
  const std::string generator = generator_path();
  if (generator.empty())
    return report_error(
        {"this build has no generator (alnsmith-generate is not beside the program): build with "
         "-DALNSMITH_GENERATOR=ON, which needs Clang's and LLVM's libraries"});
  std::vector<std::string> all = {generator, "generate"};
  all.insert(all.end(), words.begin(), words.end());
  return report_error(become(all));
}

}  // namespace

void add_generate(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand(
      "generate",
      "Generate the kernels of a spec as text: SPEC [--target T]... [-o DIR] [--templates DIR] [--explain]");
  command->prefix_command();
  command->set_help_flag();  // --help is the generator's
  command->callback([command, &status] { status = run_generate(command->remaining()); });
}

}  // namespace alnsmith::tool
