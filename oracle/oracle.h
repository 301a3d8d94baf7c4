// The textbook DP that every kernel is held against: three full matrices, 64-bit, cells addressed [i][j].
//
// In: a problem (alignment type, gap costs, substitution scores by letter) and two sequences of letters.
// Out: the score, and where it is reached.  Shares no code with templates/, generator/ or runtime/, and
// makes no attempt to be fast.  Gotoh (1982), and for two lines (1990); conventions as in docs/manifest.md:
// cost(L) = open + extend * L, query = rows i, target = columns j.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
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

  // Lets a further byte stand for a letter ('U' for 'T', or every invalid byte for the wildcard).
  void synonym(char byte, char letter);
  // Throws std::invalid_argument for a byte without a code. Upper and lower case are the same.
  std::size_t code(char byte) const;
  long score(std::size_t query_code, std::size_t target_code) const {
    return scores_[query_code * letters_ + target_code];
  }

 private:
  Substitution(std::string_view letters, std::vector<long> scores);
  std::size_t letters_ = 0;
  std::vector<long> scores_;
  std::vector<int> codes_;  // by byte; -1: none
};

struct Problem {
  Mode mode = Mode::global;
  FreeEnds free;  // read under Mode::semiglobal only
  Gap insertion;  // query letters against nothing
  Gap deletion;   // target letters against nothing
  Substitution substitution;
  bool minimize = false;  // scores and costs are distances to be minimised; not with Mode::local
};

struct Answer {
  long score = 0;
  // The cell that ends the alignment, 0-based inclusive; -1 where there is none (an empty sequence, local
  // score 0). Of several the smallest target end, then the smallest query end.
  long query_end = -1, target_end = -1;
  long ends = 0;  // number of cells that reach the score
};

Answer align(const Problem &problem, std::string_view query, std::string_view target);
inline long score(const Problem &problem, std::string_view query, std::string_view target) {
  return align(problem, query, target).score;
}

// The same score by another road: one matrix, and for each cell the best over every length of a last gap
// (Needleman and Wunsch's general gap cost, O(n^3)).  Checks `align` on small inputs.
long score_by_all_gap_lengths(const Problem &problem, std::string_view query, std::string_view target);

// And by a third: every alignment written out, column by column, and its gaps priced afterwards.
// Exponential; for sequences of up to about five letters.
long score_by_enumeration(const Problem &problem, std::string_view query, std::string_view target);

}  // namespace oracle
