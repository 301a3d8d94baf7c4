// Device kernels over every alignment mode x gap model x scoring kind x arithmetic x mapping x form:
// template run directly = printed text on the SIMT library = textbook DP, scores and ends, and no wrong score without
// a raised status.
//
// Every point runs directly, with target, arithmetic, mapping and tile drawn from a seed so that all combinations are
// met; texts are compiled for a seeded part of them, with ALNSMITH_FULL=1 for all.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <random>
#include <set>

#include "backend/unit.h"
#include "device_batch.h"
#include "direct_run.h"
#include "grid.h"
#include "predicate.hpp"
#include "simt.hpp"
#include "spec/parse.h"

namespace {

using namespace alnsmith;
using Pair = devices::Batch::Pair;

std::string random_text(std::mt19937 &random, const std::string &letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

std::string mutated(std::mt19937 &random, const std::string &letters, const std::string &text) {
  std::string out;
  for (const char c : text) {
    const unsigned dice = random() % 16;
    if (dice == 0) continue;
    if (dice == 1) out += letters[random() % letters.size()];
    out += dice == 2 ? letters[random() % letters.size()] : c;
  }
  return out.empty() ? text : out;
}

enum class Kind { similar, ragged, extremes, level, long_ };
constexpr Kind kinds[] = {Kind::similar, Kind::ragged, Kind::extremes, Kind::level, Kind::long_};

// For the shared form all items have the same `packing` queries, and both halves of an item the same target.
std::vector<Pair> make_pairs(std::mt19937 &random, const std::string &letters, Kind kind,
                             const plan::KernelPlan &kernel, std::size_t count) {
  std::vector<Pair> pairs;
  const std::size_t width = static_cast<std::size_t>(kernel.p * kernel.k);
  const auto query_length = [&]() -> std::size_t {
    switch (kind) {
      case Kind::extremes:
        return random() % 2 ? 1 : width;
      case Kind::level:
        return 24;
      case Kind::long_:
        return width * 2 + 1 + random() % (width + 1);
      default:
        return 1 + random() % 40;
    }
  };
  const bool shared = kernel.form == "shared";
  const std::size_t packing = static_cast<std::size_t>(kernel.packing);
  std::vector<std::string> queries;
  for (std::size_t h = 0; h < packing; ++h) queries.push_back(random_text(random, letters, query_length()));
  std::string target;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string query = shared ? queries[i % packing] : random_text(random, letters, query_length());
    if (!shared || i % packing == 0) {
      switch (kind) {
        case Kind::extremes:
          target = random() % 2 ? std::string(1, letters.back()) : random_text(random, letters, 1 + random() % 3);
          break;
        case Kind::level:
          target = mutated(random, letters, query + query).substr(0, 24);
          break;
        case Kind::ragged:
          target = random_text(random, letters, 1 + random() % 70);
          break;
        default:
          target = mutated(random, letters, query);
      }
    }
    pairs.emplace_back(query, target);
  }
  return pairs;
}

rt::Values predicate_values(const lanes::Scoring &scoring, const Pair &pair) {
  rt::Values v{};
  for (std::size_t i = 0; i < ALN_SCORING_COUNT; ++i) v[i] = scoring.values[i];
  v[rt::kQuery] = static_cast<std::int64_t>(pair.first.size());
  v[rt::kTarget] = static_cast<std::int64_t>(pair.second.size());
  return v;
}

// How a point of the grid is made a kernel.
struct Choice {
  std::string target, arithmetic, mapping;
  int p, k;
  std::string name() const {
    return target + " " + arithmetic + " " + mapping + " p" + std::to_string(p) + "k" + std::to_string(k);
  }
};

std::string with_choice(std::string yaml, const Choice &c) {
  const std::size_t tile = yaml.find("tile:");
  if (tile != std::string::npos) yaml.erase(tile, yaml.find('\n', tile) - tile + 1);
  if (yaml.back() != '\n') yaml += '\n';
  return yaml + "arithmetic: " + c.arithmetic + "\nmapping: " + c.mapping + "\ntile: {p: " + std::to_string(c.p) +
         ", k: " + std::to_string(c.k) + "}\n";
}

class Tester {
 public:
  explicit Tester(unsigned seed) : random_(seed), templates_(std::move(*frontend::Templates::parse(""))) {}

  void point(const grid::Case &c, const Choice &choice, bool print) {
    SCOPED_TRACE(c.name() + " on " + choice.name());
    auto spec = spec::parse_text(with_choice(c.yaml, choice), c.name(), ".");
    ASSERT_TRUE(spec) << spec.error().message;
    auto plan = plan::make_plan(*spec, *backend::find_target(choice.target), templates_.mappings());
    if (!plan) {  // the scoring does not fit, or has to be checked at run time
      ++refused_;
      return;
    }
    const lanes::Scoring scoring = lanes::make_scoring(*spec, c.runtime, c.runtime_matrix);
    std::optional<simt::Module> module;
    const bool amd = choice.target.starts_with("hip");
    if (print) {
      auto unit = backend::make_unit(*spec, *plan, templates_);
      ASSERT_TRUE(unit) << unit.error().message;
      try {
        module = simt::compile(unit->text, amd ? simt::Dialect::hip : simt::Dialect::cuda);
      } catch (const std::exception &e) {
        FAIL() << e.what();
      }
    }
    for (const plan::KernelPlan &kernel : plan->kernels) {
      SCOPED_TRACE(kernel.entry);
      const auto usable = rt::Predicate::parse(kernel.usable), exact = rt::Predicate::parse(kernel.exact);
      ASSERT_TRUE(usable && exact);
      for (const Kind kind : kinds) {
        const std::size_t items = 1 + random_() % static_cast<unsigned>(3 * kernel.lanes / kernel.p);
        std::size_t count = items * static_cast<std::size_t>(kernel.packing);
        if (kernel.form == "pairs") count -= random_() % static_cast<unsigned>(kernel.packing);
        if (kind == Kind::long_) count = std::min<std::size_t>(count, 4);
        const auto pairs = make_pairs(random_, c.letters, kind, kernel, count);
        if (!usable->holds(predicate_values(scoring, pairs[0]))) continue;
        run(c, *spec, *plan, kernel, scoring, *exact, pairs, module ? &*module : nullptr);
        if (testing::Test::HasFailure()) return;
      }
      ++done_[choice.target.substr(0, choice.target.find(':')) + " " + kernel.arithmetic + " " + kernel.mapping + " " +
              kernel.form];
      printed_ += module.has_value();
    }
  }

  void print_table() const {
    for (const auto &[name, count] : done_) std::printf("%-40s %5d kernels\n", name.c_str(), count);
    std::printf("%d kernels also as text on the SIMT library; %d points refused by the planner\n", printed_, refused_);
  }
  std::size_t kinds_of_kernel() const { return done_.size(); }

 private:
  void run(const grid::Case &c, const spec::Spec &spec, const plan::Plan &plan, const plan::KernelPlan &kernel,
           const lanes::Scoring &scoring, const rt::Predicate &exact, const std::vector<Pair> &pairs,
           const simt::Module *module) {
    const int blocks = 1 + static_cast<int>(random_() % 2);
    devices::Batch direct(spec, kernel, pairs, scoring, blocks);
    ASSERT_EQ(run_directly(kernel.mapping, kernel.arithmetic, kernel.statics, blocks, direct.shared_bytes(),
                           plan.matrix.empty() ? nullptr : plan.matrix.data(), direct.args()),
              0);
    check(c, spec, exact, scoring, pairs, direct, "direct");
    if (!module || testing::Test::HasFailure()) return;
    devices::Batch printed(spec, kernel, pairs, scoring, blocks);
    simt::Settings settings;
    settings.seed = random_();
    settings.warp = kernel.lanes;
    const auto pointers = printed.pointers();
    try {
      module->launch(kernel.entry, blocks, kernel.lanes * kernel.warps,
                     static_cast<std::size_t>(printed.shared_bytes()), pointers, settings);
    } catch (const std::exception &e) {
      FAIL() << e.what();
    }
    check(c, spec, exact, scoring, pairs, printed, "printed");
  }

  void check(const grid::Case &c, const spec::Spec &spec, const rt::Predicate &exact, const lanes::Scoring &scoring,
             const std::vector<Pair> &pairs, const devices::Batch &batch, const char *what) {
    const int sign = spec.objective == spec::Objective::minimize ? -1 : 1;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool sure = exact.holds(predicate_values(scoring, pairs[i]));
      if (batch.status[i] != 0) {
        ASSERT_EQ(batch.status[i], 1) << what;
        ASSERT_FALSE(sure) << what << " " << pairs[i].first << " " << pairs[i].second;
        continue;
      }
      if (c.problem.mode != oracle::Mode::local && !sure) continue;  // not checked by the kernel, so never called
      const oracle::Answer answer = oracle::align(c.problem, pairs[i].first, pairs[i].second);
      ASSERT_EQ(sign * batch.score[i], answer.score)
          << what << " pair " << i << " " << pairs[i].first << " " << pairs[i].second;
      if (!spec.output.end) continue;
      ASSERT_EQ(batch.query_end[i], answer.query_end) << what << " " << pairs[i].first << " " << pairs[i].second;
      ASSERT_EQ(batch.target_end[i], answer.target_end) << what << " " << pairs[i].first << " " << pairs[i].second;
    }
  }

  std::mt19937 random_;
  frontend::Templates templates_;
  std::map<std::string, int> done_;
  int printed_ = 0, refused_ = 0;
};

Choice draw(std::mt19937 &random) {
  struct Row {
    const char *target;
    std::vector<const char *> arithmetics;
  };
  static const std::vector<Row> rows = {{"cuda:sm_90", {"int32", "fp32", "half2", "s16x2", "hybrid"}},
                                        {"cuda:sm_80", {"half2", "int32"}},
                                        {"hip:gfx90a", {"int32", "fp32", "half2", "s16x2"}},    // waves of 64
                                        {"hip:gfx1100", {"int32", "fp32", "half2", "s16x2"}}};  // waves of 32
  const Row &row = rows[(getenv("HIPONLY")?2:0) + random() % (getenv("HIPONLY")?2:rows.size())];
  static constexpr const char *mappings[] = {"wavefront", "lanes", "block"};
  static constexpr int lanes[] = {8, 16, 32};
  Choice c;
  c.target = row.target;
  c.arithmetic = row.arithmetics[random() % row.arithmetics.size()];
  c.mapping = mappings[random() % 3];
  c.p = lanes[random() % 3];
  c.k = 1 + static_cast<int>(random() % 6);
  return c;
}

TEST(DeviceMatrix, DirectPrintedAndTextbookAgree) {
  const bool full = std::getenv("ALNSMITH_FULL") != nullptr;
  std::mt19937 random(11);
  Tester tester(12);
  unsigned turn = 0;
  for (const auto &mode : grid::modes())
    for (const auto &gap : grid::gaps())
      for (const auto &score : grid::scores()) {
        tester.point(grid::make_case(mode, gap, score, 1, random() % 2), draw(random), full || turn++ % 8 == 0);
        if (HasFailure()) return;
      }
  tester.print_table();
}

}  // namespace
