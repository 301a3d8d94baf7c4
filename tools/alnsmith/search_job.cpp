// See search_job.h.
#include "search_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "common/interrupt.h"
#include "common/scoring_system.h"
#include "common/text.h"
#include "shard_option.h"
#include "spec/canonical.h"

namespace alnsmith::tool {
SearchShares::SearchShares(std::size_t budget)
    : call(budget / 2),
      record(budget / 16),
      portion(std::min(budget / 16, std::size_t{64} << 20)),
      queries(budget / 16),
      lists(budget / 8),
      kept(budget / 8),
      report(budget) {}

SearchJob::SearchJob(const SearchArguments &arguments)
    : arguments_(arguments), run_(arguments.run), progress_(!run_.quiet), warnings_(progress_) {}

Status SearchJob::check() {
  if (Status ok = check_packs(run_.packs); !ok) return ok;
  const Result<std::size_t> memory = memory_of(run_);
  if (!memory) return memory.error();
  shares_ = SearchShares(*memory);
  if (arguments_.query == "-" && arguments_.database == "-")
    return Error{"--query and --db cannot both be stdin: give one as a file", 2};
  if (!arguments_.shard.empty() && arguments_.hits.empty())
    return Error{"--shard: hits of a shard go to a part: add --hits FILE, and merge the parts (`alnsmith merge`)", 2};
  if (!arguments_.hits.empty() && !arguments_.out.empty())
    return Error{"--out: hits of --hits are written by `alnsmith merge`: take one of the two options out", 2};
  const Result<search::Shard> shard = shard_of(arguments_.shard);
  if (!shard) return shard.error();
  part_.shard = *shard;
  const std::vector<std::string> inputs{arguments_.query, arguments_.database, run_.spec};
  if (Status ok = keep_inputs("--out", arguments_.out, inputs); !ok) return ok;
  if (Status ok = keep_inputs("--hits", arguments_.hits, inputs); !ok) return ok;
  return Ok{};
}

Status SearchJob::prepare() {
  Result<NamedSpec> named = named_spec(run_.spec, run_.packs);
  if (!named) return named.error();
  named_.emplace(std::move(*named));
  spec::Spec &spec = named_->spec;
  Result<ResolvedScoring> scoring = resolve_scoring(spec, run_.scoring);
  if (!scoring) return scoring.error();
  scoring_ = std::move(*scoring);
  letters_.emplace(spec.alphabet);
  strand_ = !arguments_.strand.empty() ? arguments_.strand : letters_->nucleotides() ? "both" : "plus";
  if (search::strands_of(strand_)->minus)
    if (Status ok = search::check_nucleotides("--strand " + strand_, spec.name, letters_->alphabet()); !ok) return ok;
  const spec::Output own_output = spec.output;
  spec.output = {};  // scores alone: what is reported is aligned again
  Result<Options> options = options_of(run_, shares_.call, scoring_.scoring);
  if (!options) return options.error();
  options_ = std::move(*options);

  const SearchRun wanted{spec::canonical(spec), scoring_.scoring, scoring_.gap, strand_,
                         arguments_.min_score,  arguments_.report};
  part_.id.run = to_json(wanted);
  part_.id.top = arguments_.top;
  part_.id.ties = arguments_.ties == "keep" ? search::Ties::keep : search::Ties::first;
  part_.id.minimize = spec.objective == spec::Objective::minimize;
  // A part is reported by `merge`; that it can be is found out before it is made.
  const bool whole = arguments_.hits.empty();
  Result<SearchReport> made = SearchReport::prepare(wanted, run_, options_, shares_.report, warnings_, !whole);
  if (!made) return made.error();
  if (whole) report_.emplace(std::move(*made));
  Result<Opened> opened =
      open_kernels(run_, spec, named_->path, scoring_.spec_changed || spec.output != own_output, options_);
  if (!opened) return opened.error();
  scorer_.emplace(std::move(*opened));
  warnings_.print(scorer_->aligner.warnings());
  return Ok{};
}

Status SearchJob::read() {
  Result<Input> input = Input::open(arguments_.query, rules_of(named_->spec, scorer_->aligner, true), shares_.record);
  if (!input) return input.error();
  Block block;
  if (Status ok = input->fill(block, ~std::size_t{0}, shares_.queries); !ok) return ok;
  if (!input->exhausted())
    return Error{
        fmt::format("{}: the queries need more than {} bytes of memory: give fewer at a time, or raise --memory",
                    input->label(), shares_.queries)};
  for (std::size_t q = 0; q < block.size(); ++q)
    part_.id.queries.push_back({std::string(block.name(q)), {}, std::string(block.letters(q))});
  as_wildcard_ = input->as_wildcard();
  Result<SearchTargets> targets =
      SearchTargets::open(arguments_.database, part_.shard, rules_of(named_->spec, scorer_->aligner, false),
                          shares_.record, !arguments_.hits.empty(), scorer_->aligner.target_layout(options_));
  if (!targets) return targets.error();
  if (!targets->note().empty()) warnings_.print({targets->note()});
  targets_.emplace(std::move(*targets));
  return Ok{};
}

// Whether --hits is there and is what this run would write; another search's is not overwritten. What stdin holds is
// not known, so that part is made again, and so is a damaged one.
Result<bool> SearchJob::already_done() {
  std::error_code failed;
  if (arguments_.hits.empty() || !std::filesystem::exists(arguments_.hits, failed)) return false;
  if (!search::is_part(arguments_.hits))
    return Error{fmt::format("--hits {}: is there and is no part of a search: move it away, or name another file",
                             printable(arguments_.hits, 400))};
  const auto part = search::read_part(arguments_.hits);
  if (!part) return false;  // damaged: made again
  const bool known = arguments_.database != "-";
  if (known)
    if (Status ok = targets_->survey(); !ok) return ok.error();
  search::SearchId own = part_.id;
  targets_->describe(own);
  if (!known)
    std::tie(own.database, own.sequences, own.letters) =
        std::tie(part->id.database, part->id.sequences, part->id.letters);
  if (part->id == own && part->shard == part_.shard) return known;
  return Error{fmt::format("--hits {}: is there and is a part of another search: move it away, or name another file",
                           printable(arguments_.hits, 400))};
}

search::Queries SearchJob::queries() {
  const search::StrandChoice wanted = *search::strands_of(strand_);
  search::Queries out;
  for (const search::Entry &query : part_.id.queries) {
    if (wanted.plus) out.plus.push_back(query.letters);
    if (wanted.minus) reversed_.push_back(letters_->reverse_complement(query.letters));
  }
  out.minus.assign(reversed_.begin(), reversed_.end());
  return out;
}

Status SearchJob::find() {
  search::FindOptions find;
  find.top = arguments_.top;
  find.ties = part_.id.ties;
  find.worst = arguments_.min_score;
  // A local alignment of nothing is no hit.
  if (named_->spec.alignment == spec::Alignment::local) find.worst = std::max(find.worst.value_or(1), 1);
  if (arguments_.report.fits()) {
    const search::ScoringSystem scoring = scoring_system(named_->spec, scoring_.scoring);
    find.count_unit = search::score_period(scoring, search::Frequencies::standard(scoring));
  }
  find.portion_bytes = shares_.portion;
  find.list_bytes = shares_.lists;
  find.kept_bytes = shares_.kept;
  find.call = options_;
  find.call.progress = [&](std::uint64_t pairs) { progress_.update(pairs); };
  find.called = [&](const Report &called) {
    totals_.add(called, true);
    warnings_.print(called.warnings);
  };
  find.begins = [&](std::uint64_t pairs, std::optional<double> until) { progress_.begin_part(pairs, until); };
  // A report is written turn by turn; parts, and formats that list all targets first, are kept.
  const bool streams = report_ && !report_->needs_all();
  bool begun = false;
  std::size_t kept = 0;
  find.turn = [&](std::size_t first, search::Findings &&found) -> Status {
    targets_->describe(part_.id);
    if (streams) {
      if (!std::exchange(begun, true))
        if (Status ok = report_->begin(part_, *output_); !ok) return ok;
      return report_->write(part_.id, first, found, *output_, totals_);
    }
    for (auto &list : found.hits) {
      kept += sizeof list + list.size() * sizeof(search::Found);
      part_.findings.hits.push_back(std::move(list));
    }
    for (const auto &[number, entry] : found.targets)
      if (!part_.findings.targets.contains(number))
        kept += entry.name.size() + entry.description.size() + entry.letters.size() + sizeof(search::Entry) + 64;
    part_.findings.targets.merge(found.targets);
    for (const auto &list : found.counts.queries) kept += sizeof list + list.size() * sizeof(search::CountedPairs);
    part_.findings.counts.append(std::move(found.counts));
    if (kept > shares_.lists + shares_.kept)
      return Error{
          fmt::format("the hits of so many queries need more than {} bytes of memory: give fewer queries at a "
                      "time, lower --top, or raise --memory",
                      shares_.lists + shares_.kept)};
    return Ok{};
  };
  const Result<search::Findings> found = search::find(scorer_->aligner, queries(), targets_->source(), find);
  if (interrupted()) return interrupted_error();
  if (!found) return found.error();
  part_.findings.sequences = found->sequences;
  part_.findings.letters = found->letters;
  return Ok{};
}

Status SearchJob::finish() {
  if (!report_) return search::write_part(arguments_.hits, part_);
  if (report_->needs_all()) {
    if (Status ok = report_->begin(part_, *output_); !ok) return ok;
    if (Status ok = report_->write(part_.id, 0, part_.findings, *output_, totals_); !ok)
      return interrupted() ? interrupted_error() : ok.error();
  }
  if (Status ok = report_->end(*output_); !ok) return ok;
  return output_->finish();
}

Status SearchJob::run() {
  for (const auto step : {&SearchJob::check, &SearchJob::prepare, &SearchJob::read})
    if (Status ok = (this->*step)(); !ok) return ok;
  const Result<bool> done = already_done();
  if (!done) return done.error();
  if (*done) {
    if (!run_.quiet) print_line(fmt::format("{}: is complete already", printable(arguments_.hits, 400)));
    return Ok{};
  }
  // A part is written at once at the end; that it can be is seen now.
  Result<Output> opened = Output::open(report_ ? arguments_.out : arguments_.hits);
  if (!opened) return opened.error();
  if (report_) output_.emplace(std::move(*opened));
  for (const auto step : {&SearchJob::find, &SearchJob::finish})
    if (Status ok = (this->*step)(); !ok) return ok;
  progress_.wipe();
  if (run_.explain) explain(scorer_->aligner, named_->label, scorer_->kernels.reference.hash, totals_);
  if (!run_.quiet)
    print_line(fmt::format(
        "queries={} targets={} letters={} {}{}", part_.id.queries.size(), part_.findings.sequences,
        part_.findings.letters,
        totals_.line(watch_.seconds(), scorer_->aligner, scoring_.gap, as_wildcard_ + targets_->as_wildcard()),
        report_ ? report_->summary() : ""));
  return Ok{};
}

}  // namespace alnsmith::tool
