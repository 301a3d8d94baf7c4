// Affine gaps (Gotoh 1982), in the form that hands the gap states on:
//   H = max(diagonal + s, F, E);  E' = max(E - extend, H - open - extend);  F' likewise,
// where E' serves the next column of the register side and F' the next row of the stream side. A gap in one
// sequence may follow a gap in the other, each paying its open.
#pragma once
#include "frame.h"

struct AffineCell {
  vscore h, e, f;
};

inline AffineCell affine_cell(const Spec &sp, const Frame &frame, vscore diagonal, vscore e, vscore f) {
  AffineCell c;
  c.h = choose_cell(sp, choose(diagonal, f), e);
  c.e = choose_gap(sp, extended(sp, e, frame.register_extend), opened(sp, c.h, frame.register_open));
  c.f = choose_gap(sp, extended(sp, f, frame.stream_extend), opened(sp, c.h, frame.stream_open));
  return c;
}
