// Lane mapping `lanes` of CPUs, bit-sliced: where its letters, memory and results are (sliced.h).
#pragma once
#include "ends.h"
#include "sliced.h"

// Letters as the runtime packs them, and scratch memory.
struct LaneBits {
  const aln_args_v1 *a;
  vbits stream_letter(int row, int plane) const { return load_bits(a->stream_letters, LETTER_PLANES * row + plane); }
  vbits register_letter(int column, int plane) const {
    return load_bits(a->register_letters, LETTER_PLANES * column + plane);
  }
  vbits load(int at) const { return load_bits(a->scratch, at); }
  void store(int at, vbits bits) const { store_bits(a->scratch, at, bits); }
};

struct LanePlace {
  const aln_args_v1 *a;
  vwide stream_length() const { return to_wide(load_pos(a->stream_length, 0)); }
  vwide register_length() const { return to_wide(load_pos(a->register_length, 0)); }
  vwide number(int at, int digits) const { return load_number(a->scratch, at, digits); }
  void store(int *list, vwide value) const { store_wide(list, 0, value); }
  void store_status() const { store_mask(a->status, 0, no_lanes()); }
};
