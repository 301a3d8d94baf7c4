// See state_sets.h.
#include "align/state_sets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "align/call.h"

namespace alnsmith::rt::align {
namespace {

// The states of byte `b` of a letter.
template <class Letter>
std::uint8_t byte_of(Letter letter, int b) {
  return static_cast<std::uint8_t>(letter >> (ALN_STATES_OF_BYTE * b) & ((1 << ALN_STATES_OF_BYTE) - 1));
}

// Views of sequences of these lengths, whose bytes are 0.
template <class Sequences, class Length>
SetLetters laid_out(const kernels::Manifest &m, const Sequences &sequences, Length length) {
  SetLetters out;
  for (const auto &sequence : sequences) out.stride += length(sequence);
  out.bytes.resize(out.stride * static_cast<std::size_t>(m.letter_bytes()));
  std::size_t at = 0;
  for (const auto &sequence : sequences) {
    out.views.emplace_back(reinterpret_cast<const char *>(out.bytes.data()) + at, length(sequence));
    at += length(sequence);
  }
  return out;
}

void put(const kernels::Manifest &m, SetLetters &out, std::size_t at, std::uint64_t letter) {
  for (int b = 0; b < m.letter_bytes(); ++b)
    out.bytes[at + static_cast<std::size_t>(b) * out.stride] = byte_of(letter, b);
}

// Whether nothing is wrong with a target's columns.
bool in_order(const kernels::Manifest &m, const StateColumns &target) {
  std::uint32_t states = 0, empty = 0;
  std::uint8_t flags = 0;
  for (const std::uint32_t set : target.sets) states |= set, empty |= set == 0 ? 1u : 0u;
  for (const std::uint8_t flag : target.flags) flags |= flag;
  return empty == 0 && std::uint64_t{states} >> m.letters.size() == 0 && flags <= (m.column_flags ? 1 : 0) &&
         (target.flags.empty() || target.flags.size() == target.sets.size());
}

// What is wrong with them.
Error wrong(const kernels::Manifest &m, const StateColumns &target, const std::string &name) {
  const auto at = [&](std::size_t column) { return name + ", column " + std::to_string(column + 1); };
  if (!target.flags.empty() && target.flags.size() != target.sets.size())
    return Error{name + ": " + std::to_string(target.sets.size()) + " sets and " + std::to_string(target.flags.size()) +
                 " flags; give as many of both, or no flags"};
  const std::uint64_t all = (std::uint64_t{1} << m.letters.size()) - 1;
  for (std::size_t i = 0; i < target.sets.size(); ++i) {
    if (target.sets[i] == 0) return Error{at(i) + ": an empty set matches nothing; give it a state at least"};
    if ((target.sets[i] & ~all) != 0)
      return Error{at(i) + ": a state beyond the " + std::to_string(m.letters.size()) + " of the alphabet " +
                   m.letters};
  }
  for (std::size_t i = 0; i < target.flags.size(); ++i) {
    if (target.flags[i] > 1) return Error{at(i) + ": a flag is 0 or 1, not " + std::to_string(target.flags[i])};
    if (target.flags[i] == 1 && !m.column_flags)
      return Error{at(i) + ": the spec '" + m.spec_name + "' has no flags; write `column_flags: 1` there", 2};
  }
  return Error{name};
}

}  // namespace

Result<SetLetters> encode_sets(const kernels::Manifest &m, const kernels::CodeTable &codes,
                               std::span<const std::string_view> sequences, const SequenceName &name) {
  SetLetters out = laid_out(m, sequences, [](std::string_view s) { return s.size(); });
  std::size_t at = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    for (const char letter : sequences[i]) {
      if (codes[letter] == kernels::kInvalid) return *invalid_letter(codes, m, sequences[i], name(i));
      put(m, out, at++, m.sets[codes[letter]]);
    }
  }
  return out;
}

Result<SetLetters> encode_sets(const kernels::Manifest &m, std::span<const StateColumns> targets,
                               const SequenceName &name) {
  SetLetters out = laid_out(m, targets, [](const StateColumns &t) { return t.sets.size(); });
  std::size_t at = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const StateColumns &target = targets[i];
    if (!in_order(m, target)) return wrong(m, target, name(i));
    const std::size_t columns = target.sets.size();
    for (int b = 0; b < m.letter_bytes(); ++b) {
      std::uint8_t *to = out.bytes.data() + at + static_cast<std::size_t>(b) * out.stride;
      const std::uint32_t *sets = target.sets.data();
      for (std::size_t c = 0; c < columns; ++c) to[c] = byte_of(sets[c], b);
    }
    if (m.column_flags) {
      const std::size_t states = m.letters.size(), flag = states % ALN_STATES_OF_BYTE;
      std::uint8_t *to = out.bytes.data() + at + states / ALN_STATES_OF_BYTE * out.stride;
      const std::span<const std::uint8_t> flags = target.flags;
      for (std::size_t c = 0; c < flags.size(); ++c) to[c] = static_cast<std::uint8_t>(to[c] | flags[c] << flag);
    }
    at += columns;
  }
  return out;
}

Result<CallSets> encode_call(const kernels::Manifest &m, const Sequences &s,
                             std::optional<std::span<const StateColumns>> columns, std::size_t memory) {
  std::size_t letters = 0, count = s.queries.size() + (columns ? columns->size() : s.targets.size());
  for (const std::string_view query : s.queries) letters += query.size();
  if (columns) {
    for (const StateColumns &target : *columns) letters += target.sets.size();
  } else {
    for (const std::string_view target : s.targets) letters += target.size();
  }
  const std::size_t bytes = letters * static_cast<std::size_t>(m.letter_bytes()) + count * sizeof(std::string_view);
  if (bytes > memory / 2)
    return Error{std::to_string(letters) + " letters of state sets take " + std::to_string(bytes) +
                 " bytes, more than half of the memory limit of " + std::to_string(memory) +
                 "; raise it, or align fewer at a time"};
  const auto named = [&](const char *side) {
    return [&s, side](std::size_t i) {
      const std::string number = std::to_string(i + 1);
      return s.all ? std::string(side) + " " + number : "pair " + number + ", " + side;
    };
  };
  auto queries = encode_sets(m, m.query_codes, s.queries, named("query"));
  if (!queries) return queries.error();
  auto targets =
      columns ? encode_sets(m, *columns, named("target")) : encode_sets(m, m.target_codes, s.targets, named("target"));
  if (!targets) return targets.error();
  return CallSets{*std::move(queries), *std::move(targets)};
}

std::vector<int> number_sets(const kernels::Manifest &m, std::string_view view, std::size_t stride,
                             std::uint8_t *letters) {
  const auto bytes = static_cast<std::size_t>(m.letter_bytes());
  std::vector<int> sets;
  for (std::size_t i = 0; i < view.size(); ++i) {
    const auto byte = [&](std::size_t b) { return int{static_cast<std::uint8_t>(view.data()[i + b * stride])}; };
    std::size_t number = 0;
    const auto same = [&] {
      for (std::size_t b = 0; b < bytes; ++b)
        if (sets[number * bytes + b] != byte(b)) return false;
      return true;
    };
    while (number * bytes < sets.size() && !same()) ++number;
    if (number * bytes == sets.size())
      for (std::size_t b = 0; b < bytes; ++b) sets.push_back(byte(b));
    letters[i] = static_cast<std::uint8_t>(number);
  }
  return sets;
}

FlaggedColumns flagged_columns(const kernels::Manifest &m, std::string_view view, std::size_t stride) {
  FlaggedColumns found;
  if (!m.column_flags) return found;
  const std::size_t states = m.letters.size();
  for (std::size_t i = 0; i < view.size(); ++i) {
    const bool flagged = view.data()[i + states / ALN_STATES_OF_BYTE * stride] >> states % ALN_STATES_OF_BYTE & 1;
    if (flagged && found.count++ == 0) found.before = i;
  }
  return found;
}

}  // namespace alnsmith::rt::align
