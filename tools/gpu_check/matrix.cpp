// See matrix.h.
#include "matrix.h"

#include <fmt/format.h>

#include "targets/arithmetics.h"
#include "targets/mappings.h"

namespace alnsmith::check {
namespace {

struct ScoringRow {
  const char *id, *alphabet, *gap, *score;
};
// A gap of L letters costs open + extend * L, as in the golden data.
constexpr ScoringRow kScorings[] = {
    {"dna_2_1_lin1", "dna5", "{model: linear, extend: 1}", "{match: 2, mismatch: -1}"},
    {"dna_2_1_aff2_1", "dna5", "{model: affine, open: 2, extend: 1}", "{match: 2, mismatch: -1}"},
    {"nuc44_aff10_1", "iupac", "{model: affine, open: 10, extend: 1}", "{matrix: NUC.4.4}"},
    {"b62_lin4", "protein", "{model: linear, extend: 4}", "{matrix: BLOSUM62}"},
    {"b62_aff11_1", "protein", "{model: affine, open: 11, extend: 1}", "{matrix: BLOSUM62}"},
};

struct ModeRow {
  const char *name, *alignment;
};
constexpr ModeRow kModes[] = {
    {"nw", "global"},
    {"sw", "local"},
    {"sg", "semiglobal"},
    {"sg_qx", "{free_ends: [query_begin, query_end]}"},
    {"sg_dx", "{free_ends: [target_begin, target_end]}"},
    {"sg_qb", "{free_ends: [query_begin]}"},
    {"sg_qe", "{free_ends: [query_end]}"},
    {"sg_db", "{free_ends: [target_begin]}"},
    {"sg_de", "{free_ends: [target_end]}"},
    {"sg_qb_de", "{free_ends: [query_begin, target_end]}"},
    {"sg_qe_db", "{free_ends: [query_end, target_begin]}"},
    {"sg_qb_db", "{free_ends: [query_begin, target_begin]}"},
    {"sg_qe_de", "{free_ends: [query_end, target_end]}"},
};

// What devices have, of the numbers that keep scores.
std::vector<std::string_view> arithmetics() {
  std::vector<std::string_view> names;
  for (const targets::Arithmetic &row : targets::kArithmetics)
    if (row.on_devices() && !row.sliced()) names.push_back(row.name);
  return names;
}
std::vector<std::string_view> mappings() {
  std::vector<std::string_view> names;
  for (const targets::Mapping &row : targets::kMappings)
    if (row.devices != targets::Share::none) names.push_back(row.name);
  return names;
}
struct TileRow {
  int p, k;
};
constexpr TileRow kTiles[] = {{8, 4}, {32, 3}, {16, 8}, {8, 1}, {32, 6}, {16, 2}, {8, 11}};

std::string dashed(std::string text) {
  for (char &c : text)
    if (c == '_') c = '-';
  return text;
}

}  // namespace

std::string MatrixPoint::cpu_yaml() const { return "version: 1\nname: " + name + "-cpu\n" + body; }

// 5 x 3 x 7 draws: the numbers have no common divisor, so that counting meets all of them. It begins with wavefronts,
// which `auto` takes most.
int device_draws() { return static_cast<int>(arithmetics().size() * mappings().size() * std::size(kTiles)); }

std::string MatrixPoint::device_yaml(int draw) const {
  const auto n = static_cast<std::size_t>(draw);
  const TileRow tile = kTiles[n % std::size(kTiles)];
  return fmt::format("version: 1\nname: {}\n{}arithmetic: {}\nmapping: {}\ntile: {{p: {}, k: {}}}\n", name, body,
                     arithmetics()[n % arithmetics().size()], mappings()[(n + 1) % mappings().size()], tile.p, tile.k);
}

std::vector<MatrixPoint> matrix_points() {
  std::vector<MatrixPoint> points;
  for (const ModeRow &mode : kModes)
    for (const ScoringRow &scoring : kScorings) {
      MatrixPoint point;
      point.mode = mode.name;
      point.scoring = scoring.id;
      point.name = dashed(fmt::format("check-{}-{}", mode.name, scoring.id));
      point.alphabet = scoring.alphabet;
      const bool whole = points.size() % 3 == 0;
      point.ends = whole || points.size() % 2 == 0;
      point.body = fmt::format("alignment: {}\ngap: {}\nalphabet: {}\nscore: {}\n{}", mode.alignment, scoring.gap,
                               scoring.alphabet, scoring.score,
                               whole        ? "output: [score, end, begin, cigar]\n"
                               : point.ends ? "output: [score, end]\n"
                                            : "");
      points.push_back(std::move(point));
    }
  return points;
}

}  // namespace alnsmith::check
