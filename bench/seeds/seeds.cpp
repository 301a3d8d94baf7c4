// bench_seeds: AnySeq/GPU's measurements repeated: modes x arithmetics x tiles p x k x lengths, score only, on a device
// or the CPU.
//
// In:  what to vary. Out: a folder that gpu-check-run times (`prepare`), the same pairs timed on the CPU (`cpu`), and a
//      table of such results beside the published figures (`table`).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "build.h"
#include "expected.h"
#include "internal.h"
#include "plan_data.h"
#include "report.h"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;
using namespace alnsmith::check;
namespace fs = std::filesystem;

struct Arguments {
  std::string folder, generator, target = "cuda:sm_90", out, published;
  std::vector<std::string> modes = {"global", "semiglobal", "local"}, gaps = {"linear", "affine"};
  std::vector<std::string> arithmetics = {"half2", "fp32", "auto"};
  std::vector<std::string> tiles = {"8x8", "8x16", "16x16", "32x8", "32x16", "32x32"};
  std::vector<std::uint32_t> lengths = {128, 256, 512, 1024, 2048, 4096};
  std::vector<std::string> results;
  double cells = 2e11;
};

// AnySeq's scoring: match 2, mismatch -1, gaps of L letters cost L, or 1 + L.
std::string body(const std::string &mode, const std::string &gap) {
  return fmt::format("alignment: {}\ngap: {}\nalphabet: dna\nscore: {{match: 2, mismatch: -1}}\n", mode,
                     gap == "linear" ? "{model: linear, extend: 1}" : "{model: affine, open: 1, extend: 1}");
}

std::string set_name(std::uint32_t length) { return fmt::format("windows-{}", length); }

// Windows of a genome against copies with few errors, as short reads have them.
SetEntry windows(std::uint32_t length, double cells) {
  SetEntry entry;
  entry.name = set_name(length);
  entry.recipe.kind = "windows";
  entry.recipe.source = "genome";
  entry.recipe.count = std::max<std::uint64_t>(4, static_cast<std::uint64_t>(cells / length / length));
  entry.recipe.count = std::min<std::uint64_t>(entry.recipe.count, (std::uint64_t{1} << 30) / length);
  entry.recipe.shortest = entry.recipe.longest = length;
  entry.recipe.level = true;
  entry.recipe.substituted = 20;
  entry.recipe.inserted = entry.recipe.lost = 5;
  return entry;
}

Result<Aligner> cpu_aligner(const std::string &path, const std::string &generator) {
  const auto spec = spec::parse_file(path);
  if (!spec) return spec.error();
  Sources sources;
  sources.generator = generator;
  return Aligner::open({path, spec->name, spec::hash(*spec)}, sources, {});
}

Status prepare(const Arguments &a) {
  for (const char *name : {"kernels", "data", "expected", "specs"}) {
    std::error_code failed;
    fs::create_directories(a.folder + "/" + name, failed);
    if (failed) return Error{a.folder + ": cannot be written: " + failed.message()};
  }
  auto data = plan_data(a.cells < 1e9);
  if (!data) return data.error();
  Stored stored;
  stored["genome"] = std::move(data->stored["genome"]);
  Index index;
  index.version = ALNSMITH_VERSION;
  index.stored = {"genome"};
  if (auto ok = internal::write_file(a.folder + "/data/genome.seq", pack(stored["genome"])); !ok) return ok;
  const Builder builder({a.folder, a.generator, false, false});
  std::vector<SequenceSet> sets;
  for (const std::uint32_t length : a.lengths) {
    SetEntry entry = windows(length, a.cells);
    auto set = make_set(entry.recipe, stored);
    if (!set) return set.error();
    entry.queries = set->queries.checksum();
    entry.targets = set->targets.checksum();
    index.sets.push_back(entry);
    sets.push_back(*std::move(set));
  }
  for (const std::string &mode : a.modes)
    for (const std::string &gap : a.gaps) {
      const std::string plain = fmt::format("seeds-{}-{}", mode, gap);
      const std::string cpu_path = a.folder + "/specs/" + plain + ".yaml";
      if (auto ok = internal::write_file(cpu_path, fmt::format("version: 1\nname: {}\n{}", plain, body(mode, gap)));
          !ok)
        return ok;
      auto aligner = cpu_aligner(cpu_path, a.generator);
      if (!aligner) return aligner.error();
      std::vector<ExpectedEntry> expected(sets.size());
      for (std::size_t i = 0; i < sets.size(); ++i) {
        expected[i].file = fmt::format("expected/{}-{}.bin", plain, a.lengths[i]);
        expected[i].pairs = pairs_within(sets[i], std::min(a.cells, 5e8));
        const auto scores = compute_expected(*aligner, {}, sets[i], expected[i]);
        if (!scores) return scores.error();
        if (auto ok = internal::write_file(a.folder + "/" + expected[i].file, expected_bytes(*scores)); !ok) return ok;
      }
      for (const std::string &arithmetic : a.arithmetics)
        for (const std::string &tile : a.tiles) {
          int p = 0, k = 0;
          char x = 0;
          if (!(std::istringstream(tile) >> p >> x >> k) || x != 'x')
            return Error{"--tiles: " + tile + " is not p x k as in 8x16"};
          const std::string name = fmt::format("{}-{}-{}", plain, arithmetic, tile);
          const std::string text =
              fmt::format("version: 1\nname: {}\n{}arithmetic: {}\nmapping: wavefront\ntile: {{p: {}, k: {}}}\n", name,
                          body(mode, gap), arithmetic, p, k);
          const std::string path = a.folder + "/specs/" + name + ".yaml";
          if (auto ok = internal::write_file(path, text); !ok) return ok;
          const auto spec = spec::parse_file(path);
          if (!spec) return spec.error();
          std::cerr << "bench_seeds: " << name << "\n";
          auto kernels = builder.build(*spec, path, a.target, false);
          if (!kernels) {  // an arithmetic that the target lacks, a tile that it has no room for
            index.left_out.push_back(kernels.error().message);
            continue;
          }
          index.kernels.push_back(*std::move(kernels));
          for (std::size_t i = 0; i < sets.size(); ++i) {
            BenchEntry bench;
            bench.name = fmt::format("{}-{}", name, a.lengths[i]);
            bench.spec = name;
            bench.form = "pairs";
            bench.set = set_name(a.lengths[i]);
            bench.expected = expected[i];
            index.benches.push_back(bench);
          }
        }
    }
  if (index.benches.empty())
    return Error{index.left_out.empty() ? "nothing to measure" : "no kernel could be made: " + index.left_out.front()};
  if (auto ok = internal::write_file(a.folder + "/index.json", index_text(index)); !ok) return ok;
  std::cout << fmt::format("bench_seeds: {} specs, {} benches in {}\n", index.kernels.size(), index.benches.size(),
                           a.folder);
  for (const std::string &line : index.left_out) std::cout << "bench_seeds: left out: " << line << "\n";
  return Ok{};
}

// The pairs of a folder through the library's call on this machine's CPU.
Status time_cpu(const Arguments &a) {
  const auto index = read_index(a.folder);
  if (!index) return index.error();
  const auto bytes = internal::read_file(a.folder + "/data/genome.seq");
  if (!bytes) return bytes.error();
  auto genome = unpack(*bytes, "genome");
  if (!genome) return genome.error();
  Stored stored;
  stored["genome"] = *std::move(genome);
  Json benches = Json::array();
  for (const auto &file : fs::directory_iterator(a.folder + "/specs")) {
    const std::string name = file.path().stem().string();
    if (std::ranges::count(name, '-') != 2) continue;  // those of devices name arithmetic and tile
    auto aligner = cpu_aligner(file.path().string(), a.generator);
    if (!aligner) return aligner.error();
    for (const SetEntry &entry : index->sets) {
      const auto set = make_set(entry.recipe, stored);
      if (!set) return set.error();
      const std::size_t pairs = pairs_within(*set, a.cells);
      const auto queries = set->queries.views(0, pairs), targets = set->targets.views(0, pairs);
      std::vector<std::int32_t> scores(pairs);
      std::vector<double> seconds;
      double cells = 0;
      for (int i = 0; i < 4; ++i) {
        const auto ran = aligner->align_pairs(queries, targets, scores);
        if (!ran) return ran.error();
        cells = static_cast<double>(ran->cells);
        if (i > 0) seconds.push_back(ran->seconds);
      }
      const Times times = times_of(seconds);
      benches.push_back({{"name", fmt::format("{}-cpu-all-{}", name, entry.recipe.longest)},
                         {"status", "ok"},
                         {"chosen", true},
                         {"cells", cells},
                         {"seconds", json_of(times)},
                         {"tcups", cells / times.median * 1e-12}});
    }
  }
  const auto info = cpu_device();
  if (!info) return info.error();
  const Json root = {{"device", {{"id", "cpu"}, {"name", info->name}, {"target", info->target}}}, {"benches", benches}};
  return internal::write_file(a.out, root.dump(1) + "\n");
}

// Rows: mode, gap, arithmetic, tile; columns: lengths.
Status print_table(const Arguments &a) {
  for (const std::string &path : a.results) {
    const auto text = internal::read_file(path);
    if (!text) return text.error();
    const Json root = Json::parse(*text, nullptr, false);
    if (root.is_discarded() || !root.contains("benches") || !root.contains("device"))
      return Error{path + ": no result"};
    std::map<std::string, std::map<std::uint64_t, double>> rows;
    std::set<std::uint64_t> lengths;
    for (const Json &bench : root["benches"]) {
      const std::string name = bench.value("name", "");
      const std::size_t dash = name.rfind('-');
      if (!name.starts_with("seeds-") || !bench.value("chosen", false) || bench.value("status", "") != "ok") continue;
      const std::uint64_t length = std::strtoull(name.c_str() + dash + 1, nullptr, 10);
      rows[name.substr(6, dash - 6)][length] = bench.value("tcups", 0.0);
      lengths.insert(length);
    }
    std::cout << fmt::format("\n{} ({}), TCUPS by length\n{:36}", root["device"].value("name", ""),
                             root["device"].value("target", ""), "mode-gap-arithmetic-tile");
    for (const std::uint64_t length : lengths) std::cout << fmt::format(" {:>9}", length);
    for (const auto &[row, values] : rows) {
      std::cout << fmt::format("\n{:36}", row);
      for (const std::uint64_t length : lengths)
        std::cout << (values.contains(length) ? fmt::format(" {:>9.3g}", values.at(length))
                                              : fmt::format(" {:>9}", "-"));
    }
    std::cout << "\n";
  }
  const auto text = internal::read_file(a.published);
  if (!text) return text.error();
  const Json published = Json::parse(*text, nullptr, false);
  if (published.is_discarded()) return Error{a.published + ": no JSON"};
  std::cout << "\nPublished: " << published.value("source", "") << "\n";
  for (const Json &row : published["rows"])
    std::cout << fmt::format(
        "  {:44} {:16} {:16} {}\n", row.value("what", ""), row.value("gpu", ""), row.value("arithmetic", ""),
        row.contains("tcups")   ? fmt::format("{} TCUPS", row["tcups"].get<double>())
        : row.contains("share") ? fmt::format("over {:.0f} %", row["share"].get<double>() * 100)
                                : fmt::format("at least {} times, median {}", row["least_ratio"].get<double>(),
                                              row["median_ratio"].get<double>()));
  return Ok{};
}

}  // namespace

int main(int argc, char **argv) {
  Arguments a;
  a.generator = ALNSMITH_GENERATOR_PROGRAM;
  a.published = ALNSMITH_SEEDS_PUBLISHED;
  CLI::App app("Repeats AnySeq/GPU's measurements.", "bench_seeds");
  app.require_subcommand(1);
  CLI::App *make = app.add_subcommand("prepare", "kernels and pairs into a folder, for gpu-check-run");
  CLI::App *cpu = app.add_subcommand("cpu", "a folder's pairs on this machine's CPU");
  CLI::App *show = app.add_subcommand("table", "results beside the published figures");
  for (CLI::App *sub : {make, cpu}) {
    sub->add_option("folder", a.folder)->required();
    sub->add_option("--generator", a.generator, "alnsmith-generate");
    sub->add_option("--cells", a.cells, "of a length's pairs")->check(CLI::PositiveNumber);
  }
  make->add_option("--target", a.target, "cuda:sm_90, hip:gfx90a, opencl");
  make->add_option("--modes", a.modes)->delimiter(',');
  make->add_option("--gaps", a.gaps)->delimiter(',')->check(CLI::IsMember({"linear", "affine"}));
  make->add_option("--arithmetics", a.arithmetics)->delimiter(',');
  make->add_option("--tiles", a.tiles, "p x k, as in 8x16,32x8")->delimiter(',');
  make->add_option("--lengths", a.lengths)->delimiter(',')->check(CLI::Range(16, 60000));
  cpu->add_option("--out", a.out, "result file")->required();
  show->add_option("results", a.results)->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const Status status = *make ? prepare(a) : *cpu ? time_cpu(a) : print_table(a);
  if (status) return 0;
  std::cerr << "bench_seeds: " << status.error().message << "\n";
  return status.error().exit_code;
}
