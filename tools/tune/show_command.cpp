// `alnsmith tune show`: a recording as text.
#include <fmt/format.h>

#include <memory>

#include "common/status.h"
#include "common/text.h"
#include "tune/show.h"
#include "tune/tune_parts.h"

namespace alnsmith::tool::tune {
namespace {

int run_show(const std::string &path) {
  const auto recording = read_recording(path);
  if (!recording) return report_error(recording.error());
  if (recording->torn) fmt::print(stderr, "alnsmith: {}: the last line is torn and left out\n", printable(path, 400));
  if (recording->records.empty()) return report_error({fmt::format("{}: holds no result yet", printable(path, 400))});
  return print(shown_recording(recording->records, path));
}

}  // namespace

void add_show(CLI::App &tune, int &status) {
  CLI::App *command = tune.add_subcommand("show", "Print the best of a recording, its limit and the failures");
  auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "Recording (JSON lines)")->required();
  command->callback([path, &status] { status = run_show(*path); });
}

}  // namespace alnsmith::tool::tune
