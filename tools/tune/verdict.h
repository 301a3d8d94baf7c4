// What a recording comes to: what its last comparison with the planner's choice says, and what to do next.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tune/record.h"

namespace alnsmith::tool::tune {

constexpr double kNoise = 0.1;   // quartile spread of the ratios above which a comparison is made again
constexpr int kComparisons = 3;  // at most

// "faster" or "slower", where the gain is beyond the spread; else "no difference".
std::string verdict(const Record &final_line);
bool is_noisy(const Record &final_line);

// Compares until the spread is at most kNoise, at most kComparisons times: the quietest of them and of `before`, an
// earlier line of the same two if there is one, with the number of all as measurement "comparisons". None where
// `before` stays the quietest. A failure ends it. `again` is called before each but the first.
Result<std::optional<Record>> settled(const std::function<Result<Record>()> &compare,
                                      const std::function<void(const Record &)> &again, const Record *before = nullptr);

// The next command or the reason why there is none, one line; `file` is the recording's name for messages.
std::string next_step(const std::vector<Record> &records, const std::string &file);

}  // namespace alnsmith::tool::tune
