// The shipped specs, each through the public batch call on random letters of its own alphabet.
//
// Pairs of 150 and of 512 letters (fewer where the spec's maximum is smaller), four of five related; a spec
// with a matrix for protein searches also runs as one query against all. Values given as `runtime` are match
// 2, mismatch -1, open 2, extend 1, and a matrix of these. Speed only: the tests check the scores.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "measure.h"
#include "spec/parse.h"
#include "temporary_aligner.h"

#ifndef ALNSMITH_GENERATOR_PROGRAM
#define ALNSMITH_GENERATOR_PROGRAM ""
#endif

namespace {

using alnsmith::spec::Spec;

alnsmith::Scoring runtime_scoring(const Spec &spec) {
  alnsmith::Scoring scoring;
  const auto set = [&](const char *name, const alnsmith::spec::Value &value, int number) {
    if (value.runtime) scoring.values[name] = number;
  };
  const bool minimize = spec.objective == alnsmith::spec::Objective::minimize;
  set("match", spec.score.match, minimize ? 0 : 2);
  set("mismatch", spec.score.mismatch, minimize ? 1 : -1);
  set("insertion_open", spec.insertion.open, 2);
  set("insertion_extend", spec.insertion.extend, 1);
  set("deletion_open", spec.deletion.open, 2);
  set("deletion_extend", spec.deletion.extend, 1);
  if (spec.score.matrix_runtime)
    for (std::size_t i = 0; i < spec.alphabet.letters.size(); ++i)
      for (std::size_t j = 0; j < spec.alphabet.letters.size(); ++j) scoring.matrix.push_back(i == j ? 2 : -1);
  return scoring;
}

struct Pairs {
  std::vector<std::string> queries, targets;
  std::vector<std::string_view> query_views, target_views;
  double cells = 0;
};

Pairs make_pairs(const Spec &spec, int length, double cells) {
  std::mt19937 random(1);
  std::string letters;
  for (char letter : spec.alphabet.letters)
    if (letter != spec.alphabet.wildcard && letter != '*') letters += letter;
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
  bench::Spread wall;
  alnsmith::Report report;
  std::string error;
};

Outcome measure(const alnsmith::Aligner &aligner, const Pairs &pairs, bool one_query, int repeats,
                const alnsmith::Options &options) {
  Outcome outcome;
  std::vector<std::int32_t> scores(pairs.targets.size());
  std::vector<double> wall;
  const std::span<const std::string_view> queries(pairs.query_views.data(), one_query ? 1 : pairs.query_views.size());
  for (int repeat = -1; repeat < repeats; ++repeat) {  // the first one obtains kernels
    const double seconds = bench::timed([&] {
                             const auto report =
                                 one_query ? aligner.align_all(queries, pairs.target_views, scores, options)
                                           : aligner.align_pairs(queries, pairs.target_views, scores, options);
                             if (report)
                               outcome.report = *report;
                             else
                               outcome.error = report.error().message;
                           }).wall;
    if (!outcome.error.empty()) return outcome;
    if (repeat >= 0) wall.push_back(seconds);
  }
  outcome.wall = bench::spread(wall);
  return outcome;
}

}  // namespace

int main(int argc, char **argv) {
  int repeats = 7;
  double cells = 3e8;
  std::string json_path;
  alnsmith::Sources sources;
  sources.generator = ALNSMITH_GENERATOR_PROGRAM;
  alnsmith::Options options;
  options.threads = 1;
  std::vector<std::string> specs;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
    if (name == "--repeats") {
      repeats = std::max(1, std::atoi(value().c_str()));
    } else if (name == "--cells") {
      cells = std::atof(value().c_str());
    } else if (name == "--generator") {
      sources.generator = value();
    } else if (name == "--isa") {
      options.isa = alnsmith::parse_isa(value());
    } else if (name == "--json") {
      json_path = value();
    } else if (name.starts_with("--")) {
      std::fputs("bench_specs [--repeats N] [--cells N] [--generator PROGRAM] [--isa ISA] [--json FILE] SPEC...\n",
                 stderr);
      return 2;
    } else {
      specs.push_back(name);
    }
  }
  std::printf("%s; one thread; GCUPS of the median call\n", bench::cpu_name().c_str());
  std::ofstream json;
  if (!json_path.empty()) json.open(json_path, std::ios::app);
  bool good = true;
  for (const std::string &path : specs) {
    const std::string name = std::filesystem::path(path).stem().string();
    const auto complain = [&](const std::string &message) {
      std::printf("%-40s %s\n", name.c_str(), message.c_str());
      good = false;
    };
    const auto spec = alnsmith::spec::parse_file(path);
    if (!spec) {
      complain(spec.error().message);
      continue;
    }
    alnsmith::Options call = options;
    call.scoring = runtime_scoring(*spec);
    const auto aligner = golden::TemporaryAligner::open_file(path, sources, call);
    if (!aligner) {
      complain(aligner.error().message);
      continue;
    }
    for (const int length : {150, 512})
      for (const bool one_query : {false, true}) {
        if (one_query && spec->alphabet.name != "protein") continue;
        const Pairs pairs = make_pairs(*spec, length, cells);
        const Outcome outcome = measure(**aligner, pairs, one_query, repeats, call);
        if (!outcome.error.empty()) {
          complain(outcome.error);
          continue;
        }
        const std::size_t used = pairs.queries[0].size();
        const double gcups = 1e-9 * pairs.cells / outcome.wall.median;
        std::printf("%-40s %4zu %-9s %8.2f GCUPS  range %7.2f .. %7.2f  promoted %llu\n", name.c_str(), used,
                    one_query ? "one query" : "pairs", gcups, 1e-9 * pairs.cells / outcome.wall.max,
                    1e-9 * pairs.cells / outcome.wall.min, static_cast<unsigned long long>(outcome.report.promoted));
        std::fflush(stdout);
        if (!json.is_open()) continue;
        json << "{\"spec\":" << bench::json_text(name) << ",\"length\":" << used
             << ",\"one_query\":" << (one_query ? "true" : "false") << ",\"median_gcups\":" << gcups
             << ",\"median_seconds\":" << outcome.wall.median << ",\"min_seconds\":" << outcome.wall.min
             << ",\"max_seconds\":" << outcome.wall.max << ",\"promoted\":" << outcome.report.promoted
             << ",\"kernels\":[";
        for (std::size_t i = 0; i < outcome.report.kernels.size(); ++i)
          json << (i > 0 ? "," : "") << bench::json_text(outcome.report.kernels[i]);
        json << "],\"cpu\":" << bench::json_text(bench::cpu_name()) << "}\n";
      }
  }
  return good ? 0 : 1;
}
