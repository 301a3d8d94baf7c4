// The policies of a kernel: what the generator chooses, one enumerator each. An enumerator names a type, in a file of
// its own, which has all that the templates do differently because of it; gap models (gaps.h) are chosen by their
// states.
#pragma once

// How local scores stay at 0 and above (floors.h). `none`: they need not; alignments without a floor are sheared
// (frame.h).
enum class Floor { none, saturating, diagonal, cell, cell_and_gaps, moving };

// Where the answer is (watch.h, device_watch.h): in the corner of the matrix; in its last column, where the end of the
// stream side is free; in its last row, where that of the register side is; the best of all cells, of local alignments;
// and of alignments of which a lane holds several, one behind another; how far the best ones of these reach.
enum class Goal { corner, last_column, last_row, last_row_and_column, best, best_of_several, extent_of_several };

// What is handed out of it (ends.h, trace.h): its score; its last letters too; its first ones; the way between them.
enum class Output { score, end, begin, cigar };

// How cells lie on lanes, as the spec's key `mapping` has it (docs/glossary.md).
enum class Mapping { lanes, strips, striped, wavefront, block };

// What an alignment pays that begins with letters of one side alone: what a gap costs; nothing; or there is none. Of
// ends the goal says it.
enum class Begin { costs, free, forbidden };

// Which cells exist: all; those of the spec's band, alike for all alignments (band.h); those of a band that each
// alignment has for itself (band.h, lane_band.h).
enum class Band { none, of_spec, of_alignment };

// Columns of the register side that may be flagged (columns.h): none; such as may score differently; and at which a
// letter of a gap has a cost of its own too.
enum class Flags { none, score, score_and_gap };

// Which sequences the lanes share: none; one for all; devices: one query, each of a lane's alignments with a stream of
// its own.
enum class Sharing { none, query, single_query };

// Where scores of letters come from (substitution.h, device_scores.h): match and mismatch, compared; devices: looked up
// by a permutation of bytes; a matrix that is part of the kernel, or of the call; CPUs: match and mismatch of sets of
// states, which match where they have one in common.
enum class Scores { compare, permute, folded_matrix, call_matrix, intersect };

// CPUs, where each lane has a stream of its own and scores come from a matrix: a lane picks the row of its letter from
// a profile by compare and blend, which costs an operation per letter of the alphabet; or looks its letters up in
// tables of its own, sixteen rows at a time (scores_tables.h).
enum class Pick { blend, look_up };

// What kept scores are relative to (device_frame.h): what stands still; a base that moves along, so that a narrow range
// serves any length; the same, the halves of a packed score never negative, so that both are added as one number; and a
// base of each lane's own, so that 8 bits do.
enum class Base { fixed, moving, moving_unsigned_halves, moving_by_lane };

// Bits of a letter's code that bit-sliced kernels get, a plane each: the letter, and whether it is none, a pad or a
// wildcard (kernel_abi.h). Of those that are none the second plane says that they are pads.
constexpr int LETTER_PLANES = 3, NO_LETTER_PLANE = 2, PAD_PLANE = 1;
inline constexpr int letter_bit(int plane) { return plane == NO_LETTER_PLANE ? 5 : plane; }
