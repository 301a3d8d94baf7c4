// Affine gaps (Gotoh 1982) and the smallest of several affine lines (Gotoh 1990), in the form that hands the gap states
// on: for each line n
//   H = max(diagonal + s, F_n, E_n);  E_n' = max(E_n - extend_n, H - open_n - extend_n);  F_n' likewise,
// where E' serves the next column of the register side and F' the next row of the stream side. A gap in one
// sequence may follow a gap in the other, each paying its open.
#pragma once
#include "frame.h"
#include "way.h"

template <int n_lines>
struct AffineGap {
  static constexpr int states = n_lines;
  static constexpr int lines = n_lines;
  static constexpr int slots = n_lines;

  // The states behind score h where no gap is open.
  static void open(const Spec &sp, const FrameCosts<AffineGap> &costs, vscore h, vscore *state) {
    for (int n = 0; n < lines; ++n) state[n] = opened(sp, h, costs.open[n]);
  }

  // `diagonal` already holds the substitution score. `off_pipe`: E's last maximum is taken off the pipe of
  // maxima.
  static vscore cell(const Spec &sp, const Frame<AffineGap> &frame, vscore diagonal, vscore, vscore, vscore *e,
                     vscore *f, bool off_pipe) {
    vscore best = diagonal, last = e[lines - 1];
    if (sp.sum_last) {
      best = e[lines - 1];
      last = diagonal;
    }
    for (int n = 0; n < lines; ++n) best = choose(best, f[n]);
    for (int n = 0; n < lines - 1; ++n) best = choose(best, e[n]);
    const vscore h = choose_cell(sp, best, last);
    for (int n = 0; n < lines; ++n) {
      const vscore longer = extended(sp, e[n], frame.register_gap.extend[n]);
      const vscore opening = opened(sp, h, frame.register_gap.open[n]);
      if (off_pipe)
        e[n] = max_off_pipe(longer, opening);
      else
        e[n] = choose_gap(sp, longer, opening);
      f[n] = choose_gap(sp, extended(sp, f[n], frame.stream_gap.extend[n]), opened(sp, h, frame.stream_gap.open[n]));
    }
    return h;
  }

  // Where H of a cell and the states that it hands on come from (way.h).
  template <class Code>
  static void way(const Spec &sp, vscore floor, vscore diagonal, vscore h, const WayOfGap<AffineGap> &deletion,
                  const WayOfGap<AffineGap> &insertion, Code &code) {
    using W = Way<AffineGap>;
    vscore before[2 * lines];
    before[0] = diagonal;
    for (int n = 0; n < lines; ++n) before[1 + n] = deletion.before[n];
    for (int n = 0; n < lines - 1; ++n) before[1 + lines + n] = insertion.before[n];
    code.comes_from(sp, floor, h, before, 2 * lines);
    for (int n = 0; n < lines; ++n) {
      code.count(deletion.behind[n], opened(sp, h, deletion.cost.open[n]), W::longer(W::deletion + n));
      code.count(insertion.behind[n], opened(sp, h, insertion.cost.open[n]), W::longer(W::insertion + n));
    }
  }
};
