// Lane mapping `block`: the warps of a block share an alignment (Hains et al. 2011, the improved intra-task kernel).
//
// Each warp is a stage of p = warp lanes; the stages of a block make a strip. Warp w runs two chunks behind warp w - 1,
// which hands its right border on; behind the last warp the first begins the next strip without a pause, so the whole
// alignment fills the pipeline once. All warps meet after every chunk. A border row is written by a warp before the
// next one reads it and read before it is written again, so one border serves all of them; a short one lies in shared
// memory.
#pragma once
#include "wavefront.h"

// The results of the block's warps in the first one. Words of shared memory: three totals a warp and alignment.
inline void merge_warps(const Spec &sp, Answer &answer) {
  const int words = merge_word(sp);
  const vmask first_lane_only = equal(lane_index(sp.warp), splat_pos(0));
  const vpos own = splat_pos(words + warp_index() * 3 * sp.packing) + half_index();
  store_shared_wide(own, first_lane_only, answer.score);
  if (sp.end) {
    store_shared_wide(own + splat_pos(sp.packing), first_lane_only, answer.row);
    store_shared_wide(own + splat_pos(2 * sp.packing), first_lane_only, answer.column);
  }
  barrier();
  const vmask all = equal(splat_pos(0), splat_pos(0));
  for (int w = residual(0); w < sp.warps; ++w) {
    const vpos theirs = splat_pos(words + w * 3 * sp.packing) + half_index();
    const vwide score = load_shared_wide(theirs, all, splat_wide(0));
    vwide row, column;
    if (sp.end) {
      row = load_shared_wide(theirs + splat_pos(sp.packing), all, splat_wide(0));
      column = load_shared_wide(theirs + splat_pos(2 * sp.packing), all, splat_wide(0));
    }
    consider(sp, answer, all, score, row, column);
  }
  barrier();
}

// A group's stages in one pipeline of the block's warps.
template <class Gap>
void run_pipeline(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const aln_device_args_v1 *a,
                  const Group &g) {
  const int rows = chunk_rows(sp);
  const int strip = sp.warps * sp.p * sp.k;
  const int steps = g.target_max + sp.p - 1;
  const int period = max(steps + rows - 1, 2 * sp.warps * rows);  // of a strip; its last chunk may end behind it
  const int lag = 2 * (sp.warps - 1) * rows;                      // of the last warp behind the first
  Answer answer = no_answer(sp);
  Stage<Gap> s;
  start_stage(sp, f, g, 0, s);
  load_device_tile(sp, a, g.query_first, g.query_length, s.first, s.tile);
  if (sp.local) {
    s.best = splat(0);
    s.row = splat_pos(-1);
    s.column = splat_pos(-1);
  }
  int t = -2 * rows * warp_index();
  int column = warp_index() * sp.p * sp.k;
  int time = residual(0);  // of the first warp, in its strip: no count of all steps, which could pass 2^31
  for (int first = residual(0); first < g.query_max || time < lag;) {
    const bool active = column < g.query_max;
    if (active && t == 0) {
      if (sp.local && sp.end) {
        collect_local(sp, s, answer);
        s.best = splat(0);
      }
      enter_stage(sp, f, a, g, column, s);
    }
    if (active && t >= 0 && t < steps) {
      run_chunk(sp, v, f, a, g, column, t, s, answer);
      if (t + rows >= steps) finish_stage(sp, f, g, s, answer);
    }
    t = t + rows;
    if (t >= period) {
      t = 0;
      column = column + strip;
    }
    time = time + rows;
    if (time >= period) {
      time = 0;
      first = first + strip;
    }
    barrier();
  }
  collect_local(sp, s, answer);
  merge_lanes(sp, sp.p, answer);
  merge_warps(sp, answer);
  store_result(sp, f, a, g, answer);
}

template <class Gap>
int block(const Spec &sp, const aln_device_args_v1 *a) {
  const Scoring<Gap> v = read_scoring<Gap>(sp, a->scoring);
  const DeviceFrame<Gap> f = make_device_frame(sp, v);
  const int *matrix = a->matrix;
  if (sp.matrix && !sp.matrix_runtime) matrix = folded_matrix();
  if (sp.matrix) {
    build_table(sp, v, f, matrix);
    barrier();
  }
  int built = residual(-1);
  for (int item = block_index(); item * sp.packing < a->alignments; item += block_count()) {
    Group g = make_group(sp, a, item, block_index());
    g.stored = g.stored & equal(splat_pos(warp_index()), splat_pos(0));
    if (sp.warps == 1)  // no pipeline: nobody takes part of the group's stages
      run_stages(sp, v, f, a, matrix, g, built);
    else
      run_pipeline(sp, v, f, a, g);
  }
  return 0;
}
