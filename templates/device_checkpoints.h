// The way back on devices where the codes of all cells take more memory than a group has: checkpoints.
//
// A unit is what a warp or block scores side by side: a stage, or the stages of a block's warps. While the units run,
// the border left of each is kept, and of their codes those of the last unit alone are left. The ways go through it;
// then the unit that the foremost of them has come to runs again, down to the lowest row that a way stands in, and so on
// to the left: no cell is scored more than twice. A gap that crosses a border goes on, since a way stands in the state
// that it has come with.
//
// Where the borders of all units take too much as well, those of sections are kept: the border left of each section's
// first unit, and of the units of one section. Before the ways go through another section its units run once more: no
// cell is scored more than three times.
//
// Rows of the group's borders: if warps hand on within a unit, those of that border; then by unit of a section but the
// first, then by section but the first. With u units these are u borders where all are kept, else no more than 2 * s
// for the least s of s * s >= u; the first besides.
#pragma once
#include "device_trace.h"

struct Checkpoints {
  bool used;
  int rows;             // of a border
  int handed;           // borders before the kept ones
  int units;            // of the group
  int size;             // units of a section
  int section, within;  // the current unit

  int left() const {
    const int place = within > 0 ? within - 1 : size + section - 2;
    return used ? (handed + place) * rows : 0;
  }
  int unit() const { return section * size + within; }
  void next() {
    within = within + 1;
    const bool ends = within == size;
    section = ends ? section + 1 : section;
    within = ends ? 0 : within;
  }
};

// `columns`: of a unit.
inline Checkpoints make_checkpoints(const Group &g, int border_rows, bool used, int handed, int columns) {
  Checkpoints kept;
  kept.used = used;
  kept.rows = g.target_max;
  kept.handed = handed;
  kept.section = residual(0);
  kept.within = residual(0);
  int room = border_rows;
  if (handed > 0) room = room_beside_piece(room, kept.rows);
  kept.units = residual(0);
  for (int column = residual(0); column < g.query_max; column += columns) {
    kept.units = kept.units + 1;
    room = room_beside_piece(room, kept.rows);
  }
  kept.size = kept.units;
  if (room < 0) {
    kept.size = residual(1);
    while (kept.size * kept.size < kept.units) kept.size = kept.size + 1;
  }
  return kept;
}
inline Checkpoints no_checkpoints() {
  Checkpoints kept;
  kept.used = false;
  kept.rows = kept.handed = kept.units = kept.size = kept.section = kept.within = 0;
  return kept;
}

// From the alignments' ends to their begins. `Shared` says who shares an alignment, and runs units (wavefront.h).
template <class Gap, class Watch, class Shared>
void walk_back(const DeviceKernel<Gap> &k, const Group &g, const TraceOf &trace, Checkpoints kept,
               const Answer &answer) {
  const int columns = Shared::warps(k.sp) * k.sp.p * k.sp.k;
  // The section whose borders are at hand.
  kept.section = residual(0);
  while ((kept.section + 1) * kept.size < kept.units) kept.section = kept.section + 1;
  int first = kept.used ? (kept.units - 1) * columns : 0;
  DeviceWalk<Gap> way;
  way.start(trace, answer);
  Shared::meet();
  for (bool more = residual(1) > 0; more;) {
    if (Shared::walks(k.sp)) way.walk(k, g, first);
    more = false;
    if (kept.used) {
      if (Shared::walks(k.sp)) way.leave(k, g);
      Shared::meet();
      way.take_up(k, g);
      const vmask under_way = way.under_way(0);
      more = any(under_way);
      if (more) {
        const int goal = largest(quotient(select(under_way, way.column, splat_pos(0)), columns));
        const int rows = largest(select(under_way, way.row, splat_pos(0))) + 1;
        const int before = kept.section;
        while (kept.section * kept.size > goal) kept.section = kept.section - 1;
        kept.within = kept.section == before ? goal - kept.section * kept.size : 0;
        typename Watch::Again watch;
        watch.record(trace, Shared::warp(), Shared::warps(k.sp));
        Answer nothing = no_answer(Watch::nothing);
        Shared::template run<Gap>(k, g, kept.unit() * columns, min((goal + 1) * columns, g.query_max), rows, kept,
                                  watch, nothing);
        first = goal * columns;
        Shared::meet();
        way.take_up(k, g);
      }
    }
  }
  if (Shared::walks(k.sp)) way.finish(k, g);
}
