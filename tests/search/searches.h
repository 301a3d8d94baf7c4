// Runs `alnsmith search` and reads what it prints.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "program.h"

namespace alnsmith::testing {

using Words = std::vector<std::string>;
using Cells = std::vector<std::string>;  // of a line

inline std::vector<Cells> table(const std::string &text) {
  std::vector<Cells> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    Cells &row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
  }
  return rows;
}

inline std::string random_letters(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::string out(n, 'A');
  for (char &letter : out) letter = "ACGT"[random() % 4];
  return out;
}

inline std::string random_fasta(const std::string &name, int records, int longest, unsigned seed) {
  std::mt19937 random(seed);
  std::string out;
  for (int i = 0; i < records; ++i) {
    out += ">" + name + std::to_string(i) + (i % 3 == 0 ? " some words of " + name : "") + "\n";
    const int n = 1 + static_cast<int>(random() % static_cast<unsigned>(longest));
    for (int k = 0; k < n; ++k) out += "ACGT"[random() % 4];
    out += "\n";
  }
  return out;
}

// A search that has to go well, without a word on stderr.
inline std::string searched(const Words &more) {
  Words words = {"search", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  const Finished got = alnsmith(words);
  EXPECT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(got.err, "");
  return got.out;
}

// A command that has to fail with one line that has `words` in it.
inline void refused(const Words &command, int status, const std::string &words) {
  const Finished got = alnsmith(command);
  EXPECT_EQ(got.status, status) << got.err;
  EXPECT_TRUE(one_line(got.err)) << got.err;
  EXPECT_NE(got.err.find(words), std::string::npos) << got.err;
  EXPECT_EQ(got.out, "");
}

}  // namespace alnsmith::testing
