// The scoring of one call as numbers: folded constants, or loads from the argument block.
#pragma once
#include "dialect.h"
#include "gap_costs.h"
#include "spec.h"

template <class Gap, class Number = int>
struct Scoring {
  Number match, mismatch;
  GapCosts<Number, Gap::lines> stream_gap, register_gap;
  Number score_min, score_max;
};

// The matrix of the kernel or of the call.
inline const int *matrix_of(const Spec &sp, const int *of_call) {
  if (sp.scores == Scores::folded_matrix) return folded_matrix();
  return of_call;
}

// `Given`: where load_int() finds what comes with the call.
template <class Number, class Given>
Number setting(Setting s, Given scoring) {
  if (s.runtime) return Number(load_int(scoring, s.index));
  return Number(s.value);
}

template <class Gap, class Number, class Given>
GapCosts<Number, Gap::lines> read_lines(const GapSetting *settings, Given scoring) {
  GapCosts<Number, Gap::lines> gap;
  for (int n = 0; n < Gap::lines; ++n) {
    gap.open[n] = Number(0);
    if (Gap::states > 0) gap.open[n] = setting<Number>(settings[n].open, scoring);
    gap.extend[n] = setting<Number>(settings[n].extend, scoring);
  }
  return gap;
}

template <class Gap>
GapCosts<int, Gap::lines> read_gap(const GapSetting *settings, const int *scoring) {
  GapCosts<int, Gap::lines> gap = read_lines<Gap, int>(settings, scoring);
  // The smallest extension last.
  const int last = Gap::lines - 1;
  for (int n = 0; n < last; ++n) {
    const bool swap = gap.extend[n] < gap.extend[last];
    const int open = gap.open[n], extend = gap.extend[n];
    gap.open[n] = swap ? gap.open[last] : open;
    gap.extend[n] = swap ? gap.extend[last] : extend;
    gap.open[last] = swap ? open : gap.open[last];
    gap.extend[last] = swap ? extend : gap.extend[last];
  }
  return gap;
}

// All but the gaps.
template <class Gap, class Number, class Given>
Scoring<Gap, Number> read_substitutions(const Spec &sp, Given scoring) {
  Scoring<Gap, Number> v;
  v.match = Number(0);
  v.mismatch = Number(0);
  if (!has_matrix(sp)) {
    v.match = setting<Number>(sp.match, scoring);
    v.mismatch = setting<Number>(sp.mismatch, scoring);
  }
  v.score_min = setting<Number>(sp.score_min, scoring);
  v.score_max = setting<Number>(sp.score_max, scoring);
  return v;
}

template <class Gap>
Scoring<Gap> read_scoring(const Spec &sp, const int *scoring) {
  Scoring<Gap> v = read_substitutions<Gap, int>(sp, scoring);
  v.stream_gap = read_gap<Gap>(sp.stream_gap, scoring);
  v.register_gap = sp.one_gap ? v.stream_gap : read_gap<Gap>(sp.register_gap, scoring);
  return v;
}

// What a gap of 1 letter and more costs in sheared scores. Beyond `reach` letters a steeper line is not the smallest
// any more, so that no product grows past what an int holds.
template <int lines>
int sheared_cost(const GapCosts<int, lines> &gap, int length) {
  int cost = reach(gap);
  for (int n = 0; n < lines - 1; ++n) cost = min(cost, gap.open[n] + steeper(gap, n) * min(length, reach(gap)));
  return cost;
}
template <int lines>
vpos sheared_cost(const GapCosts<int, lines> &gap, vpos length) {
  vpos cost = splat_pos(reach(gap));
  for (int n = 0; n < lines - 1; ++n)
    cost = min(cost, splat_pos(gap.open[n]) + splat_pos(steeper(gap, n)) * min(length, splat_pos(reach(gap))));
  return cost;
}
