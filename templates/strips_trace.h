// The way back through a stage of mapping `strips`, from the alignment's end to its begin (trace.h has that of mapping
// `lanes`).
//
// While a stage runs, every `patch_rows` steps what its lanes hold is kept. Later, the caller having kept the border
// left of the stage as well, the steps of a patch run again from there, each cell leaving where its scores come from
// (way.h), and the way goes through them; then those of the patch before, until it leaves the stage. As all lanes share
// one alignment, one way is walked, cell by cell.
#pragma once
#include "ends.h"
#include "stage.h"

// What a stage begins patch `patch` with; letters and all that follows from the bases is found again.
template <class Gap>
void keep_stage(const DeviceKernel<Gap> &k, const Stage<Gap> &s, int patch) {
  int at = patch * stage_elements(k.sp);
  for (int c = 0; c < k.sp.k; ++c) {
    store_score(k.a->states, at, s.H[c]);
    for (int n = 0; n < Gap::states; ++n) store_score(k.a->states, at + 1 + n, s.F[c][n]);
    at = at + 1 + Gap::states;
  }
  store_score(k.a->states, at, s.diagonal);
  for (int n = 0; n < Gap::states; ++n) store_score(k.a->states, at + 1 + n, s.e[n]);
  if (k.sp.skew > 1) {
    for (int r = 0; r < k.sp.skew; ++r) {
      at = at + 1 + Gap::states;
      store_score(k.a->states, at, s.late_h[r]);
      for (int n = 0; n < Gap::states; ++n) store_score(k.a->states, at + 1 + n, s.late_e[r][n]);
    }
  }
  if (k.sp.base != Base::fixed) store_wide(k.a->bases, patch, s.base);
}

// The letter that each lane scores at step t.
inline vchar letter_at_step(const Spec &sp, const GroupArgs *a, const Group &g, int t) {
  const vpos row = splat_pos(t) - g.late;
  const vmask inside = greater(g.target_length, row) & greater(row, splat_pos(-1));
  return load_letter_at(a->target_letters, g.target_first + row, inside, stream_pad(sp));
}

// The other way, before step t of a stage that has been started.
template <class Gap>
void restore_stage(const DeviceKernel<Gap> &k, const Group &g, int patch, int t, Stage<Gap> &s) {
  int at = patch * stage_elements(k.sp);
  for (int c = 0; c < k.sp.k; ++c) {
    s.H[c] = load_score(k.a->states, at);
    for (int n = 0; n < Gap::states; ++n) s.F[c][n] = load_score(k.a->states, at + 1 + n);
    at = at + 1 + Gap::states;
  }
  s.diagonal = load_score(k.a->states, at);
  for (int n = 0; n < Gap::states; ++n) s.e[n] = load_score(k.a->states, at + 1 + n);
  s.stream = letter_at_step(k.sp, k.a, g, t - 1);
  if (k.sp.skew > 1) {
    for (int r = 0; r < k.sp.skew; ++r) {
      at = at + 1 + Gap::states;
      s.late_h[r] = load_score(k.a->states, at);
      for (int n = 0; n < Gap::states; ++n) s.late_e[r][n] = load_score(k.a->states, at + 1 + n);
      s.late_stream[r] = letter_at_step(k.sp, k.a, g, t - k.sp.skew + r);
    }
  }
  if (k.sp.base != Base::fixed) s.base = to_wide(load_pos(k.a->bases, patch));
  follow_base(k, s);
}

// Leaves in scratch memory where the scores of each cell come from, and looks for nothing.
template <class Watch>
struct Traced {
  static constexpr bool traces = true, hands_on = false;
  static bool masks(const Spec &sp) { return Watch::masks(sp); }
  using Code = ScoreCode;
  int element;  // of the row's first code

  template <class Gap>
  void start_chunk(const DeviceKernel<Gap> &, const Stage<Gap> &, const Answer &) {}
  template <class Gap>
  static bool last_column(const DeviceKernel<Gap> &, const Group &, int) {
    return false;
  }
  void start_row(const Spec &) {}
  template <class Gap>
  void cell(const Stage<Gap> &, Chunk, int, vscore) {}
  static ScoreCode code(const Spec &, int) {
    ScoreCode code;
    code.number = splat(0);
    return code;
  }
  template <class Gap>
  void came_from(const DeviceKernel<Gap> &k, int c, const ScoreCode &code) {
    store_score(k.a->scratch, element + c, code.number);
  }
  template <class Gap>
  void row(const DeviceKernel<Gap> &k, const Stage<Gap> &, Chunk, vmask, vpos) {
    element = element + k.sp.k;
  }
  template <class Gap>
  void end_chunk(const DeviceKernel<Gap> &, const Group &, const Stage<Gap> &, int, Answer &) {}
};

// Where the way has come to. The query is the register side.
template <class Gap>
struct StripWalk {
  using W = Way<Gap>;
  int state;          // arrived, or where it comes from, seen from the cell that it stands in
  int row, column;    // that cell; -1: the border
  int kind, length;   // the run of the CIGAR that is under way: the operation's number (M, I, D), its letters
  int runs;           // that this call has handed out
  int lane, c, step;  // the cell's lane, its column in it, and when the lane scores it

  void start(const Spec &sp, const GroupArgs *a, int first_column) {
    state = load_int(a->walk, ALN_WALK_STATE);
    row = load_int(a->walk, ALN_WALK_ROW);
    column = load_int(a->walk, ALN_WALK_COLUMN);
    kind = load_int(a->walk, ALN_WALK_KIND);
    length = load_int(a->walk, ALN_WALK_LENGTH);
    runs = 0;
    lane = residual(0);
    c = column - first_column;
    while (c >= sp.k) {
      c = c - sp.k;
      lane = lane + 1;
    }
    step = row + sp.skew * lane;
  }
  void store(const GroupArgs *a) {
    store_int(a->walk, ALN_WALK_STATE, state);
    store_int(a->walk, ALN_WALK_ROW, row);
    store_int(a->walk, ALN_WALK_COLUMN, column);
    store_int(a->walk, ALN_WALK_KIND, kind);
    store_int(a->walk, ALN_WALK_LENGTH, length);
    store_int(a->walk, ALN_WALK_RUNS, runs);
  }
  // It has not arrived and stands in the stage.
  bool under_way() const { return state > W::arrived && row >= 0 && lane >= 0; }

  void end_run(const GroupArgs *a, int next) {
    if (length > 0) {
      store_int(a->cigar, runs, length * 16 + kind);
      runs = runs + 1;
    }
    kind = next;
    length = 0;
  }
  // `letters` more of an operation.
  void take(const Spec &sp, const GroupArgs *a, int operation, int letters) {
    if (!wants_cigar(sp)) return;
    if (operation != kind) end_run(a, operation);
    length = length + letters;
  }

  // Through the patch that begins with step `first`, whose codes are at hand.
  void through_patch(const Spec &sp, const GroupArgs *a, int codes, int first) {
    while (under_way() && step >= first) {
      const int code = score_of_lane(a->scratch, codes + (step - first) * sp.k + c, lane);
      int source = bits_of(code, W::sources);
      for (int n = 0; n < Gap::states; ++n) {
        source = goes_on(code, W::deletion + n) ? state : source;
        source = goes_on(code, W::insertion + n) ? state : source;
      }
      state = source;
      const bool inserts = source >= W::insertion, aligns = source == W::diagonal;
      if (source > W::arrived) {
        take(sp, a, aligns ? 0 : inserts ? 1 : 2, 1);
        row = inserts ? row : row - 1;
        step = inserts ? step : step - 1;
        if (inserts || aligns) {
          column = column - 1;
          const bool next_lane = c == 0;
          c = next_lane ? sp.k - 1 : c - 1;
          lane = next_lane ? lane - 1 : lane;
          step = next_lane ? step - sp.skew : step;
        }
      }
    }
  }
  bool goes_on(int code, int gap) const { return state == gap && bits_of(code, W::longer(gap)) > 0; }

  // From the matrix's border: what is left is one gap, or not aligned.
  void finish(const Spec &sp, const GroupArgs *a) {
    if (state > W::arrived && (row < 0 || column < 0)) {
      if (!floored(sp) && !stream_begin_free(sp)) {
        take(sp, a, 2, row + 1);
        row = -1;
      }
      if (!floored(sp) && !register_begin_free(sp)) {
        take(sp, a, 1, column + 1);
        column = -1;
      }
      state = W::arrived;
    }
    if (wants_cigar(sp)) {
      if (state == W::arrived) end_run(a, kind);
    }
  }
};

// From where the way entered a stage, or from the alignment's end, to where it leaves it.
template <class Gap, class Watch>
void walk_stage(const DeviceKernel<Gap> &k, const Group &g, int column) {
  const Spec &sp = k.sp;
  Stage<Gap> s;
  start_stage(k, g, column, s);
  store_blended_profile(sp, k.v, k.f, k.a, k.matrix, s.first, g.query_length);
  StripWalk<Gap> walk;
  walk.start(sp, k.a, column);
  const int codes = profile_size(sp);
  int first = residual(0), patch = residual(0);
  while (first + sp.patch_rows <= walk.step) {
    first = first + sp.patch_rows;
    patch = patch + 1;
  }
  Traced<Watch> traced;
  Answer answer = no_answer(0);
  while (walk.under_way()) {
    restore_stage(k, g, patch, first, s);
    traced.element = codes;
    const int end = walk.step + 1;
    for (int t = first; t < end; t += chunk_rows(sp)) run_chunk(k, g, column, t, s, traced, answer);
    walk.through_patch(sp, k.a, codes, first);
    first = first - sp.patch_rows;
    patch = patch - 1;
  }
  walk.finish(sp, k.a);
  walk.store(k.a);
}
