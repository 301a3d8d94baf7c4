// What the generator knows when it evaluates a template: the static side of every kernel.
//
// The planner fills it in from the YAML spec, the target and the tile (spec.def has the fields); a directly run
// template gets the same struct as ordinary data.  All costs are positive and all scores are maximised.
#pragma once
#include "circuit.h"
#include "kernel_abi.h"
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
constexpr int MAX_LINES = (ALN_SCORING_COUNT - 4) / 4;  // beside four scores, two costs of either side

struct Spec {
#define ALN_FIELD(type, name) type name;
#define ALN_FIELD_OR(type, name, otherwise) type name;
#define ALN_SETTING(name) Setting name;
#define ALN_GAP_SETTING(name) GapSetting name[MAX_LINES];
#define ALN_CIRCUIT(name) Circuit name;
#include "spec.def"
};

// All lanes of a vector share an alignment (mappings `strips` and `striped`); how many there are the target says.
inline bool fills_vector(const Spec &sp) { return sp.p == 0; }
// No alignment begins with letters of that side alone, or those cost nothing.
inline bool stream_begin_forbidden(const Spec &sp) { return sp.stream_begin == Begin::forbidden; }
inline bool register_begin_forbidden(const Spec &sp) { return sp.register_begin == Begin::forbidden; }
inline bool stream_begin_free(const Spec &sp) { return sp.stream_begin == Begin::free; }
inline bool register_begin_free(const Spec &sp) { return sp.register_begin == Begin::free; }
// A stage may run a window of its rows alone, those outside being worth a gap (strip_abi.h).
inline bool has_windows(const Spec &sp) {
  return sp.mapping == Mapping::strips && sp.goal == Goal::corner && sp.floor == Floor::none &&
         !stream_begin_free(sp) && !register_begin_free(sp) && sp.band == Band::none;
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
// Letters are sets of states; columns of the register side may be flagged, a state more of their letters; and there a
// letter of a gap costs `flag_cost`.
inline bool has_sets(const Spec &sp) { return sp.scores == Scores::intersect; }
inline bool has_flags(const Spec &sp) { return sp.flags != Flags::none; }
inline bool has_flag_cost(const Spec &sp) { return sp.flags == Flags::score_and_gap; }
// Bytes of a letter.
inline int letter_bytes(const Spec &sp) {
  if (!has_sets(sp)) return 1;
  return (sp.states + (has_flags(sp) ? 1 : 0) + ALN_STATES_OF_BYTE - 1) / ALN_STATES_OF_BYTE;
}
// Some cells, or borders, do not exist.
inline bool irregular(const Spec &sp) {
  return sp.band == Band::of_alignment || stream_begin_forbidden(sp) || register_begin_forbidden(sp);
}
// Each lane has a base of its own: lane_base.h, and mapping `strips`.
inline bool lanes_rebase(const Spec &sp) { return sp.base == Base::moving_by_lane; }
// Scores are kept as columns.h says.
inline bool by_strip(const Spec &sp) { return sp.floor == Floor::none && (has_sets(sp) || irregular(sp)); }
// Mapping `lanes`: no score leaves its range, so that none is guarded.
inline bool never_overflows(const Spec &sp) { return by_strip(sp) || lanes_rebase(sp); }
inline bool looks_up(const Spec &sp) { return sp.pick == Pick::look_up; }
inline bool wants_end(const Spec &sp) { return sp.output != Output::score; }
inline bool wants_begin(const Spec &sp) { return sp.output == Output::begin || sp.output == Output::cigar; }
inline bool wants_cigar(const Spec &sp) { return sp.output == Output::cigar; }
