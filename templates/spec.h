// What the generator knows when it evaluates a template: the static side of every kernel.
//
// The planner fills it in from the YAML spec, the target and the tile; a directly run template gets the same
// struct as ordinary data.  All costs are positive and all scores are maximised.
#pragma once

// A number of the scoring: folded into the kernel, or read from aln_args_v1.scoring at `index`.
struct Setting {
  bool runtime;
  int value;
  int index;
};

// A line of what a side's gaps cost (gap_costs.h).
struct GapSetting {
  Setting open, extend;
};
constexpr int MAX_LINES = 2;

struct Spec {
  int k;                // letters of the register side held at a time, 1..MAX_K
  int rows;             // stream letters a turn where one lane has an alignment for itself, 1..MAX_ROWS
  int lowest, highest;  // range of a vscore
  int gap_states;       // beside H, of each side: which gap model (gaps.h)
  bool local;           // floor 0; else the scores are kept sheared (frame.h)
  bool shared;          // one stream for all lanes
  bool end;             // the answer's last letters are wanted, not only its score
  bool refill;          // a lane's register side may hold several sequences; local and shared only
  bool matrix;          // substitution matrix, else match/mismatch
  bool matrix_runtime;  // the matrix comes with the call
  int letters;          // of the alphabet, wildcard included

  // An unaligned prefix or suffix of that side costs nothing.
  bool stream_begin_free, stream_end_free, register_begin_free, register_end_free;

  // How local scores stay at 0 and above: gaps opened by a saturating subtraction, a floor where the cell's diagonal
  // is added, or one where its maximum is taken; gap states need a floor of their own where they may not be negative.
  bool saturating, floor_diagonal, floor_cell, floor_gaps;

  // Devices (group_ops.def).
  int warp, warps;  // threads in lock step; of these in a block
  int p;            // lanes that share an alignment, a power of two
  int packing;      // alignments a lane
  bool single;      // shared, and all of a lane's alignments have the same query, each a stream of its own
  bool rebased;     // scores are kept relative to a base that moves along, so that a narrow range serves any length
  bool separate;    // a packed score may have negative halves; else what a select yields must be 0 and up
  bool wildcard;    // the alphabet has one
  bool picked;      // match/mismatch of four letters by picking from a row (pick in group_ops.def)
  int eased;   // columns in 8 whose gap along the register side is chosen by sums (max_by_sums in group_ops.def); not
               // local
  int copies;  // of a matrix in shared memory, a power of two
  int shared_rows;  // mapping `block`: stream letters up to which the border lies in shared memory

  Setting match, mismatch;
  GapSetting stream_gap[MAX_LINES];    // a gap that skips letters of the stream side
  GapSetting register_gap[MAX_LINES];  // a gap that skips letters of the register side
  Setting score_min, score_max;        // smallest and largest substitution score
};
