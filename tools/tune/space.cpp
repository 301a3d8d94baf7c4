// See space.h.
#include "tune/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "targets/arithmetics.h"
#include "targets/mappings.h"
#include "targets/targets.h"

namespace alnsmith::tool::tune {
namespace {

// Where a parameter means something.
struct Known {
  std::string_view name;
  bool cpu, device, to_generator;
};
constexpr std::array<Known, 9> kKnown = {{{"k", true, true, true},
                                          {"p", false, true, true},
                                          {"rows", true, true, true},
                                          {"mapping", true, true, true},
                                          {"arithmetic", true, true, true},
                                          {"block", false, true, true},
                                          {"grid", false, true, true},
                                          {"compiler", true, true, false},
                                          {"threads", true, false, false}}};
constexpr int kMostK = 64;  // the templates' MAX_K

std::vector<Value> integers(const std::vector<int> &list) {
  std::vector<int> sorted = list;
  std::sort(sorted.begin(), sorted.end());
  return {sorted.begin(), sorted.end()};
}

std::vector<Value> usual(std::string_view name, bool device) {
  if (name == "k") return integers(device ? std::vector{4, 8, 16, 24, 32} : std::vector{2, 4, 6, 8, 10, 12, 14, 16});
  if (name == "p" && device) return integers({4, 8, 16, 32});
  std::vector<Value> arithmetics;  // that keep scores
  if (name == "arithmetic" && !device)
    for (const targets::Arithmetic &row : targets::kArithmetics)
      if (row.on_cpus() && !row.sliced()) arithmetics.emplace_back(std::string(row.name));
  return arithmetics;
}

const Parameter *find(const Space &space, std::string_view name) {
  const auto it = std::ranges::find(space.parameters, name, &Parameter::name);
  return it == space.parameters.end() ? nullptr : &*it;
}

std::int64_t stages_of(int longest, std::int64_t p, std::int64_t k) { return (longest + p * k - 1) / (p * k); }

// Holds the space to the numbers of stages that the spec lists. Where it lists no k, those that make them.
Status limit_stages(const spec::Spec &spec, bool device, Space &space) {
  const auto listed = spec.tune.find("stages");
  if (listed == spec.tune.end()) return Ok{};
  const char *side = device ? "query" : "target";
  if (!space.longest_register)
    return Error{
        fmt::format("{}: tune: stages needs max_length: {{{}: ...}}; name k instead, or give it", spec.name, side)};
  const Parameter *p = find(space, "p");
  if (device && p == nullptr) return Error{fmt::format("{}: tune: stages needs p, as in p: [16, 32]", spec.name)};
  space.stages = listed->second;
  if (find(space, "k") != nullptr) return Ok{};
  std::vector<int> widths;
  const std::vector<Value> lanes = p != nullptr ? p->values : std::vector<Value>{std::int64_t{1}};
  for (const Value &lane : lanes)
    for (const int stages : listed->second) {
      const std::int64_t k = stages_of(*space.longest_register, std::get<std::int64_t>(lane), stages);
      if (k <= kMostK && stages_of(*space.longest_register, std::get<std::int64_t>(lane), k) == stages)
        widths.push_back(static_cast<int>(k));
    }
  std::sort(widths.begin(), widths.end());
  widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
  if (widths.empty())
    return Error{fmt::format("{}: tune: no k up to {} takes a {} of {} in so many stages; list more of them", spec.name,
                             kMostK, side, *space.longest_register)};
  space.parameters.insert(space.parameters.begin(), Parameter{"k", integers(widths)});
  return Ok{};
}

}  // namespace

std::optional<std::int64_t> Space::stages_taken(const Configuration &configuration) const {
  const std::int64_t k = number_of(configuration, "k", 0);
  std::int64_t p = number_of(configuration, "p", device ? 0 : 1);
  if (word_of(configuration, "mapping", "") == targets::mappings::lanes) p = 1;
  if (!longest_register || k == 0 || p == 0) return std::nullopt;
  return stages_of(*longest_register, p, k);
}

Status Space::add_condition(const std::string &expression, const std::string &reason) {
  auto parsed = spec::Expression::parse(expression, spec::condition_grammar());
  if (!parsed) return Error{fmt::format("constraint '{}': {}", expression, parsed.error().message)};
  const bool counted = longest_register && find(*this, "k") != nullptr && (!device || find(*this, "p") != nullptr);
  for (const std::string &name : parsed->names())
    if (!(name == "stages" ? counted : find(*this, name) != nullptr)) {
      warnings.push_back(fmt::format("constraint '{}' does not apply: the space has no {}", expression, name));
      return Ok{};
    }
  texts_.push_back({expression, reason});
  conditions_.push_back(*std::move(parsed));
  return Ok{};
}

std::size_t Space::size() const {
  std::size_t all = 1;
  for (const Parameter &parameter : parameters) all *= parameter.values.size();
  return all;
}

Configuration Space::at(std::size_t index) const {
  Configuration configuration;
  for (const Parameter &parameter : std::views::reverse(parameters)) {
    configuration[parameter.name] = parameter.values[index % parameter.values.size()];
    index /= parameter.values.size();
  }
  return configuration;
}

std::optional<std::size_t> Space::index_of(const Configuration &configuration) const {
  std::size_t index = 0;
  if (configuration.size() != parameters.size()) return std::nullopt;
  for (const Parameter &parameter : parameters) {
    const auto given = configuration.find(parameter.name);
    if (given == configuration.end()) return std::nullopt;
    const auto value = std::ranges::find(parameter.values, given->second);
    if (value == parameter.values.end()) return std::nullopt;
    index = index * parameter.values.size() + static_cast<std::size_t>(value - parameter.values.begin());
  }
  return index;
}

std::string Space::violated(const Configuration &configuration) const {
  const auto taken = stages_taken(configuration);
  if (!stages.empty() && taken && std::ranges::find(stages, *taken) == stages.end())
    return fmt::format("takes {} stages; the spec lists {}", *taken, fmt::join(stages, ", "));
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const auto value = conditions_[i].value([&](std::string_view name) {
      return name == "stages" ? Value(taken.value_or(0)) : configuration.at(std::string(name));
    });
    if (value && *value != 0) continue;
    if (!value) return fmt::format("{}: divides by zero", texts_[i].expression);
    return texts_[i].reason.empty() ? fmt::format("does not meet {}", texts_[i].expression) : texts_[i].reason;
  }
  return {};
}

Result<Space> make_space(const spec::Spec &spec, const std::string &target, const std::vector<std::string> &compilers) {
  const auto parsed = targets::parse(target);
  if (!parsed || !targets::known(*parsed)) return Error{fmt::format("{}: no such target", target), 2};
  const bool device = parsed->kind != targets::Kind::cpu;
  const bool own = !spec.tune.empty() || !spec.tune_words.empty();
  Space space;
  space.device = device;
  space.longest_register = device ? spec.max_query : spec.max_target;
  for (const Known &known : kKnown) {
    Parameter parameter{std::string(known.name), {}};
    if (const auto numbers = spec.tune.find(parameter.name); numbers != spec.tune.end())
      parameter.values = integers(numbers->second);
    if (const auto words = spec.tune_words.find(parameter.name); words != spec.tune_words.end())
      parameter.values.assign(words->second.begin(), words->second.end());
    if (!own) parameter.values = usual(known.name, device);
    if (known.name == "compiler" && !compilers.empty()) parameter.values.assign(compilers.begin(), compilers.end());
    if (parameter.values.empty()) continue;
    if (!(device ? known.device : known.cpu)) {
      space.warnings.push_back(
          fmt::format("{} is for {}: left out on {}", known.name, device ? "the CPU" : "GPUs and OpenCL", target));
      continue;
    }
    if (known.name == "arithmetic" && !device)
      std::erase_if(parameter.values, [&](const Value &value) {
        const auto *row = targets::find_arithmetic(std::get<std::string>(value));
        const bool of_gpus = row == nullptr || !row->on_cpus();
        if (of_gpus)
          space.warnings.push_back(fmt::format("arithmetic {} is for GPUs: left out on {}", value_text(value), target));
        return of_gpus;
      });
    if (!parameter.values.empty()) space.parameters.push_back(std::move(parameter));
  }
  if (auto ok = limit_stages(spec, device, space); !ok) return ok.error();
  if (space.parameters.empty())
    return Error{fmt::format("{}: its search space has no parameter for {}; write e.g. `tune: {{k: [4, 8, 16]}}`",
                             spec.name, target)};
  std::size_t size = 1;
  for (const Parameter &parameter : space.parameters) {
    size *= parameter.values.size();
    if (size > kMostCandidates)
      return Error{
          fmt::format("{}: its search space has more than {} candidates; shorten a list", spec.name, kMostCandidates)};
  }
  for (const spec::Constraint &constraint : spec.tune_constraints)
    if (auto ok = space.add_condition(constraint.expression, constraint.reason); !ok) return ok.error();
  return space;
}

std::string choice_text(const Configuration &configuration) {
  std::string text;
  for (const Known &known : kKnown) {
    const auto value = configuration.find(std::string(known.name));
    if (!known.to_generator || value == configuration.end()) continue;
    const std::string word = value_text(value->second);
    if (word != "auto") text += fmt::format("{}{}={}", text.empty() ? "" : ",", known.name, word);
  }
  return text;
}

std::string word_of(const Configuration &configuration, const std::string &name, const std::string &otherwise) {
  const auto value = configuration.find(name);
  return value == configuration.end() ? otherwise : value_text(value->second);
}

std::int64_t number_of(const Configuration &configuration, const std::string &name, std::int64_t otherwise) {
  const auto value = configuration.find(name);
  const auto *number = value == configuration.end() ? nullptr : std::get_if<std::int64_t>(&value->second);
  return number != nullptr ? *number : otherwise;
}

}  // namespace alnsmith::tool::tune
