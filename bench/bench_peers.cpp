// alnsmith against its peers: every contender on the same pairs in one run, one thread, repeats interleaved.
//
// Out: a table on stdout, one JSON object per line (case x contender) to --json. Times are wall seconds of the
// whole batch call; GCUPS = 1e-9 * cells / median; ratios are of medians. Scores are compared within the run, and each
// CIGAR is priced anew. Where scores differ the textbook DP decides; exit code 1 unless only peers are wrong, and where
// each with each is much slower than the same pairs one by one.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>

#include "entry.h"
#include "golden.h"
#include "measure.h"
#include "number.h"

#ifndef ALNSMITH_GENERATOR_PROGRAM
#define ALNSMITH_GENERATOR_PROGRAM ""
#endif

namespace {

using namespace bench;

struct Arguments {
  int repeats = 9;
  Sizes sizes;
  std::string filter, json, generator = ALNSMITH_GENERATOR_PROGRAM, isa;
  bool alnsmith = true, peers = true, print_specs = false;
};

int usage() {
  std::fputs(
      "bench_peers [--repeats N] [--cells N] [--seed N] [--filter PART-OF-KEY] [--json FILE]\n"
      "            [--generator PROGRAM] [--isa ISA] [--only-peers] [--only-alnsmith] [--print-specs]\n",
      stderr);
  return 2;
}

bool parse(int argc, char **argv, Arguments &arguments) {
  bool good = true;
  auto cells = static_cast<double>(arguments.sizes.cells);
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
    const auto number = [&](auto &to) { good = bench::read_number(value(), to) && good; };
    if (name == "--repeats")
      number(arguments.repeats);
    else if (name == "--cells")
      number(cells);
    else if (name == "--seed")
      number(arguments.sizes.seed);
    else if (name == "--filter")
      arguments.filter = value();
    else if (name == "--json")
      arguments.json = value();
    else if (name == "--generator")
      arguments.generator = value();
    else if (name == "--isa")
      arguments.isa = value();
    else if (name == "--only-peers")
      arguments.alnsmith = false;
    else if (name == "--only-alnsmith")
      arguments.peers = false;
    else if (name == "--print-specs")
      arguments.print_specs = true;
    else
      return false;
  }
  if (!good || arguments.repeats < 1 || !(cells >= 0 && cells < 1e18)) return false;
  arguments.sizes.cells = static_cast<std::uint64_t>(cells);
  return true;
}

// The first line of a run: what the others were measured with.
std::string environment_line(const Peers *peers, const Arguments &arguments) {
  std::string list;
  if (peers != nullptr)
    for (const std::string &line : peers->descriptions()) list += (list.empty() ? "" : ",") + json_text(line);
  return "{\"environment\":{\"cpu\":" + json_text(cpu_name()) + ",\"compiler\":" + json_text(compiler()) +
         ",\"peers\":[" + list + "],\"seed\":" + std::to_string(arguments.sizes.seed) + "}}";
}

// Each with each, as fast as the same pairs one by one, or nearly: the least share.
constexpr double kLeastOfPairs = 0.8;

// Whether `each` is; where `pairs` have not been measured, yes.
bool keeps_up(const std::vector<Entry> &entries) {
  const auto median = [&](std::string_view name) {
    const auto found = std::ranges::find(entries, name, [](const Entry &entry) { return entry.runner.name; });
    return found == entries.end() ? 0.0 : spread(found->wall).median;
  };
  const double pairs = median("alnsmith pairs"), each = median("alnsmith");
  if (pairs == 0 || each * kLeastOfPairs <= pairs) return true;
  std::printf("  each with each runs at %.0f %% of the speed of pairs: less than %.0f %%\n", 100 * pairs / each,
              100 * kLeastOfPairs);
  return false;
}

// Runs one case and prints it. False if results differ, or each with each is slow.
bool run_case(const Case &one, const Peers *peers, const std::optional<std::string> &data, const Arguments &arguments,
              std::ofstream &json) {
  std::vector<Entry> entries;
  const OracleSample sample = oracle_sample(one, data);
  const oracle::Problem exact = problem(one.task, data);
  std::vector<std::string> warnings;
  const auto take = [&](Runner &runner) { entries.push_back({std::move(runner), room_for(one), {}, {}, 0, 0, {}}); };
  if (arguments.alnsmith) {
    Ready ready = alnsmith_ready(one, {arguments.generator, arguments.isa});
    for (Runner &runner : ready.runners) take(runner);
    if (!ready.error.empty()) warnings.push_back("alnsmith is left out: " + ready.error);
  }
  if (peers != nullptr)
    for (Runner &runner : peers->ready(one, exact, sample, warnings)) take(runner);

  std::printf("\n%s: %zu pairs, %.3f G cells\n", one.name.c_str(), one.batch.pairs(),
              1e-9 * static_cast<double>(one.batch.cells()));
  for (const std::string &note : warnings) std::printf("  %s\n", note.c_str());
  if (entries.empty()) return true;

  for (int repeat = 0; repeat < arguments.repeats; ++repeat)
    for (Entry &entry : entries) {
      const Time time = timed([&] { entry.runner.run(entry.results); });
      entry.wall.push_back(time.wall);
      entry.cpu.push_back(time.cpu);
    }
  compare(one, exact, sample, entries);

  bool same = true;
  for (const Entry &entry : entries) {
    print_line(one, entry, entries[0]);
    same = judge(one, exact, sample, entry, entries[0]) && same;
    if (json) json << json_line(one, entry, entries[0]) << '\n' << std::flush;
  }
  same = keeps_up(entries) && same;
  std::fflush(stdout);
  return same;
}

}  // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) return usage();
  const auto data = golden::data_dir();
  if (!data) std::printf("%s; the cases with real sequences are left out\n", golden::missing_data().c_str());
  const std::vector<Case> cases = all_cases(data, arguments.sizes, arguments.filter);
  std::printf("%s\nthis program: %s; one thread; times are of whole batch calls\n", cpu_name().c_str(),
              compiler().c_str());
  std::unique_ptr<Peers> peers;
  if (arguments.peers) peers = std::make_unique<Peers>();
  if (peers)
    for (const std::string &line : peers->descriptions()) std::printf("%s\n", line.c_str());

  std::ofstream json;
  if (!arguments.json.empty()) {
    json.open(arguments.json, std::ios::app);
    if (!json) return std::fprintf(stderr, "%s: cannot be written\n", arguments.json.c_str()), 1;
  } else {
    json.setstate(std::ios::failbit);
  }
  if (json) json << environment_line(peers.get(), arguments) << '\n';
  bool same = true;
  for (const Case &one : cases) {
    if (arguments.print_specs) std::printf("\n# %s\n%s", one.key.c_str(), one.spec.c_str());
    same = run_case(one, peers.get(), data, arguments, json) && same;
  }
  return same ? 0 : 1;
}
