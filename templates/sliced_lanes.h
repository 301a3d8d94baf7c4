// Lane mapping `lanes` of CPUs, bit-sliced (sliced.h).
#pragma once
#include "sliced_place.h"
#include "sliced_trace.h"

inline int sliced(const Spec &sp, const aln_args_v1 *a) {
  const LaneBits bits = {a};
  const LanePlace place = {a};
  const SlicedLengths lengths = {a->stream_max, a->register_min, a->register_max, load_int(a->segment_end, 0)};
  const SlicedGaps gaps = sliced_gaps(sp, a->scoring);
  if (wants_begin(sp)) {
    KeptOfBits kept;
    kept.start(sp, a);
    store_sliced(sp, place, gaps, run_sliced(sp, bits, lengths, gaps, kept));
    walk_back_bit_by_bit(sp, bits, gaps, kept);
  } else {
    NothingKeptOfBits keep;
    store_sliced(sp, place, gaps, run_sliced(sp, bits, lengths, gaps, keep));
  }
  return 0;
}
