// What the lanes of a segment have found, and how it becomes one result.
//
// Among equal scores the smallest target end counts, then the smallest query end, as tuples, whichever lane, stage or
// chunk met them. The stream side is the target.
#pragma once
#include "dialect.h"
#include "spec.h"

struct Answer {
  vwide score;
  vwide row, column;  // 0-based ends on the stream (target) and the register side (query), if the output has them
};

inline Answer no_answer(int score) {
  Answer answer;
  answer.score = splat_wide(score);
  answer.row = splat_wide(-1);
  answer.column = splat_wide(-1);
  return answer;
}

// Takes the candidate where `where` holds and it is better.
inline void consider(const Spec &sp, Answer &answer, vmask where, vwide score, vwide row, vwide column) {
  vmask better = greater(score, answer.score);
  if (wants_end(sp)) {
    const vmask nearer = greater(answer.row, row) | (equal(answer.row, row) & greater(answer.column, column));
    better = better | (equal(score, answer.score) & nearer);
  }
  better = better & where;
  answer.score = select(better, score, answer.score);
  if (wants_end(sp)) {
    answer.row = select(better, row, answer.row);
    answer.column = select(better, column, answer.column);
  }
}

inline void merge_with(const Spec &sp, Answer &answer, int d) {
  const vwide score = exchange(answer.score, d);
  vwide row = answer.row, column = answer.column;
  if (wants_end(sp)) {
    row = exchange(answer.row, d);
    column = exchange(answer.column, d);
  }
  consider(sp, answer, all_lanes(), score, row, column);
}

// The best of all lanes that share an alignment, in all of them.
inline void merge_lanes(const Spec &sp, Answer &answer) {
  if (fills_vector(sp)) {
    for (int d = residual(1); d < vector_lanes(); d += d) merge_with(sp, answer, d);
  } else {
    for (int d = sp.p / 2; d > 0; d /= 2) merge_with(sp, answer, d);
  }
}
