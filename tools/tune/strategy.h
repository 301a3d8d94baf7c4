// How a search space is walked: exhaustive, seeded random, seeded local search.
//
// Pure: configurations are numbers, and what they are worth is told from outside, by measurement or from a recording.
// A strategy proposes batches; every proposal is answered by `tell` before the next. No number is proposed twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::tool::tune {

// The parameters behind the numbers; the last one counts fastest.
struct Axis {
  std::size_t size = 1;
  bool ordered = false;  // neighbours are one step apart; else any other value is one
};
using Shape = std::vector<Axis>;
std::size_t size_of(const Shape &shape);

class Strategy {
 public:
  virtual ~Strategy() = default;
  // At most `most` numbers; empty: nothing is left.
  virtual std::vector<std::size_t> propose(std::size_t most) = 0;
  // `score`: the larger the better; nothing for a configuration that fails. Also for numbers that were not proposed.
  virtual void tell(std::size_t index, std::optional<double> score) = 0;
};

// `name`: exhaustive, random or local. `local` begins at `start` where one is given, else at the best of a few random
// places, and climbs to the best neighbour until there is no better one; then it begins again at random places.
Result<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const Shape &shape, std::uint64_t seed,
                                                std::optional<std::size_t> start);

// What became of one proposal. Those that no constraint ruled out count against the budget.
struct Outcome {
  std::optional<double> score;
  bool counted = true;
};
// Answers a batch, in its order; an error ends the search.
using Evaluate = std::function<Result<std::vector<Outcome>>(std::span<const std::size_t>)>;

// Proposals of at most `group`, until the strategy has none, `budget` evaluations are counted or `stop` says so.
Status search(Strategy &strategy, std::size_t group, std::size_t budget, const std::function<bool()> &stop,
              const Evaluate &evaluate);

// Random numbers that are the same on every machine (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(next() % limit); }

 private:
  std::uint64_t state_;
};

}  // namespace alnsmith::tool::tune
