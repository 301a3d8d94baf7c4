// What a gap costs: cost(length) = the smallest of `lines` lines open + extend * length, in whatever counts.
//
// `Number` is int in kernels and sat64 where it is asked when a kernel is exact (exactness.h): range and headroom are
// the same formulas in both. The line with the smallest extension comes last: it is the one that long gaps pay.
//
// Frames of reference without a floor shear the scores (frame.h): a gap letter is worth what the last line extends by,
// so that this line costs its open, however long the gap is, and no gap costs more. Another line still costs what it is
// steeper by, letter by letter.
#pragma once

template <class Number, int lines>
struct GapCosts {
  Number open[lines], extend[lines];
};

// Of a gap of so many letters, 1 and more.
template <class Number, int lines>
Number cost(const GapCosts<Number, lines> &gap, Number length) {
  Number least = gap.open[0] + gap.extend[0] * length;
  for (int n = 1; n < lines; ++n) least = min(least, gap.open[n] + gap.extend[n] * length);
  return least;
}

// What shearing adds for a letter.
template <class Number, int lines>
Number shear(const GapCosts<Number, lines> &gap) {
  return gap.extend[lines - 1];
}

// What a letter costs on line `n` in sheared scores.
template <class Number, int lines>
Number steeper(const GapCosts<Number, lines> &gap, int n) {
  if (n == lines - 1) return Number(0);
  return gap.extend[n] - gap.extend[lines - 1];
}

// The most that a gap costs in sheared scores, whatever its length.
template <class Number, int lines>
Number reach(const GapCosts<Number, lines> &gap) {
  return gap.open[lines - 1];
}

// How far below the score that it leaves a gap state is at most, in sheared scores: opened, with a letter, and one
// letter more, which is taken off before the larger of extending and opening is known.
template <class Number, int lines>
Number depth(const GapCosts<Number, lines> &gap) {
  Number most = gap.open[lines - 1];
  for (int n = 0; n < lines - 1; ++n) most = max(most, gap.open[n] + steeper(gap, n) + steeper(gap, n));
  return most;
}

// The most that the first letter of a gap costs.
template <class Number, int lines>
Number first_letter(const GapCosts<Number, lines> &gap) {
  Number most = gap.open[0] + gap.extend[0];
  for (int n = 1; n < lines; ++n) most = max(most, gap.open[n] + gap.extend[n]);
  return most;
}
