/// @file
/// The library's aligners as those of a placement.
#pragma once

#include <functional>

#include "alnsmith/placement.hpp"

namespace alnsmith::placement {

/// Scores and paths by the kernels of a spec of state sets.
class SpecAligner : public BranchAligner {
 public:
  /// Over two aligners that outlive it. @param scores its kernels give scores alone @param paths those of the same spec
  ///   that give begin, end and CIGAR too @param minimize the spec's objective @param options of each call
  /// @param called told of each call's report, and whether it was one for paths; may be empty
  SpecAligner(const Aligner &scores, const Aligner &paths, bool minimize, Options options,
              std::function<void(const Report &, bool paths)> called);
  bool minimize() const override { return minimize_; }
  Status score(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
               std::span<std::int32_t> scores) override;
  Status align(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
               std::span<ReadPath> paths) override;
  /// Aligns them, and tells nobody. @param read letters @param branch one @return what went wrong
  Status can_align(std::string_view read, const StateColumns &branch) override;
  /// Half of a call's memory is for letters. @param states of the alphabet @return letters
  std::size_t most_letters(unsigned states) const override;

 private:
  Result<Report> find(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                      std::span<ReadPath> paths) const;

  const Aligner &scores_, &paths_;
  bool minimize_;
  Options options_;
  std::function<void(const Report &, bool paths)> called_;
};

}  // namespace alnsmith::placement
