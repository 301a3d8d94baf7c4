// A textbook DP and seeded random sequences, sharing nothing with the runtime or the fake kernels.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../mutated.h"

namespace tiny {

struct Scheme {
  int match = 2, mismatch = -1, insertion_open = 2, insertion_extend = 1, deletion_open = 2, deletion_extend = 1;
};

// `query_end` and `target_end`: the last aligned letters, -1 where there is none; of several the smallest target end,
// then the smallest query end.
struct Answer {
  int score = 0, query_end = -1, target_end = -1;
  bool operator==(const Answer &) const = default;
};

// Gotoh over full matrices: H best, I ends with a query letter against nothing, D with a target letter.
inline Answer align(std::string_view q, std::string_view t, bool local, const Scheme &s = {}) {
  const int n = static_cast<int>(q.size()), m = static_cast<int>(t.size()), low = -100000000;
  std::vector<std::vector<int>> H(n + 1, std::vector<int>(m + 1, low)), I = H, D = H;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= m; ++j) {
      if (i > 0) I[i][j] = std::max(I[i - 1][j], H[i - 1][j] - s.insertion_open) - s.insertion_extend;
      if (j > 0) D[i][j] = std::max(D[i][j - 1], H[i][j - 1] - s.deletion_open) - s.deletion_extend;
      int h = i == 0 && j == 0 ? 0 : std::max(I[i][j], D[i][j]);
      if (i > 0 && j > 0) h = std::max(h, H[i - 1][j - 1] + (q[i - 1] == t[j - 1] ? s.match : s.mismatch));
      H[i][j] = local ? std::max(h, 0) : h;
    }
  if (!local) return n == 0 || m == 0 ? Answer{H[n][m], -1, -1} : Answer{H[n][m], n - 1, m - 1};
  Answer best;
  for (int j = 1; j <= m; ++j)
    for (int i = 1; i <= n; ++i)
      if (H[i][j] > best.score) best = {H[i][j], i - 1, j - 1};
  return best;
}
inline int score(std::string_view q, std::string_view t, bool local, const Scheme &s = {}) {
  return align(q, t, local, s).score;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  std::string letters(int n, std::string_view alphabet = "ACGT") {
    std::string s;
    for (int i = 0; i < n; ++i) s += alphabet[static_cast<std::size_t>(below(static_cast<int>(alphabet.size())))];
    return s;
  }
  std::mt19937 &engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

struct Pairs {
  std::vector<std::string> queries, targets;
  std::vector<std::string_view> query_views() const { return {queries.begin(), queries.end()}; }
  std::vector<std::string_view> target_views() const { return {targets.begin(), targets.end()}; }
};

// Related and unrelated, of 1 to `longest` letters.
inline Pairs random_pairs(unsigned seed, int n, int longest) {
  Random random(seed);
  Pairs p;
  for (int i = 0; i < n; ++i) {
    p.queries.push_back(random.letters(1 + random.below(longest)));
    p.targets.push_back(random.below(2) ? mutated(random.engine(), "ACGT", p.queries.back(), 20)
                                        : random.letters(1 + random.below(longest)));
  }
  return p;
}

}  // namespace tiny
