/// @file
/// What alignments put out: the list of kernel_abi.h for C++, sets of outputs, and columns to put them into.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "alnsmith/kernel_abi.h"

namespace alnsmith {

/// An output of an alignment: `score`, and by their names those that a spec's `output` adds (docs/manifest.md).
enum class Output : std::uint8_t {
/// @cond
#define ALN_NAME(Y, type, name, shape, key, words) name,
  ALN_OUTPUTS(ALN_NAME, )
#undef ALN_NAME
  /// @endcond
};

/// How many values of an output a pair has.
enum class OutputShape {
  per_pair,  ///< one
  variable   ///< as many as its alignment needs
};

/// A row of the list of outputs.
struct OutputInfo {
  Output output;           ///< which
  std::string_view name;   ///< as columns of tables are called
  std::string_view key;    ///< the word of a spec's `output` that asks for it
  std::string_view words;  ///< what it is
  OutputShape shape;       ///< how many values a pair has
};

/// All outputs, in the order of Output; the score is the first.
inline constexpr auto kOutputs = std::to_array<OutputInfo>({
/// @cond
#define ALN_ROW(Y, type, name, shape, key, words) {Output::name, #name, #key, words, OutputShape::shape},
    ALN_OUTPUTS(ALN_ROW, )
#undef ALN_ROW
    /// @endcond
});
/// How many there are.
inline constexpr std::size_t kOutputCount = kOutputs.size();

/// @cond
#define ALN_CHECKED(Y, type, name, shape, key, words)                                              \
  static_assert(OutputShape::shape == OutputShape::per_pair && std::is_same_v<type, std::int32_t>, \
                "Columns, ResultBlock and Hit hold one std::int32_t a pair: an output of another kind needs its own");
ALN_OUTPUTS(ALN_CHECKED, )
#undef ALN_CHECKED
/// @endcond

/// The place of an output in kOutputs. @param output which @return 0 for the score
constexpr std::size_t index_of(Output output) { return static_cast<std::size_t>(output); }
/// The row of an output. @param output which @return its row in kOutputs
constexpr const OutputInfo &info_of(Output output) { return kOutputs[index_of(output)]; }

/// A set of outputs.
class OutputSet {
 public:
  /// The empty set.
  constexpr OutputSet() = default;
  /// A set of these. @param outputs its members
  constexpr OutputSet(std::initializer_list<Output> outputs) {
    for (const Output output : outputs) add(output);
  }
  /// Puts one in. @param output which
  constexpr void add(Output output) { bits_ |= 1u << index_of(output); }
  /// Whether it is a member. @param output which @return true if it is
  constexpr bool contains(Output output) const { return (bits_ >> index_of(output) & 1u) != 0; }
  /// Number of members. @return 0 to kOutputCount
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  /// Whether there is none. @return true if there is none
  constexpr bool empty() const { return bits_ == 0; }
  /// The first that another set has not. @param other the other set @return it, or nothing if all are members
  constexpr std::optional<Output> missing_in(OutputSet other) const {
    for (const OutputInfo &row : kOutputs)
      if (contains(row.output) && !other.contains(row.output)) return row.output;
    return std::nullopt;
  }
  /// What both have. @param other the other set @return the intersection
  constexpr OutputSet operator&(OutputSet other) const {
    OutputSet both;
    both.bits_ = bits_ & other.bits_;
    return both;
  }
  /// Same members. @param other the other set @return true if so
  constexpr bool operator==(const OutputSet &other) const = default;

 private:
  unsigned bits_ = 0;
};

/// Where one output goes.
struct Column {
  Output output;                   ///< which
  std::span<std::int32_t> values;  ///< one for each pair
};

/// Where the outputs of a call go: a span for each that is wanted, as long as there are pairs. Where nothing is aligned
/// (a local score of 0, an empty sequence) all but the score are -1.
class Columns {
 public:
  /// Nothing is wanted.
  Columns() = default;
  /// These are wanted: `{{Output::score, scores}, ...}`. @param columns each output once
  Columns(std::initializer_list<Column> columns) {
    for (const Column &column : columns) set(column.output, column.values);
  }
  /// One more is wanted. @param output which @param values where it goes
  void set(Output output, std::span<std::int32_t> values) {
    spans_[index_of(output)] = values;
    wanted_.add(output);
  }
  /// Where an output goes. @param output which @return its span, empty if it is not wanted
  std::span<std::int32_t> operator[](Output output) const { return spans_[index_of(output)]; }
  /// What is wanted. @return the outputs that were set
  OutputSet wanted() const { return wanted_; }

 private:
  std::array<std::span<std::int32_t>, kOutputCount> spans_;
  OutputSet wanted_;
};

}  // namespace alnsmith
