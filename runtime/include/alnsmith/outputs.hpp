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
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "alnsmith/kernel_abi.h"

namespace alnsmith {

/// An output of an alignment: `score`, and by their names those that a spec's `output` adds (docs/manifest.md).
enum class Output : std::uint8_t {
/// @cond
#define ALN_NAME(Y, type, name, key, words) name,
  ALN_OUTPUTS(ALN_NAME, )
#undef ALN_NAME
  /// @endcond
  cigar,  ///< the alignment letter by letter, in runs; no column of one number per pair as the others are (Cigars)
};

/// A row of the list of outputs.
struct OutputInfo {
  Output output;           ///< which
  std::string_view name;   ///< as columns of tables are called
  std::string_view key;    ///< the word of a spec's `output` that asks for it
  std::string_view words;  ///< what it is
};

/// All outputs of one number per pair, in the order of Output; the score is the first.
inline constexpr auto kOutputs = std::to_array<OutputInfo>({
/// @cond
#define ALN_ROW(Y, type, name, key, words) {Output::name, #name, #key, words},
    ALN_OUTPUTS(ALN_ROW, )
#undef ALN_ROW
    /// @endcond
});
/// How many there are.
inline constexpr std::size_t kOutputCount = kOutputs.size();
/// The alignment itself, as runs of operations.
inline constexpr OutputInfo kCigar = {Output::cigar, "cigar", "cigar", "the alignment, as runs of M, I and D"};

/// @cond
#define ALN_CHECKED(Y, type, name, key, words)      \
  static_assert(std::is_same_v<type, std::int32_t>, \
                "Columns, ResultBlock and Hit hold one std::int32_t a pair: an output of another kind needs its own");
ALN_OUTPUTS(ALN_CHECKED, )
#undef ALN_CHECKED
/// @endcond

/// The place of an output in kOutputs. @param output which @return 0 for the score; kOutputCount for the CIGAR
constexpr std::size_t index_of(Output output) { return static_cast<std::size_t>(output); }
/// The row of an output. @param output which @return its row in kOutputs, or kCigar
constexpr const OutputInfo &info_of(Output output) {
  return output == Output::cigar ? kCigar : kOutputs[index_of(output)];
}

/// The outputs of both sequences that say the same of them.
struct BothOutputs {
  Output query;   ///< of the query
  Output target;  ///< of the target
};
/// Where alignments begin: their first letters.
inline constexpr BothOutputs kBegins{Output::query_begin, Output::target_begin};
/// Where alignments end: their last letters.
inline constexpr BothOutputs kEnds{Output::query_end, Output::target_end};

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
  /// Number of members. @return 0 to kOutputCount + 1
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  /// Whether there is none. @return true if there is none
  constexpr bool empty() const { return bits_ == 0; }
  /// The first that another set has not. @param other the other set @return it, or nothing if all are members
  constexpr std::optional<Output> missing_in(OutputSet other) const {
    for (const OutputInfo &row : kOutputs)
      if (contains(row.output) && !other.contains(row.output)) return row.output;
    if (contains(Output::cigar) && !other.contains(Output::cigar)) return Output::cigar;
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

/// A run of a CIGAR as BAM has it: letters * 16 + operation. The operations are 0 (M: a query letter with a target
/// letter, equal or not), 1 (I: a query letter with nothing) and 2 (D: a target letter with nothing).
using CigarRun = std::uint32_t;
/// How many letters a run has. @param run which @return 1 and up
constexpr std::uint32_t letters_of(CigarRun run) { return run >> 4; }
/// What a run does. @param run which @return 'M', 'I' or 'D'
constexpr char operation_of(CigarRun run) { return "MID?"[run & 3]; }
/// A CIGAR as text. @param runs from begin to end @return "31M2D12M"; empty where nothing is aligned
inline std::string cigar_text(std::span<const CigarRun> runs) {
  std::string text;
  for (const CigarRun run : runs) (text += std::to_string(letters_of(run))) += operation_of(run);
  return text;
}

/// The CIGARs of a call's pairs, in one piece of memory.
class Cigars {
 public:
  /// For so many pairs, none of which is aligned. @param pairs how many
  void reset(std::size_t pairs) {
    runs_.clear();
    places_.assign(pairs, {});
  }
  /// Keeps that of a pair. Not from several threads at once. @param pair which, below size() @param runs its runs
  void set(std::size_t pair, std::span<const CigarRun> runs) {
    places_[pair] = {runs_.size(), runs.size()};
    runs_.insert(runs_.end(), runs.begin(), runs.end());
  }
  /// How many pairs there are. @return their number
  std::size_t size() const { return places_.size(); }
  /// That of a pair. @param pair which, below size() @return its runs from begin to end; empty where nothing is aligned
  /// or a
  ///   sequence is empty
  std::span<const CigarRun> operator[](std::size_t pair) const {
    return std::span(runs_).subspan(places_[pair].first, places_[pair].count);
  }

 private:
  struct Place {
    std::size_t first = 0, count = 0;
  };
  std::vector<CigarRun> runs_;
  std::vector<Place> places_;
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
  /// One more is wanted. @param output which; CIGARs have a call of their own, below @param values where it goes
  void set(Output output, std::span<std::int32_t> values) {
    spans_[index_of(output)] = values;
    wanted_.add(output);
  }
  /// The CIGARs are wanted. @param cigars where they go: one for each pair; reset by the call
  void set(Cigars &cigars) {
    cigars_ = &cigars;
    wanted_.add(Output::cigar);
  }
  /// Where the CIGARs go. @return null if they are not wanted
  Cigars *cigars() const { return cigars_; }
  /// Where an output goes. @param output which @return its span, empty if it is not wanted
  std::span<std::int32_t> operator[](Output output) const { return spans_[index_of(output)]; }
  /// What is wanted. @return the outputs that were set
  OutputSet wanted() const { return wanted_; }

 private:
  std::array<std::span<std::int32_t>, kOutputCount + 1> spans_;  // the last one, of CIGARs, is an error of the caller
  Cigars *cigars_ = nullptr;
  OutputSet wanted_;
};

}  // namespace alnsmith
