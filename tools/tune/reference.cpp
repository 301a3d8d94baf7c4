// See reference.h.
#include "tune/reference.h"

#include <fmt/format.h>

#include "spec_problem.h"

namespace alnsmith::tool::tune {

Answers::Answers(OutputSet outputs, std::size_t pairs) {
  for (const OutputInfo &info : kOutputs)
    if (outputs.contains(info.output)) (*this)[info.output].resize(pairs);
}

Answers Answers::of(std::size_t pair) const {
  Answers one;
  for (std::size_t i = 0; i < kOutputCount; ++i)
    if (!values[i].empty()) one.values[i] = {values[i].at(pair)};
  return one;
}

Columns Answers::columns() {
  Columns columns;
  for (const OutputInfo &info : kOutputs)
    if (auto &list = (*this)[info.output]; info.output == alnsmith::Output::score || !list.empty())
      columns.set(info.output, list);
  return columns;
}

nlohmann::json to_json(const Answers &answers) {
  nlohmann::json json = nlohmann::json::object();
  for (const OutputInfo &info : kOutputs) json[std::string(info.name)] = answers[info.output];
  return json;
}

Answers answers_from(const nlohmann::json &json) {
  Answers answers;
  for (const OutputInfo &info : kOutputs) json.at(std::string(info.name)).get_to(answers[info.output]);
  return answers;
}

OutputSet outputs_of(const spec::Spec &spec) {
  OutputSet outputs;
#define ALN_ASKED(Y, type, name, key, words) \
  if (spec.output.key) outputs.add(alnsmith::Output::name);
  ALN_OUTPUTS(ALN_ASKED, )
#undef ALN_ASKED
  return outputs;
}

Answers expected_answers(const spec::Spec &spec, const Scoring &scoring, const Batch &batch, bool all) {
  const oracle::Problem problem = oracle::spec_problem(spec, scoring);
  const OutputSet outputs = outputs_of(spec);
  Answers answers;
  const auto add = [&](const std::string &query, const std::string &target) {
    const oracle::Answer answer = oracle::align(problem, query, target);
#define ALN_ADDED(Y, type, name, key, words)    \
  if (outputs.contains(alnsmith::Output::name)) \
    answers[alnsmith::Output::name].push_back(static_cast<std::int32_t>(answer.name));
    ALN_OUTPUTS(ALN_ADDED, )
#undef ALN_ADDED
  };
  if (!all)
    for (std::size_t i = 0; i < batch.queries.size(); ++i) add(batch.queries[i], batch.targets[i]);
  else
    for (const std::string &query : batch.queries)
      for (const std::string &target : batch.targets) add(query, target);
  return answers;
}

std::string first_difference(const Answers &expected, const Answers &got, const Batch &batch, bool all) {
  for (const OutputInfo &info : kOutputs)
    if (got[info.output].size() != expected[info.output].size())
      return fmt::format("{} values of {} instead of {}", got[info.output].size(), info.name,
                         expected[info.output].size());
  for (std::size_t i = 0; i < expected.pairs(); ++i) {
    const std::size_t columns = batch.targets.size();
    const std::string &query = batch.queries[all ? i / columns : i], &target = batch.targets[all ? i % columns : i];
    for (const OutputInfo &info : kOutputs) {
      if (expected[info.output].empty() || got[info.output][i] == expected[info.output][i]) continue;
      return fmt::format("the {} of pair {} ({} x {} letters) is {}, the reference says {}", info.name, i, query.size(),
                         target.size(), got[info.output][i], expected[info.output][i]);
    }
  }
  return {};
}

}  // namespace alnsmith::tool::tune
