// A core that runs a target's vectors as halves takes the strips of a narrower target: which, and that all pairs score,
// end and align as they do without. Any CPU with two targets of x86-64 can play such a core.
#include "sources/strips_beside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "align/dense_sink.h"
#include "mutated.h"
#include "run_call.h"
#include "scratch.h"
#include "sources/cpu_kernels.h"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace {

using namespace alnsmith;
using rt::sources::CpuKernels;

Isa isa(std::string_view name) { return *parse_isa(name); }

TEST(StripsBeside, AreOfTheTargetWhoseVectorsRunAsOne) {
  if (targets::host_machine() != "x86_64") GTEST_SKIP() << "targets of another machine";
  using rt::sources::strips_target;
  EXPECT_EQ(strips_target(isa("x86-64-v4"), 32), isa("x86-64-v3"));
  EXPECT_EQ(strips_target(isa("x86-64-v4"), 64), std::nullopt);
  EXPECT_EQ(strips_target(isa("x86-64-v4"), 0), std::nullopt);  // a core that is not known
  EXPECT_EQ(strips_target(isa("x86-64-v3"), 32), std::nullopt);
  EXPECT_EQ(strips_target(isa("scalar"), 32), std::nullopt);
}

TEST(StripsBeside, AreAskedForByTheTableOfCores) {
  EXPECT_EQ(targets::vector_of_core("znver4"), 32);
  EXPECT_EQ(targets::vector_of_core("znver5"), 64);
  EXPECT_EQ(targets::vector_of_core("no core"), 0);
}

struct Found {
  std::vector<std::int32_t> score, query_end, target_end;
  Cigars cigars;
  Report report;

  std::vector<CigarRun> runs() const {
    std::vector<CigarRun> all;
    for (std::size_t i = 0; i < cigars.size(); ++i) all.insert(all.end(), cigars[i].begin(), cigars[i].end());
    return all;
  }
};

bool is_strip(const rt::kernels::KernelInfo &kernel) {
  return kernel.form == Form::split && kernel.mapping == "strips" && !kernel.sliced();
}
// Of a target, whose name is the end of an entry.
bool ends(const std::string &entry, std::string target) {
  std::ranges::replace(target, '-', '_');
  return entry.ends_with(target);
}

class JoinedStrips : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    const auto best = best_isa();
    ASSERT_TRUE(best) << best.error().message;
    widest_ = *best;
    half_ = rt::row_of(widest_)->bytes / 2;
    if (!rt::sources::strips_target(widest_, half_)) GTEST_SKIP() << "no target has vectors half as wide";
    sources_.generator = ALNSMITH_GENERATOR_PROGRAM;
    sources_.cache_dir = scratch::kernel_cache();
  }

  std::unique_ptr<CpuKernels> open(const std::string &keys, int vector) {
    const std::string path = folder_.write("spec.yaml", "version: 1\nname: halves\n" + keys);
    const auto spec = spec::parse_file(path);
    if (!spec) throw std::runtime_error(spec.error().message);
    auto found = rt::sources::find_cpu_kernels({path, spec->name, spec::hash(*spec)}, sources_, widest_, {}, vector);
    if (!found) throw std::runtime_error(found.error().message);
    return *std::move(found);
  }

  // All kernels are where they belong, by form and by level: of form `split` one for each width, bit-sliced ones first.
  // Returns how many strips there are.
  int expect_strips_of_halves(const rt::kernels::Manifest &manifest) const {
    int strips = 0;
    const rt::kernels::KernelInfo *before = nullptr;
    for (const rt::kernels::KernelInfo &kernel : manifest.kernels) {
      EXPECT_TRUE(ends(kernel.entry, ending(is_strip(kernel)))) << kernel.entry;
      if (before && before->form == kernel.form) {
        if (kernel.form == Form::split)
          EXPECT_EQ(kernel.level, before->level + (kernel.width != before->width)) << kernel.entry;
        else
          EXPECT_GE(kernel.level, before->level) << kernel.entry;
      } else if (before) {
        EXPECT_GT(kernel.form, before->form) << kernel.entry;
      }
      before = &kernel;
      strips += is_strip(kernel);
    }
    EXPECT_GT(strips, 0);
    return strips;
  }

  std::string ending(bool of_halves) const {
    const auto target = of_halves ? *rt::sources::strips_target(widest_, half_) : widest_;
    return "_" + std::string(rt::row_of(target)->name);
  }

  scratch::Folder folder_;
  Sources sources_;
  Isa widest_;
  int half_ = 0;
};

Found aligned(CpuKernels &source, const std::vector<std::string> &queries, const std::vector<std::string> &targets,
              int threads, bool whole = true) {
  const std::vector<std::string_view> q(queries.begin(), queries.end()), t(targets.begin(), targets.end());
  Found found{std::vector<std::int32_t>(q.size()),
              std::vector<std::int32_t>(q.size()),
              std::vector<std::int32_t>(q.size()),
              {},
              {}};
  Columns columns{{Output::score, found.score}};
  if (whole) {
    columns.set(Output::query_end, found.query_end);
    columns.set(Output::target_end, found.target_end);
    columns.set(found.cigars);
  }
  rt::align::DenseSink sink(columns);
  Options options;
  options.threads = threads;
  auto report = rt::run_call(source, {}, rt::schedule::DeviceSet{}, {q, t, false}, sink, options, nullptr);
  EXPECT_TRUE(report) << report.error().message;
  if (report) found.report = *std::move(report);
  return found;
}

TEST_F(JoinedStrips, StandInPlaceOfTheWideOnesAndAlignAlike) {
  std::mt19937 random(20261127);
  std::vector<std::string> queries, targets;
  const auto letters = [&](std::size_t n) {
    std::string text;
    while (text.size() < n) text += "ACGT"[random() % 4];
    return text;
  };
  for (const std::size_t length : {1u, 31u, 150u, 257u, 600u, 1025u, 2600u}) {
    queries.push_back(letters(length));
    targets.push_back(mutated(random, "ACGT", queries.back(), 20));
    queries.push_back(letters(length));
    targets.push_back(letters(length / 2 + 1));
  }
  for (const std::string keys :
       {"alphabet: dna5\nalignment: global\ngap: {model: affine, open: 2, extend: 1}\nscore: {match: 2, mismatch: "
        "-1}\n",
        "alphabet: dna5\nalignment: local\ngap: {model: affine, open: 5, extend: 2}\nscore: {match: 2, mismatch: -3}\n",
        "alphabet: dna5\nalignment: semiglobal\ngap: {model: linear, extend: 1}\nscore: {match: 1, mismatch: -1}\n"}) {
    SCOPED_TRACE(keys);
    auto wide = open(keys + "output: [score, end, begin, cigar]\n", 0),
         both = open(keys + "output: [score, end, begin, cigar]\n", half_);
    const int strips = expect_strips_of_halves(both->manifest());
    EXPECT_EQ(both->manifest().target, widest_);
    // Two at a time, so that long ones go alone.
    for (std::size_t i = 0; i < queries.size(); i += 2) {
      const std::vector<std::string> q(queries.begin() + static_cast<std::ptrdiff_t>(i),
                                       queries.begin() + static_cast<std::ptrdiff_t>(i) + 2),
          t(targets.begin() + static_cast<std::ptrdiff_t>(i), targets.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      const Found a = aligned(*wide, q, t, 1), b = aligned(*both, q, t, 2);
      EXPECT_EQ(a.score, b.score);
      EXPECT_EQ(a.query_end, b.query_end);
      EXPECT_EQ(a.target_end, b.target_end);
      EXPECT_EQ(a.runs(), b.runs());
      if (q[0].size() < 600) continue;  // shorter ones may share a vector
      for (const Found *found : {&a, &b})
        EXPECT_TRUE(std::ranges::any_of(found->report.kernels, [&](const std::string &entry) {
          return entry.find("_split_i") != std::string::npos && ends(entry, ending(found == &b));
        })) << q[0].size();
    }
    // Where kernels came from is said of those that are in it.
    int told = 0;
    for (const std::string &line : both->provenance()) {
      const std::string entry = line.substr(0, line.find(':'));
      if (entry.find("_split_i") == std::string::npos) continue;
      EXPECT_TRUE(ends(entry, ending(true))) << line;
      ++told;
    }
    EXPECT_EQ(told, strips);
  }
}

constexpr const char *kScores =
    "alphabet: dna5\nalignment: global\ngap: {model: linear, extend: 1}\nscore: {match: 1, mismatch: -1}\n";

TEST_F(JoinedStrips, LieBehindBitSlicedOnes) {
  const auto both = open(kScores, half_);
  expect_strips_of_halves(both->manifest());
  EXPECT_TRUE(std::ranges::any_of(both->manifest().kernels, [](const rt::kernels::KernelInfo &kernel) {
    return kernel.form == Form::split && kernel.sliced();
  }));
}

// As a compute node finds what ran on the login node: no generator, and in the cache what was needed alone.
TEST_F(JoinedStrips, AreFoundInTheCacheWhereNothingCanBeGenerated) {
  sources_.cache_dir = folder_.path("cache");
  const std::string line(700, 'A'), other(690, 'A');
  const auto made = open(kScores, half_);
  aligned(*made, {line}, {other}, 1, false);
  const std::vector<std::string> many(40, "ACGTACGTAC");
  aligned(*made, many, many, 1, false);
  std::vector<int> all;
  for (std::size_t i = 0; i < made->manifest().kernels.size(); ++i) all.push_back(static_cast<int>(i));
  sources_.generator.clear();
  const auto runs_strip = [&](CpuKernels &source) {
    const Found found = aligned(source, {line}, {other}, 1, false);
    return std::ranges::any_of(found.report.kernels, [&](const std::string &entry) {
      return entry.find("_split_i") != std::string::npos && ends(entry, ending(true));
    });
  };
  const auto part = open(kScores, half_);
  EXPECT_TRUE(runs_strip(*part));
  EXPECT_FALSE(part->warnings().empty());
  EXPECT_EQ(aligned(*part, many, many, 1, false).report.pairs, many.size());
  EXPECT_LT(part->manifest().kernels.size(), made->manifest().kernels.size());
  ASSERT_TRUE(made->obtain(all, {}));
  const auto whole = open(kScores, half_);
  EXPECT_TRUE(runs_strip(*whole));
  EXPECT_TRUE(whole->warnings().empty());
  EXPECT_EQ(whole->manifest().kernels.size(), made->manifest().kernels.size());
}

TEST_F(JoinedStrips, AreNotTakenWhereScoresAreLookedUpNorWhereAChoiceIsGiven) {
  const auto expect_wide_alone = [&](const std::string &keys) {
    const auto source = open(keys, half_);
    for (const rt::kernels::KernelInfo &kernel : source->manifest().kernels)
      EXPECT_TRUE(ends(kernel.entry, ending(false))) << kernel.entry;
  };
  expect_wide_alone(
      "alphabet: iupac\nalignment: local\ngap: {model: affine, open: 10, extend: 1}\n"
      "score: {matrix: NUC.4.4}\n");
  sources_.choice = "mapping=strips";
  expect_wide_alone(
      "alphabet: dna5\nalignment: global\ngap: {model: linear, extend: 3}\n"
      "score: {match: 2, mismatch: -1}\n");
}

}  // namespace
