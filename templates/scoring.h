// The scoring of one call as numbers: folded constants, or loads from the argument block.
#pragma once
#include "dialect.h"
#include "spec.h"

struct Scoring {
  int match, mismatch;
  int stream_open, stream_extend, register_open, register_extend;
  int score_min, score_max;
};

inline int setting(Setting s, const int *scoring) {
  if (s.runtime) return load_int(scoring, s.index);
  return s.value;
}

inline Scoring read_scoring(const Spec &sp, const int *scoring) {
  Scoring v;
  v.match = 0;
  v.mismatch = 0;
  if (!sp.matrix) {
    v.match = setting(sp.match, scoring);
    v.mismatch = setting(sp.mismatch, scoring);
  }
  v.stream_open = 0;
  v.register_open = 0;
  if (sp.affine) {
    v.stream_open = setting(sp.stream_open, scoring);
    v.register_open = setting(sp.register_open, scoring);
  }
  v.stream_extend = setting(sp.stream_extend, scoring);
  v.register_extend = setting(sp.register_extend, scoring);
  v.score_min = setting(sp.score_min, scoring);
  v.score_max = setting(sp.score_max, scoring);
  return v;
}
