// Linear gaps (Needleman & Wunsch 1970): H = max(diagonal + s, H above - gap, H to the left - gap).
#pragma once
#include "frame.h"

struct LinearCell {
  vscore h;
};

// `diagonal` already holds the substitution score; `along_stream` is H of the row before, `along_register` H of
// the column before. The latter enters last: it is the newest value.
inline LinearCell linear_cell(const Spec &sp, const Frame &frame, vscore diagonal, vscore along_stream,
                              vscore along_register) {
  LinearCell c;
  if (!sp.local)
    c.h = choose(choose(diagonal, along_stream), along_register);
  else if (!sp.stream_extend.runtime && !sp.register_extend.runtime &&
           sp.stream_extend.value == sp.register_extend.value)
    c.h = choose_cell(sp, diagonal, opened(sp, choose(along_stream, along_register), frame.register_extend));
  else
    c.h = choose_cell(sp, choose(diagonal, opened(sp, along_stream, frame.stream_extend)),
                      opened(sp, along_register, frame.register_extend));
  return c;
}
