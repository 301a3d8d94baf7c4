// alnsmith as a user of the library meets it: a spec, an Aligner, the batch call on plain letters.
#include "contender.h"
#include "temporary_aligner.h"

namespace bench {
namespace {

struct State {
  golden::TemporaryAligner aligner;
  alnsmith::Options options;
  std::vector<std::string_view> queries, targets;
  bool each;

  alnsmith::Result<alnsmith::Report> align(std::vector<int> &scores) const {
    return each ? aligner->align_all(queries, targets, scores, options)
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
  Ready ready;
  const auto add = [&](const std::string &name, bool each) {
    auto aligner = golden::TemporaryAligner::open(one.spec, sources, options);
    if (!aligner) return void(ready.error = aligner.error().message);
    auto state = std::make_shared<State>(State{*std::move(aligner), options, {}, {}, each});
    const Batch &batch = one.batch;
    for (std::size_t i = 0; i < (each ? batch.queries.size() : batch.pairs()); ++i)
      state->queries.push_back(each ? std::string_view(batch.queries[i]) : batch.query(i));
    for (std::size_t i = 0; i < (each ? batch.targets.size() : batch.pairs()); ++i)
      state->targets.push_back(each ? std::string_view(batch.targets[i]) : batch.target(i));
    std::vector<int> scores(batch.pairs());
    const auto report = state->align(scores);  // obtains the kernels
    if (!report) return void(ready.error = report.error().message);
    const auto run = [raw = state.get()](std::vector<int> &out) {
      if (!raw->align(out)) out.assign(out.size(), -999999);  // the comparison reports it
    };
    ready.runners.push_back({name, what_ran(*report), run, state});
  };
  add("alnsmith", one.batch.each);
  if (one.batch.each && one.batch.queries.size() > 1) add("alnsmith pairs", false);
  return ready;
}

}  // namespace bench
