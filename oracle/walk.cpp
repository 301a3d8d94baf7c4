// The oracle's path, from the end back to the begin over the full matrices: the rule of oracle.h, step by step.
#include <optional>

#include "matrices.h"

namespace oracle {
namespace {

// Runs from the end to the begin.
class Runs {
 public:
  void add(char op, std::size_t length = 1) {
    if (runs_.empty() || runs_.back().op != op) runs_.push_back({op, 0});
    runs_.back().length += static_cast<long>(length);
  }
  std::vector<Run> from_begin() const { return {runs_.rbegin(), runs_.rend()}; }

 private:
  std::vector<Run> runs_;
};

// One side's gaps: their lines, and the state of each line.
struct Side {
  std::vector<Line> lines;
  const std::vector<Matrix> &states;

  // The line with the largest extension of those whose state reaches h; none if no gap ends here.
  std::optional<std::size_t> line_at(std::size_t i, std::size_t j, long h) const {
    std::optional<std::size_t> found;
    for (std::size_t n = 0; n < lines.size(); ++n)
      if (states[n][i][j] == h && (!found || lines[n].extend > lines[*found].extend)) found = n;
    return found;
  }
};

// Whether a gap's state opens it, behind a cell of score h.
bool opens(const Line &line, long state, long h) { return state == h - line.open - line.extend; }

}  // namespace

void walk_back(const Problem &problem, const std::vector<std::size_t> &query, const Target &target,
               const Matrices &matrices, Answer &answer) {
  const Matrix &H = matrices.H;
  const bool local = problem.mode == Mode::local;
  const Side deletion{problem.deletion.lines(), matrices.E}, insertion{problem.insertion.lines(), matrices.F};
  Runs runs;
  std::size_t i = static_cast<std::size_t>(answer.query_end + 1), j = static_cast<std::size_t>(answer.target_end + 1);

  while (i > 0 && j > 0 && !(local && H[i][j] == 0)) {
    if (H[i][j] == H[i - 1][j - 1] + substitution_gain(problem, query[i - 1], target, j - 1)) {
      runs.add('M');
      --i;
      --j;
    } else if (const auto n = deletion.line_at(i, j, H[i][j])) {
      for (bool opened = false; !opened; --j) {
        opened = opens(deletion_lines(problem, target, j - 1)[*n], deletion.states[*n][i][j], H[i][j - 1]);
        runs.add('D');
      }
    } else {
      const std::size_t line = insertion.line_at(i, j, H[i][j]).value();
      for (bool opened = false; !opened; --i) {
        opened = opens(insertion.lines[line], insertion.states[line][i][j], H[i - 1][j]);
        runs.add('I');
      }
    }
  }

  // On a border that is not free the rest is one gap; local paths have stopped at its 0.
  const FreeEnds free = ends_of(problem);
  if (!local && i > 0 && j == 0 && !free.query_begin) {
    runs.add('I', i);
    i = 0;
  }
  if (!local && j > 0 && i == 0 && !free.target_begin) {
    runs.add('D', j);
    j = 0;
  }
  answer.query_begin = static_cast<long>(i);
  answer.target_begin = static_cast<long>(j);
  answer.cigar = runs.from_begin();
}

}  // namespace oracle
