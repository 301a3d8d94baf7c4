// One contender of a case: what it took, what it gave, and what is wrong with that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contender.h"

namespace bench {

struct Entry {
  Runner runner;
  Results results;
  std::vector<double> wall, cpu;                      // a repeat each
  std::size_t against_oracle = 0, against_first = 0;  // differing scores
  Complaints wrong;                                   // of whole alignments
};

// Fills in what differs from the textbook DP and from the first entry, and which CIGARs do not hold.
void compare(const Case &one, const oracle::Problem &exact, const OracleSample &sample, std::vector<Entry> &entries);

// Says on stdout what is wrong with an entry, and whom the textbook DP backs on the first few pairs whose scores
// differ. True if nothing is, or only `entry`, a peer, is wrong there.
bool judge(const Case &one, const oracle::Problem &exact, const OracleSample &sample, const Entry &entry,
           const Entry &first);

// The entry's line of the table, and of the JSON file; ratios are to the first where that is alnsmith.
void print_line(const Case &one, const Entry &entry, const Entry &first);
std::string json_line(const Case &one, const Entry &entry, const Entry &first);

}  // namespace bench
