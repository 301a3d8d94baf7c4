// See search_report.h.
#include "search_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "common/interrupt.h"
#include "common/scoring_system.h"
#include "common/text.h"
#include "formats/columns.h"
#include "results.h"
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
  names.insert(names.end(), {"query_begin", "query_end", "target_begin", "target_end", "identity", "cigar"});
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
  const bool asked = o.evalue || o.db_letters || o.format == "blast6" || o.sort == "evalue" ||
                     (o.stats != "auto" && o.stats != "none");
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
  if (no_evalues_.empty()) return Ok{};
  if (o.evalue) return usage(fmt::format("--evalue {}: {}: take --evalue out, or --min-score", *o.evalue, no_evalues_));
  if (o.sort == "evalue") return usage(fmt::format("--sort evalue: {}: take it out", no_evalues_));
  if (o.db_letters) return usage(fmt::format("--db-letters: {}: take it out", no_evalues_));
  if (o.stats != "none" && spec_->alignment == spec::Alignment::local) warnings.print({"no E-values: " + no_evalues_});
  return Ok{};
}

Status SearchReport::make_writer(bool check) {
  const ReportOptions &o = run_.report;
  const bool maximize = spec_->objective == spec::Objective::maximize;
  const std::vector<int> &matrix = spec_->score.matrix_runtime ? run_.scoring.matrix : spec_->score.matrix;
  of_alphabet_.emplace(spec_->alphabet, maximize ? std::span<const int>(matrix) : std::span<const int>());
  formats::Request request{.format = formats::find_format(o.format)->format,
                           .strands = run_.strand != "plus",
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
  auto writer = formats::make_writer(std::move(request));
  if (!writer) return writer.error();
  writer_ = std::move(*writer);
  if (!aligns || check) return Ok{};
  Result<Opened> opened = open(true);
  if (!opened) return opened.error();
  whole_.emplace(std::move(*opened));
  return Ok{};
}

std::string_view SearchReport::letters(const search::Part &whole, std::size_t query, search::Strand strand) {
  const std::string &read = whole.id.queries[query].letters;
  if (strand == search::Strand::plus) return read;
  reversed_.resize(whole.id.queries.size());
  std::string &own = reversed_[query];
  if (own.empty()) own = of_alphabet_->reverse_complement(read);
  return own;
}

std::vector<SearchReport::Reported> SearchReport::significant(const search::Part &whole) {
  const ReportOptions &o = run_.report;
  const bool evalues = no_evalues_.empty();
  const double cut = o.evalue.value_or(kUsualEvalue);
  std::optional<search::Composition> composition;
  if (evalues && o.composition) composition.emplace(scoring_, search::Frequencies::standard(scoring_));
  const std::uint64_t database = o.db_letters.value_or(whole.id.letters);
  std::vector<Reported> out;
  for (std::size_t q = 0; q < whole.id.queries.size(); ++q) {
    search::LetterCounts own[2];  // by strand
    std::uint64_t rank = 0;
    const std::size_t first = out.size();
    for (const search::Found &hit : whole.findings.hits[q]) {
      const search::Entry &target = whole.findings.targets.at(hit.number);
      Reported one{q, &whole.id.queries[q], letters(whole, q, hit.strand), hit, &target, 0, {}};
      if (evalues) {
        const auto expected = [&](double ratio) {
          return search::expected_hits(statistics_, hit.score, ratio, one.query_letters.size(), target.letters.size(),
                                       database);
        };
        // A ratio is 1 at most, so E is at least what it is without: most hits need no ratio.
        if (expected(1) > cut) continue;
        std::optional<double> ratio = 1.0;
        if (composition) {
          search::LetterCounts &query = own[static_cast<std::size_t>(hit.strand)];
          if (query.empty()) query = composition->count(one.query_letters);
          ratio = composition->ratio(query, composition->count(target.letters));
        }
        if (!ratio) {  // by chance alone the pair's score grows with its length: no E is small
          ++without_evalue_;
          continue;
        }
        one.significance.evalue = expected(*ratio);
        one.significance.bits = search::bit_score(statistics_, hit.score, *ratio);
        if (*one.significance.evalue > cut) continue;
      }
      one.rank = ++rank;
      out.push_back(one);
    }
    if (o.sort == "evalue")
      std::stable_sort(
          out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
          [](const Reported &a, const Reported &b) { return *a.significance.evalue < *b.significance.evalue; });
  }
  return out;
}

Status SearchReport::add_z(std::vector<Reported> &hits) {
  const Result<Opened> scorer = open(false);
  if (!scorer) return scorer.error();
  std::vector<search::ShuffledHit> shuffled;
  for (const Reported &hit : hits)
    shuffled.push_back({hit.query_letters, hit.target->letters, hit.found.number, hit.found.score});
  const auto values = search::z_values(shuffled, run_.report.z_value, spec_->objective == spec::Objective::minimize,
                                       scorer->aligner, options_);
  if (interrupted()) return interrupted_error();
  if (!values) return values.error();
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i].significance.z = (*values)[i];
  return Ok{};
}

Status SearchReport::align(const std::vector<Reported> &hits, Output &output, Totals &totals) {
  const Aligner *const aligner = whole_ ? &whole_->aligner : nullptr;
  Rows rows(*writer_, output);
  if (rows.needs_targets()) {  // in the order of the database, each once
    std::map<std::uint64_t, const search::Entry *> targets;
    for (const Reported &hit : hits) targets.emplace(hit.found.number, hit.target);
    for (const auto &[number, target] : targets)
      if (Status ok = rows.add_target(target->name, target->letters); !ok) return ok;
  }
  if (Status ok = rows.begin(); !ok) return ok;
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
  return rows.end();
}

Status SearchReport::write(const search::Part &whole, Output &output, Totals &totals) {
  std::vector<Reported> hits = significant(whole);
  hits_ = hits.size();
  if (run_.report.z_value > 0 && !hits.empty())
    if (Status ok = add_z(hits); !ok) return ok;
  return align(hits, output, totals);
}

std::string SearchReport::summary() const {
  std::string text = fmt::format(" hits={}", hits_);
  if (!no_evalues_.empty()) return text + " statistics=none";
  return text +
         fmt::format(" without_evalue={} statistics={} lambda={:.4g} lambda_error={:.2g} K={:.4g} K_error={:.2g}",
                     without_evalue_, search::method_name(statistics_.method), statistics_.lambda,
                     statistics_.lambda_error, statistics_.k, statistics_.k_error);
}

}  // namespace alnsmith::tool
