// `alnsmith tune report`: recordings in, one HTML page out.
#include "tune/report_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/output.h"
#include "common/status.h"
#include "common/text.h"
#include "tune/report.h"

namespace alnsmith::tool {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> files;
  std::string out;
};

Status write_report(const ReportOptions &options) {
  std::vector<tune::NamedRecording> recordings;
  for (const std::string &file : options.files) {
    std::error_code none;
    if (fs::equivalent(file, options.out, none))
      return Error{printable(file, 400) + ": the page would replace this recording: give -o another name", 2};
    Result<tune::Recording> recording = tune::read_recording(file);
    if (!recording) return recording.error();
    recordings.push_back({fs::path(file).filename().string(), *std::move(recording)});
  }
  const Result<std::string> page = tune::report_page(recordings);
  if (!page) return page.error();
  Result<Output> out = Output::open(options.out);
  if (!out) return out.error();
  out->text(*page);
  return out->finish();
}

}  // namespace

void add_tune_report(CLI::App &tune, int &status) {
  CLI::App *command = tune.add_subcommand("report", "Write one self-contained HTML page about recorded runs");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("FILE", options->files, "Recordings (JSON lines); several are compared")->required();
  command->add_option("-o,--out", options->out, "The page; - is stdout")->required();
  command->callback([options, &status] {
    const Status done = write_report(*options);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool
