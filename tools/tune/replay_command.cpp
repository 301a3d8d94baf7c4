// `alnsmith tune replay`: strategies on a recording, over many seeds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/status.h"
#include "common/text.h"
#include "tune/replay.h"
#include "tune/tune_parts.h"

namespace alnsmith::tool::tune {
namespace {

struct ReplayArguments {
  std::string path, strategy = "local";
  std::uint64_t seed = 1;
  std::size_t seeds = 1;
  bool random_start = false;
};

// Evaluations until `part` of the optimum is reached.
std::size_t evaluations_until(const std::vector<double> &best, double wanted) {
  const auto at = std::ranges::find_if(best, [&](double value) { return value >= wanted; });
  return static_cast<std::size_t>(at - best.begin()) + 1;
}

int run_replay(const ReplayArguments &arguments) {
  const auto recording = read_recording(arguments.path);
  if (!recording) return report_error(recording.error());
  const RecordedSpace space(recording->records);
  if (space.optimum() <= 0)
    return report_error({fmt::format("{}: holds no correct configuration", printable(arguments.path, 400))});
  const auto quarter = static_cast<std::size_t>(std::ceil(0.25 * static_cast<double>(space.measured())));
  std::vector<double> reached;
  std::vector<std::size_t> needed;
  for (std::size_t i = 0; i < arguments.seeds; ++i) {
    const auto best = replayed(space, arguments.strategy, arguments.seed + i, !arguments.random_start);
    if (!best)
      return report_error({printable(arguments.path, 400) + ": " + best.error().message, best.error().exit_code});
    reached.push_back((*best)[std::min(quarter, best->size()) - 1] / space.optimum());
    needed.push_back(evaluations_until(*best, 0.97 * space.optimum()));
  }
  std::ranges::sort(reached);
  std::ranges::sort(needed);
  const std::size_t middle = reached.size() / 2;
  return print(fmt::format(
      "{} evaluations in the recording, {} seeds of {} search\n"
      "after {} evaluations (25 %): median {:.2f} % of the optimum, worst {:.2f} %\n"
      "97 % of the optimum: median after {} evaluations ({:.1f} %), worst after {} ({:.1f} %)\n",
      space.measured(), reached.size(), arguments.strategy, quarter, 100 * reached[middle], 100 * reached.front(),
      needed[middle], 100.0 * static_cast<double>(needed[middle]) / static_cast<double>(space.measured()),
      needed.back(), 100.0 * static_cast<double>(needed.back()) / static_cast<double>(space.measured())));
}

}  // namespace

void add_replay(CLI::App &tune, int &status) {
  CLI::App *command = tune.add_subcommand("replay", "Run a strategy on recorded results, without a device");
  auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("FILE", arguments->path, "Recording (JSON lines)")->required();
  command->add_option("--strategy", arguments->strategy, "exhaustive, random or local")
      ->check(CLI::IsMember({"exhaustive", "random", "local"}))
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "First seed")->capture_default_str();
  command->add_option("--seeds", arguments->seeds, "How many seeds from there on")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_flag("--random-start", arguments->random_start, "Begin at a random place instead of the model's choice");
  command->callback([arguments, &status] { status = run_replay(*arguments); });
}

}  // namespace alnsmith::tool::tune
