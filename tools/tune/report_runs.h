// From records to what a page shows: runs, and in each run every configuration once.
//
// In:  recordings. Out: runs in the order of their first record, and the JSON text that the page's scripts read.
// A run is what can be compared: one spec, target, device, mode, workload and machine, of one file.
#pragma once

#include <string>
#include <vector>

#include "tune/report.h"

namespace alnsmith::tool::tune {

// All records of one configuration. It counts as failed where no record is correct, or where one is wrong: a kernel
// that was wrong once cannot be trusted.
struct Candidate {
  const Record *shown = nullptr;        // correct: that of the middle GCUPS (of two the lower one); failed: the last
  std::vector<const Record *> correct;  // by GCUPS
  std::vector<const Record *> failed;   // in the file's order
  bool model = false;                   // what the planner takes without a tuned table
};

struct ReportedRun {
  std::string file;
  bool torn = false;
  const Record *first = nullptr;
  std::vector<const Record *> records;
  std::vector<Candidate> candidates;   // in the order of their first record
  const Record *final_line = nullptr;  // the last comparison of the best with the model's choice, no candidate itself
};

// The runs point into `recordings`.
std::vector<ReportedRun> runs_of(const std::vector<NamedRecording> &recordings);

std::string runs_json(const std::vector<ReportedRun> &runs);

}  // namespace alnsmith::tool::tune
