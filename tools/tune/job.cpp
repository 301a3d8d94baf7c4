// See job.h.
#include "tune/job.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "alnsmith/build.hpp"
#include "base/files.h"
#include "common/text.h"
#include "spec/canonical.h"
#include "spec/parse.h"
#include "targets/targets.h"

namespace alnsmith::tool::tune {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 3;  // 1 had no hashes, 2 named its results otherwise
constexpr int kMostClasses = 64;

// Why a job.json that is JSON is no job all the same.
struct Unfit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Json to_json(const Value &value) {
  if (const auto *number = std::get_if<std::int64_t>(&value)) return *number;
  return std::get<std::string>(value);
}
Value to_value(const Json &json) {
  if (json.is_number_integer()) return json.get<std::int64_t>();
  return json.get<std::string>();
}

std::string lines(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts) all += text + "\n";
  return all;
}

// The files of a job beside job.json, in a fixed order: what `visit(name, text)` says ends it early.
Status each_part(const Job &job, const std::function<Status(const std::string &, const std::string &)> &visit) {
  if (auto ok = visit("spec.yaml", spec::canonical(job.spec)); !ok) return ok;
  const auto batch = [&](const Batch &one, const std::string &name) {
    if (auto ok = visit(name + ".queries", lines(one.queries)); !ok) return ok;
    return visit(name + ".targets", lines(one.targets));
  };
  for (std::size_t i = 0; i < job.work.classes.size(); ++i)
    if (auto ok = batch(job.work.classes[i], std::to_string(i)); !ok) return ok;
  return batch(job.work.sample, "sample");
}

// What job.json says of the other files: name and SHA-256.
using Hashes = std::map<std::string, std::string>;

// A part of the folder, if job.json lists it and it is what was written then.
Result<std::string> load_part(const std::string &folder, const std::string &name, const Hashes &hashes) {
  const auto hash = hashes.find(name);
  if (hash == hashes.end() || hash->second.size() != 64)
    return Error{fmt::format("{}: job.json has no hash of {}; prepare the folder again", printable(folder, 400), name)};
  return trusted_bytes(folder + "/" + name, hash->second);
}

Result<std::vector<std::string>> load_lines(const std::string &folder, const std::string &name, const Hashes &hashes) {
  const auto text = load_part(folder, name, hashes);
  if (!text) return text.error();
  std::vector<std::string> list;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

// One sequence per line.
Result<Batch> load_batch(const std::string &folder, const std::string &name, const Hashes &hashes) {
  auto queries = load_lines(folder, name + ".queries", hashes);
  if (!queries) return queries.error();
  auto targets = load_lines(folder, name + ".targets", hashes);
  if (!targets) return targets.error();
  return Batch{*std::move(queries), *std::move(targets)};
}

// Throws on what is not there or is none; load_job catches.
Job read_job(const Json &json) {
  Job job;
  if (json.at("schema") != kSchema) throw Unfit("its schema is not " + std::to_string(kSchema));
  job.hash = json.at("spec").at("hash");
  job.target = json.at("target");
  if (const auto target = targets::parse(job.target); !target || !targets::known(*target))
    throw Unfit("its target is none");
  job.generator = json.at("generator");
  job.identity = json.at("identity");
  for (const auto &[name, value] : json.at("scoring").at("values").items()) job.scoring.values[name] = value;
  job.scoring.matrix = json.at("scoring").at("matrix").get<std::vector<int>>();
  for (const Json &parameter : json.at("parameters")) {
    Parameter made{parameter.at("name"), {}};
    for (const Json &value : parameter.at("values")) made.values.push_back(to_value(value));
    if (made.values.empty()) throw Unfit("a parameter has no value");
    job.space.parameters.push_back(std::move(made));
    if (job.space.size() > kMostCandidates) throw Unfit("its space is larger than any");
  }
  for (const auto &[name, value] : json.at("model").items()) job.model[name] = to_value(value);
  job.work.name = json.at("work").at("name");
  job.work.seed = json.at("work").at("seed");
  job.work.all = json.at("work").at("mode") == "all";
  const Json &classes = json.at("work").at("classes");
  if (!classes.is_number_unsigned() || classes > kMostClasses) throw Unfit("it has more classes than any");
  job.work.classes.resize(classes.get<std::size_t>());
  job.expected = answers_from(json.at("expected"));
  return job;
}

}  // namespace

std::string job_text(const Job &job) {
  Json json;
  json["schema"] = kSchema;
  json["spec"] = {{"name", job.spec.name}, {"hash", job.hash}};
  json["target"] = job.target;
  json["generator"] = job.generator;
  json["identity"] = job.identity;
  json["scoring"] = {{"values", Json::object()}, {"matrix", job.scoring.matrix}};
  for (const auto &[name, value] : job.scoring.values) json["scoring"]["values"][name] = value;
  json["parameters"] = Json::array();
  for (const Parameter &parameter : job.space.parameters) {
    Json values = Json::array();
    for (const Value &value : parameter.values) values.push_back(to_json(value));
    json["parameters"].push_back({{"name", parameter.name}, {"values", values}});
  }
  json["constraints"] = Json::array();
  for (const spec::Constraint &one : job.space.conditions())
    json["constraints"].push_back({{"expression", one.expression}, {"reason", one.reason}});
  json["model"] = Json::object();
  for (const auto &[name, value] : job.model) json["model"][name] = to_json(value);
  const Work work = job.work.described();
  json["work"] = {{"name", job.work.name},
                  {"seed", job.work.seed},
                  {"mode", job.work.all ? "all" : "pairs"},
                  {"classes", job.work.classes.size()},
                  {"pairs", work.pairs},
                  {"cells", work.cells}};
  json["expected"] = to_json(job.expected);
  json["files"] = Json::object();
  (void)bool(each_part(job, [&](const std::string &name, const std::string &text) -> Status {
    json["files"][name] = sha256_of(text);
    return Ok{};
  }));
  return json.dump() + "\n";
}

std::string stored_job_text(const std::string &folder) {
  const auto text = trusted_bytes(folder + "/job.json", "");
  return text ? *text : std::string();
}

Status check_job_folder(const std::string &folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool ours = name == "builds" || name == "cache" || name == "no-tables" || name == "spec.yaml" ||
                      name == "job.json" || name.ends_with(".queries") || name.ends_with(".targets") ||
                      name.starts_with(".tmp-");
    if (!ours)
      return Error{
          fmt::format("{}: holds {}, which is not of a tuning run; name another folder or recording, since "
                      "what lies there is replaced",
                      printable(folder, 400), printable(name, 100))};
  }
  return Ok{};
}

Status save_job(const Job &job, const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder + "/builds", error);
  if (error) return Error{fmt::format("{}: cannot be made: {}", printable(folder, 400), error.message())};
  const auto write = [&](const std::string &name, const std::string &text) {
    return rt::write_file(folder + "/" + name, text, 0666);
  };
  if (auto ok = each_part(job, write); !ok) return ok;
  return rt::write_file(folder + "/job.json", job_text(job), 0666);  // last: with it the folder is whole
}

Result<Job> load_job(const std::string &folder) {
  const std::string path = folder + "/job.json";
  std::error_code absent;
  if (!std::filesystem::exists(path, absent))
    return Error{fmt::format("{}: is no folder of `alnsmith tune --prepare`: it has no job.json; prepare one",
                             printable(folder, 400))};
  const auto text = trusted_bytes(path, "");
  if (!text) return text.error();
  const auto damaged = [&](const std::string &why) {
    return Error{fmt::format("{}: is damaged ({}); prepare the folder again", printable(path, 400), why)};
  };
  if (too_deep(*text)) return damaged("nested too deep");
  Job job;
  Hashes hashes;
  try {
    const Json json = Json::parse(*text);
    job = read_job(json);
    hashes = json.at("files").get<Hashes>();
    for (const Json &one : json.at("constraints"))
      if (auto ok = job.space.add_condition(one.at("expression"), one.at("reason")); !ok) return ok.error();
  } catch (const nlohmann::json::exception &wrong) {
    return damaged(wrong.what());
  } catch (const Unfit &wrong) {
    return damaged(wrong.what());
  }
  const auto yaml = load_part(folder, "spec.yaml", hashes);
  if (!yaml) return yaml.error();
  auto spec = spec::parse_text(*yaml, folder + "/spec.yaml", folder);
  if (!spec) return spec.error();
  job.spec = *std::move(spec);
  if (spec::hash(job.spec) != job.hash)
    return Error{
        fmt::format("{}: spec.yaml is not the spec of job.json; prepare the folder again", printable(folder, 400))};
  for (std::size_t i = 0; i < job.work.classes.size(); ++i) {
    auto batch = load_batch(folder, std::to_string(i), hashes);
    if (!batch) return batch.error();
    job.work.classes[i] = *std::move(batch);
  }
  auto sample = load_batch(folder, "sample", hashes);
  if (!sample) return sample.error();
  job.work.sample = *std::move(sample);
  return job;
}

}  // namespace alnsmith::tool::tune
