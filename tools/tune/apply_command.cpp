// `alnsmith tune apply`: recordings into the tables of their targets.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "alnsmith/alnsmith.hpp"
#include "base/files.h"
#include "common/status.h"
#include "common/text.h"
#include "tune/apply.h"
#include "tune/own_file.h"
#include "tune/tune_parts.h"

namespace alnsmith::tool::tune {
namespace {

struct ApplyArguments {
  std::vector<std::string> files;
  std::string output;
};

bool is_folder(const std::string &path) {
  std::error_code ignored;
  return path.ends_with("/") || std::filesystem::is_directory(path, ignored);
}

std::string folder_of(const std::string &path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// Puts the winners into the table at `path`. The user's own is rewritten only where nobody else could have put rows
// into it: what is written in the user's name is read.
Result<Applied> put(const std::string &path, const std::string &target, const std::vector<Recording> &recordings,
                    bool own) {
  const FolderLock lock(folder_of(path));
  std::error_code ignored;
  std::string table;
  if (std::filesystem::exists(path, ignored)) {
    constexpr std::size_t kMost = std::size_t{1} << 20;  // as the generator takes
    auto text = own ? rt::read_trusted(path, kMost) : rt::read_file(path, kMost);
    if (!text) return text.error();
    table = *std::move(text);
  }
  auto made = applied(table, target, recordings);
  if (!made) return Error{printable(path, 400) + ": " + made.error().message};
  if (auto ok = rt::write_file(path, made->text, own ? 0644 : 0666); !ok) return ok.error();
  return made;
}

int run_apply(const ApplyArguments &arguments) {
  std::map<std::string, std::vector<Recording>> by_target;
  for (const std::string &file : arguments.files) {
    auto recording = read_recording(file);
    if (!recording) return report_error(recording.error());
    if (recording->records.empty()) return report_error({fmt::format("{}: holds no result yet", printable(file, 400))});
    const std::string target = recording->records.front().target;
    by_target[target].push_back(*std::move(recording));
  }
  const bool own = arguments.output.empty(), folder = own || is_folder(arguments.output);
  if (!folder && by_target.size() > 1)
    return report_error(
        {"-o: the recordings are of several targets; name a folder, or give one target's at a time", 2});
  if (own && user_tuned_folder().empty())
    return report_error({"no folder for tuned tables: set ALNSMITH_TUNED or HOME, or name a file or folder with -o"});
  for (const auto &[target, recordings] : by_target) {
    std::string path = arguments.output;
    if (folder) {
      std::string name = target;
      std::ranges::replace(name, ':', '-');
      const std::string where = own ? user_tuned_folder() : arguments.output;
      path = (std::filesystem::path(where) / (name + ".json")).string();
      if (auto ok = make_folder(where); !ok) return report_error(ok.error());
    }
    const auto made = put(path, target, recordings, own);
    if (!made) return report_error(made.error());
    const auto trusted = own ? rt::check_trusted(path) : Result<std::string>(path);
    std::string said = printable(path, 400) + "\n";
    for (const std::string &note : made->lines) said += "  " + printable(note, 400) + "\n";
    if (trusted)
      said += own ? "`alnsmith align` and the library read it from now on\n"
                  : fmt::format("`alnsmith align --tuned {}` reads it\n", printable(folder_of(path), 400));
    if (const int status = print(said); status != 0) return status;
    if (!trusted) return report_error(trusted.error());
  }
  return 0;
}

}  // namespace

void add_apply(CLI::App &tune, int &status) {
  CLI::App *command = tune.add_subcommand(
      "apply", "Put the winners of recordings into tuned tables, which `align` and the library read");
  auto arguments = std::make_shared<ApplyArguments>();
  command->add_option("FILE", arguments->files, "Recordings (JSON lines)")->required();
  command->add_option("-o,--output", arguments->output,
                      "Table, or the folder of <target>.json; by default ALNSMITH_TUNED, else "
                      "~/.local/share/alnsmith/tuned");
  command->callback([arguments, &status] { status = run_apply(*arguments); });
}

}  // namespace alnsmith::tool::tune
