// Statistics and the description of the machine.
#include "measure.h"

#include <algorithm>
#include <fstream>

namespace bench {

Spread spread(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return {at(0.5), at(0.25), at(0.75), values.front(), values.back()};
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string model, numbers;
  for (std::string line; std::getline(info, line) && !line.empty();) {
    const std::string value = line.substr(std::min(line.size(), line.find(':') + 2));
    if (line.starts_with("model name")) model = value;
    if (line.starts_with("cpu family") || (line.starts_with("model") && !line.starts_with("model name")))
      numbers += " " + value;
  }
  return model.empty() ? "unknown CPU" : model + " (family, model:" + numbers + ")";
}

std::string compiler() {
#if defined(__clang__)
  return std::string("clang ") + __clang_version__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

std::string json_text(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) quoted += c;
  }
  return quoted + "\"";
}

}  // namespace bench
