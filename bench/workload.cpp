// See workload.h.
#include "workload.h"

#include <algorithm>
#include <cmath>

#include "golden.h"

namespace bench {
namespace {

struct Scheme {
  const char *name, *key;
  peer_task task;
};
const Scheme dna_schemes[] = {
    {"global linear", "global-linear-1", {peer_global, 2, -1, 0, 0, 1}},
    {"global affine 1+L", "global-affine-1-1", {peer_global, 2, -1, 0, 1, 1}},
    {"global affine 2+L", "global-affine-2-1", {peer_global, 2, -1, 0, 2, 1}},
    {"local linear", "local-linear-1", {peer_local, 2, -1, 0, 0, 1}},
    {"local affine 1+L", "local-affine-1-1", {peer_local, 2, -1, 0, 1, 1}},
    {"local affine 2+L", "local-affine-2-1", {peer_local, 2, -1, 0, 2, 1}},
    {"semiglobal affine 1+L", "semiglobal-affine-1-1", {peer_free_ends, 2, -1, 0, 1, 1}},
    {"semiglobal affine 2+L", "semiglobal-affine-2-1", {peer_free_ends, 2, -1, 0, 2, 1}},
};
const Scheme edit_scheme = {"edit distance", "edits", {peer_global, 0, 1, 0, 0, 1, 1}};
const Scheme protein_global_scheme = {"protein global BLOSUM62 11+L", "global-b62-11-1", {peer_global, 0, 0, 1, 11, 1}};
const Scheme protein_pairs_scheme = {"protein local BLOSUM62 11+L", "pairs-b62-11-1", {peer_local, 0, 0, 1, 11, 1}};
const Scheme protein_scheme = {"protein local BLOSUM62 11+L", "protein-b62-11-1", {peer_local, 0, 0, 1, 11, 1}};

Case make_case(const Scheme &scheme, const std::string &what, const std::string &key, Batch batch) {
  return {std::string(scheme.name) + ", " + what, std::string(scheme.key) + "-" + key, spec_text(scheme.task),
          scheme.task, std::move(batch)};
}

// Proteins pair by pair, related and not: what is alike leaves 8 bits.
void add_protein_pairs(const std::string &data, const Sizes &sizes, Random &random, std::vector<Case> &cases,
                       std::string_view filter) {
  const std::size_t count = std::max<std::size_t>(64, sizes.cells / (300 * 300) / 64 * 64);
  Batch batch = related_pairs(protein_letters(data), kResidues, 300, 300, count, random);
  for (const char *which : {"related", "unrelated"}) {
    const std::string key = std::string("300-") + which;
    if ((std::string(protein_pairs_scheme.key) + "-" + key).find(filter) != std::string::npos) {
      cases.push_back(make_case(protein_pairs_scheme, std::string("300 aa, pair by pair, ") + which, key, batch));
      cases.back().matrix_file = data + "/matrices/BLOSUM62";
    }
    std::ranges::rotate(batch.targets, batch.targets.begin() + 1);
  }
}

// Whole alignments, of pairs that are all related: nobody asks for the CIGAR of two that are not.
void add_cigars(const std::optional<std::string> &data, const Sizes &sizes, std::vector<Case> &cases,
                std::string_view filter) {
  Random random(sizes.seed);
  const std::string dna = genome(data, random);
  const auto add = [&](Scheme scheme, std::size_t length, unsigned errors, const std::string &text,
                       std::string_view letters, const std::string &unit) {
    const std::string key = "cigar-" + std::string(scheme.key),
                      numbers = std::to_string(length) + "-e" + std::to_string(errors / 10);
    // As many cells as a case of scores; a long pair comes alone.
    const std::size_t pairs =
        length >= 10000 ? 1 : std::max<std::size_t>(64, sizes.cells / (length * length) / 64 * 64);
    Batch batch = related_pairs(text, letters, length, errors, pairs, random);  // drawn whatever the filter
    if ((key + "-" + numbers).find(filter) == std::string::npos) return;
    scheme.task.cigar = 1;
    scheme.key = key.c_str();
    cases.push_back(
        make_case(scheme, std::to_string(length) + unit + ", " + std::to_string(errors / 10) + " % of errors, CIGAR",
                  numbers, std::move(batch)));
    if (scheme.task.blosum62) cases.back().matrix_file = data.value() + "/matrices/BLOSUM62";
  };
  for (const Scheme &scheme : {dna_schemes[2], dna_schemes[5], dna_schemes[0], edit_scheme})
    add(scheme, 150, 50, dna, "ACGT", " bp");
  add(dna_schemes[2], 1000, 50, dna, "ACGT", " bp");
  if (data) add(protein_global_scheme, 300, 300, protein_letters(*data), kResidues, " aa");
  for (const unsigned errors : {10, 50, 150, 300}) add(dna_schemes[2], 10000, errors, dna, "ACGT", " bp");
  add(edit_scheme, 10000, 50, dna, "ACGT", " bp");
}

// One pair alone, scores only: a related one, and one of which the whole matrix has to be scored, with the way too.
void add_long(const std::optional<std::string> &data, const Sizes &sizes, std::vector<Case> &cases,
              std::string_view filter) {
  Random random(sizes.seed);
  const std::string dna = genome(data, random);
  const auto add = [&](Scheme scheme, const std::string &what, std::size_t length, const Batch &batch) {
    const std::string key = "long-" + what + scheme.key, number = std::to_string(length);
    if ((key + "-" + number).find(filter) == std::string::npos) return;
    scheme.key = key.c_str();
    const std::string words = what.empty() ? "" : what.substr(0, what.size() - 1) + " ";
    cases.push_back(make_case(scheme, "one " + words + "pair of " + number + " bp", number, batch));
  };
  for (const std::size_t length : {1000, 10000}) {
    const Batch batch = related_pairs(dna, "ACGT", length, 50, 1, random);  // drawn whatever the filter
    for (const Scheme &scheme : {dna_schemes[0], dna_schemes[2], dna_schemes[5], dna_schemes[7], edit_scheme})
      add(scheme, "", length, batch);
  }
  Batch unrelated = related_pairs(dna, "ACGT", 10000, 50, 2, random);
  std::swap(unrelated.queries[0], unrelated.queries[1]);
  unrelated.queries.resize(1);
  unrelated.targets.resize(1);
  Scheme scheme = dna_schemes[2];
  add(scheme, "unrelated-", 10000, unrelated);
  scheme.task.cigar = 1;
  add(scheme, "unrelated-cigar-", 10000, unrelated);
}

void add_protein(const std::string &data, std::vector<Case> &cases, std::string_view filter) {
  const auto db = golden::read_sequences(data + "/protein/db.fasta.gz");
  std::vector<std::string> targets;
  for (const std::string &line : golden::read_lines(data + "/dbsearch/subset2000_db_indices.txt"))
    targets.push_back(db.at(std::stoul(line)).letters);
  for (const auto &query : golden::read_sequences(data + "/protein/queries_cudasw20.fasta")) {
    // Six of the twenty: the lengths that the field plots, short to long.
    const std::size_t length = query.letters.size();
    const std::size_t chosen[] = {144, 222, 464, 1000, 1500, 2005};
    if (std::find(std::begin(chosen), std::end(chosen), length) == std::end(chosen)) continue;
    Case one = make_case(protein_scheme, std::to_string(length) + " aa x " + std::to_string(targets.size()),
                         std::to_string(length), {{query.letters}, targets, true});
    one.matrix_file = data + "/matrices/BLOSUM62";
    if (one.key.find(filter) != std::string::npos) cases.push_back(std::move(one));
  }
}

}  // namespace

std::vector<Case> all_cases(const std::optional<std::string> &data, const Sizes &sizes, std::string_view filter) {
  std::vector<Case> cases;
  Random random(sizes.seed);
  const std::string letters = genome(data, random);
  const auto add = [&](const Scheme &scheme, const std::string &what, const std::string &key, const Batch &batch) {
    if ((std::string(scheme.key) + "-" + key).find(filter) != std::string::npos)
      cases.push_back(make_case(scheme, what, key, batch));
  };
  for (std::size_t length : {150, 512}) {
    const Batch batch = equal_pairs(letters, length, sizes.cells, random);
    for (const Scheme &scheme : dna_schemes) add(scheme, std::to_string(length) + " bp", std::to_string(length), batch);
    add(edit_scheme, std::to_string(length) + " bp", std::to_string(length), batch);
  }
  // From one read with many windows to many reads with one: as pairs, all have the same cells.
  const std::size_t pairs = std::max<std::size_t>(256, sizes.cells / (150 * 700));
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const auto queries = static_cast<std::size_t>(std::pow(static_cast<double>(pairs), share));
    const std::size_t targets = pairs / queries;
    const std::string shape = std::to_string(queries) + "x" + std::to_string(targets);
    const Batch batch = each_with_each(letters, queries, targets, random);
    for (const Scheme &scheme : {dna_schemes[5], dna_schemes[7]})
      add(scheme,
          "each of " + std::to_string(queries) + " x 150 bp with each of " + std::to_string(targets) + " x 700 bp",
          "each-" + shape, batch);
  }
  if (data) add_protein_pairs(*data, sizes, random, cases, filter);
  add_cigars(data, sizes, cases, filter);
  add_long(data, sizes, cases, filter);
  if (!data) return cases;
  for (const char *file : {"emp16S_5000", "amplicon18S_biomarks_5000"}) {
    const Batch ragged = ragged_reads(golden::read_sequences(*data + "/reads/" + file + ".fasta.gz"), sizes.cells);
    const Batch equal = levelled(ragged);
    const std::string length = std::to_string(equal.queries[0].size());
    for (const Scheme &scheme : {dna_schemes[0], dna_schemes[1], dna_schemes[4]}) {
      add(scheme, "reads " + std::string(file, 6) + " ragged", "ragged-" + length, ragged);
      add(scheme, "reads " + std::string(file, 6) + " cut to " + length + " bp", "level-" + length, equal);
    }
  }
  add_protein(*data, cases, filter);
  return cases;
}

std::string spec_text(const peer_task &task, const std::string &arithmetic) {
  const char *modes[] = {"global", "local", "semiglobal"};
  const auto number = [](int value) { return std::to_string(value); };
  const std::string gap = task.open == 0
                              ? "{model: linear, extend: " + number(task.extend) + "}"
                              : "{model: affine, open: " + number(task.open) + ", extend: " + number(task.extend) + "}";
  const std::string score = task.blosum62
                                ? "{matrix: BLOSUM62}"
                                : "{match: " + number(task.match) + ", mismatch: " + number(task.mismatch) + "}";
  std::string text = std::string("version: 1\nname: bench-") + modes[task.mode] + "-" + number(task.open) + "-" +
                     number(task.extend) + (task.blosum62 ? "-blosum62" : "-dna") + (task.minimize ? "-costs" : "") +
                     (task.cigar ? "-cigar" : "") + "\nalignment: " + modes[task.mode] + "\ngap: " + gap +
                     "\nalphabet: " + (task.blosum62 ? "protein" : "dna") + "\nscore: " + score + "\n";
  if (task.minimize) text += "objective: minimize\n";
  if (task.cigar) text += "output: [score, end, begin, cigar]\n";
  if (!arithmetic.empty()) text += "arithmetic: " + arithmetic + "\n";
  return text;
}

std::size_t OracleSample::differing(const std::vector<int> &batch_scores) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < places.size(); ++i) count += batch_scores[places[i]] != scores[i];
  return count;
}

OracleSample oracle_sample(const Case &one, const std::optional<std::string> &data) {
  OracleSample sample;
  const oracle::Problem exact = problem(one.task, data);
  Random random(7);
  const std::size_t pairs = one.batch.pairs();
  for (std::size_t i = 0; i < std::min<std::size_t>(48, pairs); ++i) {
    const std::size_t place = pairs < 48 ? i : random() % pairs;
    sample.places.push_back(place);
    sample.scores.push_back(oracle::score(exact, one.batch.query(place), one.batch.target(place)));
  }
  return sample;
}

oracle::Problem problem(const peer_task &task, const std::optional<std::string> &data) {
  const oracle::Mode modes[] = {oracle::Mode::global, oracle::Mode::local, oracle::Mode::semiglobal};
  const oracle::Gap gap{task.open, task.extend};
  oracle::Problem problem{modes[task.mode],
                          {true, true, true, true},
                          gap,
                          gap,
                          oracle::Substitution::match_mismatch("ACGT", task.match, task.mismatch),
                          task.minimize != 0};
  if (task.blosum62) {
    const golden::MatrixFile matrix = golden::read_matrix(data.value() + "/matrices/BLOSUM62");
    problem.substitution = oracle::Substitution::matrix(matrix.letters, matrix.scores);
  }
  return problem;
}

}  // namespace bench
