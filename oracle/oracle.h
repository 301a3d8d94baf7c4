// The textbook DP that every kernel is held against: three full matrices, 64-bit, cells addressed [i][j].
//
// In: a problem (alignment type, gap costs, substitution scores by letter) and two sequences of letters.
// Out: the score, where it is reached, and the path that ends there.  Shares no code with templates/, generator/ or
// runtime/, and makes no attempt to be fast.  Gotoh (1982), and for two lines (1990); conventions as in
// docs/manifest.md: cost(L) = open + extend * L, query = rows i, target = columns j.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

enum class Mode { global, local, semiglobal };  // semiglobal: `free` says which ends are free

struct FreeEnds {
  bool query_begin = false, query_end = false, target_begin = false, target_end = false;
};

struct Line {
  long open = 0, extend = 0;
};

// cost(L) = open + extend * L, L >= 1; with further lines the smallest of all.
struct Gap {
  long open = 0, extend = 0;
  std::vector<Line> more = {};
  std::vector<Line> lines() const {
    std::vector<Line> all = {{open, extend}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  long cost(long length) const {
    long least = open + extend * length;
    for (const Line &line : more) least = std::min(least, line.open + line.extend * length);
    return least;
  }
};

// Scores of pairs of letters. Bytes that the alphabet lacks have no code.
class Substitution {
 public:
  // Equal letters score `match`, others `mismatch`; the wildcard (0: none) scores mismatch with everything,
  // itself included.
  static Substitution match_mismatch(std::string_view letters, long match, long mismatch, char wildcard = 0);
  // scores[query letter * letters.size() + target letter], in the order of `letters`.
  static Substitution matrix(std::string_view letters, std::vector<long> scores);

  // Letters that are sets of states, by upper-case letter a bit for each: `match` where two have one in common. A
  // code is the set.
  static Substitution state_sets(const std::map<char, std::uint32_t> &sets, long match, long mismatch);

  // Lets a further byte stand for a letter ('U' for 'T', or every invalid byte for the wildcard).
  void synonym(char byte, char letter);
  // Throws std::invalid_argument for a byte without a code. Upper and lower case are the same.
  std::size_t code(char byte) const;
  long score(std::size_t query_code, std::size_t target_code) const {
    if (sets_) return scores_[(query_code & target_code) != 0 ? 1 : 0];
    return scores_[query_code * letters_ + target_code];
  }

 private:
  Substitution(std::string_view letters, std::vector<long> scores);
  std::size_t letters_ = 0;
  bool sets_ = false;  // scores_ are mismatch and match
  std::vector<long> scores_;
  std::vector<std::int64_t> codes_;  // by byte; -1: none
};

// A target by its codes, of state sets the sets; `flags`: as many, or none where no column is flagged.
struct Target {
  std::vector<std::size_t> codes;
  std::vector<char> flags = {};
  bool flagged(std::size_t column) const { return !flags.empty() && flags[column] != 0; }
};

struct Problem {
  Mode mode = Mode::global;
  FreeEnds free;  // read under Mode::semiglobal only
  Gap insertion;  // query letters against nothing
  Gap deletion;   // target letters against nothing
  Substitution substitution;
  bool minimize = false;  // scores and costs are distances to be minimised; not with Mode::local
  // Cells whose target letters are ahead of the query's by less than min(0, target - query) - band, or by more than
  // max(0, target - query) + band, do not exist.
  std::optional<long> band = std::nullopt;

  // Nor do those whose target letters are ahead by less or by more than these say of the lengths.
  using Bound = std::function<long(long query, long target)>;
  Bound band_from = {}, band_to = {};
  // At flagged columns: added on the diagonal; what each letter of a deletion costs, opening it or extending it.
  long flag_score = 0;
  std::optional<long> flag_cost = std::nullopt;
  // No alignment begins with an insertion, or with a deletion: beyond the corner those borders do not exist.
  bool query_begin_forbidden = false, target_begin_forbidden = false;

  // Whether all cells exist but those of borders.
  bool everywhere() const { return !band && !band_from && !band_to; }
  bool exists(std::size_t i, std::size_t j, std::size_t query, std::size_t target) const {
    const long ahead = static_cast<long>(j) - static_cast<long>(i);
    const auto m = static_cast<long>(query), n = static_cast<long>(target);
    if ((band_from && ahead < band_from(m, n)) || (band_to && ahead > band_to(m, n))) return false;
    if ((query_begin_forbidden && j == 0 && i > 0) || (target_begin_forbidden && i == 0 && j > 0)) return false;
    if (!band) return true;
    const long longer = static_cast<long>(target) - static_cast<long>(query);
    return ahead >= std::min(0L, longer) - *band && ahead <= std::max(0L, longer) + *band;
  }
};

// Letters of an alignment in a row, as in a CIGAR: 'M' pairs, 'I' query letters, 'D' target letters against nothing.
struct Run {
  char op = 'M';
  long length = 0;
  bool operator==(const Run &) const = default;
};
// "3M1D".
inline std::string text(const std::vector<Run> &cigar) {
  std::string text;
  for (const Run &run : cigar) (text += std::to_string(run.length)) += run.op;
  return text;
}

// A best alignment. Positions are 0-based and inclusive; -1 and no runs where nothing is aligned (an empty sequence,
// local score 0).
//
// Of several ends the one with the smallest target end, of these the one with the smallest query end. The path is
// walked back from there:
//   * In H: a local path stops at 0; else the diagonal if H comes from it, else the deletion, else the insertion. Of a
//     gap's lines that reach H the one with the largest extension.
//   * In a gap's state, E[i][j] = max(H[i][j-1] - open, E[i][j-1]) - extend: back to H[i][j-1] if the state comes from
//     it, else on to E[i][j-1]; for F[i][j] the same with H[i-1][j] and F[i-1][j].
//   * On row 0 the path stops if the target's begin is free, on column 0 if the query's is; else the rest is one gap.
// Neighbouring runs of one op are one run. So a gap that is left and entered again is one gap, and costs what its parts
// do: less would be a better score, more is not possible. An open of 0 is left at every letter, since H is at least E:
// linear gaps have one path, with gap states or without. Lines of equal extension tie only if they are the same line,
// so the order in which lines are given changes no path.
struct Answer {
  long score = 0;
  long query_end = -1, target_end = -1;
  long ends = 0;  // number of cells that reach the score
  // The alignment's letters are begin to end; if all of it is one gap, the other sequence's begin is its end + 1.
  long query_begin = -1, target_begin = -1;
  std::vector<Run> cigar = {};  // from the begin to the end
};

// The score where there is no alignment, before a minimised one changes its sign.
constexpr long no_alignment = -(1L << 60);

Answer align(const Problem &problem, std::string_view query, std::string_view target);
Answer align(const Problem &problem, std::string_view query, const Target &target);
inline long score(const Problem &problem, std::string_view query, std::string_view target) {
  return align(problem, query, target).score;
}

// The same score by another road: one matrix, and for each cell the best over every length of a last gap
// (Needleman and Wunsch's general gap cost, O(n^3)).  Checks `align` on small inputs.
long score_by_all_gap_lengths(const Problem &problem, std::string_view query, std::string_view target);

// And by a third: every alignment written out, column by column, and its gaps priced afterwards.
// Exponential; for sequences of up to about five letters.
long score_by_enumeration(const Problem &problem, std::string_view query, std::string_view target);
long score_by_enumeration(const Problem &problem, std::string_view query, const Target &target);

// The whole answer without a matrix: every path back from every cell that may end it, written out in the order of the
// rule, so that the first best one is the answer's.  Exponential; for sequences of one to about four letters.
Answer align_by_enumeration(const Problem &problem, std::string_view query, std::string_view target);

}  // namespace oracle
