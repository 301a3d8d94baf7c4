// alnsmith as a user of the library meets it: a spec, an Aligner, the batch call on plain letters.
#include "contender.h"
#include "temporary_aligner.h"

namespace bench {
namespace {

struct State {
  golden::TemporaryAligner aligner;
  alnsmith::Options options;
  std::vector<std::string_view> queries, targets;
  bool each, cigar;

  alnsmith::Result<alnsmith::Report> align(Results &results) const {
    if (each) return aligner->align_all(queries, targets, results.scores, options);
    if (!cigar) return aligner->align_pairs(queries, targets, results.scores, options);
    alnsmith::Columns columns = {{alnsmith::Output::score, results.scores},
                                 {alnsmith::Output::query_begin, results.query_begins},
                                 {alnsmith::Output::target_begin, results.target_begins}};
    columns.set(results.cigars);
    return aligner->align_pairs(queries, targets, columns, options);
  }
};

std::string what_ran(const alnsmith::Report &report) {
  std::string text;
  for (const std::string &kernel : report.kernels) text += (text.empty() ? "" : " ") + kernel;
  if (report.promoted > 0) text += " (" + std::to_string(report.promoted) + " promoted)";
  return text;
}

// The narrowest arithmetic of the kernels that ran, the one that the others were promoted from.
std::string narrowest(const alnsmith::Report &report) {
  for (const char *bits : {"8", "16", "32"})
    for (const std::string &kernel : report.kernels)
      if (kernel.find(std::string("_i") + bits + "_") != std::string::npos) return std::string("int") + bits;
  return "";
}

}  // namespace

Ready alnsmith_ready(const Case &one, const AlnsmithOptions &choice) {
  alnsmith::Sources sources;
  sources.generator = choice.generator;
  alnsmith::Options options;
  options.threads = 1;
  if (!choice.isa.empty()) options.isa = alnsmith::parse_isa(choice.isa);
  Ready ready;
  // Says in which arithmetic it ran.
  const auto add = [&](const std::string &name, const std::string &spec, bool each, bool cigar) -> std::string {
    const auto failed = [&](const alnsmith::Error &error) {
      ready.error = error.message;
      return "";
    };
    auto aligner = golden::TemporaryAligner::open(spec, sources, options);
    if (!aligner) return failed(aligner.error());
    auto state = std::make_shared<State>(State{*std::move(aligner), options, {}, {}, each, cigar});
    const Batch &batch = one.batch;
    for (std::size_t i = 0; i < (each ? batch.queries.size() : batch.pairs()); ++i)
      state->queries.push_back(each ? std::string_view(batch.queries[i]) : batch.query(i));
    for (std::size_t i = 0; i < (each ? batch.targets.size() : batch.pairs()); ++i)
      state->targets.push_back(each ? std::string_view(batch.targets[i]) : batch.target(i));
    Results results = room_for(one);
    const auto report = state->align(results);  // obtains the kernels
    if (!report) return failed(report.error());
    const auto run = [raw = state.get()](Results &out) {
      if (!raw->align(out)) out.scores.assign(out.scores.size(), -999999);  // the comparison reports it
    };
    ready.runners.push_back({name, what_ran(*report), run, state, cigar});
    return narrowest(*report);
  };
  const std::string arithmetic = add("alnsmith", one.spec, one.batch.each, one.task.cigar);
  if (one.batch.each) add("alnsmith pairs", one.spec, false, false);
  if (one.task.cigar && ready.error.empty()) {
    peer_task scores = one.task;
    scores.cigar = 0;
    add("alnsmith scores", spec_text(scores, arithmetic), false, false);
  }
  return ready;
}

}  // namespace bench
