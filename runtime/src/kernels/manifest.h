// A kernel manifest as a struct: what docs/manifest.md describes, validated.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/forms.hpp"
#include "alnsmith/outputs.hpp"
#include "alnsmith/scoring_values.hpp"
#include "kernels/encode.h"
#include "kernels/predicate.h"
#include "targets/arithmetics.h"
#include "targets/mappings.h"

namespace alnsmith::rt::kernels {

namespace layouts = targets::layouts;
using targets::LaneEnds;

enum class MatrixKind { none, folded, runtime };
// What only kernels of devices have, docs/devices.md.
struct DeviceShape {
  Predicate suits;  // over lengths: where this kernel is meant to be used
  int warp = 1, p = 1, packing = 1, threads = 1;
  bool block = false;                                      // a block takes a work item, not a warp
  std::size_t shared_bytes = 0, shared_bytes_per_row = 0;  // dynamic, of a block
  int shared_rows = 0, border_ints = 0;
  int grid = 0;  // most blocks per processor; 0: as many as fit
  // Kernels that store begins: words of a row of a stage's codes, and rows beside the target's letters.
  int trace_row_words = 0, trace_rows = 0;
  int walk_words = 0;  // of an alignment, where the codes of one unit are kept; 0: the kernel needs those of all
  int spare_rows = 0;  // of the border of a bit-sliced kernel, beside those of the longest sequence

  int alignments() const { return warp / p * packing; }      // of a work item
  int groups() const { return block ? 1 : threads / warp; }  // of a block, a work item each
  std::size_t shared(int border_rows) const {
    return shared_bytes +
           (border_rows <= shared_rows ? shared_bytes_per_row * static_cast<std::size_t>(border_rows) : 0);
  }
};

// What kernels that find begins keep for the way back from the ends, in bytes.
struct WayBack {
  int patch_rows = 0;  // 0: they find none
  // By stream letter: the left border of a strip of k letters; of a strip whose border is kept, the states that its
  // patches begin with (one patch more than there are letters for). Form `split`: of a stage whose border is kept, the
  // states that a patch begins with; the border is of SplitShape::border_ints.
  std::uint64_t border = 0, states = 0;
};

// Kernels of form `split` (strip_abi.h).
struct SplitShape {
  int border_ints = 0;   // by target letter
  int skew = 1;          // rows that a lane is behind the one before it; of bit-sliced kernels target letters
  bool always = false;   // for all pairs that they hold, not for those alone that are faster so
  bool windows = true;   // of global alignments they can run windows of the rows (strip_abi.h)
  bool stripes = false;  // mapping `striped`
};

struct KernelInfo {
  std::string entry, mapping, arithmetic;
  Form form = Form::pairwise;
  int width = 0, lanes = 0, k = 0;
  bool based = false;  // scores are kept beside a base of each lane's own: what they are in all may have 32 bits
  int holds() const { return based ? 32 : width; }
  bool query_in_registers = false;  // register_side
  bool checked = false;
  LaneEnds ends = LaneEnds::padded;
  bool refills() const { return ends == LaneEnds::refilled; }
  bool few_maxima = false;  // for cores that start few maxima a cycle; the one before it, of the same width, for others
  std::uint64_t scratch_fixed = 0, scratch_per_letter = 0;  // bytes
  WayBack way_back;
  SplitShape split;
  Predicate usable, exact;
  Predicate lengths;  // that it counts; no pair beyond them is given to it
  std::string exact_text, lengths_text;
  // Bit-sliced, of CPUs: which bits of a letter's code it takes (of form `split` of a letter of the query), a plane of
  // bits each; of others none. `work`: what a vector of cells takes, in percent of what kernels of form `pairwise` and
  // 8 bits take for one.
  std::vector<int> letter_bits;
  int work = 100;
  bool sliced() const { return width == 1; }
  // Mapping `strips` but bit by bit.
  bool strips() const { return form == Form::split && !split.stripes && !sliced(); }
  int letter_bytes = 1, spare_rows = 0;  // of state sets: bytes of a letter; rows behind the register side's strips
  int level = 0;      // kernels of one form, narrow to wide; of form `split` those of one width and mapping share it
  OutputSet outputs;  // that it stores
  DeviceShape device;

  // Rows of a letter's byte, of a register side of so many letters.
  std::size_t register_rows(std::size_t length) const {
    const auto strip = static_cast<std::size_t>(k);
    return (length + strip - 1) / strip * strip + static_cast<std::size_t>(spare_rows);
  }

  // Devices: how many queries all alignments of a launch share; 0: each has its own.
  int queries() const { return form == Form::pairwise ? 0 : form == Form::single_query ? 1 : device.packing; }
};

struct Manifest {
  std::string text, spec_name, spec_hash, generator;
  std::string target_name;  // "x86-64-v4", "cuda:sm_90"
  Isa target;               // of CPU kernels
  bool for_device = false;  // kernels of a GPU or OpenCL device
  bool local = false, minimize = false;
  bool free_query = false, free_target = false;  // either end of that side is free
  bool free_query_begin = false, free_query_end = false, free_target_begin = false, free_target_end = false;
  bool query_begin_forbidden = false, target_begin_forbidden = false;
  Predicate band_from, band_to;  // target position - query position of the cells that exist, where `bounded`
  bool bounded = false;
  // Alphabets of state sets: what each code stands for, a bit for each of `letters`; empty of others.
  std::vector<std::uint32_t> sets;
  bool column_flags = false;
  int score_at_flag = 0;                // maximised
  std::optional<int> deletion_at_flag;  // what each letter of a gap costs at a flagged column
  // Both for these lengths, as kernels take them.
  std::pair<int, int> band(const Values &values) const;
  std::optional<std::size_t> band_width;  // of kernels that know no cell outside of a band; all of form `split`
  // By ALN_MATCH ... A further line of a gap's cost is there where its model has it, score_min and score_max of a
  // folded matrix where the manifest gives them.
  std::array<std::optional<int>, ALN_SCORING_COUNT> scoring;  // folded values
  std::array<bool, ALN_SCORING_COUNT> runtime{};              // values that come with the call
  MatrixKind matrix = MatrixKind::none;
  std::vector<int>
      fixed_matrix;  // `runtime` for the kernels, but not for the call: it stands here, in the spec's units
  std::optional<std::uint64_t> max_query, max_target;
  std::string letters;
  std::array<std::uint8_t, 32> query_code{}, target_code{};  // of letters[i]
  CodeTable query_codes, target_codes;
  std::vector<KernelInfo> kernels;  // sorted by form, then level
  // What costs of strips go by: of mapping `strips` the most letters of a lane, of all kernels the most bits of a
  // vector.
  int widest_tile = 1, widest_vector = 1;
  void measure_kernels();
  // By form: kernels of the plan that the cache does not hold, where nothing can be generated. Not of the text.
  std::array<std::size_t, kFormNames.size()> absent{};
  OutputSet outputs;  // that all of them store but those of form `extent`

  // Bytes of a letter of state sets (kernel_abi.h).
  int letter_bytes() const {
    if (sets.empty()) return 1;
    return (static_cast<int>(letters.size()) + column_flags + ALN_STATES_OF_BYTE - 1) / ALN_STATES_OF_BYTE;
  }

  bool gives(int i) const { return runtime[static_cast<std::size_t>(i)] || scoring[static_cast<std::size_t>(i)]; }
};

// Never throws, whatever the text; an error names the key and the rule.
Result<Manifest> parse_manifest(std::string_view text);

}  // namespace alnsmith::rt::kernels
