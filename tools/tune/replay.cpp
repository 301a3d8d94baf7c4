// See replay.h.
#include "tune/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "tune/ranking.h"
#include "tune/session.h"

namespace alnsmith::tool::tune {

RecordedSpace::RecordedSpace(const std::vector<Record> &records) {
  const Ranking ranking(records);
  std::map<std::string, std::vector<Value>> values;
  const auto taken = [](const Record &record) { return !is_final(record); };
  for (const Record &record : records)
    for (const auto &[name, value] : taken(record) ? record.configuration : Configuration{})
      if (std::ranges::count(values[name], value) == 0) values[name].push_back(value);
  for (auto &[name, list] : values) {
    const bool ordered =
        std::ranges::all_of(list, [](const Value &v) { return std::holds_alternative<std::int64_t>(v); });
    if (ordered) std::ranges::sort(list);
    shape_.push_back({list.size(), ordered});
  }
  for (const Record &record : records) {
    // A model's choice with fewer parameters has no place among the others.
    if (!taken(record) || record.configuration.size() != values.size()) continue;
    std::size_t index = 0;
    for (const auto &[name, list] : values)
      index = index * list.size() +
              static_cast<std::size_t>(std::ranges::find(list, record.configuration.at(name)) - list.begin());
    const bool counted = record.invalidity != Invalidity::constraints;
    measured_ += counted && !outcomes_.contains(index);
    outcomes_[index] = {ranking.score(record), counted};
    if (record.search.model) model_ = index;
  }
  for (const auto &[index, outcome] : outcomes_) optimum_ = std::max(optimum_, outcome.score.value_or(0));
}

Outcome RecordedSpace::at(std::size_t index) const {
  const auto found = outcomes_.find(index);
  return found == outcomes_.end() ? Outcome{std::nullopt, false} : found->second;
}

Result<std::vector<double>> replayed(const RecordedSpace &space, std::string_view strategy, std::uint64_t seed,
                                     bool from_model) {
  constexpr std::size_t kMost = 10'000'000;
  std::size_t size = 1;
  for (const Axis &axis : space.shape())
    if (axis.size > kMost / size)
      return Error{fmt::format("its parameters make more than {} configurations: no recording of one search", kMost)};
    else
      size *= axis.size;
  const auto start = from_model ? space.model() : std::nullopt;
  auto made = make_strategy(strategy, space.shape(), seed, start);
  if (!made) return made.error();
  std::vector<double> best;
  const auto see = [&](const Outcome &outcome) {
    if (outcome.counted) best.push_back(std::max(best.empty() ? 0.0 : best.back(), outcome.score.value_or(0)));
  };
  if (start) {
    const Outcome outcome = space.at(*start);
    (*made)->tell(*start, outcome.score);
    see(outcome);
  }
  const auto evaluate = [&](std::span<const std::size_t> batch) -> Result<std::vector<Outcome>> {
    std::vector<Outcome> outcomes;
    for (const std::size_t index : batch) {
      outcomes.push_back(space.at(index));
      see(outcomes.back());
    }
    return outcomes;
  };
  if (auto ok = search(**made, kGroup - 1, SIZE_MAX, {}, evaluate); !ok) return ok.error();
  return best;
}

}  // namespace alnsmith::tool::tune
