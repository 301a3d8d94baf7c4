// How fast a kernel can go: instructions of its loop over the rates of the pipes that take them.
//
// In:  a loop's operations (disassembly.h), rates of operations (lanes per clock and processor), measured or assumed.
// Out: clocks for one turn of the loop on one processor, and what limits it. A bound: no memory, no pipeline fill, no
//      idle lanes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::models {

// The loop over rows of a kernel, from its machine code.
struct RowLoop {
  int rows = 1, instructions = 0;  // of one turn
  std::map<std::string, int> operations;
};

// Two operations issued together: how far each keeps the other from running. 0: not at all; 1: one pipe for both.
struct Sharing {
  std::string a, b;
  double part = 0;
};

struct Rates {
  std::map<std::string, double> lanes;      // by operation of `operations()`, per clock and processor
  std::map<std::string, std::string> pipe;  // by operation: which ones run one behind another
  std::vector<Sharing> sharing;
  bool measured = false;
};

// An operation that is timed, the pipe that it is assumed to use and its assumed rate.
struct Operation {
  std::string_view name, pipe;
  double lanes;
};
const std::vector<Operation> &operations();
Rates assumed_rates();

// The operation that stands for a machine instruction ("VIADDMNMX.S16x2.RELU" is viaddmnmx16); empty for what only
// takes an issue slot.
std::string_view operation_of(std::string_view instruction);

// Corrects `rates` by what was timed: operations alone, and pairs of them, lanes of each per clock. An operation goes
// to the pipe of the reference operation that it shares nearly all of its time with; other sharing counts as such.
struct TimedPair {
  std::string a, b;
  double lanes = 0;  // of each
};
void correct(Rates &rates, const std::map<std::string, double> &alone, const std::vector<TimedPair> &pairs);
// Those that pairs are made with: one of each assumed pipe that matters.
const std::vector<std::string> &reference_operations();

struct Bound {
  double clocks = 0;  // of a processor, for one turn of the loop of one thread
  std::string limit;  // "alu", "issue", "hadd2+imad"
};
Bound bound(const RowLoop &loop, const Rates &rates);

// Cells a second of a device: `alignments` of a thread's register (packing), k columns.
double cells_per_second(const Bound &bound, const RowLoop &loop, int k, int packing, int processors, double clock_hz);

}  // namespace alnsmith::models
