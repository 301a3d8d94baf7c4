// gpu-check-prepare: fills a folder with what `gpu-check-run` needs, which then needs nothing but a driver.
//
// In:  specs, test data, targets. Out: FOLDER/index.json, kernels/, data/, expected/. Wrong golden scores end it: what
//      the device is compared with must be right.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "build.h"
#include "expected.h"
#include "golden.h"
#include "internal.h"
#include "matrix.h"
#include "plan_data.h"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;
using namespace alnsmith::check;
namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{60} << 20;

struct Arguments {
  std::string folder, generator, specs_folder;
  std::vector<std::string> targets, specs, ptx = {"anyseq-global-affine"};
  int matrix = -1;  // points; -1: all
  bool fake = false;
};

// One spec to be built for all targets.
struct Work {
  spec::Spec spec;
  std::string path, cpu_path;       // files; the CPU scores with the second
  std::vector<std::string> drafts;  // of matrix points: texts to try instead of the file
  std::string set;
  const MatrixPoint *point = nullptr;
  bool benched = false;
};

class Preparation {
 public:
  explicit Preparation(Arguments arguments)
      : arguments_(std::move(arguments)), builder_({arguments_.folder, arguments_.generator, arguments_.fake, false}) {}

  Status run() {
    for (const char *name : {"kernels", "data", "expected"}) {
      std::error_code failed;
      fs::remove_all(arguments_.folder + "/" + name, failed);
      fs::create_directories(arguments_.folder + "/" + name, failed);
      if (failed) return Error{arguments_.folder + ": cannot be written: " + failed.message()};
    }
    fs::permissions(arguments_.folder, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
    index_.version = ALNSMITH_VERSION;
    index_.fake = arguments_.fake;
    points_ = matrix_points();
    auto data = plan_data(arguments_.fake);
    if (!data) return data.error();
    data_ = *std::move(data);
    for (const auto &step :
         {&Preparation::collect, &Preparation::build, &Preparation::pipes, &Preparation::expect, &Preparation::write})
      if (auto ok = (this->*step)(); !ok) return ok;
    return Ok{};
  }

 private:
  Status collect() {
    std::vector<std::string> names = arguments_.specs;
    if (names.empty())
      for (const auto &file : fs::directory_iterator(arguments_.specs_folder))
        if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
    std::ranges::sort(names);
    for (const std::string &name : names) {
      const auto point = std::ranges::find(points_, name, &MatrixPoint::name);
      if (auto ok = point != points_.end() ? add(*point) : add(name); !ok) return ok;
    }
    const std::size_t most = arguments_.matrix < 0 ? points_.size() : static_cast<std::size_t>(arguments_.matrix);
    // Spread over the matrix where not all of it is wanted.
    for (std::size_t i = 0; i < most && i < points_.size(); ++i)
      if (auto ok = add(points_[i * 17 % points_.size()]); !ok) return ok;
    return Ok{};
  }

  Status add(const std::string &name) {
    Work work;
    work.path = work.cpu_path = arguments_.specs_folder + "/" + name + ".yaml";
    auto spec = spec::parse_file(work.path);
    if (!spec) return Error{work.path + ": " + spec.error().message};
    return add(std::move(work), *std::move(spec));
  }

  Status add(const MatrixPoint &point) {
    if (std::ranges::any_of(works_, [&](const Work &work) { return work.point == &point; })) return Ok{};
    Work work;
    work.point = &point;
    work.cpu_path = folder_.file(point.name + "-cpu.yaml");
    if (auto ok = internal::write_file(work.cpu_path, point.cpu_yaml()); !ok) return ok;
    // Where a target refuses a draw (an arithmetic that it lacks, a scoring that does not fit), the next ones.
    // Begun elsewhere for neighbours, whose outputs go by their place as mappings go by that of a draw.
    const auto first = static_cast<int>(static_cast<std::size_t>(&point - points_.data()) * 23 % points_.size());
    for (int draw = 0; draw < 40; ++draw)
      work.drafts.push_back(point.device_yaml((first + draw * 11) % device_draws()));
    auto spec = spec::parse_text(work.drafts[0], point.name, folder_.path());
    if (!spec) return Error{point.name + ": " + spec.error().message};
    return add(std::move(work), *std::move(spec));
  }

  Status add(Work work, spec::Spec spec) {
    work.spec = std::move(spec);
    work.set = test_set(work.spec, data_);
    works_.push_back(std::move(work));
    return Ok{};
  }

  // Kernels of all specs for all targets, on all cores. A spec that no template serves is left out by name.
  Status build() {
    std::mutex mutex;
    std::size_t next = 0;
    std::optional<Error> failed;
    std::vector<std::vector<KernelEntry>> built(works_.size());
    const auto loop = [&] {
      for (;;) {
        std::size_t i = 0;
        {
          const std::lock_guard lock(mutex);
          if (failed || next == works_.size()) return;
          i = next++;
          std::cerr << fmt::format("gpu-check: kernels {} of {}: {}\n", i + 1, works_.size(), works_[i].spec.name);
        }
        for (const std::string &target : arguments_.targets) {
          auto entry = build_one(works_[i], target);
          const std::lock_guard lock(mutex);
          if (entry)
            built[i].push_back(*std::move(entry));
          else if (works_[i].point)
            failed = entry.error();
          else
            index_.left_out.push_back(entry.error().message);
        }
      }
    };
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(loop);
      loop();
    }
    if (failed) return *failed;
    std::ranges::sort(index_.left_out);
    std::vector<Work> kept;
    for (std::size_t i = 0; i < works_.size(); ++i) {
      if (built[i].empty()) continue;
      for (KernelEntry &entry : built[i]) index_.kernels.push_back(std::move(entry));
      kept.push_back(std::move(works_[i]));
    }
    works_ = std::move(kept);
    return works_.empty() ? Status(Error{"no spec could be built: " + index_.left_out.front()}) : Ok{};
  }

  Result<KernelEntry> build_one(Work &work, const std::string &target) const {
    if (!work.point)
      return builder_.build(
          work.spec, work.path, target,
          std::ranges::count(arguments_.ptx, work.spec.name) > 0 && target == arguments_.targets.front());
    std::optional<Error> refusal;
    for (std::size_t i = 0; i < work.drafts.size(); ++i) {
      const std::string path = folder_.file(fmt::format("{}-{}-{}.yaml", work.point->name, target, i));
      if (auto ok = internal::write_file(path, work.drafts[i]); !ok) return ok.error();
      const auto spec = spec::parse_file(path);
      if (!spec) return spec.error();
      auto entry = builder_.build(*spec, path, target, false);
      if (entry) return entry;
      if (!refusal) refusal = entry.error();
    }
    return *refusal;
  }

  Status pipes() {
    for (const std::string &target : arguments_.targets) {
      if (!target.starts_with("cuda:")) continue;
      auto file = builder_.build_pipes(target);
      if (!file) return file.error();
      index_.pipes.push_back(*std::move(file));
    }
    return Ok{};
  }

  // Scores by the CPU for all tests and benches, and the golden scores against them.
  Status expect() {
    std::vector<std::string> names;
    for (const Work &work : works_) names.push_back(work.spec.name);
    index_.benches = plan_benches(names, arguments_.fake);
    std::set<std::string> used;
    for (const Work &work : works_) used.insert(work.set);
    for (const BenchEntry &bench : index_.benches) used.insert(bench.set);
    std::erase_if(data_.sets, [&](const SetEntry &entry) { return !used.contains(entry.name); });
    index_.sets = data_.sets;
    for (SetEntry &entry : index_.sets) {
      std::cerr << "gpu-check: scores of " << entry.name << "\n";
      const auto set = make_set(entry.recipe, data_.stored);
      if (!set) return Error{entry.name + ": " + set.error().message};
      entry.queries = set->queries.checksum();
      entry.targets = set->targets.checksum();
      for (const Work &work : works_)
        if (work.set == entry.name)
          if (auto ok = expect_test(work, *set); !ok) return ok;
      for (BenchEntry &bench : index_.benches)
        if (bench.set == entry.name)
          if (auto ok = expect_bench(bench, *set); !ok) return ok;
    }
    return Ok{};
  }

  Result<Aligner> aligner(const std::string &path) const {
    const auto spec = spec::parse_file(path);
    if (!spec) return spec.error();
    Sources sources;
    sources.generator = arguments_.generator;
    Options options;
    options.scoring = call_scoring(*spec);
    return Aligner::open({path, spec->name, spec::hash(*spec)}, sources, options);
  }

  Status store(const Work &work, const SequenceSet &set, ExpectedEntry &entry, Expected *keep) {
    auto opened = aligner(work.cpu_path);
    if (!opened) return Error{work.spec.name + ": " + opened.error().message};
    auto expected = compute_expected(*opened, call_scoring(work.spec), set, entry);
    if (!expected) return Error{work.spec.name + ": " + expected.error().message};
    if (auto ok = internal::write_file(arguments_.folder + "/" + entry.file, expected_bytes(*expected)); !ok) return ok;
    if (keep) *keep = *std::move(expected);
    return Ok{};
  }

  Status expect_test(const Work &work, const SequenceSet &set) {
    TestEntry test{work.spec.name, work.set, {}};
    test.expected.file = "expected/test-" + work.spec.name + ".bin";
    test.expected.pairs = std::min(set.queries.size(), set.targets.size());
    // From the back: the extremes lie there, and short lists at the front serve as queries.
    test.expected.rows = std::min<std::uint64_t>(4, set.queries.size());
    test.expected.columns = std::min<std::uint64_t>(set.targets.size(), arguments_.fake ? 12 : 120);
    Expected expected;
    if (auto ok = store(work, set, test.expected, &expected); !ok) return ok;
    index_.tests.push_back(test);
    return work.point ? check_golden(*work.point, work.set, expected.pairs) : Ok{};
  }

  Status check_golden(const MatrixPoint &point, const std::string &set, const Scores &scores) {
    const auto ids = data_.ids.find(set);
    if (ids == data_.ids.end()) return Ok{};
    if (golden_.rows.empty()) golden_ = golden::load(golden::present_data().back());
    std::map<std::string_view, std::size_t> place;
    for (std::size_t i = 0; i < ids->second.size(); ++i) place[ids->second[i]] = i;
    for (const golden::Row &row : golden_.rows) {
      if (row.mode != point.mode || row.scoring != point.scoring) continue;
      const auto found = place.find(row.pair);
      if (found == place.end()) continue;
      ++golden_rows_;
      if (scores[Output::score][found->second] != row.score)
        return Error{fmt::format("{}: pair {} scores {} on the CPU, golden is {}", point.name, row.pair,
                                 scores[Output::score][found->second], row.score)};
    }
    return Ok{};
  }

  Status expect_bench(BenchEntry &bench, const SequenceSet &set) {
    const auto work = std::ranges::find_if(works_, [&](const Work &one) { return one.spec.name == bench.spec; });
    bench.expected.file = "expected/bench-" + bench.name + ".bin";
    if (bench.form == name_of(Form::pairwise)) {
      bench.expected.pairs = pairs_within(set, 4e9);
    } else {
      bench.expected.rows = set.queries.size();
      bench.expected.columns = std::min<std::uint64_t>(set.targets.size(), 1500);
    }
    return store(*work, set, bench.expected, nullptr);
  }

  Status write() {
    std::set<std::string> used;
    for (const SetEntry &entry : index_.sets) used.insert({entry.recipe.source, entry.recipe.queries});
    for (const auto &[name, list] : data_.stored) {
      if (!used.contains(name)) continue;
      index_.stored.push_back(name);
      if (auto ok = internal::write_file(arguments_.folder + "/data/" + name + ".seq", pack(list)); !ok) return ok;
    }
    if (auto ok = hash_parts(arguments_.folder, index_); !ok) return ok;
    if (auto ok = internal::write_file(arguments_.folder + "/index.json", index_text(index_)); !ok) return ok;
    std::uintmax_t bytes = 0;
    for (const auto &file : fs::recursive_directory_iterator(arguments_.folder))
      if (file.is_regular_file()) bytes += file.file_size();
    std::cout << fmt::format(
        "gpu-check: {} specs, {} sets, {} tests, {} benches, {} golden scores confirmed, {:.1f} MB\n", works_.size(),
        index_.sets.size(), index_.tests.size(), index_.benches.size(), golden_rows_, double(bytes) / 1e6);
    for (const std::string &line : index_.left_out) std::cout << "gpu-check: left out: " << line << "\n";
    if (bytes > kMostBytes)
      return Error{
          fmt::format("{}: {:.1f} MB, more than {:.0f}: prepare for fewer targets (--target) or specs (--specs)",
                      arguments_.folder, double(bytes) / 1e6, double(kMostBytes) / 1e6)};
    return Ok{};
  }

  Arguments arguments_;
  Builder builder_;
  internal::WorkFolder folder_;
  Index index_;
  Data data_;
  std::vector<MatrixPoint> points_;
  std::vector<Work> works_;
  golden::Set golden_;
  std::size_t golden_rows_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  CLI::App app("Prepares a folder with which gpu-check-run tests and times a device.", "gpu-check-prepare");
  app.add_option("folder", arguments.folder, "folder to fill")->required();
  app.add_option("--target", arguments.targets, "cuda:sm_90 (default), opencl, ...; several are possible");
  app.add_option("--generator", arguments.generator, "alnsmith-generate")->required();
  app.add_option("--specs-folder", arguments.specs_folder, "folder of the shipped specs")->required();
  app.add_option("--specs", arguments.specs, "names of shipped specs, default all, or of points of the matrix")
      ->delimiter(',');
  app.add_option("--ptx", arguments.ptx, "specs with PTX beside the first target's cubin")->delimiter(',');
  app.add_option("--matrix", arguments.matrix, "points of the test matrix; default all");
  app.add_flag("--fake", arguments.fake, "texts instead of cubins and little data, for the driver in tests/simt");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (arguments.targets.empty()) arguments.targets = {"cuda:sm_90"};
  const Status status = Preparation(arguments).run();
  if (status) return 0;
  std::cerr << "gpu-check: " << status.error().message << "\n";
  return status.error().exit_code;
}
