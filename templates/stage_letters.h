// The stream letters of a stage: read a chunk at a time, taken up a row at a time, scored with the lane's own. A letter
// is a code, or where it is a set of states its bytes, which lie one behind another.
#pragma once
#include "device_border.h"
#include "device_columns.h"

// What enters a stage from the left and leaves it on the right, a chunk of rows.
template <class Gap>
struct Feed {
  vscore h[MAX_ROWS], e[MAX_ROWS][Gap::slots];
  vchar letters[MAX_ROWS], sets[MAX_ROWS][MAX_LETTER_BYTES];
  vscore out_h[MAX_ROWS], out_e[MAX_ROWS][Gap::slots];
};

// Before the first row no letter has come.
template <class Gap>
void start_letters(const DeviceKernel<Gap> &k, Stage<Gap> &s) {
  s.stream = splat_letter(stream_pad(k.sp));
  for (int b = 0; b < letter_bytes(k.sp); ++b) s.set[b] = s.stream;
}

// What a letter is, a struct of static members:
//   fill   the letter of the feed's row r, that of the target's `row`. A segment of one lane reads `four` at a time
//   take   a lane's stream letter: the next of the feed, or that of the lane before, which was `passed` on
//   score  the scores of a lane's stream letter with its register letters
struct Codes {
  template <class Gap>
  static void fill(const DeviceKernel<Gap> &k, const Group &g, int t, int r, vpos row, vmask inside, vfour &four,
                   Feed<Gap> &feed) {
    if (k.sp.p == 1 && r % 4 == 0) {
      const vpos first = splat_pos(t + r);
      four = load_four(k.a->target_letters, g.target_first + first, g.target_length - first);
    }
    if (fills_vector(k.sp))
      feed.letters[r] = select(inside, letters_along(k.a->target_letters, t + r), splat_letter(stream_pad(k.sp)));
    else if (k.sp.p == 1)
      feed.letters[r] = letter_of(four, r % 4, inside, stream_pad(k.sp));
    else
      feed.letters[r] = load_letter_at(k.a->target_letters, g.target_first + row, inside, stream_pad(k.sp));
  }
  template <class Gap>
  static void take(const DeviceKernel<Gap> &k, int r, vchar passed, Feed<Gap> &feed, Stage<Gap> &s) {
    if (k.sp.p == 1) {
      s.stream = feed.letters[r];
    } else {
      const int p = sharing_lanes(k.sp);
      s.stream = shift_up(passed, feed.letters[0], p);
      feed.letters[0] = rotate_down(feed.letters[0], p);
    }
  }
  template <class Gap>
  static void score(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, vscore *score_of) {
    device_scores(k.sp, k.v, k.f, s.tile, g.lane, s.stream, score_of);
  }
};

// Sets of states, on devices.
struct StateSets {
  template <class Gap>
  static void fill(const DeviceKernel<Gap> &k, const Group &g, int, int r, vpos row, vmask inside, vfour &,
                   Feed<Gap> &feed) {
    const vpos first = (g.target_first + row) * splat_pos(letter_bytes(k.sp));
    for (int b = 0; b < letter_bytes(k.sp); ++b)
      feed.sets[r][b] = load_letter_at(k.a->target_letters, first + splat_pos(b), inside, stream_pad(k.sp));
  }
  template <class Gap>
  static void take(const DeviceKernel<Gap> &k, int r, vchar, Feed<Gap> &feed, Stage<Gap> &s) {
    for (int b = 0; b < letter_bytes(k.sp); ++b) {
      if (k.sp.p == 1) {
        s.set[b] = feed.sets[r][b];
      } else {
        s.set[b] = shift_up(s.set[b], feed.sets[0][b], k.sp.p);
        feed.sets[0][b] = rotate_down(feed.sets[0][b], k.sp.p);
      }
    }
  }
  template <class Gap>
  static void score(const DeviceKernel<Gap> &k, const Group &, const Stage<Gap> &s, vscore *score_of) {
    DeviceIntersect::row(k.sp, k.v, k.f, s.tile, s.set, score_of);
  }
};

// Returns `call` of what letters are.
#define ALN_WITH_LETTERS(sp, call)          \
  if (has_sets(sp)) return StateSets::call; \
  return Codes::call

template <class Gap>
void fill_letter(const DeviceKernel<Gap> &k, const Group &g, int t, int r, vpos row, vmask inside, vfour &four,
                 Feed<Gap> &feed) {
  ALN_WITH_LETTERS(k.sp, fill(k, g, t, r, row, inside, four, feed));
}
template <class Gap>
void take_letter(const DeviceKernel<Gap> &k, int r, vchar passed, Feed<Gap> &feed, Stage<Gap> &s) {
  ALN_WITH_LETTERS(k.sp, take(k, r, passed, feed, s));
}
template <class Gap>
void score_letter(const DeviceKernel<Gap> &k, const Group &g, const Stage<Gap> &s, vscore *score_of) {
  ALN_WITH_LETTERS(k.sp, score(k, g, s, score_of));
}
