// `alnsmith tune apply`: recordings into the tables of their targets.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/files.hpp"
#include "common/status.h"
#include "common/text.h"
#include "tune/apply.h"
#include "tune/tune_parts.h"

namespace alnsmith::tool::tune {
namespace {

struct ApplyArguments {
  std::vector<std::string> files;
  std::string output;
};

int run_apply(const ApplyArguments &arguments) {
  std::map<std::string, std::vector<Recording>> by_target;
  for (const std::string &file : arguments.files) {
    auto recording = read_recording(file);
    if (!recording) return report_error(recording.error());
    if (recording->records.empty()) return report_error({fmt::format("{}: holds no result yet", printable(file, 400))});
    const std::string target = recording->records.front().target;
    by_target[target].push_back(*std::move(recording));
  }
  if (!arguments.output.empty() && by_target.size() > 1)
    return report_error({"-o: the recordings are of several targets; leave it out, or give one target's at a time", 2});
  for (const auto &[target, recordings] : by_target) {
    std::string path = arguments.output;
    if (path.empty()) {
      std::string name = target;
      std::ranges::replace(name, ':', '-');
      path = "tuned/" + name + ".json";
      std::error_code error;
      std::filesystem::create_directories("tuned", error);
    }
    std::error_code ignored;
    std::string table;
    if (std::filesystem::exists(path, ignored)) {
      const auto text = rt::read_file(path, std::size_t{1} << 20);  // as the generator takes
      if (!text) return report_error(text.error());
      table = *text;
    }
    const auto made = applied(table, target, recordings);
    if (!made) return report_error({printable(path, 400) + ": " + made.error().message});
    if (auto ok = rt::write_file(path, made->text, 0666); !ok) return report_error(ok.error());
    std::string said = printable(path, 400) + "\n";
    for (const std::string &note : made->notes) said += "  " + printable(note, 400) + "\n";
    if (const int status = print(said); status != 0) return status;
  }
  return 0;
}

}  // namespace

void add_apply(CLI::App &tune, int &status) {
  CLI::App *command = tune.add_subcommand("apply", "Put the winners of recordings into tuned tables");
  auto arguments = std::make_shared<ApplyArguments>();
  command->add_option("FILE", arguments->files, "Recordings (JSON lines)")->required();
  command->add_option("-o,--output", arguments->output, "Table; tuned/<target>.json by default");
  command->callback([arguments, &status] { status = run_apply(*arguments); });
}

}  // namespace alnsmith::tool::tune
