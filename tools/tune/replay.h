// Strategies on recorded results: what a search would have found, without a device.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "tune/record.h"
#include "tune/strategy.h"

namespace alnsmith::tool::tune {

// A recording as a space: a parameter's values are those that occur, integers ascending.
class RecordedSpace {
 public:
  explicit RecordedSpace(const std::vector<Record> &records);

  const Shape &shape() const { return shape_; }
  std::size_t measured() const { return measured_; }  // configurations that count as evaluations
  double optimum() const { return optimum_; }         // 0 if nothing was correct
  std::optional<std::size_t> model() const { return model_; }
  Outcome at(std::size_t index) const;  // not counted where nothing was recorded

 private:
  Shape shape_;
  std::map<std::size_t, Outcome> outcomes_;
  std::optional<std::size_t> model_;
  std::size_t measured_ = 0;
  double optimum_ = 0;
};

// The best score after each counted evaluation, one value per evaluation. `from_model`: the model's choice is known
// from the beginning, as in a real run (it counts), and a local search begins there.
Result<std::vector<double>> replayed(const RecordedSpace &space, std::string_view strategy, std::uint64_t seed,
                                     bool from_model);

}  // namespace alnsmith::tool::tune
