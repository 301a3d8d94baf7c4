// A core that runs a target's vectors as halves takes the strips of a narrower target: which, and that all pairs score,
// end and align as they do without. Any machine with two targets of x86-64 can play such a core.
#include "sources/strips_beside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "align/dense_sink.h"
#include "host_isas.h"
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

class JoinedStrips : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    const std::vector<Isa> isas = host_isas();
    const auto *row = rt::row_of(isas.front());
    if (row->bytes < 32) GTEST_SKIP() << "no target has vectors half as wide";
    widest_ = isas.front();
    half_ = row->bytes / 2;
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

  std::string ending(bool of_halves) const {
    const auto target = of_halves ? *rt::sources::strips_target(widest_, half_) : widest_;
    return "_" + std::string(rt::row_of(target)->name);
  }

  scratch::Folder folder_;
  Sources sources_;
  Isa widest_;
  int half_ = 0;
};

bool is_strip(const rt::kernels::KernelInfo &kernel) {
  return kernel.form == rt::kernels::Form::split && kernel.mapping == "strips" && !kernel.sliced();
}
// Of a target, whose name is the end of an entry.
bool ends(const std::string &entry, std::string target) {
  std::ranges::replace(target, '-', '_');
  return entry.ends_with(target);
}

Found aligned(CpuKernels &source, const std::vector<std::string> &queries, const std::vector<std::string> &targets,
              int threads) {
  const std::vector<std::string_view> q(queries.begin(), queries.end()), t(targets.begin(), targets.end());
  Found found{std::vector<std::int32_t>(q.size()),
              std::vector<std::int32_t>(q.size()),
              std::vector<std::int32_t>(q.size()),
              {},
              {}};
  Columns columns{
      {Output::score, found.score}, {Output::query_end, found.query_end}, {Output::target_end, found.target_end}};
  columns.set(found.cigars);
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
    int strips = 0, level = 0;
    auto form = rt::kernels::Form::pairs;
    for (const rt::kernels::KernelInfo &kernel : both->manifest().kernels) {
      EXPECT_TRUE(ends(kernel.entry, ending(is_strip(kernel)))) << kernel.entry;
      EXPECT_GE(kernel.form, form);
      if (kernel.form == form) {
        EXPECT_GE(kernel.level, level) << kernel.entry;
      }
      form = kernel.form;
      level = kernel.level;
      strips += is_strip(kernel);
    }
    EXPECT_GT(strips, 0);
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
