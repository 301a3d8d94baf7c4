// See apply.h.
#include "tune/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "alnsmith/forms.hpp"
#include "common/text.h"
#include "tune/ranking.h"
#include "tune/space.h"

namespace alnsmith::tool::tune {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

std::string form_of(const Record &record) {
  return name_of(record.mode == "all" ? Form::shared_profile : Form::pairwise);
}

// Which `name` and `cpu` it is for may be left open.
bool is_row(const Json &row) {
  const auto fits = [&](const char *key, bool needed) { return row.contains(key) ? row[key].is_string() : !needed; };
  return row.is_object() && fits("name", false) && fits("spec", true) && fits("cpu", false);
}

// What rows are told apart and sorted by.
std::string key_of(const Json &row) {
  std::string key = row.value("name", std::string()) + "\n" + row.value("spec", std::string()) + "\n" +
                    row.value("cpu", std::string());
  if (row.contains("kernel") && row["kernel"].is_object()) key += "\n" + row["kernel"].dump();
  return key;
}

// Only what differs from the model's choice: the rest stays the planner's.
Configuration choice_of(const Record &winner, const Record *model) {
  Configuration choice;
  for (const auto &[name, value] : winner.configuration) {
    if (choice_text({{name, value}}).empty()) continue;
    const bool same = model != nullptr && model->configuration.contains(name) && model->configuration.at(name) == value;
    if (!same) choice.emplace(name, value);
  }
  return choice;
}

Json row_of(const Record &winner, const Record *model) {
  Json row;
  row["name"] = winner.spec_name;
  row["spec"] = winner.spec_hash;
  if (winner.device == "cpu") row["cpu"] = winner.environment.cpu_class;
  row["kernel"] = {{"form", form_of(winner)}};
  row["choice"] = Json::object();
  for (const auto &[name, value] : choice_of(winner, model)) {
    if (const auto *number = std::get_if<std::int64_t>(&value))
      row["choice"][name] = *number;
    else
      row["choice"][name] = value_text(value);
  }
  row["gcups"] = rounded(winner.measurement("gcups").value_or(0), 100);
  row["model_gcups"] = rounded(winner.measurement("model_gcups").value_or(0), 100);
  row["gain"] = rounded(winner.measurement("gain").value_or(1), 10000);
  row["gain_spread"] = rounded(winner.measurement("gain_spread").value_or(0), 10000);
  return row;
}

}  // namespace

std::vector<std::string> spec_lines(const Configuration &choice, const std::string &target) {
  std::vector<std::string> lines;
  std::string tile, left;
  for (const auto &[name, value] : choice) {
    if (name == "k" || name == "p")
      tile += fmt::format("{}{}: {}", tile.empty() ? "" : ", ", name, value_text(value));
    else if (name == "arithmetic" || name == "mapping")
      lines.push_back(fmt::format("{}: {}", name, value_text(value)));
    else
      left += fmt::format("{}{}={}", left.empty() ? "" : ", ", name, value_text(value));
  }
  const std::string key = target.find(':') == std::string::npos ? target : "\"" + target + "\"";
  if (!tile.empty()) lines.insert(lines.begin(), fmt::format("tile: {{{}: {{{}}}}}", key, tile));
  if (!left.empty()) lines.push_back(fmt::format("# {}: a spec has no key for it, a table has", left));
  return lines;
}

Result<Applied> applied(const std::string &table, const std::string &target, const std::vector<Recording> &recordings) {
  std::vector<Json> rows;
  if (!table.empty()) {
    const Json old = too_deep(table) ? Json() : Json::parse(table, nullptr, false);
    if (!old.is_object() || old.value("schema", Json(0)) != Json(1) || !old.contains("rows") || !old["rows"].is_array())
      return Error{"is no tuned table of schema 1; move it away, or name another file with -o"};
    if (old.value("target", Json()) != Json(target))
      return Error{fmt::format("is a table for another target than {}; name another file with -o", target)};
    for (const Json &row : old["rows"]) {
      if (!is_row(row))
        return Error{
            fmt::format("row {} is none: `spec` must be a text, `name` and `cpu` too where they stand; mend it, or "
                        "name another file with -o",
                        rows.size() + 1)};
      rows.push_back(row);
    }
  }
  Applied made;
  for (const Recording &recording : recordings) {
    const Record *last = final_of(recording.records), *model = model_of(recording.records);
    const Record &any = last != nullptr ? *last : recording.records.front();
    const Json row = row_of(any, model);
    const std::string key = key_of(row);
    const std::string what = fmt::format("{}, {}", any.spec_name, any.mode);
    const Record *best = best_of(recording.records);
    if (last == nullptr && (best == nullptr || best != model)) {
      made.lines.push_back(what + ": left as it is, the run has not come to its last comparison");
      continue;
    }
    std::erase_if(rows, [&](const Json &old) { return key_of(old) == key; });
    if (last == nullptr) {
      made.lines.push_back(what + ": no row, the model's choice was the best");
    } else if (!beats_model(*last)) {
      made.lines.push_back(what + ": no row, the winner is not faster beyond the spread");
    } else if (row["choice"].empty()) {
      made.lines.push_back(what + ": no row, the winner is the model's choice");
    } else {
      rows.push_back(row);
      made.lines.push_back(fmt::format("{}: {} is {:.1f} % faster than the model's choice", what,
                                       choice_text(last->configuration),
                                       100 * (last->measurement("gain").value_or(1) - 1)));
      made.lines.push_back("  in a spec, for every machine:");
      for (const std::string &line : spec_lines(choice_of(*last, model), target)) made.lines.push_back("    " + line);
    }
  }
  std::ranges::stable_sort(rows, {}, key_of);
  made.text = fmt::format("{{\"schema\": 1, \"target\": {}, \"rows\": [", Json(target).dump());
  for (std::size_t i = 0; i < rows.size(); ++i) made.text += (i == 0 ? "\n" : ",\n") + rows[i].dump();
  made.text += rows.empty() ? "]}\n" : "\n]}\n";
  return made;
}

}  // namespace alnsmith::tool::tune
