// See tables.h and ncbi_rows.inc.
#include "tables.h"

#include <algorithm>
#include <iterator>

namespace alnsmith::search {
namespace {

struct MatrixRow {
  std::string_view name;
  std::uint64_t fingerprint;
  double a, alpha;
};
struct GapRow {
  std::string_view matrix;
  int open, extend;
  double lambda, k, h, a, alpha, sigma;
};
struct LetterPart {
  char letter;
  double thousandths;
};
#include "ncbi_rows.inc"

// FNV-1a over the entries of the twenty amino acids, row by row, a byte each; nothing where the alphabet lacks one of
// them or an entry does not fit.
std::optional<std::uint64_t> fingerprint(const ScoringSystem &scoring) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char query : kAminoAcids)
    for (const char target : kAminoAcids) {
      const std::size_t row = scoring.letters.find(query), column = scoring.letters.find(target);
      if (row == std::string::npos || column == std::string::npos) return std::nullopt;
      const int value = scoring.matrix[row * scoring.letters.size() + column];
      if (value < -128 || value > 127) return std::nullopt;
      hash = (hash ^ static_cast<std::uint8_t>(value)) * 0x100000001b3;
    }
  return hash;
}

// Half a unit of the second significant digit of a number below 1.
double half_unit_of_two_digits(double value) {
  double unit = 0.1;
  while (value < unit) unit /= 10;
  return unit / 20;
}

Statistics from_row(const MatrixRow &matrix, const GapRow &row) {
  Statistics out;
  out.method = Method::table;
  out.lambda = row.lambda;
  out.lambda_error = 0.0005;
  out.k = row.k;
  out.k_error = half_unit_of_two_digits(row.k);
  out.h = row.h;
  // What is not tabulated follows from alignments without gaps: Park et al. 2012.
  const double twice = 2.0 * (row.open + row.extend);
  out.query = {row.a, twice * (matrix.a - row.a), row.alpha, twice * (matrix.alpha - row.alpha)};
  out.target = out.query;
  out.sigma = row.sigma;
  out.tau = twice * (matrix.alpha - row.sigma);
  return out;
}

std::string words_of(const std::vector<GapLine> &lines) {
  std::string text;
  for (const GapLine &line : lines) {
    if (!text.empty()) text += ", ";
    text += std::to_string(line.open) + " + " + std::to_string(line.extend) + "*L";
  }
  return lines.size() > 1 ? "min(" + text + ")" : text;
}

}  // namespace

double amino_acid_part(char letter) {
  for (const LetterPart &row : kRobinson)
    if (row.letter == letter) return row.thousandths / 1000;
  return 0;
}

std::vector<GapLine> effective_lines(std::vector<GapLine> lines) {
  // In the order of what a gap opens with, a later line serves only where it extends for less than all before.
  std::ranges::sort(lines, [](const GapLine &a, const GapLine &b) {
    return a.open + a.extend != b.open + b.extend ? a.open + a.extend < b.open + b.extend : a.extend < b.extend;
  });
  std::vector<GapLine> out;
  for (const GapLine &line : lines)
    if (out.empty() || line.extend < out.back().extend) out.push_back(line);
  return out;
}

std::string gap_words(const ScoringSystem &scoring) {
  const std::string insertion = words_of(effective_lines(scoring.insertion));
  const std::string deletion = words_of(effective_lines(scoring.deletion));
  return insertion == deletion ? insertion : "insertion " + insertion + ", deletion " + deletion;
}

std::optional<Statistics> tabulated(const ScoringSystem &scoring) {
  const std::vector<GapLine> lines = effective_lines(scoring.insertion);
  if (lines.size() != 1 || lines != effective_lines(scoring.deletion)) return std::nullopt;
  const std::optional<std::uint64_t> hash = fingerprint(scoring);
  if (!hash) return std::nullopt;
  const auto *const matrix = std::ranges::find(kMatrices, *hash, &MatrixRow::fingerprint);
  if (matrix == std::end(kMatrices)) return std::nullopt;
  for (const GapRow &row : kGapRows) {
    if (row.matrix != matrix->name || row.open != lines[0].open || row.extend != lines[0].extend) continue;
    Statistics out = from_row(*matrix, row);
    out.source = "NCBI: " + std::string(row.matrix) + ", " + gap_words(scoring);
    const Frequencies standard = Frequencies::standard(scoring);
    out.frequencies = standard.name;
    out.ungapped_lambda = Composition(scoring, standard).standard_lambda().value_or(0);
    return out;
  }
  return std::nullopt;
}

}  // namespace alnsmith::search
