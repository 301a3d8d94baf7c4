// Whatever a pack's manifests claim is found, loads and aligns as the textbook DP does: every unit by Aligner::open,
// every kernel of it alone.
//
// The pack is built by the program from generated/, so no generator is needed: a few shipped specs for this machine's
// widest instruction set and for none, all for all under ALNSMITH_FULL=1. ALNSMITH_TEST_PACK names another one, such as
// an installed default pack.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <set>

#include "align/align.h"
#include "align/dense_sink.h"
#include "align/split_run.h"
#include "alnsmith/packs.hpp"
#include "full_run.h"
#include "packs/file.h"
#include "packs/search.h"
#include "program.h"
#include "spec/canonical.h"
#include "spec/parse.h"
#include "spec_problem.h"

namespace {

using namespace alnsmith;
namespace t = alnsmith::testing;

// One kernel of a unit as if there were no other.
class OneKernel : public rt::sources::CpuKernels {
 public:
  OneKernel(const rt::kernels::SharedObject &object, std::size_t kernel)
      : rt::sources::CpuKernels(only(object.manifest(), kernel)),
        function_(object.entry(manifest().kernels[0].entry)) {}
  Status obtain(std::span<const int>, const rt::Cancelled &) override { return Ok{}; }
  rt::kernels::KernelFn kernel(int) const override { return function_; }

 private:
  static rt::kernels::Manifest only(rt::kernels::Manifest manifest, std::size_t kernel) {
    manifest.kernels = {manifest.kernels[kernel]};
    manifest.kernels[0].level = 0;
    return manifest;
  }
  std::vector<std::string> origins() const override { return {}; }

  rt::kernels::KernelFn function_;
};

struct Sequences {
  std::vector<std::string> queries, targets;
  std::vector<std::string_view> query_views() const { return {queries.begin(), queries.end()}; }
  std::vector<std::string_view> target_views() const { return {targets.begin(), targets.end()}; }
};

// Half of the targets are like their queries.
Sequences sequences(const std::string &letters, std::size_t queries, std::size_t targets, std::size_t longest) {
  std::mt19937 engine(7);
  const auto below = [&](std::size_t n) { return engine() % n; };
  const auto word = [&] {
    std::string text(1 + below(longest), ' ');
    for (char &c : text) c = letters[below(letters.size())];
    return text;
  };
  Sequences made;
  for (std::size_t i = 0; i < queries; ++i) made.queries.push_back(word());
  for (std::size_t i = 0; i < targets; ++i) {
    made.targets.push_back(i % 2 ? word() : made.queries[i % queries]);
    made.targets.back()[below(made.targets.back().size())] = letters[below(letters.size())];
  }
  return made;
}

struct Results {
  explicit Results(std::size_t n) : scores(n, -99999), query_ends(n, -99), target_ends(n, -99) {}
  Columns columns(OutputSet outputs) {
    Columns columns{{Output::score, scores}};
    if (outputs.contains(Output::query_end)) columns.set(Output::query_end, query_ends);
    if (outputs.contains(Output::target_end)) columns.set(Output::target_end, target_ends);
    return columns;
  }
  std::vector<std::int32_t> scores, query_ends, target_ends;
};

void expect_equal(const oracle::Problem &problem, const Sequences &s, bool all, bool ends, const Results &results) {
  for (std::size_t i = 0; i < results.scores.size(); ++i) {
    const std::string &query = s.queries[all ? i / s.targets.size() : i];
    const std::string &target = s.targets[all ? i % s.targets.size() : i];
    const oracle::Answer answer = oracle::align(problem, query, target);
    ASSERT_EQ(results.scores[i], answer.score) << query << " " << target;
    if (!ends) continue;
    ASSERT_EQ(results.query_ends[i], answer.query_end) << query << " " << target;
    ASSERT_EQ(results.target_ends[i], answer.target_end) << query << " " << target;
  }
}

class PackCoverage : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new t::Folder;
    if (const char *given = std::getenv("ALNSMITH_TEST_PACK")) {
      path_ = given;
      return;
    }
    path_ = folder_->path("coverage.pack");
    std::vector<std::string> words = {"pack", "build", "--texts", GENERATED, "-o", path_};
    for (const char *spec : {"dna-global-affine", "dna-semiglobal-end", "edit-distance", "protein-local-runtime"})
      words.push_back(spec);
    if (sample::full())
      for (const char *spec : {SHIPPED}) words.push_back(spec);
    else
      for (const std::string &target : std::set<std::string>{std::string(isa_name(*best_isa())), "scalar"})
        words.insert(words.end(), {"--target", target});
    const t::Finished built = t::alnsmith(words);
    ASSERT_EQ(built.status, 0) << built.err;
  }
  static void TearDownTestSuite() { delete folder_; }

  // Lengths up to which the kernel alone holds every pair; 0: none.
  static std::size_t longest(const rt::sources::CpuKernels &store, const rt::align::CallScoring &scoring) {
    rt::align::Chooser chooser(store.manifest(), scoring, store.manifest().kernels[0].form, 1);
    for (const std::uint32_t length : {90U, 60U, 40U, 28U, 20U, 14U, 10U, 7U, 5U, 4U, 3U, 2U, 1U}) {
      bool holds = chooser.levels() > 0;
      for (std::uint32_t q = 1; q <= length && holds; ++q)
        for (std::uint32_t t = 1; t <= length && holds; ++t) holds = chooser.exact(0, q, t);
      if (holds) return length;
    }
    return 0;
  }

  // Each pair alone, with the kernels of form `split` and no others.
  static Status align_split(rt::align::Call &run, const rt::align::Sequences &given) {
    std::vector<rt::align::Item> items;
    std::vector<std::uint32_t> alone;
    for (std::uint64_t id = 0; id < given.pairs(); ++id) {
      const auto wanted = rt::align::admit_pair(run, given, id);
      if (!wanted) return wanted.error();
      if (!*wanted) continue;
      alone.push_back(static_cast<std::uint32_t>(items.size()));
      items.push_back({id, static_cast<std::uint32_t>(given.query(id).size()), 0,
                       static_cast<std::uint32_t>(given.target(id).size()), 0, 0});
    }
    std::vector<std::uint8_t> inexact(items.size());
    auto done = rt::align::SplitRun(run, given).run(items, alone, run.budget(), inexact);
    EXPECT_EQ(std::ranges::count(inexact, 1), 0);
    return done;
  }

  static void check_kernel(const rt::kernels::SharedObject &object, std::size_t kernel, const spec::Spec &spec) {
    OneKernel store(object, kernel);
    const rt::kernels::KernelInfo &info = store.manifest().kernels[0];
    SCOPED_TRACE(info.entry);
    const Scoring call = oracle::call_scoring(spec);
    const auto scoring = rt::align::resolve_scoring(store.manifest(), call, {});
    ASSERT_TRUE(scoring) << scoring.error().message;
    // Kernels may be narrow for a call's own matrix: they are there for smaller ones.
    if (spec.score.matrix_runtime && rt::align::Chooser(store.manifest(), *scoring, info.form, 1).levels() == 0) return;
    const std::size_t length = longest(store, *scoring);
    ASSERT_GT(length, 0U) << "no pair that this kernel holds for certain";
    const bool all = info.form == Form::shared_profile;
    std::string letters = spec.alphabet.letters;
    const Sequences s = all ? sequences(letters, 4, 70, length) : sequences(letters, 130, 130, length);
    Results results(all ? 4 * 70 : 130);
    Options options;
    const auto queries = s.query_views(), targets = s.target_views();
    const rt::align::Sequences given{queries, targets, all};
    const OutputSet outputs = store.manifest().outputs;
    rt::align::DenseSink sink(results.columns(outputs));
    rt::align::Call run(store, *scoring, call, options, sink, rt::align::shape_of(store.manifest(), given), outputs);
    const Status done = info.form == Form::split ? align_split(run, given)
                        : all                    ? rt::align::align_all(run, given)
                                                 : rt::align::align_pairs(run, given);
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_TRUE(run.outcome()) << run.outcome().error().message;
    EXPECT_EQ(run.used, std::set<std::string>{info.entry});
    expect_equal(oracle::spec_problem(spec, call), s, all, outputs.contains(Output::query_end), results);
  }

  // As a user would open it.
  static void check_open(const PackUnit &unit, const spec::Spec &spec) {
    Sources sources;
    sources.kernel_dirs = {path_};
    sources.only_kernel_dirs = true;
    sources.cache_dir = folder_->path("cache");
    Options options;
    options.isa = parse_isa(unit.target);
    options.scoring = oracle::call_scoring(spec);
    const auto aligner = Aligner::open({"", unit.spec, unit.spec_hash}, sources, options);
    ASSERT_TRUE(aligner) << aligner.error().message;
    EXPECT_EQ(aligner->target(), unit.target);
    const Sequences s = sequences(spec.alphabet.letters, 60, 60, 150);
    Results results(60);
    const OutputSet outputs = aligner->outputs();
    const auto report = aligner->align_pairs(s.query_views(), s.target_views(), results.columns(outputs), options);
    ASSERT_TRUE(report) << report.error().message;
    expect_equal(oracle::spec_problem(spec, options.scoring), s, false, outputs.contains(Output::query_end), results);
  }

  static t::Folder *folder_;
  static std::string path_;
};
t::Folder *PackCoverage::folder_ = nullptr;
std::string PackCoverage::path_;

TEST_F(PackCoverage, WhatIsClaimedIsThereAndAlignsAsTheTextbook) {
  const auto check = verify_pack(path_);
  ASSERT_TRUE(check) << check.error().message;
  for (const std::string &problem : check->problems) ADD_FAILURE() << problem;
  const auto pack = rt::packs::PackFile::open(path_);
  ASSERT_TRUE(pack);
  const Isa widest = *best_isa();
  std::size_t units = 0, kernels = 0, not_here = 0;
  for (std::size_t i = 0; i < check->info.units.size(); ++i) {
    const PackUnit &unit = check->info.units[i];
    const rt::packs::Index &index = (*pack)->index();
    const auto text = (*pack)->read(index.specs[index.units[i].spec].text);
    ASSERT_TRUE(text);
    const auto spec = spec::parse_text(*text, unit.spec, "/nonexistent");
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_EQ(spec::hash(*spec), unit.spec_hash);
    EXPECT_EQ(spec->name, unit.spec);
    const auto isa = index.units[i].target.isa();
    if (!isa || !(*isa <= widest)) {
      ++not_here;
      continue;
    }
    SCOPED_TRACE(unit.spec + " " + unit.target);
    rt::packs::PackSearch search;
    rt::packs::PackSearch::Lines warnings;
    const auto object = search.cpu(path_, {"", unit.spec, unit.spec_hash}, *isa, warnings);
    ASSERT_TRUE(object) << (warnings.empty() ? "" : warnings.front());
    ASSERT_EQ(object->manifest().kernels.size(), unit.kernels);
    for (std::size_t k = 0; k < unit.kernels; ++k) {
      check_kernel(*object, k, *spec);
      if (HasFatalFailure()) return;
    }
    check_open(unit, *spec);
    if (HasFatalFailure()) return;
    ++units;
    kernels += unit.kernels;
  }
  std::cout << units << " units with " << kernels << " kernels, each aligned alone; " << not_here
            << " for what this CPU is not\n";
  EXPECT_GT(units, 0U);
}

}  // namespace
