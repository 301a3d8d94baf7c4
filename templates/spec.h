// What the generator knows when it evaluates a template: the static side of every kernel.
//
// The planner fills it in from the YAML spec, the target and the tile; a directly run template gets the same
// struct as ordinary data.  All costs are positive and all scores are maximised.
#pragma once
#include "circuit.h"
#include "policies.h"

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
  int gap_states;  // beside H, of each side: which gap model (gaps.h)
  Floor floor;
  Goal goal;
  Output output;
  Sharing sharing;
  Scores scores;
  Pick pick;
  Base base;

  int k;                // letters of the register side held at a time, 1..MAX_K
  int unroll;           // stream letters per turn where one lane has an alignment for itself, 1..MAX_ROWS
  int lowest, highest;  // range of a vscore
  int letters;          // of the alphabet, wildcard included
  int patch_rows;       // stream letters of a patch, which runs again on the way back (trace.h), 1..MAX_K
  bool wildcard;        // the alphabet has one
  bool banded;          // cells outside of a band do not exist (band.h)

  // Mapping `lanes` (columns.h).
  int states;      // a letter is a set of so many; 0: it is none
  bool flags;      // columns of the register side may be flagged: a state more of their letters
  int flag_score;  // added on the diagonal at a flagged column
  bool flag_gap;   // at a flagged column a letter of a gap costs `flag_cost`
  int flag_cost;
  bool bounded;                                           // each lane has a band of its own
  bool stream_begin_forbidden, register_begin_forbidden;  // no alignment begins with letters of that side alone

  // An unaligned prefix of that side costs nothing; of suffixes the goal says it.
  bool stream_begin_free, register_begin_free;

  // The sum along the diagonal enters a cell's maximum last, which then is one of three values, and not one with a sum.
  bool sum_last;
  int off_pipe_columns;  // columns in 8 whose gap along the register side is chosen by max_off_pipe (group_ops.def)

  // Devices (group_ops.def).
  int warp, warps;  // threads in lock step; of these in a block
  int p;            // lanes that share an alignment, a power of two; 0: fills_vector()
  int packing;      // alignments per lane
  int chunk;        // rows between two rebases
  int skew;         // rows that a lane is behind the one before it, 1..MAX_SKEW
  int replicas;     // of a matrix in shared memory, a power of two
  int shared_rows;  // mapping `block`: stream letters up to which the border lies in shared memory
  bool striped;     // mapping `striped`: lanes hold stripes of one query, and run rows by rows together

  Circuit circuit;  // bit-sliced kernels (sliced.h)

  Setting match, mismatch;
  GapSetting stream_gap[MAX_LINES];    // a gap that skips letters of the stream side
  GapSetting register_gap[MAX_LINES];  // a gap that skips letters of the register side
  bool one_gap;                        // mapping `lanes`: a call's costs are those of stream_gap for both sides
  Setting score_min, score_max;        // smallest and largest substitution score
};

// All lanes of a vector share an alignment (mappings `strips` and `striped`); how many there are the target says.
inline bool fills_vector(const Spec &sp) { return sp.p == 0; }
// A stage may run a window of its rows alone, those outside being worth a gap (strip_abi.h).
inline bool has_windows(const Spec &sp) {
  return sp.p == 0 && !sp.striped && sp.goal == Goal::corner && sp.floor == Floor::none && !sp.stream_begin_free &&
         !sp.register_begin_free && !sp.banded;
}
// Some columns take a maximum elsewhere, so that no pipe waits for the one of maxima.
inline bool off_pipe(const Spec &sp, int column) { return column * sp.off_pipe_columns % 8 < sp.off_pipe_columns; }
inline bool floored(const Spec &sp) { return sp.floor != Floor::none; }
inline bool stream_end_free(const Spec &sp) {
  return sp.goal == Goal::last_column || sp.goal == Goal::last_row_and_column;
}
inline bool register_end_free(const Spec &sp) {
  return sp.goal == Goal::last_row || sp.goal == Goal::last_row_and_column;
}
inline bool has_matrix(const Spec &sp) {
  return sp.scores == Scores::folded_matrix || sp.scores == Scores::call_matrix;
}
// Bytes of a letter.
inline int letter_bytes(const Spec &sp) {
  if (sp.states == 0) return 1;
  return (sp.states + (sp.flags ? 1 : 0) + ALN_STATES_OF_BYTE - 1) / ALN_STATES_OF_BYTE;
}
// The same, 0 where it is none.
inline int set_bytes(const Spec &sp) { return sp.states > 0 ? letter_bytes(sp) : 0; }
// Some cells, or borders, do not exist.
inline bool irregular(const Spec &sp) { return sp.bounded || sp.stream_begin_forbidden || sp.register_begin_forbidden; }
// Each lane has a base of its own: lane_base.h, and mapping `strips`.
inline bool lanes_rebase(const Spec &sp) { return sp.base == Base::moving_by_lane; }
// Scores are kept as columns.h says.
inline bool by_strip(const Spec &sp) { return sp.floor == Floor::none && (sp.states > 0 || irregular(sp)); }
// Mapping `lanes`: no score leaves its range, so that none is watched.
inline bool never_overflows(const Spec &sp) { return by_strip(sp) || lanes_rebase(sp); }
inline bool looks_up(const Spec &sp) { return sp.pick == Pick::look_up; }
inline bool wants_end(const Spec &sp) { return sp.output != Output::score; }
inline bool wants_begin(const Spec &sp) { return sp.output == Output::begin || sp.output == Output::cigar; }
inline bool wants_cigar(const Spec &sp) { return sp.output == Output::cigar; }
