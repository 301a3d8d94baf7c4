// Groups records into runs and configurations, and writes them as JSON for the page. See report_runs.h.
#include "tune/report_runs.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "tune/verdict.h"

namespace alnsmith::tool::tune {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;  // JavaScript's integers

bool same_run(const Record &a, const Record &b) {
  const auto machine = [](const Record &r) {
    return std::tie(r.environment.cpu, r.environment.cpu_class, r.environment.cores, r.environment.device_name);
  };
  return a.spec_name == b.spec_name && a.spec_hash == b.spec_hash && a.target == b.target && a.device == b.device &&
         a.mode == b.mode && a.work == b.work && machine(a) == machine(b);
}

double gcups(const Record &record) { return record.measurement("gcups").value_or(0); }

void add(ReportedRun &run, std::map<Configuration, std::size_t> &index, const Record &record) {
  run.records.push_back(&record);
  if (record.search.strategy == "final") {
    run.final_line = &record;
    return;
  }
  const auto [found, added] = index.emplace(record.configuration, run.candidates.size());
  if (added) run.candidates.emplace_back();
  Candidate &candidate = run.candidates[found->second];
  (record.invalidity == Invalidity::correct ? candidate.correct : candidate.failed).push_back(&record);
  candidate.model = candidate.model || record.search.model;
}

void choose(Candidate &candidate) {
  // Of equal ones the first in the file comes first: all point into one list.
  std::sort(candidate.correct.begin(), candidate.correct.end(),
            [](const Record *a, const Record *b) { return gcups(*a) != gcups(*b) ? gcups(*a) < gcups(*b) : a < b; });
  const auto wrong = std::find_if(candidate.failed.begin(), candidate.failed.end(),
                                  [](const Record *r) { return r->invalidity == Invalidity::correctness; });
  if (wrong != candidate.failed.end())
    candidate.shown = *wrong;
  else if (candidate.correct.empty())
    candidate.shown = candidate.failed.back();
  else
    candidate.shown = candidate.correct[(candidate.correct.size() - 1) / 2];
}

Json value_json(const Value &value) {
  const auto *number = std::get_if<std::int64_t>(&value);
  if (number && *number <= kExactInDouble && *number >= -kExactInDouble) return *number;
  return value_text(value);
}

Json distinct(const ReportedRun &run, std::string (*text)(const Record &)) {
  std::set<std::string> all;
  for (const Record *record : run.records)
    if (std::string one = text(*record); !one.empty()) all.insert(std::move(one));
  return all;
}

Json length_json(const LengthRange &range) { return {range.min, range.median, range.max}; }

Json failures_json(const Candidate &candidate) {
  Json list = Json::array();
  for (const Record *record : candidate.failed)
    list.push_back({{"kind", invalidity_name(record->invalidity)}, {"reason", record->reason}});
  return list;
}

// Numbers of a correct configuration; `limit` only in the unit that it is compared with.
void add_measured(Json &json, const Candidate &candidate) {
  const Record &record = *candidate.shown;
  json["gcups"] = gcups(record);
  Json repeats = Json::array();
  for (const Record *one : candidate.correct) repeats.push_back(gcups(*one));
  json["repeats"] = std::move(repeats);
  for (const char *name : {"relative", "spread", "outliers", "time"})
    if (const auto value = record.measurement(name)) json[name] = *value;
  if (record.limit && record.limit->value > 0 && (record.limit->unit == "GCUPS" || record.limit->unit.empty()))
    json["limit"] = record.limit->value;
  Json lengths = Json::array();
  for (const LengthResult &one : record.lengths) lengths.push_back({one.query, one.target, one.gcups});
  json["lengths"] = std::move(lengths);
}

Json candidate_json(const Candidate &candidate) {
  const Record &record = *candidate.shown;
  Json parameters = Json::object();
  for (const auto &[name, value] : record.configuration) parameters[name] = value_json(value);
  Json json = {{"text", configuration_text(record.configuration)},
               {"parameters", std::move(parameters)},
               {"kind", invalidity_name(record.invalidity)},
               {"sequence", record.search.sequence},
               {"generation", record.times.generation},
               {"compilation", record.times.compilation},
               {"model", candidate.model},
               {"kernels", record.kernels},
               {"failures", failures_json(candidate)}};
  if (record.invalidity == Invalidity::correct) add_measured(json, candidate);
  return json;
}

Json final_json(const Record &record) {
  Json json = {{"text", configuration_text(record.configuration)},
               {"kind", invalidity_name(record.invalidity)},
               {"reason", record.reason}};
  for (const char *name : {"gcups", "model_gcups", "gain", "gain_spread", "comparisons"})
    if (const auto value = record.measurement(name)) json[name] = *value;
  if (record.invalidity == Invalidity::correct) json["verdict"] = verdict(record);
  json["noisy"] = is_noisy(record);
  return json;
}

std::string next_of(const ReportedRun &run) {
  std::vector<Record> records;
  for (const Record *record : run.records) records.push_back(*record);
  return next_step(records, run.file);
}

Json run_json(const ReportedRun &run) {
  const Record &first = *run.first;
  std::set<std::string> parameters;
  for (const Record *record : run.records)
    for (const auto &[name, value] : record->configuration) parameters.insert(name);
  Json candidates = Json::array();
  for (const Candidate &candidate : run.candidates) candidates.push_back(candidate_json(candidate));
  // Seeds are texts: JavaScript's numbers do not hold 64 bits.
  return {{"file", run.file},
          {"torn", run.torn},
          {"records", run.records.size()},
          {"spec", {{"name", first.spec_name}, {"hash", first.spec_hash}}},
          {"target", first.target},
          {"device", first.device},
          {"mode", first.mode},
          {"work",
           {{"name", first.work.name},
            {"seed", std::to_string(first.work.seed)},
            {"pairs", first.work.pairs},
            {"cells", first.work.cells},
            {"query_length", length_json(first.work.query)},
            {"target_length", length_json(first.work.target)}}},
          {"cpu", first.environment.cpu},
          {"cpu_class", first.environment.cpu_class},
          {"cores", first.environment.cores},
          {"device_name", first.environment.device_name},
          {"generators", distinct(run, [](const Record &r) { return r.environment.generator; })},
          {"drivers", distinct(run, [](const Record &r) { return r.environment.driver; })},
          {"compilers", distinct(run, [](const Record &r) { return r.environment.compiler; })},
          {"systems", distinct(run, [](const Record &r) { return r.environment.os; })},
          {"timestamps", distinct(run, [](const Record &r) { return r.timestamp; })},
          {"searches", distinct(run,
                                [](const Record &r) {
                                  if (r.search.strategy.empty() || r.search.strategy == "final") return std::string();
                                  return r.search.strategy + ", seed " + std::to_string(r.search.seed);
                                })},
          {"parameters", parameters},
          {"candidates", std::move(candidates)},
          {"final", run.final_line ? final_json(*run.final_line) : Json()},
          {"next", next_of(run)}};
}

}  // namespace

std::vector<ReportedRun> runs_of(const std::vector<NamedRecording> &recordings) {
  std::vector<ReportedRun> runs;
  for (const NamedRecording &one : recordings) {
    const std::size_t begin = runs.size();
    std::vector<std::map<Configuration, std::size_t>> indices;  // of the configurations, by run of this file
    for (const Record &record : one.recording.records) {
      std::size_t at = begin;
      while (at < runs.size() && !same_run(*runs[at].first, record)) ++at;
      if (at == runs.size()) {
        runs.push_back({one.name, one.recording.torn, &record, {}, {}});
        indices.emplace_back();
      }
      add(runs[at], indices[at - begin], record);
    }
  }
  for (ReportedRun &run : runs)
    for (Candidate &candidate : run.candidates) choose(candidate);
  return runs;
}

std::string runs_json(const std::vector<ReportedRun> &runs) {
  Json all = Json::array();
  for (const ReportedRun &run : runs) all.push_back(run_json(run));
  // ASCII, and no character that could end or open anything in HTML: texts of records are arbitrary.
  const std::string plain = Json{{"runs", std::move(all)}}.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  for (const char c : plain) {
    if (c == '<')
      safe += "\\u003c";
    else if (c == '>')
      safe += "\\u003e";
    else if (c == '&')
      safe += "\\u0026";
    else
      safe += c;
  }
  return safe;
}

}  // namespace alnsmith::tool::tune
