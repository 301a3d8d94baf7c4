// alnsmith against its peers: every contender on the same pairs in one run, one thread, repeats interleaved.
//
// Out: a table on stdout, one JSON object a line (case x contender) to --json. Times are wall seconds of the
// whole batch call; GCUPS = 1e-9 * cells / median; ratios are of medians. Scores are compared within the run.
// Where they differ the textbook DP decides; exit code 1 unless only peers are wrong.
#include <cstdio>
#include <fstream>
#include <memory>

#include "contender.h"
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

struct Entry {
  Runner runner;
  std::vector<int> scores;
  std::vector<double> wall, cpu;
  std::size_t against_oracle = 0, against_first = 0;  // differing scores
};

void compare(std::vector<Entry> &entries, const OracleSample &sample) {
  for (Entry &entry : entries) {
    entry.against_oracle = sample.differing(entry.scores);
    for (std::size_t i = 0; i < entry.scores.size(); ++i)
      entry.against_first += entry.scores[i] != entries[0].scores[i];
  }
}

// Says where `entry` differs, and whom the textbook DP backs on the first few such pairs. True if only `entry`,
// a peer, is wrong there.
bool judge(const Case &one, const Entry &entry, const Entry &first, const OracleSample &sample,
           const std::optional<std::string> &data) {
  std::printf("  MISMATCH: %s differs from the textbook DP on %zu of %zu sampled pairs, from %s on %zu of %zu\n",
              entry.runner.name.c_str(), entry.against_oracle, sample.places.size(), first.runner.name.c_str(),
              entry.against_first, entry.scores.size());
  const oracle::Problem exact = problem(one.task, data);
  bool first_is_right = first.against_oracle == 0;
  int shown = 0;
  for (std::size_t i = 0; i < entry.scores.size() && shown < 4; ++i) {
    if (entry.scores[i] == first.scores[i]) continue;
    ++shown;
    const long score = oracle::score(exact, one.batch.query(i), one.batch.target(i));
    std::printf("    pair %zu: textbook DP %ld, %s %d, %s %d\n", i, score, first.runner.name.c_str(), first.scores[i],
                entry.runner.name.c_str(), entry.scores[i]);
    first_is_right = first_is_right && first.scores[i] == score;
  }
  return first_is_right && first.runner.name == "alnsmith";
}

std::string json_line(const Case &one, const Entry &entry, double ratio, const Arguments &arguments) {
  const Spread wall = spread(entry.wall), cpu = spread(entry.cpu);
  const double cells = static_cast<double>(one.batch.cells());
  char numbers[640], faster[32] = "null";  // null where alnsmith did not run
  if (ratio > 0) std::snprintf(faster, sizeof faster, "%.4g", ratio);
  std::snprintf(
      numbers, sizeof numbers,
      "\"pairs\":%zu,\"cells\":%.0f,\"repeats\":%d,\"threads\":1,\"median_seconds\":%.6g,\"min_seconds\":%.6g,"
      "\"max_seconds\":%.6g,\"low_quartile_seconds\":%.6g,\"high_quartile_seconds\":%.6g,\"median_cpu_seconds\":%.6g,"
      "\"median_gcups\":%.4g,\"alnsmith_is_times_faster\":%s,\"differing_from_oracle_sample\":%zu,\"differing_from_"
      "first\":"
      "%zu",
      one.batch.pairs(), cells, arguments.repeats, wall.median, wall.min, wall.max, wall.low_quartile,
      wall.high_quartile, cpu.median, 1e-9 * cells / wall.median, faster, entry.against_oracle, entry.against_first);
  return "{\"case\":" + json_text(one.key) + ",\"contender\":" + json_text(entry.runner.name) +
         ",\"variant\":" + json_text(entry.runner.variant) + "," + numbers + ",\"cpu\":" + json_text(cpu_name()) +
         ",\"compiler\":" + json_text(compiler()) + "}";
}

// The first line of a run: what the others were measured with.
std::string environment_line(const Peers *peers, const Arguments &arguments) {
  std::string list;
  if (peers != nullptr)
    for (const std::string &line : peers->descriptions()) list += (list.empty() ? "" : ",") + json_text(line);
  return "{\"environment\":{\"cpu\":" + json_text(cpu_name()) + ",\"compiler\":" + json_text(compiler()) +
         ",\"peers\":[" + list + "],\"seed\":" + std::to_string(arguments.sizes.seed) + "}}";
}

// Runs one case and prints it. False if scores differ.
bool run_case(const Case &one, const Peers *peers, const std::optional<std::string> &data, const Arguments &arguments,
              std::ofstream &json) {
  std::vector<Entry> entries;
  const OracleSample sample = oracle_sample(one, data);
  std::vector<std::string> notes;
  if (arguments.alnsmith) {
    Ready ready = alnsmith_ready(one, {arguments.generator, arguments.isa});
    for (Runner &runner : ready.runners) entries.push_back({std::move(runner), {}, {}, {}});
    if (!ready.error.empty()) notes.push_back("alnsmith is left out: " + ready.error);
  }
  if (peers != nullptr)
    for (Runner &runner : peers->ready(one, sample, notes)) entries.push_back({std::move(runner), {}, {}, {}});

  std::printf("\n%s: %zu pairs, %.3f G cells\n", one.name.c_str(), one.batch.pairs(),
              1e-9 * static_cast<double>(one.batch.cells()));
  for (const std::string &note : notes) std::printf("  %s\n", note.c_str());
  if (entries.empty()) return true;

  for (Entry &entry : entries) entry.scores.assign(one.batch.pairs(), -999999);
  for (int repeat = 0; repeat < arguments.repeats; ++repeat)
    for (Entry &entry : entries) {
      const Time time = timed([&] { entry.runner.run(entry.scores); });
      entry.wall.push_back(time.wall);
      entry.cpu.push_back(time.cpu);
    }
  compare(entries, sample);

  bool same = true;
  const bool first_is_ours = entries[0].runner.name == "alnsmith";
  const double cells = static_cast<double>(one.batch.cells());
  for (const Entry &entry : entries) {
    const Spread wall = spread(entry.wall);
    const double ratio = first_is_ours ? wall.median / spread(entries[0].wall).median : 0;
    std::printf("  %-14s %8.2f GCUPS  median %9.3f ms  quartiles %9.3f .. %9.3f  range %9.3f .. %9.3f  cpu %9.3f",
                entry.runner.name.c_str(), 1e-9 * cells / wall.median, 1e3 * wall.median, 1e3 * wall.low_quartile,
                1e3 * wall.high_quartile, 1e3 * wall.min, 1e3 * wall.max, 1e3 * spread(entry.cpu).median);
    if (first_is_ours && entry.runner.name != "alnsmith")
      std::printf("  alnsmith is %.2fx (cpu %.2fx)", ratio, spread(entry.cpu).median / spread(entries[0].cpu).median);
    std::printf("  [%s]\n", entry.runner.variant.c_str());
    if (entry.against_oracle + entry.against_first > 0) same = judge(one, entry, entries[0], sample, data) && same;
    if (json) json << json_line(one, entry, ratio, arguments) << '\n' << std::flush;
  }
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
