// The way back of bit-sliced kernels, which all lanes go at the same time: for each state that a path may be in at a
// cell (way.h) a plane says which lanes' paths are. From the last row to the first and from the last column to the
// first each cell hands its planes on to the cells that its scores come from. What is left are, for each letter of both
// sides, the lanes whose path has it in a column with one of the other side; gaps are what lies between (`path` in
// kernel_abi.h). A path has between two such columns the letters of the register side behind those of the stream side,
// as seen from its begin: in H a deletion is taken before an insertion, and of two gaps one behind another the order
// does not change the score.
//
// As in trace.h borders and states are kept of all strips or of a section, and patches run again. A strip's border lies
// where the strip before it has left it, so that keeping it costs nothing.
//
// Where a cell's scores come from follows from what its circuit has computed: a gap reaches H where what it keeps of
// its lead (sliced.h) is the whole open, or, of linear gaps, where the difference across it is 0; it goes on where it
// has entered with a lead; and a mismatch reaches H where nothing is above `floor`.
#pragma once
#include "sections.h"
#include "sliced_place.h"

constexpr int LUT_OR_BOTH = 0xF8, LUT_OR_THREE = 0xFE;  // a | b & c, a | b | c

// Whether a gap along that side may go on, as circuits number sides: 0 the stream side (an insertion), 1 the register
// side (a deletion).
inline bool goes_on(const Circuit &circuit, int side) { return circuit.gap_planes[side] > 0; }

// Sizes, in elements. Of a cell: whether its H comes along the diagonal, whether else from a deletion, and of each gap
// that may go on whether it does. Before a patch: v and x of its columns. Marks of a row: lanes whose path stands in H
// in the column on the left of a strip, in H there and a row above, in a deletion.
inline int code_planes(const Circuit &circuit) {
  return 2 + (goes_on(circuit, 0) ? 1 : 0) + (goes_on(circuit, 1) ? 1 : 0);
}
inline int codes_size(const Spec &sp) { return sp.patch_rows * sp.k * code_planes(sp.circuit); }
inline int columns_size(const Spec &sp) { return sp.k * (sp.circuit.planes + sp.circuit.gap_planes[0]); }
inline int columns_per_row(const Spec &sp) { return (columns_size(sp) + sp.patch_rows - 1) / sp.patch_rows; }
inline int mark_planes(const Circuit &circuit) { return goes_on(circuit, 1) ? 3 : 2; }
// Beside that a row has the lanes that end in it.
inline int walked_per_row(const Spec &sp) { return wants_begin(sp) ? mark_planes(sp.circuit) + 1 : 0; }
// The first of a letter's of the register side; before the way goes through its column it has the lanes that end there.
inline int path_of_column(const Spec &sp, const aln_args_v1 *a, int column) {
  return kernel_memory::path_planes(stream_begin_free(sp)) * a->stream_max +
         kernel_memory::path_planes(register_begin_free(sp)) * column;
}

// What is kept; first elements.
struct KeptOfBits {
  static constexpr bool walks = true;
  const aln_args_v1 *a;
  int codes, marks, ends, states, borders;
  int states_size;  // of a strip
  Sections sections;
  int state;  // where the states of the current strip's next patch go; -1: they are not kept

  int first_border() const { return border_of(0); }
  void start(const Spec &sp, const aln_args_v1 *args) {
    a = args;
    const int border_size = kernel_memory::strip_border(row_elements(sp.circuit), a->stream_max);
    codes = border_size + sum_elements(sp);
    marks = codes + codes_size(sp);
    ends = marks + mark_planes(sp.circuit) * a->stream_max;
    states = ends + a->stream_max;
    states_size = kernel_memory::strip_states(columns_per_row(sp), a->stream_max, sp.patch_rows);
    borders = states + a->kept_strips * states_size;
    sections.start(a, sp.k, kernel_memory::end_of_section(states, a->kept_strips, states_size, border_size),
                   border_size);
  }
  // On the left of a strip of the current section, or of all.
  int border_of(int strip) const {
    return strip == 0 && !sections.one ? sections.border : borders + strip * sections.border_size;
  }
  // Before each strip, in turn.
  void start_strip(const Spec &sp, int column, SlicedStrip &s) {
    sections.next_strip(a, sp.k);
    const bool last = column + sp.k >= a->register_max;
    if (sections.one) {
      keep_strip(last, s);
    } else {
      const bool ends_section = sections.strip + 1 == a->kept_strips && !last;
      state = -1;
      s.entering = sections.strip == 0 ? sections.border : 0;
      s.leaving = ends_section ? sections.border + sections.border_size : 0;
    }
  }
  // `last`: nothing lies on its right.
  void keep_strip(bool last, SlicedStrip &s) {
    state = states + sections.strip * states_size;
    s.entering = border_of(sections.strip);
    s.leaving = last ? 0 : border_of(sections.strip + 1);
  }
  // Before the rows of each patch.
  void columns(const Spec &sp, const LaneBits &bits, const SlicedStrip &s) {
    if (state >= 0) {
      const int planes = sp.circuit.planes, each = planes + sp.circuit.gap_planes[0];
      for (int c = 0; c < sp.k; ++c) {
        for (int p = 0; p < planes; ++p) bits.store(state + each * c + p, s.column[c].v[p]);
        for (int p = 0; p < sp.circuit.gap_planes[0]; ++p) bits.store(state + each * c + planes + p, s.column[c].x[p]);
      }
      state = state + columns_size(sp);
    }
  }
};

// Lanes in which planes have a code, the lowest three of them; which of a difference and of a gap have a value's.
inline vbits has_code(int code, const vbits *planes, int count) {
  const int low = min(count, 3), mask = (1 << low) - 1;
  int table = 0;
  for (int i = 0; i < 8; ++i)
    if ((i & mask) == (code & mask)) table = table | 1 << i;
  return lut3(table, planes[low - 1], planes[min(low - 1, 1)], planes[0]);
}
inline vbits has_difference(const Circuit &circuit, const vbits *planes, int value) {
  const int code = circuit.code[value];
  vbits same = has_code(code, planes, circuit.planes);
  for (int p = 3; p < circuit.planes; ++p) {
    const bool set = (code >> p & 1) == 1;
    same = set ? lut3(LUT_AND, same, planes[p], planes[p]) : lut3(LUT_AND_NOT, same, planes[p], planes[p]);
  }
  return same;
}
inline vbits has_lead(const Circuit &circuit, int side, const vbits *planes, int value) {
  return has_code(circuit.gap_code[side][value], planes, circuit.gap_planes[side]);
}

// Whether a mismatch can be what H comes from: it is no worse than a gap along each side.
inline bool mismatch_counts(const Spec &sp, const SlicedGaps &gaps, const int *scoring) {
  return setting<int>(sp.mismatch, scoring) + first_letter(gaps.stream) + first_letter(gaps.registers) >= 0;
}

// A cell's code, from what it was entered with and what its circuit has left.
inline void code_cell(const Spec &sp, const LaneBits &bits, int at, vbits equal, vbits mismatches,
                      const Downwards &above, const ToTheRight &left, const Downwards &below, const ToTheRight &right) {
  const Circuit &circuit = sp.circuit;
  vbits diagonal = equal;
  for (int v = 0; v <= circuit.floor; ++v) {
    vbits there = has_difference(circuit, above.v, v);
    if (circuit.floor == 0) there = lut3(LUT_AND, there, mismatches, mismatches);
    diagonal = lut3(LUT_OR_BOTH, diagonal, there, has_difference(circuit, right.u, circuit.floor - v));
  }
  bits.store(at, diagonal);
  vbits deletion = has_difference(circuit, below.v, 0);
  if (goes_on(circuit, 1)) deletion = has_lead(circuit, 1, right.y, circuit.open[1]);
  bits.store(at + 1, deletion);
  int more = 2;
  if (goes_on(circuit, 1)) {
    const vbits ends = has_lead(circuit, 1, left.y, 0);
    bits.store(at + more, lut3(LUT_NOT, ends, ends, ends));
    more = more + 1;
  }
  if (goes_on(circuit, 0)) {
    const vbits ends = has_lead(circuit, 0, above.x, 0);
    bits.store(at + more, lut3(LUT_NOT, ends, ends, ends));
  }
}

// A patch once more, for its cells' codes. `s`: with the strip's letters.
inline void run_patch_of_bits(const Spec &sp, const LaneBits &bits, const KeptOfBits &kept, vbits mismatches, int state,
                              int first, int end, SlicedStrip &s) {
  const Circuit &circuit = sp.circuit;
  const int each = circuit.planes + circuit.gap_planes[0];
  for (int c = 0; c < sp.k; ++c) {
    for (int p = 0; p < circuit.planes; ++p) s.column[c].v[p] = bits.load(state + each * c + p);
    for (int p = 0; p < circuit.gap_planes[0]; ++p) s.column[c].x[p] = bits.load(state + each * c + circuit.planes + p);
  }
  int code = kept.codes;
  for (int row = first; row < end; ++row) {
    vbits letter[LETTER_PLANES];
    for (int p = 0; p < LETTER_PLANES; ++p)
      if (p != NO_LETTER_PLANE || sp.wildcard) letter[p] = bits.stream_letter(row, p);
    ToTheRight right = load_row(circuit, bits, s.entering, row);
    for (int c = 0; c < sp.k; ++c) {
      const Downwards above = s.column[c];
      const ToTheRight left = right;
      const vbits equal = equal_letters(sp, letter, s.letter[c]);
      next_cell(circuit, equal, right, s.column[c]);
      code_cell(sp, bits, code + code_planes(circuit) * c, equal, mismatches, above, left, s.column[c], right);
    }
    code = code + code_planes(circuit) * sp.k;
  }
}

// Where the lanes' paths are in a strip, above the rows that are done.
struct MarksOfStrip {
  vbits up[MAX_K], insertion[MAX_K];  // in H, in an insertion
  vbits entering;                     // in H in the last column, come along the diagonal from the strip on the right
  vbits ends[MAX_K], ends_here;       // lanes that end in a column, in any of them
  vbits matched[MAX_K], skipped[MAX_K];
};

inline void start_marks(const Spec &sp, const aln_args_v1 *a, int column, MarksOfStrip &m) {
  const vbits none = splat_bits(0);
  m.entering = none;
  for (int c = 0; c < sp.k; ++c) {
    m.up[c] = none;
    m.insertion[c] = none;
    m.matched[c] = none;
    m.skipped[c] = none;
    m.ends[c] = load_bits(a->path, path_of_column(sp, a, column + c));
    m.ends_here = c == 0 ? m.ends[0] : lut3(LUT_OR, m.ends_here, m.ends[c], m.ends[c]);
  }
}
inline void store_columns(const Spec &sp, const aln_args_v1 *a, int column, const MarksOfStrip &m) {
  for (int c = 0; c < sp.k; ++c) {
    const int at = path_of_column(sp, a, column + c);
    store_bits(a->path, at, m.matched[c]);
    if (register_begin_free(sp)) store_bits(a->path, at + 1, m.skipped[c]);
  }
}

// Whether some path comes into a row of the strip, on its right or where it ends.
inline bool row_is_entered(const Spec &sp, const LaneBits &bits, const KeptOfBits &kept, const MarksOfStrip &m,
                           int row) {
  const int at = kept.marks + mark_planes(sp.circuit) * row;
  vbits in = lut3(LUT_OR, bits.load(at), bits.load(at + 1), splat_bits(0));
  in = lut3(LUT_OR_BOTH, in, bits.load(kept.ends + row), m.ends_here);
  if (goes_on(sp.circuit, 1)) in = lut3(LUT_OR, in, bits.load(at + 2), splat_bits(0));
  return any_bit(in);
}
// Rows from `first` on, up to the last one that is.
inline int end_of_entered(const Spec &sp, const LaneBits &bits, const KeptOfBits &kept, const MarksOfStrip &m,
                          int first, int end) {
  int last = first;
  for (int row = first; row < end; ++row) last = row_is_entered(sp, bits, kept, m, row) ? row + 1 : last;
  return last;
}
// Whether some path stands below the rows that are left.
inline bool columns_are_entered(const Spec &sp, const MarksOfStrip &m) {
  vbits in = m.entering;
  for (int c = 0; c < sp.k; ++c)
    in = goes_on(sp.circuit, 0) ? lut3(LUT_OR_THREE, in, m.up[c], m.insertion[c]) : lut3(LUT_OR, in, m.up[c], m.up[c]);
  return any_bit(in);
}

// A row of a patch, from its last column to its first; `code` of its first cell.
inline void row_back(const Spec &sp, const LaneBits &bits, const KeptOfBits &kept, int row, int code, MarksOfStrip &m) {
  const Circuit &circuit = sp.circuit;
  const int mark = kept.marks + mark_planes(circuit) * row;
  const vbits ends = bits.load(kept.ends + row), from_right = bits.load(mark);
  vbits on = lut3(LUT_OR, from_right, m.entering, m.entering), deletion = splat_bits(0);
  vbits matched = splat_bits(0), skipped = splat_bits(0), passed = splat_bits(0);
  if (goes_on(circuit, 1)) deletion = bits.load(mark + 2);
  m.entering = bits.load(mark + 1);
  for (int i = 0; i < sp.k; ++i) {
    const int c = sp.k - 1 - i, at = code + code_planes(circuit) * c;
    const vbits diagonal = bits.load(at), deletes = bits.load(at + 1);
    on = lut3(LUT_OR, on, m.up[c], m.up[c]);
    on = lut3(LUT_OR_BOTH, on, ends, m.ends[c]);
    const vbits match = lut3(LUT_AND, on, diagonal, diagonal), gap = lut3(LUT_AND_NOT, on, diagonal, diagonal);
    vbits across = lut3(LUT_AND, gap, deletes, deletes), down = lut3(LUT_AND_NOT, gap, deletes, deletes);
    if (goes_on(circuit, 1)) across = lut3(LUT_OR, across, deletion, deletion);
    if (goes_on(circuit, 0)) down = lut3(LUT_OR, down, m.insertion[c], m.insertion[c]);
    matched = i == 0 ? match : lut3(LUT_OR, matched, match, match);
    m.matched[c] = lut3(LUT_OR, m.matched[c], match, match);
    if (stream_begin_free(sp)) skipped = i == 0 ? down : lut3(LUT_OR, skipped, down, down);
    if (register_begin_free(sp)) m.skipped[c] = lut3(LUT_OR, m.skipped[c], across, across);
    on = across;
    m.up[c] = down;
    if (goes_on(circuit, 1)) {
      const vbits longer = bits.load(at + 2);
      on = lut3(LUT_AND_NOT, across, longer, longer);
      deletion = lut3(LUT_AND, across, longer, longer);
    }
    if (goes_on(circuit, 0)) {
      const vbits longer = bits.load(at + code_planes(circuit) - 1);
      m.up[c] = lut3(LUT_AND_NOT, down, longer, longer);
      m.insertion[c] = lut3(LUT_AND, down, longer, longer);
    }
    if (i > 0) m.up[c] = lut3(LUT_OR, m.up[c], passed, passed);
    passed = match;
  }
  bits.store(mark, on);
  bits.store(mark + 1, passed);
  if (goes_on(circuit, 1)) bits.store(mark + 2, deletion);
  const int letter = kernel_memory::path_planes(stream_begin_free(sp)) * row;
  store_bits(bits.a->path, letter, lut3(LUT_OR, load_bits(bits.a->path, letter), matched, matched));
  if (stream_begin_free(sp))
    store_bits(bits.a->path, letter + 1, lut3(LUT_OR, load_bits(bits.a->path, letter + 1), skipped, skipped));
}

// Marks the lanes' ends, and nothing else.
inline void mark_ends(const Spec &sp, const LaneBits &bits, const KeptOfBits &kept, int columns) {
  const aln_args_v1 *a = bits.a;
  const int row_planes = kernel_memory::path_planes(stream_begin_free(sp));
  for (int row = residual(0); row < a->stream_max; ++row) {
    for (int p = 0; p < mark_planes(sp.circuit); ++p)
      bits.store(kept.marks + mark_planes(sp.circuit) * row + p, splat_bits(0));
    bits.store(kept.ends + row, splat_bits(0));
    for (int p = 0; p < row_planes; ++p) store_bits(a->path, row_planes * row + p, splat_bits(0));
  }
  for (int column = residual(0); column < columns; ++column)
    store_bits(a->path, path_of_column(sp, a, column), splat_bits(0));
  mark_lanes(a->scratch, kept.ends, 1, query_ends(a));
  mark_lanes(a->path, path_of_column(sp, a, 0), kernel_memory::path_planes(register_begin_free(sp)), target_ends(a));
}

// Rows of a section, from the first up to the last one that some path comes into, on its right or where it ends.
inline int rows_of_section(const Spec &sp, const LaneBits &bits, const KeptOfBits &kept, int column, int end) {
  MarksOfStrip m;
  m.ends_here = splat_bits(0);
  for (; column < end; ++column)
    m.ends_here = lut3(LUT_OR, m.ends_here, load_bits(bits.a->path, path_of_column(sp, bits.a, column)), splat_bits(0));
  return end_of_entered(sp, bits, kept, m, residual(0), bits.a->stream_max);
}

// The strips of the current section once more, for what is kept of them. Nothing is counted, so that lanes may run
// beyond their ends.
inline void run_section_of_bits(const Spec &sp, const LaneBits &bits, const SlicedGaps &gaps, KeptOfBits &kept,
                                int column, int end, int rows) {
  kept.sections.strip = 0;
  for (; column < end; column += sp.k) {
    SlicedStrip s;
    start_strip(sp, bits, gaps.registers, column, s);
    kept.keep_strip(column + sp.k >= end, s);
    int row = residual(0);
    while (row < rows) {
      kept.columns(sp, bits, s);
      const int patch_end = min(row + sp.patch_rows, rows);
      rows_until(sp, bits, patch_end, patch_end, false, row, s);
    }
    kept.sections.strip = kept.sections.strip + 1;
  }
}

// Through a strip, patch by patch, from the last of its rows.
inline void strip_back(const Spec &sp, const LaneBits &bits, const KeptOfBits &kept, vbits mismatches, int strip,
                       int column, int rows) {
  SlicedStrip s;
  s.entering = kept.border_of(strip);
  s.leaving = 0;
  for (int c = 0; c < sp.k; ++c)
    for (int p = 0; p < LETTER_PLANES; ++p)
      if (p != NO_LETTER_PLANE || sp.wildcard) s.letter[c][p] = bits.register_letter(column + c, p);
  MarksOfStrip m;
  start_marks(sp, bits.a, column, m);
  int first = residual(0), state = kept.states + strip * kept.states_size;
  for (; first + sp.patch_rows < rows; first += sp.patch_rows) state = state + columns_size(sp);
  for (; first >= 0; first -= sp.patch_rows) {
    int end = min(first + sp.patch_rows, rows);
    if (!columns_are_entered(sp, m)) end = end_of_entered(sp, bits, kept, m, first, end);
    if (end > first) {
      run_patch_of_bits(sp, bits, kept, mismatches, state, first, end, s);
      int code = kept.codes + code_planes(sp.circuit) * sp.k * (end - 1 - first);
      for (int row = end - 1; row >= first; --row) {
        row_back(sp, bits, kept, row, code, m);
        code = code - code_planes(sp.circuit) * sp.k;
      }
    }
    state = state - columns_size(sp);
  }
  store_columns(sp, bits.a, column, m);
}

// From the lanes' ends to their begins.
inline void walk_back_bit_by_bit(const Spec &sp, const LaneBits &bits, const SlicedGaps &gaps, KeptOfBits &kept) {
  const aln_args_v1 *a = bits.a;
  int columns = residual(0);  // of whole strips
  while (columns < a->register_max) columns = columns + sp.k;
  mark_ends(sp, bits, kept, columns);
  const vbits mismatches = splat_bits(mismatch_counts(sp, gaps, a->scoring) ? 1 : 0);
  const int section_columns = a->kept_strips * sp.k;
  int end = columns;
  for (int section = kept.sections.column; section >= 0; section -= section_columns) {
    const int rows = rows_of_section(sp, bits, kept, section, end);
    if (!kept.sections.one) run_section_of_bits(sp, bits, gaps, kept, section, end, rows);
    int strip = residual(0), column = section;
    for (; column + sp.k < end; column += sp.k) strip = strip + 1;
    for (; column >= section; column -= sp.k) {
      strip_back(sp, bits, kept, mismatches, strip, column, rows);
      strip = strip - 1;
    }
    end = section;
    kept.sections.border = kept.sections.border - kept.sections.border_size;
  }
}
