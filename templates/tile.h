// A tile of mapping `lanes`: letters of the register side, and what their scores with a stream letter are made of.
#pragma once
#include "frame.h"
#include "memory.h"

struct Tile {
  vchar letters[(MAX_K + 1) * MAX_LETTER_BYTES];  // as letter_codes() lays them out
  // What differs from column to column (columns.h): a gap's costs, from the tile's first letter to the one behind its
  // last; what the frame adds; scores.
  vscore open[MAX_K + 1][MAX_LINES], longer[MAX_K + 1][MAX_LINES];
  vscore raise[MAX_K];
  vscore matches[MAX_K], mismatches[MAX_K];
  vscore match, mismatch;
  vscore invalid;     // what a pad scores
  int least, most;    // of all scores
  const int *matrix;  // where there is one
  const aln_args_v1 *args;
  void *memory;   // the profile's
  int profile;    // and its first element
  int looked_up;  // rows of the stream whose scores have been looked up (scores_tables.h)
};

// A letter of the stream in each lane.
inline vchar stream_letter(const Spec &sp, const unsigned char *stream, int row) {
  if (sp.sharing == Sharing::none) return load_letters(stream, row);
  return splat_letter(load_letter(stream, row));
}
