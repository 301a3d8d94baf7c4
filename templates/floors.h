// Floors: how the scores of local alignments stay at 0 and above. A floor is a struct of static members:
//   opened    a gap opened behind score h
//   extended  a gap with a letter more
//   diagonal  the score of a diagonal's end with that of its letters
//   cell      the last maximum of a cell's H
//   gap       the maximum of a gap state
// Which one is fastest depends on the arithmetic: the planner chooses.
#pragma once
#include "dialect.h"
#include "spec.h"

// Sheared scores (frame.h) have none. One that moves, as scores are kept beside a base, a stage puts under the sum
// along the diagonal itself (stage.h): H stays above, and no maximum takes a gap state that lies below.
struct NoFloor {
  static vscore opened(vscore h, vscore cost) { return h - cost; }
  static vscore extended(vscore gap, vscore cost) { return gap - cost; }
  static vscore diagonal(vscore h, vscore score) { return h + score; }
  static vscore cell(vscore a, vscore b) { return choose(a, b); }
  static vscore gap(vscore a, vscore b) { return choose(a, b); }
};

// A subtraction that saturates opens gaps at 0 and above, and every cell takes the maximum with one.
struct SaturatingFloor {
  static vscore opened(vscore h, vscore cost) { return sub_floor0(h, cost); }
  static vscore extended(vscore gap, vscore cost) { return gap - cost; }
  static vscore diagonal(vscore h, vscore score) { return h + score; }
  static vscore cell(vscore a, vscore b) { return choose(a, b); }
  static vscore gap(vscore a, vscore b) { return choose(a, b); }
};

// The sum along the diagonal is floored; gap states may be negative, and no maximum takes one then.
struct DiagonalFloor {
  static vscore opened(vscore h, vscore cost) { return h - cost; }
  static vscore extended(vscore gap, vscore cost) { return sub_gap(gap, cost); }
  static vscore diagonal(vscore h, vscore score) { return add_floor0(h, score); }
  static vscore cell(vscore a, vscore b) { return choose(a, b); }
  static vscore gap(vscore a, vscore b) { return choose(a, b); }
};

// The cell's last maximum is.
struct CellFloor {
  static vscore opened(vscore h, vscore cost) { return h - cost; }
  static vscore extended(vscore gap, vscore cost) { return sub_gap(gap, cost); }
  static vscore diagonal(vscore h, vscore score) { return h + score; }
  static vscore cell(vscore a, vscore b) { return max_floor0(a, b); }
  static vscore gap(vscore a, vscore b) { return choose(a, b); }
};

// And those of the gap states, where an arithmetic cannot keep them below 0.
struct CellAndGapsFloor {
  static vscore opened(vscore h, vscore cost) { return h - cost; }
  static vscore extended(vscore gap, vscore cost) { return sub_gap(gap, cost); }
  static vscore diagonal(vscore h, vscore score) { return h + score; }
  static vscore cell(vscore a, vscore b) { return max_floor0(a, b); }
  static vscore gap(vscore a, vscore b) { return max_floor0(a, b); }
};

// Returns `call` of the floor that the spec asks for.
#define ALN_WITH_FLOOR(sp, call)                                       \
  if (sp.floor == Floor::saturating) return SaturatingFloor::call;     \
  if (sp.floor == Floor::diagonal) return DiagonalFloor::call;         \
  if (sp.floor == Floor::cell) return CellFloor::call;                 \
  if (sp.floor == Floor::cell_and_gaps) return CellAndGapsFloor::call; \
  return NoFloor::call

inline vscore opened(const Spec &sp, vscore h, vscore cost) { ALN_WITH_FLOOR(sp, opened(h, cost)); }
inline vscore extended(const Spec &sp, vscore gap, vscore cost) { ALN_WITH_FLOOR(sp, extended(gap, cost)); }
inline vscore along_diagonal(const Spec &sp, vscore h, vscore score) { ALN_WITH_FLOOR(sp, diagonal(h, score)); }
// Where a floor moves with a base it is in a lane's state: a sum along the diagonal is raised to it. Returns the floor.
inline vscore raise_to_floor(const Spec &sp, const vscore &moving, vscore &sum) {
  vscore floor = splat(0);
  if (sp.floor == Floor::moving) {
    floor = moving;
    sum = max(sum, floor);
  }
  return floor;
}
inline vscore choose_cell(const Spec &sp, vscore a, vscore b) { ALN_WITH_FLOOR(sp, cell(a, b)); }
inline vscore choose_gap(const Spec &sp, vscore a, vscore b) { ALN_WITH_FLOOR(sp, gap(a, b)); }
