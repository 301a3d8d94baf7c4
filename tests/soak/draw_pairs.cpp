// The pairs of a call: lengths at the edges of tiles, letters related and not: see draw.h.
#include <algorithm>
#include <cctype>

#include "draw.h"

namespace soak {
namespace {

// How many pairs a call aligns, and how many cells at most: a device's emulation is slow.
struct Budget {
  int pairs;
  long cells;
};
constexpr Budget budgets[] = {{9000, 4000000}, {1500, 400000}, {60, 12000}, {60, 20000}};

class Lengths {
 public:
  Lengths(const Case &c, Random &random) : random_(random) {
    const int k = c.spec.k ? c.spec.k : 8, p = std::max(1, c.spec.p);
    for (const int width : {k, 2 * k, p * k, 2 * p * k})
      for (const int edge : {width - 1, width, width + 1})
        if (edge >= 1 && edge <= 300) edges_.push_back(edge);
    kind_ = random.weighted({20, 35, 20, 10, 10, c.route == Route::direct ? 1 : 5});
    equal_ = random.between(1, 32);
    empty_ = (c.route == Route::cpu || c.route == Route::opencl) && random.chance(30);
  }
  int query() { return draw(0); }
  int target() { return draw(1); }

 private:
  int draw(int side) {
    if (empty_ && random_.chance(2)) return 0;
    switch (kind_) {
      case 0:
        return random_.between(1, 8);
      case 1:
        return random_.between(1, 28);
      case 2:
        return random_.chance(60) ? random_.pick(edges_) : random_.between(1, 20);
      case 3:
        return equal_;
      case 4:  // one letter against many
        return random_.chance(50) == (side == 0) ? 1 : random_.between(1, 40);
      default:
        return random_.between(1, 300);
    }
  }
  Random &random_;
  std::vector<int> edges_;
  int kind_, equal_;
  bool empty_;
};

class Letters {
 public:
  Letters(const Case &c, Random &random) : random_(random), letters_(all_letters(c.spec)), wild_(wildcard(c.spec)) {
    kind_ = random.weighted({40, 15, 10, 25, 10});
    if (kind_ == 1) {  // many ties
      std::string few;
      for (int i = 0; i < 2; ++i) few += one(letters_);
      letters_ = few;
    }
    // The sides share no letter: no match can occur.
    const std::size_t half = letters_.size() / 2;
    query_ = kind_ == 4 && half > 0 ? letters_.substr(0, half) : letters_;
    target_ = kind_ == 4 && half > 0 ? letters_.substr(half) : letters_;
    lower_ = random.chance(15);
    invalid_ = wild_ != 0 && random.chance(30);
  }
  std::string query(int length) { return spelled(text(query_, length)); }
  // `query`: what a related target is made of.
  std::string target(const std::string &query, int length) {
    if (kind_ != 3 || query.empty() || random_.chance(10)) return spelled(text(target_, length));
    std::string out;
    while (static_cast<int>(out.size()) < length)
      for (const char c : query) {
        const int dice = random_.below(16);
        if (dice == 0) continue;
        if (dice == 1) out += one(letters_);
        out += dice == 2 ? one(letters_) : c;
      }
    out.resize(static_cast<std::size_t>(length));
    return out;
  }

 private:
  char one(const std::string &of) { return of[static_cast<std::size_t>(random_.below(static_cast<int>(of.size())))]; }
  std::string text(const std::string &of, int length) {
    const char same = kind_ == 2 || random_.chance(3) ? one(of) : char{0};
    std::string out;
    for (int i = 0; i < length; ++i) out += same ? same : one(of);
    return out;
  }
  std::string spelled(std::string text) {
    if (!lower_ && !invalid_) return text;
    for (char &c : text) {
      if (invalid_ && random_.chance(5)) c = random_.chance(50) ? wild_ : invalid_letter;
      if (lower_ && random_.chance(30)) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
  }
  Random &random_;
  std::string letters_, query_, target_;
  char wild_;
  int kind_;
  bool lower_, invalid_;
};

int capped(int length, int most) { return most ? std::min(length, most) : length; }

// Queries and targets of a call of each with each: from one of the one side to one of the other.
std::pair<int, int> shape(int pairs, Random &random) {
  const int few = random.pick(std::vector<int>{1, 1, 2, 3, 7, 20, 60});
  const int many = std::max(1, random.between(1, std::max(1, pairs / few)));
  return random.chance(60) ? std::pair{few, many} : std::pair{many, few};
}

}  // namespace

void draw_pairs(Case &c, Random &random) {
  const Budget budget = budgets[static_cast<int>(c.route)];
  Lengths lengths(c, random);
  Letters letters(c, random);
  c.queries.clear();
  c.targets.clear();
  // Within a band all lengths are alike, so that each pair has an alignment.
  const int middle = std::max(lengths.query(), 1), half = c.spec.band / 2;
  const auto like_others = [&] { return std::max(middle + random.between(-half, half), 1); };
  const bool alike = c.spec.band >= 0;
  const auto query = [&] { return letters.query(alike ? like_others() : capped(lengths.query(), c.spec.max_query)); };
  const auto target = [&](const std::string &q) {
    return letters.target(q, alike ? like_others() : capped(lengths.target(), c.spec.max_target));
  };
  const int pairs = random.between(budget.pairs / 3, budget.pairs);
  long cells = 0;
  if (!c.all) {
    for (int i = 0; i < pairs && cells < budget.cells; ++i) {
      c.queries.push_back(query());
      c.targets.push_back(target(c.queries.back()));
      cells += static_cast<long>(c.queries.back().size() * c.targets.back().size());
    }
    return;
  }
  const auto [q, t] = shape(pairs, random);
  long rows = 0;
  for (int i = 0; i < q && rows * rows < budget.cells; ++i) {
    c.queries.push_back(query());
    rows += static_cast<long>(c.queries.back().size());
  }
  for (int i = 0; i < t && cells < budget.cells; ++i) {
    c.targets.push_back(target(random.pick(c.queries)));
    cells += rows * static_cast<long>(c.targets.back().size());
  }
}

}  // namespace soak
