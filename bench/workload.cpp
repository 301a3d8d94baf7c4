// Pairs of DNA: windows of a genome and their mutated copies, and some that are unrelated; real reads; proteins.
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "golden.h"

namespace bench {
namespace {

using Random = std::mt19937;

std::string random_dna(Random &random, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += "ACGT"[random() % 4];
  return text;
}

// Bench letters are those that every contender takes alike: ACGT.
void only_acgt(std::string &letters) {
  for (char &letter : letters)
    if (std::string_view("ACGT").find(letter) == std::string_view::npos) letter = 'A';
}

std::string genome(const std::optional<std::string> &data, Random &random) {
  if (!data) return random_dna(random, 200000);
  std::string letters = golden::read_sequences(*data + "/genomes/ecoli536_first200k.fasta").front().letters;
  only_acgt(letters);
  return letters;
}

// `length` letters from `at` on with 5 % of errors: 4 % substitutions, 0.5 % deletions, 0.5 % insertions.
std::string mutated(Random &random, const std::string &genome, std::size_t at, std::size_t length) {
  std::string copy;
  while (copy.size() < length) {
    const char letter = at < genome.size() ? genome[at++] : "ACGT"[random() % 4];
    const unsigned dice = random() % 1000;
    if (dice < 40)
      copy += "ACGT"[random() % 4];
    else if (dice < 45)
      continue;
    else if (dice < 50)
      copy += std::string{letter, "ACGT"[random() % 4]};
    else
      copy += letter;
  }
  copy.resize(length);
  return copy;
}

// Four of five pairs are related.
Batch equal_pairs(const std::string &genome, std::size_t length, std::uint64_t cells, Random &random) {
  Batch batch;
  const std::size_t pairs = std::max<std::size_t>(256, cells / (length * length) / 256 * 256);
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t at = random() % (genome.size() - 2 * length), other = random() % (genome.size() - 2 * length);
    batch.queries.push_back(genome.substr(at, length));
    batch.targets.push_back(mutated(random, genome, i % 5 == 4 ? other : at, length));
  }
  return batch;
}

// `queries` reads with each of `targets` windows that are long enough to hold one; some do.
Batch each_with_each(const std::string &genome, std::size_t queries, std::size_t targets, Random &random) {
  constexpr std::size_t read = 150, window = 700;
  Batch batch;
  batch.each = true;
  for (std::size_t i = 0; i < targets; ++i)
    batch.targets.push_back(genome.substr(random() % (genome.size() - window), window));
  for (std::size_t i = 0; i < queries; ++i) {
    const std::string &from = batch.targets[random() % targets];
    batch.queries.push_back(mutated(random, from, random() % (window - read), read));
  }
  return batch;
}

// Real reads, each against the next of its file, as many times over as the budget of cells allows.
Batch ragged_reads(const std::vector<golden::Record> &reads, std::uint64_t cells) {
  Batch batch;
  std::uint64_t done = 0;
  for (std::size_t i = 0; done < cells; ++i) {
    std::string query = reads[i % reads.size()].letters, target = reads[(i * 7 + 1) % reads.size()].letters;
    only_acgt(query);
    only_acgt(target);
    done += query.size() * target.size();
    batch.queries.push_back(std::move(query));
    batch.targets.push_back(std::move(target));
  }
  return batch;
}

// The same letters cut into pieces of their mean length: what raggedness costs is the difference.
Batch levelled(const Batch &ragged) {
  std::string queries, targets;
  for (const std::string &query : ragged.queries) queries += query;
  for (const std::string &target : ragged.targets) targets += target;
  const std::size_t length = std::min(queries.size(), targets.size()) / ragged.pairs();
  Batch batch;
  for (std::size_t i = 0; i < ragged.pairs(); ++i) {
    batch.queries.push_back(queries.substr(i * length, length));
    batch.targets.push_back(targets.substr(i * length, length));
  }
  return batch;
}

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
const Scheme protein_scheme = {"protein local BLOSUM62 11+L", "protein-b62-11-1", {peer_local, 0, 0, 1, 11, 1}};

Case make_case(const Scheme &scheme, const std::string &what, const std::string &key, Batch batch) {
  return {std::string(scheme.name) + ", " + what, std::string(scheme.key) + "-" + key, spec_text(scheme.task),
          scheme.task, std::move(batch)};
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

std::uint64_t Batch::cells() const {
  std::uint64_t cells = 0;
  for (std::size_t i = 0; i < pairs(); ++i) cells += query(i).size() * target(i).size();
  return cells;
}

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

std::string spec_text(const peer_task &task) {
  const char *modes[] = {"global", "local", "semiglobal"};
  const std::string gap = task.open == 0 ? "{model: linear, extend: " + std::to_string(task.extend) + "}"
                                         : "{model: affine, open: " + std::to_string(task.open) +
                                               ", extend: " + std::to_string(task.extend) + "}";
  const std::string score =
      task.blosum62 ? "{matrix: BLOSUM62}"
                    : "{match: " + std::to_string(task.match) + ", mismatch: " + std::to_string(task.mismatch) + "}";
  return std::string("version: 1\nname: bench-") + modes[task.mode] + "-" + std::to_string(task.open) + "-" +
         std::to_string(task.extend) + (task.blosum62 ? "-blosum62" : "-dna") + "\nalignment: " + modes[task.mode] +
         "\ngap: " + gap + "\nalphabet: " + (task.blosum62 ? "protein" : "dna") + "\nscore: " + score + "\n";
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
  for (int i = 0; i < 48; ++i) {
    const std::size_t place = random() % one.batch.pairs();
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
                          false};
  if (task.blosum62) {
    const golden::MatrixFile matrix = golden::read_matrix(data.value() + "/matrices/BLOSUM62");
    problem.substitution = oracle::Substitution::matrix(matrix.letters, matrix.scores);
  }
  return problem;
}

}  // namespace bench
