// The dialect's operations for devices, where the lanes of a warp share alignments.
//
// A warp is the group of threads that run in lock step; `int` and `bool` are uniform over it. p neighbouring lanes, a
// segment, share one alignment, or `packing` of them side by side in a register; lengths, positions, letters and
// masks follow the packing. Several warps make a block; they meet at barriers and share memory of the block.
// Where a function takes p, it is a static power of two.
#pragma once

struct ALN_OPAQUE vquad {
  int opaque;
};  // four scores that lie one behind another
struct ALN_OPAQUE vquads {
  int opaque;
};  // such a quad for each alignment of a lane
struct ALN_OPAQUE vrow {
  int opaque;
};  // what a letter scores with each of four others
struct ALN_OPAQUE vfour {
  int opaque;
};  // four letters that lie one behind another

// Who am I.
ALN_OP int block_index();
ALN_OP int block_count();
ALN_OP int warp_index();           // in the block
ALN_OP vpos lane_index(int p);     // in the segment
ALN_OP vpos segment_index(int p);  // in the warp
ALN_OP vpos half_index();          // 0 .. packing - 1

// Neighbours. Where a lane has none, it takes `into`, its own value.
ALN_OP vscore shift_up(vscore, vscore into, int p);  // from the lane before
ALN_OP vchar shift_up(vchar, vchar into, int p);
ALN_OP vscore shift_down(vscore, vscore into, int p);  // from the lane behind
ALN_OP vscore rotate_down(vscore, int p);              // from the lane behind, the last one from the first
ALN_OP vchar rotate_down(vchar, int p);
ALN_OP vscore first_lane(vscore, int p);  // the segment's first lane's, to all
ALN_OP vwide exchange(vwide, int d);      // from lane i ^ d of the warp
ALN_OP int largest(vpos);                 // over the warp
ALN_OP int smallest(vpos);

// Scores.
ALN_OP vscore max_floor0(vscore, vscore);   // the larger, or 0
ALN_OP vscore max_by_sums(vscore, vscore);  // the larger, off the pipe that takes maxima
ALN_OP vscore add_floor0(vscore, vscore);   // the sum, or 0
ALN_OP vscore sub_gap(vscore, vscore);      // a - b where only a result of 0 and up is used, and a >= 0, b >= 0
ALN_OP vscore to_score(vwide);              // for values that fit

// Match and mismatch for alphabets of four letters: the row of a letter (which may be a pad or wildcard, that matches
// none), and its score with another. Whatever is beyond the four selects 0.
ALN_OP vrow letter_scores(vchar, int match, int mismatch);
ALN_OP vchar selector(vchar);
ALN_OP vscore pick(vrow, vchar selector);

// Positions.
ALN_OP vpos add(vpos, vpos);
ALN_OP vpos mul(vpos, vpos);
ALN_OP vpos halved(vpos);  // of 0 and up, rounded down
ALN_OP vpos to_pos(vchar);
ALN_OP vmask greater(vpos, vpos);
ALN_OP vmask equal(vwide, vwide);
ALN_OP vpos select(vmask, vpos, vpos);

// Memory, by element; masked loads read nothing where the mask does not hold.
ALN_OP vpos load_pos_at(const int *, vpos);
ALN_OP vchar load_letter_at(const unsigned char *, vpos, vmask, int otherwise);
ALN_OP vfour load_four(const unsigned char *, vpos, vpos count);  // of which the first `count` are wanted
ALN_OP vchar letter_of(vfour, int i, vmask, int otherwise);       // letter i where the mask holds
ALN_OP vwide load_wide_at(const int *, vpos, vmask, vwide otherwise);
ALN_OP void store_wide_at(int *, vpos, vmask, vwide);
ALN_OP void store_mask_at(unsigned char *, vpos, vmask where, vmask);  // 1 where it holds, else 0

// Memory of the block, in words of 32 bits: a score (with all that is packed in it), or a total.
ALN_OP void store_shared(vpos, vscore);
ALN_OP vquad load_quad(vpos);  // at a multiple of 4
ALN_OP vscore element(vquad, int);
ALN_OP vquads load_quads(vpos);      // each alignment its own, as 4 * packing scores of one alignment
ALN_OP vscore element(vquads, int);  // 0 .. 4 * packing - 1
ALN_OP vscore gather_score(vpos);    // each alignment's own, at a byte; scores are 4 / packing bytes long
ALN_OP void store_shared_wide(vpos, vmask, vwide);
ALN_OP vwide load_shared_wide(vpos, vmask, vwide otherwise);
ALN_OP void warp_barrier();  // all lanes of the warp; what they have written to memory is seen behind it
ALN_OP void barrier();       // all warps of the block; what was written before is seen behind it
