// Sizes and places in the memory that kernels work in.
//
// Scratch memory of a CPU's kernel, in elements of one score per lane: the border of a strip for each stream row (three
// of them where watch_replayed.h is at work), behind all rows the profile or the tables of substitution.h, then by how
// much bases move (lane_base.h), then what is kept for the way back. Memory of a device's block, in words: the scores
// of letters (device_scores.h); for mapping `block` behind them its warps' results and, where it is short, the border.
// Borders in global memory are words too: a total each.
#pragma once
#include "spec.h"

// Pairs find the end of a local alignment by watch_replayed.h.
inline bool replays(const Spec &sp) { return sp.goal == Goal::best && wants_end(sp); }
// Of a border, by stream row: H and the gap states; and of all borders.
inline int row_elements(const Spec &sp) { return 1 + sp.gap_states; }
inline int border_elements(const Spec &sp) {
  if (replays(sp)) return 3 * row_elements(sp);
  return row_elements(sp);
}
// Of all that mapping `lanes` keeps by stream row: what a base of each lane's own moves by too, and what lies between
// two (watch_replayed.h), a share of an element each (lane_base.h).
inline int stream_elements(const Spec &sp) {
  if (!lanes_rebase(sp)) return border_elements(sp);
  return border_elements(sp) + (replays(sp) ? 2 : 1);
}
// Of a table of scores_tables.h: sixteen or 32 entries, of which the last is for pads.
inline int table_entries(const Spec &sp) {
  if (sp.letters < LOOKED_UP) return LOOKED_UP;
  return MAX_LETTERS;
}
// Behind the tables of all columns: letters of the stream, and their scores.
inline int tables_size(const Spec &sp) { return table_entries(sp) * sp.k; }
inline int looked_up_size(const Spec &sp) { return tables_size(sp) + table_entries(sp) + LOOKED_UP * sp.k; }
inline int profile_size(const Spec &sp) {
  if (looks_up(sp)) return looked_up_size(sp);
  if (has_sets(sp)) return sp.sharing == Sharing::none ? 0 : sp.letters * sp.k;
  if (has_matrix(sp)) return sp.letters * sp.k;
  return 0;
}

// Kept for the way back (trace.h), behind all that: the codes of a patch; of each strip of a section, by stream row,
// its left border and a share of the states that its patches begin with; and the left border of each section's first
// strip.
inline int patch_elements(const Spec &sp) { return wants_begin(sp) ? sp.patch_rows * sp.k : 0; }
// Before a patch: H and the gap states of its columns; behind them the floors of its chunks, where these move.
inline int column_elements(const Spec &sp) { return sp.k * (1 + sp.gap_states); }
inline int state_elements(const Spec &sp) {
  if (sp.floor != Floor::moving) return column_elements(sp);
  return column_elements(sp) + sp.patch_rows / sp.chunk;
}
inline int states_per_row(const Spec &sp) {
  return wants_begin(sp) ? (state_elements(sp) + sp.patch_rows - 1) / sp.patch_rows : 0;
}
inline int kept_per_row(const Spec &sp) { return wants_begin(sp) ? row_elements(sp) : 0; }
// Mapping `strips`: what its lanes hold of a stage (strips_trace.h).
inline int stage_elements(const Spec &sp) {
  const int late = sp.skew > 1 ? sp.skew : 0;
  return wants_begin(sp) ? (sp.k + 1 + late) * (1 + sp.gap_states) : 0;
}

// Mapping `striped`, elements: the profile, a row per stream letter; behind it H and the gap states of the stream side,
// of each vector of letters; and what leaves a stage on the right.
inline int striped_profile_rows(const Spec &sp) { return has_matrix(sp) ? sp.letters : sp.letters + 1; }
inline int striped_column(const Spec &sp) { return striped_profile_rows(sp) * sp.k; }
inline int striped_right(const Spec &sp) { return striped_column(sp) + sp.k * row_elements(sp); }
inline int striped_elements(const Spec &sp) { return striped_right(sp) + sp.gap_states; }

// Bits of what a cell keeps of where its scores come from (way.h): H one of so many sources; of each gap state whether
// the gap goes on.
constexpr int way_bits(int gap_states) { return (gap_states > 1 ? 3 : 2) + 2 * gap_states; }
// Devices (device_trace.h): bits of a cell's code, a power of two, and words of a lane's codes of a row, of each of its
// alignments; those of a row of all lanes; and rows of a stage's codes beside those of the target's letters: the lanes
// behind the first one are late, and the last chunk may end behind the last row.
inline int code_bits(const Spec &sp) {
  int bits = 2;
  while (bits < way_bits(sp.gap_states)) bits = 2 * bits;
  return bits;
}
inline int codes_of_word(const Spec &sp) { return 32 / code_bits(sp); }
inline int code_words(const Spec &sp) { return (sp.k + codes_of_word(sp) - 1) / codes_of_word(sp); }
inline int trace_row_words(const Spec &sp) { return wants_begin(sp) ? code_words(sp) * sp.warp * sp.packing : 0; }
inline int trace_rows(const Spec &sp) { return sp.p - 1 + sp.chunk; }
// Of the way back where codes are not kept for all cells (device_checkpoints.h), of each alignment: where it stands.
inline int walk_words(const Spec &sp) { return wants_begin(sp) ? 6 : 0; }

// Columns that one read of a device's profile is for, and reads of a lane for all of its columns.
inline int quad_columns(const Spec &sp) { return sp.sharing == Sharing::single_query ? 4 * sp.packing : 4; }
inline int quads(const Spec &sp) { return (sp.k + quad_columns(sp) - 1) / quad_columns(sp); }

// Words of a row of one copy of the table: as many scores per word as a lane has alignments. A single copy has an odd
// number, which puts neighbouring rows in other banks.
inline int table_words(const Spec &sp) {
  const int words = (sp.letters + sp.packing) / sp.packing;
  return sp.replicas > 1 ? words : words / 2 * 2 + 1;
}

inline int score_words(const Spec &sp) {
  if (sp.sharing != Sharing::none) return (sp.letters + 1) * quads(sp) * sp.p * 4;
  if (has_matrix(sp)) return (sp.letters + 1) * table_words(sp) * sp.replicas;
  return 0;
}
// First in a block's memory; then the table, on whole quads.
inline int exchange_words(const Spec &sp) { return (sp.exchange_rows * sp.warp + 3) / 4 * 4; }
inline int merge_word(const Spec &sp) { return (score_words(sp) + 3) / 4 * 4; }
// Three totals a warp and alignment.
inline int border_word(const Spec &sp) { return merge_word(sp) + 3 * sp.warps * sp.packing; }

// Alignments that a warp has at a time, and what a border keeps of each, by stream row.
inline int warp_slots(const Spec &sp) { return sp.warp / sp.p * sp.packing; }
inline int border_states(const Spec &sp) { return 1 + sp.gap_states; }
