// What the tests of specs share: a small valid spec to vary, the shipped files, scratch files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "scratch.h"
#include "spec/parse.h"

namespace alnsmith::spec {

inline const std::string small_spec =
    "version: 1\n"
    "name: x\n"
    "alignment: global\n"
    "gap: {model: affine, open: 2, extend: 1}\n"
    "alphabet: dna\n"
    "score: {match: 2, mismatch: -1}\n";

// small_spec with one piece replaced by another, and lines appended.
inline std::string with(const std::string &piece, const std::string &other, const std::string &more = "") {
  std::string text = small_spec;
  const size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  if (at != std::string::npos) text.replace(at, piece.size(), other);
  return text + more;
}

inline Result<Spec> parse(const std::string &text) { return parse_text(text, "s.yaml", SPEC_FOLDER); }

// The Spec, or a failed test that shows the error.
inline Spec parse_ok(const std::string &text) {
  auto spec = parse(text);
  EXPECT_TRUE(spec) << (spec ? "" : spec.error().message) << "\n" << text;
  return spec ? *spec : Spec{};
}

inline std::string error_of(const std::string &text) {
  const auto spec = parse(text);
  return spec ? "no error" : spec.error().message;
}

inline std::string read_file(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The shipped specs, sorted.
inline std::vector<std::filesystem::path> shipped_specs() {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(SPEC_FOLDER)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace alnsmith::spec
