// Lane mapping `lanes` of devices, bit-sliced: 32 alignments per thread, a bit of a word each (sliced.h). The query is
// the stream side, the target the register side, as on CPUs.
//
// A warp takes so many alignments in a loop: alignment `place` of lane l is number place * warp + l of the group, so
// that lists are read coalesced. All that it works in lies in the border's memory, an element per word for each lane:
// planes of the letters of both sides, packed here; u and y of each row; the sums. No lane reads what another has
// written.
#pragma once
#include "ends.h"
#include "frame.h"
#include "sliced.h"

constexpr int WORD = 32;                   // alignments of a lane
constexpr int BYTES = 4, BYTE_PLACES = 8;  // of a word; alignments of a byte
constexpr int LETTERS_AT_A_TIME = 4;

// Elements of memory by row: planes of both sides' letters, and the row's states; and how many rows more hold the sums.
inline int device_row_elements(const Spec &sp) { return 2 * LETTER_PLANES + row_elements(sp.circuit); }
inline int spare_rows(const Spec &sp) {
  return (sum_elements(sp) + device_row_elements(sp) - 1) / device_row_elements(sp);
}

// Where a warp's bits lie (sliced.h): first elements.
struct DeviceBits {
  const GroupArgs *a;
  int stream, registers, rows;
  vbits stream_letter(int row, int plane) const { return load_bits(a->border, stream + LETTER_PLANES * row + plane); }
  vbits register_letter(int column, int plane) const {
    return load_bits(a->border, registers + LETTER_PLANES * column + plane);
  }
  vbits load(int at) const { return load_bits(a->border, rows + at); }
  void store(int at, vbits bits) const { store_bits(a->border, rows + at, bits); }
};
inline DeviceBits make_device_bits(const Spec &sp, const GroupArgs *a, int own) {
  const int first = own * a->border_rows * device_row_elements(sp), letters = a->border_rows - spare_rows(sp);
  return {a, first, first + LETTER_PLANES * letters, first + 2 * LETTER_PLANES * letters};
}

// The alignments of a group at one place.
inline vpos alignments_at(const Spec &sp, int group, int place) {
  return splat_pos((group * WORD + place) * sp.warp) + lane_index(sp.warp);
}
// Those behind the last are the last once more.
inline vpos known_alignments(const GroupArgs *a, vpos wanted) { return min(wanted, splat_pos(a->alignments - 1)); }

// One of the sides of a group's alignments. The compiler knows the arrays apart.
struct StreamSide {
  static vpos sequence(const GroupArgs *a, vpos alignment) { return load_pos_at(a->pair_query, alignment); }
  static vpos first(const GroupArgs *a, vpos sequence) { return load_pos_at(a->query_offset, sequence); }
  static vpos length(const GroupArgs *a, vpos sequence) { return load_pos_at(a->query_length, sequence); }
  static vfour letters(const GroupArgs *a, vpos at, vpos count) { return load_four(a->query_letters, at, count); }
  static constexpr int pad = ALN_CODE_QUERY_PAD;
};
struct RegisterSide {
  static vpos sequence(const GroupArgs *a, vpos alignment) { return load_pos_at(a->pair_target, alignment); }
  static vpos first(const GroupArgs *a, vpos sequence) { return load_pos_at(a->target_offset, sequence); }
  static vpos length(const GroupArgs *a, vpos sequence) { return load_pos_at(a->target_length, sequence); }
  static vfour letters(const GroupArgs *a, vpos at, vpos count) { return load_four(a->target_letters, at, count); }
  static constexpr int pad = ALN_CODE_TARGET_PAD;
};

inline SlicedLengths lengths_of_group(const Spec &sp, const GroupArgs *a, int group) {
  vpos stream = splat_pos(0), registers = splat_pos(0), least = splat_pos(0x7fffffff), there = least;
  for (int place = residual(0); place < WORD; ++place) {
    const vpos alignment = known_alignments(a, alignments_at(sp, group, place));
    const vpos query = StreamSide::length(a, StreamSide::sequence(a, alignment));
    const vpos target = RegisterSide::length(a, RegisterSide::sequence(a, alignment));
    stream = max(stream, query);
    there = min(there, query);
    registers = max(registers, target);
    least = min(least, target);
  }
  return {largest(stream), smallest(least), largest(registers), smallest(there)};
}

// Four letters of the alignments of a byte. `ends`: some may have fewer.
template <class Side>
void pack_letters(const Spec &sp, const GroupArgs *a, bool ends, const vpos *first, const vpos *length, int to, int at,
                  int byte) {
  vfour planes[LETTER_PLANES];
  for (int p = 0; p < LETTER_PLANES; ++p) planes[p] = splat_four(0);
  for (int n = 0; n < BYTE_PLACES; ++n) {
    const vpos left = length[n] - splat_pos(at);
    vfour letters = Side::letters(a, first[n] + splat_pos(at), left);
    if (ends) letters = padded(letters, left, Side::pad);
    for (int p = 0; p < LETTER_PLANES; ++p)
      if (p != NO_LETTER_PLANE || sp.wildcard || ends) planes[p] = collected(planes[p], letters, letter_bit(p), n);
  }
  for (int letter = 0; letter < LETTERS_AT_A_TIME; ++letter)
    for (int p = 0; p < LETTER_PLANES; ++p)
      store_collected(a->border, to + LETTER_PLANES * (at + letter) + p, byte, planes[p], letter);
}

// The planes of a side's letters, from element `to` on, of `count` letters and up to three more; all have `least`. A
// byte of all lanes' words at a time, which is eight of their alignments.
template <class Side>
void pack_side(const Spec &sp, const GroupArgs *a, int group, int to, int least, int count) {
  for (int byte = residual(0); byte < BYTES; ++byte) {
    vpos first[BYTE_PLACES], length[BYTE_PLACES];
    for (int n = 0; n < BYTE_PLACES; ++n) {
      const vpos alignment = known_alignments(a, alignments_at(sp, group, byte * BYTE_PLACES + n));
      const vpos sequence = Side::sequence(a, alignment);
      first[n] = Side::first(a, sequence);
      length[n] = Side::length(a, sequence);
    }
    int at = residual(0);
    for (; at + LETTERS_AT_A_TIME <= least; at += LETTERS_AT_A_TIME)
      pack_letters<Side>(sp, a, false, first, length, to, at, byte);
    for (; at < count; at += LETTERS_AT_A_TIME) pack_letters<Side>(sp, a, true, first, length, to, at, byte);
  }
}

// Where results of a group's alignments at one place go (sliced.h).
struct DevicePlace {
  const GroupArgs *a;
  int rows, place;
  vpos alignment;
  vmask stored;
  vwide stream_length() const { return to_wide(StreamSide::length(a, StreamSide::sequence(a, alignment))); }
  vwide register_length() const { return to_wide(RegisterSide::length(a, RegisterSide::sequence(a, alignment))); }
  vwide number(int at, int digits) const { return number_at(a->border, rows + at, digits, place); }
  void store(int *list, vwide value) const { store_wide_at(list, alignment, stored, value); }
  void store_status() const { store_mask_at(a->status, alignment, stored, no_lanes()); }
};

inline void sliced_group(const Spec &sp, const GroupArgs *a, const SlicedGaps &gaps, int group, int own) {
  const DeviceBits bits = make_device_bits(sp, a, own);
  const SlicedLengths lengths = lengths_of_group(sp, a, group);
  int columns = residual(0);  // of whole strips
  while (columns < lengths.registers) columns = columns + sp.k;
  pack_side<StreamSide>(sp, a, group, bits.stream, lengths.all_there, lengths.stream);
  pack_side<RegisterSide>(sp, a, group, bits.registers, lengths.register_least, columns);
  NothingKeptOfBits keep;
  const SlicedMemory m = run_sliced(sp, bits, lengths, gaps, keep);
  for (int place = residual(0); place < WORD; ++place) {
    const vpos wanted = alignments_at(sp, group, place);
    const DevicePlace here = {a, bits.rows, place, known_alignments(a, wanted),
                              greater(splat_pos(a->alignments), wanted)};
    store_sliced(sp, here, gaps, m);
  }
}

inline int device_sliced(const Spec &sp, const GroupArgs *a) {
  const SlicedGaps gaps = sliced_gaps(sp, a->scoring);
  const int each = WORD * sp.warp;
  for (int item = block_index() * sp.warps; item * each < a->alignments; item += block_count() * sp.warps) {
    const int group = item + warp_index();
    if (group * each < a->alignments) sliced_group(sp, a, gaps, group, block_index() * sp.warps + warp_index());
  }
  return 0;
}
