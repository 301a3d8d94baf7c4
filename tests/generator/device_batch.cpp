#include "device_batch.h"

#include <algorithm>
#include <map>

#include "spec/codes.h"

namespace devices {

using namespace alnsmith;

Batch::Batch(const spec::Spec &s, const plan::KernelPlan &kernel, std::span<const Pair> pairs,
             const lanes::Scoring &scoring, int blocks, Kept kept)
    : scoring_(scoring), blocks_(blocks) {
  const std::size_t states = s.alphabet.sets.empty() ? 0 : s.alphabet.letters.size();
  const std::size_t bytes = states == 0 ? 1 : (states + static_cast<std::size_t>(s.column_flags) + 6) / 7;
  const auto add = [&](Side &side, const std::map<unsigned char, int> &codes, const std::string &text, bool flags) {
    side.offset.push_back(static_cast<int>(side.letters.size() / bytes));
    side.length.push_back(static_cast<int>(text.size()));
    for (const char c : text) {
      std::uint64_t letter = static_cast<std::uint32_t>(codes.at(static_cast<unsigned char>(c)));
      if (states > 0 && flags && c >= 'a' && c <= 'z') letter |= std::uint64_t{1} << states;
      for (std::size_t b = 0; b < bytes; ++b)
        side.letters.push_back(static_cast<unsigned char>(states > 0 ? letter >> 7 * b & 127 : letter));
    }
  };
  const auto query_code = lanes::codes_of(s, spec::Side::query), target_code = lanes::codes_of(s, spec::Side::target);
  int rows = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    add(query_, query_code, pairs[i].first, false);
    add(target_, target_code, pairs[i].second, s.column_flags > 0);
    // Sequences are named by index, in an order of their own.
    pair_query_.push_back(static_cast<int>(i));
    pair_target_.push_back(static_cast<int>(i));
    rows = std::max(rows, static_cast<int>(pairs[i].second.size()));
  }
  for (const bool begin : {true, false})
    for (std::size_t i = 0; i < pairs.size() && s.has_bounds(); ++i) {
      const auto [from, to] = lanes::band_of(s, pairs[i].first.size(), pairs[i].second.size());
      pair_query_.push_back(begin ? from : to);
    }
  // Lanes read letters by words.
  for (Side *side : {&query_, &target_}) side->letters.resize((side->letters.size() + 3) / 4 * 4, 0);
  const int groups = blocks * (kernel.block ? 1 : kernel.warps);
  if (kernel.sliced()) {
    const auto longest = [](const Side &side) { return *std::ranges::max_element(side.length); };
    rows = (std::max(longest(query_), (longest(target_) + kernel.k - 1) / kernel.k * kernel.k) + 3) / 4 * 4 +
           kernel.spare_rows;
  }
  if (s.output.begin) rows = make_trace(kernel, kept, *std::ranges::max_element(query_.length), rows, groups);
  border_.assign(
      static_cast<std::size_t>(kernel.border_ints) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(groups),
      0x5a5a5a5a);
  for (const Pair &pair : pairs)
    if (s.output.cigar) cigar_.resize(cigar_.size() + 2 * std::min(pair.first.size(), pair.second.size()) + 1);
  shared_bytes_ = kernel.shared_bytes + (rows <= kernel.shared_rows ? kernel.shared_bytes_per_row * rows : 0);
  const std::size_t n = pairs.size();
  fill_outputs(n, -77);
  cigar_first_.assign(n, -77);
  cigar_runs_.assign(n, -77);
  status.assign(n, 77);
  args_.alignments = static_cast<int>(n);
  args_.query_letters = query_.letters.data();
  args_.query_offset = query_.offset.data();
  args_.query_length = query_.length.data();
  args_.target_letters = target_.letters.data();
  args_.target_offset = target_.offset.data();
  args_.target_length = target_.length.data();
  args_.pair_query = pair_query_.data();
  args_.pair_target = pair_target_.data();
  args_.scoring = scoring_.values.data();
  args_.matrix = scoring_.matrix.empty() ? nullptr : scoring_.matrix.data();
  args_.border = border_.data();
  args_.border_rows = rows;
  args_.trace = trace_.data();
  args_.trace_words = trace_words_;
  point_outputs(args_);
  args_.status = status.data();
  args_.cigar = cigar_.data();
  args_.cigar_room = static_cast<int>(cigar_.size());
  args_.cigar_claimed = cigar_claimed_.data();
  args_.cigar_first = cigar_first_.data();
  args_.cigar_runs = cigar_runs_.data();
}

int Batch::make_trace(const plan::KernelPlan &kernel, Kept kept, int query, int target, int groups) {
  const int turn = kernel.block ? kernel.warps : 1, width = kernel.p * kernel.k;
  const int stages = (query + width - 1) / width, units = (stages + turn - 1) / turn;
  const int slots = kernel.lanes / kernel.p * kernel.packing;
  const bool all = kept == Kept::codes || units == 1;
  int section = 1;
  while (section * section < units) ++section;
  const int stands = all ? 0 : kernel.walk_words * slots;
  trace_words_ = (2 * std::min(query, target) + 2) * slots + stands +
                 (all ? stages : turn) * (target + kernel.trace_rows) * kernel.trace_row_words;
  trace_.assign(static_cast<std::size_t>(trace_words_) * static_cast<std::size_t>(groups), 0x5a5a5a5a);
  if (all) return target;
  return target * ((turn > 1 ? 1 : 0) + (kept == Kept::borders ? units : std::min(units, 2 * section)));
}

std::string Batch::cigar(std::size_t pair) const {
  const int first = cigar_first_[pair], runs = cigar_runs_[pair];
  if (first < 0 || runs < 0 || static_cast<std::size_t>(first + runs) > cigar_.size()) return "none";
  std::string text;
  for (int run = runs; run-- > 0;) {
    const int packed = cigar_[static_cast<std::size_t>(first + run)];
    (text += std::to_string(packed / 16)) += "MID"[packed % 16];
  }
  return text;
}

std::vector<void *> Batch::pointers() {
  std::vector<void *> list;
#define ALN_POINTER(type, name) list.push_back(const_cast<void *>(static_cast<const void *>(&args_.name)));
  ALN_DEVICE_ARGS_V1(ALN_POINTER)
#undef ALN_POINTER
  return list;
}

std::vector<Batch::Argument> Batch::arguments() {
  const auto array = [](auto &v, bool out = false) {
    return Argument{const_cast<void *>(static_cast<const void *>(v.data())), v.size() * sizeof(v[0]), 0, false, out};
  };
  const auto number = [](int n) { return Argument{nullptr, 0, n, true, false}; };
  std::vector<Argument> list = {number(args_.alignments),  array(query_.letters),  array(query_.offset),
                                array(query_.length),      array(target_.letters), array(target_.offset),
                                array(target_.length),     array(pair_query_),     array(pair_target_),
                                array(scoring_.values),    array(scoring_.matrix), array(border_),
                                number(args_.border_rows), array(trace_),          number(args_.trace_words)};
  for_each_output([&](const auto &values) { list.push_back(array(values, true)); });
  list.insert(list.end(), {array(status, true), array(cigar_, true), number(args_.cigar_room),
                           array(cigar_claimed_, true), array(cigar_first_, true), array(cigar_runs_, true)});
  return list;
}

}  // namespace devices
