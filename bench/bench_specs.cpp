// The shipped specs, each through the public batch call on random letters of its own alphabet.
//
// Pairs of 150 and of 512 letters (fewer where the spec's maximum is smaller), four of five related; a spec
// of the protein alphabet also runs as one query against all. GCUPS are of the median wall time, and of the
// median CPU time where the machine is busy. Speed only: the tests check the scores.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "measure.h"
#include "spec/parse.h"
#include "spec_calls.h"
#include "temporary_aligner.h"

namespace {

using alnsmith::spec::Spec;

struct Pairs {
  std::vector<std::string> queries, targets;
  std::vector<std::string_view> query_views, target_views;
  double cells = 0;
};

Pairs make_pairs(const Spec &spec, int length, double cells) {
  std::mt19937 random(1);
  const std::string letters = bench::plain_letters(spec);
  const auto query_length = static_cast<std::size_t>(std::min(length, spec.max_query.value_or(length)));
  const auto target_length = static_cast<std::size_t>(std::min(length, spec.max_target.value_or(length)));
  Pairs pairs;
  const auto any = [&] { return letters[random() % letters.size()]; };
  while (pairs.cells < cells) {
    std::string query(query_length, 'A'), target(target_length, 'A');
    for (char &letter : query) letter = any();
    const bool related = random() % 5 != 0;
    for (std::size_t i = 0; i < target_length; ++i)
      target[i] = related && i < query_length && random() % 20 != 0 ? query[i] : any();
    pairs.queries.push_back(std::move(query));
    pairs.targets.push_back(std::move(target));
    pairs.cells += static_cast<double>(query_length * target_length);
  }
  pairs.query_views.assign(pairs.queries.begin(), pairs.queries.end());
  pairs.target_views.assign(pairs.targets.begin(), pairs.targets.end());
  return pairs;
}

struct Outcome {
  bench::Spread wall, cpu;
  alnsmith::Report report;
  std::string error;
};

Outcome measure(const alnsmith::Aligner &aligner, const Pairs &pairs, bool one_query, int repeats,
                const alnsmith::Options &options) {
  Outcome outcome;
  std::vector<std::int32_t> scores(pairs.targets.size());
  std::vector<double> wall, cpu;
  const std::span<const std::string_view> queries(pairs.query_views.data(), one_query ? 1 : pairs.query_views.size());
  const auto call = [&] {
    const auto report = one_query ? aligner.align_all(queries, pairs.target_views, scores, options)
                                  : aligner.align_pairs(queries, pairs.target_views, scores, options);
    if (report)
      outcome.report = *report;
    else
      outcome.error = report.error().message;
  };
  call();  // obtains the kernels
  for (int repeat = 0; repeat < repeats && outcome.error.empty(); ++repeat) {
    const bench::Time time = bench::timed(call);
    wall.push_back(time.wall);
    cpu.push_back(time.cpu);
  }
  outcome.wall = bench::spread(wall);
  outcome.cpu = bench::spread(cpu);
  return outcome;
}

struct Line {
  std::string spec;
  std::size_t length;
  bool one_query;
  double cells;
};

void print(const Line &line, const Outcome &outcome) {
  if (!outcome.error.empty()) {
    std::printf("%-28s %s\n", line.spec.c_str(), outcome.error.c_str());
    return;
  }
  const auto gcups = [&](double seconds) { return 1e-9 * line.cells / seconds; };
  std::printf("%-28s %4zu %-9s %8.2f GCUPS  cpu %8.2f  range %7.2f .. %7.2f  promoted %llu\n", line.spec.c_str(),
              line.length, line.one_query ? "one query" : "pairs", gcups(outcome.wall.median),
              gcups(outcome.cpu.median), gcups(outcome.wall.max), gcups(outcome.wall.min),
              static_cast<unsigned long long>(outcome.report.promoted));
  std::fflush(stdout);
}

void write(std::ofstream &json, const Line &line, const Outcome &outcome) {
  json << "{\"spec\":" << bench::json_text(line.spec) << ",\"length\":" << line.length
       << ",\"one_query\":" << (line.one_query ? "true" : "false") << ",\"cells\":" << line.cells
       << ",\"median_gcups\":" << 1e-9 * line.cells / outcome.wall.median
       << ",\"median_seconds\":" << outcome.wall.median << ",\"min_seconds\":" << outcome.wall.min
       << ",\"max_seconds\":" << outcome.wall.max << ",\"median_cpu_seconds\":" << outcome.cpu.median
       << ",\"promoted\":" << outcome.report.promoted << ",\"kernels\":[";
  for (std::size_t i = 0; i < outcome.report.kernels.size(); ++i)
    json << (i > 0 ? "," : "") << bench::json_text(outcome.report.kernels[i]);
  json << "],\"cpu\":" << bench::json_text(bench::cpu_name()) << "}\n";
}

// All runs of one spec; how many were measured.
int run_spec(const std::string &path, const bench::SpecArguments &arguments, std::ofstream &json) {
  const std::string name = std::filesystem::path(path).stem().string();
  const auto refuse = [&](const std::string &message) {
    print({name, 0, false, 0}, {{}, {}, {}, message});
    return 0;
  };
  const auto spec = alnsmith::spec::parse_file(path);
  if (!spec) return refuse(spec.error().message);
  alnsmith::Options options = arguments.options;
  options.scoring = bench::runtime_scoring(*spec);
  const auto aligner = golden::TemporaryAligner::open_file(path, arguments.sources, options);
  if (!aligner) return refuse(aligner.error().message);
  int measured = 0;
  for (const int length : {150, 512})
    for (const bool one_query : {false, true}) {
      if (one_query && spec->alphabet.name != "protein") continue;
      const Pairs pairs = make_pairs(*spec, length, arguments.cells);
      const Line line{name, pairs.queries[0].size(), one_query, pairs.cells};
      const Outcome outcome = measure(**aligner, pairs, one_query, arguments.repeats, options);
      print(line, outcome);
      if (!outcome.error.empty()) continue;
      ++measured;
      if (json.is_open()) write(json, line, outcome);
    }
  return measured;
}

}  // namespace

int main(int argc, char **argv) {
  bench::SpecArguments arguments;
  if (!bench::parse_arguments(argc, argv, arguments)) return 2;
  std::printf("%s; one thread; GCUPS of the median call\n", bench::cpu_name().c_str());
  std::ofstream json;
  if (!arguments.json.empty()) json.open(arguments.json, std::ios::app);
  int measured = 0;
  for (const std::string &path : arguments.specs) measured += run_spec(path, arguments, json);
  return measured > 0 ? 0 : 1;
}
