// A strip: k letters of the register side, past which the stream runs row by row; and what the functions of a kernel
// for CPUs share.
#pragma once
#include "border.h"
#include "substitution.h"

template <class Gap>
struct Kernel {
  Spec sp;
  const aln_args_v1 *a;
  Scoring<Gap> v;
  Frame<Gap> frame;
  vpos stream_length, register_length;
};

template <class Gap>
Kernel<Gap> make_kernel(const Spec &sp, const aln_args_v1 *a) {
  Kernel<Gap> k;
  k.sp = sp;
  k.a = a;
  k.v = read_scoring<Gap>(sp, a->scoring);
  k.frame = make_frame(sp, k.v);
  k.stream_length = load_pos(a->stream_length, 0);
  k.register_length = load_pos(a->register_length, 0);
  return k;
}

template <class Gap>
struct Strip {
  vscore H[MAX_K], F[MAX_K][Gap::slots];
  vscore diagonal;  // H left of the strip, one row up
  // First elements of scratch memory for the borders on its left and on its right.
  int entering, leaving;
};

// How a row is run: as most are; so that the watch looks at it more closely; and as one of each lane's own strip, once
// more (watch_replayed.h).
enum class Rows { plain, special, replayed };
