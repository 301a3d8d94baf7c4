// Lane mapping `wavefront`: p lanes of a warp share an alignment, k register letters each (AnySeq/GPU; Schmidt et al.,
// CUDASW++4.0). A register side longer than p * k goes in stages. With p = 1 this is mapping `lanes`: one alignment a
// lane.
//
// Warps take groups of alignments in a loop that all warps of a block run equally often, so that they can meet to
// build a profile.
#pragma once
#include "stage.h"

// The group that work item `item` is. `border`: which of the borders is its own.
inline Group make_group(const Spec &sp, const aln_device_args_v1 *a, int item, int border) {
  Group g;
  g.slots = warp_slots(sp);
  g.lane = lane_index(sp.p);
  g.slot = segment_index(sp.p) * splat_pos(sp.packing) + half_index();
  const vpos wanted = splat_pos(item * g.slots) + g.slot;
  vpos last = splat_pos(a->alignments - 1);
  if (sp.shared && !sp.single) last = splat_pos(a->alignments - sp.packing) + half_index();
  g.alignment = min(wanted, last);
  g.stored = greater(splat_pos(a->alignments), wanted) & equal(g.lane, splat_pos(0));
  const vpos query = load_pos_at(a->pair_query, g.alignment);
  const vpos target = load_pos_at(a->pair_target, g.alignment);
  g.query_first = load_pos_at(a->query_offset, query);
  g.query_length = load_pos_at(a->query_length, query);
  g.target_first = load_pos_at(a->target_offset, target);
  g.target_length = load_pos_at(a->target_length, target);
  g.query_min = smallest(g.query_length);
  g.query_max = largest(g.query_length);
  g.target_min = smallest(g.target_length);
  g.target_max = largest(g.target_length);
  g.border = border * a->border_rows * border_states(sp) * g.slots;
  return g;
}

template <class Gap>
void enter_stage(const Spec &sp, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a, const Group &g, int column,
                 Stage<Gap> &s) {
  start_stage(sp, f, g, column, s);
  load_device_tile(sp, a, g.query_first, g.query_length, s.first, s.tile);
}

// What a local alignment has found so far lies in the stage until all of them are done.
template <class Gap>
void collect_local(const Spec &sp, const Stage<Gap> &s, Answer &answer) {
  if (!sp.local) return;
  vwide row = splat_wide(-1), column = splat_wide(-1);
  if (sp.end) {
    row = to_wide(s.row);
    column = to_wide(s.column);
  }
  consider(sp, answer, greater(s.best, splat(0)), to_wide(s.best), row, column);
}

template <class Gap>
void store_result(const Spec &sp, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a, const Group &g,
                  const Answer &answer) {
  store_wide_at(a->score, g.alignment, g.stored, answer.score);
  if (sp.end) {
    store_wide_at(a->query_end, g.alignment, g.stored, answer.column);
    store_wide_at(a->target_end, g.alignment, g.stored, answer.row);
  }
  vmask exceeded = greater(splat_wide(0), splat_wide(1));
  if (sp.local) exceeded = greater(answer.score, splat_wide(f.cell.limit));
  store_mask_at(a->status, g.alignment, g.stored, exceeded);
}

// A group's stages one behind another. `built`: column of the stage whose profile lies in shared memory.
template <class Gap>
void run_stages(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a,
                const int *matrix, const Group &g, int &built) {
  const int stage_width = sp.p * sp.k;
  const int steps = g.target_max + sp.p - 1;
  Answer answer = no_answer(sp);
  Stage<Gap> s;
  if (sp.local) {
    s.best = splat(0);
    s.row = splat_pos(-1);
    s.column = splat_pos(-1);
  }
  for (int column = residual(0); column < g.query_max; column += stage_width) {
    if (sp.shared && built != column) {
      barrier();
      build_profile(sp, v, f, a, matrix, g.query_first, g.query_length, g.lane, column);
      barrier();
      built = column;
    }
    enter_stage(sp, f, a, g, column, s);
    if (sp.local && sp.end && column > 0) {
      // An equal score counts if its target end is smaller: each stage begins anew.
      collect_local(sp, s, answer);
      s.best = splat(0);
    }
    for (int t = residual(0); t < steps; t += chunk_rows(sp)) run_chunk(sp, v, f, a, g, column, t, s, answer);
    finish_stage(sp, f, g, s, answer);
  }
  collect_local(sp, s, answer);
  merge_lanes(sp, sp.p, answer);
  store_result(sp, f, a, g, answer);
}

template <class Gap>
int wavefront(const Spec &sp, const aln_device_args_v1 *a) {
  const Scoring<Gap> v = read_scoring<Gap>(sp, a->scoring);
  const DeviceFrame<Gap> f = make_device_frame(sp, v);
  const int *matrix = a->matrix;
  if (sp.matrix && !sp.matrix_runtime) matrix = folded_matrix();
  const int slots = warp_slots(sp);
  if (sp.matrix && !sp.shared) {
    build_table(sp, v, f, matrix);
    barrier();
  }
  int built = residual(-1);
  for (int item = block_index() * sp.warps; item * slots < a->alignments; item += block_count() * sp.warps) {
    const Group g = make_group(sp, a, item + warp_index(), block_index() * sp.warps + warp_index());
    run_stages(sp, v, f, a, matrix, g, built);
  }
  return 0;
}
