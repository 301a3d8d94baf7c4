// What is told of a kernel: for which scorings and lengths it is exact, and how much memory it takes.
//
// Everything is computed with the functions that the kernels themselves call, in numbers that saturate (sat64). The
// generator evaluates an entry per lane mapping with the spec's values. What is known becomes a number, what waits for
// the call's scoring or a pair's lengths an expression of the manifest (docs/manifest.md has the meaning of each).
#pragma once
#include "columns.h"
#include "counted.h"
#include "device_frame.h"
#include "device_scores_match.h"
#include "device_sliced.h"
#include "gaps.h"
#include "lane_base.h"
#include "memory.h"
#include "sliced_strips.h"
#include "sliced_trace.h"

// What the call brings.
struct Call {
  sat64 query, target;  // lengths
  const int *scoring;
};

template <class Number>
struct LanesFacts {
  Holds<Number> usable, exact, lengths;
  Number checked;                                   // whether an overflow is seen, 0 or 1
  Number scratch_per_stream_letter, scratch_fixed;  // elements
  // Of the way back (trace.h): by stream letter and kept border; by stream letter and a strip's states, which are
  // rounded up to patches.
  Number border_per_stream_letter, states_per_stream_letter;
};
template <class Number>
struct DeviceFacts {
  Holds<Number> usable, exact, lengths;
  Number checked;
  Number permute_bits;  // device_scores_match.h
  // Of the block's memory: where lanes exchange, the table of a matrix, and all but the border; of a group's border, by
  // stream row.
  Number exchange_words, table_words, shared_words, border_words;
  // Of a group's codes, where begins are stored: words of a row of a stage, rows beside the target's letters.
  Number trace_row_words, trace_rows;
  Number walk_words;  // of where an alignment's way stands, where the codes of all cells are not kept
  Number spare_rows;  // of the border, beside those of the longest sequence (device_sliced.h)
};

// Costs that no line of a side exceeds, the flattest last. Where it is known only at the call which one that is, the
// largest open stands for all: the range is then a little larger than it need be where one line is never the smallest.
template <class Gap, class Number, class Given>
GapCosts<Number, Gap::lines> gap_bounds(const GapSetting *settings, Given scoring) {
  GapCosts<Number, Gap::lines> gap = read_lines<Gap, Number>(settings, scoring);
  const int last = Gap::lines - 1;
  bool folded = true;
  for (int n = 0; n < Gap::lines; ++n) folded = folded && !settings[n].extend.runtime;
  int flattest = last;
  for (int n = 0; n < last; ++n)
    if (settings[n].extend.value < settings[flattest].extend.value) flattest = n;
  Number open = gap.open[last], least = gap.extend[last], most = gap.extend[last];
  for (int n = 0; n < last; ++n) {
    open = max(open, gap.open[n]);
    least = min(least, gap.extend[n]);
    most = max(most, gap.extend[n]);
  }
  if (folded && flattest != last) {
    const Number flat_open = gap.open[flattest], flat_extend = gap.extend[flattest];
    gap.open[flattest] = gap.open[last];
    gap.extend[flattest] = gap.extend[last];
    gap.open[last] = flat_open;
    gap.extend[last] = flat_extend;
  }
  if (!folded && last > 0) {
    for (int n = 0; n < Gap::lines; ++n) {
      gap.open[n] = open;
      gap.extend[n] = most;
    }
    gap.extend[last] = least;
  }
  return gap;
}

template <class Gap, class Number, class Given>
Scoring<Gap, Number> scoring_bounds(const Spec &sp, Given scoring) {
  Scoring<Gap, Number> v = read_substitutions<Gap, Number>(sp, scoring);
  v.stream_gap = gap_bounds<Gap, Number>(sp.stream_gap, scoring);
  v.register_gap = gap_bounds<Gap, Number>(sp.register_gap, scoring);
  return v;
}

template <class Number>
Holds<Number> same(Number a, Number b) {
  return a <= b && b <= a;
}
// Whether a kernel for one gap serves the costs of a call's two.
template <class Gap, class Number, class Given>
Holds<Number> costs_agree(const Spec &sp, Given scoring) {
  const GapCosts<Number, Gap::lines> stream = read_lines<Gap, Number>(sp.stream_gap, scoring),
                                     along = read_lines<Gap, Number>(sp.register_gap, scoring);
  Holds<Number> agree = Number(0) <= Number(0);
  for (int n = 0; n < Gap::lines && sp.one_gap; ++n)
    agree = agree && same(stream.open[n], along.open[n]) && same(stream.extend[n], along.extend[n]);
  return agree;
}

// Whether a kernel's constants fit a score.
template <class Number>
Holds<Number> fits(const Spec &sp, Number value) {
  return value <= Number(sp.highest);
}
template <class Gap, class Number>
Holds<Number> letters_fit(const Spec &sp, const Scoring<Gap, Number> &v, Number shift) {
  return fits(sp, v.score_max + shift) && fits(sp, -(v.score_min + shift));
}
// Pads score the mismatch, at flagged columns what that adds, or the matrix's smallest entry; none may gain.
template <class Gap, class Number>
Number pad_score(const Spec &sp, const Scoring<Gap, Number> &v) {
  if (has_matrix(sp)) return v.score_min;
  return v.mismatch + Number(max(sp.flag_score, 0));
}
template <class Gap, class Number>
Holds<Number> floored_usable(const Spec &sp, const Scoring<Gap, Number> &v) {
  return fits(sp, max(max(first_letter(v.stream_gap), first_letter(v.register_gap)), Number(sp.flag_cost))) &&
         letters_fit(sp, v, Number(0)) && pad_score(sp, v) <= Number(0);
}

template <class Gap, class Number>
Holds<Number> lanes_usable(const Spec &sp, const Scoring<Gap, Number> &v) {
  if (lanes_rebase(sp)) {
    const Holds<Number> kept = chunk_below(sp, v) + chunk_above(sp, v) <= Number(sp.highest) - Number(sp.lowest);
    if (floored(sp)) return kept && floored_usable(sp, v);
    return kept && letters_fit(sp, v, both_shears(v));
  }
  if (floored(sp)) return floored_usable(sp, v);
  if (by_strip(sp)) return Number(4) * strip_room(sp, v) <= Number(sp.highest);
  return sp.lowest + room_below(sp, v) + largest_step(v) <= largest_guarded(sp, v) &&
         letters_fit(sp, v, both_shears(v)) && fits(sp, depth(v.stream_gap)) && fits(sp, depth(v.register_gap)) &&
         fits(sp, shear(v.stream_gap)) && fits(sp, sp.k * shear(v.register_gap));
}
template <class Gap, class Number>
Holds<Number> lanes_exact(const Spec &sp, const Scoring<Gap, Number> &v, Number stream, Number registers) {
  const Number growth = largest_growth(sp, v, stream, registers);
  // Totals are counted in ints: the base, and a kept score beside it; and without a floor what the frame adds for each
  // letter, and what borders and poor letters cost.
  if (lanes_rebase(sp)) {
    Number total = growth + (Number(sp.highest) - Number(sp.lowest));
    if (!floored(sp)) total = total + Number(2) * chunk_step(sp, v) * (stream + registers) + both_reaches(v);
    return total <= Number(LARGEST_INT);
  }
  if (floored(sp)) return fits(sp, growth);
  if (by_strip(sp))
    return fits(sp, strip_growth(sp, v, stream, registers)) && fits(sp, strip_fall(sp, v, stream, registers));
  return room_below(sp, v) + growth <= Number(sp.highest) - Number(sp.lowest);
}
// Elements of scratch memory, rows and columns are counted in ints, a turn or a tile ahead of the last.
template <class Number>
Holds<Number> lanes_lengths(const Spec &sp, Number stream, Number registers) {
  return stream_elements(sp) * stream + Number(max(profile_size(sp), sp.unroll)) <= Number(LARGEST_INT) &&
         Number(letter_bytes(sp)) * (registers + Number(sp.k)) <= Number(LARGEST_INT);
}

template <class Gap, class Number>
Holds<Number> device_usable(const Spec &sp, const Scoring<Gap, Number> &v) {
  if (floored(sp) && sp.base == Base::fixed) return floored_usable(sp, v);
  if (sp.base == Base::fixed)
    return 2 * largest_step(v) + 2 * room_beside(sp, v) <= Number(sp.highest) && letters_fit(sp, v, both_shears(v));
  const Holds<Number> kept = room_below_low(sp, v) + room_above_low(sp, v) <= Number(sp.highest) - Number(sp.lowest);
  // Scores of letters that are added as halves of one number are a mismatch and what a match has beyond it.
  if (sp.base == Base::moving_unsigned_halves && !has_matrix(sp)) return kept && v.mismatch <= v.match;
  if (floored(sp)) return kept && pad_score(sp, v) <= Number(0);
  return kept;
}
template <class Gap, class Number>
Holds<Number> device_exact(const Spec &sp, const Scoring<Gap, Number> &v, Number stream, Number registers) {
  const Number growth = largest_growth(sp, v, stream, registers);
  if (floored(sp) && sp.base == Base::fixed) return fits(sp, growth);
  // In a band no two gaps lead to every cell: scores fall with poor letters. They stay above what is outside (band.h),
  // whatever is taken off for the rows and columns.
  if (sp.band == Band::of_spec)
    return room_beside(sp, v) + growth + max(-(v.score_min + both_shears(v)), 0) * min(stream, registers) +
               both_shears(v) * (stream + registers) <=
           Number(sp.highest);
  // Where columns are flagged a gap's letter may gain and lose in the frame; where borders or cells do not exist no two
  // gaps lead to every cell either (band.h).
  if (!floored(sp) && (irregular(sp) || has_flag_cost(sp))) {
    Number room = room_beside(sp, v) + growth + shear(v.stream_gap) * stream;
    room = room + max(Number(sp.flag_cost) - shear(v.stream_gap), Number(0)) * stream;
    if (irregular(sp))
      room = room + max(-(v.score_min + both_shears(v)), 0) * min(stream, registers) +
             both_shears(v) * (stream + registers);
    return room <= Number(sp.highest);
  }
  // Of totals: the base, and a kept score beside it.
  if (sp.base != Base::fixed) return growth + (Number(sp.highest) - Number(sp.lowest)) <= Number(LARGEST_INT);
  return room_beside(sp, v) + growth <= Number(sp.highest);
}

template <class Gap, class Number, class Given>
LanesFacts<Number> lanes_facts(const Spec &sp, Given scoring, Number query, Number target) {
  const Scoring<Gap, Number> v = scoring_bounds<Gap, Number>(sp, scoring);
  const Holds<Number> totals = counted<Gap, Number>(sp, scoring, query, target);
  const Holds<Number> agree = costs_agree<Gap, Number>(sp, scoring);
  LanesFacts<Number> facts;
  facts.usable = lanes_usable(sp, v) && agree;
  facts.exact = lanes_exact(sp, v, query, target);
  facts.lengths = lanes_lengths(sp, query, target) && totals;
  facts.checked = Number(never_overflows(sp) ? 0 : 1);
  facts.scratch_per_stream_letter = Number(stream_elements(sp));
  facts.scratch_fixed = Number(profile_size(sp) + patch_elements(sp));
  facts.border_per_stream_letter = Number(kept_per_row(sp));
  facts.states_per_stream_letter = Number(states_per_row(sp));
  return facts;
}

// Whether a call's scoring is that of the circuit (sliced.h). Where a match scores below 0 differences behind a free
// end or a gap are below 0.
template <class Gap, class Number>
Holds<Number> circuit_serves(const Spec &sp, const Scoring<Gap, Number> &v) {
  const Number gaps = first_letter(v.stream_gap) + first_letter(v.register_gap);
  const Holds<Number> scheme = same(v.match + gaps, Number(sp.circuit.total)) &&
                               same(max(v.mismatch + gaps, Number(0)), Number(sp.circuit.floor)) &&
                               same(v.stream_gap.open[0], Number(sp.circuit.open[0])) &&
                               same(v.register_gap.open[0], Number(sp.circuit.open[1]));
  if (Gap::states == 0 && !has_edges(sp) && !stream_begin_free(sp) && !register_begin_free(sp)) return scheme;
  return scheme && Number(0) <= v.match;
}

// Of bit-sliced kernels, whose differences are proven to fit. Sums, what borders cost, and a loop's bound above all
// sums are counted in ints.
template <class Gap, class Number>
Holds<Number> sliced_exact(const Spec &sp, const Scoring<Gap, Number> &v, Number query, Number target) {
  const Number most = Number(LARGEST_INT / 4);
  const Number longest = has_edges(sp) ? max(query, target) : target;
  return Number(sp.circuit.total) * longest <= most &&
         first_letter(v.stream_gap) * query + first_letter(v.register_gap) * target <= most;
}
template <class Gap, class Number, class Given>
LanesFacts<Number> sliced_facts(const Spec &sp, Given scoring, Number query, Number target) {
  const Scoring<Gap, Number> v = scoring_bounds<Gap, Number>(sp, scoring);
  const Holds<Number> totals = counted<Gap, Number>(sp, scoring, query, target);
  LanesFacts<Number> facts;
  facts.usable = circuit_serves(sp, v);
  facts.exact = sliced_exact(sp, v, query, target);
  const int by_row = row_elements(sp.circuit) + walked_per_row(sp),
            fixed = sum_elements(sp) + (wants_begin(sp) ? codes_size(sp) : 0);
  facts.lengths = Number(max(by_row, LETTER_PLANES)) * query + Number(fixed) <= Number(LARGEST_INT) &&
                  Number(LETTER_PLANES) * (target + Number(sp.k)) <= Number(LARGEST_INT) && totals;
  facts.checked = Number(0);
  facts.scratch_per_stream_letter = Number(by_row);
  facts.scratch_fixed = Number(fixed);
  facts.border_per_stream_letter = Number(wants_begin(sp) ? row_elements(sp.circuit) : 0);
  facts.states_per_stream_letter = Number(wants_begin(sp) ? columns_per_row(sp) : 0);
  return facts;
}

// `block`: the border of a block's alignment may lie in shared memory, behind its warps' results.
template <class Gap, class Number, class Given>
DeviceFacts<Number> device_facts(const Spec &sp, bool block, Given scoring, Number query, Number target) {
  const Scoring<Gap, Number> v = scoring_bounds<Gap, Number>(sp, scoring);
  DeviceFacts<Number> facts;
  facts.usable = device_usable(sp, v);
  facts.exact = device_exact(sp, v, target, query);
  facts.lengths = counted<Gap, Number>(sp, scoring, target, query);
  facts.checked = Number(floored(sp) ? 1 : 0);
  facts.permute_bits = Number(permute_bits<Gap>(sp));
  facts.exchange_words = Number(exchange_words(sp));
  facts.table_words = Number(score_words(sp));
  facts.shared_words = Number(exchange_words(sp) + (block ? border_word(sp) : merge_word(sp)));
  facts.border_words = Number(border_states(sp) * warp_slots(sp));
  facts.trace_row_words = Number(trace_row_words(sp));
  facts.trace_rows = Number(trace_rows(sp));
  facts.walk_words = Number(walk_words(sp));
  facts.spare_rows = Number(0);
  return facts;
}

// Bit-sliced. Its memory is the border's.
template <class Gap, class Number, class Given>
DeviceFacts<Number> device_sliced_facts(const Spec &sp, Given scoring, Number query, Number target) {
  const Scoring<Gap, Number> v = scoring_bounds<Gap, Number>(sp, scoring);
  DeviceFacts<Number> facts;
  facts.usable = circuit_serves(sp, v);
  facts.exact = sliced_exact(sp, v, query, target);
  facts.lengths = counted<Gap, Number>(sp, scoring, query, target);
  facts.permute_bits = Number(8);
  facts.checked = facts.table_words = Number(0);
  facts.exchange_words = facts.shared_words = Number(exchange_words(sp));
  facts.border_words = Number(device_row_elements(sp) * sp.warp);
  facts.trace_row_words = facts.trace_rows = facts.walk_words = Number(0);
  facts.spare_rows = Number(spare_rows(sp));
  return facts;
}

template <class Number>
struct StripFacts {
  Holds<Number> usable, exact, lengths;
  Number checked;
  Number border_ints;  // by target letter
  // Elements; of bit-sliced kernels of a row of a lane (sliced_strips.h). The states of a patch (strips_trace.h).
  Number scratch, states;
};
template <class Number>
Number border_of(const Spec &sp, Number target) {
  return kernel_memory::border_ints(Number(border_states(sp)), target);
}
template <class Gap, class Number, class Given>
StripFacts<Number> strip_facts(const Spec &sp, Given scoring, Number query, Number target) {
  const Scoring<Gap, Number> v = scoring_bounds<Gap, Number>(sp, scoring);
  const Holds<Number> totals = counted<Gap, Number>(sp, scoring, target, query);
  StripFacts<Number> facts;
  facts.usable = device_usable(sp, v);
  facts.exact = device_exact(sp, v, target, query);
  // The elements of a border are counted in ints, and those of states, a patch ahead of the last.
  facts.lengths = border_of(sp, target) <= Number(LARGEST_INT) && totals;
  if (wants_begin(sp))
    facts.lengths = facts.lengths &&
                    stage_elements(sp) * (target + Number(2 * ALN_STRIP_PAD)) <= sp.patch_rows * Number(LARGEST_INT);
  facts.checked = Number(floored(sp) && sp.base == Base::fixed ? 1 : 0);
  facts.border_ints = Number(border_states(sp));
  facts.scratch = Number(profile_size(sp) + patch_elements(sp));
  facts.states = Number(stage_elements(sp));
  return facts;
}

// Of mapping `striped`, whose scores are kept as those of `lanes` are.
template <class Gap, class Number, class Given>
StripFacts<Number> striped_facts(const Spec &sp, Given scoring, Number query, Number target) {
  const Scoring<Gap, Number> v = scoring_bounds<Gap, Number>(sp, scoring);
  const Holds<Number> totals = counted<Gap, Number>(sp, scoring, target, query);
  StripFacts<Number> facts;
  facts.usable = lanes_usable(sp, v);
  facts.exact = lanes_exact(sp, v, target, query);
  // The elements of a border are counted in ints, and the query's letters, a stage ahead of the last.
  facts.lengths =
      border_of(sp, target) <= Number(LARGEST_INT) && totals && query + Number(sp.k * sp.p) <= Number(LARGEST_INT);
  facts.checked = Number(1);
  facts.border_ints = Number(border_states(sp));
  facts.scratch = Number(striped_elements(sp));
  facts.states = Number(0);
  return facts;
}

// Of mapping `strips`, bit-sliced. The columns of a border are counted in ints, and how far the first lane is ahead.
template <class Gap, class Number, class Given>
StripFacts<Number> sliced_strip_facts(const Spec &sp, Given scoring, Number query, Number target) {
  const Scoring<Gap, Number> v = scoring_bounds<Gap, Number>(sp, scoring);
  const Holds<Number> totals = counted<Gap, Number>(sp, scoring, query, target);
  StripFacts<Number> facts;
  facts.usable = circuit_serves(sp, v);
  facts.exact = sliced_exact(sp, v, query, target);
  facts.lengths = target + Number(sp.k * sp.p + 2 * ALN_STRIP_PAD) <= Number(LARGEST_INT) && totals;
  facts.checked = Number(0);
  facts.border_ints = Number(1);
  facts.scratch = Number(share_elements(sp));
  facts.states = Number(0);
  return facts;
}

// An entry per lane mapping, as in kernels.cc.
ALN_FACTS("lanes") LanesFacts<sat64> lanes_kernel_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (lanes_facts<Gap>(sp, a->scoring, a->query, a->target)))
  return LanesFacts<sat64>();
}
ALN_FACTS("sliced") LanesFacts<sat64> sliced_kernel_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (sliced_facts<Gap>(sp, a->scoring, a->query, a->target)))
  return LanesFacts<sat64>();
}
ALN_FACTS("sliced_strips") StripFacts<sat64> sliced_strips_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (sliced_strip_facts<Gap>(sp, a->scoring, a->query, a->target)))
  return StripFacts<sat64>();
}
ALN_FACTS("strips") StripFacts<sat64> strips_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (strip_facts<Gap>(sp, a->scoring, a->query, a->target)))
  return StripFacts<sat64>();
}
ALN_FACTS("striped") StripFacts<sat64> striped_kernel_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (striped_facts<Gap>(sp, a->scoring, a->query, a->target)))
  return StripFacts<sat64>();
}
ALN_FACTS("device:lanes") DeviceFacts<sat64> device_lanes_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (device_facts<Gap>(sp, false, a->scoring, a->query, a->target)))
  return DeviceFacts<sat64>();
}
ALN_FACTS("device:sliced") DeviceFacts<sat64> device_sliced_kernel_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (device_sliced_facts<Gap>(sp, a->scoring, a->query, a->target)))
  return DeviceFacts<sat64>();
}
ALN_FACTS("device:wavefront") DeviceFacts<sat64> wavefront_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (device_facts<Gap>(sp, false, a->scoring, a->query, a->target)))
  return DeviceFacts<sat64>();
}
ALN_FACTS("device:block") DeviceFacts<sat64> block_facts(Spec sp, const Call *a) {
  ALN_EACH_GAP(sp, (device_facts<Gap>(sp, true, a->scoring, a->query, a->target)))
  return DeviceFacts<sat64>();
}
