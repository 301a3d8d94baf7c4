// Every kernel of the shipped specs' CUDA and HIP texts scores as the textbook DP, in several orders of the lanes; and
// called as the runtime calls them, with promotion, they score everything.
//
// All specs on one target of each family, and a seeded part on the others; ALNSMITH_FULL=1: all on all. Texts that
// differ by the target's name only are run once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>

#include "golden.h"
#include "material.h"
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
  std::string target, spec, like;  // `like`: the target whose text this one's is
  std::size_t kernels = 0, launches = 0, pairs = 0, promoted = 0;
};

struct Table {
  std::mutex mutex;
  std::vector<Row> rows;
  std::set<std::string> refused;
};

std::string described(const Pair &pair, const Aligned &got, const oracle::Answer &wanted) {
  const auto shown = [](const std::string &text) {
    return text.size() <= 200 ? text : text.substr(0, 200) + "… (" + std::to_string(text.size()) + ")";
  };
  return std::to_string(got.score) + " at " + std::to_string(got.query_end) + ", " + std::to_string(got.target_end) +
         ", not " + std::to_string(wanted.score) + " at " + std::to_string(wanted.query_end) + ", " +
         std::to_string(wanted.target_end) + ": " + shown(pair.first) + " / " + shown(pair.second) + "\n";
}

bool right(const spec::Spec &spec, const Aligned &got, const oracle::Answer &wanted) {
  if (got.score != wanted.score) return false;
  return !spec.output.end || (got.query_end == wanted.query_end && got.target_end == wanted.target_end);
}

class Shipped {
 public:
  Shipped(const SimtKernels &kernels, const Scoring &call, unsigned seed)
      : kernels_(kernels), call_(call), problem_(golden::spec_problem(spec(), call)), random_(seed) {}

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
    const std::uint64_t orders[] = {0, random_() | 1u, random_() | 1u};
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
      const oracle::Answer wanted = oracle::align(problem_, pairs[i].first, pairs[i].second);
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
    for (const std::string form : {"pairs", "shared"}) {
      std::vector<Pair> pairs;
      std::set<int> levels;
      for (const plan::KernelPlan &kernel : kernels_.kernels()) {
        if (kernel.form != form) continue;
        levels.insert(kernel.level);
        const long highest = static_cast<long>(kernel.statics.at("highest"));
        const std::string equal = high_scoring(spec(), call_, highest, golden::full_run() ? 4000 : 1500);
        if (!equal.empty() && spec().alignment == spec::Alignment::local) pairs.emplace_back(equal, equal);
      }
      const bool outgrown = !pairs.empty() && levels.size() > 1;
      for (int i = 0; i < (form == "pairs" ? 40 : 6); ++i) {
        const std::string query = random_text(random_, letters, 1 + random_() % 300);
        pairs.emplace_back(
            query, i % 2 == 0 ? mutated(random_, letters, query) : random_text(random_, letters, 1 + random_() % 300));
      }
      const SimtKernels::Call call = kernels_.align(form, pairs, random_());
      row.promoted += call.promoted;
      row.pairs += pairs.size();
      if (outgrown && call.promoted == 0) return "form " + form + ": nothing was promoted\n";
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const oracle::Answer wanted = oracle::align(problem_, pairs[i].first, pairs[i].second);
        if (!right(spec(), call.results[i], wanted))
          return "form " + form + ": " + described(pairs[i], call.results[i], wanted);
      }
    }
    return {};
  }

  const SimtKernels &kernels_;
  const Scoring &call_;
  oracle::Problem problem_;
  std::mt19937 random_;
};

// The default part: everything on these, and of the other classes of targets one spec in four.
bool wanted(const std::vector<std::string> &targets, std::mt19937 &random) {
  if (golden::full_run()) return true;
  const bool whole = std::ranges::any_of(targets, [](const auto &t) { return t == "cuda:sm_90" || t == "hip:gfx90a"; });
  return random() % 4 == 0 || whole;
}

TEST(ShippedKernels, ScoreAsTheTextbook) {
  std::vector<Job> jobs;
  std::mt19937 random(1);
  for (const auto &[name, spec] : shipped())
    for (const auto &targets : target_classes())
      if (wanted(targets, random)) jobs.push_back({name, spec, targets.front()});
  Table table;
  const std::string wrong = run_all(jobs, [&](const Job &job, const TextMaker &maker) -> std::string {
    auto text = maker.make(job.spec, job.target);
    if (!text) {
      const std::lock_guard lock(table.mutex);
      table.refused.insert(job.spec_name + ": " + text.error().message);
      return {};
    }
    Row row{job.target, job.spec_name, {}};
    const Scoring call = golden::call_scoring(job.spec);
    simt::Build build;
    build.cache = ALNSMITH_SIMT_CACHE;
    const SimtKernels kernels(*std::move(text), call, build);
    std::string said = Shipped(kernels, call, static_cast<unsigned>(std::hash<std::string>{}(job.name()))).run(row);
    const std::lock_guard lock(table.mutex);
    table.rows.push_back(row);
    return said.empty() ? "" : job.name() + ": " + said;
  });
  std::ranges::sort(table.rows, {}, [](const Row &row) { return row.target + " " + row.spec; });
  std::printf("%-16s %-26s %7s %8s %6s %8s\n", "target", "spec", "kernels", "launches", "pairs", "promoted");
  for (const Row &row : table.rows)
    std::printf("%-16s %-26s %7zu %8zu %6zu %8zu\n", row.target.c_str(), row.spec.c_str(), row.kernels, row.launches,
                row.pairs, row.promoted);
  for (const std::string &refused : table.refused) std::printf("refused: %s\n", refused.c_str());
  EXPECT_TRUE(wrong.empty()) << wrong;
  EXPECT_LE(table.refused.size(), 2u);  // the two specs of state sets
}

}  // namespace
}  // namespace alnsmith::test
