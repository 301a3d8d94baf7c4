// From a spec to a loaded kernel: how long a user waits before the first score.
//
// For each spec: an Aligner is opened and one pair of 150 letters is aligned, with an empty cache (generator
// and compiler run) and again with what that left (nothing but loading). Medians over the repeats: wall time,
// and CPU time, generator and compiler included, which means more on a busy machine.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "measure.h"
#include "scratch.h"
#include "spec/parse.h"
#include "spec_calls.h"
#include "temporary_aligner.h"

namespace {

using bench::SpecArguments;

// One aligned pair; an error message, or nothing.
std::string first_score(const std::string &path, const std::string &letters, const alnsmith::Sources &sources,
                        const alnsmith::Options &options) {
  auto aligner = golden::TemporaryAligner::open_file(path, sources, options);
  if (!aligner) return aligner.error().message;
  const std::string_view query = letters, target = letters;
  std::int32_t score = 0;
  const auto report = (*aligner)->align_pairs({&query, 1}, {&target, 1}, {&score, 1}, options);
  return report ? "" : report.error().message;
}

struct Line {
  bench::Spread empty, empty_cpu, warm;
  std::string error;
};

Line measure(const std::string &path, const SpecArguments &arguments) {
  const auto spec = alnsmith::spec::parse_file(path);
  if (!spec) return {{}, {}, {}, spec.error().message};
  alnsmith::Options options = arguments.options;
  options.scoring = bench::runtime_scoring(*spec);
  std::mt19937 random(1);
  const std::string plain = bench::plain_letters(*spec);
  std::string letters(
      static_cast<std::size_t>(std::min({150, spec->max_query.value_or(150), spec->max_target.value_or(150)})), 'A');
  for (char &letter : letters) letter = plain[random() % plain.size()];

  std::vector<double> empty, empty_cpu, warm;
  for (int repeat = 0; repeat < arguments.repeats; ++repeat) {
    const scratch::Folder cache;
    alnsmith::Sources sources = arguments.sources;
    sources.cache_dir = cache.path();
    std::string error;
    const bench::Time first = bench::timed([&] { error = first_score(path, letters, sources, options); });
    if (!error.empty()) return {{}, {}, {}, error};
    empty.push_back(first.wall);
    empty_cpu.push_back(first.cpu);
    warm.push_back(bench::timed([&] { error = first_score(path, letters, sources, options); }).wall);
  }
  return {bench::spread(empty), bench::spread(empty_cpu), bench::spread(warm), ""};
}

void print(const std::string &name, const Line &line) {
  if (!line.error.empty()) {
    std::printf("%-28s %s\n", name.c_str(), line.error.c_str());
    return;
  }
  std::printf("%-28s %8.1f (%7.1f ..%7.1f) %8.1f %9.2f (%6.2f ..%6.2f)\n", name.c_str(), 1e3 * line.empty.median,
              1e3 * line.empty.min, 1e3 * line.empty.max, 1e3 * line.empty_cpu.median, 1e3 * line.warm.median,
              1e3 * line.warm.min, 1e3 * line.warm.max);
  std::fflush(stdout);
}

void write(std::ofstream &json, const std::string &name, int repeats, const Line &line) {
  json << "{\"spec\":" << bench::json_text(name) << ",\"repeats\":" << repeats
       << ",\"empty_cache_median_seconds\":" << line.empty.median << ",\"empty_cache_min_seconds\":" << line.empty.min
       << ",\"empty_cache_max_seconds\":" << line.empty.max
       << ",\"empty_cache_median_cpu_seconds\":" << line.empty_cpu.median
       << ",\"warm_cache_median_seconds\":" << line.warm.median << ",\"cpu\":" << bench::json_text(bench::cpu_name())
       << "}\n";
}

}  // namespace

int main(int argc, char **argv) {
  SpecArguments arguments;
  if (!bench::parse_arguments(argc, argv, arguments)) return 2;
  std::printf("%s\nspec to first score, median milliseconds (range) over %d repeats\n", bench::cpu_name().c_str(),
              arguments.repeats);
  std::printf("%-28s %28s %8s %26s\n", "spec", "empty cache", "cpu", "warm cache");
  std::ofstream json;
  if (!arguments.json.empty()) json.open(arguments.json, std::ios::app);
  int measured = 0;
  for (const std::string &path : arguments.specs) {
    const std::string name = std::filesystem::path(path).stem().string();
    const Line line = measure(path, arguments);
    print(name, line);
    measured += line.error.empty();
    if (line.error.empty() && json.is_open()) write(json, name, arguments.repeats, line);
  }
  return measured > 0 ? 0 : 1;
}
