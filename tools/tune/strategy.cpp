// See strategy.h.
#include "tune/strategy.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

namespace alnsmith::tool::tune {
namespace {

// A fixed order; what is known already is skipped.
class Listed : public Strategy {
 public:
  explicit Listed(std::vector<std::size_t> order) : order_(std::move(order)) {}

  std::vector<std::size_t> propose(std::size_t most) override {
    std::vector<std::size_t> batch;
    for (; at_ < order_.size() && batch.size() < most; ++at_)
      if (!known_.contains(order_[at_])) batch.push_back(order_[at_]);
    return batch;
  }
  void tell(std::size_t index, std::optional<double>) override { known_.insert(index); }

 private:
  std::vector<std::size_t> order_;
  std::set<std::size_t> known_;
  std::size_t at_ = 0;
};

std::vector<std::size_t> counted(std::size_t size) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<std::size_t> shuffled(std::size_t size, Random &random) {
  auto order = counted(size);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

class Local : public Strategy {
 public:
  Local(Shape shape, std::uint64_t seed, std::optional<std::size_t> start) : shape_(std::move(shape)), here_(start) {
    Random random(seed);
    starts_ = shuffled(size_of(shape_), random);
  }

  std::vector<std::size_t> propose(std::size_t most) override {
    for (;;) {
      if (!here_) here_ = best_of(scattered_);
      scattered_.clear();
      if (!here_) return scattered_ = scatter(most);
      if (!known_.contains(*here_)) return {*here_};
      // Neighbours that are not known yet, as long as there are any; then a step, or a new beginning.
      const std::vector<std::size_t> around = neighbours(*here_);
      std::vector<std::size_t> batch;
      for (const std::size_t neighbour : around)
        if (!known_.contains(neighbour) && batch.size() < most) batch.push_back(neighbour);
      if (!batch.empty()) return batch;
      const auto best = best_of(around);
      const std::optional<double> own = known_[*here_];
      here_ = best && (!own || *known_[*best] > *own) ? best : std::nullopt;
    }
  }

  void tell(std::size_t index, std::optional<double> score) override { known_[index] = score; }

 private:
  // A group's worth of random places: the climb begins at the best of them.
  std::vector<std::size_t> scatter(std::size_t most) {
    std::vector<std::size_t> batch;
    for (; start_ < starts_.size() && batch.size() < std::min(most, kScatter); ++start_)
      if (!known_.contains(starts_[start_])) batch.push_back(starts_[start_]);
    return batch;
  }

  std::optional<std::size_t> best_of(const std::vector<std::size_t> &list) {
    std::optional<std::size_t> best;
    for (const std::size_t index : list)
      if (const auto known = known_.find(index); known != known_.end() && known->second)
        if (!best || *known->second > *known_[*best]) best = index;
    return best;
  }

  std::vector<std::size_t> neighbours(std::size_t index) const {
    std::vector<std::size_t> list;
    std::size_t stride = 1;
    for (const Axis &axis : std::views::reverse(shape_)) {
      const std::size_t at = index / stride % axis.size;
      for (std::size_t other = 0; other < axis.size; ++other) {
        const std::size_t distance = other > at ? other - at : at - other;
        if (distance == 1 || (distance > 1 && !axis.ordered)) list.push_back(index - at * stride + other * stride);
      }
      stride *= axis.size;
    }
    return list;
  }

  static constexpr std::size_t kScatter = 7;
  Shape shape_;
  std::vector<std::size_t> starts_, scattered_;
  std::size_t start_ = 0;
  std::optional<std::size_t> here_;
  std::map<std::size_t, std::optional<double>> known_;
};

}  // namespace

std::size_t size_of(const Shape &shape) {
  std::size_t all = 1;
  for (const Axis &axis : shape) all *= axis.size;
  return all;
}

std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

Result<std::unique_ptr<Strategy>> make_strategy(std::string_view name, const Shape &shape, std::uint64_t seed,
                                                std::optional<std::size_t> start) {
  Random random(seed);
  if (name == "exhaustive") return std::unique_ptr<Strategy>(new Listed(counted(size_of(shape))));
  if (name == "random") return std::unique_ptr<Strategy>(new Listed(shuffled(size_of(shape), random)));
  if (name == "local") return std::unique_ptr<Strategy>(new Local(shape, seed, start));
  return Error{"--strategy: exhaustive, random or local", 2};
}

Status search(Strategy &strategy, std::size_t group, std::size_t budget, const std::function<bool()> &stop,
              const Evaluate &evaluate) {
  std::size_t spent = 0;
  while (spent < budget && !(stop && stop())) {
    const std::vector<std::size_t> batch = strategy.propose(std::min(group, budget - spent));
    if (batch.empty()) break;
    const auto outcomes = evaluate(batch);
    if (!outcomes) return outcomes.error();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      strategy.tell(batch[i], (*outcomes)[i].score);
      spent += (*outcomes)[i].counted;
    }
  }
  return Ok{};
}

}  // namespace alnsmith::tool::tune
