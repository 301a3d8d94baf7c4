// Winners into a tuned table (<target>.json), which the planner reads.
#pragma once

#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "tune/record.h"

namespace alnsmith::tool::tune {

struct Applied {
  std::string text;                // of the table
  std::vector<std::string> lines;  // what became of each recording, and the lines that say it in a spec
};

// What a spec says to have `choice` on every machine, a line per key; a line on what only a table can say.
std::vector<std::string> spec_lines(const Configuration &choice, const std::string &target);

// `table`: what the file holds, or empty. Each recording's last comparison decides: where its candidate beats the
// model's choice beyond the spread, its row replaces the one for the same spec, CPU class and form; else that row goes.
Result<Applied> applied(const std::string &table, const std::string &target, const std::vector<Recording> &recordings);

}  // namespace alnsmith::tool::tune
