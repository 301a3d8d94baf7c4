// Pairs for tests of formats: made by hand from texts, or at random with the alignment that made them.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "formats/writer.h"
#include "spec/alphabet.h"

namespace alnsmith::testing {

inline std::vector<CigarRun> runs_of(std::string_view text) {
  std::vector<CigarRun> runs;
  std::uint32_t letters = 0;
  for (const char c : text)
    if (c >= '0' && c <= '9')
      letters = letters * 10 + static_cast<std::uint32_t>(c - '0');
    else
      runs.push_back(std::exchange(letters, 0) << 4 | static_cast<CigarRun>(std::string_view("MID").find(c)));
  return runs;
}

// A pair that owns what it is made of. An empty CIGAR: nothing is aligned.
struct OwnPair {
  std::uint64_t number = 0;
  std::string query_name, query, target_name, target;
  int score = 0, query_begin = 0, target_begin = 0;
  std::vector<CigarRun> cigar;

  formats::AlignedPair view() const {
    formats::AlignedPair pair{number, query_name, query, target_name, target, {}, cigar};
    int query_end = query_begin - 1, target_end = target_begin - 1;
    for (const CigarRun run : cigar) {
      if (operation_of(run) != 'D') query_end += static_cast<int>(letters_of(run));
      if (operation_of(run) != 'I') target_end += static_cast<int>(letters_of(run));
    }
    const bool none = cigar.empty();
    const auto set = [&](Output output, int value) { pair.values[index_of(output)] = none ? ALN_NONE : value; };
    set(Output::query_begin, query_begin);
    set(Output::query_end, query_end);
    set(Output::target_begin, target_begin);
    set(Output::target_end, target_end);
    pair.values[index_of(Output::score)] = score;
    return pair;
  }
};

inline formats::Request request(formats::Format format, std::string_view alphabet = "dna",
                                std::span<const int> matrix = {}) {
  OutputSet outputs{Output::cigar};
  for (const OutputInfo &info : kOutputs) outputs.add(info.output);
  return {.format = format,
          .eqx = false,
          .columns = {},
          .outputs = outputs,
          .letters = formats::Letters(*spec::named_alphabet(alphabet), matrix),
          .spec = "mine",
          .gap = "2+1*L",
          .header_bytes = std::size_t{1} << 20};
}

// All that a writer makes of pairs; targets are listed first where it asks for them. An error's message instead.
inline std::string text_of(formats::Request wanted, const std::vector<OwnPair> &pairs) {
  auto writer = formats::make_writer(std::move(wanted));
  if (!writer) return writer.error().message;
  std::string out;
  Status ok = Ok{};
  for (std::size_t i = 0; i < pairs.size() && ok && (*writer)->needs_targets(); ++i)
    ok = (*writer)->add_target(pairs[i].target_name, pairs[i].target);
  if (ok) ok = (*writer)->begin(out);
  for (std::size_t i = 0; i < pairs.size() && ok; ++i) ok = (*writer)->pair(pairs[i].view(), out);
  if (!ok) return ok.error().message;
  (*writer)->end(out);
  return out;
}

// Alignments of every kind: letters of either case, some behind the ends, gaps beside gaps, at the ends and alone.
class RandomPairs {
 public:
  explicit RandomPairs(unsigned seed, std::string letters = "ACGTacgtUu")
      : random_(seed), letters_(std::move(letters)) {}

  OwnPair next() {
    OwnPair pair;
    pair.number = count_++;
    pair.query_name = "q" + std::to_string(pair.number);
    pair.target_name = "t" + std::to_string(pair.number);
    pair.score = below(2000) - 1000;
    pair.query_begin = add(pair.query, below(4));
    pair.target_begin = add(pair.target, below(4));
    CigarRun last = 3;
    for (int i = 0, runs = below(12); i <= runs; ++i) {
      CigarRun operation = static_cast<CigarRun>(below(3));
      if (operation == last) operation = (operation + 1) % 3;
      last = operation;
      const int letters = 1 + below(6);
      pair.cigar.push_back(static_cast<CigarRun>(letters) << 4 | operation);
      for (int k = 0; k < letters; ++k) {
        if (operation != 2) add(pair.query, 1);
        if (operation == 1) continue;
        if (operation == 0 && below(3) > 0)
          pair.target += pair.query.back();
        else
          add(pair.target, 1);
      }
    }
    add(pair.query, below(4));
    add(pair.target, below(4));
    if (pair.query.empty()) add(pair.query, 1);
    if (pair.target.empty()) add(pair.target, 1);
    return pair;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int add(std::string &text, int letters) {
    for (int i = 0; i < letters; ++i) text += letters_[random_() % letters_.size()];
    return letters;
  }

  std::mt19937 random_;
  std::string letters_;
  std::uint64_t count_ = 0;
};

}  // namespace alnsmith::testing
