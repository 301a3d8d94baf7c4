// See totals.h.
#include "totals.h"

#include <cstdio>

#include "case.h"

namespace soak {

using nlohmann::json;
using nlohmann::ordered_json;

void Totals::add(const json &said) {
  ++draws_;
  const std::string route = said.value("route", "");
  ++draws_of_[route];
  seconds_of_[route] += said.value("seconds", 0.0);
  if (said.contains("skipped")) ++skipped_[said["skipped"].get<std::string>()];
  if (said.contains("failure")) failures_.push_back(said["failure"]);
  if (!said.contains("counts")) return;
  const json &counts = said["counts"];
  pairs_ += counts["pairs"].get<std::uint64_t>();
  cells_ += counts["cells"].get<std::uint64_t>();
  promotable_ += counts["promotable"].get<std::uint64_t>();
  for (const auto &[reason, n] : counts["refusals"].items()) refusals_[reason] += n.get<std::uint64_t>();
  for (const auto &[kind, entries] : counts["by"].items())
    for (const auto &[key, entry] : entries.items()) {
      by_[kind][key].pairs += entry[0].get<std::uint64_t>();
      by_[kind][key].cells += entry[1].get<std::uint64_t>();
    }
}

void Totals::add_lost(std::uint64_t number, const json &failure) {
  ++draws_;
  failures_.push_back(failure);
  failures_.back()["number"] = number;
}

ordered_json Totals::line(const ordered_json &run) const {
  ordered_json line = run;
  line["draws"] = draws_;
  line["pairs"] = pairs_;
  line["cells"] = cells_;
  line["failures"] = failures_.size();
  line["out_of_range"] = promotable_;
  line["draws_by_route"] = draws_of_;
  line["worker_seconds_by_route"] = seconds_of_;
  for (const auto &[kind, entries] : by_)
    for (const auto &[key, entry] : entries) line["by_" + kind][key] = {{"pairs", entry.pairs}, {"cells", entry.cells}};
  line["refusals"] = refusals_;
  line["skipped"] = skipped_;
  for (const json &failure : failures_) line["found"].push_back(ordered_json(failure));
  return line;
}

std::string Totals::table(double seconds) const {
  std::string out;
  char row[200];
  const auto add = [&](const char *format, auto... values) {
    std::snprintf(row, sizeof row, format, values...);
    out += row;
  };
  for (const char *kind : {"target", "arithmetic", "mapping", "form", "output"}) {
    const auto entries = by_.find(kind);
    if (entries == by_.end()) continue;
    add("%-34s %14s %18s\n", kind, "pairs", "cells");
    for (const auto &[key, entry] : entries->second)
      add("  %-32s %14llu %18llu\n", key.c_str(), static_cast<unsigned long long>(entry.pairs),
          static_cast<unsigned long long>(entry.cells));
  }
  add("%-34s %14s %18s\n", "route", "draws", "worker seconds");
  for (const auto &[route, n] : draws_of_)
    add("  %-32s %14llu %18.1f\n", route.c_str(), static_cast<unsigned long long>(n), seconds_of_.at(route));
  if (!refusals_.empty()) out += "refused\n";
  for (const auto &[reason, n] : refusals_) add("  %8llu  %s\n", static_cast<unsigned long long>(n), reason.c_str());
  if (!skipped_.empty()) out += "skipped\n";
  for (const auto &[reason, n] : skipped_) add("  %8llu  %s\n", static_cast<unsigned long long>(n), reason.c_str());
  add("soak: draws=%llu pairs=%llu cells=%llu out_of_range=%llu failures=%llu seconds=%.1f pairs_per_second=%.0f\n",
      static_cast<unsigned long long>(draws_), static_cast<unsigned long long>(pairs_),
      static_cast<unsigned long long>(cells_), static_cast<unsigned long long>(promotable_),
      static_cast<unsigned long long>(failures_.size()), seconds, static_cast<double>(pairs_) / seconds);
  return out;
}

std::string told(const json &failure, const std::string &again) {
  std::string out = "---- failure: " + failure.value("what", "") + "\n";
  if (failure.contains("case")) {
    const Case c = failure["case"].get<Case>();
    out += yaml(c.spec) + "# " + name(c.route) + " on " + c.target;
    if (const std::string words = choice(c); !words.empty()) out += ", --choice " + words;
    out += c.all ? ", each query with each target" : ", pair by pair";
    out += ", " + std::to_string(c.threads) +
           (c.target.find("x86") == 0 || c.target == "scalar" ? " threads\n" : " blocks\n");
    const auto call = scoring(c.spec);
    for (const auto &[key, value] : call.values) out += "# " + key + " = " + std::to_string(value) + "\n";
    if (!call.matrix.empty()) {
      out += "# matrix of " + all_letters(c.spec) + ":";
      for (const int score : call.matrix) out += " " + std::to_string(score);
      out += "\n";
    }
    for (const auto &[side, texts] : {std::pair{"query ", &c.queries}, std::pair{"target", &c.targets}})
      for (std::size_t i = 0; i < texts->size() && i < 20; ++i)
        out += std::string("# ") + side + " " + (*texts)[i] + "\n";
  }
  if (!failure.value("who", "").empty()) out += "# by       " + failure.value("who", "") + "\n";
  out += "# got      " + failure.value("got", "") + "\n# expected " + failure.value("expected", "") + "\n";
  out += "# repeat   " + again + "\n";
  if (failure.contains("case")) out += "# keep     " + failure["case"].dump() + "\n";
  return out;
}

}  // namespace soak
