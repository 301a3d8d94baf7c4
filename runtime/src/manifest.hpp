// A kernel manifest as a struct: what docs/manifest.md describes, validated.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/kernel_abi.h"
#include "encode.hpp"
#include "predicate.hpp"

namespace alnsmith::rt {

enum class Form { pairs, shared };
enum class MatrixKind { none, folded, runtime };
constexpr int kGivenCount = 6;  // match .. deletion_extend: what a spec or a call may give

// Name of scoring value `i` (ALN_MATCH ..) as in the manifest and in Scoring.
std::string_view scoring_name(int i);

struct KernelInfo {
  std::string entry, mapping, arithmetic;
  Form form = Form::pairs;
  int width = 0, lanes = 0, k = 0;
  bool query_in_registers = false;  // register_side
  bool segments = false, checked = false;
  bool refill = false;                                      // a lane may hold several targets
  std::uint64_t scratch_fixed = 0, scratch_per_letter = 0;  // bytes
  Predicate usable, exact;
  std::string exact_text;
};

struct Manifest {
  std::string text, spec_name, spec_hash, generator;
  Isa target = Isa::scalar;
  bool local = false, minimize = false;
  bool free_query = false, free_target = false;         // either end of that side is free
  std::array<std::optional<int>, kGivenCount> scoring;  // folded values
  std::array<bool, kGivenCount> runtime{};              // values that come with the call
  std::optional<int> score_min, score_max;              // of a folded matrix, where the manifest gives them
  MatrixKind matrix = MatrixKind::none;
  std::optional<std::uint64_t> max_query, max_target;
  std::string letters;
  std::array<std::uint8_t, 32> query_code{}, target_code{};  // of letters[i]
  CodeTable query_codes, target_codes;
  std::vector<KernelInfo> kernels;  // sorted by form, then width
};

// Never throws, whatever the text; an error names the key and the rule.
Result<Manifest> parse_manifest(std::string_view text);

}  // namespace alnsmith::rt
