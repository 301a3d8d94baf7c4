// Every kernel of the shipped specs' CUDA and HIP texts scores as the textbook DP, in several orders of the lanes; and
// called as the runtime calls them, with promotion, they score everything.
//
// One spec in ten, on sm_90 or gfx90a by turns, and a seeded part on the others; ALNSMITH_FULL=1: all on all. Texts
// that differ by the target's name only are run once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>
#include <span>

#include "../../mutated.h"
#include "golden.h"
#include "material.h"
#include "sample.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "workers.h"

namespace alnsmith::test {
namespace {

struct Job {
  std::string spec_name;
  spec::Spec spec;
  std::string target;
  std::string name() const { return spec_name + " for " + target; }
};

// One line of the table.
struct Row {
  std::string target;
  std::size_t kernels = 0, launches = 0, pairs = 0, promoted = 0;
};

std::string described(const Pair &pair, const Aligned &got, const oracle::Answer &wanted) {
  const auto shown = [](const std::string &text) {
    return text.size() <= 200 ? text : text.substr(0, 200) + "… (" + std::to_string(text.size()) + ")";
  };
  return std::to_string(got.score) + " " + got.cigar + " at " + std::to_string(got.query_end) + ", " +
         std::to_string(got.target_end) + ", not " + std::to_string(wanted.score) + " " + oracle::text(wanted.cigar) +
         " at " + std::to_string(wanted.query_end) + ", " + std::to_string(wanted.target_end) + ": " +
         shown(pair.first) + " / " + shown(pair.second) + "\n";
}

// Of specs with flags a target's lower-case letters are flagged, as devices::Batch lays them out.
oracle::Answer textbook(const spec::Spec &spec, const oracle::Problem &problem, const Pair &pair) {
  if (spec.column_flags == 0) return oracle::align(problem, pair.first, pair.second);
  oracle::Target columns;
  for (const char letter : pair.second) {
    columns.codes.push_back(problem.substitution.code(letter));
    columns.flags.push_back(letter >= 'a' && letter <= 'z');
  }
  return oracle::align(problem, pair.first, columns);
}

bool right(const spec::Spec &spec, const Aligned &got, const oracle::Answer &wanted) {
  if (got.score != wanted.score) return false;
  if (spec.output.begin && (got.query_begin != wanted.query_begin || got.target_begin != wanted.target_begin))
    return false;
  if (spec.output.cigar && got.cigar != oracle::text(wanted.cigar)) return false;
  return !spec.output.end || (got.query_end == wanted.query_end && got.target_end == wanted.target_end);
}

class Shipped {
 public:
  Shipped(const SimtKernels &kernels, const Scoring &call, unsigned seed)
      : kernels_(kernels), call_(call), problem_(oracle::spec_problem(spec(), call)), random_(seed) {}

  // What is wrong.
  std::string run(Row &row) {
    for (const plan::KernelPlan &kernel : kernels_.kernels()) {
      if (!kernels_.usable(kernel)) continue;  // not with this call's scoring
      bool ran = false;
      auto all = batches(random_, spec(), kernel);
      if (kernel.mapping == "block") all.push_back(beyond_shared_border(kernel));
      for (std::vector<Pair> &pairs : all) {
        if (!std::ranges::all_of(pairs, [&](const Pair &p) { return kernels_.serves(kernel, p); })) continue;
        if (pairs.empty()) continue;
        if (const std::string wrong = check(kernel, pairs, row); !wrong.empty()) return wrong;
        ran = true;
      }
      if (!ran) return kernel.entry + ": takes none of the pairs\n";
      ++row.kernels;
    }
    return check_calls(row);
  }

 private:
  const spec::Spec &spec() const { return kernels_.text().spec; }

  std::string check(const plan::KernelPlan &kernel, const std::vector<Pair> &pairs, Row &row) {
    std::vector<Aligned> first;
    const std::size_t longest =
        std::ranges::max(pairs, {}, [](const Pair &p) { return p.second.size(); }).second.size();
    // The lanes in their natural order and in another; the first is enough where it takes long.
    std::vector<std::uint64_t> orders = {0, random_() | 1u};
    if (sample::full() && pairs.size() < 12) orders.push_back(random_() | 1u);
    for (const std::uint64_t order : orders) {
      const Launched launched = kernels_.launch(kernel, pairs, order, 1 + static_cast<int>(random_() % 2));
      ++row.launches;
      if (order == 0) first = launched.results;
      if (launched.results != first)
        return kernel.entry + ": results differ with the order of lanes, seed " + std::to_string(order) + "\n";
      if (longest > 2000) break;
    }
    row.pairs += pairs.size();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (first[i].exceeded) {
        if (kernels_.exact(kernel, pairs[i])) return kernel.entry + ": exact, and says that it is not\n";
        continue;
      }
      const oracle::Answer wanted = textbook(spec(), problem_, pairs[i]);
      if (wanted.score == oracle::no_alignment) continue;  // calls refuse what a band leaves without one
      if (!right(spec(), first[i], wanted)) return kernel.entry + ": " + described(pairs[i], first[i], wanted);
    }
    return {};
  }

  // A target whose border does not fit the block's memory, over two warps and more.
  std::vector<Pair> beyond_shared_border(const plan::KernelPlan &kernel) {
    const std::string letters = all_letters(spec().alphabet);
    const std::size_t rows = static_cast<std::size_t>(kernel.shared_rows) + 1 + random_() % 40;
    const std::size_t columns = static_cast<std::size_t>(kernel.p * kernel.k) + 1 + random_() % 60;
    return {{random_text(random_, letters, columns), random_text(random_, letters, rows)}};
  }

  // Mixed pairs through the choice of kernels, among them pairs that outgrow the narrow levels of local alignments.
  std::string check_calls(Row &row) {
    const std::string letters = all_letters(spec().alphabet);
    for (const Form form : {Form::pairwise, Form::shared_profile, Form::single_query}) {
      // What outgrows 16 bits is millions of cells: by default in every form of the spec whose letters score most, in
      // one form of every fourth other.
      const bool outgrows_16_bits = (form == Form::pairwise && seed_of(spec().name) % 4 == 0) ||
                                    spec().name == "genome-local-hoxd70" || sample::full();
      const std::size_t longest = outgrows_16_bits ? 3200 : 800;
      std::vector<Pair> pairs;
      std::set<int> levels;
      for (const plan::KernelPlan &kernel : kernels_.kernels()) {
        // What outgrows form `single_query` goes on pair by pair.
        if (kernel.form != form && !(form == Form::single_query && kernel.form == Form::pairwise)) continue;
        levels.insert(kernel.level);
        const long highest = static_cast<long>(kernel.statics.at("highest"));
        const std::string equal = high_scoring(spec(), call_, highest, longest);
        if (!equal.empty() && spec().alignment == spec::Alignment::local) pairs.emplace_back(equal, equal);
      }
      const auto &kernels = kernels_.kernels();
      if (std::ranges::find(kernels, form, &plan::KernelPlan::form) == kernels.end()) continue;
      const bool outgrown = !pairs.empty() && levels.size() > 1;
      for (int i = 0; i < (form == Form::pairwise ? 40 : 6); ++i) {
        const std::string query = random_text(random_, letters, 1 + random_() % 300);
        pairs.emplace_back(query, i % 2 == 0 ? mutated(random_, letters, query, 24)
                                             : random_text(random_, letters, 1 + random_() % 300));
      }
      const SimtKernels::Call call = kernels_.align(form, pairs, random_());
      row.promoted += call.promoted;
      row.pairs += pairs.size();
      if (outgrown && call.promoted == 0) return "form " + name_of(form) + ": nothing was promoted\n";
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const oracle::Answer wanted = textbook(spec(), problem_, pairs[i]);
        if (wanted.score == oracle::no_alignment) continue;  // calls refuse what a band leaves without one
        if (!right(spec(), call.results[i], wanted))
          return "form " + name_of(form) + ": " + described(pairs[i], call.results[i], wanted);
      }
    }
    return {};
  }

  const SimtKernels &kernels_;
  const Scoring &call_;
  oracle::Problem problem_;
  std::mt19937 random_;
};

// The default part: the class of one target always, each other one for one spec in sixteen.
bool wanted(const std::vector<std::string> &targets, const std::string &always, std::mt19937 &random) {
  const bool drawn = random() % 16 == 0;
  return drawn || std::ranges::find(targets, always) != targets.end() || sample::full();
}

class ShippedKernels : public testing::TestWithParam<std::string> {};

TEST_P(ShippedKernels, ScoreAsTheTextbook) {
  ONE_IN(10);
  const std::string name = GetParam();
  const auto spec = spec::parse_file(ALNSMITH_SPECS "/" + name + ".yaml");
  ASSERT_TRUE(spec) << spec.error().message;
  if (spec->alphabet.name == "state_sets" && spec->output.begin) {  // no device has kernels of it yet
    const auto text = TextMaker().make(*spec, "cuda:sm_90");
    ASSERT_FALSE(text) << "there are kernels now: test them";
    GTEST_SKIP() << text.error().message;
  }
  std::vector<Job> jobs;
  std::mt19937 random(seed_of(name));
  const auto specs = shipped_specs();
  const bool odd = (std::ranges::find(specs, name) - specs.begin()) % 2 != 0;
  for (const auto &targets : target_classes())
    if (wanted(targets, odd ? "hip:gfx90a" : "cuda:sm_90", random)) jobs.push_back({name, *spec, targets.front()});
  std::mutex mutex;
  std::vector<Row> rows;
  const std::string wrong = run_all(jobs, [&](const Job &job, const TextMaker &maker) -> std::string {
    auto text = maker.make(job.spec, job.target);
    if (!text) return job.name() + ": " + text.error().message + "\n";
    Row row{job.target};
    const Scoring call = oracle::call_scoring(job.spec);
    const SimtKernels kernels(*std::move(text), call, build());
    const std::string said = Shipped(kernels, call, seed_of(job.name())).run(row);
    const std::lock_guard lock(mutex);
    rows.push_back(row);
    return said.empty() ? "" : job.name() + ": " + said;
  });
  std::ranges::sort(rows, {}, &Row::target);
  for (const Row &row : rows)
    std::printf("%-26s %-14s %3zu kernels, %4zu launches, %5zu pairs, %3zu promoted\n", name.c_str(),
                row.target.c_str(), row.kernels, row.launches, row.pairs, row.promoted);
  EXPECT_TRUE(wrong.empty()) << wrong;
  EXPECT_EQ(rows.size(), jobs.size());
}

INSTANTIATE_TEST_SUITE_P(simt, ShippedKernels, testing::ValuesIn(shipped_specs()), test_name);

// Those that are run stand for their class: the others' texts are the same but for the name. By default those of one
// form.
TEST(TargetClasses, HaveOneText) {
  const auto spec = spec::parse_file(ALNSMITH_SPECS "/edit-distance.yaml");
  ASSERT_TRUE(spec) << spec.error().message;
  const TextMaker maker;
  const auto takes = [](const plan::KernelPlan &kernel) { return kernel.form == Form::pairwise || sample::full(); };
  for (const auto &targets : target_classes()) {
    const auto first = maker.make(*spec, targets.front(), takes);
    ASSERT_TRUE(first) << first.error().message;
    std::printf("%s:", targets.front().c_str());
    for (const std::string &target : std::span(targets).subspan(1)) {
      const auto text = maker.make(*spec, target, takes);
      ASSERT_TRUE(text) << text.error().message;
      EXPECT_TRUE(text->essence == first->essence) << target << " is not " << targets.front();
      EXPECT_TRUE(text->text != first->text) << target;
      std::printf(" %s", target.c_str());
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace alnsmith::test
