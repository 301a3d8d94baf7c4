// Which record is the better: what strategies, `show` and `apply` compare.
//
// A machine drifts over a run, so a candidate counts by how it stood to the model's choice in its own group
// ("relative"), and by its speed only where no model's choice was there.
#pragma once

#include <optional>
#include <vector>

#include "record.h"

namespace alnsmith::tool::tune {

// The last measurement of a run: its best candidate and the model's choice in turns.
constexpr const char *final_strategy = "final";
bool is_final(const Record &record);

// Nothing for failures.
std::optional<double> score_of(const Record &record);

// The best of a recording, final lines aside; null if nothing was correct.
const Record *best_of(const std::vector<Record> &records);
const Record *model_of(const std::vector<Record> &records);
const Record *final_of(const std::vector<Record> &records);  // the last one

// A final line says that its candidate beats the model's choice by more than the spread.
bool beats_model(const Record &final_line);

}  // namespace alnsmith::tool::tune
