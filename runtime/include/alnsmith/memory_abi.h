// How kernels divide the memory that the caller gives them for the way back, counted by the same functions on both
// sides: templates lay it out in ints, and say in numbers of any size (sat64) where an int counts it; the runtime,
// which hands the memory out, counts in 64 bits. C++; embedded with the templates, so it includes nothing but the ABI.
#pragma once

#include "strip_abi.h"

namespace alnsmith::kernel_memory {

// Elements and rows are counted in ints.
constexpr int kMostElements = 2147483647;

// Mapping `lanes` (templates/trace.h, sliced_trace.h), in elements or bytes, as `states` and `border` are: of a strip
// whose border is kept, the states that its patches begin with, one patch more than there are letters for; its border.
template <class Number>
constexpr Number strip_states(Number states, Number stream, Number patch_rows) {
  return states * (stream + patch_rows);
}
template <class Number>
constexpr Number strip_border(Number border, Number stream) {
  return border * stream;
}
// Where all that of a section's strips ends, if it begins at `first`: all states, then all borders. Of more sections
// than one the border that each begins with lies behind it.
template <class Number>
constexpr Number end_of_section(Number first, Number strips, Number strip_states, Number strip_border) {
  return first + strips * strip_states + strips * strip_border;
}

// Of a path that bit-sliced kernels leave, planes by letter of a side: whether the letter is in a column with one of
// the other side, and where not all letters in front of a path are a gap, whether it is in a gap.
constexpr int path_planes(bool begin_free) { return begin_free ? 2 : 1; }

// Mapping `strips` and `striped`: ints of a border, `by_letter` of them by target letter; patches of a stage that runs
// so many rows.
template <class Number>
constexpr Number border_ints(Number by_letter, Number target) {
  return by_letter * (target + Number(2 * ALN_STRIP_PAD));
}
template <class Number>
constexpr Number patches(Number rows, Number patch_rows) {
  return rows / patch_rows + Number(1);
}

// Devices (templates/device_trace.h, device_checkpoints.h), in words: the runs of an alignment's CIGAR, of which the
// shorter sequence has `shorter` letters; the codes of a stage, of which a row has `row_words` and rows are so many
// more than the target has letters.
template <class Number>
constexpr Number run_words(Number shorter) {
  return Number(2) * shorter + Number(2);
}
template <class Number>
constexpr Number stage_words(Number target, Number more_rows, Number row_words) {
  return (target + more_rows) * row_words;
}
// Units of a section where not all borders are kept: the least number, from `least` = 1 on, whose square they do not
// exceed. Borders that are kept then.
template <class Number>
constexpr Number section_units(Number units, Number least) {
  while (least * least < units) least = least + Number(1);
  return least;
}
template <class Number>
constexpr Number section_borders(Number units) {
  const Number both = Number(2) * section_units(units, Number(1));
  return both < units ? both : units;
}

}  // namespace alnsmith::kernel_memory
