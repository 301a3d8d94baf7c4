#include "lane_batch.h"

#include <algorithm>
#include <map>
#include <set>

#include "align/path_planes.h"
#include "alnsmith/scoring_values.hpp"
#include "spec/expression.h"
#include "spec/gap.h"

namespace lanes {

using namespace alnsmith;

Scoring make_scoring(const spec::Spec &s, const std::map<std::string, int> &runtime,
                     const std::vector<int> &runtime_matrix) {
  Scoring out;
  out.values.assign(ALN_SCORING_COUNT, 0);
  auto value = [&](const spec::Value &v, const char *name) { return v.runtime ? runtime.at(name) : v.value; };
  const auto put_lines = [&](const spec::GapCost &cost, const int *opens) {
    for (int line = 0; line < kMostLines; ++line) {
      const spec::GapLine values = spec::line_of(cost, std::min(line, spec::gap_lines(cost.model) - 1));
      const int named = opens[std::min(line, spec::gap_lines(cost.model) - 1)];
      out.values[opens[line]] = value(values.open, kScoringValues[named].name);
      out.values[opens[line] + 1] = value(values.extend, kScoringValues[named + 1].name);
    }
  };
  const int sign = s.objective == spec::Objective::minimize ? -1 : 1;
  put_lines(s.insertion, kInsertionOpens);
  put_lines(s.deletion, kDeletionOpens);
  if (s.score.kind == spec::ScoreKind::match) {
    out.values[ALN_MATCH] = sign * value(s.score.match, "match");
    out.values[ALN_MISMATCH] = sign * value(s.score.mismatch, "mismatch");
    const int flag = sign * s.score.at_flag.value_or(0);
    out.values[ALN_SCORE_MIN] = std::min(out.values[ALN_MATCH], out.values[ALN_MISMATCH]) + std::min(flag, 0);
    out.values[ALN_SCORE_MAX] = std::max(out.values[ALN_MATCH], out.values[ALN_MISMATCH]) + std::max(flag, 0);
    return out;
  }
  std::vector<int> m = s.score.matrix_runtime ? runtime_matrix : s.score.matrix;
  for (int &x : m) x *= sign;
  const auto [low, high] = std::ranges::minmax(m);
  out.values[ALN_SCORE_MIN] = low;
  out.values[ALN_SCORE_MAX] = high;
  out.matrix.assign(32 * ALN_MATRIX_STRIDE, low);
  const std::size_t letters = s.alphabet.letters.size();
  for (std::size_t r = 0; r < letters; ++r)
    for (std::size_t c = 0; c < letters; ++c) out.matrix[r * ALN_MATRIX_STRIDE + c] = m[r * letters + c];
  return out;
}

std::pair<int, int> band_of(const spec::Spec &s, std::size_t query, std::size_t target) {
  const std::int64_t lengths[] = {static_cast<std::int64_t>(query), static_cast<std::int64_t>(target)};
  const auto bound = [&](const std::string &text, int otherwise) {
    if (text.empty()) return otherwise;
    return static_cast<int>(*spec::Expression::parse(text, spec::bound_grammar())->value(lengths, {}));
  };
  return {bound(s.band_from, -1000000), bound(s.band_to, 1000000)};
}

std::map<unsigned char, int> codes_of(const spec::Spec &s, spec::Side side) {
  std::map<unsigned char, int> codes;
  for (const auto &[byte, code] : spec::letter_codes(s, side)) codes[byte] = code;
  return codes;
}

alnsmith::plan::KernelPlan narrowed(alnsmith::plan::KernelPlan kernel) {
  constexpr int few = 64;
  if (!kernel.sliced() || kernel.lanes <= few) return kernel;
  kernel.scratch_per_stream_letter = kernel.scratch_per_stream_letter * few / kernel.lanes;
  kernel.scratch_fixed = kernel.scratch_fixed * few / kernel.lanes;
  kernel.border_per_stream_letter = kernel.border_per_stream_letter * few / kernel.lanes;
  kernel.states_per_stream_letter = kernel.states_per_stream_letter * few / kernel.lanes;
  kernel.lanes = few;
  return kernel;
}

Batch::Batch(const spec::Spec &s, const plan::KernelPlan &kernel, std::span<const Pair> pairs, const Scoring &scoring,
             int element_bytes)
    : scoring_(scoring) {
  const std::size_t count = static_cast<std::size_t>(kernel.lanes);
  const auto query_code = codes_of(s, spec::Side::query), target_code = codes_of(s, spec::Side::target);
  std::size_t rows = 0, columns = 0, shortest = SIZE_MAX;
  std::set<int> ends;
  for (const auto &[query, target] : pairs) {
    rows = std::max(rows, query.size());
    columns = std::max(columns, target.size());
    shortest = std::min(shortest, target.size());
    ends.insert(static_cast<int>(query.size()));
    stream_length_.push_back(static_cast<int>(query.size()));
    register_length_.push_back(static_cast<int>(target.size()));
  }
  if (kernel.ends != plan::LaneEnds::segments) ends = {static_cast<int>(rows)};
  segment_end_.assign(ends.begin(), ends.end());
  const std::size_t k = static_cast<std::size_t>(kernel.k), padded = (columns + k - 1) / k * k;
  const bool shared = kernel.shares_query(), sets = !s.alphabet.sets.empty();
  if (sets) put_sets(s, pairs, shared, rows, padded + 1);
  if (s.has_bounds()) put_bands(s, pairs);
  if (!sets) register_letters_.assign(padded * count, ALN_CODE_TARGET_PAD);
  if (!sets) stream_letters_.assign(shared ? rows : rows * count, ALN_CODE_QUERY_PAD);
  for (std::size_t l = 0; l < count && !sets; ++l) {
    const auto &[query, target] = pairs[l];
    for (std::size_t i = 0; i < target.size(); ++i)
      register_letters_[i * count + l] =
          static_cast<unsigned char>(target_code.at(static_cast<unsigned char>(target[i])));
    for (std::size_t i = 0; i < query.size(); ++i)
      stream_letters_[shared ? i : i * count + l] =
          static_cast<unsigned char>(query_code.at(static_cast<unsigned char>(query[i])));
  }
  if (kernel.sliced()) {
    register_letters_ = planes_of(register_letters_, count, element_bytes > 0);
    stream_letters_ = planes_of(stream_letters_, count, element_bytes > 0);
  }
  const std::size_t per_element = element_bytes > 0 ? static_cast<std::size_t>(element_bytes) * count : count / 8;
  const auto told = [&](int bytes) { return static_cast<std::size_t>(bytes * 8 / (kernel.width * kernel.lanes)); };
  std::size_t elements = told(kernel.scratch_per_stream_letter) * rows + told(kernel.scratch_fixed);
  if (kernel.patch_rows > 0) {
    // Any number of strips per block, all of them among these.
    const std::size_t strips = padded / k, kept = 1 + (7 * rows + columns) % strips;
    const std::size_t border = told(kernel.border_per_stream_letter) * rows;
    const std::size_t states =
        told(kernel.states_per_stream_letter) * (rows + static_cast<std::size_t>(kernel.patch_rows));
    elements += kept * (border + states) + (kept < strips ? (strips + kept - 1) / kept * border : 0);
    args_.kept_strips = static_cast<int>(kept);
    args_.cigar_room = static_cast<int>(rows + columns);
    cigar_.assign((rows + columns) * count, 0x55555555);
  }
  if (kernel.sliced() && kernel.patch_rows > 0) {
    path_is_bytes_ = element_bytes > 0;
    free_query_ = s.ends.query_prefix;
    free_target_ = s.ends.target_prefix;
    const std::size_t planes =
        rt::align::path_elements(rows, free_query_) + rt::align::path_elements(padded, free_target_);
    path_.assign(planes * (path_is_bytes_ ? count : count / 8), 0x5A);
  }
  scratch_.assign(elements * per_element + 64, 0x5A);  // what is read before it is written would gain
  fill_outputs(count, 0x55555555);
  cigar_runs.assign(count, 0x55555555);
  status.assign(count, 0x55);
  args_.size = sizeof args_;
  args_.register_min = static_cast<int>(shortest);
  args_.register_max = static_cast<int>(columns);
  args_.stream_max = static_cast<int>(rows);
  args_.segments = static_cast<int>(segment_end_.size());
  args_.segment_end = segment_end_.data();
  args_.register_length = register_length_.data();
  args_.stream_length = stream_length_.data();
  args_.register_letters = register_letters_.data();
  args_.stream_letters = stream_letters_.data();
  args_.scoring = scoring_.values.data();
  args_.matrix = scoring_.matrix.empty() ? nullptr : scoring_.matrix.data();
  void *aligned = scratch_.data();
  std::size_t room = scratch_.size();
  args_.scratch = std::align(64, elements * per_element, aligned, room);
  args_.refill_column = &no_refill_;
  point_outputs(args_);
  args_.status = status.data();
  args_.cigar = cigar_.data();
  args_.cigar_runs = cigar_runs.data();
  args_.path = path_.data();
}

void Batch::read_paths() {
  if (path_.empty()) return;
  std::vector<unsigned char> bits = path_;
  if (path_is_bytes_) {
    bits.assign(path_.size() / 8, 0);
    for (std::size_t i = 0; i < path_.size(); ++i)
      bits[i / 8] = static_cast<unsigned char>(bits[i / 8] | (path_[i] & 1) << i % 8);
  }
  const std::size_t lanes = score.size();
  const auto rows = static_cast<std::size_t>(args_.stream_max), columns = static_cast<std::size_t>(args_.register_max);
  std::vector<std::uint64_t> words;
  cigar_first_.resize(lanes);
  rt::align::read_paths(lanes, {bits.data(), rows, free_query_, query_end.data(), query_begin.data()},
                        {bits.data() + rt::align::path_elements(rows, free_query_) * lanes / 8, columns, free_target_,
                         target_end.data(), target_begin.data()},
                        {&cigar_, cigar_first_.data(), cigar_runs.data()}, words);
}

std::vector<unsigned char> planes_of(const std::vector<unsigned char> &letters, std::size_t lanes, bool as_bytes) {
  std::vector<unsigned char> planes(letters.size() * LETTER_PLANES / (as_bytes ? 1 : 8) + 64);
  for (std::size_t i = 0; i < letters.size(); ++i)
    for (int plane = 0; plane < LETTER_PLANES; ++plane) {
      const int bit = letters[i] >> letter_bit(plane) & 1;
      const std::size_t at = (i / lanes * LETTER_PLANES + static_cast<std::size_t>(plane)) * lanes + i % lanes;
      if (as_bytes)
        planes[at] = static_cast<unsigned char>(bit);
      else
        planes[at / 8] = static_cast<unsigned char>(planes[at / 8] | bit << at % 8);
    }
  return planes;
}

void Batch::put_sets(const spec::Spec &s, std::span<const Pair> pairs, bool shared, std::size_t rows,
                     std::size_t columns) {
  const auto code = codes_of(s, spec::Side::query);
  const std::size_t states = s.alphabet.letters.size(), count = pairs.size();
  const std::size_t bytes = (states + static_cast<std::size_t>(s.column_flags) + 6) / 7;
  const auto byte = [](std::uint64_t letter, std::size_t b) {
    return static_cast<unsigned char>(letter >> (7 * b) & 127);
  };
  const auto set = [&](char letter) {
    return std::uint64_t{static_cast<std::uint32_t>(code.at(static_cast<unsigned char>(letter)))};
  };
  register_letters_.assign(bytes * columns * count, 0);
  stream_letters_.assign(shared ? rows : bytes * rows * count, 0);
  std::map<std::uint64_t, unsigned char> numbers;
  for (std::size_t l = 0; l < count; ++l) {
    const auto &[query, target] = pairs[l];
    for (std::size_t i = 0; i < target.size(); ++i) {
      const bool flagged = s.column_flags > 0 && target[i] >= 'a' && target[i] <= 'z';
      for (std::size_t b = 0; b < bytes; ++b)
        register_letters_[(b * columns + i) * count + l] = byte(set(target[i]) | std::uint64_t{flagged} << states, b);
    }
    for (std::size_t i = 0; i < query.size(); ++i) {
      if (!shared)
        for (std::size_t b = 0; b < bytes; ++b) stream_letters_[(b * rows + i) * count + l] = byte(set(query[i]), b);
      if (!shared || l > 0) continue;
      const auto [at, fresh] = numbers.emplace(set(query[i]), static_cast<unsigned char>(numbers.size()));
      for (std::size_t b = 0; fresh && b < bytes; ++b) sets_.push_back(byte(set(query[i]), b));
      stream_letters_[i] = at->second;
    }
  }
  args_.register_rows = static_cast<int>(columns);
  args_.stream_rows = static_cast<int>(rows);
  args_.stream_sets = static_cast<int>(numbers.size());
  args_.stream_set = sets_.data();
}

void Batch::put_bands(const spec::Spec &s, std::span<const Pair> pairs) {
  for (const auto &[query, target] : pairs) {
    const auto [from, to] = band_of(s, query.size(), target.size());
    band_from_.push_back(from);
    band_to_.push_back(to);
  }
  args_.lane_band_from = band_from_.data();
  args_.lane_band_to = band_to_.data();
  args_.band_from_most = *std::ranges::max_element(band_from_);
  args_.band_to_least = *std::ranges::min_element(band_to_);
}

std::vector<compiled::Region> Batch::memory() const {
  std::vector<compiled::Region> list = {{&no_refill_, sizeof no_refill_}};
  const auto add = [&](const auto &vector) {
    if (!vector.empty()) list.push_back({vector.data(), vector.size() * sizeof vector[0]});
  };
  for (const auto *numbers : {&register_length_, &stream_length_, &segment_end_, &scoring_.values, &scoring_.matrix,
                              &cigar_runs, &cigar_, &sets_, &band_from_, &band_to_})
    add(*numbers);
  for_each_output(add);
  for (const auto *bytes : {&register_letters_, &stream_letters_, &status, &path_}) add(*bytes);
  // From where it is aligned.
  const auto *scratch = static_cast<const unsigned char *>(args_.scratch);
  list.push_back({scratch, static_cast<std::size_t>(scratch_.data() + scratch_.size() - scratch)});
  return list;
}

std::string Batch::cigar(std::size_t lane) const {
  std::string text;
  for (std::size_t run = static_cast<std::size_t>(cigar_runs[lane]); run-- > 0;) {
    const std::size_t first = cigar_first_.empty() ? lane : static_cast<std::size_t>(cigar_first_[lane]);
    const int packed = cigar_.at(first + run * (cigar_first_.empty() ? cigar_runs.size() : 1));
    text += std::to_string(packed / 16) + "MID???????????????"[packed % 16];
  }
  return text;
}

}  // namespace lanes
