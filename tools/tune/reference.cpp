// See reference.h.
#include "tune/reference.h"

#include <fmt/format.h>

#include "spec_problem.h"

namespace alnsmith::tool::tune {

Answers expected_answers(const spec::Spec &spec, const Scoring &scoring, const Batch &batch, bool all) {
  const oracle::Problem problem = oracle::spec_problem(spec, scoring);
  Answers answers;
  const auto add = [&](const std::string &query, const std::string &target) {
    const oracle::Answer answer = oracle::align(problem, query, target);
    answers.scores.push_back(static_cast<std::int32_t>(answer.score));
    if (!spec.output.end) return;
    answers.query_ends.push_back(static_cast<std::int32_t>(answer.query_end));
    answers.target_ends.push_back(static_cast<std::int32_t>(answer.target_end));
  };
  if (!all)
    for (std::size_t i = 0; i < batch.queries.size(); ++i) add(batch.queries[i], batch.targets[i]);
  else
    for (const std::string &query : batch.queries)
      for (const std::string &target : batch.targets) add(query, target);
  return answers;
}

std::string first_difference(const Answers &expected, const Answers &got, const Batch &batch, bool all) {
  if (got.scores.size() != expected.scores.size())
    return fmt::format("{} scores instead of {}", got.scores.size(), expected.scores.size());
  if (got.query_ends.size() != expected.query_ends.size() || got.target_ends.size() != expected.target_ends.size())
    return "the number of ends is wrong";
  for (std::size_t i = 0; i < expected.scores.size(); ++i) {
    const std::size_t columns = batch.targets.size();
    const std::string &query = batch.queries[all ? i / columns : i], &target = batch.targets[all ? i % columns : i];
    const auto said = [&](const char *what, long wrong, long right) {
      return fmt::format("{} of pair {} ({} x {} letters) is {}, the reference says {}", what, i, query.size(),
                         target.size(), wrong, right);
    };
    if (got.scores[i] != expected.scores[i]) return said("the score", got.scores[i], expected.scores[i]);
    if (expected.query_ends.empty()) continue;
    if (got.query_ends[i] != expected.query_ends[i])
      return said("the query end", got.query_ends[i], expected.query_ends[i]);
    if (got.target_ends[i] != expected.target_ends[i])
      return said("the target end", got.target_ends[i], expected.target_ends[i]);
  }
  return {};
}

}  // namespace alnsmith::tool::tune
