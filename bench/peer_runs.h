// A CIGAR in the making, for peers that write alignments otherwise: columns or runs in, runs of M, I and D out.
#pragma once

#include <vector>

enum RunOp : unsigned { run_match = 0, run_insertion = 1, run_deletion = 2 };  // as in BAM

class Runs {
 public:
  void clear() { runs_.clear(); }
  void add(unsigned length, RunOp op) {
    if (!runs_.empty() && (runs_.back() & 15) == op)
      runs_.back() += length << 4;
    else
      runs_.push_back(length << 4 | op);
  }
  const unsigned *data() const { return runs_.data(); }
  long size() const { return static_cast<long>(runs_.size()); }

 private:
  std::vector<unsigned> runs_;
};
