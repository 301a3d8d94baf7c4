// See ranking.h.
#include "tune/ranking.h"

#include "tune/statistics.h"

namespace alnsmith::tool::tune {

bool is_final(const Record &record) { return record.search.strategy == final_strategy; }

Ranking::Ranking(const std::vector<Record> &records) {
  std::vector<double> speeds;
  for (const Record &record : records) {
    const auto relative = record.measurement("relative"), gcups = record.measurement("gcups");
    if (!is_final(record) && record.invalidity == Invalidity::correct && relative && *relative > 0 && gcups)
      speeds.push_back(*gcups / *relative);
  }
  model_ = statistics(std::move(speeds)).median;
}

std::optional<double> Ranking::score(const Record &record) const {
  if (record.invalidity != Invalidity::correct) return std::nullopt;
  if (const auto relative = record.measurement("relative")) return relative;
  const auto gcups = record.measurement("gcups");
  return gcups && model_ > 0 ? *gcups / model_ : gcups;
}

const Record *best_of(const std::vector<Record> &records) {
  const Ranking ranking(records);
  const Record *best = nullptr;
  for (const Record &record : records)
    if (const auto score = ranking.score(record); score && !is_final(record))
      if (best == nullptr || *score > *ranking.score(*best)) best = &record;
  return best;
}

const Record *model_of(const std::vector<Record> &records) {
  for (const Record &record : records)
    if (record.search.model && !is_final(record)) return &record;
  return nullptr;
}

const Record *final_of(const std::vector<Record> &records) {
  const Record *last = nullptr;
  for (const Record &record : records)
    if (is_final(record)) last = &record;
  return last;
}

bool beats_model(const Record &final_line) {
  const auto gain = final_line.measurement("gain"), spread = final_line.measurement("gain_spread");
  return final_line.invalidity == Invalidity::correct && gain && spread && *gain - 1 > *spread;
}

}  // namespace alnsmith::tool::tune
