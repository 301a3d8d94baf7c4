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
  if (wants_end(sp)) {
    store_shared_wide(own + splat_pos(sp.packing), first_lane_only, answer.row);
    store_shared_wide(own + splat_pos(2 * sp.packing), first_lane_only, answer.column);
  }
  barrier();
  for (int w = residual(0); w < sp.warps; ++w) {
    const vpos theirs = splat_pos(words + w * 3 * sp.packing) + half_index();
    const vwide score = load_shared_wide(theirs, all_lanes(), splat_wide(0));
    vwide row = answer.row, column = answer.column;
    if (wants_end(sp)) {
      row = load_shared_wide(theirs + splat_pos(sp.packing), all_lanes(), splat_wide(0));
      column = load_shared_wide(theirs + splat_pos(2 * sp.packing), all_lanes(), splat_wide(0));
    }
    consider(sp, answer, all_lanes(), score, row, column);
  }
  barrier();
}

// A group's stages in one pipeline of the block's warps.
template <class Gap, class Watch>
void run_pipeline(const DeviceKernel<Gap> &k, const Group &g) {
  const Spec &sp = k.sp;
  const int rows = chunk_rows(sp);
  const int strip = sp.warps * sp.p * sp.k;
  const int steps = g.target_max + sp.p - 1;
  const int period = max(steps + rows - 1, 2 * sp.warps * rows);  // of a strip; its last chunk may end behind it
  const int lag = 2 * (sp.warps - 1) * rows;                      // of the last warp behind the first
  Answer answer = no_answer(Watch::nothing);
  Stage<Gap> s;
  start_stage(k, g, 0, s);  // a warp without a stage of its own stores nothing of it
  Watch watch;
  watch.start();
  if constexpr (Watch::traces) watch.record(sp, g, warp_index(), sp.warps);
  int t = -2 * rows * warp_index();
  int column = warp_index() * sp.p * sp.k;
  int time = residual(0);  // of the first warp, in its strip: no count of all steps, which could pass 2^31
  for (int first = residual(0); first < g.query_max || time < lag;) {
    const bool active = column < g.query_max;
    if (active && t == 0) {
      watch.start_stage(k, column, answer);
      start_stage(k, g, column, s);
    }
    if (active && t >= 0 && t < steps) {
      run_chunk(k, g, column, t, s, watch, answer);
      if (t + rows >= steps) watch.end_stage(k, g, s, answer);
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
  watch.finish(k, answer);
  merge_lanes(sp, answer);
  merge_warps(sp, answer);
  store_result<Gap, Watch>(k, g, answer);
  if constexpr (Watch::traces) {
    if (warp_index() == 0) walk_back(k, g, answer);
    barrier();  // before the codes of the next group are left there
  }
}

template <class Gap, class Watch>
int block(const Spec &sp, const GroupArgs *a) {
  const DeviceKernel<Gap> k = make_device_kernel<Gap>(sp, a);
  build_tables(k);
  int built = residual(-1);
  for (int item = block_index(); item * sp.packing < a->alignments; item += block_count()) {
    Group g = make_group(sp, a, item, block_index());
    g.stored = g.stored & equal(splat_pos(warp_index()), splat_pos(0));
    if (sp.warps == 1)  // no pipeline: nobody takes part of the group's stages
      run_stages<Gap, Watch>(k, g, built);
    else
      run_pipeline<Gap, Watch>(k, g);
  }
  return 0;
}
