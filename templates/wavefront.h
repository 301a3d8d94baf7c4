// Lane mapping `wavefront`: p lanes of a warp share an alignment, k register letters each (AnySeq/GPU; Schmidt et al.,
// CUDASW++4.0). A register side longer than p * k goes in stages. With p = 1 this is mapping `lanes`: one alignment per
// lane.
//
// Warps take groups of alignments in a loop that all warps of a block run equally often, so that they can meet to
// build a profile.
#pragma once
#include "device_checkpoints.h"
#include "ends.h"

// The group that work item `item` is. `own`: which border, and which memory for the way back, is its own.
inline Group make_group(const Spec &sp, const GroupArgs *a, int item, int own) {
  Group g;
  g.own = own;
  g.slots = warp_slots(sp);
  g.lane = lane_index(sp.p);
  g.late = g.lane;
  g.slot = segment_index(sp.p) * splat_pos(sp.packing) + half_index();
  const vpos wanted = splat_pos(item * g.slots) + g.slot;
  vpos last = splat_pos(a->alignments - 1);
  if (sp.sharing == Sharing::query) last = splat_pos(a->alignments - sp.packing) + half_index();
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
  g.border = own * a->border_rows * border_states(sp) * g.slots;
  g.left = g.right = 0;
  load_band(sp, a, g);
  return g;
}

template <class Gap, class Watch>
void store_result(const DeviceKernel<Gap> &k, const Group &g, const Answer &answer) {
  const OwnResults own = own_results(g);
  own.store(k.a->score, answer.score);
  store_ends(k.sp, k.a, own, answer.column, answer.row);
  store_mask_at(k.a->status, g.alignment, g.stored, Watch::exceeded(k, answer));
}

// A group's stages one behind another, those of columns `from` to `end`, and `rows` rows of them. `built`: column of
// the stage whose profile lies in shared memory. `kept`: the unit that is the first of these stages.
template <class Gap, class Watch>
void stages_in_turn(const DeviceKernel<Gap> &k, const Group &g, int from, int end, int rows, Checkpoints kept,
                    int &built, Watch &watch, Answer &answer) {
  const Spec &sp = k.sp;
  const int steps = rows + sp.p - 1;
  Stage<Gap> s;
  Group here = g;
  for (int column = from; column < end; column += sp.p * sp.k) {
    if (sp.sharing != Sharing::none && built != column) {
      barrier();
      build_profile(sp, k.v, k.f, k.a, k.matrix, g.query_first, g.query_length, g.lane, column);
      barrier();
      built = column;
    }
    if constexpr (Watch::traces) {
      here.left = kept.left();
      kept.next();
      here.right = kept.left();
    }
    start_stage(k, g, column, s);
    watch.start_stage(k, column, answer);
    for (int t = residual(0); t < steps; t += chunk_rows(sp)) run_chunk(k, here, column, t, s, watch, answer);
    watch.end_stage(k, g, s, answer);
  }
}

// Who shares an alignment: a warp, whose units are its stages.
struct SharedByWarp {
  static int warps(const Spec &) { return 1; }
  static int warp() { return 0; }
  static bool walks() { return true; }
  static void meet() { warp_barrier(); }
  static void merge(const Spec &sp, Answer &answer) { merge_lanes(sp, answer); }
  template <class Gap, class Watch>
  static void run(const DeviceKernel<Gap> &k, const Group &g, int from, int end, int rows, const Checkpoints &kept,
                  Watch &watch, Answer &answer) {
    int built = 0;
    stages_in_turn(k, g, from, end, rows, kept, built, watch, answer);
  }
};

template <class Gap, class Watch>
void run_stages(const DeviceKernel<Gap> &k, const Group &g, int &built) {
  if constexpr (Watch::traces) {
    run_and_walk_back<Gap, Watch, SharedByWarp>(k, g);
  } else {
    Answer answer = no_answer(Watch::nothing);
    Watch watch;
    watch.start();
    stages_in_turn(k, g, residual(0), g.query_max, g.target_max, Checkpoints(), built, watch, answer);
    watch.finish(k, answer);
    merge_lanes(k.sp, answer);
    store_result<Gap, Watch>(k, g, answer);
  }
}

// What all groups read from shared memory.
template <class Gap>
void build_tables(const DeviceKernel<Gap> &k) {
  if (!has_matrix(k.sp) || k.sp.sharing != Sharing::none) return;
  build_table(k.sp, k.v, k.f, k.matrix);
  barrier();
}

template <class Gap, class Watch>
int wavefront(const Spec &sp, const GroupArgs *a) {
  const DeviceKernel<Gap> k = make_device_kernel<Gap>(sp, a);
  build_tables(k);
  int built = residual(-1);
  for (int item = block_index() * sp.warps; item * warp_slots(sp) < a->alignments; item += block_count() * sp.warps) {
    const Group g = make_group(sp, a, item + warp_index(), block_index() * sp.warps + warp_index());
    run_stages<Gap, Watch>(k, g, built);
  }
  return 0;
}
