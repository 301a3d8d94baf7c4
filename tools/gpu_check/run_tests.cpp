// The test matrix on the device: every kernel of every spec over its pairs, against the scores that the CPU computed.
#include <fmt/format.h>

#include "session.h"

namespace alnsmith::check {
namespace {

struct TestCounts {
  std::size_t compared = 0, flagged = 0, wrong = 0, ways = 0;  // how the way back was kept
  std::string first;                                           // what was wrong first
};

// One launch: which alignments, and where their expected results are.
struct Launch {
  std::vector<int> query, target;
  const Scores *expected = nullptr;
  std::vector<std::size_t> place;  // in `expected`, by alignment
};

std::vector<Launch> launches(const internal::KernelInfo &kernel, const SequenceSet &set, const TestEntry &test,
                             const Expected &expected) {
  std::vector<Launch> list;
  if (kernel.form == Form::pairwise) {
    Launch launch;
    launch.expected = &expected.pairs;
    for (std::size_t i = 0; i < test.expected.pairs; ++i) {
      launch.query.push_back(static_cast<int>(i));
      launch.target.push_back(static_cast<int>(i));
      launch.place.push_back(i);
    }
    if (!launch.query.empty()) list.push_back(std::move(launch));
    return list;
  }
  const std::size_t together = static_cast<std::size_t>(kernel.queries());
  const std::size_t columns = std::min<std::size_t>(test.expected.columns, set.targets.size());
  for (std::size_t first = 0; first + together <= test.expected.rows; first += together) {
    Launch launch;
    launch.expected = &expected.rows;
    for (std::size_t t = 0; t < columns; ++t)
      for (std::size_t h = 0; h < together; ++h) {
        launch.query.push_back(static_cast<int>(first + h));
        launch.target.push_back(static_cast<int>(t));
        launch.place.push_back((first + h) * columns + t);
      }
    list.push_back(std::move(launch));
  }
  return list;
}

std::uint64_t longest_query(const SequenceSet &set, const Launch &launch) {
  std::uint64_t longest = 0;
  for (const int q : launch.query)
    longest = std::max<std::uint64_t>(longest, set.queries.length(static_cast<std::size_t>(q)));
  return longest;
}

void compare(const internal::Manifest &manifest, const internal::KernelInfo &kernel,
             const internal::CallScoring &scoring, const SequenceSet &set, const Launch &launch, const JobResults &got,
             TestCounts &counts) {
  for (std::size_t i = 0; i < launch.place.size(); ++i) {
    const auto q = static_cast<std::size_t>(launch.query[i]), t = static_cast<std::size_t>(launch.target[i]);
    const bool exact = kernel.exact.holds(values_of(scoring, set.queries.length(q), set.targets.length(t)));
    const auto wrong = [&](const std::string &what) {
      if (counts.wrong++ == 0) counts.first = fmt::format("query {} against target {}: {}", q, t, what);
    };
    if (got.status[i] != 0) {
      ++counts.flagged;
      if (exact || got.status[i] != 1) wrong(fmt::format("status {} where the range holds", got.status[i]));
      continue;
    }
    if (!exact && !kernel.checked) continue;  // the runtime would not ask this kernel
    ++counts.compared;
    const std::size_t place = launch.place[i];
    for (std::size_t output = 0; output < got.scores.values.size(); ++output) {
      const OutputInfo &info = info_of(static_cast<Output>(output));
      const auto &own = got.scores[info.output], &right = (*launch.expected)[info.output];
      if (own.empty() || right.empty()) continue;
      const int value = info.output == Output::score && manifest.minimize ? -own[i] : own[i];
      if (value == right[place]) continue;
      wrong(fmt::format("{} {}, not {}", info.name, value, right[place]));
      break;
    }
  }
}

Status test_kernel(Session &session, const SpecKernels &spec, const internal::KernelInfo &kernel, const TestEntry &test,
                   const SequenceSet &set, const Expected &expected, TestCounts &counts) {
  double ignored = 0;
  auto queries =
      Side::upload(session.executor(), session.queue(), set.queries, spec.manifest, spec.manifest.query_codes, ignored);
  if (!queries) return queries.error();
  auto targets = Side::upload(session.executor(), session.queue(), set.targets, spec.manifest,
                              spec.manifest.target_codes, ignored);
  if (!targets) return targets.error();
  const std::vector<Launch> all = launches(kernel, set, test, expected);
  for (const internal::WayKept kept : internal::kWaysKept) {
    bool tried = false;
    for (const Launch &launch : all) {
      if (!internal::keeps(kernel, kept, longest_query(set, launch))) continue;
      tried = true;
      auto job = Job::make(session.executor(), session.queue(), spec.binary, spec.manifest, kernel, spec.scoring,
                           *queries, *targets, launch.query, launch.target, kept);
      if (!job) return job.error();
      if (const auto ran = (*job)->run(); !ran) return ran.error();
      const auto got = (*job)->fetch(ignored);
      if (!got) return got.error();
      compare(spec.manifest, kernel, spec.scoring, set, launch, *got, counts);
    }
    counts.ways += tried;
  }
  return Ok{};
}

}  // namespace

Status run_tests(Session &session) {
  RunReport &report = session.report();
  const double most = session.limit() / 2;
  std::size_t left = 0;
  for (const TestEntry &test : session.index().tests) {
    const auto spec = session.kernels(test.spec);
    if (!spec) {
      if (!report.find("tests", {{"spec", test.spec}})) {
        report.add("tests",
                   {{"spec", test.spec}, {"kernel", ""}, {"status", "failed"}, {"message", spec.error().message}});
        report.failure(spec.error().message);
      }
      continue;
    }
    const auto set = session.set(test.set);
    if (!set) return set.error();
    const auto expected = read_expected(session.folder(), session.index(), test.expected);
    if (!expected) return expected.error();
    for (const internal::KernelInfo &kernel : (*spec)->manifest.kernels) {
      if (report.find("tests", {{"spec", test.spec}, {"kernel", kernel.entry}})) continue;
      if (session.seconds() > most) {
        ++left;
        continue;
      }
      if (!session.possible(kernel) || !kernel.usable.holds((*spec)->scoring.values())) continue;
      TestCounts counts;
      session.step("test of " + kernel.entry, 40);
      const auto status = test_kernel(session, **spec, kernel, test, **set, *expected, counts);
      session.step("", 0);
      Json entry = {{"spec", test.spec},         {"kernel", kernel.entry}, {"compared", counts.compared},
                    {"flagged", counts.flagged}, {"wrong", counts.wrong},  {"ways", counts.ways}};
      entry["status"] = !status ? "failed" : counts.wrong > 0 ? "wrong" : "ok";
      const std::string message = !status            ? status.error().message
                                  : counts.wrong > 0 ? fmt::format("{} of {} wrong: {}", counts.wrong,
                                                                   counts.compared + counts.flagged, counts.first)
                                                     : "";
      if (!message.empty()) {
        entry["message"] = message;
        report.failure(kernel.entry + ": " + message);
      }
      report.add("tests", entry);
      if (!status) {
        if (auto ok = report.save(); !ok) return ok;
        if (session.executor().failure() == internal::Failure::lost) return status;
      }
    }
    if (auto ok = report.save(); !ok) return ok;
  }
  if (left > 0) report.add("skipped", fmt::format("{} kernels' tests: half of the time was over", left));
  return report.save();
}

}  // namespace alnsmith::check
