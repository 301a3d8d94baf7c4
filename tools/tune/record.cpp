// Reading and writing tuning records. See record.h.
//
// The reader keeps the first error of a line instead of unwinding: every getter returns a harmless value once
// something is wrong.
#include "tune/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "common/text.h"

namespace alnsmith::tool::tune {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kSchemaVersion = "1.0.0";
constexpr std::array<std::string_view, 6> kInvalidity = {"correct", "constraints", "compile",
                                                         "runtime", "timeout",     "correctness"};
enum class Need { required, optional };

class Reader {
 public:
  std::string error;

  void fail(std::string_view key, std::string_view rule) {
    if (error.empty()) error = fmt::format("'{}' {}", key, rule);
  }
  // The object under `key`, an empty one where it is missing and may be.
  const nlohmann::json &object(const nlohmann::json &at, std::string_view key, Need need = Need::optional) {
    static const nlohmann::json none = nlohmann::json::object();
    const nlohmann::json *value = find(at, key, need);
    if (value && value->is_object()) return *value;
    if (value) fail(key, "must be an object");
    return none;
  }
  const nlohmann::json &list(const nlohmann::json &at, std::string_view key) {
    static const nlohmann::json none = nlohmann::json::array();
    const nlohmann::json *value = find(at, key, Need::optional);
    if (value && value->is_array()) return *value;
    if (value) fail(key, "must be a list");
    return none;
  }
  std::string text(const nlohmann::json &at, std::string_view key, Need need = Need::optional) {
    const nlohmann::json *value = find(at, key, need);
    if (value && value->is_string()) return value->get<std::string>();
    if (value) fail(key, "must be a text");
    return {};
  }
  std::uint64_t count(const nlohmann::json &at, std::string_view key, Need need = Need::optional) {
    const nlohmann::json *value = find(at, key, need);
    if (value && value->is_number_unsigned()) return value->get<std::uint64_t>();
    if (value) fail(key, "must be an integer of at least 0");
    return 0;
  }
  double number(const nlohmann::json &at, std::string_view key, Need need = Need::optional) {
    const nlohmann::json *value = find(at, key, need);
    if (value && value->is_number() && std::isfinite(value->get<double>()) && value->get<double>() >= 0)
      return value->get<double>();
    if (value) fail(key, "must be a number of at least 0");
    return 0;
  }
  bool flag(const nlohmann::json &at, std::string_view key) {
    const nlohmann::json *value = find(at, key, Need::optional);
    if (value && value->is_boolean()) return value->get<bool>();
    if (value) fail(key, "must be true or false");
    return false;
  }
  std::vector<std::string> texts(const nlohmann::json &at, std::string_view key) {
    std::vector<std::string> all;
    for (const nlohmann::json &item : list(at, key)) {
      if (!item.is_string()) return fail(key, "must be a list of texts"), all;
      all.push_back(item.get<std::string>());
    }
    return all;
  }

 private:
  const nlohmann::json *find(const nlohmann::json &at, std::string_view key, Need need) {
    const auto found = at.find(key);
    if (found != at.end()) return &*found;
    if (need == Need::required) fail(key, "is missing");
    return nullptr;
  }
};

// Targets name tables and recordings: no text that leads out of a folder. One that this version does not know is none
// of the reader's business.
bool is_target_word(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+' || c == ':';
  };
  return !text.empty() && text.size() <= 64 && text[0] >= 'a' && text[0] <= 'z' && std::ranges::all_of(text, fits);
}

LengthRange read_range(Reader &in, const nlohmann::json &at, std::string_view key) {
  const nlohmann::json &range = in.object(at, key);
  return {in.count(range, "min"), in.count(range, "median"), in.count(range, "max")};
}

Work read_work(Reader &in, const nlohmann::json &work) {
  return {in.text(work, "name"),
          in.count(work, "seed"),
          in.count(work, "pairs"),
          in.count(work, "cells"),
          read_range(in, work, "query_length"),
          read_range(in, work, "target_length")};
}

Environment read_environment(Reader &in, const nlohmann::json &at) {
  return {in.text(at, "generator"),   in.text(at, "cpu"),    in.text(at, "cpu_class"), in.count(at, "cores"),
          in.text(at, "device_name"), in.text(at, "driver"), in.text(at, "compiler"),  in.text(at, "os")};
}

Times read_times(Reader &in, const nlohmann::json &at) {
  Times times{in.number(at, "generation"), in.number(at, "compilation"), in.number(at, "validation"), {}};
  for (const nlohmann::json &runtime : in.list(at, "runtimes")) {
    if (!runtime.is_number() || !(runtime.get<double>() >= 0)) in.fail("runtimes", "must list numbers of at least 0");
    if (runtime.is_number()) times.runtimes.push_back(runtime.get<double>());
  }
  return times;
}

Configuration read_configuration(Reader &in, const nlohmann::json &at) {
  Configuration configuration;
  for (const auto &[name, value] : at.items()) {
    const bool fits = !value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
    if (value.is_number_integer() && fits)
      configuration.emplace(name, value.get<std::int64_t>());
    else if (value.is_string())
      configuration.emplace(name, value.get<std::string>());
    else
      in.fail("configuration." + printable(name, 40), "must be an integer or a word");
  }
  return configuration;
}

Invalidity read_invalidity(Reader &in, const nlohmann::json &at) {
  const std::string word = in.text(at, "invalidity", Need::required);
  const auto found = std::find(kInvalidity.begin(), kInvalidity.end(), word);
  if (found != kInvalidity.end()) return static_cast<Invalidity>(found - kInvalidity.begin());
  in.fail("invalidity", fmt::format("is '{}', but must be one of {}", printable(word, 40),
                                    fmt::join(kInvalidity.begin(), kInvalidity.end(), ", ")));
  return Invalidity::correct;
}

void read_measurements(Reader &in, const nlohmann::json &line, Record &record) {
  for (const nlohmann::json &item : in.list(line, "measurements")) {
    if (!item.is_object()) return in.fail("measurements", "must list objects");
    record.measurements.push_back(
        {in.text(item, "name", Need::required), in.number(item, "value", Need::required), in.text(item, "unit")});
  }
  if (record.invalidity == Invalidity::correct && !record.measurement("gcups"))
    in.fail("measurements", "must hold 'gcups' where 'invalidity' is correct");
}

void read_lengths(Reader &in, const nlohmann::json &line, Record &record) {
  for (const nlohmann::json &item : in.list(line, "lengths")) {
    if (!item.is_object()) return in.fail("lengths", "must list objects");
    record.lengths.push_back({in.count(item, "query", Need::required), in.count(item, "target", Need::required),
                              in.number(item, "gcups", Need::required)});
  }
}

Record read_record(Reader &in, const nlohmann::json &line) {
  const std::string version = in.text(line, "schema_version", Need::required);
  if (in.error.empty() && !version.starts_with("1."))
    in.fail("schema_version", fmt::format("is '{}': this alnsmith reads 1.x", printable(version, 20)));
  Record record;
  const nlohmann::json &spec = in.object(line, "spec", Need::required);
  record.spec_name = in.text(spec, "name", Need::required);
  record.spec_hash = in.text(spec, "hash", Need::required);
  record.target = in.text(line, "target", Need::required);
  if (in.error.empty() && !is_target_word(record.target))
    in.fail("target",
            fmt::format("is '{}', but must be a target such as x86-64-v4 or cuda:sm_90", printable(record.target, 40)));
  record.device = in.text(line, "device", Need::required);
  record.mode = in.text(line, "mode");
  record.work = read_work(in, in.object(line, "work"));
  record.environment = read_environment(in, in.object(line, "environment"));
  record.timestamp = in.text(line, "timestamp");
  const nlohmann::json &search = in.object(line, "search");
  record.search = {in.text(search, "strategy"), in.count(search, "seed"), in.count(search, "sequence"),
                   in.count(search, "group"), in.flag(search, "model")};
  record.configuration = read_configuration(in, in.object(line, "configuration", Need::required));
  record.invalidity = read_invalidity(in, line);
  record.reason = in.text(line, "reason");
  record.times = read_times(in, in.object(line, "times"));
  record.kernels = in.texts(line, "kernels");
  read_measurements(in, line, record);
  if (line.contains("limit") && !line["limit"].is_null()) {
    const nlohmann::json &limit = in.object(line, "limit");
    record.limit = Limit{in.number(limit, "value", Need::required), in.text(limit, "unit")};
  }
  read_lengths(in, line, record);
  record.objectives = in.texts(line, "objectives");
  return record;
}

OrderedJson range_json(const LengthRange &range) {
  return {{"min", range.min}, {"median", range.median}, {"max", range.max}};
}

}  // namespace

std::string value_text(const Value &value) {
  if (const auto *number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::string configuration_text(const Configuration &configuration) {
  std::string text;
  for (const auto &[name, value] : configuration) text += (text.empty() ? "" : " ") + name + "=" + value_text(value);
  return text;
}

std::string_view invalidity_name(Invalidity invalidity) { return kInvalidity[static_cast<std::size_t>(invalidity)]; }

std::optional<double> Record::measurement(std::string_view name) const {
  for (const Measurement &one : measurements)
    if (one.name == name) return one.value;
  return std::nullopt;
}

Result<Recording> parse_recording(std::string_view text, std::string_view name) {
  Recording recording;
  for (std::size_t line = 1, at = 0; at < text.size(); ++line) {
    const std::size_t newline = text.find('\n', at);
    const bool open = newline == std::string_view::npos;
    const std::string_view content = text.substr(at, open ? std::string_view::npos : newline - at);
    const nlohmann::json json =
        nlohmann::json::parse(content, nullptr, false);  // whatever its depth: its tree is not printed nor copied
    if (json.is_discarded() && open) {  // no prefix of an object is one, so a line that parses is whole
      recording.torn = true;
      break;
    }
    Reader in;
    Record record;
    if (json.is_object())
      record = read_record(in, json);
    else
      in.error = "not a JSON object: every line of a recording is one";
    if (!in.error.empty()) return Error{fmt::format("{}:{}: {}", printable(name, 400), line, in.error)};
    recording.records.push_back(std::move(record));
    recording.open_ended = open;
    recording.whole = open ? text.size() : newline + 1;
    at = recording.whole;
  }
  return recording;
}

Result<Recording> read_recording(const std::string &path) {
  const auto text = rt::read_file(path, std::size_t{1} << 30);
  if (!text) return text.error();
  return parse_recording(*text, path);
}

std::string record_line(const Record &record) {
  OrderedJson line;
  line["schema_version"] = kSchemaVersion;
  line["spec"] = {{"name", record.spec_name}, {"hash", record.spec_hash}};
  line["target"] = record.target;
  line["device"] = record.device;
  line["mode"] = record.mode;
  const Work &work = record.work;
  line["work"] = {{"name", work.name},
                  {"seed", work.seed},
                  {"pairs", work.pairs},
                  {"cells", work.cells},
                  {"query_length", range_json(work.query)},
                  {"target_length", range_json(work.target)}};
  const Environment &with = record.environment;
  line["environment"] = {
      {"generator", with.generator},     {"cpu", with.cpu},       {"cpu_class", with.cpu_class}, {"cores", with.cores},
      {"device_name", with.device_name}, {"driver", with.driver}, {"compiler", with.compiler},   {"os", with.os}};
  line["timestamp"] = record.timestamp;
  line["search"] = {{"strategy", record.search.strategy},
                    {"seed", record.search.seed},
                    {"sequence", record.search.sequence},
                    {"group", record.search.group}};
  if (record.search.model) line["search"]["model"] = true;
  OrderedJson &configuration = line["configuration"] = OrderedJson::object();
  for (const auto &[name, value] : record.configuration)
    std::visit([&, key = name](const auto &v) { configuration[key] = v; }, value);
  line["invalidity"] = invalidity_name(record.invalidity);
  line["reason"] = record.reason;
  line["correctness"] = record.invalidity == Invalidity::correct ? 1 : 0;
  line["times"] = {{"generation", record.times.generation},
                   {"compilation", record.times.compilation},
                   {"validation", record.times.validation},
                   {"runtimes", record.times.runtimes}};
  line["times_unit"] = "s";
  line["kernels"] = record.kernels;
  OrderedJson &measurements = line["measurements"] = OrderedJson::array();
  for (const Measurement &one : record.measurements)
    measurements.push_back({{"name", one.name}, {"value", one.value}, {"unit", one.unit}});
  if (record.limit) line["limit"] = {{"value", record.limit->value}, {"unit", record.limit->unit}};
  if (!record.lengths.empty()) {
    OrderedJson &lengths = line["lengths"] = OrderedJson::array();
    for (const LengthResult &one : record.lengths)
      lengths.push_back({{"query", one.query}, {"target", one.target}, {"gcups", one.gcups}});
  }
  line["objectives"] = record.objectives;
  return line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace alnsmith::tool::tune
