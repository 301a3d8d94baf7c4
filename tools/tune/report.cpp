// Builds the page of recorded runs from its embedded parts (page/) and the data. See report.h.
#include "tune/report.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <utility>

#include "common/page.h"
#include "tune/report_runs.h"

namespace alnsmith::tool::tune {

// page/ and D3, as far as it was there at configure time: name and text.
std::span<const std::pair<std::string_view, std::string_view>> page_parts();

namespace {

// The page's scripts in the order in which they run.
constexpr std::string_view kScripts[] = {"common.js", "heat_map.js", "distribution.js", "lengths.js",
                                         "effect.js", "tables.js",   "summary.js",      "main.js"};

std::string title(const std::vector<ReportedRun> &runs) {
  if (runs.size() != 1) return fmt::format("Tuning: {} runs", runs.size());
  return fmt::format("Tuning: {} on {} ({})", runs[0].first->spec_name, runs[0].first->target, runs[0].first->device);
}

}  // namespace

std::string_view page_part(std::string_view name) {
  for (const auto &[found, text] : page_parts())
    if (found == name) return text;
  return {};
}

std::string report_data(const std::vector<NamedRecording> &recordings) { return runs_json(runs_of(recordings)); }

Result<std::string> report_page(const std::vector<NamedRecording> &recordings) {
  const std::string_view d3 = page_part("d3.min.js");
  if (d3.empty())
    return Error{
        "this build has no D3 for the report: install Debian's node-d3, or give cmake -DALNSMITH_D3=<d3.min.js>, and "
        "build again"};
  for (const NamedRecording &one : recordings)
    if (one.recording.records.empty())
      return Error{fmt::format("{}: holds no whole record, so there is nothing to report", one.name)};
  std::string scripts;
  for (const std::string_view name : kScripts) scripts += page_part(name);
  const std::vector<ReportedRun> runs = runs_of(recordings);
  const std::pair<std::string_view, std::string> values[] = {
      {"@title@", html_text(title(runs))}, {"@style@", std::string(page_part("style.css"))},
      {"@data@", runs_json(runs)},         {"@d3_licence@", std::string(page_part("d3_licence.txt"))},
      {"@d3@", std::string(d3)},           {"@scripts@", std::move(scripts)},
  };
  return fill_page(page_part("page.html"), values);
}

}  // namespace alnsmith::tool::tune
