// Similar long pairs: a band of the matrix suffices where its score proves that no better alignment leaves it.
//
// Global alignments. The band of width w is of the cells whose target letters are ahead of the query's by
// min(0, target - query) - w to max(0, target - query) + w (of a spec's `band: {width: w}` too, of any alignment type,
// which proves nothing). A path that leaves it has w + 1 letters more in gaps of
// either kind than the lengths ask for, and so as many fewer pairs: what it scores at most is known before
// (most_outside). If the band's score is better, each best path stays inside, so that score, ends and the way back are
// those of the whole matrix.
#pragma once

#include <cstdint>
#include <optional>

#include "align/scoring.h"

namespace alnsmith::rt::align {

class Band {
 public:
  // Nothing where the alignment type or scoring gives no such bound.
  static std::optional<Band> of(const kernels::Manifest &manifest, const CallScoring &scoring, std::size_t query,
                                std::size_t target);

  // Of the spec: the rows alone are asked for.
  static Band given(const kernels::Manifest &manifest, const CallScoring &scoring, std::size_t query,
                    std::size_t target) {
    return Band(manifest, scoring, static_cast<std::int64_t>(query), static_cast<std::int64_t>(target));
  }

  // What a path scores at most that leaves the band, as kernels have scores.
  __int128 most_outside(std::size_t width) const;
  // The least width at which that is less than `score`; nothing if there is none below the longer length.
  std::optional<std::size_t> width_for(__int128 score) const;

  // How far a cell's row may be ahead of its column, both from 0.
  int from(std::size_t width) const;
  int to(std::size_t width) const;
  // Rows of the band, and some more, in the columns first to end - 1.
  struct Rows {
    int first, end;
  };
  Rows rows(std::size_t width, std::size_t first_column, std::size_t end_column) const;

 private:
  Band(const kernels::Manifest &manifest, const CallScoring &scoring, std::int64_t query, std::int64_t target)
      : manifest_(&manifest), scoring_(&scoring), query_(query), target_(target) {}

  const kernels::Manifest *manifest_;
  const CallScoring *scoring_;
  std::int64_t query_, target_;
};

}  // namespace alnsmith::rt::align
