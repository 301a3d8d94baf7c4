// See shrink.h.
#include "shrink.h"

#include <algorithm>
#include <functional>

namespace soak {
namespace {

using Clock = std::chrono::steady_clock;

class Shrinker {
 public:
  Shrinker(Checker &checker, const Case &failing, const Failure &failure, std::chrono::seconds limit)
      : checker_(checker), best_{failing, failure}, end_(Clock::now() + limit) {}

  Shrunk run() {
    pairs();
    letters();
    while (spec() && Clock::now() < end_) letters();
    return best_;
  }

 private:
  // A case that fails in the same way takes the best one's place.
  bool take(const Case &candidate) {
    if (Clock::now() >= end_) return false;
    const auto failure = checker_.check(candidate);
    if (!failure || failure->what != best_.failure.what) return false;
    best_ = {candidate, *failure};
    return true;
  }

  // The failing pair alone, or as few of the others as it needs beside it.
  void pairs() {
    Case alone = best_.smallest;
    if (alone.pairs() == 0) return;
    alone.queries = {best_.smallest.query(best_.failure.pair)};
    alone.targets = {best_.smallest.target_of(best_.failure.pair)};
    if (take(alone)) return;
    for (std::size_t part = 2; part <= 64; part *= 2)
      for (const bool of_targets : {false, true}) remove_parts(part, of_targets);
  }

  // Tries to do without each of `parts` parts of the call.
  void remove_parts(std::size_t parts, bool of_targets) {
    const bool all = best_.smallest.all;
    if (of_targets && !all) return;
    const auto side = [&](Case &c) -> std::vector<std::string> & { return of_targets ? c.targets : c.queries; };
    const std::size_t step = std::max<std::size_t>(1, side(best_.smallest).size() / parts);
    for (std::size_t at = 0; at < side(best_.smallest).size() && side(best_.smallest).size() > 1;) {
      Case fewer = best_.smallest;
      const std::size_t end = std::min(at + step, side(fewer).size());
      const auto cut = [&](std::vector<std::string> &list) {
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(at), list.begin() + static_cast<std::ptrdiff_t>(end));
      };
      cut(side(fewer));
      if (!all) cut(fewer.targets);
      if (side(fewer).empty() || !take(fewer)) at = end;
      if (Clock::now() >= end_) return;
    }
  }

  void letters() {
    for (const bool of_targets : {false, true})
      for (std::size_t i = 0; i < (of_targets ? best_.smallest.targets : best_.smallest.queries).size(); ++i) {
        if (i >= 40) break;  // it would take too long
        const auto text = [of_targets, i](Case &c) -> std::string & { return (of_targets ? c.targets : c.queries)[i]; };
        shorten(text);
        flatten(text);
      }
  }

  using Text = std::function<std::string &(Case &)>;
  void shorten(const Text &text) {
    for (std::size_t part = std::max<std::size_t>(1, text(best_.smallest).size() / 2); part > 0; part /= 2)
      for (std::size_t at = 0; at + part <= text(best_.smallest).size();) {
        Case shorter = best_.smallest;
        text(shorter).erase(at, part);
        if (text(shorter).empty() || !take(shorter)) at += part;
        if (Clock::now() >= end_) return;
      }
  }
  // Letters that need not differ become the alphabet's first.
  void flatten(const Text &text) {
    const char first = all_letters(best_.smallest.spec)[0];
    for (std::size_t at = 0; at < text(best_.smallest).size(); ++at) {
      if (text(best_.smallest)[at] == first) continue;
      Case plainer = best_.smallest;
      text(plainer)[at] = first;
      take(plainer);
    }
  }

  // One round over all simplifications; whether any was taken.
  bool spec() {
    bool any = false;
    const auto attempt = [&](const std::function<void(Case &)> &change) {
      Case simpler = best_.smallest;
      change(simpler);
      if (nlohmann::json(simpler) != nlohmann::json(best_.smallest)) any |= take(simpler);
    };
    attempt([](Case &c) { c.threads = 1; });
    attempt([](Case &c) { c.all = c.all && c.pairs() != 1; });
    attempt([](Case &c) { c.rows = 0; });
    attempt([](Case &c) { c.block = 0; });
    attempt([](Case &c) { c.spec.max_query = 0, c.spec.max_target = 0; });
    attempt([](Case &c) { c.spec.half_precision = false; });
    attempt([](Case &c) { c.spec.band = -1, c.spec.band_form = 0; });
    attempt([](Case &c) { c.spec.band_form = 0; });
    attempt([](Case &c) { c.spec.mapping = "auto"; });
    attempt([](Case &c) { c.spec.arithmetic = "auto"; });
    attempt([](Case &c) { c.spec.cigar = false; });
    attempt([](Case &c) { c.spec.begin = c.spec.cigar = false; });
    attempt([](Case &c) { c.spec.end = c.spec.begin = c.spec.cigar = false; });
    for (int bit = 0; bit < 4; ++bit) attempt([bit](Case &c) { c.spec.free_ends &= ~(1 << bit); });
    attempt([](Case &c) { c.spec.deletion = c.spec.insertion; });
    attempt([](Case &c) { c.spec.insertion = c.spec.deletion; });
    attempt([](Case &c) { c.spec.insertion.affine = false, c.spec.insertion.open = {}; });
    attempt([](Case &c) { c.spec.deletion.affine = false, c.spec.deletion.open = {}; });
    for (int *tile : {&best_.smallest.spec.p, &best_.smallest.spec.k}) {
      const bool is_p = tile == &best_.smallest.spec.p;
      for (const int size : {0, 1, 2, 4})
        attempt([=](Case &c) {
          int &value = is_p ? c.spec.p : c.spec.k;
          if (size == 0 || value > size) value = size;
        });
    }
    attempt(drop_letters);
    for (const auto &number : numbers) {
      attempt([&](Case &c) { number(c.spec).runtime = false; });
      smaller_number(attempt, number);
    }
    attempt([](Case &c) { c.spec.matrix_runtime = false; });
    matrix(attempt);
    return any;
  }

  using Attempt = std::function<void(const std::function<void(Case &)> &)>;
  using Access = Number &(*)(SpecValues &);
  static constexpr Access numbers[] = {
      [](SpecValues &s) -> Number & { return s.insertion.open; },
      [](SpecValues &s) -> Number & { return s.insertion.extend; },
      [](SpecValues &s) -> Number & { return s.deletion.open; },
      [](SpecValues &s) -> Number & { return s.deletion.extend; },
      [](SpecValues &s) -> Number & { return s.match; },
      [](SpecValues &s) -> Number & { return s.mismatch; },
  };
  void smaller_number(const Attempt &attempt, const Access &number) {
    const int now = number(best_.smallest.spec).value;
    for (const int value : {0, now < 0 ? -1 : 1, now / 2, now - (now > 0) + (now < 0)})
      attempt([&](Case &c) {
        if (std::abs(value) < std::abs(number(c.spec).value)) number(c.spec).value = value;
      });
  }

  void matrix(const Attempt &attempt) {
    if (!best_.smallest.spec.matrix) return;
    attempt([](Case &c) {
      for (int &score : c.spec.scores) score = score > 0 ? 1 : score < 0 ? -1 : 0;
    });
    if (best_.smallest.spec.scores.size() > 36) return;
    for (std::size_t i = 0; i < best_.smallest.spec.scores.size(); ++i)
      for (const int part : {0, 4, 2}) attempt([=](Case &c) { c.spec.scores[i] = part ? c.spec.scores[i] / part : 0; });
  }

  // An alphabet of its own with the letters that the pairs have, and one row of the matrix each.
  static void drop_letters(Case &c) {
    const std::string old = all_letters(c.spec);
    if (wildcard(c.spec)) return;
    std::string kept;
    for (const char letter : old)
      for (const auto *side : {&c.queries, &c.targets})
        for (const std::string &text : *side)
          if (kept.find(letter) == std::string::npos && text.find(letter) != std::string::npos) kept += letter;
    if (kept.empty() || (kept.size() == old.size() && c.spec.alphabet.empty())) return;
    std::vector<int> scores;
    if (c.spec.matrix)
      for (const char row : kept)
        for (const char column : kept) scores.push_back(c.spec.scores[old.find(row) * old.size() + old.find(column)]);
    c.spec.alphabet.clear();
    c.spec.letters = kept;
    c.spec.wildcard.clear();
    c.spec.scores = scores;
  }

  Checker &checker_;
  Shrunk best_;
  Clock::time_point end_;
};

}  // namespace

Shrunk shrink(Checker &checker, const Case &failing, const Failure &failure, std::chrono::seconds limit) {
  return Shrinker(checker, failing, failure, limit).run();
}

}  // namespace soak
