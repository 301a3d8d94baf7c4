// `alnsmith search`: options, and the way from them to hits, or to a part of them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "alnsmith/database_source.hpp"
#include "alnsmith/search_parts.hpp"
#include "commands.h"
#include "common/interrupt.h"
#include "common/named_spec.h"
#include "common/text.h"
#include "progress.h"
#include "run_options.h"
#include "search_report.h"
#include "search_source.h"
#include "spec/canonical.h"
#include "strands.h"

namespace alnsmith::tool {
namespace {

struct SearchArguments {
  RunArguments run;
  ReportOptions report;
  std::string query, database, out, hits, shard, strand, ties = "first";
  std::size_t top = 500;
  std::optional<std::int32_t> min_score;
};

// Parts of the memory budget.
struct SearchShares {
  explicit SearchShares(std::size_t budget)
      : call(budget / 2),
        record(budget / 16),
        tile(std::min(budget / 16, std::size_t{64} << 20)),
        queries(budget / 16),
        lists(budget / 8),
        kept(budget / 8),
        report(budget) {}
  std::size_t call;     // the runtime's, for one batch call
  std::size_t record;   // the largest single record
  std::size_t tile;     // of targets; two at a time
  std::size_t queries;  // all of them
  std::size_t lists, kept;
  std::size_t report;  // what it takes parts of
};

Result<search::Shard> shard_of(const std::string &text) {
  search::Shard shard;
  if (text.empty()) return shard;
  const std::size_t slash = text.find('/');
  const auto number = [](const std::string &digits, std::uint64_t &out) {
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return failed == std::errc() && end == digits.data() + digits.size();
  };
  if (slash == std::string::npos || !number(text.substr(0, slash), shard.index) ||
      !number(text.substr(slash + 1), shard.count) || shard.index < 1 || shard.index > shard.count)
    return Error{fmt::format("--shard {}: is no i/n with 1 <= i <= n, such as 3/8", printable(text)), 2};
  return shard;
}

// The database of a search, whichever kind it is.
struct Targets {
  std::optional<search::Database> mapped;
  std::unique_ptr<search::TargetSource> source;
  SequenceFile *file = nullptr;  // the source, where it is one
};

// Letters of the database that no alphabet of the spec has: the error names the first.
Status check_letters(const search::Database &database, const Rules &rules) {
  std::string wrong;
  for (std::size_t byte = 0; byte < 256; ++byte)
    if (database.info().letter_counts[byte] > 0 && rules.invalid_letter(std::string(1, static_cast<char>(byte))))
      wrong += static_cast<char>(byte);
  if (rules.max_length && database.info().longest_sequence > static_cast<std::uint64_t>(*rules.max_length))
    return Error{fmt::format(
        "{}: has a sequence of {} letters, above the spec's maximum of {}: raise {} in the spec, "
        "or leave it out for no maximum",
        printable(database.path(), 400), database.info().longest_sequence, *rules.max_length, rules.max_key)};
  if (wrong.empty()) return Ok{};
  for (std::uint64_t b = 0; b < database.blocks(); ++b) {
    const auto block = database.block(b);
    if (!block) return block.error();
    for (std::uint64_t i = 0; i < block->count(); ++i) {
      const std::size_t at = block->letters(i).find_first_of(wrong);
      if (at == std::string_view::npos) continue;
      const auto name = block->name(i);
      if (!name) return name.error();
      return Error{
          fmt::format("{}: record {} ({}): letter {} at position {} is not in the alphabet {}: search with a "
                      "spec whose alphabet has it or a wildcard",
                      printable(database.path(), 400), block->first() + i + 1, printable(*name, 60),
                      printable_letter(block->letters(i)[at]), at + 1, rules.alphabet)};
    }
    database.release(b);
  }
  return Ok{};
}

Status open_targets(const SearchArguments &arguments, const search::Shard &shard, const Rules &rules,
                    const SearchShares &shares, Targets &out) {
  if (arguments.database == "-" || !search::Database::recognised(arguments.database)) {
    Result<Input> input = Input::open(arguments.database, rules, shares.record);
    if (!input) return input.error();
    auto file = std::make_unique<SequenceFile>(std::move(*input), shard, !arguments.hits.empty());
    out.file = file.get();
    out.source = std::move(file);
    return Ok{};
  }
  Result<search::Database> opened = search::Database::open(arguments.database);
  if (!opened) return opened.error();
  out.mapped.emplace(std::move(*opened));
  if (Status ok = check_letters(*out.mapped, rules); !ok) return ok;
  const auto range = out.mapped->shard(shard.index, shard.count);
  if (!range) return range.error();
  out.source = std::make_unique<search::DatabaseSource>(*out.mapped, *range);
  return Ok{};
}

// What the parts of the search say of the whole database; a file of sequences was read to its end.
void describe(const Targets &targets, search::SearchId &id) {
  if (targets.mapped) {
    id.split = "range";
    id.database = targets.mapped->info().content;
    id.sequences = targets.mapped->info().sequences;
    id.letters = targets.mapped->info().letters;
  } else {
    id.split = "stride";
    id.database = targets.file->content();
    id.sequences = targets.file->sequences();
    id.letters = targets.file->letters();
  }
}

std::uint64_t as_wildcard(const Targets &targets, const Rules &rules) {
  if (targets.file != nullptr) return targets.file->as_wildcard();
  std::uint64_t n = 0;
  for (std::size_t byte = 0; byte < 256; ++byte)
    n += rules.as_wildcard[byte] * targets.mapped->info().letter_counts[byte];
  return n;
}

Status read_queries(const std::string &path, const Rules &rules, const SearchShares &shares,
                    std::vector<search::Entry> &out, std::uint64_t &as_wildcard) {
  Result<Input> input = Input::open(path, rules, shares.record);
  if (!input) return input.error();
  Block block;
  if (Status ok = input->fill(block, ~std::size_t{0}, shares.queries); !ok) return ok;
  if (!input->exhausted())
    return Error{
        fmt::format("{}: the queries need more than {} bytes of memory: give fewer at a time, or raise --memory",
                    input->label(), shares.queries)};
  for (std::size_t q = 0; q < block.size(); ++q)
    out.push_back({std::string(block.name(q)), {}, std::string(block.letters(q))});
  as_wildcard += input->as_wildcard();
  return Ok{};
}

// Whether --hits is there and is what this run would write; another search's is not overwritten. What stdin holds is
// not known, so that part is made again.
Result<bool> already_done(const SearchArguments &arguments, const search::SearchId &id, const search::Shard &shard,
                          Targets &targets) {
  std::error_code failed;
  if (arguments.hits.empty() || !std::filesystem::exists(arguments.hits, failed)) return false;
  const auto part = search::read_part(arguments.hits);
  if (!part) return part.error();
  const bool known = arguments.database != "-";
  search::SearchId own = id;
  if (targets.file != nullptr && known)
    if (Status ok = targets.file->survey(); !ok) return ok.error();
  describe(targets, own);
  if (!known)
    std::tie(own.database, own.sequences, own.letters) =
        std::tie(part->id.database, part->id.sequences, part->id.letters);
  if (part->id == own && part->shard == shard) return known;
  return Error{fmt::format("--hits {}: is there and is a part of another search: move it away, or name another file",
                           printable(arguments.hits, 400))};
}

Status search_database(const SearchArguments &arguments) {
  const Watch watch;
  const RunArguments &run = arguments.run;
  if (Status ok = check_packs(run.packs); !ok) return ok;
  const Result<std::size_t> memory = memory_of(run);
  if (!memory) return memory.error();
  if (arguments.query == "-" && arguments.database == "-")
    return Error{"--query and --db cannot both be stdin: give one as a file", 2};
  if (!arguments.shard.empty() && arguments.hits.empty())
    return Error{"--shard: hits of a shard go to a part: add --hits FILE, and merge the parts (`alnsmith merge`)", 2};
  if (!arguments.hits.empty() && !arguments.out.empty())
    return Error{"--out: hits of --hits are written by `alnsmith merge`: take one of the two options out", 2};
  const Result<search::Shard> shard = shard_of(arguments.shard);
  if (!shard) return shard.error();
  for (const std::string &result : {arguments.out, arguments.hits})
    if (Status ok = keep_inputs(result, {arguments.query, arguments.database, run.spec}); !ok) return ok;
  const SearchShares shares(*memory);

  auto named = named_spec(run.spec, run.packs);
  if (!named) return named.error();
  spec::Spec &spec = named->spec;
  const Result<ResolvedScoring> scoring = resolve_scoring(spec, run.scoring);
  if (!scoring) return scoring.error();
  const formats::Letters letters(spec.alphabet);
  const std::string strand = !arguments.strand.empty() ? arguments.strand : letters.nucleotides() ? "both" : "plus";
  if (strand != "plus" && !letters.nucleotides())
    return Error{fmt::format("--strand {}: the alphabet of spec {} is {}, and nucleotides alone have two strands: take "
                             "it out",
                             strand, spec.name, letters.alphabet()),
                 2};
  const bool minimize = spec.objective == spec::Objective::minimize;
  const spec::Output own_output = spec.output;
  spec.output = {};  // scores alone: what is reported is aligned again
  const Result<Options> options = options_of(run, shares.call, scoring->scoring);
  if (!options) return options.error();

  Progress progress(!run.quiet);
  Warnings warnings(progress);
  const SearchRun wanted{spec::canonical(spec), scoring->scoring, scoring->gap, strand,
                         arguments.min_score,   arguments.report};
  std::optional<SearchReport> report;
  if (arguments.hits.empty()) {
    Result<SearchReport> made = SearchReport::prepare(wanted, run, *options, shares.report, warnings);
    if (!made) return made.error();
    report.emplace(std::move(*made));
  }
  const Result<Opened> opened =
      open_kernels(run, spec, named->path, scoring->spec_changed || spec.output != own_output, *options);
  if (!opened) return opened.error();
  const Aligner *const aligner = &opened->aligner;
  warnings.print(aligner->notes());

  search::Part part;
  part.shard = *shard;
  part.id.run = to_json(wanted);
  part.id.top = arguments.top;
  part.id.ties = arguments.ties == "keep" ? search::Ties::keep : search::Ties::first;
  part.id.minimize = minimize;
  std::uint64_t wildcards = 0;
  if (Status ok = read_queries(arguments.query, rules_of(spec, *aligner, true), shares, part.id.queries, wildcards);
      !ok)
    return ok;
  const Rules rules = rules_of(spec, *aligner, false);
  Targets targets;
  if (Status ok = open_targets(arguments, *shard, rules, shares, targets); !ok) return ok;
  const Result<bool> done = already_done(arguments, part.id, *shard, targets);
  if (!done) return done.error();
  if (*done) {
    if (!run.quiet) print_line(fmt::format("{}: is complete already", printable(arguments.hits, 400)));
    return Ok{};
  }
  std::optional<Output> output;
  if (arguments.hits.empty()) {
    Result<Output> opened = Output::open(arguments.out);
    if (!opened) return opened.error();
    output.emplace(std::move(*opened));
  }

  search::Queries queries;
  std::vector<std::string> reversed;
  for (const search::Entry &query : part.id.queries) {
    if (strand != "minus") queries.plus.push_back(query.letters);
    if (strand != "plus") reversed.push_back(letters.reverse_complement(query.letters));
  }
  queries.minus.assign(reversed.begin(), reversed.end());
  Totals totals;
  search::FindOptions find;
  find.top = arguments.top;
  find.ties = part.id.ties;
  find.worst = arguments.min_score;
  if (spec.alignment == spec::Alignment::local) find.worst = std::max(find.worst.value_or(1), 1);
  find.tile_bytes = shares.tile;
  find.list_bytes = shares.lists;
  find.kept_bytes = shares.kept;
  find.call = *options;
  find.call.progress = [&](std::uint64_t pairs) { progress.update(pairs); };
  find.called = [&](const Report &called) {
    totals.add(called, true);
    warnings.print(called.notes);
  };
  find.begins = [&](std::uint64_t pairs, std::optional<double> until) { progress.begin_part(pairs, until); };
  Result<search::Findings> found = search::find(*aligner, queries, *targets.source, find);
  if (interrupted()) return interrupted_error();
  if (!found) return found.error();
  part.findings = std::move(*found);
  describe(targets, part.id);
  wildcards += as_wildcard(targets, rules);

  std::string summary;
  if (arguments.hits.empty()) {
    if (Status ok = report->write(part, *output, totals); !ok) return interrupted() ? interrupted_error() : ok.error();
    if (Status ok = output->finish(); !ok) return ok;
    summary = report->summary();
  } else if (Status ok = search::write_part(arguments.hits, part); !ok) {
    return ok;
  }
  progress.wipe();
  if (run.explain) explain(*aligner, named->label, opened->kernels.reference.hash);
  if (!run.quiet)
    print_line(fmt::format("queries={} targets={} letters={} {}{}", part.id.queries.size(), part.findings.sequences,
                           part.findings.letters, totals.line(watch.seconds(), *aligner, scoring->gap, wildcards),
                           summary));
  return Ok{};
}

}  // namespace

void add_search(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("search", "Find the best targets of each query in a database, exactly");
  auto arguments = std::make_shared<SearchArguments>();
  SearchArguments &a = *arguments;
  add_spec_option(*command, a.run);
  command->add_option("--query", a.query, "FASTA or FASTQ, plain or gzip; - for stdin")->required();
  command
      ->add_option("--db", a.database, "A database of `alnsmith makedb`, or FASTA or FASTQ, plain or gzip; - for stdin")
      ->required();
  command->add_option("--top,--max-target-seqs", a.top, "Hits of a query, at most")
      ->type_name("K")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 32))
      ->capture_default_str();
  command
      ->add_option("--ties", a.ties,
                   "Of targets that score as the last hit: first (those that come first in the database, up to --top) "
                   "or keep (all)")
      ->check(CLI::IsMember({"first", "keep"}))
      ->capture_default_str();
  command
      ->add_option("--min-score", a.min_score,
                   "Only targets that score S or better (S or less where the spec minimizes)")
      ->type_name("S");
  command
      ->add_option("--strand", a.strand,
                   "Of nucleotides: queries as read (plus), their reverse complements (minus), or both, the default")
      ->check(CLI::IsMember({"plus", "minus", "both"}));
  add_report_options(*command, a.report);
  command->add_option("--out", a.out, "Result file, put in place when complete; stdout by default");
  command
      ->add_option("--shard", a.shard, "Search the I-th of N parts of the database and write what it gives to --hits")
      ->type_name("I/N");
  command->add_option("--hits", a.hits, "Write a part for `alnsmith merge`; one that is complete is not made again")
      ->type_name("FILE");
  add_kernel_options(*command, a.run);
  add_scoring_options(*command, a.run);
  add_talk_options(*command, a.run);
  command->footer(
      "Every query is aligned with every target, no heuristic before it. Hits rank by score, equal ones as they stand "
      "in\n"
      "the database. docs/search.md says more, docs/statistics.md what an E-value is here, docs/formats.md what the "
      "formats\n"
      "look like. The closing line on stderr has that of `align`, hits, and which statistics were taken.\n"
      "Examples:\n"
      "  alnsmith search --spec protein-local-blosum62 --query q.fa --db proteins.fa.gz --format blast6\n"
      "  alnsmith makedb proteins.fa.gz -o proteins.alndb\n"
      "  alnsmith search --spec protein-local-blosum62 --query q.fa --db proteins.alndb --shard 1/2 --hits 1.hits\n"
      "  alnsmith merge 1.hits 2.hits --out hits.tsv");
  command->callback([arguments, &status] {
    const Status done = search_database(*arguments);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool
