// See session.h.
#include "tune/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "tune/ranking.h"
#include "tune/statistics.h"
#include "tune/verdict.h"
#include "tune/worker.h"

namespace alnsmith::tool::tune {
namespace {

std::vector<double> totals(const std::vector<Run> &runs) {
  std::vector<double> seconds;
  for (const Run &run : runs) seconds.push_back(run.total());
  return seconds;
}

double gcups_of(std::uint64_t cells, double seconds) {
  return seconds > 0 ? static_cast<double>(cells) / seconds * 1e-9 : 0;
}

}  // namespace

struct Session::Member {
  Configuration configuration;
  bool anchor = false;
  Build build = {};
  Record record = {};
  std::unique_ptr<Worker> worker = {};
  std::vector<std::uint64_t> marks = {};
  std::vector<Run> runs = {};

  bool alive() const { return record.invalidity == Invalidity::correct; }
  void fail(Invalidity how, const std::string &why) {
    record.invalidity = how;
    record.reason = why;
    runs.clear();
    worker.reset();
  }
  void fail(const WorkerError &error) {
    fail(error.timeout ? Invalidity::timeout : Invalidity::runtime, error.message);
  }
};

Session::Session(const Job &job, const Builder &builder, Recorder &recorder, Machine machine, Settings settings)
    : job_(job), builder_(builder), recorder_(recorder), machine_(std::move(machine)), settings_(std::move(settings)) {
  for (const Record &record : recorder_.records()) {
    group_ = std::max<std::size_t>(group_, record.search.group + 1);
    sequence_ = std::max<std::size_t>(sequence_, record.search.sequence + 1);
  }
}

Status Session::check_resumed() const {
  const Record mine = blank({});
  for (const Record &other : recorder_.records()) {
    const auto differs = [&](const char *what, const std::string &theirs, const std::string &own) {
      return Error{fmt::format("{}: holds results of {} {}, this run is of {}; name another file with --out",
                               recorder_.path(), what, theirs, own)};
    };
    if (other.spec_hash != mine.spec_hash)
      return differs("spec", other.spec_name + " " + other.spec_hash.substr(0, 12),
                     mine.spec_name + " " + mine.spec_hash.substr(0, 12));
    if (other.target != mine.target) return differs("target", other.target, mine.target);
    if (other.device != mine.device) return differs("device", other.device, mine.device);
    if (other.mode != mine.mode) return differs("mode", other.mode, mine.mode);
    if (other.work != mine.work)
      return differs("work", fmt::format("{}, seed {}, {} cells", other.work.name, other.work.seed, other.work.cells),
                     fmt::format("{}, seed {}, {} cells", mine.work.name, mine.work.seed, mine.work.cells));
    // Shares of another choice are not shares of this one.
    if (other.search.model && other.configuration != job_.model)
      return differs("the model's choice", configuration_text(other.configuration), configuration_text(job_.model));
    if (other.environment.cpu != mine.environment.cpu || other.environment.device_name != mine.environment.device_name)
      return differs("machine", other.environment.cpu + " " + other.environment.device_name,
                     mine.environment.cpu + " " + mine.environment.device_name);
  }
  return Ok{};
}

void Session::say(const std::string &line) const {
  if (!settings_.quiet) fmt::print(stderr, "alnsmith: {}\n", printable(line, 1000));
}

const Record *Session::known(const Configuration &configuration) const {
  for (const Record &record : recorder_.records())
    if (!is_final(record) && record.configuration == configuration) return &record;
  return nullptr;
}

Record Session::blank(const Configuration &configuration) const {
  Record record;
  record.spec_name = job_.spec.name;
  record.spec_hash = job_.hash;
  record.target = job_.target;
  record.device = machine_.device;
  record.mode = job_.work.all ? "all" : "pairs";
  record.work = job_.work.described();
  record.environment = machine_.environment;
  record.environment.generator = job_.generator;
  record.timestamp = utc_now();
  record.search = {settings_.strategy, settings_.seed, 0, group_, configuration == job_.model};
  record.configuration = configuration;
  record.objectives = {"gcups"};
  return record;
}

// The sample against the reference, and one run to warm up.
void Session::check(Member &member) const {
  WorkerSetup setup{builder_.folder(), member.build.folder, machine_.device,
                    static_cast<int>(number_of(member.configuration, "threads", settings_.threads))};
  const Clock::time_point start = Clock::now();
  member.worker = std::make_unique<Worker>(settings_.program, setup, settings_.timeout);
  Answers answers;
  if (!member.worker->open() || !member.worker->sample(answers)) return member.fail(member.worker->error());
  const std::string wrong = first_difference(job_.expected, answers, job_.work.sample, job_.work.all);
  member.record.times.validation = seconds_since(start);
  if (!wrong.empty()) return member.fail(Invalidity::correctness, "the sample: " + wrong);
  Run warm;
  if (!member.worker->run(warm)) return member.fail(member.worker->error());
  member.marks = warm.marks;
}

// Where candidate and anchor differ on the whole work, the reference decides who is wrong.
void Session::judge(Member &member, Member &anchor) const {
  for (std::size_t i = 0; i < member.marks.size() && i < anchor.marks.size(); ++i) {
    if (member.marks[i] == anchor.marks[i]) continue;
    Answers own, other;
    if (!member.worker->answers(i, own)) return member.fail(member.worker->error());
    if (!anchor.worker->answers(i, other)) return anchor.fail(anchor.worker->error());
    const Batch &batch = job_.work.classes[i];
    for (std::size_t pair = 0; pair < own.pairs(); ++pair) {
      const auto slice = [&](const Answers &all) { return all.of(pair); };
      if (slice(own) == slice(other)) continue;
      const std::size_t columns = batch.targets.size();
      const Batch single{{batch.queries[job_.work.all ? pair / columns : pair]},
                         {batch.targets[job_.work.all ? pair % columns : pair]}};
      const Answers right = expected_answers(job_.spec, job_.scoring, single, false);
      const auto said = [&](const std::string &wrong) { return fmt::format("class {}, pair {}: {}", i, pair, wrong); };
      if (const std::string wrong = first_difference(right, slice(other), single, false); !wrong.empty())
        anchor.fail(Invalidity::correctness, said(wrong));
      if (const std::string wrong = first_difference(right, slice(own), single, false); !wrong.empty())
        member.fail(Invalidity::correctness, said(wrong));
      return;
    }
    return member.fail(Invalidity::correctness, "gives different results from run to run");
  }
}

// How many times faster than the anchor, round by round: what slows a whole round down slows both.
std::vector<double> Session::ratios(const Member &anchor, const Member &member) {
  std::vector<double> list;
  for (std::size_t i = 0; i < std::min(anchor.runs.size(), member.runs.size()); ++i)
    if (const double own = member.runs[i].total(); own > 0) list.push_back(anchor.runs[i].total() / own);
  return list;
}

// Times into numbers.
void Session::complete(Member &member, const Member *anchor) const {
  Record &record = member.record;
  if (!member.alive() || member.runs.empty()) return;
  const std::vector<double> seconds = totals(member.runs);
  const Statistics made = statistics(seconds);
  record.times.runtimes = seconds;
  record.measurements = {{"gcups", gcups_of(record.work.cells, made.median), "GCUPS"},
                         {"time", made.median, "s"},
                         {"spread", made.spread, "1"},
                         {"outliers", static_cast<double>(made.outliers), "1"}};
  if (anchor != nullptr && anchor->alive())
    record.measurements.push_back({"relative", statistics(ratios(*anchor, member)).median, "1"});
  record.lengths = job_.work.class_lengths();
  for (std::size_t i = 0; i < record.lengths.size(); ++i) {
    std::vector<double> own;
    for (const Run &run : member.runs) own.push_back(run.seconds.at(i));
    record.lengths[i].gcups = gcups_of(job_.work.classes[i].cells(job_.work.all), statistics(own).median);
  }
  for (const std::string &kernel : record.kernels) {
    const auto limits = member.build.limits.find(kernel);
    if (limits == member.build.limits.end()) continue;
    auto own = job_.on_cpu() ? limits->second.end() : limits->second.begin();
    for (const std::string &core : machine_.cores)
      if (own == limits->second.end()) own = limits->second.find(core);
    if (own == limits->second.end()) continue;
    const double threads = static_cast<double>(number_of(member.configuration, "threads", settings_.threads));
    const double value = own->second * (job_.on_cpu() ? threads : 1);
    if (!record.limit || value > record.limit->value) record.limit = Limit{value, "GCUPS"};
  }
}

// Builds, checks and times; the anchor, if there is one, is the first. An error only for what ends the whole run.
Status Session::measure(std::vector<Member> &members, std::size_t repeats) {
  std::vector<Configuration> configurations;
  for (const Member &member : members) configurations.push_back(member.configuration);
  const auto builds = builder_.make(configurations);
  if (!builds) return builds.error();
  for (std::size_t i = 0; i < members.size(); ++i) {
    Member &member = members[i];
    member.build = (*builds)[i];
    member.record = blank(member.configuration);
    member.record.environment.compiler = member.build.compiler;
    member.record.times.generation = member.build.generation;
    member.record.times.compilation = member.build.compilation;
    member.record.kernels = member.build.kernels;
    if (member.build.invalidity == Invalidity::correct)
      check(member);
    else
      member.fail(member.build.invalidity, member.build.reason);
    if (interrupted()) return interrupted_error();
  }
  Member *anchor = !members.empty() && members[0].anchor ? &members[0] : nullptr;
  for (Member &member : members)
    if (&member != anchor && anchor != nullptr && anchor->alive() && member.alive()) judge(member, *anchor);
  for (const std::size_t i : interleaved(members.size(), repeats)) {
    Member &member = members[i];
    if (interrupted()) return interrupted_error();
    if (!member.alive()) continue;
    Run run;
    if (!member.worker->run(run)) {
      if (interrupted()) return interrupted_error();
      member.fail(member.worker->error());
    } else if (run.marks != member.marks) {
      member.fail(Invalidity::correctness, "gives different results from run to run");
    } else {
      member.record.kernels = run.kernels;
      member.runs.push_back(std::move(run));
    }
  }
  for (Member &member : members) complete(member, anchor);
  for (Member &member : members) member.worker.reset();
  return Ok{};
}

Result<std::vector<Outcome>> Session::evaluate(std::span<const std::size_t> batch) {
  std::vector<Member> members;
  members.push_back({.configuration = job_.model, .anchor = true});
  std::vector<Record> ruled_out;
  for (const std::size_t index : batch) {
    const Configuration configuration = job_.space.at(index);
    if (known(configuration) != nullptr) continue;
    if (const std::string why = job_.space.violated(configuration); !why.empty()) {
      Record record = blank(configuration);
      record.invalidity = Invalidity::constraints;
      record.reason = why;
      ruled_out.push_back(std::move(record));
    } else if (configuration != job_.model) {
      members.push_back({.configuration = configuration});
    }
  }
  const bool first = known(job_.model) == nullptr;
  std::vector<Record> lines = std::move(ruled_out);
  if (first || members.size() > 1) {
    if (auto ok = measure(members, settings_.repeats); !ok) return ok.error();
    const bool anchored = members[0].alive();
    if (!anchored) say("the model's own choice fails: " + members[0].record.reason);
    for (Member &member : members)
      if (!member.anchor || first) lines.push_back(std::move(member.record));
  }
  for (Record &record : lines) record.search.sequence = sequence_++;
  if (!lines.empty()) {
    if (auto ok = recorder_.append(lines); !ok) return ok.error();
    ++group_;
    const Record *best = best_of(recorder_.records());
    const std::size_t all = job_.space.size() + (job_.space.index_of(job_.model) ? 0 : 1);
    std::size_t done = 0;
    for (const Record &record : recorder_.records()) done += !is_final(record);
    // As candidates are compared, so that it never falls; GCUPS go up and down with the machine.
    const auto speed = [&] {
      const auto relative = best->measurement("relative");
      return relative ? fmt::format("{:.3f} times the model's choice", *relative)
                      : fmt::format("{:.2f} GCUPS", best->measurement("gcups").value_or(0));
    };
    say(best == nullptr ? fmt::format("{} of {} done, none correct", done, all)
                        : fmt::format("{} of {} done, best so far {}: {}", done, all, speed(),
                                      configuration_text(best->configuration)));
  }
  const Ranking ranking(recorder_.records());
  std::vector<Outcome> outcomes;
  for (const std::size_t index : batch) {
    const Record *record = known(job_.space.at(index));
    outcomes.push_back(
        {record ? ranking.score(*record) : std::nullopt, record && record->invalidity != Invalidity::constraints});
  }
  return outcomes;
}

Status Session::compare_best() {
  // What a table can hold: the same compiler and threads as the model's choice.
  const Ranking ranking(recorder_.records());
  const Record *best = nullptr;
  bool fresh = false;
  for (const Record &record : recorder_.records()) {
    fresh = !is_final(record) || is_noisy(record);
    const auto score = ranking.score(record);
    if (is_final(record) || !score) continue;
    const auto same = [&](const char *name) {
      return word_of(record.configuration, name, "") == word_of(job_.model, name, "");
    };
    // A recording may hold what another space had; nothing that only it names is built.
    if (!job_.space.index_of(record.configuration) && record.configuration != job_.model) continue;
    if (same("compiler") && same("threads") && (best == nullptr || *score > *ranking.score(*best))) best = &record;
  }
  const Record *model = model_of(recorder_.records());
  if (!fresh || best == nullptr || model == nullptr || !ranking.score(*model) || best->search.model) return Ok{};
  const Configuration chosen = best->configuration;
  const Record *before = final_of(recorder_.records());  // counts where it is quieter than what is compared now
  if (before != nullptr && (before->configuration != chosen || before->invalidity != Invalidity::correct))
    before = nullptr;
  const auto compared =
      settled([&] { return compare(chosen); },
              [&](const Record &) {
                say(fmt::format("spread above {:.0f} %, so this says little: compared again", 100 * kNoise));
              },
              before);
  if (!compared) return compared.error();
  if (!*compared) {
    say("the recording's own comparison was quieter and stays");
    return Ok{};
  }
  return recorder_.append({**compared});
}

// One final line: the configuration and the model's choice in turns.
Result<Record> Session::compare(const Configuration &configuration) {
  std::vector<Member> members;
  members.push_back({.configuration = job_.model, .anchor = true});
  members.push_back({.configuration = configuration});
  if (auto ok = measure(members, settings_.final_repeats); !ok) return ok.error();
  Member &anchor = members[0], &winner = members[1];
  winner.record.search.strategy = final_strategy;
  winner.record.search.sequence = sequence_++;
  if (anchor.alive() && winner.alive()) {
    const Statistics gain = statistics(ratios(anchor, winner));
    winner.record.measurements.push_back({"model_gcups", anchor.record.measurement("gcups").value_or(0), "GCUPS"});
    winner.record.measurements.push_back({"gain", gain.median, "1"});
    winner.record.measurements.push_back({"gain_spread", gain.spread * gain.median, "1"});
    say(fmt::format("final: in turns, {} against the model's choice: {:+.1f} %, spread {:.1f} %",
                    configuration_text(winner.configuration), 100 * (gain.median - 1),
                    100 * gain.spread * gain.median));
  }
  ++group_;
  return winner.record;
}

}  // namespace alnsmith::tool::tune
