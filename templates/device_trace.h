// The way back on devices, from each alignment's end to its begin (trace.h and strips_trace.h have those of CPUs).
//
// While the rows of a stage run, every cell leaves where its scores come from (way.h), in memory of the group's own: a
// lane's codes of a row in as few words as hold them, those of neighbouring lanes side by side, so that a row is
// written at once. When all stages have run the lanes of each alignment walk together, all alignments of a warp side by
// side, and leave the runs of the CIGAR before the codes; then each alignment claims as much of the launch's room for
// CIGARs as it needs, and its lanes copy.
//
// Words of a group: 2 * min(longest query, longest target) + 2 runs of each of its alignments, side by side; then by
// stage, row and word of a lane's row those of all lanes, the alignments of a lane side by side. Where the group's
// words do not hold all stages' codes they have those of one unit alone (device_checkpoints.h), and where each
// alignment's way stands before them.
#pragma once
#include "stage.h"

// What is left of `room` beside a piece of `size`; -1: it does not hold it.
inline int room_beside_piece(int room, int size) { return room >= size ? room - size : -1; }

// Which memory is the group's, and how it is divided.
struct TraceOf {
  int group;
  int stands;       // first word of where the ways stand
  int codes;        // first word of the codes
  int stage_words;  // of a stage's codes
  bool all;         // those of all stages are kept
};
inline TraceOf make_trace(const Spec &sp, const GroupArgs *a, const Group &g) {
  TraceOf trace;
  trace.group = g.own;
  trace.stands = kernel_memory::run_words(min(g.query_max, g.target_max)) * warp_slots(sp);
  trace.stage_words = kernel_memory::stage_words(g.target_max, trace_rows(sp), trace_row_words(sp));
  int room = a->trace_words - trace.stands;
  for (int column = residual(0); column < g.query_max; column += sp.p * sp.k)
    room = room_beside_piece(room, trace.stage_words);
  trace.all = room >= 0;
  trace.codes = trace.stands + (trace.all ? 0 : walk_words(sp) * warp_slots(sp));
  return trace;
}
// Words from a word of a lane's row to its next one, which lies behind those of all lanes.
inline int next_word(const Spec &sp) { return sp.warp * sp.packing; }

// A cell's code in the making: counted up in its place among those of some columns before it, `unit` for one.
struct PackedCode {
  vcode together;
  int unit;
  // As ScoreCode has it, counted: one for each of the scores, the ones before it among them, that h is above. So a
  // floor is among them all, unless the sum along the diagonal lies on it anyway.
  void comes_from(const Spec &sp, vscore floor, vscore h, const vscore *scores, int n) {
    vscore best = scores[0];
    if (floored(sp)) {
      count(h, floor, 1);
      const bool above = sp.floor == Floor::moving || sp.floor == Floor::diagonal;
      if (!above) best = choose(best, floor);
    }
    count(h, best, 1);
    for (int i = 1; i < n; ++i) {
      best = choose(best, scores[i]);
      count(h, best, 1);
    }
  }
  void count(vscore a, vscore b, int value) { together = count_above(together, a, b, value * unit); }
};

// A watch that leaves the cells' codes besides.
template <class Watch>
struct Recorded {
  using Code = PackedCode;
  static constexpr bool traces = true, hands_on = true;
  static constexpr int nothing = Watch::nothing;
  static bool masks(const Spec &sp) { return Watch::masks(sp); }
  Watch watch;
  TraceOf trace;
  int stage, turn;     // first word of the codes of the warp's stage; from there to that of its next one
  vpos place;          // the lane's first word of the row under way
  vcode codes[MAX_K];  // of the row, in eight bits as many as there is room for

  void start() { watch.start(); }
  // Warp `warp` of the `warps` that take the group's stages in turn.
  void record(const TraceOf &memory, int warp, int warps) {
    trace = memory;
    turn = trace.all ? warps * trace.stage_words : 0;
    stage = trace.codes + warp * trace.stage_words - turn;
  }
  template <class Gap>
  void start_stage(const DeviceKernel<Gap> &k, int column, Answer &answer) {
    watch.start_stage(k, column, answer);
    stage = stage + turn;
    place = splat_pos(stage) + lane_index(k.sp.warp) * splat_pos(k.sp.packing) + half_index();
  }
  template <class Gap>
  void start_chunk(const DeviceKernel<Gap> &k, const Stage<Gap> &s, const Answer &answer) {
    watch.start_chunk(k, s, answer);
  }
  template <class Gap>
  static bool last_column(const DeviceKernel<Gap> &k, const Group &g, int column) {
    return Watch::last_column(k, g, column);
  }
  void start_row(const Spec &sp) { watch.start_row(sp); }
  template <class Gap>
  void cell(const Stage<Gap> &s, Chunk chunk, int c, vscore h) {
    watch.cell(s, chunk, c, h);
  }
  // A code counts from 1, or where there is a floor from 0. The first of those that are together starts all of them.
  PackedCode code(const Spec &sp, int c) const {
    const int from = floored(sp) ? 0 : 1;
    const int together = codes_of_word(sp) / 4, at = c % together;
    PackedCode code;
    code.unit = 1 << (at * code_bits(sp));
    if (at == 0) {
      int all = from;
      for (int n = 1; n < together; ++n) all = all + (from << (n * code_bits(sp)));
      code.together = splat_code(all);
    } else {
      code.together = codes[c / together];
    }
    return code;
  }
  template <class Gap>
  void came_from(const DeviceKernel<Gap> &k, int c, const PackedCode &code) {
    codes[c / (codes_of_word(k.sp) / 4)] = code.together;
  }
  // Word `w` of the row.
  vwide word(const Spec &sp, int w) const {
    const int together = codes_of_word(sp) / 4, used = (sp.k + together - 1) / together;
    vcode byte[4];
    for (int n = 0; n < 4; ++n) {
      if (4 * w + n < used)
        byte[n] = codes[4 * w + n];
      else
        byte[n] = splat_code(0);
    }
    return joined(byte[0], byte[1], byte[2], byte[3]);
  }
  template <class Gap>
  void row(const DeviceKernel<Gap> &k, const Stage<Gap> &s, Chunk chunk, vmask inside, vpos row) {
    watch.row(k, s, chunk, inside, row);
    for (int w = 0; w < code_words(k.sp); ++w)
      store_in_row(k.a->trace, trace.group, k.a->trace_words, place + splat_pos(w * next_word(k.sp)), all_lanes(),
                   word(k.sp, w));
    place = place + splat_pos(trace_row_words(k.sp));
  }
  template <class Gap>
  void end_chunk(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, int t, Answer &answer) {
    watch.end_chunk(k, g, s, t, answer);
  }
  template <class Gap>
  void end_stage(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, Answer &answer) {
    watch.end_stage(k, g, s, answer);
  }
  template <class Gap>
  void finish(const DeviceKernel<Gap> &k, Answer &answer) {
    watch.finish(k, answer);
  }
  template <class Gap>
  static vmask exceeded(const DeviceKernel<Gap> &k, const Answer &answer) {
    return Watch::exceeded(k, answer);
  }
};

// Where the alignments are. The query is the register side. All lanes of an alignment have the same.
template <class Gap>
struct DeviceWalk {
  using W = Way<Gap>;
  TraceOf trace;
  vpos state;        // arrived, or where it comes from, seen from the cell that it stands in
  vpos row, column;  // that cell; -1: the border
  // Its stage's first word, the lane that scored it, and its column there.
  vpos stage, lane, c;
  vpos own;  // word of the alignment in a row of words, but for its lane
  // The run of the CIGAR that is under way: the operation's number (M, I, D), its letters; and runs before it.
  vpos kind, length, runs;
  static constexpr int not_aligned = W::arrived - 1;

  void start(const TraceOf &memory, const Answer &answer) {
    trace = memory;
    row = to_pos(answer.row);
    column = to_pos(answer.column);
    // Whatever the scores, each step leads up or left, so that what overflowed arrives too, somewhere.
    state = select(greater(row, splat_pos(-1)), splat_pos(W::diagonal), splat_pos(not_aligned));
    kind = splat_pos(0);
    length = splat_pos(0);
    runs = splat_pos(0);
  }
  // Where in the codes it stands, the first of which are of column `first`.
  void find_place(const Spec &sp, int first) {
    own = segment_index(sp.p) * splat_pos(sp.p * sp.packing) + half_index();
    // Where it is not there it is not looked at.
    const vpos at = max(column - splat_pos(first), splat_pos(0)), stages = quotient(at, sp.p * sp.k);
    stage = splat_pos(trace.codes) + stages * splat_pos(trace.stage_words);
    lane = quotient(at - stages * splat_pos(sp.p * sp.k), sp.k);
    c = at - (stages * splat_pos(sp.p) + lane) * splat_pos(sp.k);
  }
  // It has neither arrived nor come to a border, nor left column `first` behind.
  vmask under_way(int first) const {
    return greater(state, splat_pos(W::arrived)) & greater(row, splat_pos(-1)) & greater(column, splat_pos(first - 1));
  }

  // How it stands, left in memory and taken up from there: what is scored meanwhile needs the registers.
  void leave(const DeviceKernel<Gap> &k, const Group &g, vmask where) const {
    const vpos stand[] = {state, row, column, kind, length, runs};
    for (int n = 0; n < walk_words(k.sp); ++n)
      store_in_row(k.a->trace, trace.group, k.a->trace_words, splat_pos(trace.stands + n * g.slots) + g.slot,
                   where & equal(g.lane, splat_pos(0)), to_wide(stand[n]));
  }
  static void take_up(const DeviceKernel<Gap> &k, const Group &g, const TraceOf &trace, vmask where, int n, vpos &own) {
    const vpos element = splat_pos(trace.stands + n * g.slots) + g.slot;
    own = select(where, load_in_row(k.a->trace, trace.group, k.a->trace_words, element, where), own);
  }
  void take_up(const DeviceKernel<Gap> &k, const Group &g, vmask where) {
    take_up(k, g, trace, where, 0, state);
    take_up(k, g, trace, where, 1, row);
    take_up(k, g, trace, where, 2, column);
    take_up(k, g, trace, where, 3, kind);
    take_up(k, g, trace, where, 4, length);
    take_up(k, g, trace, where, 5, runs);
  }

  // Leaves the runs of these alignments and begins new ones.
  void end_run(const DeviceKernel<Gap> &k, const Group &g, vmask where, vpos next) {
    const vmask ended = where & greater(length, splat_pos(0));
    store_in_row(k.a->trace, trace.group, k.a->trace_words, runs * splat_pos(g.slots) + g.slot,
                 ended & equal(g.lane, splat_pos(0)), to_wide(length * splat_pos(16) + kind));
    runs = runs + select(ended, splat_pos(1), splat_pos(0));
    kind = select(where, next, kind);
    length = select(where, splat_pos(0), length);
  }
  // `letters` more of an operation.
  void take(const DeviceKernel<Gap> &k, const Group &g, vmask where, vpos operation, vpos letters) {
    if (!wants_cigar(k.sp)) return;
    end_run(k, g, where & (greater(operation, kind) | greater(kind, operation)), operation);
    length = length + select(where, letters, splat_pos(0));
  }

  vpos code(const DeviceKernel<Gap> &k, vmask walking) const {
    const Spec &sp = k.sp;
    const vpos w = quotient(c, codes_of_word(sp));
    const vpos element = stage + (row + lane) * splat_pos(trace_row_words(sp)) + w * splat_pos(next_word(sp)) + own +
                         lane * splat_pos(sp.packing);
    const vpos word = load_in_row(k.a->trace, trace.group, k.a->trace_words, element, walking);
    const vpos by = (c - w * splat_pos(codes_of_word(sp))) * splat_pos(code_bits(sp));
    return shifted(word, select(walking, by, splat_pos(0)));
  }
  static vmask passes(vpos code, vpos on, int state) {
    return equal(on, splat_pos(state)) & greater(bits_of(code, W::longer(state)), splat_pos(0));
  }
  // As far as codes from column `first` on are at hand.
  void walk(const DeviceKernel<Gap> &k, const Group &g, int first) {
    find_place(k.sp, first);
    while (any(under_way(first))) {
      const vmask walking = under_way(first);
      const vpos code = this->code(k, walking);
      vmask goes_on = no_lanes();
      for (int n = 0; n < Gap::states; ++n) {
        goes_on = goes_on | passes(code, state, W::deletion + n);
        goes_on = goes_on | passes(code, state, W::insertion + n);
      }
      state = select(walking, select(goes_on, state, bits_of(code, W::sources)), state);
      const vmask moves = walking & greater(state, splat_pos(W::arrived));
      const vmask gap = greater(state, splat_pos(W::diagonal)), inserts = greater(state, splat_pos(W::insertion - 1));
      take(k, g, moves, select(gap, select(inserts, splat_pos(1), splat_pos(2)), splat_pos(0)), splat_pos(1));
      const vpos one = select(moves, splat_pos(1), splat_pos(0));
      const vpos one_row = select(inserts, splat_pos(0), one);
      const vpos one_column = select(gap, select(inserts, one, splat_pos(0)), one);
      row = row - one_row;
      column = column - one_column;
      c = c - one_column;
      const vmask next_lane = greater(splat_pos(0), c);
      c = select(next_lane, splat_pos(k.sp.k - 1), c);
      lane = lane - select(next_lane, splat_pos(1), splat_pos(0));
      const vmask next_stage = greater(splat_pos(0), lane);
      lane = select(next_stage, splat_pos(k.sp.p - 1), lane);
      stage = stage - select(next_stage, splat_pos(trace.stage_words), splat_pos(0));
    }
  }

  // From the border: what is left is one gap, or not aligned.
  void finish(const DeviceKernel<Gap> &k, const Group &g) {
    const Spec &sp = k.sp;
    const vmask aligned = greater(state, splat_pos(not_aligned));
    const vmask left = greater(state, splat_pos(W::arrived));
    if (!floored(sp) && !stream_begin_free(sp)) {
      const vmask down = left & greater(row, splat_pos(-1));
      take(k, g, down, splat_pos(2), row + splat_pos(1));
      row = select(down, splat_pos(-1), row);
    }
    if (!floored(sp) && !register_begin_free(sp)) {
      const vmask along = left & greater(column, splat_pos(-1));
      take(k, g, along, splat_pos(1), column + splat_pos(1));
      column = select(along, splat_pos(-1), column);
    }
    const OwnResults own = own_results(g);
    const vwide first_row = to_wide(row + splat_pos(1)), first_column = to_wide(column + splat_pos(1));
    own.store(k.a->target_begin, select(aligned, first_row, splat_wide(-1)));
    own.store(k.a->query_begin, select(aligned, first_column, splat_wide(-1)));
    if (wants_cigar(sp)) hand_out(k, g);
  }
  void hand_out(const DeviceKernel<Gap> &k, const Group &g) {
    end_run(k, g, all_lanes(), kind);
    warp_barrier();  // the other lanes copy what the first one has left
    vwide first = claim(k.a->cigar_claimed, g.stored, to_wide(runs));
    const vmask room = greater(splat_wide(k.a->cigar_room + 1), first + to_wide(runs)) & greater(first, splat_wide(-1));
    first = select(room, first, splat_wide(-1));
    const OwnResults own = own_results(g);
    own.store(k.a->cigar_first, first);
    own.store(k.a->cigar_runs, to_wide(runs));
    const vpos to = to_pos(first_lane(first, k.sp.p));
    vpos run = select(greater(to, splat_pos(-1)), g.lane, runs);
    while (any(greater(runs, run))) {
      const vmask there = greater(runs, run);
      const vpos value =
          load_in_row(k.a->trace, trace.group, k.a->trace_words, run * splat_pos(g.slots) + g.slot, there);
      store_in_row(k.a->cigar, 0, 0, to + run, there, to_wide(value));
      run = run + splat_pos(k.sp.p);
    }
    warp_barrier();  // before the next group's are left there
  }
};
