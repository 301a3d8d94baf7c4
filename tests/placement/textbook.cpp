// See textbook.h. Rows are letters of the read, columns those of the branch; H is the best of a cell, D ends in a
// skipped column, I in an inserted letter. Costs of the minimising scheme are negated, so that both look for the
// largest.
#include "textbook.h"

#include <algorithm>
#include <tuple>

namespace alnsmith::testing {

using placement::ReadPath;
using placement::StateAlphabet;

namespace {

constexpr std::int32_t kNever = -(1 << 28);

struct Costs {
  std::int32_t match, mismatch, flagged;
  std::int32_t skip_first, skip_next;      // a column; nothing where it is flagged
  std::int32_t insert_first, insert_next;  // a letter
};
constexpr Costs costs(Scheme scheme) {
  return scheme == Scheme::v25 ? Costs{2, 0, -3, -3, -1, -3, -1} : Costs{0, -3, -3, -4, -1, -3, -3};
}

class Matrices {
 public:
  Matrices(Scheme scheme, const StateAlphabet &alphabet, std::string_view read, const StateColumns &branch)
      : scheme_(scheme),
        costs_(costs(scheme)),
        alphabet_(alphabet),
        read_(read),
        branch_(branch),
        m_(read.size()),
        n_(branch.sets.size()),
        h_((m_ + 1) * (n_ + 1), 0),
        d_(h_.size(), kNever),
        i_(d_) {
    for (std::size_t r = 1; r <= m_; ++r) {
      if (scheme == Scheme::eq1) h_[at(r, 0)] = kNever;
      for (std::size_t c = 1; c <= n_; ++c) fill(r, c);
    }
  }

  std::int32_t best(ReadPath *path) const {
    std::size_t row = m_, column = n_;
    for (std::size_t c = 1; c <= n_; ++c)
      if (h_[at(m_, c)] > h_[at(row, column)]) std::tie(row, column) = std::tuple(m_, c);
    if (scheme_ == Scheme::v25)
      for (std::size_t r = 1; r <= m_; ++r)
        if (h_[at(r, n_)] > h_[at(row, column)]) std::tie(row, column) = std::tuple(r, n_);
    if (path != nullptr) *path = back(row, column);
    return h_[at(row, column)];
  }

  std::int32_t diagonal(std::size_t r, std::size_t c) const {
    const bool match = (alphabet_.sets[static_cast<unsigned char>(read_[r - 1])] & branch_.sets[c - 1]) != 0;
    return (match ? costs_.match : costs_.mismatch) + (flagged(c) ? costs_.flagged : 0);
  }
  bool flagged(std::size_t c) const { return branch_.flags[c - 1] != 0; }

 private:
  std::size_t at(std::size_t r, std::size_t c) const { return r * (n_ + 1) + c; }
  std::int32_t first(std::size_t c) const { return flagged(c) ? 0 : costs_.skip_first; }
  std::int32_t next(std::size_t c) const { return flagged(c) ? 0 : costs_.skip_next; }

  void fill(std::size_t r, std::size_t c) {
    if (scheme_ == Scheme::eq1 && (c < r || c > r + n_ - m_)) {
      h_[at(r, c)] = kNever;
      return;
    }
    d_[at(r, c)] = std::max(h_[at(r, c - 1)] + first(c), d_[at(r, c - 1)] + next(c));
    i_[at(r, c)] = std::max(h_[at(r - 1, c)] + costs_.insert_first, i_[at(r - 1, c)] + costs_.insert_next);
    h_[at(r, c)] = std::max({h_[at(r - 1, c - 1)] + diagonal(r, c), d_[at(r, c)], i_[at(r, c)]});
  }

  // From a cell of the last row or column to the first row or column.
  ReadPath back(std::size_t r, std::size_t c) const {
    std::vector<CigarRun> steps;  // one letter or column each
    const std::int32_t score = h_[at(r, c)];
    while (r > 0 && c > 0) {
      if (h_[at(r, c)] == h_[at(r - 1, c - 1)] + diagonal(r, c)) {
        steps.push_back(1 << 4);
        --r, --c;
      } else if (h_[at(r, c)] == d_[at(r, c)]) {
        for (bool more = true; more && c > 0; --c) {
          more = d_[at(r, c)] != h_[at(r, c - 1)] + first(c);
          steps.push_back(1 << 4 | 2);
        }
      } else {
        for (bool more = true; more && r > 0; --r) {
          more = i_[at(r, c)] != h_[at(r - 1, c)] + costs_.insert_first;
          steps.push_back(1 << 4 | 1);
        }
      }
    }
    std::ranges::reverse(steps);
    return placement::whole_path(score, steps, r, c, m_, n_);
  }

  Scheme scheme_;
  Costs costs_;
  const StateAlphabet &alphabet_;
  std::string_view read_;
  const StateColumns &branch_;
  std::size_t m_, n_;
  std::vector<std::int32_t> h_, d_, i_;
};

}  // namespace

std::int32_t align(Scheme scheme, const StateAlphabet &alphabet, std::string_view read, const StateColumns &branch,
                   ReadPath *path) {
  const std::int32_t best = Matrices(scheme, alphabet, read, branch).best(path);
  const std::int32_t sign = scheme == Scheme::eq1 ? -1 : 1;
  if (path != nullptr) path->score = sign * best;
  return sign * best;
}

std::int32_t score_of(Scheme scheme, const StateAlphabet &alphabet, std::string_view read, const StateColumns &branch,
                      const std::vector<CigarRun> &runs) {
  const Costs cost = costs(scheme);
  std::size_t letter = 0, column = 0, last = runs.size();
  // Ends are free: skipped columns in both schemes, letters beside a border in one of them.
  const auto free_run = [&](std::size_t i) {
    const char what = operation_of(runs[i]);
    return what == 'D' || (what == 'I' && scheme == Scheme::v25);
  };
  std::size_t from = 0;
  if (last > 0 && free_run(0)) from = 1;
  if (last > from && free_run(last - 1)) --last;
  std::int32_t score = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool inside = i >= from && i < last;
    const char what = operation_of(runs[i]);
    bool opened = false;
    for (std::uint32_t k = 0; k < letters_of(runs[i]); ++k) {
      if (what == 'M') {
        const bool match = (alphabet.sets[static_cast<unsigned char>(read[letter])] & branch.sets[column]) != 0;
        score += (match ? cost.match : cost.mismatch) + (branch.flags[column] ? cost.flagged : 0);
      } else if (inside && what == 'D') {
        // A gap may be split at flagged columns, where opening costs nothing: the cheapest way is to go on.
        if (branch.flags[column] == 0) score += opened ? cost.skip_next : cost.skip_first;
        opened = true;
      } else if (inside) {
        score += opened ? cost.insert_next : cost.insert_first;
        opened = true;
      }
      letter += what != 'D';
      column += what != 'I';
    }
  }
  return scheme == Scheme::eq1 ? -score : score;
}

Status Textbook::score(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                       std::span<std::int32_t> scores) {
  for (std::size_t r = 0; r < reads.size(); ++r)
    for (std::size_t b = 0; b < branches.size(); ++b)
      scores[r * branches.size() + b] = testing::align(scheme_, alphabet_, reads[r], branches[b]);
  return Ok{};
}

Status Textbook::align(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
                       std::span<ReadPath> paths) {
  for (std::size_t r = 0; r < reads.size(); ++r) testing::align(scheme_, alphabet_, reads[r], branches[r], &paths[r]);
  return Ok{};
}

}  // namespace alnsmith::testing
