// `alnsmith search`: its options.
#include <memory>

#include "alnsmith/strands.hpp"
#include "commands.h"
#include "search_job.h"

namespace alnsmith::tool {

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
      ->check(CLI::IsMember(search::kStrandWords));
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
    const Status done = SearchJob(*arguments).run();
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool
