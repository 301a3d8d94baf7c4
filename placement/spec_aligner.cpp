// See placement_aligner.hpp.
#include <algorithm>
#include <utility>

#include "alnsmith/kernel_abi.h"
#include "alnsmith/placement_aligner.hpp"

namespace alnsmith::placement {

SpecAligner::SpecAligner(const Aligner &scores, const Aligner &paths, bool minimize, Options options,
                         std::function<void(const Report &, bool)> called)
    : scores_(scores), paths_(paths), minimize_(minimize), options_(std::move(options)), called_(std::move(called)) {}

Status SpecAligner::score(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                          std::span<std::int32_t> scores) {
  const Result<Report> report = scores_.align_all(reads, branches, Columns{{Output::score, scores}}, options_);
  if (!report) return report.error();
  if (called_) called_(*report, false);
  return Ok{};
}

Status SpecAligner::align(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                          std::span<ReadPath> paths) {
  const Result<Report> report = find(reads, branches, paths);
  if (!report) return report.error();
  if (called_) called_(*report, true);
  return Ok{};
}

Status SpecAligner::can_align(std::string_view read, const StateColumns &branch) {
  ReadPath path;
  const Result<Report> report = find({&read, 1}, {&branch, 1}, {&path, 1});
  return report ? Status(Ok{}) : report.error();
}

std::size_t SpecAligner::most_letters(unsigned states) const {
  const std::size_t bytes = states / ALN_STATES_OF_BYTE + 1;  // with the flag, which is one state more
  return options_.memory_bytes / 2 / bytes;
}

Result<Report> SpecAligner::find(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                                 std::span<ReadPath> paths) const {
  std::vector<std::int32_t> scores(reads.size()), letters(scores), columns(scores);
  Cigars cigars;
  Columns wanted{{Output::score, scores}, {kBegins.query, letters}, {kBegins.target, columns}};
  wanted.set(cigars);
  Result<Report> report = paths_.align_pairs(reads, branches, wanted, options_);
  if (!report) return report;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const auto begin = [&](std::int32_t value) {
      return static_cast<std::size_t>(std::max(value, 0));
    };  // -1: nothing aligned
    paths[i] = whole_path(scores[i], cigars[i], begin(letters[i]), begin(columns[i]), reads[i].size(),
                          branches[i].sets.size());
  }
  return report;
}

}  // namespace alnsmith::placement
