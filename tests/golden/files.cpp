// Text, gz, FASTA/FASTQ and matrix files.
#include <zlib.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "golden.h"

namespace golden {

std::optional<std::string> data_dir() {
  const char *named = std::getenv("ALNSMITH_DATA_DIR");
  const std::string folder = named != nullptr ? named : ALNSMITH_DATA_DIR;
  if (std::filesystem::exists(folder + "/pairs/pairs.tsv.gz")) return folder;
  return std::nullopt;
}

std::string bundled_dir() { return ALNSMITH_BUNDLED_DATA; }

Data bundled_data() { return {bundled_dir(), ALNSMITH_MATRICES, true}; }

Data large_data(const std::string &data_dir) { return {data_dir + "/pairs", data_dir + "/matrices", false}; }

std::vector<Data> present_data() {
  std::vector<Data> present = {bundled_data()};
  if (const auto data = data_dir()) present.push_back(large_data(*data));
  return present;
}

std::string missing_data() { return "no test data: set ALNSMITH_DATA_DIR to the folder that holds pairs/pairs.tsv.gz"; }

std::vector<std::string> read_lines(const std::string &path) {
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain text too
  if (file == nullptr) throw std::runtime_error(path + ": cannot be opened");
  std::string text, buffer(1 << 16, '\0');
  int got = 0;
  while ((got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0)
    text.append(buffer, 0, static_cast<std::size_t>(got));
  const int closed = gzclose(file);
  if (got < 0 || closed != Z_OK) throw std::runtime_error(path + ": damaged");

  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Record> read_sequences(const std::string &path) {
  std::vector<Record> records;
  const std::vector<std::string> lines = read_lines(path);
  const auto name_of = [](const std::string &header) { return header.substr(1, header.find_first_of(" \t") - 1); };
  for (std::size_t i = 0; i < lines.size();) {
    const std::string &header = lines[i++];
    if (header.empty()) continue;
    if (header[0] != '>' && header[0] != '@') throw std::runtime_error(path + ": no FASTA or FASTQ header");
    Record record{name_of(header), ""};
    while (i < lines.size() && (lines[i].empty() || (lines[i][0] != '>' && lines[i][0] != '+')))
      record.letters += lines[i++];
    if (header[0] == '@') {  // skip as many quality bytes as there are letters
      ++i;
      for (std::size_t seen = 0; seen < record.letters.size() && i < lines.size(); ++i) seen += lines[i].size();
    }
    records.push_back(std::move(record));
  }
  return records;
}

MatrixFile read_matrix(const std::string &path) {
  MatrixFile matrix;
  std::string rows;
  for (const std::string &line : read_lines(path)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) continue;
    if (matrix.letters.empty()) {
      do matrix.letters += word;
      while (words >> word);
      continue;
    }
    rows += word;
    for (long score = 0; words >> score;) matrix.scores.push_back(score);
  }
  if (rows != matrix.letters || matrix.scores.size() != rows.size() * rows.size())
    throw std::runtime_error(path + ": not a square matrix with the same letters on both sides");
  return matrix;
}

}  // namespace golden
