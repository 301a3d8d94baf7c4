// Golden pairs and rows, and what their modes and scorings mean.
#include "golden.h"

#include <algorithm>
#include <stdexcept>

namespace golden {
namespace {

std::vector<std::string> split(const std::string &line, std::size_t columns, const std::string &path) {
  std::vector<std::string> words(1);
  for (char c : line) {
    if (c == '\t')
      words.emplace_back();
    else
      words.back() += c;
  }
  if (words.size() != columns)
    throw std::runtime_error(path + ": a row has not " + std::to_string(columns) + " columns");
  return words;
}

Set load_files(const Data &data, const std::string &pairs, const std::vector<std::string> &rows) {
  Set set;
  for (Pair &pair : read_pairs(data.pairs + "/" + pairs)) {
    std::string id = pair.id;
    set.pairs.emplace(std::move(id), std::move(pair));
  }
  for (const std::string &file : rows)
    for (Row &row : read_rows(data.pairs + "/" + file)) set.rows.push_back(std::move(row));
  return set;
}

}  // namespace

std::vector<Pair> read_pairs(const std::string &path) {
  std::vector<Pair> pairs;
  for (const std::string &line : read_lines(path)) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> word = split(line, 5, path);
    pairs.push_back({word[0], word[1], word[2], word[3], word[4]});
  }
  return pairs;
}

std::vector<Row> read_rows(const std::string &path) {
  std::vector<Row> rows;
  const auto end = [](const std::string &word) -> std::optional<long> {
    if (word == ".") return std::nullopt;
    return std::stol(word);
  };
  for (const std::string &line : read_lines(path)) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> word = split(line, 6, path);
    rows.push_back({word[0], word[1], word[2], std::stol(word[3]), end(word[4]), end(word[5])});
  }
  return rows;
}

const std::vector<Scoring> &scorings() {
  static const std::vector<Scoring> table = {
      {"dna_2_1_lin1", "DNA_2_1.mat", 0, 1, false},   {"dna_2_1_aff1_1", "DNA_2_1.mat", 1, 1, false},
      {"dna_2_1_aff2_1", "DNA_2_1.mat", 2, 1, false}, {"nuc44_aff10_1", "NUC.4.4", 10, 1, false},
      {"b62_lin4", "BLOSUM62", 0, 4, true},           {"b62_aff11_1", "BLOSUM62", 11, 1, true},
      {"b62_aff10_2", "BLOSUM62", 10, 2, true},       {"b50_aff13_2", "BLOSUM50", 13, 2, true},
      {"pam30_aff9_1", "PAM30", 9, 1, true},
  };
  return table;
}

const Scoring &scoring(std::string_view id) {
  const auto &table = scorings();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Scoring &s) { return s.id == id; });
  if (found == table.end()) throw std::runtime_error("unknown scoring id " + std::string(id));
  return *found;
}

// The data's names: q query, d target ("database"), b begin, e end, x both; "sg" alone is all four.
ModeEnds mode_ends(std::string_view mode) {
  if (mode == "nw") return {oracle::Mode::global, {}};
  if (mode == "sw") return {oracle::Mode::local, {}};
  if (mode == "sg") return {oracle::Mode::semiglobal, {true, true, true, true}};
  oracle::FreeEnds free;
  if (mode.substr(0, 3) != "sg_") throw std::runtime_error("unknown mode " + std::string(mode));
  for (std::string_view rest = mode.substr(3); !rest.empty();
       rest = rest.substr(std::min<std::size_t>(3, rest.size()))) {
    const bool query = rest[0] == 'q', begin = rest[1] != 'e', end = rest[1] != 'b';
    (query ? free.query_begin : free.target_begin) |= begin;
    (query ? free.query_end : free.target_end) |= end;
  }
  return {oracle::Mode::semiglobal, free};
}

oracle::Problem problem(const Data &data, std::string_view mode, std::string_view scoring_id) {
  const Scoring &row = scoring(scoring_id);
  const ModeEnds ends = mode_ends(mode);
  const oracle::Gap gap{row.open, row.extend};
  if (data.bundled && row.matrix == "DNA_2_1.mat") {  // no shipped matrix: a test holds that the two are the same
    const auto two_one = oracle::Substitution::match_mismatch("ACGTN", 2, -1, 'N');
    return {ends.mode, ends.free, gap, gap, two_one, false};
  }
  const MatrixFile matrix = read_matrix(data.matrices + "/" + std::string(row.matrix));
  return {ends.mode, ends.free, gap, gap, oracle::Substitution::matrix(matrix.letters, matrix.scores), false};
}

Set load(const Data &data) {
  if (data.bundled) return load_files(data, "pairs.tsv.gz", {"golden.tsv.gz"});
  return load_files(data, "pairs.tsv.gz", {"golden.tsv.gz", "golden_aff1_1.tsv.gz"});
}

Set load_long(const Data &data) { return load_files(data, "long_pairs.tsv.gz", {"golden_long.tsv"}); }

}  // namespace golden
