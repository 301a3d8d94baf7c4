// Batches of related and unrelated sequences, and what holds both batch calls to the oracle: on them a spec, shipped or
// of a test's own, scores as the oracle says, letters of all kinds and ragged lengths included.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../mutated.h"
#include "alnsmith/alnsmith.hpp"
#include "golden.h"
#include "host_isas.h"
#include "sample.h"
#include "scratch.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "temporary_aligner.h"

namespace calls {

inline constexpr std::string_view kResidues = "ARNDCQEGHILKMFPSTWYV";

using alnsmith::Isa;

inline std::string random_letters(std::mt19937 &random, std::string_view letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

struct Batch {
  std::vector<std::string> queries, targets;
  static std::vector<std::string_view> views(const std::vector<std::string> &texts) {
    return {texts.begin(), texts.end()};
  }
};

// Lengths from 1 to `longest` in any order, related and not; also homopolymers and two empty sequences.
inline Batch ragged(unsigned seed, std::string_view letters, int count, std::size_t longest) {
  std::mt19937 random(seed);
  Batch batch;
  for (int i = 0; i < count; ++i) {
    const std::size_t length = i == 0 ? longest : i == 1 ? 1 : 1 + random() % longest;
    batch.queries.push_back(i % 17 == 3 ? std::string(length, letters[random() % letters.size()])
                                        : random_letters(random, letters, length));
    std::string target = i % 2 == 0 ? mutated(random, letters, batch.queries.back(), 24)
                                    : random_letters(random, letters, 1 + random() % longest);
    if (target.size() > longest) target.resize(longest);
    batch.targets.push_back(std::move(target));
  }
  if (count > 20) batch.queries[20] = batch.targets[15] = "";
  return batch;
}

// Every letter of the alphabet, both cases, its synonyms, and its wildcard.
inline std::string all_letters(const alnsmith::spec::Alphabet &alphabet) {
  std::string letters = alphabet.letters + alphabet.letters;
  for (char letter : alphabet.letters) letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  for (const auto &[byte, letter] : alphabet.synonyms) letters += byte;
  return letters;
}

class Calls : public testing::Test {
 protected:
  // `wanted`: nothing is the machine's best.
  void prepare(std::optional<Isa> wanted) {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
    const auto best = alnsmith::best_isa();
    ASSERT_TRUE(best) << best.error().message;
    isa_ = wanted.value_or(*best);
    if (!(isa_ <= *best)) GTEST_SKIP() << "this machine has no " << alnsmith::isa_name(isa_);
  }

  struct Opened {
    alnsmith::spec::Spec spec;
    golden::TemporaryAligner aligner;
    alnsmith::Options options;
    oracle::Problem problem;
  };
  // `path`: a spec file.
  Opened open_file(const std::string &path, const std::string &tables = "") const {
    const auto spec = alnsmith::spec::parse_file(path);
    if (!spec) throw std::runtime_error(spec.error().message);
    alnsmith::Sources sources;
    sources.generator = ALNSMITH_GENERATOR_PROGRAM;
    sources.cache_dir = scratch::kernel_cache();
    sources.tuned_dir = tables;
    alnsmith::Options options;
    options.isa = isa_;
    options.threads = 2;
    options.scoring = oracle::call_scoring(*spec);
    auto aligner = golden::TemporaryAligner::open_file(path, sources, options);
    if (!aligner) throw std::runtime_error(aligner.error().message);
    return {*spec, *std::move(aligner), options, oracle::spec_problem(*spec, options.scoring)};
  }
  Opened open_shipped(const std::string &name) const { return open_file(ALNSMITH_SPECS "/" + name + ".yaml"); }
  // With the planner's own choices: a tuned table may begin with a wider kernel.
  Opened open_untuned(const std::string &name) const {
    const std::string none = folder_.path("no-tables");
    std::filesystem::create_directories(none);
    return open_file(ALNSMITH_SPECS "/" + name + ".yaml", none);
  }
  Opened open_text(const std::string &yaml) const {
    return open_file(folder_.write("spec.yaml", "version: 1\nname: spec\n" + yaml));
  }

  // Scores of a call, and ends where the spec's output has them.
  struct Results {
    Results(const Opened &o, std::size_t n) : scores(n, -999999) {
      EXPECT_EQ(o.aligner->outputs().contains(alnsmith::Output::query_end), o.spec.output.end);
      if (o.spec.output.end) query_ends = target_ends = scores;
    }
    alnsmith::Columns columns() {
      alnsmith::Columns columns{{alnsmith::Output::score, scores}};
      if (query_ends.empty()) return columns;
      columns.set(alnsmith::Output::query_end, query_ends);
      columns.set(alnsmith::Output::target_end, target_ends);
      return columns;
    }
    void expect(std::size_t i, const oracle::Answer &want, const std::string &where) const {
      EXPECT_EQ(scores[i], want.score) << where;
      if (query_ends.empty()) return;
      EXPECT_EQ(target_ends[i], want.target_end) << where;
      EXPECT_EQ(query_ends[i], want.query_end) << where;
    }
    std::vector<std::int32_t> scores, query_ends, target_ends;
  };

  static alnsmith::Report expect_pairs(const Opened &o, const Batch &batch) {
    Results got(o, batch.queries.size());
    const auto report =
        o.aligner->align_pairs(Batch::views(batch.queries), Batch::views(batch.targets), got.columns(), o.options);
    EXPECT_TRUE(report) << report.error().message;
    if (!report) return {};
    EXPECT_EQ(o.aligner->target(), alnsmith::isa_name(*o.options.isa));
    for (std::size_t i = 0; i < got.scores.size() && !HasFailure(); ++i)
      got.expect(i, oracle::align(o.problem, batch.queries[i], batch.targets[i]),
                 o.spec.name + ", pair " + std::to_string(i) + ": " + batch.queries[i] + " / " + batch.targets[i]);
    return *report;
  }
  static alnsmith::Report expect_all(const Opened &o, const Batch &batch) {
    const std::size_t targets = batch.targets.size();
    Results got(o, batch.queries.size() * targets);
    const auto report =
        o.aligner->align_all(Batch::views(batch.queries), Batch::views(batch.targets), got.columns(), o.options);
    EXPECT_TRUE(report) << report.error().message;
    if (!report) return {};
    for (std::size_t i = 0; i < got.scores.size() && !HasFailure(); ++i)
      got.expect(i, oracle::align(o.problem, batch.queries[i / targets], batch.targets[i % targets]),
                 o.spec.name + ": " + batch.queries[i / targets] + " / " + batch.targets[i % targets]);
    return *report;
  }
  // Both calls, over ragged lengths from 1 to 400, in a full run to 600.
  static void expect_ragged(const Opened &o) {
    const std::string letters = all_letters(o.spec.alphabet);
    const std::size_t longest = sample::full() ? 600 : 400;
    expect_pairs(o, ragged(1, letters, 150, longest));
    Batch all = ragged(2, letters, 90, longest / 2);
    all.queries.resize(7);
    all.queries.emplace_back("");
    expect_all(o, all);
  }

  Isa isa_;
  scratch::Folder folder_;
};

class EveryIsa : public Calls, public testing::WithParamInterface<Isa> {
  void SetUp() override {
    if (GetParam() != host_isas().front()) ONE_IN(3);
    prepare(GetParam());
  }
};

}  // namespace calls
