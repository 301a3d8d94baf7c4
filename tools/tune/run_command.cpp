// `alnsmith tune SPEC`, `tune SPEC --prepare DIR`, `tune --run DIR`: options, and the way from them to a search.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/paths.h"
#include "common/status.h"
#include "common/text.h"
#include "spec/parse.h"
#include "tune/calibrate.h"
#include "tune/prepare.h"
#include "tune/session.h"
#include "tune/show.h"
#include "tune/tune_parts.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  JobRequest job;
  std::string mode = "pairs", device, budget, out, prepare, run, templates;
  bool resume = false, keep = false, calibrate = false;
  int jobs = 0;
  double build_timeout = 120;
  Settings settings;
};

// Seconds or evaluations.
struct Budget {
  double seconds = 0;
  std::size_t evaluations = SIZE_MAX;
};

Result<Budget> parse_budget(const std::string &text) {
  Budget budget;
  std::size_t number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(static_cast<const char *>(end), static_cast<std::size_t>(text.data() + text.size() - end));
  if (bad != std::errc() || number == 0 || number > 999999999)
    return Error{
        fmt::format("--budget {}: write 60s, 10min, 2h, or a number of evaluations such as 200", printable(text)), 2};
  if (unit.empty() || unit == "runs")
    budget.evaluations = number;
  else if (unit == "s" || unit == "min" || unit == "h")
    budget.seconds = static_cast<double>(number) * (unit == "s" ? 1 : unit == "min" ? 60 : 3600);
  else
    return Error{fmt::format("--budget {}: its unit is s, min, h, or none for evaluations", printable(text)), 2};
  return budget;
}

std::string file_name(std::string text) {
  std::ranges::replace(text, ':', '-');
  return text;
}

// Instruction sets of CPUs: this machine must have it. Devices: the same kind.
Status can_run(const std::string &target, const Machine &machine) {
  const auto wanted = parse_isa(target), here = parse_isa(machine.target);
  const auto kind = [](const std::string &name) { return name.substr(0, name.find(':')); };
  if (wanted && here && *wanted <= *here) return Ok{};
  if (!wanted && !here && kind(target) == kind(machine.target)) return Ok{};
  return Error{fmt::format("kernels for {} do not run on {}, which has {}; choose another --target or --device", target,
                           machine.device, machine.target),
               2};
}

// The device that is meant where none was named.
std::string usual_device(const std::string &target) {
  if (target.empty() || parse_isa(target)) return "cpu";
  return target.substr(0, target.find(':')) + ":0";
}

Result<Maker> maker_of(const RunArguments &arguments) {
  Maker maker;
  maker.generator = generator_path();
  if (maker.generator.empty())
    return Error{
        "this build has no generator (alnsmith-generate is not beside the program); measure a folder of "
        "`alnsmith tune --prepare` with --run"};
  maker.templates_dir = arguments.templates;
  maker.jobs =
      arguments.jobs > 0 ? arguments.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  maker.timeout = arguments.build_timeout;
  return maker;
}

void say_warnings(const Job &job, bool quiet) {
  for (const std::string &note : job.space.warnings)
    if (!quiet) fmt::print(stderr, "alnsmith: {}\n", printable(note, 1000));
}

// Everything after the job is there.
Status measure(const RunArguments &arguments, const Job &job, const Builder &builder, const Machine &machine,
               Recorder &recorder) {
  Session session(job, builder, recorder, machine, arguments.settings);
  if (auto ok = session.check_resumed(); !ok) return ok;
  Shape shape;
  for (const Parameter &parameter : job.space.parameters)
    shape.push_back({parameter.values.size(), parameter.ordered()});
  const auto start = job.space.index_of(job.model);
  auto strategy = make_strategy(arguments.settings.strategy, shape, arguments.settings.seed, start);
  if (!strategy) return strategy.error();
  const std::string given = !arguments.budget.empty() ? arguments.budget : job.spec.tune_budget;
  Budget budget;
  if (!given.empty()) {
    const auto parsed = parse_budget(given);
    if (!parsed) return parsed.error();
    budget = *parsed;
  } else if (arguments.settings.strategy != "exhaustive") {
    budget.evaluations = std::max<std::size_t>(kGroup, (job.space.size() + 3) / 4);
  }
  const Clock::time_point begin = Clock::now();
  const auto stop = [&] {
    if (interrupted()) return true;
    return budget.seconds > 0 && seconds_since(begin) > budget.seconds;
  };
  // The model's choice comes first, whatever the strategy.
  if (start) {
    const std::size_t first[] = {*start};
    const auto outcomes = session.evaluate(first);
    if (!outcomes) return outcomes.error();
    (*strategy)->tell(*start, outcomes->front().score);
    if (budget.evaluations != SIZE_MAX) --budget.evaluations;
  }
  const Evaluate evaluate = [&](std::span<const std::size_t> batch) { return session.evaluate(batch); };
  if (auto ok = search(**strategy, kGroup - 1, budget.evaluations, stop, evaluate); !ok) return ok;
  if (interrupted()) return interrupted_error();
  return session.compare_best();
}

Status run_live(RunArguments &arguments) {
  const std::string device = !arguments.device.empty() ? arguments.device : usual_device(arguments.job.target);
  const auto machine = find_machine(device);
  if (!machine) return machine.error();
  if (arguments.job.target.empty()) arguments.job.target = machine->target;
  if (auto ok = can_run(arguments.job.target, *machine); !ok) return ok;
  const auto maker = maker_of(arguments);
  if (!maker) return maker.error();
  const auto core = known_core();
  if (!core && !arguments.settings.quiet)
    fmt::print(stderr, "alnsmith: {}; its limits are left out\n", printable(core.error().message, 1000));
  if (core && !core->empty()) ::setenv("ALNSMITH_CORE", core->c_str(), 1);  // the generator's
  if (device == "cpu" && machine->cores.empty() && !arguments.settings.quiet)
    fmt::print(stderr, "alnsmith: no model of {}: `alnsmith tune --calibrate` measures it, else there are no limits\n",
               printable(machine->environment.cpu_class));
  const auto path = find_spec(arguments.job.spec);
  if (!path) return path.error();
  if (arguments.out.empty())
    arguments.out = fs::path(*path).stem().string() + "-" + file_name(arguments.job.target) + ".jsonl";
  if (const auto spec = spec::parse_file(*path); !spec) return spec.error();  // before a file is made
  const std::string folder = fs::absolute(arguments.out).string() + ".build";
  if (auto ok = check_job_folder(folder); !ok) return ok;
  auto recorder = Recorder::open(arguments.out, arguments.resume);
  if (!recorder) return recorder.error();
  auto job = make_job(arguments.job, *maker, folder);
  if (!job) return interrupted() ? interrupted_error() : job.error();
  say_warnings(*job, arguments.settings.quiet);
  if (stored_job_text(folder) != job_text(*job)) {
    std::error_code ignored;
    fs::remove_all(folder + "/builds", ignored);
    if (auto ok = save_job(*job, folder); !ok) return ok;
  }
  const Builder builder(*job, folder, &*maker);
  if (auto ok = measure(arguments, *job, builder, *machine, *recorder); !ok) return ok;
  std::error_code ignored;
  if (!arguments.keep) fs::remove_all(folder, ignored);
  return print(shown_recording(recorder->records(), arguments.out)) == 0 ? Status(Ok{}) : Status(Error{""});
}

Status run_prepare(RunArguments &arguments) {
  if (arguments.job.target.empty()) {
    const auto machine = find_machine(arguments.device.empty() ? "cpu" : arguments.device);
    if (!machine) return machine.error();
    arguments.job.target = machine->target;
  }
  const auto maker = maker_of(arguments);
  if (!maker) return maker.error();
  if (auto ok = check_job_folder(arguments.prepare); !ok) return ok;
  auto job = make_job(arguments.job, *maker, arguments.prepare);
  if (!job) return interrupted() ? interrupted_error() : job.error();
  say_warnings(*job, arguments.settings.quiet);
  const std::string folder = fs::absolute(arguments.prepare).string();
  if (stored_job_text(folder) != job_text(*job)) {
    std::error_code ignored;
    fs::remove_all(folder + "/builds", ignored);
    if (auto ok = save_job(*job, folder); !ok) return ok;
  }
  std::vector<Configuration> all = {job->model};
  for (std::size_t i = 0; i < job->space.size(); ++i)
    if (Configuration one = job->space.at(i); job->space.violated(one).empty()) all.push_back(std::move(one));
  const Builder builder(*job, folder, &*maker);
  std::size_t failed = 0;
  constexpr std::size_t kStep = 64;  // a line of progress each
  for (std::size_t at = 0; at < all.size(); at += kStep) {
    const std::span<const Configuration> part = std::span(all).subspan(at, std::min(kStep, all.size() - at));
    const auto builds = builder.make(part);
    if (!builds) return builds.error();
    for (const Build &build : *builds) failed += build.invalidity != Invalidity::correct;
    if (!arguments.settings.quiet)
      fmt::print(stderr, "alnsmith: {} of {} candidates prepared\n", at + part.size(), all.size());
  }
  const std::string text =
      fmt::format("{}: {} candidates of {} for {}, {} without kernels\n", printable(arguments.prepare, 400), all.size(),
                  job->spec.name, job->target, failed);
  return print(text) == 0 ? Status(Ok{}) : Status(Error{""});
}

Status run_prepared(RunArguments &arguments) {
  const std::string folder = fs::absolute(arguments.run).string();
  const auto job = load_job(folder);
  if (!job) return job.error();
  const auto machine = find_machine(!arguments.device.empty() ? arguments.device : usual_device(job->target));
  if (!machine) return machine.error();
  if (auto ok = can_run(job->target, *machine); !ok) return ok;
  if (arguments.out.empty()) arguments.out = job->spec.name + "-" + file_name(job->target) + ".jsonl";
  auto recorder = Recorder::open(arguments.out, arguments.resume);
  if (!recorder) return recorder.error();
  const Builder builder(*job, folder, nullptr);
  if (auto ok = measure(arguments, *job, builder, *machine, *recorder); !ok) return ok;
  return print(shown_recording(recorder->records(), arguments.out)) == 0 ? Status(Ok{}) : Status(Error{""});
}

Status run_tune(RunArguments &arguments) {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  arguments.settings.program = failed ? program_folder() + "/alnsmith" : self.string();
  arguments.job.all = arguments.mode == "all";
  arguments.job.seed = arguments.settings.seed;
  if (arguments.job.query_file.empty() != arguments.job.target_file.empty())
    return Error{"--queries and --targets belong together: give both or none", 2};
  if (arguments.calibrate) return calibrate();
  if (!arguments.budget.empty())
    if (const auto parsed = parse_budget(arguments.budget); !parsed) return parsed.error();
  if (arguments.job.spec.empty() == arguments.run.empty())
    return Error{"give a SPEC, or --run DIR for a prepared one (see `alnsmith tune --help`)", 2};
  if (!arguments.run.empty()) {
    if (!arguments.prepare.empty()) return Error{"--prepare and --run: one at a time", 2};
    return run_prepared(arguments);
  }
  return arguments.prepare.empty() ? run_live(arguments) : run_prepare(arguments);
}

}  // namespace

void add_run(CLI::App &tune, int &status) {
  auto arguments = std::make_shared<RunArguments>();
  RunArguments &a = *arguments;
  Settings &s = a.settings;
  tune.add_option("SPEC", a.job.spec, "Spec file, or a shipped spec's name");
  tune.add_option("--target", a.job.target,
                  "Kernels to tune, such as x86-64-v4 or cuda:sm_90; the device's by default");
  tune.add_option("--device", a.device, "cpu, cuda:0, hip:0, opencl:0 (`alnsmith devices`)");
  tune.add_option("--mode", a.mode, "pairs: the i-th query with the i-th target; all: each with each")
      ->check(CLI::IsMember({"pairs", "all"}))
      ->capture_default_str();
  tune.add_option("--strategy", s.strategy, "exhaustive, random or local")
      ->check(CLI::IsMember({"exhaustive", "random", "local"}))
      ->capture_default_str();
  tune.add_option("--seed", s.seed, "Of the search and of the made sequences")->capture_default_str();
  tune.add_option("--budget", a.budget,
                  "60s, 10min, 2h, or a number of evaluations; by default the spec's, else a quarter of the space, or "
                  "all of it where the search is exhaustive");
  tune.add_option("--out", a.out, "Recording, JSON lines; <spec>-<target>.jsonl by default");
  tune.add_flag("--resume", a.resume, "Go on with a recording that is there");
  tune.add_option("--prepare", a.prepare, "Only generate and compile all candidates, into this folder")
      ->type_name("DIR");
  tune.add_option("--run", a.run, "Measure a prepared folder; needs neither generator nor compiler")->type_name("DIR");
  tune.add_option("--threads", s.threads, "CPU threads, where the space does not list any")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  tune.add_option("--repeats", s.repeats, "Runs of each candidate")->check(CLI::Range(1, 10000))->capture_default_str();
  tune.add_option("--final-repeats", s.final_repeats, "Runs of the winner and of the model's choice in the end")
      ->check(CLI::Range(15, 10000))
      ->capture_default_str();
  tune.add_option("--cells", a.job.cells, "Matrix cells of one run, about; by default what suits the target")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  tune.add_option("--queries", a.job.query_file, "FASTA or FASTQ to measure with, instead of made sequences");
  tune.add_option("--targets", a.job.target_file, "FASTA or FASTQ to measure with, instead of made sequences");
  tune.add_option("--compiler", a.job.compilers,
                  "Compiler to try, a name or a path, in place of those that the spec names; may be repeated")
      ->allow_extra_args(false);
  tune.add_option("--templates", a.templates, "Folder of templates for the generator");
  tune.add_option("--jobs", a.jobs, "Candidates built at a time; 0: as many as there are cores")
      ->check(CLI::Range(0, 1024));
  tune.add_option("--build-timeout", a.build_timeout, "Seconds for generating, and for compiling, one candidate")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
  tune.add_option("--run-timeout", s.timeout, "Seconds for one answer of a candidate")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
  tune.add_flag("--keep", a.keep, "Keep the folder <out>.build when the run is complete");
  tune.add_flag("--calibrate", a.calibrate,
                "Only measure what this core can do, in a second or two, for limits on cores that the model lacks");
  tune.add_flag("--quiet", s.quiet, "No progress");
  tune.require_subcommand(0, 1);
  tune.footer(
      "Every candidate is checked against a textbook DP before it is timed; candidates are timed in turns, in groups\n"
      "with the planner's own choice. A line is recorded for each (docs/tuning.md).\n"
      "Examples:\n"
      "  alnsmith tune dna-global-affine --budget 60s\n"
      "  alnsmith tune my.yaml --target cuda:sm_90 --prepare candidates\n"
      "  alnsmith tune --run candidates --device cuda:0 --out h200.jsonl\n"
      "  alnsmith tune show h200.jsonl\n"
      "  alnsmith tune apply h200.jsonl");
  tune.callback([arguments, &tune, &status] {
    if (!tune.get_subcommands().empty()) return;
    const Status done = run_tune(*arguments);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool::tune
