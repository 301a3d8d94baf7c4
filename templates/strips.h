// Lane mapping `strips`: one alignment for all lanes of a vector, k letters of the query each, as the lanes of a warp
// share one (wavefront.h). The query goes in stages of p * k letters; a call of the kernel runs one of them.
//
// The stages of an alignment run one behind another, or side by side on several cores: a stage waits until the one
// before it has left the rows that it reads next, and says how far it is itself. The border right of a stage may
// take the place of the one left of it, row by row.
#pragma once
#include "strips_trace.h"
#include "wavefront.h"

inline Group make_strip_group(const Spec &sp, const GroupArgs *a) {
  const int query = load_int(a->query_length, 0), target = load_int(a->target_length, 0);
  Group g;
  g.slots = 1;
  g.lane = lane_index(sharing_lanes(sp));
  g.late = g.lane * splat_pos(sp.skew);
  g.slot = splat_pos(0);
  g.alignment = splat_pos(block_index());  // each stage has an answer of its own
  g.stored = equal(g.lane, splat_pos(0));
  g.query_first = splat_pos(0);
  g.target_first = splat_pos(0);
  g.query_length = splat_pos(query);
  g.target_length = splat_pos(target);
  g.query_min = query;
  g.query_max = query;
  g.target_min = target;
  g.target_max = target;
  g.own = 0;
  g.border = 0;
  g.left = g.right = 0;
  return g;
}

template <class Gap, class Watch>
void run_stage(const DeviceKernel<Gap> &k, const Group &g, int column) {
  const Spec &sp = k.sp;
  const int lanes = sharing_lanes(sp), last = sp.skew * (lanes - 1);
  Answer answer = no_answer(Watch::nothing);
  Stage<Gap> s;
  Watch watch;
  watch.start();
  start_stage(k, g, column, s);
  store_blended_profile(sp, k.v, k.f, k.a, k.matrix, s.first, g.query_length);
  watch.start_stage(k, column, answer);
  int patch = residual(0), next_patch = residual(0);
  for (int t = residual(0); t < g.target_max + last; t += chunk_rows(sp)) {
    if (wants_begin(sp) && k.a->keep > 0 && t == next_patch) {
      keep_stage(k, s, patch);
      patch = patch + 1;
      next_patch = next_patch + sp.patch_rows;
    }
    await_rows(min(t + lanes, g.target_max));  // as many as are loaded, of which a chunk uses its own
    run_chunk(k, g, column, t, s, watch, answer);
    publish_rows(max(t + chunk_rows(sp) - last, 0));
  }
  watch.end_stage(k, g, s, answer);
  watch.finish(k, answer);
  leave_window(k, Watch::nothing, answer);
  publish_rows(g.target_max);
  merge_lanes(sp, answer);
  store_result<Gap, Watch>(k, g, answer);
}

template <class Gap, class Watch>
int strips(const Spec &sp, const GroupArgs *a) {
  const DeviceKernel<Gap> k = make_device_kernel<Gap>(sp, a);
  const Group g = make_strip_group(sp, a);
  const int column = block_index() * (sharing_lanes(sp) * sp.k);
  if (wants_begin(sp) && a->walks > 0)
    walk_stage<Gap, Watch>(k, g, column);
  else
    run_stage<Gap, Watch>(k, g, column);
  return 0;
}
