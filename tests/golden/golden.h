// Readers for the test data: golden pairs and rows, NCBI matrices, FASTA and FASTQ.
//
// In: files of tests/data/, and below the folder of large data (ALNSMITH_DATA_DIR in the environment, else the
// build's) where that is present; plain or gz.
// Out: plain structures, and oracle problems for the modes and scorings that the rows name.
// Unreadable or malformed data throws std::runtime_error: tests and benches only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "oracle.h"

namespace golden {

// The folder of large data, or nothing where it is absent; `missing_data` is what a test says when it skips.
std::optional<std::string> data_dir();
std::string missing_data();
std::string bundled_dir();  // tests/data

// A collection of golden rows: the folder of its pairs and rows, and that of the matrices they name.
struct Data {
  std::string pairs, matrices;
  bool bundled;  // the sample that the repository holds
};
Data bundled_data();
Data large_data(const std::string &data_dir);
std::vector<Data> present_data();  // the bundled sample, then the large data where present

std::vector<std::string> read_lines(const std::string &path);  // plain or gz, no line ends

struct Record {
  std::string name;  // the header's first word
  std::string letters;
};
std::vector<Record> read_sequences(const std::string &path);  // FASTA or FASTQ (multi-line too), plain or gz

struct MatrixFile {
  std::string letters;
  std::vector<long> scores;  // row = query letter
};
MatrixFile read_matrix(const std::string &path);  // NCBI's square text

struct Pair {
  std::string id, alphabet, query, target, kind;
  std::size_t cells() const { return query.size() * target.size(); }
};
std::vector<Pair> read_pairs(const std::string &path);

struct Row {
  std::string pair, mode, scoring;
  long score = 0;
  std::optional<long> query_end, target_end;  // given where unique
};
std::vector<Row> read_rows(const std::string &path);

// One of the data's scoring ids: a matrix file and a gap cost.
struct Scoring {
  std::string_view id, matrix;
  long open, extend;
  bool protein;
};
const std::vector<Scoring> &scorings();
const Scoring &scoring(std::string_view id);

// "nw", "sw", "sg", "sg_qb_de", ... : `free` as in spec files, empty for nw and sw.
struct ModeEnds {
  oracle::Mode mode;
  oracle::FreeEnds free;
};
ModeEnds mode_ends(std::string_view mode);

// The problem that (mode, scoring) means; reads the data's matrix.
oracle::Problem problem(const Data &data, std::string_view mode, std::string_view scoring_id);

// Pairs by id, and rows.
struct Set {
  std::unordered_map<std::string, Pair> pairs;
  std::vector<Row> rows;
};
Set load(const Data &data);
Set load_long(const Data &data);  // large data only

}  // namespace golden
