// `alnsmith devices`: a table of what kernels can run on here, the CPU first, and why a platform has nothing.
//
// Out: the table, or one JSON object with `--json`. Finding no GPU is no failure: the exit status is 0.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alnsmith/devices.hpp"
#include "commands.h"
#include "common/text.h"

namespace alnsmith::tool {
namespace {

std::string size_text(std::size_t bytes) { return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1U << 30)); }

using Row = std::array<std::string, 7>;

Row row_of(const DeviceInfo &device) {
  return {device.id,
          printable(device.name),
          printable(device.target),
          size_text(device.memory),
          size_text(device.free_memory),
          std::to_string(device.processors),
          printable(device.driver.empty() ? "-" : device.driver, 120)};
}

// Columns as wide as their widest entry; two blanks between them.
std::string table(const std::vector<Row> &rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> width{};
  for (const Row &row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  std::string text;
  for (const Row &row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const DeviceInfo &device) {
  return {{"id", device.id},
          {"kind", device_kind_name(device.kind)},
          {"name", device.name},
          {"target", device.target},
          {"driver", device.driver},
          {"memory", device.memory},
          {"free_memory", device.free_memory},
          {"processors", device.processors},
          {"warp", device.warp},
          {"shared_memory", device.shared_memory},
          {"unified", device.unified},
          {"gpu", device.gpu}};
}

std::string as_table(const DeviceInfo &cpu, const std::vector<PlatformReport> &platforms) {
  std::vector<Row> rows = {{"device", "name", "target", "memory", "free", "processors", "driver"}, row_of(cpu)};
  std::string problems;
  for (const PlatformReport &platform : platforms) {
    for (const DeviceInfo &device : platform.devices) rows.push_back(row_of(device));
    if (!platform.problem.empty())
      problems += fmt::format("{}: {}\n", device_kind_name(platform.kind), printable(platform.problem, 400));
  }
  return table(rows) + problems;
}

std::string as_json(const DeviceInfo &cpu, const std::vector<PlatformReport> &platforms) {
  nlohmann::ordered_json devices = {json_of(cpu)}, reports = nlohmann::ordered_json::array();
  for (const PlatformReport &platform : platforms) {
    for (const DeviceInfo &device : platform.devices) devices.push_back(json_of(device));
    reports.push_back({{"kind", device_kind_name(platform.kind)},
                       {"library", platform.library},
                       {"devices", platform.devices.size()},
                       {"problem", platform.problem}});
  }
  const nlohmann::ordered_json all = {{"devices", devices}, {"platforms", reports}};
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int run_devices(bool json) {
  const Result<DeviceInfo> cpu = cpu_device();
  if (!cpu) return report_error(cpu.error());
  const std::vector<PlatformReport> platforms = list_devices();
  return print(json ? as_json(*cpu, platforms) : as_table(*cpu, platforms));
}

}  // namespace

void add_devices(CLI::App &app, int &status) {
  CLI::App *command =
      app.add_subcommand("devices", "List the CPU and the CUDA, HIP and OpenCL devices, and why there are none");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print one JSON object");
  command->callback([json, &status] { status = run_devices(*json); });
}

}  // namespace alnsmith::tool
