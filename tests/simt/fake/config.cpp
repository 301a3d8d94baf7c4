// See config.h.
#include "config.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace fake {
namespace {

class Reader {
 public:
  explicit Reader(std::string platform) : platform_(std::move(platform)) {}

  std::string get(const char *name, const std::string &otherwise) {
    const char *value = std::getenv(("SIMT_FAKE_" + platform_ + "_" + name).c_str());
    if (!value) value = std::getenv((std::string("SIMT_FAKE_") + name).c_str());
    const std::string result = value ? value : otherwise;
    all += std::string(name) + '=' + result + '\n';
    return result;
  }

  // A number, with K, M or G behind it where `units`.
  double number(const char *name, double otherwise, bool units = false) {
    const std::string text = get(name, "");
    if (text.empty()) return otherwise;
    char *end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    const std::string letters = "KMG";
    const std::size_t unit = units && *end ? letters.find(*end++) : std::string::npos;
    for (std::size_t i = 0; unit != std::string::npos && i <= unit; ++i) value *= 1024;
    if (*end || value < 0) die(name, text, "a number");
    return value;
  }

  // "3", "3+" or "1:3+": the third, from the third on, on device 1.
  Failing failing(const char *name) {
    const std::string text = get(name, "");
    Failing result;
    if (text.empty()) return result;
    const std::size_t colon = text.find(':');
    const std::string number = colon == std::string::npos ? text : text.substr(colon + 1);
    char *end = nullptr;
    if (colon != std::string::npos) result.device = std::atoi(text.c_str());
    result.number = std::strtol(number.c_str(), &end, 10);
    result.onwards = *end == '+';
    if (result.number < 1 || (*end && std::string(end) != "+")) die(name, text, "[DEVICE:]N or [DEVICE:]N+");
    return result;
  }

  std::string all;

 private:
  [[noreturn]] void die(const char *name, const std::string &value, const char *form) const {
    std::fprintf(stderr, "fake driver: SIMT_FAKE_%s=%s: expected %s\n", name, value.c_str(), form);
    std::exit(99);
  }
  std::string platform_;
};

}  // namespace

const std::string &Config::architecture(int device) const {
  return architectures[std::min(static_cast<std::size_t>(device), architectures.size() - 1)];
}

Config read_config(const std::string &platform, const std::string &architecture, int version) {
  Reader reader(platform);
  Config config;
  config.devices = static_cast<int>(reader.number("DEVICES", 1));
  config.version = static_cast<int>(reader.number("VERSION", version));
  std::stringstream list(reader.get("ARCH", architecture));
  for (std::string one; std::getline(list, one, ',');) config.architectures.push_back(one);
  if (config.architectures.empty()) config.architectures.push_back(architecture);
  config.warp = static_cast<int>(reader.number("WARP", 0));
  config.memory = static_cast<std::size_t>(reader.number("MEMORY", 8.0 * (1 << 30), true));
  config.processors = static_cast<int>(reader.number("PROCESSORS", 4));
  config.allocation = reader.failing("FAIL_ALLOCATION");
  config.launch = reader.failing("FAIL_LAUNCH");
  config.lost = reader.failing("LOST");
  config.lost.onwards = true;
  config.copy_ms_per_mb = reader.number("COPY_MS", 0);
  config.seed = static_cast<unsigned long>(reader.number("SEED", 0));
  config.host_threads = static_cast<int>(reader.number("HOST_THREADS", 1));
  config.idle = reader.number("IDLE", 0) != 0;
  const std::string folder = "simt-fake-" + std::to_string(getuid());
  config.cache = reader.get("CACHE", (std::filesystem::temp_directory_path() / folder).string());
  config.texts = reader.get("TEXTS", "");
  config.log = reader.get("LOG", "");
  reader.get("RUN", "");  // any other value: new devices
  config.text = reader.all;
  return config;
}

}  // namespace fake
