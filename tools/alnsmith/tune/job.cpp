// See job.h.
#include "job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "spec/canonical.h"
#include "spec/parse.h"
#include "text.h"

namespace alnsmith::tool::tune {
namespace {

using Json = nlohmann::ordered_json;

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

Status save_batch(const Batch &batch, const std::string &folder, const std::string &name) {
  if (auto ok = write_whole(folder + "/" + name + ".queries", lines(batch.queries)); !ok) return ok;
  return write_whole(folder + "/" + name + ".targets", lines(batch.targets));
}

Result<std::vector<std::string>> load_lines(const std::string &path) {
  const auto text = read_whole(path);
  if (!text) return text.error();
  std::vector<std::string> list;
  std::istringstream in(*text);
  for (std::string line; std::getline(in, line);) list.push_back(line);
  return list;
}

// Throws on what is not there; load_job catches.
Job read_job(const Json &json) {
  Job job;
  job.hash = json.at("spec").at("hash");
  job.target = json.at("target");
  job.generator = json.at("generator");
  job.identity = json.at("identity");
  for (const auto &[name, value] : json.at("scoring").at("values").items()) job.scoring.values[name] = value;
  job.scoring.matrix = json.at("scoring").at("matrix").get<std::vector<int>>();
  for (const Json &parameter : json.at("parameters")) {
    Parameter made{parameter.at("name"), {}};
    for (const Json &value : parameter.at("values")) made.values.push_back(to_value(value));
    job.space.parameters.push_back(std::move(made));
  }
  for (const auto &[name, value] : json.at("model").items()) job.model[name] = to_value(value);
  job.work.name = json.at("work").at("name");
  job.work.seed = json.at("work").at("seed");
  job.work.all = json.at("work").at("mode") == "all";
  job.work.classes.resize(json.at("work").at("classes").get<std::size_t>());
  job.expected.scores = json.at("expected").at("scores").get<std::vector<std::int32_t>>();
  job.expected.query_ends = json.at("expected").at("query_ends").get<std::vector<std::int32_t>>();
  job.expected.target_ends = json.at("expected").at("target_ends").get<std::vector<std::int32_t>>();
  return job;
}

}  // namespace

std::string job_text(const Job &job) {
  Json json;
  json["schema"] = 1;
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
  json["expected"] = {{"scores", job.expected.scores},
                      {"query_ends", job.expected.query_ends},
                      {"target_ends", job.expected.target_ends}};
  return json.dump() + "\n";
}

std::string stored_job_text(const std::string &folder) {
  const auto text = read_whole(folder + "/job.json");
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
  if (auto ok = write_whole(folder + "/spec.yaml", spec::canonical(job.spec)); !ok) return ok;
  for (std::size_t i = 0; i < job.work.classes.size(); ++i)
    if (auto ok = save_batch(job.work.classes[i], folder, std::to_string(i)); !ok) return ok;
  if (auto ok = save_batch(job.work.sample, folder, "sample"); !ok) return ok;
  return write_whole(folder + "/job.json", job_text(job));  // last: with it the folder is whole
}

Result<Job> load_job(const std::string &folder) {
  const std::string path = folder + "/job.json";
  const auto text = read_whole(path);
  if (!text)
    return Error{
        fmt::format("{}: is no folder of `alnsmith tune --prepare`: {}", printable(folder, 400), text.error().message)};
  Job job;
  try {
    const Json json = Json::parse(*text);
    job = read_job(json);
    for (const Json &one : json.at("constraints"))
      if (auto ok = job.space.add_condition(one.at("expression"), one.at("reason")); !ok) return ok.error();
  } catch (const nlohmann::json::exception &wrong) {
    return Error{fmt::format("{}: is damaged ({}); prepare the folder again", printable(path, 400), wrong.what())};
  }
  auto spec = spec::parse_file(folder + "/spec.yaml");
  if (!spec) return spec.error();
  job.spec = *std::move(spec);
  if (spec::hash(job.spec) != job.hash)
    return Error{
        fmt::format("{}: spec.yaml is not the spec of job.json; prepare the folder again", printable(folder, 400))};
  for (std::size_t i = 0; i < job.work.classes.size(); ++i) {
    auto batch = load_batch(folder, std::to_string(i));
    if (!batch) return batch.error();
    job.work.classes[i] = *std::move(batch);
  }
  auto sample = load_batch(folder, "sample");
  if (!sample) return sample.error();
  job.work.sample = *std::move(sample);
  return job;
}

Result<Batch> load_batch(const std::string &folder, const std::string &name) {
  auto queries = load_lines(folder + "/" + name + ".queries");
  if (!queries) return queries.error();
  auto targets = load_lines(folder + "/" + name + ".targets");
  if (!targets) return targets.error();
  return Batch{*std::move(queries), *std::move(targets)};
}

// Called from several threads, unlike Output.
Status write_whole(const std::string &path, const std::string &text) {
  static std::atomic<unsigned> counter{0};
  const std::string beside = fmt::format("{}.tmp-{}-{}", path, ::getpid(), counter++);
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(beside, path, error);
  if (out && !error) return Ok{};
  const std::string why = error ? error.message() : std::strerror(errno);
  std::filesystem::remove(beside, error);
  return Error{fmt::format("{}: cannot be written: {}", printable(path, 400), why)};
}

Result<std::string> read_whole(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{fmt::format("{}: cannot be read: {}", printable(path, 400), std::strerror(errno))};
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

}  // namespace alnsmith::tool::tune
