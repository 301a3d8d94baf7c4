// See calibrate.h.
#include "tune/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "alnsmith/alnsmith.hpp"
#include "base/files.h"
#include "common/status.h"
#include "common/text.h"
#include "models/cpu_model.h"
#include "tune/own_file.h"

namespace alnsmith::tool::tune {

std::string core_file() {
  const std::string folder = user_tuned_folder();
  return folder.empty() ? "" : folder + "/core-" + cpu_class() + ".json";
}

Result<std::string> known_core() {
  const std::string path = core_file();
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return std::string();
  const auto text = rt::read_trusted(path, std::size_t{1} << 16);
  if (!text) return text.error();
  const auto core = models::parse_core(*text);
  if (!core) return Error{path + " " + core.error().message};
  return path;
}

#if defined(__x86_64__)
namespace {

using Json = nlohmann::ordered_json;
using Loop = void (*)(std::uint64_t turns);

constexpr int kOperations = 48;  // a turn, independent of each other but for the multiplications

// Twelve registers: enough of them that no latency shows. Compilers would merge or drop what they understand, hence
// text.
#define ALN_TWELVE(one) \
  one("0") one("1") one("2") one("3") one("4") one("5") one("6") one("7") one("8") one("9") one("10") one("11")
#define ALN_TURN(one) ALN_TWELVE(one) ALN_TWELVE(one) ALN_TWELVE(one) ALN_TWELVE(one)
#define ALN_LOOP(name, one)                                                                                           \
  void name(std::uint64_t turns) {                                                                                    \
    __asm__ volatile(".p2align 6\n1:\n" ALN_TURN(one) "dec %0\njnz 1b\nvzeroupper\n"                                  \
                     : "+r"(turns)                                                                                    \
                     :                                                                                                \
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                       "xmm11", "xmm15");                                                                             \
  }
#define ALN_ADD_64(n) "vpaddb %%zmm15, %%zmm" n ", %%zmm" n "\n"
#define ALN_MAX_64(n) "vpmaxsb %%zmm15, %%zmm" n ", %%zmm" n "\n"
#define ALN_CMP_64(n) "vpcmpgtb %%zmm15, %%zmm" n ", %%k1\n"
#define ALN_SUB_64(n) "vpsubsb %%zmm15, %%zmm" n ", %%zmm" n "\n"
#define ALN_ADD_32(n) "vpaddb %%ymm15, %%ymm" n ", %%ymm" n "\n"
#define ALN_MAX_32(n) "vpmaxsb %%ymm15, %%ymm" n ", %%ymm" n "\n"
#define ALN_CMP_32(n) "vpshufb %%ymm15, %%ymm" n ", %%ymm" n "\n"
#define ALN_SUB_32(n) "vpsubsb %%ymm15, %%ymm" n ", %%ymm" n "\n"
ALN_LOOP(add_64, ALN_ADD_64)
ALN_LOOP(max_64, ALN_MAX_64)
ALN_LOOP(compare_64, ALN_CMP_64)
ALN_LOOP(saturate_64, ALN_SUB_64)
ALN_LOOP(add_32, ALN_ADD_32)
ALN_LOOP(max_32, ALN_MAX_32)
ALN_LOOP(compare_32, ALN_CMP_32)
ALN_LOOP(saturate_32, ALN_SUB_32)

// The clock: a multiplication waits three cycles for the one before, on every x86-64 core of the last fifteen years.
void multiply(std::uint64_t turns) {
  std::uint64_t value = 3;
#define ALN_IMUL(n) "imul %1, %1\n"
  __asm__ volatile(".p2align 6\n1:\n" ALN_TURN(ALN_IMUL) "dec %0\njnz 1b\n" : "+r"(turns), "+r"(value) : : "cc");
}

// Operations a second, the fastest of many runs of some 50 microseconds.
double rate(Loop loop) {
  constexpr std::uint64_t kTurns = 2000;
  double best = 0;
  for (int run = 0; run < 2000; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    loop(kTurns);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    best = std::max(best, static_cast<double>(kTurns) * kOperations / spent.count());
  }
  return best;
}

double rounded(double value) { return std::round(value * 100) / 100; }

struct Width {
  const char *name;
  int bytes;
  Loop any, maxima, compares, saturating;
};
constexpr Width kWidths[] = {{"wide", 64, add_64, max_64, compare_64, saturate_64},
                             {"narrow", 32, add_32, max_32, compare_32, saturate_32}};

}  // namespace

Status calibrate() {
  const std::string path = core_file();
  if (path.empty()) return Error{"no folder to keep it in: set ALNSMITH_TUNED or HOME"};
  // The hardware's, whatever ALNSMITH_ISA leaves of it: the file is for runs with and without.
  const bool wide = __builtin_cpu_supports("avx512bw") != 0;
  if (__builtin_cpu_supports("avx2") == 0) return Error{"--calibrate measures cores with AVX2 or AVX-512"};
  const double clock = rate(multiply) * 3;
  Json core = {{"schema", 1}, {"machine", "x86_64"}, {"cpu", cpu_class()}, {"ghz", rounded(clock * 1e-9)}};
  std::string said;
  for (const Width &width : kWidths) {
    if (width.bytes == 64 && !wide) continue;
    Json &rates = core[width.name] = Json::object();
    for (const auto &[name, loop] : {std::pair{"any", width.any}, std::pair{"maxima", width.maxima},
                                     std::pair{"compares", width.compares}, std::pair{"saturating", width.saturating}})
      rates[name] = rounded(rate(loop) / clock);
    said += fmt::format("{} bytes: {} operations a cycle, of them {} maxima, {} compares and lookups, {} saturating\n",
                        width.bytes, rates["any"].dump(), rates["maxima"].dump(), rates["compares"].dump(),
                        rates["saturating"].dump());
  }
  if (auto ok = make_folder(std::filesystem::path(path).parent_path().string()); !ok) return ok.error();
  if (auto ok = rt::write_file(path, core.dump() + "\n", 0644); !ok) return ok.error();
  said = fmt::format("{} at {} GHz\n{}{}\n", printable(cpu_class()), core["ghz"].dump(), said, printable(path, 400));
  if (print(said) != 0) return Error{""};
  if (const auto trusted = rt::check_trusted(path); !trusted) return trusted.error();  // so runs would leave it out
  return Ok{};
}

#else
Status calibrate() { return Error{"--calibrate measures x86-64 cores"}; }
#endif

}  // namespace alnsmith::tool::tune
