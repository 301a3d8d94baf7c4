// See builder.h.
#include "tune/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "alnsmith/build.hpp"
#include "base/files.h"
#include "common/clock.h"
#include "common/interrupt.h"
#include "common/text.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Says stop at a deadline, or when the user does.
class Deadline {
 public:
  explicit Deadline(double seconds)
      : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}
  bool operator()() const { return interrupted() || Clock::now() > end_; }
  bool passed() const { return Clock::now() > end_; }

 private:
  Clock::time_point end_;
};

// Folders without tables: the model is to be asked, and candidates are whole choices.
Sources sources_for(const Maker &maker, const std::string &work_folder, const Configuration &configuration) {
  Sources sources;
  std::error_code ignored;
  sources.generator = maker.generator;
  sources.templates_dir = maker.templates_dir;
  sources.tuned_dir = work_folder + "/no-tables";
  fs::create_directories(sources.tuned_dir, ignored);
  sources.choice = choice_text(configuration);
  sources.compiler = word_of(configuration, "compiler", "auto");
  if (sources.compiler == "auto") sources.compiler.clear();
  return sources;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string own = "alnsmith-generate: ";
  if (text.starts_with(own)) text.erase(0, own.size());
  return printable(text, 300);
}

Build failed(Build build, Invalidity how, const std::string &why) {
  build.invalidity = how;
  build.reason = one_line(why);
  return build;
}

// Which choice and compiler a build is of: what tells its folder from others.
std::string key_of(const Configuration &configuration) {
  return choice_text(configuration) + "," + word_of(configuration, "compiler", "auto");
}

// By name, of what lies in a candidate's folder beside build.json.
using Hashes = std::map<std::string, std::string>;

// build.json. `files`: what may be loaded from the folder, and nothing else.
std::string text_of(const Build &build, const std::string &key, const Hashes &files) {
  Json json{{"choice", key},
            {"files", files},
            {"invalidity", invalidity_name(build.invalidity)},
            {"reason", build.reason},
            {"generation", build.generation},
            {"compilation", build.compilation},
            {"kernels", build.kernels},
            {"limits", build.limits},
            {"compiler", build.compiler}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What lies in a candidate's folder, each file read by the rule of what is loaded.
Result<Hashes> hashes_in(const std::string &folder) {
  Hashes hashes;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name == "build.json") continue;
    const auto bytes = trusted_bytes(at->path().string(), "");
    if (!bytes) return bytes.error();
    hashes[name] = sha256_of(*bytes);
  }
  if (error) return Error{fmt::format("{}: cannot be listed: {}", printable(folder, 400), error.message())};
  return hashes;
}

// The build that the folder holds; nothing where it has none, or one that is damaged. An error where others may write
// to it or its files are not those that were made: code is loaded from there.
Result<std::optional<Build>> stored_build(const std::string &folder, const std::string &key) {
  const std::string path = folder + "/build.json";
  std::error_code absent;
  if (!fs::exists(path, absent)) return std::optional<Build>();
  const auto text = trusted_bytes(path, "");
  if (!text) return text.error();
  const auto changed = [&](const std::string &what) {
    return Error{fmt::format("{}: {}; prepare the folder again", printable(path, 400), what)};
  };
  if (too_deep(*text)) return changed("is damaged (nested too deep)");
  try {
    const Json json = Json::parse(*text);
    if (json.at("choice") != key) return changed("is of another candidate than its folder");
    const auto there = hashes_in(folder);
    if (!there) return there.error();
    if (json.at("files").get<Hashes>() != *there)
      return changed("the files beside it are not those that it lists with their hashes");
    Build build;
    for (const Invalidity known :
         {Invalidity::correct, Invalidity::constraints, Invalidity::compile, Invalidity::timeout})
      if (json.at("invalidity") == invalidity_name(known)) build.invalidity = known;
    build.reason = json.at("reason");
    build.generation = json.at("generation");
    build.compilation = json.at("compilation");
    build.kernels = json.at("kernels").get<std::vector<std::string>>();
    build.limits = json.at("limits").get<decltype(build.limits)>();
    build.compiler = json.at("compiler");
    build.folder = folder;
    return std::optional(std::move(build));
  } catch (const nlohmann::json::exception &wrong) {
    return changed(fmt::format("is damaged ({})", wrong.what()));
  }
}

SpecRef reference(const Job &job, const std::string &folder) {
  return {folder + "/spec.yaml", job.spec.name, job.hash};
}

// All steps of one candidate into `folder`, which is there. An error: interrupted.
Result<Build> built(const Job &job, const std::string &work_folder, const Maker &maker,
                    const Configuration &configuration, const std::string &folder) {
  Build build;
  const SpecRef spec = reference(job, work_folder);
  const Sources sources = sources_for(maker, work_folder, configuration);
  const Clock::time_point start = Clock::now();
  const auto late = [&](const char *step) {
    return failed(build, Invalidity::timeout, fmt::format("{} took longer than {} s", step, maker.timeout));
  };
  const Deadline generating(maker.timeout);
  auto plan = plan_kernels(spec, sources, job.target, job.form(), generating);
  if (!plan) {
    if (interrupted()) return interrupted_error();
    if (generating.passed()) return late("planning");
    return failed(build, Invalidity::constraints, plan.error().message);
  }
  build.kernels = plan->entries;
  const auto texts = generate_kernels(spec, sources, *std::move(plan), generating);
  build.generation = seconds_since(start);
  if (!texts) {
    if (interrupted()) return interrupted_error();
    if (generating.passed()) return late("generation");
    return failed(build, Invalidity::compile, texts.error().message);
  }
  const Json limits = Json::parse(texts->limits, nullptr, false);
  if (limits.is_object()) build.limits = limits.get<decltype(build.limits)>();
  const Clock::time_point compiling = Clock::now();
  const Deadline deadline(maker.timeout);
  const auto compiled = compile_kernels(spec, *texts, sources, folder, deadline);
  build.compilation = seconds_since(compiling);
  if (!compiled) {
    if (interrupted()) return interrupted_error();
    if (deadline.passed()) return late("compilation");
    return failed(build, Invalidity::compile, compiled.error().message);
  }
  build.compiler = compiled->compiler;
  return build;
}

}  // namespace

std::string Builder::place_of(const Configuration &configuration) const {
  const std::string key = key_of(configuration);
  std::string name;
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : key) {
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '=' || c == ',' ? c : '-';
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return fmt::format("{}/builds/{}-{:08x}", folder_, name.substr(0, 100), hash & 0xffffffffU);
}

Result<Build> Builder::make_one(const Configuration &configuration) const {
  const std::string place = place_of(configuration), key = key_of(configuration);
  auto known = stored_build(place, key);
  if (known && *known) return **std::move(known);
  if (!known && maker_ == nullptr) return known.error();
  if (maker_ == nullptr)
    return failed(Build{}, Invalidity::compile, "was not prepared: " + configuration_text(configuration));
  const std::string beside = place + ".part";
  std::error_code error;
  fs::remove_all(beside, error);
  fs::create_directories(beside, error);
  if (error) return Error{fmt::format("{}: cannot be made: {}", printable(beside, 400), error.message())};
  auto build = built(job_, folder_, *maker_, configuration, beside);
  if (!build) return build.error();
  const auto files = hashes_in(beside);
  if (!files) return files.error();
  if (auto ok = rt::write_file(beside + "/build.json", text_of(*build, key, *files), 0666); !ok) return ok.error();
  fs::remove_all(place, error);
  fs::rename(beside, place, error);
  if (error) return Error{fmt::format("{}: cannot be made: {}", printable(place, 400), error.message())};
  build->folder = place;
  return build;
}

Result<std::vector<Build>> Builder::make(std::span<const Configuration> configurations) const {
  std::vector<std::string> places;  // of the distinct ones
  std::vector<const Configuration *> distinct;
  for (const Configuration &configuration : configurations) {
    const std::string place = place_of(configuration);
    if (std::ranges::count(places, place) > 0) continue;
    places.push_back(place);
    distinct.push_back(&configuration);
  }
  std::vector<Result<Build>> made(distinct.size(), Error{"not made"});
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < distinct.size();) {
      try {
        made[i] = interrupted() ? Result<Build>(interrupted_error()) : make_one(*distinct[i]);
      } catch (const std::exception &unexpected) {
        made[i] = Error{std::string("cannot build a candidate: ") + unexpected.what()};
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    const auto most = std::min(distinct.size(), static_cast<std::size_t>(maker_ ? std::max(1, maker_->jobs) : 1));
    for (std::size_t i = 1; i < most; ++i) helpers.emplace_back(work);
    work();
  }
  std::vector<Build> builds;
  for (const Configuration &configuration : configurations) {
    const auto at = std::ranges::find(places, place_of(configuration)) - places.begin();
    const Result<Build> &one = made[static_cast<std::size_t>(at)];
    if (!one) return one.error();
    builds.push_back(*one);
  }
  return builds;
}

Result<Configuration> model_configuration(const SpecRef &spec, const std::string &target, Form form, const Space &space,
                                          const Maker &maker, const std::string &work_folder) {
  const auto plan = plan_kernels(spec, sources_for(maker, work_folder, {}), target, form, interrupted);
  if (!plan) return interrupted() ? interrupted_error() : plan.error();
  const Json manifest = Json::parse(plan->manifest, nullptr, false);
  const Json &kernel = manifest.at("kernels").at(0);  // plan_kernels has looked that there is one
  const bool device = !parse_isa(target).has_value();
  Configuration model;
  // On devices the planner lays several tiles out, by lengths: no single k or p.
  if (device) model["mapping"] = "auto";
  for (const Parameter &parameter : space.parameters) {
    if (parameter.name == "compiler") {
      const bool has_auto = std::ranges::count(parameter.values, Value("auto")) > 0;
      model["compiler"] = has_auto ? Value("auto") : parameter.values.front();
    } else if (parameter.name == "threads") {
      model["threads"] = parameter.values.front();
    } else if (!device) {
      const Json value = kernel.value(parameter.name, Json());
      if (value.is_number_integer())
        model[parameter.name] = Value(value.get<std::int64_t>());
      else if (value.is_string())
        model[parameter.name] = Value(value.get<std::string>());
      else
        return Error{"the generator's plan does not say its " + parameter.name + "; rebuild the generator"};
    }
  }
  return model;
}

}  // namespace alnsmith::tool::tune
