// `alnsmith generate` and `alnsmith circuits`: hand their words to alnsmith-generate, the program that holds Clang.
#include <string>
#include <vector>

#include "child.h"
#include "commands.h"
#include "common/paths.h"

namespace alnsmith::tool {
namespace {

int hand_on(const CLI::App &command) {
  const std::string generator = generator_path();
  if (generator.empty())
    return report_error(
        {"this build has no generator (alnsmith-generate is not beside the program): build with "
         "-DALNSMITH_GENERATOR=ON, which needs Clang's and LLVM's libraries"});
  std::vector<std::string> all = {generator, command.get_name()};
  const std::vector<std::string> words = command.remaining();
  all.insert(all.end(), words.begin(), words.end());
  return report_error(become(all));
}

void add_handed_on(CLI::App &app, int &status, const std::string &name, const std::string &description) {
  CLI::App *command = app.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();  // --help is the generator's
  command->callback([command, &status] { status = hand_on(*command); });
}

}  // namespace

void add_generate(CLI::App &app, int &status) {
  add_handed_on(app, status, "generate",
                "Generate the kernels of a spec as text: SPEC [--target T]... [-o DIR] [--templates DIR] [--explain]");
}

void add_circuits(CLI::App &app, int &status) {
  add_handed_on(app, status, "circuits",
                "Tell of the circuit of a spec's bit-sliced kernels, or search for a lighter one: SPEC [-o FILE]");
}

}  // namespace alnsmith::tool
