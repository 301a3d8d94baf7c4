// Which pairs of a call are to be aligned: lengths within limits, empty sides scored as borders, cells counted.
#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "align/align.h"
#include "align/packed_groups.h"
#include "align/state_sets.h"

namespace alnsmith::rt::align {
namespace {

constexpr std::size_t kMaxLength = (std::size_t{1} << 30) - 1;

// Whether a band holds an alignment: it has cells where one can begin and where it can end.
bool holds_path(const kernels::Manifest &m, std::int64_t rows, std::int64_t columns, std::int64_t from,
                std::int64_t to) {
  const std::int64_t longer = columns - rows;
  const bool begins = from <= to && (from > 0 ? m.free_target_begin : to >= 0 || m.free_query_begin);
  const bool last_cell = from <= longer && longer <= to;
  const bool last_row = m.free_target_end && from <= longer && to >= 1 - rows;
  const bool last_column = m.free_query_end && to >= longer && from <= columns - 1;
  return begins && (last_cell || last_row || last_column);
}

// The same where a side is empty: of the border, from the corner to `longer`, all that costs something, and a cell.
bool holds_border(const kernels::Manifest &m, std::int64_t longer, std::int64_t from, std::int64_t to) {
  const bool target = longer > 0;
  const bool begin_free = target ? m.free_target_begin : m.free_query_begin;
  const bool end_free = target ? m.free_target_end : m.free_query_end;
  const std::int64_t low = std::min<std::int64_t>(longer, 0), high = std::max<std::int64_t>(longer, 0);
  const auto holds = [&](std::int64_t cell) { return from <= cell && cell <= to; };
  return from <= to && from <= high && to >= low && (begin_free || holds(0)) && (end_free || holds(longer));
}

// `name()`: of the pair, for the message; asked for there alone, as this is for each pair of a call.
template <class Name>
Status check_path(const kernels::Manifest &m, std::size_t query, std::size_t target, const Name &name) {
  if (!m.bounded) return Ok{};
  kernels::Values values{};
  const std::int64_t rows = values[kernels::kQuery] = static_cast<std::int64_t>(query);
  const std::int64_t columns = values[kernels::kTarget] = static_cast<std::int64_t>(target);
  const std::int64_t from = m.band_from.value(values), to = m.band_to.value(values);
  const bool empty = rows == 0 || columns == 0;
  if (empty ? holds_border(m, columns - rows, from, to) : holds_path(m, rows, columns, from, to)) return Ok{};
  return Error{name() + ": the spec's band, " + std::to_string(from) + " to " + std::to_string(to) +
               " for a query of " + std::to_string(query) + " and a target of " + std::to_string(target) +
               " letters, holds no alignment; leave the pair out or widen the band"};
}

// The first sequence of each length but 0, in order.
std::vector<std::size_t> first_of_lengths(std::span<const std::string_view> sequences) {
  std::vector<std::size_t> found;
  std::unordered_set<std::size_t> seen{0};
  for (std::size_t i = 0; i < sequences.size(); ++i)
    if (seen.insert(sequences[i].size()).second) found.push_back(i);
  return found;
}

}  // namespace

void Sequences::add_part_to(Found &found, std::uint64_t id, const KernelResults &results, std::size_t at,
                            bool minimize) const {
  const Part &part = parts[id];
  const std::uint64_t cells = std::uint64_t{whole->query(part.id).size()} * whole->target(part.id).size();
  whole->add_to(found, part.id, cells, results, at, minimize);
  found.move_last(static_cast<int>(part.query_begin), static_cast<int>(part.target_begin));
}

void Sequences::add_to(Found &found, std::span<const std::uint64_t> ids, std::uint64_t cells,
                       const KernelResults &results, std::span<const std::uint32_t> at, bool minimize) const {
  if (!whole) return found.add(first_id, ids, cells, results, at, minimize);
  for (std::size_t i = 0; i < ids.size(); ++i) add_part_to(found, ids[i], results, at[i], minimize);
}

std::string Sequences::name(std::uint64_t id) const {
  if (whole) return whole->name(parts[id].id);
  if (!all) return "pair " + std::to_string(id + 1);
  return "query " + std::to_string(first_query + id / targets.size() + 1) + " and target " +
         std::to_string(first_target + id % targets.size() + 1);
}

CallShape shape_of(const kernels::Manifest &m, const Sequences &s) {
  CallShape shape;
  shape.queries = s.queries.size();
  shape.targets = s.targets.size();
  shape.all = s.all;
  shape.minimize = m.minimize;
  shape.outputs = m.outputs;
  shape.spec = m.spec_name;
  return shape;
}

Status check_length(const kernels::Manifest &m, std::size_t query, std::size_t target, const std::string &name) {
  const auto check = [&](const char *side, std::size_t length, std::optional<std::uint64_t> most) -> Status {
    if (most && length > *most)
      return Error{name + ": the " + side + " has " + std::to_string(length) + " letters; the spec '" + m.spec_name +
                   "' allows " + std::to_string(*most) + " (max_length)"};
    if (length > kMaxLength) return Error{name + ": the " + side + " is longer than 1,073,741,823 letters"};
    return Ok{};
  };
  if (auto ok = check("query", query, m.max_query); !ok) return ok;
  return check("target", target, m.max_target);
}

Status check_letters(const Sequences &sequences) {
  for (std::size_t t = 0; sequences.packed && t < sequences.targets.size(); ++t)
    if (auto ok = sequences.packed->check(t); !ok) return ok;
  return Ok{};
}

Result<bool> admit_pair(Call &call, const Sequences &sequences, std::uint64_t id) {
  const std::string_view query = sequences.query(id), target = sequences.target(id);
  const kernels::Manifest &m = call.manifest();
  if (query.size() > m.max_query.value_or(kMaxLength) || target.size() > m.max_target.value_or(kMaxLength))
    return check_length(m, query.size(), target.size(), sequences.name(id)).error();
  if (!query.empty() && !target.empty()) {
    if (auto ok = check_path(m, query.size(), target.size(), [&] { return sequences.name(id); }); !ok)
      return ok.error();
    call.report.cells += std::uint64_t{query.size()} * target.size();
    return true;
  }
  if (call.query_codes().first_invalid(query) || call.target_codes().first_invalid(target))
    return call.reject_letter(), call.outcome().error();
  if ((query.empty() ? m.target_begin_forbidden : m.query_begin_forbidden) && !(query.empty() && target.empty()))
    return Error{sequences.name(id) +
                 ": an empty sequence leaves an alignment that begins with a gap alone, which the " +
                 "spec's `border` forbids; leave it out"};
  if (auto ok = check_path(m, query.size(), target.size(), [&] { return sequences.name(id); }); !ok) return ok.error();
  std::optional<FlaggedColumns> flagged;
  if (query.empty() && m.deletion_at_flag) flagged = flagged_columns(m, target, call.strides.target);
  const auto score = border_score(m, call.scoring(), query.size(), target.size(), flagged);
  if (!score) return Error{sequences.name(id) + ": the score exceeds 32 bits"};
  Found found;
  call.expect(found, 1);
  found.add_unaligned(sequences.first_id + id, *score);
  call.deliver(found);
  return false;
}

Status admit_all(Call &call, const Sequences &sequences) {
  const kernels::Manifest &m = call.manifest();
  const auto queries = sequences.queries, targets = sequences.targets;
  const std::size_t most_query = m.max_query.value_or(kMaxLength), most_target = m.max_target.value_or(kMaxLength);
  std::uint64_t query_letters = 0, target_letters = 0;
  const auto empty = [&](std::size_t q, std::size_t t) -> Status {
    const auto admitted = admit_pair(call, sequences, std::uint64_t{q} * targets.size() + t);
    return admitted ? Status(Ok{}) : Status(admitted.error());
  };
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (queries[q].size() > most_query) return check_length(m, queries[q].size(), 0, "query " + std::to_string(q + 1));
    query_letters += queries[q].size();
    for (std::size_t t = 0; queries[q].empty() && t < targets.size(); ++t)
      if (auto ok = empty(q, t); !ok) return ok;
  }
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (targets[t].size() > most_target)
      return check_length(m, 0, targets[t].size(), "target " + std::to_string(t + 1));
    target_letters += targets[t].size();
    for (std::size_t q = 0; targets[t].empty() && q < queries.size(); ++q)
      if (queries[q].empty())
        continue;
      else if (auto ok = empty(q, t); !ok)
        return ok;
  }
  if (m.bounded) {
    const std::vector<std::size_t> each = first_of_lengths(targets);
    for (const std::size_t q : first_of_lengths(queries))
      for (const std::size_t t : each) {
        const auto name = [&] { return sequences.name(std::uint64_t{q} * targets.size() + t); };
        if (auto ok = check_path(m, queries[q].size(), targets[t].size(), name); !ok) return ok;
      }
  }
  call.report.cells += query_letters * target_letters;
  return Ok{};
}

}  // namespace alnsmith::rt::align
