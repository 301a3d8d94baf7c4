// See show.h.
#include "tune/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/text.h"
#include "tune/ranking.h"
#include "tune/verdict.h"

namespace alnsmith::tool::tune {
namespace {

// Texts of a recording are arbitrary: a line stays one, and no terminal takes orders from it.
std::string shown(const std::string &text) { return printable(text, 400); }
std::string shown(const Configuration &configuration) { return shown(configuration_text(configuration)); }

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

std::string head(const std::vector<Record> &records) {
  const Record &any = records.front();
  std::size_t all = 0, correct = 0;
  for (const Record &record : records) {
    all += !is_final(record);
    correct += !is_final(record) && record.invalidity == Invalidity::correct;
  }
  const std::string &where = any.environment.device_name.empty() ? any.environment.cpu : any.environment.device_name;
  return fmt::format("{} on {}, {} ({}), {}: {} configurations, {} correct\n", shown(any.spec_name), shown(any.target),
                     shown(any.device), shown(where), shown(any.mode), all, correct);
}

std::string speed_line(const char *name, const Record &record) {
  return fmt::format("{:<8} {:8.2f} GCUPS  {}  (spread {}, {:.0f} of {} runs are outliers)\n", name,
                     record.measurement("gcups").value_or(0), shown(record.configuration),
                     percent(record.measurement("spread").value_or(0)), record.measurement("outliers").value_or(0),
                     record.times.runtimes.size());
}

std::string model_lines(const std::vector<Record> &records, const Record &best) {
  std::string text;
  const Record *model = model_of(records);
  if (best.limit && best.limit->value > 0)
    text += fmt::format("{:<8} {:8.2f} GCUPS by the model: the best reaches {} of it\n", "limit", best.limit->value,
                        percent(best.measurement("gcups").value_or(0) / best.limit->value));
  if (model == nullptr) return text;
  const Ranking ranking(records);
  if (!ranking.score(*model)) return text + fmt::format("model    fails: {}\n", shown(model->reason));
  text += speed_line("model", *model);
  const double gain = *ranking.score(best) / *ranking.score(*model) - 1;
  text += fmt::format("{:<8} {:+.1f} % against the model's choice in the search, within their groups: {}\n", "gain",
                      100 * gain, final_of(records) == nullptr ? "not compared in turns yet" : "the final line counts");
  return text;
}

std::string final_lines(const std::vector<Record> &records) {
  const Record *last = final_of(records);
  if (last == nullptr) return {};
  if (last->invalidity != Invalidity::correct) return fmt::format("final    fails: {}\n", shown(last->reason));
  const std::string spread = percent(last->measurement("gain_spread").value_or(0));
  std::string text =
      fmt::format("{:<8} {:8.2f} GCUPS  {}: {:+.1f} % against the model's choice in turns, spread {}: {}\n", "final",
                  last->measurement("gcups").value_or(0), shown(last->configuration),
                  100 * (last->measurement("gain").value_or(1) - 1), spread, verdict(*last));
  if (is_noisy(*last))
    text += fmt::format(
        "{:<8} {} between runs of the same two, the quietest of {:.0f} comparisons: smaller gains do not show\n",
        "noise", spread, last->measurement("comparisons").value_or(1));
  return text;
}

std::string lengths_lines(const std::vector<Record> &records) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<double, const Record *>> best;
  for (const Record &record : records)
    for (const LengthResult &one : is_final(record) ? std::vector<LengthResult>{} : record.lengths) {
      auto &place = best[{one.query, one.target}];
      if (one.gcups > place.first) place = {one.gcups, &record};
    }
  std::string text;
  for (const auto &[lengths, fastest] : best)
    if (fastest.second != nullptr)
      text += fmt::format("{:<8} {:8.2f} GCUPS  {} x {} letters: {}\n", "length", fastest.first, lengths.first,
                          lengths.second, shown(fastest.second->configuration));
  return text;
}

std::string failure_lines(const std::vector<Record> &records) {
  std::map<std::pair<std::string, std::string>, std::size_t> reasons;
  for (const Record &record : records)
    if (record.invalidity != Invalidity::correct)
      ++reasons[{std::string(invalidity_name(record.invalidity)), record.reason}];
  std::string text;
  for (const auto &[what, count] : reasons)
    text += fmt::format("{:<8} {:>8}  {}: {}\n", "failed", count, what.first, shown(what.second));
  return text;
}

}  // namespace

std::string shown_recording(const std::vector<Record> &records, const std::string &file) {
  if (records.empty()) return {};
  std::string text = head(records) + final_lines(records);
  if (const Record *best = best_of(records)) text += speed_line("best", *best) + model_lines(records, *best);
  return text + lengths_lines(records) + failure_lines(records) +
         fmt::format("{:<8} {}\n", "next", shown(next_step(records, file)));
}

}  // namespace alnsmith::tool::tune
