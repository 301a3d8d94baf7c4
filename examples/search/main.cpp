// The best hits of a sequence in a database that `alnsmith makedb` made: "name score E-value", one per line.
// The kernels are inside the program; no file of alnsmith's but its library is needed.
#include <alnsmith/database_source.hpp>
#include <alnsmith/search.hpp>
#include <alnsmith/statistics.hpp>
#include <cstdio>
#include <iostream>

#include "reads.kernels.h"

namespace {
int fail(const alnsmith::Error &error) {
  std::cerr << "hits: " << error.message << "\n";
  return error.exit_code;
}

// What reads.yaml says, for the statistics: 2 for equal letters, -3 for others and for N, a gap of L costs 5 + 2L.
alnsmith::search::ScoringSystem scoring() {
  alnsmith::search::ScoringSystem out;
  out.letters = "ACGTN";
  out.wildcard = 'N';
  for (const char row : out.letters)
    for (const char column : out.letters) out.matrix.push_back(row == column && row != 'N' ? 2 : -3);
  out.insertion = out.deletion = {{5, 2}};
  return out;
}
}  // namespace

int main(int argc, char **argv) {
  namespace search = alnsmith::search;
  if (argc != 3) return fail({"usage: hits DATABASE LETTERS", 2});
  const auto database = search::Database::open(argv[1]);
  if (!database) return fail(database.error());
  const auto open = [] { return alnsmith::Aligner::open_linked(alnsmith_kernels_reads); };
  const auto aligner = open();
  if (!aligner) return fail(aligner.error());
  // This scoring's statistics come with the library; others are simulated by `open`, whose kernels then give begins.
  const auto statistics = search::find_statistics(scoring(), {}, open);
  if (!statistics) return fail(statistics.error());

  const std::string_view query = argv[2];
  search::DatabaseSource source(*database, {0, database->info().sequences});
  search::FindOptions options;
  options.top = 10;
  options.worst = 1;  // a local alignment of nothing is no hit
  const auto found = search::find(*aligner, {{query}, {}}, source, options);
  if (!found) return fail(found.error());
  for (const search::Found &hit : found->hits[0]) {
    const search::Entry &target = found->targets.at(hit.number);
    const double evalue =
        search::expected_hits(*statistics, hit.score, 1, query.size(), target.letters.size(), database->info().letters);
    std::printf("%s %d %.2e\n", target.name.c_str(), hit.score, evalue);
  }
  return 0;
}
