// Lane mapping `lanes`: one alignment per lane. k letters of the register side are held at a time (a strip), the
// stream side runs past them; the strip's last column goes through scratch memory to the next strip.
//
// Ragged lengths are exact without a mask in the inner loop: the stream is run in segments that end where some
// lane's stream ends (segment_end), and the watch takes a lane's result between segments, at its own last row and
// column. Cells behind a lane's end are computed and never used.
#pragma once
#include "lane_rows.h"
#include "lane_walk.h"

template <class Gap, class Watch, class Keep>
int lanes(const Spec &sp, const aln_args_v1 *a) {
  const Kernel<Gap> k = make_kernel<Gap>(sp, a);
  store_first_border(k, first_frame(k));
  Tile tile = make_tile(k.sp, k.v, k.frame, a, border_elements(sp) * a->stream_max);
  Strip<Gap> s;
  s.entering = 0;
  s.leaving = 0;
  Watch watch;
  watch.start(k, s);
  Keep keep;
  keep.start(k);
  const BandReach reach = reach_of<Keep>(k);
  for (int column = residual(0); column < a->register_max; column += sp.k) {
    load_tile(sp, k.v, k.frame, a, column, tile);
    start_strip(k, tile, column, false, s);
    watch.start_strip(k, column);
    keep.start_strip(k);
    int row = 0;
    tile.looked_up = 0;
    for (int segment = residual(0); segment < a->segments; ++segment) {
      const int end = load_int(a->segment_end, segment);
      strip_rows(k, reach, tile, end, row, s, watch, keep);
      vscore lowered[MAX_K];
      lower(k, tile, s.H, lowered);
      watch.segment(k, s, end, lowered);
    }
    watch.end_strip(k, column, tile, s);
  }
  if constexpr (Watch::replays) replay(k, tile, s, watch);
  watch.finish(k);
  if constexpr (Keep::walks) walk_back(k, tile, s, keep);
  return 0;
}
