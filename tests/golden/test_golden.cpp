// Kernels generated from specs reproduce the golden rows, end to end: a spec for every scoring and mode of
// the rows, generated, compiled, loaded and called through the public batch interface.
//
// The instruction sets of this machine share the specs out, each with every mode and every scoring: the bundled rows,
// and where the large data is present every row of pairs of up to 300,000 cells, by kernels of scores and by such that
// report ends in turn; and once or twice more by kernels whose scoring comes with the call. ALNSMITH_FULL=1: every row
// by both, the long pairs too, on all.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "counts.h"
#include "full_run.h"
#include "golden.h"
#include "host_isas.h"
#include "processors.h"
#include "scratch.h"
#include "spec/parse.h"
#include "spec_text.h"
#include "temporary_aligner.h"

namespace {

using golden::Row;

// Rows of one mode and scoring: one spec.
struct Group {
  std::string mode, scoring;
  std::vector<const Row *> rows;
};

alnsmith::Sources sources() {
  alnsmith::Sources sources;
  sources.generator = ALNSMITH_GENERATOR_PROGRAM;
  sources.cache_dir = scratch::kernel_cache();
  return sources;
}

// Which kernels: those that report ends or not; bit-sliced ones, those of lanes, or what `auto` takes; those of the
// call's scoring.
struct How {
  bool with_ends = false, sliced = false, lanes = false, runtime = false;
  std::size_t times = 1;  // that a group has each row
};

std::string spec_text(const Group &group, const How &how) {
  const golden::Scoring &scoring = golden::scoring(group.scoring);
  const char *const output = how.with_ends ? "[score, end]" : "[score]";
  return (how.runtime ? golden::runtime_spec_text : golden::spec_text)(group.mode, scoring, output) +
         (how.sliced ? "arithmetic: bitsliced\n" : "") + (how.lanes ? "mapping: lanes\n" : "");
}

// The scoring of a group, as a call gives it.
alnsmith::Scoring call_scoring(const Group &group) {
  const golden::Scoring &scoring = golden::scoring(group.scoring);
  const auto spec = alnsmith::spec::parse_text(golden::spec_text(group.mode, scoring), "golden.yaml", ".");
  const int open = static_cast<int>(scoring.open), extend = static_cast<int>(scoring.extend);
  alnsmith::Scoring call;
  call.values = {{"insertion_extend", extend}, {"deletion_extend", extend}};
  if (open > 0) call.values.insert({{"insertion_open", open}, {"deletion_open", open}});
  call.matrix = spec->score.matrix;
  if (call.matrix.empty()) call.values.insert({{"match", 2}, {"mismatch", -1}});
  return call;
}

// Scores one group's rows on one instruction set, and compares ends too where the rows give them and kernels do; what
// went wrong, or nothing.
std::string check(const Group &group, const golden::Set &set, const alnsmith::Sources &sources, alnsmith::Isa isa,
                  const How &how) {
  const bool with_ends = how.with_ends;
  alnsmith::Options options;
  options.isa = isa;
  options.threads = 1;
  const std::string where = group.mode + " " + group.scoring + " on " + std::string(alnsmith::isa_name(isa)) + ": ";
  if (how.runtime) options.scoring = call_scoring(group);
  auto aligner = golden::TemporaryAligner::open(spec_text(group, how), sources, options);
  if (!aligner) return where + aligner.error().message + "\n";
  std::vector<std::string_view> queries, targets;
  for (const Row *row : group.rows) {
    const golden::Pair &pair = set.pairs.at(row->pair);
    queries.push_back(pair.query);
    targets.push_back(pair.target);
  }
  std::vector<std::int32_t> scores(group.rows.size(), -999999), query_ends, target_ends;
  alnsmith::Columns columns{{alnsmith::Output::score, scores}};
  if (with_ends) {
    query_ends = target_ends = scores;
    columns.set(alnsmith::Output::query_end, query_ends);
    columns.set(alnsmith::Output::target_end, target_ends);
  }
  const auto report = (*aligner)->align_pairs(queries, targets, columns, options);
  if (!report) return where + report.error().message + "\n";
  std::ostringstream wrong;
  if ((*aligner)->target() != alnsmith::isa_name(isa)) wrong << where << "ran on " << (*aligner)->target() << "\n";
  const auto is_sliced = [](const std::string &kernel) { return kernel.find("_bits_") != std::string::npos; };
  if (how.sliced && std::ranges::none_of(report->kernels, is_sliced)) wrong << where << "no bit-sliced kernel ran\n";
  int differing = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Row &row = *group.rows[i];
    const bool ends_agree =
        !with_ends || !row.query_end || (query_ends[i] == *row.query_end && target_ends[i] == *row.target_end);
    if ((scores[i] == row.score && ends_agree) || ++differing > 5) continue;
    const golden::Pair &pair = set.pairs.at(row.pair);
    wrong << where << pair.id << " (" << pair.kind << ", " << pair.query.size() << " x " << pair.target.size()
          << ") scores " << scores[i] << ", not " << row.score;
    if (!ends_agree)
      wrong << "; ends at " << query_ends[i] << ", " << target_ends[i] << ", not " << *row.query_end << ", "
            << *row.target_end;
    wrong << "\n";
  }
  if (differing > 5) wrong << where << differing << " of " << scores.size() << " rows differ\n";
  return wrong.str();
}

// For each group the place of its spec among theirs, in the order in which they come.
std::vector<std::size_t> places_of_specs(const std::vector<Group> &groups, const How &how) {
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> places;
  for (const Group &group : groups)
    places.push_back(known.try_emplace(spec_text(group, how), known.size()).first->second);
  return places;
}

// All groups, by as many threads as there are processors: most of the time goes into compiling. For the few pairs that
// `auto` aligns alone it wants two or three kernels more: every other spec has lanes for all.
void check_all(const std::vector<Group> &groups, const golden::Set &set, alnsmith::Isa isa, const How &how = {}) {
  const std::vector<std::size_t> places = places_of_specs(groups, how);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::string wrong;
  const auto work = [&] {
    for (std::size_t i = next++; i < groups.size(); i = next++) {
      How own = how;
      own.lanes = places[i] % 2 > 0 && !how.sliced && !sample::full();
      const std::string said = check(groups[i], set, sources(), isa, own);
      const std::lock_guard lock(mutex);
      wrong += said;
    }
  };
  std::vector<std::thread> threads(processors());
  for (std::thread &thread : threads) thread = std::thread(work);
  for (std::thread &thread : threads) thread.join();
  EXPECT_TRUE(wrong.empty()) << wrong;
  std::size_t rows = 0;
  for (const Group &group : groups) rows += group.rows.size();
  counts::add("golden rows", rows / how.times);
}

template <class Wanted>
std::vector<Group> groups_of(const golden::Set &set, Wanted wanted) {
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const Row &row : set.rows) {
    if (!wanted(row)) continue;
    Group &group = groups.try_emplace({row.mode, row.scoring}, Group{row.mode, row.scoring, {}}).first->second;
    group.rows.push_back(&row);
  }
  std::vector<Group> list;
  for (auto &[key, group] : groups) list.push_back(std::move(group));
  return list;
}

class Golden : public testing::TestWithParam<alnsmith::Isa> {
 protected:
  // Why this test cannot run here, or nothing.
  std::string obstacle() const {
    if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) return "built without the generator";
    const auto best = alnsmith::best_isa();
    if (!best) return best.error().message;
    if (!(GetParam() <= *best)) return "this machine has no " + std::string(alnsmith::isa_name(GetParam()));
    return "";
  }
  bool best() const { return GetParam() == *alnsmith::best_isa(); }
  alnsmith::Options options() const {
    alnsmith::Options options;
    options.isa = GetParam();
    return options;
  }

  // All rows of the bundled set, and of the large data those that do not take long.
  static std::vector<Group> all_groups(const golden::Set &set, bool bundled) {
    std::vector<Group> groups = groups_of(
        set, [&](const Row &row) { return bundled || sample::full() || set.pairs.at(row.pair).cells() <= 300000; });
    EXPECT_GT(groups.size(), 80u);
    return groups;
  }

  // Groups of a set's rows that kernels with ends, or without, are to reproduce here.
  static std::vector<Group> share(const golden::Set &set, bool bundled, bool with_ends) {
    std::vector<Group> groups = all_groups(set, bundled);
    if (!sample::full()) keep_share(groups, with_ends);
    if (with_ends)
      for (Group &group : groups) std::erase_if(group.rows, [](const Row *row) { return !row->query_end; });
    return groups;
  }

  // This instruction set's share has every mode and every scoring; every other spec of it reports ends. Together the
  // instruction sets have all specs.
  static void keep_share(std::vector<Group> &groups, bool with_ends) {
    const std::vector<alnsmith::Isa> isas = host_isas();
    const auto place = static_cast<std::size_t>(std::ranges::find(isas, GetParam()) - isas.begin());
    std::set<std::string> modes, scorings;
    const auto meet = [&](bool missing) {
      for (const Group &group : groups) {
        if (missing) modes.erase(group.mode), scorings.erase(group.scoring);
        if (!missing) modes.insert(group.mode), scorings.insert(group.scoring);
      }
    };
    meet(false);
    std::size_t turn = place;
    std::erase_if(groups, [&](const Group &) { return turn++ % isas.size() != 0; });
    meet(true);
    EXPECT_TRUE(modes.empty()) << *modes.begin();
    EXPECT_TRUE(scorings.empty()) << *scorings.begin();
    turn = with_ends ? 1 : 0;
    std::erase_if(groups, [&](const Group &) { return turn++ % 2 != 0; });
  }
};

TEST_P(Golden, rows_are_reproduced) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  for (const golden::Data &data : golden::present_data()) {
    SCOPED_TRACE(data.pairs);
    const golden::Set set = golden::load(data);
    check_all(share(set, data.bundled, false), set, GetParam());
  }
}

// Rows with a unique end, by kernels that report it.
TEST_P(Golden, unique_ends_are_reproduced) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  for (const golden::Data &data : golden::present_data()) {
    SCOPED_TRACE(data.pairs);
    const golden::Set set = golden::load(data);
    check_all(share(set, data.bundled, true), set, GetParam(), {.with_ends = true});
  }
}

// Kernels of scoring that comes with the call: one spec a mode for all scorings of its kind. A third of them on each
// instruction set, each on one or two.
TEST_P(Golden, rows_are_reproduced_by_kernels_of_the_calls_scoring) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  for (const golden::Data &data : golden::present_data()) {
    SCOPED_TRACE(data.pairs);
    const golden::Set set = golden::load(data);
    std::vector<Group> groups = all_groups(set, data.bundled);
    std::size_t i = 0;
    const std::vector<std::size_t> places = places_of_specs(groups, {.runtime = true});
    std::erase_if(groups, [&](const Group &) {
      return (places[i++] + static_cast<std::size_t>(GetParam().rank)) % 3 != 0 && !sample::full();
    });
    EXPECT_GT(groups.size(), 20u);
    check_all(groups, set, GetParam(), {.runtime = true});
  }
}

// Bit-sliced kernels, for every mode and scoring of which they have the circuit: rows by their cells, each several
// times, so that a vector has alike ones enough.
TEST_P(Golden, rows_are_reproduced_by_bit_sliced_kernels) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  if (GetParam().rank == 0) GTEST_SKIP() << "one lane has no bits to slice";
  for (const golden::Data &data : golden::present_data()) {
    SCOPED_TRACE(data.pairs);
    const golden::Set set = golden::load(data);
    const auto cells = [&](const Row *row) { return set.pairs.at(row->pair).cells(); };
    std::vector<Group> groups = groups_of(set, [&](const Row &row) {
      const bool served = row.scoring == "dna_2_1_lin1" || row.scoring == "dna_2_1_aff1_1";
      return served && row.mode != "sw" && cells(&row) > 0 && cells(&row) <= 300000;
    });
    EXPECT_GE(groups.size(), 24u);
    const std::size_t times = data.bundled ? 512 : 8;
    for (Group &group : groups) {
      std::ranges::stable_sort(group.rows, {}, cells);
      std::vector<const Row *> repeated;
      for (const Row *row : group.rows) repeated.insert(repeated.end(), times, row);
      group.rows = std::move(repeated);
    }
    auto turn = static_cast<std::size_t>(GetParam().rank);  // the instruction sets with vectors share the specs out
    if (!sample::full()) std::erase_if(groups, [&](const Group &) { return turn++ % 3 != 0; });
    check_all(groups, set, GetParam(), {.with_ends = true, .sliced = true, .times = times});
  }
}

TEST_P(Golden, long_pairs_are_reproduced) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  if (!sample::full()) GTEST_SKIP() << "long pairs are for ALNSMITH_FULL=1";
  if (GetParam().rank == 0) GTEST_SKIP() << "long pairs are not for the scalar kernels";
  const auto folder = golden::data_dir();
  if (!folder) GTEST_SKIP() << golden::missing_data();
  const golden::Set set = golden::load_long(golden::large_data(*folder));
  check_all(groups_of(set, [](const Row &) { return true; }), set, GetParam());
}

// One query against many, through align_all: the bundled proteins, each with each, against the oracle.
TEST_P(Golden, bundled_protein_search_scores_as_the_oracle_says) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  const auto problem = golden::problem(golden::bundled_data(), "sw", "b62_aff11_1");
  const auto queries = golden::read_sequences(golden::bundled_dir() + "/protein_queries.fasta");
  const auto targets = golden::read_sequences(golden::bundled_dir() + "/protein_targets.fasta.gz");
  const auto letters = [](const std::vector<golden::Record> &records) {
    std::vector<std::string_view> views;
    for (const golden::Record &record : records) views.push_back(record.letters);
    return views;
  };
  auto aligner =
      golden::TemporaryAligner::open(golden::spec_text("sw", golden::scoring("b62_aff11_1")), sources(), options());
  ASSERT_TRUE(aligner) << aligner.error().message;
  std::vector<std::int32_t> scores(queries.size() * targets.size());
  const auto report = (*aligner)->align_all(letters(queries), letters(targets), scores, options());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->pairs, scores.size());
  for (std::size_t q = 0; q < queries.size(); ++q)
    for (std::size_t t = 0; t < targets.size(); ++t)
      EXPECT_EQ(scores[q * targets.size() + t], oracle::score(problem, queries[q].letters, targets[t].letters))
          << queries[q].name << " " << targets[t].name;
}

// The same on the protein search of the large data, dbsearch/.
TEST_P(Golden, protein_search_is_reproduced) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  const auto folder = golden::data_dir();
  if (!folder) GTEST_SKIP() << golden::missing_data();
  const std::string &data = *folder;
  const auto db = golden::read_sequences(data + "/protein/db.fasta.gz");
  const auto queries = golden::read_sequences(data + "/protein/queries_cudasw20.fasta");
  std::vector<std::string_view> targets;
  for (const std::string &line : golden::read_lines(data + "/dbsearch/subset2000_db_indices.txt"))
    targets.push_back(db.at(std::stoul(line)).letters);
  auto aligner =
      golden::TemporaryAligner::open(golden::spec_text("sw", golden::scoring("b62_aff11_1")), sources(), options());
  ASSERT_TRUE(aligner) << aligner.error().message;
  // Every query in the full run, those of up to 500 residues on the best instruction set, one on the others.
  const std::size_t longest = sample::full() ? ~std::size_t{0} : best() ? 500 : 150;
  int searched = 0;
  for (const std::string &line : golden::read_lines(data + "/dbsearch/subset2000_b62_aff11_1.tsv")) {
    std::istringstream words(line);
    std::string name, sum;
    words >> name >> sum;
    const auto query = std::find_if(queries.begin(), queries.end(),
                                    [&](const auto &record) { return record.name.find(name) != std::string::npos; });
    ASSERT_NE(query, queries.end()) << name;
    if (query->letters.size() > longest) continue;
    std::vector<std::int32_t> expected, scores(targets.size());
    for (std::int32_t score = 0; words >> score; words.ignore(1)) expected.push_back(score);
    const std::string_view letters = query->letters;
    const auto report = (*aligner)->align_all({&letters, 1}, targets, scores, options());
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(scores, expected) << name;
    ++searched;
  }
  EXPECT_GT(searched, 0);
}

// The empty sequences of docs/manifest.md, which the golden rows do not hold.
TEST_P(Golden, empty_sequences_score_as_the_oracle_says) {
  if (const std::string reason = obstacle(); !reason.empty()) GTEST_SKIP() << reason;
  for (const char *mode : {"nw", "sw", "sg_qb", "sg_de"}) {
    const oracle::Problem problem = golden::problem(golden::bundled_data(), mode, "dna_2_1_aff2_1");
    auto aligner = golden::TemporaryAligner::open(golden::spec_text(mode, golden::scoring("dna_2_1_aff2_1")), sources(),
                                                  options());
    ASSERT_TRUE(aligner) << aligner.error().message;
    const std::vector<std::string_view> queries = {"", "ACG", "", "ACG"}, targets = {"", "", "ACGT", "ACGT"};
    std::vector<std::int32_t> scores(4);
    const auto report = (*aligner)->align_pairs(queries, targets, scores, options());
    ASSERT_TRUE(report) << report.error().message;
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(scores[i], oracle::score(problem, queries[i], targets[i])) << mode << " " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(isa, Golden, testing::ValuesIn(host_isas()),
                         [](const auto &info) { return test_name(info.param); });

}  // namespace
