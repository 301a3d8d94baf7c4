// See report.h.
#include "report.h"

#include <fmt/format.h>

#include <algorithm>

#include "internal.h"

namespace alnsmith::check {

Times times_of(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::ranges::sort(seconds);
  const std::size_t n = seconds.size();
  return {(seconds[n / 2] + seconds[(n - 1) / 2]) / 2, seconds.front(), seconds.back(), n};
}

Json json_of(const Times &times) {
  return {{"median", times.median}, {"least", times.least}, {"most", times.most}, {"repeats", times.repeats}};
}

Status RunReport::resume() {
  const auto text = internal::read_file(path_);
  if (!text) return text.error();
  root_ = Json::parse(*text, nullptr, false);
  if (root_.is_discarded() || !root_.is_object()) return Error{path_ + ": no result of gpu-check"};
  return Ok{};
}

Status RunReport::save() const { return internal::write_file(path_, root_.dump(1) + "\n"); }

void RunReport::device(const DeviceInfo &info, const std::string &date, const std::string &version, bool fake) {
  root_["schema"] = 1;
  root_["version"] = version;
  root_["date"] = date;
  root_["fake"] = fake;
  root_["complete"] = false;
  root_["device"] = {{"id", info.id},         {"name", info.name},
                     {"target", info.target}, {"driver", info.driver},
                     {"memory", info.memory}, {"processors", info.processors},
                     {"warp", info.warp},     {"shared_memory", info.shared_memory}};
  root_["pipes"] = {{"status", "not run"}};
  for (const char *list : {"tests", "benches", "failures", "skipped"}) root_[list] = Json::array();
}

const Json *RunReport::find(const char *list, const Json &key) const {
  if (!root_.contains(list)) return nullptr;
  for (const Json &entry : root_[list]) {
    const bool same = std::ranges::all_of(
        key.items(), [&](const auto &item) { return entry.contains(item.key()) && entry[item.key()] == item.value(); });
    if (same) return &entry;
  }
  return nullptr;
}

namespace {

std::string cell(const Json &entry, const char *key, const char *form = "{:.2f}") {
  if (!entry.contains(key) || !entry[key].is_number()) return "-";
  return fmt::format(fmt::runtime(form), entry[key].get<double>());
}

// What a message says first: compilers and drivers go on for pages.
std::string brief(const Json &line) {
  constexpr std::size_t kMost = 240;
  std::string text = line.is_string() ? line.get<std::string>() : "";
  if (text.size() > kMost) text = text.substr(0, kMost) + " ...";
  return text;
}

std::string pipes_table(const Json &pipes) {
  const std::string status = pipes.value("status", "not run");
  if (status != "measured") return "pipe rates: " + status + ": " + brief(pipes.value("reason", Json())) + "\n";
  std::string text = fmt::format("clock under load: {} MHz\n{:14} {:>8} {:>8}  lanes per clock and processor\n",
                                 cell(pipes, "clock_mhz", "{:.0f}"), "operation", "measured", "assumed");
  for (const Json &row : pipes["operations"])
    text += fmt::format("{:14} {:>8} {:>8}  {}\n", row.value("name", ""), cell(row, "lanes", "{:.1f}"),
                        cell(row, "assumed", "{:.0f}"), row.value("machine", ""));
  text += fmt::format("\n{:14} {:14} {:>8} {:>7}  shared: part of the shorter that waits for the other\n", "together",
                      "", "each", "shared");
  for (const Json &row : pipes["pairs"])
    text += fmt::format("{:14} {:14} {:>8} {:>7}\n", row.value("a", ""), row.value("b", ""),
                        cell(row, "lanes", "{:.1f}"), cell(row, "part"));
  return text;
}

}  // namespace

MeasuredPipes measured_pipes(const Json &pipes) {
  MeasuredPipes out{models::assumed_rates()};
  if (pipes.value("status", "") != "measured") return out;
  std::map<std::string, double> alone;
  std::vector<models::TimedPair> pairs;
  for (const Json &row : pipes["operations"]) alone[row["name"]] = row["lanes"];
  for (const Json &row : pipes["pairs"]) pairs.push_back({row["a"], row["b"], row["lanes"]});
  models::correct(out.rates, alone, pairs);
  out.clock_hz = pipes.value("clock_mhz", 0.0) * 1e6;
  return out;
}

std::string table(const Json &root) {
  std::string text = pipes_table(root["pipes"]) + "\n";
  std::size_t good = 0, bad = 0;
  for (const Json &test : root["tests"]) (test.value("status", "") == "ok" ? good : bad)++;
  text += fmt::format("tests: {} kernels right, {} not\n\n", good, bad);
  text += fmt::format("{:26} {:42} {:>7} {:>12} {:>7} {:>7} {:>5} {:>6}  {}\n", "bench, TCUPS", "kernel", "measured",
                      "range", "e.to e.", "model", "eff.", "goal", "");
  for (const Json &bench : root["benches"]) {
    if (bench.value("status", "") != "ok") {
      text += fmt::format("{:26} {}: {}\n", bench.value("name", ""), bench.value("status", ""),
                          brief(bench.value("message", Json())));
      continue;
    }
    const std::string kernel = fmt::format("{} {} {} {}x{}", bench.value("form", ""), bench.value("mapping", ""),
                                           bench.value("arithmetic", ""), bench.value("p", 0), bench.value("k", 0));
    text += fmt::format("{:26} {:42} {:>7} {:>12} {:>7} {:>7} {:>5} {:>6}  {}\n", bench.value("name", ""), kernel,
                        cell(bench, "tcups", "{:.3g}"),
                        cell(bench, "tcups_least", "{:.3g}") + "-" + cell(bench, "tcups_most", "{:.3g}"),
                        cell(bench, "end_to_end_tcups", "{:.3g}"), cell(bench, "model_tcups", "{:.3g}"),
                        cell(bench, "efficiency"), cell(bench, "goal", "{:.3g}"), bench.value("verdict", ""));
  }
  for (const Json &line : root["skipped"]) text += "skipped: " + line.get<std::string>() + "\n";
  for (const Json &line : root["failures"]) text += "FAILED: " + brief(line) + "\n";
  return text;
}

}  // namespace alnsmith::check
