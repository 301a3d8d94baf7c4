// The fuzzer: random specs x pairs over all CPU instruction sets and device targets, against the textbook DP.
//
// In: a seed and bounds; or one case, or a file of kept ones. Out: a block a failure, a table of what was compared, and
// one line of JSON for a record. Exit status: 0 no difference, 1 differences, 2 usage. tools/soak builds and starts it.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>

#include "alnsmith/devices.hpp"
#include "draw.h"
#include "totals.h"
#include "workers.h"

namespace {

using namespace soak;
using nlohmann::ordered_json;

volatile sig_atomic_t interrupted = 0;

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2) + ", " + alnsmith::cpu_class();
  return alnsmith::cpu_class();
}

struct Words {
  std::uint64_t seed = 1;
  std::optional<double> minutes;
  std::optional<std::uint64_t> pairs, draws;
  std::string only, target, one, replay, totals, commit;
  int jobs = 0;
};

std::vector<Case> kept_cases(const std::string &path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("{")) cases.push_back(nlohmann::json::parse(line).get<Case>());
  if (cases.empty()) throw std::runtime_error(path + ": holds no case; each is a line of JSON");
  return cases;
}

// Which draws, by which workers.
std::pair<Order, Crew> orders(const Words &words) {
  Order order;
  Crew crew;
  order.seed = words.seed;
  order.target = words.target;
  for (const Route route : {Route::cpu, Route::opencl, Route::direct, Route::simt})
    if (words.only == name(route)) order.only = route;
  crew.generator = SOAK_GENERATOR;
  crew.workers = words.jobs > 0 ? words.jobs : static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  if (words.draws) crew.end = *words.draws;
  if (!words.replay.empty()) {
    order.kept = kept_cases(words.replay);
    crew.end = order.kept.size();
  }
  if (!words.one.empty()) {
    const std::size_t colon = words.one.find(':');
    order.seed = std::stoull(words.one.substr(0, colon));
    crew.first = std::stoull(words.one.substr(colon + 1));
    crew.end = crew.first + 1;
  }
  return {std::move(order), std::move(crew)};
}

int run(const Words &words) {
  constexpr std::size_t most_failures = 10;
  const auto [order, crew] = orders(words);
  const double minutes = words.minutes.value_or(words.pairs || crew.end != UINT64_MAX ? 1e9 : 5);
  Totals totals;
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const auto again = [&](std::uint64_t number) {
    return words.replay.empty()
               ? "tools/soak --case " + std::to_string(order.seed) + ":" + std::to_string(number)
               : "tools/soak --replay " + words.replay + "   (case " + std::to_string(number + 1) + ")";
  };
  const auto go_on = [&] {
    return totals.failures() < most_failures && (!words.pairs || totals.pairs() < *words.pairs);
  };
  const auto tell = [&](const nlohmann::json &failure, std::uint64_t number) {
    std::fputs(told(failure, again(number)).c_str(), stdout);
    std::fflush(stdout);
  };
  run_workers(
      crew, order,
      [&](const nlohmann::json &said) {
        totals.add(said);
        if (said.contains("failure")) tell(said["failure"], said["number"].get<std::uint64_t>());
        return go_on();
      },
      [&](std::uint64_t number, int call, const std::string &how) {
        const Case c = call_of(order, number, call);
        const auto failure = failure_json({"a kernel " + how, "", how, "answers", 0}, c, number);
        totals.add_lost(number, failure);
        tell(failure, number);
        return go_on();
      },
      [&] { return !interrupted && seconds() < minutes * 60; });
  std::fputs(totals.table(seconds()).c_str(), stdout);
  if (!words.totals.empty()) {
    ordered_json head = {{"seed", order.seed},
                         {"commit", words.commit},
                         {"cpu", cpu_model()},
                         {"workers", crew.workers},
                         {"seconds", seconds()}};
    std::ofstream(words.totals, std::ios::app) << totals.line(head).dump() << "\n";
  }
  return totals.failures() > 0;
}

}  // namespace

int main(int count, char **arguments) {
  CLI::App app("Random specs and pairs over all CPU instruction sets and device targets, against the textbook DP.");
  Words words;
  app.add_option("--seed", words.seed, "Of the draws; the same seed and number give the same case anywhere [1]");
  app.add_option("--minutes", words.minutes, "End after so long [5, or none where another bound is given]");
  app.add_option("--pairs", words.pairs, "End after so many pairs compared");
  app.add_option("--draws", words.draws, "End after so many draws: the one bound that gives the same run again");
  app.add_option("--only", words.only,
                 "Of one kind: cpu, opencl (a device's driver, such as PoCL), direct (templates "
                 "run as they stand), simt (CUDA and HIP texts on the SIMT library)")
      ->check(CLI::IsMember({"cpu", "opencl", "direct", "simt"}));
  app.add_option("--target", words.target, "Of one target: x86-64-v3, cuda:sm_90, opencl");
  app.add_option("--case", words.one, "SEED:NUMBER, one draw")->check([](const std::string &text) {
    const std::size_t colon = text.find(':');
    const bool good = colon != std::string::npos && colon > 0 && colon + 1 < text.size() &&
                      text.find_first_not_of("0123456789:") == std::string::npos;
    return good ? std::string() : "write it as SEED:NUMBER, such as 1:532";
  });
  app.add_option("--replay", words.replay, "File of kept cases, one line of JSON each, as a failure prints it");
  app.add_option("--jobs", words.jobs, "Worker processes [as many as CPUs]");
  app.add_option("--totals", words.totals, "File that a line of JSON with all totals is appended to");
  app.add_option("--commit", words.commit, "What was tested, for the totals; tools/soak gives it");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError &e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  ::signal(SIGINT, [](int) { interrupted = 1; });
  try {
    return run(words);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "soak: %s\n", e.what());
    return 2;
  }
}
