// From a spec to a loaded kernel: how long a user waits before the first score.
//
// For each spec: an Aligner is opened and one pair of 150 letters is aligned, with an empty cache (generator
// and compiler run) and again with what that left (nothing but loading). Medians over the repeats, wall time.
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
  bench::Spread empty, warm;
  std::string error;
};

Line measure(const std::string &path, int repeats, alnsmith::Sources sources, const alnsmith::Options &options) {
  const auto spec = alnsmith::spec::parse_file(path);
  if (!spec) return {{}, {}, spec.error().message};
  std::mt19937 random(1);
  const std::size_t most =
      static_cast<std::size_t>(std::min(spec->max_query.value_or(150), spec->max_target.value_or(150)));
  std::string letters(std::min<std::size_t>(150, most), 'A');
  for (char &letter : letters)
    letter = spec->alphabet.letters[random() % std::min<std::size_t>(4, spec->alphabet.letters.size())];

  std::vector<double> empty, warm;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const golden::TemporaryFolder cache;
    sources.cache_dir = cache.path();
    std::string error;
    empty.push_back(bench::timed([&] { error = first_score(path, letters, sources, options); }).wall);
    if (error.empty()) warm.push_back(bench::timed([&] { error = first_score(path, letters, sources, options); }).wall);
    if (!error.empty()) return {{}, {}, error};
  }
  return {bench::spread(empty), bench::spread(warm), ""};
}

}  // namespace

int main(int argc, char **argv) {
  int repeats = 9;
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
    } else if (name == "--generator") {
      sources.generator = value();
    } else if (name == "--compiler") {
      sources.compiler = value();
    } else if (name == "--isa") {
      options.isa = alnsmith::parse_isa(value());
    } else if (name == "--json") {
      json_path = value();
    } else if (name.starts_with("--")) {
      std::fputs(
          "bench_generate [--repeats N] [--generator PROGRAM] [--compiler C++] [--isa ISA] [--json FILE] SPEC...\n",
          stderr);
      return 2;
    } else {
      specs.push_back(name);
    }
  }
  std::printf("%s\nspec to first score, median milliseconds (range) over %d repeats\n", bench::cpu_name().c_str(),
              repeats);
  std::printf("%-44s %28s %28s\n", "spec", "empty cache", "warm cache");
  std::ofstream json;
  if (!json_path.empty()) json.open(json_path, std::ios::app);
  bool good = true;
  for (const std::string &path : specs) {
    const Line line = measure(path, repeats, sources, options);
    const std::string name = std::filesystem::path(path).stem().string();
    if (!line.error.empty()) {
      std::printf("%-44s %s\n", name.c_str(), line.error.c_str());
      good = false;
      continue;
    }
    std::printf("%-44s %8.1f (%7.1f ..%7.1f) %9.2f (%6.2f ..%6.2f)\n", name.c_str(), 1e3 * line.empty.median,
                1e3 * line.empty.min, 1e3 * line.empty.max, 1e3 * line.warm.median, 1e3 * line.warm.min,
                1e3 * line.warm.max);
    std::fflush(stdout);
    if (json.is_open())
      json << "{\"spec\":" << bench::json_text(name) << ",\"repeats\":" << repeats
           << ",\"empty_cache_median_seconds\":" << line.empty.median
           << ",\"empty_cache_max_seconds\":" << line.empty.max << ",\"warm_cache_median_seconds\":" << line.warm.median
           << ",\"cpu\":" << bench::json_text(bench::cpu_name()) << "}\n";
  }
  return good ? 0 : 1;
}
