// Speed on the device: sequences stay there, kernels run several times; beside it the library's own call, from letters
// to scores.
//
// Each kernel that could do the job is timed where the bench sweeps, and the one that the runtime would choose is
// marked. What a kernel scores is compared with the scores of the CPU as far as the folder holds them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "models/loop_bound.h"
#include "session.h"

namespace alnsmith::check {
namespace {

// Everything that is timed for one kernel, or for the kernels that the runtime would choose.
struct Sum {
  double cells = 0, model_seconds = 0;
  std::vector<double> seconds;  // by repeat, over all launches
  double upload = 0, download = 0, end_to_end = 0;
  std::size_t alignments = 0, flagged = 0, compared = 0, wrong = 0;
  std::string first_wrong, limit;
  int blocks = 0;
};

struct Part {  // of a bench: one launch of each repeat
  std::vector<int> query, target;
  std::size_t longest_query = 0, longest_target = 0;
};

// `together`: queries that a launch shares; 0: each alignment has its own.
std::vector<Part> parts_of(const SequenceSet &set, int together) {
  const auto by_length = [](const SequenceList &list) {
    std::vector<int> order(list.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int a, int b) {
      return list.length(static_cast<std::size_t>(a)) > list.length(static_cast<std::size_t>(b));
    });
    return order;
  };
  std::vector<Part> parts;
  const auto add = [&](Part &part, int q, int t) {
    part.query.push_back(q);
    part.target.push_back(t);
    part.longest_query = std::max(part.longest_query, set.queries.length(static_cast<std::size_t>(q)));
    part.longest_target = std::max(part.longest_target, set.targets.length(static_cast<std::size_t>(t)));
  };
  if (together == 0) {
    Part part;
    for (const int i : by_length(set.targets)) add(part, i, i);
    parts.push_back(std::move(part));
    return parts;
  }
  const std::vector<int> queries = by_length(set.queries), targets = by_length(set.targets);
  for (std::size_t first = 0; first < queries.size(); first += static_cast<std::size_t>(together)) {
    Part part;
    for (const int t : targets)
      for (int h = 0; h < together; ++h)
        add(part, queries[std::min(first + static_cast<std::size_t>(h), queries.size() - 1)], t);
    parts.push_back(std::move(part));
  }
  return parts;
}

void compare(const SpecKernels &spec, const BenchEntry &bench, const Expected &expected, const Part &part,
             const JobResults &got, Sum &sum) {
  for (std::size_t i = 0; i < part.query.size(); ++i) {
    sum.flagged += got.status[i] != 0;
    const auto q = static_cast<std::size_t>(part.query[i]), t = static_cast<std::size_t>(part.target[i]);
    const bool rows = bench.form != name_of(Form::pairwise);
    if (rows ? q >= bench.expected.rows || t >= bench.expected.columns : q >= bench.expected.pairs) continue;
    if (got.status[i] != 0) continue;
    ++sum.compared;
    const int want =
        rows ? expected.rows[Output::score][q * bench.expected.columns + t] : expected.pairs[Output::score][q];
    const int score = spec.manifest.minimize ? -got.scores[Output::score][i] : got.scores[Output::score][i];
    if (score == want) continue;
    if (sum.wrong++ == 0)
      sum.first_wrong = fmt::format("query {} against target {}: score {}, not {}", q, t, score, want);
  }
}

class Bench {
 public:
  Bench(Session &session, const BenchEntry &bench, const SpecKernels &spec, const SequenceSet &set,
        const Expected &expected)
      : session_(session),
        bench_(bench),
        spec_(spec),
        set_(set),
        expected_(expected),
        pipes_(measured_pipes(session.report().at("pipes"))) {}

  Status run() {
    double upload = 0;
    auto queries = Side::upload(session_.executor(), session_.queue(), set_.queries, spec_.manifest,
                                spec_.manifest.query_codes, upload);
    if (!queries) return queries.error();
    auto targets = Side::upload(session_.executor(), session_.queue(), set_.targets, spec_.manifest,
                                spec_.manifest.target_codes, upload);
    if (!targets) return targets.error();
    // Those of the narrowest level, bit-sliced ones before them.
    std::vector<const internal::KernelInfo *> kernels;
    std::optional<int> level;
    for (const internal::KernelInfo &kernel : spec_.manifest.kernels) {
      if (bench_.form != name_of(kernel.form) || !session_.possible(kernel) ||
          !kernel.usable.holds(spec_.scoring.values()))
        continue;
      if (!kernel.sliced() && !level) level = kernel.level;
      if (kernel.sliced() || kernel.level == level) kernels.push_back(&kernel);
    }
    if (kernels.empty()) return Error{"no kernel of form " + bench_.form + " fits the device"};
    const std::vector<Part> parts = parts_of(set_, kernels.front()->queries());
    Sum chosen;
    chosen.upload = upload;
    std::vector<Sum> sums(kernels.size());
    const internal::KernelInfo *only = nullptr;
    bool several = false;
    for (const Part &part : parts) {
      const std::size_t best = suited(kernels, part);
      several = several || (only && only != kernels[best]);
      only = kernels[best];
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        if (k != best && (!bench_.sweep || too_few(*kernels[k], part))) continue;
        Sum sum;
        if (auto ok = time(*kernels[k], *queries, *targets, part, sum); !ok) return ok;
        add(sums[k], sum);
        if (k == best) add(chosen, sum);
      }
    }
    // Behind the others stands what the runtime would have chosen, launch by launch.
    for (std::size_t k = 0; k < kernels.size(); ++k)
      if (bench_.sweep && sums[k].cells > 0 && (several || kernels[k] != only)) note(kernels[k], sums[k], false);
    end_to_end(chosen);
    note(several ? nullptr : only, chosen, true);
    return Ok{};
  }

 private:
  std::size_t suited(const std::vector<const internal::KernelInfo *> &kernels, const Part &part) const {
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (suits(*kernels[i], part) && (!kernels[i]->sliced() || fills(*kernels[i], part))) return i;
    return kernels.size() - 1;
  }
  bool suits(const internal::KernelInfo &kernel, const Part &part) const {
    return kernel.device.suits.holds(values_of(spec_.scoring, part.longest_query, part.longest_target));
  }
  bool fills(const internal::KernelInfo &kernel, const Part &part) const {
    return internal::fills(kernel, session_.executor().info().processors, static_cast<double>(part.query.size()));
  }
  // Not one warp of a bit-sliced kernel has work for all of its lanes, or a warp would take minutes.
  bool too_few(const internal::KernelInfo &kernel, const Part &part) const {
    return kernel.sliced() &&
           (!suits(kernel, part) || part.query.size() < static_cast<std::size_t>(kernel.device.alignments()));
  }

  Status time(const internal::KernelInfo &kernel, const Side &queries, const Side &targets, const Part &part,
              Sum &sum) {
    session_.step("bench " + bench_.name + " with " + kernel.entry, 60);
    auto job = Job::make(session_.executor(), session_.queue(), spec_.binary, spec_.manifest, kernel, spec_.scoring,
                         queries, targets, part.query, part.target);
    if (!job) return job.error();
    sum.cells = (*job)->cells();
    sum.alignments = part.query.size();
    sum.blocks = (*job)->blocks();
    auto first = (*job)->run();  // warms up; its results are compared
    if (!first) return first.error();
    const auto got = (*job)->fetch(sum.download);
    if (!got) return got.error();
    compare(spec_, bench_, expected_, part, *got, sum);
    const int repeats = session_.index().fake ? 1 : *first > 1 ? 3 : 5;
    for (int i = 0; i < repeats; ++i) {
      const auto seconds = (*job)->run();
      if (!seconds) return seconds.error();
      sum.seconds.push_back(*seconds);
    }
    session_.step("", 0);
    if (const auto loop = spec_.entry->loops.find(kernel.entry);
        loop != spec_.entry->loops.end() && pipes_.clock_hz > 0) {
      const models::Bound limit = models::bound(loop->second, pipes_.rates);
      sum.limit = limit.limit;
      const double rate = models::cells_per_second(limit, loop->second, kernel.k, kernel.device.packing,
                                                   session_.executor().info().processors, pipes_.clock_hz);
      if (rate > 0) sum.model_seconds = sum.cells / rate;
    }
    return Ok{};
  }

  // Letters on the host to scores on the host, by the library's own call: packing, transfers and launches overlap as
  // they do for users. The first call loads kernels and is not counted.
  void end_to_end(Sum &sum) {
    Sources sources;
    sources.kernel_dirs = {session_.folder() + "/kernels"};
    sources.only_kernel_dirs = true;
    Options options;
    options.devices = {session_.executor().info().id};
    options.scoring.values = {spec_.entry->values.begin(), spec_.entry->values.end()};
    options.scoring.matrix = spec_.entry->matrix;
    session_.step("bench " + bench_.name + " with the library's call", 90);
    const auto fail = [&](const std::string &what) {
      session_.step("", 0);
      session_.report().failure("bench " + bench_.name + ", end to end: " + what);
    };
    auto aligner = Aligner::open({"", bench_.spec, spec_.entry->hash}, sources, options);
    if (!aligner) return fail(aligner.error().message);
    const bool rows = bench_.form != name_of(Form::pairwise);
    const auto queries = set_.queries.views(0, set_.queries.size()),
               targets = set_.targets.views(0, set_.targets.size());
    std::vector<std::int32_t> scores(rows ? queries.size() * targets.size() : targets.size());
    std::vector<double> seconds;
    const int calls = session_.index().fake ? 1 : 3;  // of several the first one warms up
    for (int i = 0; i < calls; ++i) {
      const auto begin = Clock::now();
      const auto ran = rows ? aligner->align_all(queries, targets, scores, options)
                            : aligner->align_pairs(queries, targets, scores, options);
      if (!ran) return fail(ran.error().message);
      if (!ran->warnings.empty()) return fail(ran->warnings.front());
      if (i > 0 || calls == 1) seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    session_.step("", 0);
    for (std::size_t q = 0; rows && q < bench_.expected.rows; ++q)
      for (std::size_t t = 0; t < bench_.expected.columns; ++t)
        if (scores[q * targets.size() + t] != expected_.rows[Output::score][q * bench_.expected.columns + t])
          return fail(fmt::format("wrong score of query {} against target {}", q, t));
    for (std::size_t i = 0; !rows && i < bench_.expected.pairs; ++i)
      if (scores[i] != expected_.pairs[Output::score][i]) return fail(fmt::format("wrong score of pair {}", i));
    sum.end_to_end = times_of(seconds).median;
  }

  // Launches one behind the other: the i-th repeats are one pass over all.
  static void add(Sum &to, const Sum &from) {
    if (to.seconds.empty()) to.seconds.assign(from.seconds.size(), 0);
    to.seconds.resize(std::min(to.seconds.size(), from.seconds.size()));
    for (std::size_t i = 0; i < to.seconds.size(); ++i) to.seconds[i] += from.seconds[i];
    to.cells += from.cells;
    to.model_seconds += from.model_seconds;
    to.download += from.download;
    to.alignments += from.alignments;
    to.flagged += from.flagged;
    to.compared += from.compared;
    if (to.wrong == 0) to.first_wrong = from.first_wrong;
    to.wrong += from.wrong;
    to.limit = from.limit;
    to.blocks = from.blocks;
  }

  void note(const internal::KernelInfo *kernel, const Sum &sum, bool chosen) {
    const Times times = times_of(sum.seconds);
    Json entry = {{"name", bench_.name}, {"spec", bench_.spec}, {"form", bench_.form}, {"set", bench_.set}};
    entry["kernel"] = kernel ? kernel->entry : "by length of query";
    entry["chosen"] = chosen;
    entry["mapping"] = kernel ? kernel->mapping : "by length";
    const internal::KernelInfo &any = kernel ? *kernel : spec_.manifest.kernels.front();
    entry["arithmetic"] = any.arithmetic;
    entry["p"] = kernel ? kernel->device.p : 0;
    entry["k"] = kernel ? kernel->k : 0;
    entry["blocks"] = sum.blocks;
    entry["alignments"] = sum.alignments;
    entry["cells"] = sum.cells;
    entry["seconds"] = json_of(times);
    entry["tcups"] = sum.cells / times.median * 1e-12;
    entry["tcups_least"] = sum.cells / times.most * 1e-12;
    entry["tcups_most"] = sum.cells / times.least * 1e-12;
    entry["flagged"] = sum.flagged;
    entry["compared"] = sum.compared;
    entry["wrong"] = sum.wrong;
    if (chosen) {
      entry["upload_seconds"] = sum.upload;
      entry["download_seconds"] = sum.download;
      if (sum.end_to_end > 0) entry["end_to_end_tcups"] = sum.cells / sum.end_to_end * 1e-12;
    }
    if (sum.model_seconds > 0) {
      entry["model_tcups"] = sum.cells / sum.model_seconds * 1e-12;
      entry["efficiency"] = sum.model_seconds / times.median;
      entry["limit"] = sum.limit;
    }
    if (chosen) judge(entry);
    entry["status"] = sum.wrong > 0 ? "wrong" : "ok";
    if (sum.wrong > 0) {
      entry["message"] = fmt::format("{} of {} wrong: {}", sum.wrong, sum.compared, sum.first_wrong);
      session_.report().failure("bench " + bench_.name + ", " + entry["kernel"].get<std::string>() + ": " +
                                entry["message"].get<std::string>());
    }
    session_.report().add("benches", entry);
  }

  void judge(Json &entry) const {
    double goal = bench_.goal;
    if (!bench_.relative.empty())
      if (const Json *other = session_.report().find("benches", {{"name", bench_.relative}, {"chosen", true}}))
        goal = (*other)["tcups"].get<double>() * bench_.least;
    if (goal <= 0) return;
    entry["goal"] = goal;
    const double tcups = entry["tcups"];
    entry["verdict"] = tcups < goal                                    ? "below"
                       : bench_.stretch > 0 && tcups >= bench_.stretch ? "above the stretch goal"
                                                                       : "met";
  }

  Session &session_;
  const BenchEntry &bench_;
  const SpecKernels &spec_;
  const SequenceSet &set_;
  const Expected &expected_;
  MeasuredPipes pipes_;
};

}  // namespace

Status run_benches(Session &session) {
  RunReport &report = session.report();
  for (const BenchEntry &bench : session.index().benches) {
    if (report.find("benches", {{"name", bench.name}})) continue;
    if (session.seconds() > session.limit() * 0.9) {
      report.add("skipped", "bench " + bench.name + ": the time was over");
      continue;
    }
    const auto run = [&]() -> Status {
      const auto spec = session.kernels(bench.spec);
      if (!spec) return spec.error();
      const auto set = session.set(bench.set);
      if (!set) return set.error();
      const auto expected = read_expected(session.folder(), session.index(), bench.expected);
      if (!expected) return expected.error();
      return Bench(session, bench, **spec, **set, *expected).run();
    };
    const Status status = run();
    session.step("", 0);
    if (!status) {
      report.add("benches", {{"name", bench.name}, {"status", "failed"}, {"message", status.error().message}});
      report.failure("bench " + bench.name + ": " + status.error().message);
    }
    if (auto ok = report.save(); !ok) return ok;
    if (!status && session.executor().failure() == internal::Failure::lost) return status;
  }
  return report.save();
}

}  // namespace alnsmith::check
