// Places reads: lines "read piece" on standard input, one "score read_end piece_end" a line on standard output.
// The kernels are inside the program; no file of alnsmith's but its library is needed.
#include <alnsmith/alnsmith.hpp>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "reads.kernels.h"

namespace {
int fail(const alnsmith::Error &error) {
  std::cerr << "place: " << error.message << "\n";
  return error.exit_code;
}
}  // namespace

int main() {
  const auto aligner = alnsmith::Aligner::open_linked(alnsmith_kernels_reads);
  if (!aligner) return fail(aligner.error());

  std::vector<std::string> words;
  for (std::string word; std::cin >> word;) words.push_back(word);
  if (words.size() % 2 != 0) return fail({"the last read has no piece", 1});
  std::vector<std::string_view> reads, pieces;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    reads.push_back(words[i]);
    pieces.push_back(words[i + 1]);
  }

  // One call for the whole batch: that is what the lanes of the vectors are for.
  std::vector<std::int32_t> scores(reads.size()), read_ends(reads.size()), piece_ends(reads.size());
  const auto report = aligner->align_pairs(reads, pieces,
                                           {{alnsmith::Output::score, scores},
                                            {alnsmith::Output::query_end, read_ends},
                                            {alnsmith::Output::target_end, piece_ends}});
  if (!report) return fail(report.error());
  for (std::size_t i = 0; i < scores.size(); ++i) std::printf("%d %d %d\n", scores[i], read_ends[i], piece_ends[i]);
  std::cerr << "place: " << report->pairs << " pairs, kernels for " << aligner->target() << ", gap "
            << aligner->gap_formula() << "\n";
  return 0;
}
