// Whole alignments of the golden pairs: where a row's end is unique it is theirs, as the score is, and the checker that
// knows no recurrence finds nothing to complain of.
//
// In: bundled rows, and the large data where present. By default a sample on the best instruction set: one scoring or
// two for each mode; ALNSMITH_FULL=1: all rows with a unique end, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "alignment_check.h"
#include "full_run.h"
#include "golden.h"
#include "host_isas.h"
#include "spec_text.h"
#include "whole_alignments.h"

namespace {

const std::vector<std::string> modes = {"nw",    "sw",       "sg",       "sg_qb",    "sg_qe",    "sg_db", "sg_de",
                                        "sg_qx", "sg_qb_de", "sg_qb_db", "sg_qe_db", "sg_qe_de", "sg_dx"};

class GoldenCigars : public testing::TestWithParam<std::size_t> {
 protected:
  // What is wrong with the alignments of these rows, all of one mode and scoring; a line each.
  std::string wrong(const golden::Data &data, const golden::Set &set, const std::vector<const golden::Row *> &rows,
                    alnsmith::Isa isa) const {
    const std::string &mode = rows[0]->mode, &scoring = rows[0]->scoring;
    golden::PairList pairs;
    for (const golden::Row *row : rows) pairs.add(set.pairs.at(row->pair).query, set.pairs.at(row->pair).target);
    const golden::WholeAligner whole =
        golden::open_whole(golden::spec_fields(mode, golden::scoring(scoring)), isa, {ALNSMITH_GENERATOR_PROGRAM});
    const golden::Alignments got = whole.align(pairs);
    const oracle::Problem problem = golden::problem(data, mode, scoring);
    std::string lines;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const golden::Row &row = *rows[i];
      const oracle::Answer answer = got.answer(i);
      std::string said = golden::complaint(problem, pairs.queries[i], pairs.targets[i], answer);
      if (answer.score != row.score || answer.query_end != *row.query_end || answer.target_end != *row.target_end)
        said += " the row has " + std::to_string(row.score) + " at " + std::to_string(*row.query_end) + ", " +
                std::to_string(*row.target_end);
      if (!said.empty())
        lines += row.pair + " " + mode + " " + scoring + ": " + golden::shown(answer) + "; " + said + "\n";
    }
    return lines;
  }
};
INSTANTIATE_TEST_SUITE_P(mode, GoldenCigars, testing::Range(std::size_t{0}, modes.size()),
                         [](const auto &info) { return modes[info.param]; });

TEST_P(GoldenCigars, are_sound_and_end_where_the_rows_do) {
  if (std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty()) GTEST_SKIP() << "built without the generator";
  constexpr std::size_t sample = 60, cells = 300000;
  const bool full = sample::full(), plain = GetParam() < 3;
  // So every scoring has its modes.
  const std::size_t scorings = plain ? 2 : 1, first = plain ? 3 * GetParam() : GetParam() + 1;
  for (const golden::Data &data : golden::present_data()) {
    SCOPED_TRACE(data.pairs);
    const golden::Set set = golden::load(data);
    std::map<std::string, std::vector<const golden::Row *>> by_scoring;
    for (const golden::Row &row : set.rows)
      if (row.mode == modes[GetParam()] && row.query_end && (full || set.pairs.at(row.pair).cells() <= cells))
        by_scoring[row.scoring].push_back(&row);
    ASSERT_GE(by_scoring.size(), scorings);
    auto next = by_scoring.begin();
    std::advance(next, full ? 0 : first % by_scoring.size());
    for (std::size_t n = 0; n < (full ? by_scoring.size() : scorings); ++n) {
      std::vector<const golden::Row *> &rows = next->second;
      if (++next == by_scoring.end()) next = by_scoring.begin();
      if (!full && rows.size() > sample) rows.resize(sample);
      for (const alnsmith::Isa isa : host_isas()) {
        EXPECT_EQ(wrong(data, set, rows, isa), "") << alnsmith::isa_name(isa);
        if (!full) break;
      }
    }
  }
}

}  // namespace
