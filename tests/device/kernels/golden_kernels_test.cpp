// CUDA and HIP kernel texts on the SIMT library reproduce the golden rows: for every mode and gap model a spec is made,
// its text generated, and at least 300 rows called as the runtime calls kernels.
//
// By default the plainest modes and one in five of the others, with one text for each gap model: families of targets
// take turns, and so do target, scoring, output and form. With ALNSMITH_FULL=1 all targets whose texts differ. Extreme
// pairs (single letters, all equal, far too long a side) are always among the rows, and so are those where nothing
// aligns well, with the textbook DP's score. Without the large data the bundled rows are taken, fewer than 300.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <random>
#include <set>
#include <sstream>

#include "counts.h"
#include "golden.h"
#include "sample.h"
#include "simt_kernels.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "spec_text.h"
#include "workers.h"

namespace alnsmith::test {
namespace {

constexpr std::size_t kRows = 300;

// A golden row, or one whose score the oracle says.
struct Wanted {
  const golden::Pair *pair;
  long score;
  std::optional<long> query_end, target_end;
};

struct Job {
  std::string mode, scoring, target;
  Form form;
  bool end = false;
  std::vector<Wanted> rows;
  std::string gap() const { return golden::scoring(scoring).open == 0 ? "linear" : "affine"; }
  std::string name() const {
    return mode + " " + scoring + (end ? " with ends" : "") + " for " + target + ", form " + name_of(form);
  }
};

// All rows by mode and scoring, and where to find them.
class Rows {
 public:
  Rows() {
    const auto folder = golden::data_dir();
    data_ = folder ? golden::large_data(*folder) : golden::bundled_data();
    set_ = golden::load(data_);
    for (const golden::Row &row : set_.rows) rows_[{row.mode, row.scoring}].push_back(&row);
    if (!folder) return;
    for (const char *file : {"/golden_degenerate.tsv.gz", "/golden_aff1_1_degenerate.tsv.gz"})
      for (const std::string &line : golden::read_lines(data_.pairs + file)) {
        std::istringstream words(line);
        std::string pair, mode, scoring;
        if (words >> pair >> mode >> scoring && pair[0] != '#') degenerate_[{mode, scoring}].push_back(pair);
      }
  }
  bool bundled() const { return data_.bundled; }
  bool has(const std::string &mode, const std::string &scoring) const { return rows_.contains({mode, scoring}); }

  // `large`: extreme pairs of any size.
  std::vector<Wanted> pick(const std::string &mode, const std::string &scoring, std::size_t count, bool large,
                           std::mt19937 &random) const {
    std::vector<const golden::Row *> rows = rows_.at({mode, scoring});
    std::ranges::shuffle(rows, random);
    // Extreme pairs, then any of moderate size; larger ones where these do not suffice, the smallest first.
    std::ranges::stable_sort(rows, {}, [&](const golden::Row *row) {
      const golden::Pair &pair = pair_of(*row);
      return extreme(pair) ? 0 : std::max(pair.cells(), most_cells());
    });
    std::vector<Wanted> picked;
    for (const golden::Row *row : rows) {
      const golden::Pair &pair = pair_of(*row);
      if (extreme(pair) && !large && pair.cells() > 10 * most_cells()) continue;
      if (picked.size() == count) break;
      picked.push_back({&pair, row->score, row->query_end, row->target_end});
    }
    return picked;
  }

  // Pairs whose best alignment is worse than none: definitions differ there, and ours is the oracle's.
  std::vector<Wanted> pick_degenerate(const std::string &mode, const std::string &scoring, std::size_t count,
                                      std::mt19937 &random) const {
    std::vector<Wanted> picked;
    const auto found = degenerate_.find({mode, scoring});
    if (found == degenerate_.end()) return picked;
    std::vector<std::string> names = found->second;
    std::ranges::shuffle(names, random);
    const oracle::Problem problem = golden::problem(data_, mode, scoring);
    for (const std::string &name : names) {
      const golden::Pair &pair = set_.pairs.at(name);
      if (picked.size() == count) break;
      if (pair.cells() > most_cells()) continue;
      const oracle::Answer answer = oracle::align(problem, pair.query, pair.target);
      picked.push_back({&pair, answer.score, answer.query_end, answer.target_end});
    }
    return picked;
  }

 private:
  const golden::Pair &pair_of(const golden::Row &row) const { return set_.pairs.at(row.pair); }
  static std::size_t most_cells() { return sample::full() ? 300000 : 15000; }
  static bool extreme(const golden::Pair &pair) {
    static const std::set<std::string> kinds = {"alln_n",      "allx",    "delete_long", "homopolymer", "identical",
                                                "insert_long", "len1",    "long_vs_one", "no_match",    "one_vs_long",
                                                "overflow16",  "revcomp", "reverse",     "two_islands"};
    return kinds.contains(pair.kind);
  }

  golden::Data data_;
  golden::Set set_;
  std::map<std::pair<std::string, std::string>, std::vector<const golden::Row *>> rows_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> degenerate_;
};

// Scorings by gap model, DNA and protein in turns.
const std::vector<std::string> &scorings(bool linear) {
  static const std::vector<std::string> of_linear = {"dna_2_1_lin1", "b62_lin4"};
  static const std::vector<std::string> of_affine = {"dna_2_1_aff2_1", "b62_aff11_1", "dna_2_1_aff1_1",
                                                     "nuc44_aff10_1"};
  return linear ? of_linear : of_affine;
}

bool plain_mode(const std::string &mode) { return mode == "nw" || mode == "sw" || mode == "sg"; }

std::vector<Job> make_jobs(const Rows &rows, const std::string &mode) {
  std::vector<Job> jobs;
  std::mt19937 random(seed_of(mode));
  std::map<std::string, std::vector<std::string>> targets;  // by family, one of each class
  for (const auto &names : target_classes()) targets[family(names.front())].push_back(names.front());
  const bool full = sample::full();
  std::size_t turn = seed_of(mode) % targets.size();
  for (const bool linear : {true, false}) {
    ++turn;
    for (std::size_t place = 0; const auto &[name, list] : targets) {
      if (!full && place++ != turn % targets.size()) continue;
      const auto add = [&](const std::string &target, const std::string &scoring, Form form, std::size_t count) {
        if (!rows.has(mode, scoring)) return;
        Job job{mode, scoring,           target,
                form, random() % 2 == 0, rows.pick(mode, scoring, count, form == Form::pairwise, random)};
        for (Wanted &row : rows.pick_degenerate(mode, scoring, 20, random)) job.rows.push_back(row);
        jobs.push_back(std::move(job));
      };
      for (const std::string &target : list)
        for (const std::string &scoring : scorings(linear)) {
          if (!full) break;
          add(target, scoring, Form::pairwise, kRows);
          add(target, scoring, Form::shared_profile, kRows / 3);
          add(target, scoring, Form::single_query, kRows / 3);
        }
      if (full) continue;
      const auto drawn = [&](const std::vector<std::string> &names) { return names[random() % names.size()]; };
      add(drawn(list), drawn(scorings(linear)), Form::pairwise, kRows);
      if (random() % 3 == 0) add(drawn(list), drawn(scorings(linear)), Form::shared_profile, kRows / 6);
      if (random() % 3 == 0) add(drawn(list), drawn(scorings(linear)), Form::single_query, kRows / 6);
    }
  }
  return jobs;
}

struct Count {
  std::size_t rows = 0, ends = 0, promoted = 0;
  std::set<std::string> texts;
};

// What differs.
std::string check(const Job &job, const SimtKernels &kernels, Count &count) {
  std::vector<Pair> pairs;
  for (const Wanted &row : job.rows) pairs.emplace_back(row.pair->query, row.pair->target);
  const SimtKernels::Call call = kernels.align(job.form, pairs, seed_of(job.name()));
  std::ostringstream wrong;
  int differing = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Wanted &row = job.rows[i];
    const Aligned &got = call.results[i];
    const bool ends = job.end && row.query_end;
    count.ends += ends;
    const bool same =
        got.score == row.score && (!ends || (got.query_end == *row.query_end && got.target_end == *row.target_end));
    if (same || ++differing > 3) continue;
    wrong << job.name() << ": " << row.pair->id << " (" << row.pair->kind << ", " << row.pair->query.size() << " x "
          << row.pair->target.size() << ") scores " << got.score << " at " << got.query_end << ", " << got.target_end
          << ", not " << row.score;
    if (ends) wrong << " at " << *row.query_end << ", " << *row.target_end;
    wrong << "\n";
  }
  if (differing > 3) wrong << job.name() << ": " << differing << " of " << pairs.size() << " rows differ\n";
  count.rows += pairs.size();
  count.promoted += call.promoted;
  return wrong.str();
}

class GoldenKernels : public testing::TestWithParam<std::string> {};

TEST_P(GoldenKernels, ReproduceTheRows) {
  if (!plain_mode(GetParam())) ONE_IN(5);
  const Rows rows;
  const std::vector<Job> jobs = make_jobs(rows, GetParam());
  std::mutex mutex;
  std::map<std::string, Count> table;  // by family and gap model; in the full run by target and gap model
  const std::string wrong = run_all(jobs, [&](const Job &job, const TextMaker &maker) -> std::string {
    auto spec = spec::parse_text(
        golden::spec_text(job.mode, golden::scoring(job.scoring), job.end ? "[score, end]" : "[score]"), job.name(),
        ".");
    if (!spec) return spec.error().message + "\n";
    // What outgrows form `single_query` goes on pair by pair.
    auto text = maker.make(*spec, job.target, [&](const plan::KernelPlan &kernel) {
      return kernel.form == job.form || (job.form == Form::single_query && kernel.form == Form::pairwise);
    });
    if (!text) return job.name() + ": " + text.error().message + "\n";
    const SimtKernels kernels(*std::move(text), {}, build(), SimtKernels::Compile::on_demand);
    Count count;
    const std::string said = check(job, kernels, count);
    const std::lock_guard lock(mutex);
    Count &row = table[(sample::full() ? job.target : family(job.target)) + " " + job.gap()];
    row.rows += count.rows;
    row.ends += count.ends;
    row.promoted += count.promoted;
    row.texts.insert(job.target + " " + job.scoring + (job.end ? " end" : ""));
    return said;
  });
  std::size_t all = 0;
  for (const auto &[name, count] : table) {
    std::printf("%-8s %-20s %5zu rows, %5zu ends, %4zu promoted:", GetParam().c_str(), name.c_str(), count.rows,
                count.ends, count.promoted);
    for (const std::string &text : count.texts) std::printf(" %s;", text.c_str());
    std::printf("\n");
    all += count.rows;
    EXPECT_GE(count.rows, rows.bundled() ? 1u : kRows) << name;
  }
  counts::add("golden rows", all);
  EXPECT_TRUE(wrong.empty()) << wrong;
  // Two gap models, of each family or of one.
  EXPECT_GE(table.size(), sample::full() ? 4u : 2u);
}

INSTANTIATE_TEST_SUITE_P(simt, GoldenKernels,
                         testing::Values("nw", "sw", "sg", "sg_qb", "sg_qe", "sg_qx", "sg_db", "sg_de", "sg_dx",
                                         "sg_qb_db", "sg_qb_de", "sg_qe_db", "sg_qe_de"),
                         test_name);

}  // namespace
}  // namespace alnsmith::test
