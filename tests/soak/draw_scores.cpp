// Alphabets, gap costs and scores, with the corners that random numbers seldom meet: see draw.h.
#include <algorithm>

#include "draw.h"

namespace soak {
namespace {

// How a spec's numbers are drawn.
struct Habit {
  int runtime = 0;         // percent of values that come with the call
  bool free_gaps = false;  // costs 0
  int size = 0;            // 0: as users write, 1: hundreds, 2: up to the schema's limit
};

Habit draw_habit(Random &random) {
  Habit habit;
  habit.runtime = random.pick(std::vector<int>{0, 0, 0, 30, 100});
  habit.free_gaps = random.chance(12);
  habit.size = random.weighted({80, 15, 5});
  return habit;
}

int cost(const Habit &habit, Random &random) {
  if (habit.free_gaps || random.chance(12)) return 0;
  if (habit.size == 2) return random.between(0, 10000);
  if (habit.size == 1) return random.between(0, 200);
  return random.weighted({70, 30}) == 0 ? random.between(1, 4) : random.between(5, 20);
}

Number number(int value, const Habit &habit, Random &random) { return {random.chance(habit.runtime), value}; }

Gap gap(const Habit &habit, Random &random) {
  Gap g;
  g.affine = random.chance(60);
  if (g.affine) g.open = number(cost(habit, random), habit, random);
  g.extend = number(cost(habit, random), habit, random);
  return g;
}

void draw_alphabet(SpecValues &s, Random &random) {
  static const std::vector<std::string> named = {"dna", "dna5", "rna", "iupac", "protein"};
  if (random.chance(65)) {
    s.alphabet = named[static_cast<std::size_t>(random.weighted({35, 25, 5, 5, 30}))];
    return;
  }
  std::string pool = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*.=_-";
  const int letters = random.chance(20) ? 1 + 31 * random.below(2) : random.between(1, 32);
  for (int i = 0; i < letters; ++i) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(pool.size())));
    s.letters += pool[at];
    pool.erase(at, 1);
  }
  if (letters < 32 && random.chance(30)) s.wildcard = pool[static_cast<std::size_t>(random.below(9))];
}

int largest(const Habit &habit) { return habit.size == 2 ? 10000 : habit.size == 1 ? 300 : 12; }

void draw_match(SpecValues &s, const Habit &habit, Random &random) {
  const int most = largest(habit);
  int match = random.between(1, most), mismatch = -random.between(0, most);
  switch (random.weighted({70, 10, 10, 5, 5})) {
    case 1:
      mismatch = random.between(0, match);  // gains too
      break;
    case 2:
      match = 0;
      break;
    case 3:
      match = mismatch = 0;
      break;
    case 4:
      match = mismatch;  // nothing to choose
      break;
    default:
      break;
  }
  if (s.minimize) match = -match, mismatch = -mismatch;
  if (s.minimize && random.chance(70)) mismatch -= match, match = 0;  // a distance
  s.match.value = match;
  s.mismatch.value = std::clamp(mismatch, -10000, 10000);
}

void draw_matrix(SpecValues &s, const Habit &habit, Random &random) {
  const std::size_t n = all_letters(s).size();
  const int most = largest(habit), kind = random.weighted({50, 15, 15, 5, 15});
  const int same = random.between(-most, most);
  s.scores.assign(n * n, 0);
  for (std::size_t i = 0; i < s.scores.size(); ++i) {
    const bool diagonal = i / n == i % n;
    int &score = s.scores[i];
    switch (kind) {
      case 0:  // like a substitution matrix, without symmetry
        score = diagonal ? random.between(1, most) : random.between(-most, most / 3);
        break;
      case 1:  // never positive
        score = -random.between(0, most);
        break;
      case 2:
        score = random.between(-most, most);
        break;
      case 3:
        score = same;
        break;
      default:  // few values, many ties
        score = diagonal ? 1 : -random.below(2);
    }
    if (s.minimize) score = -score;
  }
}

// The spec's rules for local alignments; a few are left to be refused.
void mend_local(SpecValues &s, Random &random) {
  if (!s.local || random.chance(2)) return;
  s.match.value = std::max(s.match.value, 1);
  s.mismatch.value = std::min(s.mismatch.value, 0);
  if (!s.matrix) return;
  if (*std::ranges::max_element(s.scores) <= 0) s.scores[0] = 1;
  if (*std::ranges::min_element(s.scores) > 0) s.scores.back() = s.scores.size() > 1 ? -1 : 0;
}

void draw_values(SpecValues &s, const Habit &habit, Random &random) {
  if (s.matrix)
    draw_matrix(s, habit, random);
  else
    draw_match(s, habit, random);
  mend_local(s, random);
}

}  // namespace

void draw_scoring(SpecValues &s, Random &random) {
  const Habit habit = draw_habit(random);
  draw_alphabet(s, random);
  s.minimize = !s.local && random.chance(15);
  s.insertion = s.deletion = gap(habit, random);
  if (random.chance(45)) s.deletion = gap(habit, random);
  s.matrix = random.chance(45);
  s.matrix_runtime = s.matrix && random.chance(habit.runtime);
  s.match.runtime = !s.matrix && random.chance(habit.runtime);
  s.mismatch.runtime = !s.matrix && random.chance(habit.runtime);
  draw_values(s, habit, random);
}

void draw_runtime_values(SpecValues &s, Random &random) {
  const Habit habit = draw_habit(random);
  const bool same = s.insertion == s.deletion;
  for (Number *n : {&s.insertion.open, &s.insertion.extend, &s.deletion.open, &s.deletion.extend})
    if (n->runtime) n->value = cost(habit, random);
  // A cost that the spec writes once is still given side by side.
  if (same && random.chance(70)) s.deletion = s.insertion;
  SpecValues other = s;
  draw_values(other, habit, random);
  if (s.match.runtime) s.match.value = other.match.value;
  if (s.mismatch.runtime) s.mismatch.value = other.mismatch.value;
  if (s.matrix_runtime) s.scores = other.scores;
}

}  // namespace soak
