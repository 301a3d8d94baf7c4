// Sequences of state sets as kernels' letters: bytes of seven states each (kernel_abi.h), all first bytes of a call's
// sequences one behind another, behind them all second ones, and so on. A sequence is a view of its first bytes; what
// cuts views needs to know nothing more.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "align/align.h"
#include "align/scoring.h"
#include "kernels/manifest.h"

namespace alnsmith::rt::align {

struct SetLetters {
  std::vector<std::uint8_t> bytes;
  std::vector<std::string_view> views;
  std::size_t stride = 0;  // from a letter's byte to its next one
};

// A sequence's name for messages, by its place from 0.
using SequenceName = std::function<std::string(std::size_t)>;

// Errors name sequence, position and rule.
Result<SetLetters> encode_sets(const kernels::Manifest &manifest, const kernels::CodeTable &codes,
                               std::span<const std::string_view> sequences, const SequenceName &name);
Result<SetLetters> encode_sets(const kernels::Manifest &manifest, std::span<const StateColumns> targets,
                               const SequenceName &name);

// The sequences of a call over state sets, as kernels read them.
struct CallSets {
  SetLetters queries, targets;
};
// `columns`: the targets, where they are not letters. An error also where all that takes more than half of `memory`.
Result<CallSets> encode_call(const kernels::Manifest &manifest, const Sequences &sequences,
                             std::optional<std::span<const StateColumns>> columns, std::size_t memory);

// A call's distinct letters, numbered as they come: `letters` becomes their numbers, the result their bytes, one letter
// behind another.
std::vector<int> number_sets(const kernels::Manifest &manifest, std::string_view view, std::size_t stride,
                             std::uint8_t *letters);

FlaggedColumns flagged_columns(const kernels::Manifest &manifest, std::string_view view, std::size_t stride);

}  // namespace alnsmith::rt::align
