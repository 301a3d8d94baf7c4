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

// A group's stages in one pipeline of the block's warps, those of columns `from` to `end`, and `letters` rows of them.
// `kept`: the strip that they begin with.
template <class Gap, class Watch>
void pipeline(const DeviceKernel<Gap> &k, const Group &g, int from, int end, int letters, Checkpoints kept,
              Watch &watch, Answer &answer) {
  const Spec &sp = k.sp;
  const int rows = chunk_rows(sp);
  const int strip = sp.warps * sp.p * sp.k;
  const int steps = letters + sp.p - 1;
  const int period = max(steps + rows - 1, 2 * sp.warps * rows);  // of a strip; its last chunk may end behind it
  const int lag = 2 * (sp.warps - 1) * rows;                      // of the last warp behind the first
  Stage<Gap> s;
  start_stage(k, g, 0, s);  // a warp without a stage of its own stores nothing of it
  Group here = g;
  int t = -2 * rows * warp_index();
  int column = from + warp_index() * sp.p * sp.k;
  int time = residual(0);  // of the first warp, in its strip: no count of all steps, which could pass 2^31
  for (int first = from; first < end || time < lag;) {
    const bool active = column < end;
    if (active && t == 0) {
      watch.start_stage(k, column, answer);
      start_stage(k, g, column, s);
    }
    if (active && t >= 0 && t < steps) {
      if constexpr (Watch::traces) {
        Checkpoints behind = kept;
        behind.next();
        here.left = warp_index() == 0 ? kept.left() : 0;
        here.right = warp_index() == sp.warps - 1 ? behind.left() : 0;
      }
      run_chunk(k, here, column, t, s, watch, answer);
      if (t + rows >= steps) watch.end_stage(k, g, s, answer);
    }
    t = t + rows;
    if (t >= period) {
      t = 0;
      column = column + strip;
      if constexpr (Watch::traces) kept.next();
    }
    time = time + rows;
    if (time >= period) {
      time = 0;
      first = first + strip;
    }
    barrier();
  }
}

// The warps of a block share an alignment, whose units are their strips; the first one walks.
struct SharedByBlock {
  static int warps(const Spec &sp) { return sp.warps; }
  static int warp() { return warp_index(); }
  static bool walks() { return warp_index() == 0; }
  static void meet() { barrier(); }
  static void merge(const Spec &sp, Answer &answer) {
    merge_lanes(sp, answer);
    merge_warps(sp, answer);
  }
  template <class Gap, class Watch>
  static void run(const DeviceKernel<Gap> &k, const Group &g, int from, int end, int rows, const Checkpoints &kept,
                  Watch &watch, Answer &answer) {
    pipeline(k, g, from, end, rows, kept, watch, answer);
  }
};

template <class Gap, class Watch>
void run_pipeline(const DeviceKernel<Gap> &k, const Group &g) {
  if constexpr (Watch::traces) {
    run_and_walk_back<Gap, Watch, SharedByBlock>(k, g);
    barrier();  // before the codes of the next group are left there
  } else {
    Answer answer = no_answer(Watch::nothing);
    Watch watch;
    watch.start();
    pipeline(k, g, residual(0), g.query_max, g.target_max, Checkpoints(), watch, answer);
    watch.finish(k, answer);
    SharedByBlock::merge(k.sp, answer);
    store_result<Gap, Watch>(k, g, answer);
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
