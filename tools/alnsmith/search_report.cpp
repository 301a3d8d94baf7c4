// See search_report.h.
#include "search_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "alnsmith/significance.hpp"
#include "common/interrupt.h"
#include "common/scoring_system.h"
#include "common/text.h"
#include "formats/columns.h"
#include "spec/parse.h"
#include "statistics_options.h"

namespace alnsmith::tool {

// A hit that is printed.
struct SearchReport::Reported {
  std::size_t query;
  const search::Entry *query_entry;
  std::string_view query_letters;  // of the strand
  search::Found found;
  const search::Entry *target;
  std::uint64_t rank;
  formats::Significance significance;
};

namespace {

constexpr double kUsualEvalue = 10;

Error usage(std::string message) { return {std::move(message), 2}; }

std::vector<std::string> usual_columns(bool strands, bool evalues, bool z) {
  std::vector<std::string> names{"query", "target"};
  if (strands) names.emplace_back("strand");
  names.emplace_back("score");
  if (evalues) names.insert(names.end(), {"evalue", "bits"});
  if (z) names.emplace_back("z");
  for (const alnsmith::Output output : {kBegins.query, kEnds.query, kBegins.target, kEnds.target})
    names.emplace_back(info_of(output).name);
  names.insert(names.end(), {"identity", "cigar"});
  return names;
}

// What can be said of statistics without simulating.
Result<search::Statistics> checked(const spec::Spec &spec) {
  if (Status ok = check_significance(spec); !ok) return ok.error();
  return search::Statistics{};
}

OutputSet all_outputs() {
  OutputSet outputs{alnsmith::Output::cigar};
  for (const OutputInfo &info : kOutputs) outputs.add(info.output);
  return outputs;
}

}  // namespace

SearchReport::SearchReport(const SearchRun &run, const RunArguments &arguments, const Options &options,
                           std::size_t memory)
    : run_(run), arguments_(arguments), options_(options), memory_(memory) {}

Result<SearchReport> SearchReport::prepare(const SearchRun &run, const RunArguments &arguments, const Options &options,
                                           std::size_t memory, Warnings &warnings, bool check) {
  auto spec = spec::parse_text(run.spec, "the search's spec", "");
  if (!spec) return spec.error();
  SearchReport out(run, arguments, options, memory);
  out.warnings_ = &warnings;
  out.spec_ = std::make_unique<spec::Spec>(*std::move(spec));
  if (Status ok = out.find_statistics(warnings, check); !ok) return ok.error();
  if (Status ok = out.make_writer(check); !ok) return ok.error();
  return out;
}

Result<Opened> SearchReport::open(bool whole_alignments) const {
  spec::Spec spec = *spec_;
  spec.output = {.score = true, .end = whole_alignments, .begin = whole_alignments, .cigar = whole_alignments};
  return open_kernels(arguments_, spec, "", true, options_);
}

Status SearchReport::find_statistics(Warnings &warnings, bool check) {
  const ReportOptions &o = run_.report;
  if (Status ok = check_composition(); !ok) return ok;
  const bool asked = o.evalue || o.db_letters || o.sort == "evalue" || o.composition == false ||
                     (o.format == "blast6" && o.columns.empty()) || (o.stats != "auto" && o.stats != "none");
  if (o.stats == "none") {
    no_evalues_ = "--stats none leaves E-values out";
  } else {
    const auto found =
        check ? checked(*spec_) : statistics_of({o.stats, "standard"}, arguments_, *spec_, "", true, options_);
    if (interrupted()) return interrupted_error();
    if (found)
      statistics_ = *found;
    else if (found.error().exit_code != 2 || asked)
      return found.error();
    else
      no_evalues_ = found.error().message;
  }
  scoring_ = scoring_system(*spec_, run_.scoring);
  if (no_evalues_.empty() && o.composition.value_or(!o.fits()))
    composition_.emplace(scoring_, search::Frequencies::standard(scoring_));
  if (no_evalues_.empty()) return Ok{};
  if (o.evalue) return usage(fmt::format("--evalue {}: {}: take --evalue out, or --min-score", *o.evalue, no_evalues_));
  if (o.composition == false) return usage(fmt::format("--composition off: {}: take it out", no_evalues_));
  if (o.sort == "evalue") return usage(fmt::format("--sort evalue: {}: take it out", no_evalues_));
  if (o.db_letters) return usage(fmt::format("--db-letters: {}: take it out", no_evalues_));
  if (o.stats != "none" && !check && spec_->alignment == spec::Alignment::local)
    warnings.print({"no E-values: " + no_evalues_});
  return Ok{};
}

Status SearchReport::check_composition() const {
  if (!run_.report.fits() || run_.report.composition != true) return Ok{};
  return usage(
      "--composition on: --stats fit has the query's letters in its fit already: take it out, or --stats auto");
}

Status SearchReport::make_writer(bool check) {
  const ReportOptions &o = run_.report;
  const bool maximize = spec_->objective == spec::Objective::maximize;
  const std::vector<int> &matrix = spec_->score.matrix_runtime ? run_.scoring.matrix : spec_->score.matrix;
  of_alphabet_.emplace(spec_->alphabet, maximize ? std::span<const int>(matrix) : std::span<const int>());
  formats::Request request{.format = formats::find_format(o.format)->format,
                           .strands = search::strands_of(run_.strand)->minus,
                           .eqx = o.eqx,
                           .columns = {},
                           .only_columns = true,
                           .evalues = no_evalues_.empty(),
                           .z = o.z_value > 0,
                           .no_evalues = no_evalues_ + ": take evalue, bits and bitscore out (--columns)",
                           .outputs = all_outputs(),
                           .letters = *of_alphabet_,
                           .spec = spec_->name,
                           .gap = run_.gap,
                           .header_bytes = memory_ / 8};
  const bool table = request.format == formats::Format::tsv || request.format == formats::Format::blast6;
  if (!o.columns.empty())
    request.columns = CLI::detail::split(o.columns, ',');
  else if (request.format == formats::Format::tsv)
    request.columns = usual_columns(request.strands, request.evalues, request.z);
  bool aligns = !table || request.columns.empty();
  for (const std::string &name : request.columns) {
    const formats::Column *const column = formats::find_column(name);
    aligns = aligns || (column != nullptr &&
                        (column->source == formats::Source::alignment ||
                         (column->source == formats::Source::output && column->output != alnsmith::Output::score)));
  }
  if (Status ok = check_options(request); !ok) return ok;
  auto writer = formats::make_writer(std::move(request));
  if (!writer) return writer.error();
  writer_ = std::move(*writer);
  if (!aligns || check) return Ok{};
  Result<Opened> opened = open(true);
  if (!opened) return opened.error();
  whole_.emplace(std::move(*opened));
  return Ok{};
}

// What would be computed and not be printed.
Status SearchReport::check_options(const formats::Request &request) const {
  const bool table = request.format == formats::Format::tsv || request.format == formats::Format::blast6;
  const auto printed = [&](std::string_view column) {
    return std::ranges::find(request.columns, column) != request.columns.end();
  };
  const bool z =
      table ? printed("z") : request.format == formats::Format::jsonl || request.format == formats::Format::pretty;
  if (request.z && !z)
    return usage(fmt::format("--z-value: --format {} {}: take tsv, jsonl or pretty, or take --z-value out",
                             run_.report.format, table ? "has no column z here (--columns)" : "has no place for it"));
  const bool cigar = table ? printed(kCigar.name) : request.format != formats::Format::pretty;
  if (request.eqx && !cigar)
    return usage(fmt::format("--eqx: --format {} prints no CIGARs here: take it out", run_.report.format));
  return Ok{};
}

std::optional<search::Statistics> SearchReport::statistics_of_query(const search::SearchId &id, std::size_t query,
                                                                    const search::ScoreCounts &counts,
                                                                    std::size_t counted) {
  if (!no_evalues_.empty()) return std::nullopt;
  if (!run_.report.fits()) return statistics_;
  const search::Entry &entry = id.queries[query];
  auto own = search::fit_statistics(statistics_, entry.letters.size(), counts, counted);
  if (!own) {
    warnings_->print({fmt::format("query {}: no E-values: {}", entry.name, own.error().message)});
    return std::nullopt;
  }
  fitted_.push_back(*own);
  return *std::move(own);
}

std::vector<SearchReport::Reported> SearchReport::significant(const search::SearchId &id, std::size_t query,
                                                              const search::Findings &found,
                                                              const std::vector<search::Found> &list,
                                                              const std::optional<search::Statistics> &statistics,
                                                              std::string &reversed) {
  const ReportOptions &o = run_.report;
  const search::Entry &entry = id.queries[query];
  std::optional<search::QuerySignificance> of_query;
  if (statistics)
    of_query.emplace(*statistics, composition_ ? &*composition_ : nullptr, o.db_letters.value_or(id.letters),
                     search::strands_of(run_.strand)->count(), o.evalue.value_or(kUsualEvalue));
  std::vector<Reported> out;
  for (const search::Found &hit : list) {
    const bool minus = hit.strand == search::Strand::minus;
    if (minus && reversed.empty()) reversed = of_alphabet_->reverse_complement(entry.letters);
    const search::Entry &target = found.targets.at(hit.number);
    Reported one{query, &entry, minus ? std::string_view(reversed) : std::string_view(entry.letters), hit, &target,
                 0,     {}};
    if (of_query) {
      const auto values = of_query->of(hit, one.query_letters, target.letters);
      if (!values) continue;
      one.significance.evalue = values->evalue;
      one.significance.bits = values->bits;
    }
    if (no_evalues_.empty() && !one.significance.evalue) ++without_evalue_;
    one.rank = out.size() + 1;
    out.push_back(one);
  }
  if (o.sort == "evalue")  // those without one behind the others
    std::stable_sort(out.begin(), out.end(), [](const Reported &a, const Reported &b) {
      if (a.significance.evalue.has_value() != b.significance.evalue.has_value())
        return a.significance.evalue.has_value();
      return a.significance.evalue && *a.significance.evalue < *b.significance.evalue;
    });
  return out;
}

Status SearchReport::add_z(std::vector<Reported> &hits) {
  if (!scorer_) {
    Result<Opened> opened = open(false);
    if (!opened) return opened.error();
    scorer_.emplace(std::move(*opened));
  }
  std::vector<search::ShuffledHit> shuffled;
  for (const Reported &hit : hits)
    shuffled.push_back({hit.query_letters, hit.target->letters, hit.found.number, hit.found.score});
  const auto values = search::z_values(shuffled, run_.report.z_value, spec_->objective == spec::Objective::minimize,
                                       scorer_->aligner, options_);
  if (interrupted()) return interrupted_error();
  if (!values) return values.error();
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i].significance.z = (*values)[i];
  return Ok{};
}

Status SearchReport::align(std::span<const Reported> hits, Rows &rows, Totals &totals) {
  const Aligner *const aligner = whole_ ? &whole_->aligner : nullptr;
  const OutputSet outputs = aligner != nullptr ? aligner->outputs() : OutputSet{alnsmith::Output::score};
  Results results(outputs);
  for (std::size_t begin = 0, end = 0; begin < hits.size(); begin = end) {
    std::vector<std::string_view> queries, targets;
    for (std::size_t bytes = 0; end < hits.size(); ++end) {
      const Reported &hit = hits[end];
      bytes += bytes_each(outputs) + 2 * sizeof(std::string_view) +
               cigar_bytes(outputs, hit.query_letters.size() + hit.target->letters.size());
      if (bytes > memory_ / 16 && end > begin) break;
      queries.push_back(hit.query_letters);
      targets.push_back(hit.target->letters);
    }
    if (aligner != nullptr) {
      results.resize(end - begin);
      const Result<Report> report = aligner->align_pairs(queries, targets, results.columns(), options_);
      if (interrupted()) return interrupted_error();
      if (!report) return report.error();
      totals.add(*report, false);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const Reported &hit = hits[i];
      formats::AlignedPair pair{.query_number = hit.query + 1,
                                .query_name = hit.query_entry->name,
                                .query = hit.query_letters,
                                .target_name = hit.target->name,
                                .target = hit.target->letters,
                                .reverse = hit.found.strand == search::Strand::minus,
                                .significance = hit.significance,
                                .rank = hit.rank,
                                .target_number = hit.found.number + 1,
                                .target_description = hit.target->description};
      pair.values.fill(ALN_NONE);
      pair.values[index_of(alnsmith::Output::score)] = hit.found.score;
      if (Status ok = aligner != nullptr ? results.write(rows, pair, i - begin) : rows.row(pair); !ok) return ok;
    }
  }
  return rows.flush();
}

Status SearchReport::begin(const search::Part &hits, Output &output) {
  if (run_.report.fits() && hits.id.sequences < search::kLeastFitted)
    return usage(fmt::format("--stats fit: the database has {} sequences, and a fit needs {}: take --stats auto",
                             hits.id.sequences, search::kLeastFitted));
  Rows rows(*writer_, output);
  if (needs_all())  // targets in the order of the database, each once
    for (const auto &[number, target] : hits.findings.targets)
      if (Status ok = rows.add_target(target.name, target.letters); !ok) return ok;
  if (Status ok = rows.begin(); !ok) return ok;
  return rows.flush();
}

Status SearchReport::write(const search::SearchId &id, std::size_t first_query, const search::Findings &found,
                           Output &output, Totals &totals) {
  Rows rows(*writer_, output);
  // Queries together, so that batches are large, as long as what is known of their hits takes little memory.
  const std::size_t most = memory_ / 32 / sizeof(Reported);
  std::deque<std::string> reversed;
  std::vector<Reported> hits;
  const auto hand_on = [&]() -> Status {
    if (run_.report.z_value > 0 && !hits.empty())
      if (Status ok = add_z(hits); !ok) return ok;
    hits_ += hits.size();
    const Status done = align(hits, rows, totals);
    hits.clear();
    reversed.clear();
    return done;
  };
  for (std::size_t q = 0; q < found.hits.size(); ++q) {
    const auto statistics = statistics_of_query(id, first_query + q, found.counts, q);
    const auto own = significant(id, first_query + q, found, found.hits[q], statistics, reversed.emplace_back());
    hits.insert(hits.end(), own.begin(), own.end());
    if (hits.size() < most) continue;
    if (Status ok = hand_on(); !ok) return ok;
  }
  return hand_on();
}

Status SearchReport::end(Output &output) { return Rows(*writer_, output).end(); }

std::string SearchReport::summary() const {
  std::string text = fmt::format(" hits={}", hits_);
  if (!no_evalues_.empty()) return text + " statistics=none";
  text += fmt::format(" without_evalue={} statistics=", without_evalue_);
  const auto values = [](const search::Statistics &s) {
    return fmt::format(" lambda={:.4g} lambda_error={:.2g} K={:.4g} K_error={:.2g}", s.lambda, s.lambda_error, s.k,
                       s.k_error);
  };
  if (!run_.report.fits()) return text.append(search::method_name(statistics_.method)) + values(statistics_);
  text += fmt::format("fit queries_fitted={}", fitted_.size());
  if (fitted_.empty()) return text;
  std::vector<search::Statistics> sorted = fitted_;
  std::ranges::stable_sort(sorted, {}, &search::Statistics::lambda);
  return text + values(sorted[sorted.size() / 2]) +
         fmt::format(" lambda_range={:.4g}..{:.4g}", sorted.front().lambda, sorted.back().lambda);
}

}  // namespace alnsmith::tool
