// What the functions of a device's kernel share: the call, a group of alignments, and a stage of p lanes.
#pragma once
#include "answer.h"
#include "device_scores.h"

template <class Gap>
struct DeviceKernel {
  Spec sp;
  const GroupArgs *a;
  Scoring<Gap> v;
  DeviceFrame<Gap> f;
  const int *matrix;
};

template <class Gap>
DeviceKernel<Gap> make_device_kernel(const Spec &sp, const GroupArgs *a) {
  DeviceKernel<Gap> k;
  k.sp = sp;
  k.a = a;
  k.v = read_scoring<Gap>(sp, a->scoring);
  k.f = make_device_frame(sp, k.v);
  k.matrix = matrix_of(sp, a->matrix);
  return k;
}

// The alignments of a group, each lane's own.
struct Group {
  vpos lane;       // of the segment
  vpos late;       // rows that the lane is behind the segment's first
  vpos alignment;  // its index; the last one where there is none
  vmask stored;    // not a repetition
  vpos query_first, query_length, target_first, target_length;
  int query_min, query_max, target_min, target_max;  // over the warp
  int own;                                           // which piece of memory, of those that groups have, is its own
  int border;                                        // first element of its border in global memory
  int left, right;  // rows there before the border left of a stage and the one right of it, where several are kept
  vpos slot;        // of the alignment in its group
  int slots;        // alignments of the group
  // Where each has a band of its own (band.h); the largest begin and the smallest end over the warp.
  vpos band_from, band_to;
  int band_from_most, band_to_least;
};

// An alignment's own, of a list by alignment that nobody reads before the kernel has ended.
struct OwnResults {
  vpos alignment;
  vmask stored;
  void store(int *list, vwide value) const { store_in_row(list, 0, 0, alignment, stored, value); }
};
inline OwnResults own_results(const Group &g) { return {g.alignment, g.stored}; }

template <class Gap>
struct Stage {
  vscore H[MAX_K], F[MAX_K][Gap::slots];
  DeviceTile tile;              // of the register side
  vscore diagonal;              // H left of the lane's first column, one row up
  vscore e[Gap::slots];         // E that leaves the last column
  vchar stream;                 // the lane's stream letter
  vchar set[MAX_LETTER_BYTES];  // the same where it is a set of states
  // What the lane behind takes of the last rows, where it is more than one behind.
  vscore late_h[MAX_SKEW], late_e[MAX_SKEW][Gap::slots];
  vchar late_stream[MAX_SKEW];
  vwide base;
  vscore slope;      // where lanes have bases of their own: of the lane before, less the lane's
  vscore floor;      // of local alignments, where it moves
  vpos first;        // the lane's first column
  vpos last_column;  // of the alignment, 1-based from `first`; outside 1..k where it is another lane's or stage's
};

// How a chunk of rows is run: as the only stage, whose left border is the matrix's own and whose right one nobody
// wants; as one of several, the others left and right of it; and with masks besides, where some lanes are before their
// first or behind their last row, or cells outside of a band.
enum class Chunk { single_stage, between_stages, masked };
