// Which record is the better: what strategies, `show` and `apply` compare.
//
// A machine drifts over a run, so a candidate counts by how it stood to the model's choice in its own group
// ("relative"). Where the model's choice failed in its group, it counts by its speed as a share of what that choice
// otherwise has; by its speed alone where no record has more.
#pragma once

#include <optional>
#include <vector>

#include "tune/record.h"

namespace alnsmith::tool::tune {

// The last measurement of a run: its best candidate and the model's choice in turns.
constexpr const char *final_strategy = "final";
bool is_final(const Record &record);

// Scores of one recording's records: the larger the better, all in one unit.
class Ranking {
 public:
  explicit Ranking(const std::vector<Record> &records);
  std::optional<double> score(const Record &record) const;  // nothing for failures

 private:
  double model_ = 0;  // GCUPS of the model's choice, the median over what records stood to; 0: no record says
};

// The best of a recording, final lines aside; null if nothing was correct.
const Record *best_of(const std::vector<Record> &records);
const Record *model_of(const std::vector<Record> &records);
const Record *final_of(const std::vector<Record> &records);  // the last one

// A final line says that its candidate beats the model's choice by more than the spread.
bool beats_model(const Record &final_line);

}  // namespace alnsmith::tool::tune
