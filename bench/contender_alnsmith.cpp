// alnsmith as a user of the library meets it: a spec, an Aligner, the batch call on plain letters.
#include "contender.h"
#include "temporary_aligner.h"

namespace bench {
namespace {

struct State {
  golden::TemporaryAligner aligner;
  alnsmith::Options options;
  std::vector<std::string_view> queries, targets;
  bool one_query;

  alnsmith::Result<alnsmith::Report> align(std::vector<int> &scores) const {
    return one_query ? aligner->align_all(queries, targets, scores, options)
                     : aligner->align_pairs(queries, targets, scores, options);
  }
};

std::string what_ran(const alnsmith::Report &report) {
  std::string text;
  for (const std::string &kernel : report.kernels) text += (text.empty() ? "" : " ") + kernel;
  if (report.promoted > 0) text += " (" + std::to_string(report.promoted) + " promoted)";
  return text;
}

}  // namespace

Ready alnsmith_ready(const Case &one, const AlnsmithOptions &choice) {
  alnsmith::Sources sources;
  sources.generator = choice.generator;
  alnsmith::Options options;
  options.threads = 1;
  if (!choice.isa.empty()) options.isa = alnsmith::parse_isa(choice.isa);
  auto aligner = golden::TemporaryAligner::open(one.spec, sources, options);
  if (!aligner) return {nullptr, aligner.error().message};

  auto state = std::make_shared<State>(State{*std::move(aligner), options, {}, {}, one.batch.one_query});
  for (const std::string &query : one.batch.queries) state->queries.push_back(query);
  for (const std::string &target : one.batch.targets) state->targets.push_back(target);
  std::vector<int> scores(one.batch.pairs());
  const auto report = state->align(scores);  // obtains the kernels
  if (!report) return {nullptr, report.error().message};
  const auto run = [raw = state.get()](std::vector<int> &out) {
    if (!raw->align(out)) out.assign(out.size(), -999999);  // the comparison reports it
  };
  return {std::make_unique<Runner>(Runner{"alnsmith", what_ran(*report), run, state}), ""};
}

}  // namespace bench
