// A tile of mapping `lanes`: letters of the register side, and what their scores with a stream letter are made of.
#pragma once
#include "frame.h"
#include "memory.h"

struct Tile {
  vchar letters[MAX_K];
  vscore match, mismatch;
  vscore invalid;     // what a pad scores
  const int *matrix;  // where there is one
  void *memory;       // the profile's
  int profile;        // and its first element
  int looked_up;      // rows of the stream whose scores have been looked up (scores_tables.h)
};

// A letter of the stream in each lane.
inline vchar stream_letter(const Spec &sp, const unsigned char *stream, int row) {
  if (sp.form == Form::pairwise) return load_letters(stream, row);
  return splat_letter(load_letter(stream, row));
}
