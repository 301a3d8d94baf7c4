// See ranking.h.
#include "ranking.h"

namespace alnsmith::tool::tune {

bool is_final(const Record &record) { return record.search.strategy == final_strategy; }

std::optional<double> score_of(const Record &record) {
  if (record.invalidity != Invalidity::correct) return std::nullopt;
  if (const auto relative = record.measurement("relative")) return relative;
  return record.measurement("gcups");
}

const Record *best_of(const std::vector<Record> &records) {
  const Record *best = nullptr;
  for (const Record &record : records)
    if (!is_final(record) && score_of(record) && (best == nullptr || *score_of(record) > *score_of(*best)))
      best = &record;
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
