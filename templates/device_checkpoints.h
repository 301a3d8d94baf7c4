// The way back on devices where the codes of all cells take more memory than a group has: checkpoints.
//
// A unit is what a warp or block scores side by side: a stage, or the stages of a block's warps. While the units run,
// the border left of each is kept, and of their codes those of the last unit alone are left. The ways go through it;
// then the unit that the foremost of them has come to runs again, down to the lowest row that a way stands in, and so
// on to the left: no cell is scored more than twice. A gap that crosses a border goes on, since a way stands in the
// state that it has come with.
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
    kept.size = kernel_memory::section_units(kept.units, residual(1));
  }
  return kept;
}
// Where a uniform condition holds, in all lanes.
inline vmask wherever(bool condition) { return greater(splat_pos(condition ? 1 : 0), splat_pos(0)); }

// A group's units, and from the alignments' ends to their begins. `Shared` says who shares an alignment, and runs units
// (wavefront.h).
//
// Units run again by the same text; whatever the watch then finds is not stored.
template <class Gap, class Watch, class Shared>
void run_and_walk_back(const DeviceKernel<Gap> &k, const Group &g) {
  const Spec &sp = k.sp;
  const int columns = Shared::warps(sp) * sp.p * sp.k;
  const TraceOf trace = make_trace(sp, k.a, g);
  Checkpoints kept = make_checkpoints(g, k.a->border_rows, !trace.all, Shared::warps(sp) > 1 ? 1 : 0, columns);
  // The section whose borders are at hand when all units have run.
  int held = residual(0);
  while ((held + 1) * kept.size < kept.units) held = held + 1;
  Answer answer = no_answer(Watch::nothing);
  Watch watch;
  watch.start();
  watch.record(trace, Shared::warp(), Shared::warps(sp));
  DeviceWalk<Gap> way;
  // Columns and rows to run, and the column from which on codes are at hand then.
  int from = residual(0), end = g.query_max, rows = g.target_max;
  int first = kept.used ? (kept.units - 1) * columns : 0;
  Group once = g;
  for (int round = residual(0), rounds = 1; round < rounds; round = round + 1) {
    Shared::run(k, g, from, end, rows, kept, watch, answer);
    watch.finish(k, answer);
    Shared::merge(sp, answer);
    once.stored = g.stored & wherever(round == 0);
    store_result<Gap, Watch>(k, once, answer);
    way.start(trace, answer);
    if (round > 0) way.take_up(k, g, all_lanes());
    Shared::meet();  // codes are there; and all have taken up what is left anew behind the walk
    if (Shared::walks()) way.walk(k, g, first);
    if (Shared::walks() && kept.used) way.leave(k, g, all_lanes());
    Shared::meet();
    if (kept.used) way.take_up(k, g, all_lanes());
    const vmask under_way = way.under_way(0);
    const bool some = any(under_way);
    rounds = kept.used && some ? round + 2 : rounds;
    const int goal = largest(quotient(select(under_way, way.column, splat_pos(0)), columns));
    const int before = held;
    while (held * kept.size > goal) held = held - 1;
    kept.section = held;
    kept.within = held == before ? goal - held * kept.size : 0;
    from = kept.unit() * columns;
    end = min((goal + 1) * columns, g.query_max);
    rows = largest(select(under_way, way.row, splat_pos(0))) + 1;
    first = goal * columns;
  }
  if (Shared::walks()) way.finish(k, g);
}
