// See state_set_points.h.
#include "state_set_points.h"

#include <algorithm>

namespace golden::state_sets {

std::string fields(const Point &point) {
  return std::string("alignment: ") + point.alignment + "\ngap: " + point.gap + "\nalphabet: " + point.alphabet +
         "\nscore: " + point.score + point.more + (point.flags ? "\ncolumn_flags: 1" : "");
}

std::string near_columns(std::mt19937 &random, const oracle::Problem &problem, const Point &point,
                         const ColumnTarget &target, std::size_t length) {
  const std::string_view letters = point.letters;
  std::string query;
  for (std::size_t j = random() % (target.sets.size() / 2 + 1); query.size() < length; ++j) {
    char letter = letters[random() % letters.size()];
    const std::uint32_t set = target.sets[j % target.sets.size()];
    for (int tries = 0; tries < 40 && (problem.substitution.code(letter) & set) == 0; ++tries)
      letter = letters[random() % letters.size()];
    if (random() % 12 == 0) letter = letters[random() % letters.size()];
    if (random() % 20 != 0) query += letter;
    if (random() % 15 == 0) j += random() % 4;
  }
  return query;
}

Material material(std::mt19937 &random, const oracle::Problem &problem, const Point &point, std::size_t count,
                  std::size_t longest) {
  Material out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t columns = i == 0 ? longest : i == 1 ? 1 : 1 + random() % longest;
    out.targets.push_back(golden::random_columns(random, point.states, columns, point.flags));
    const std::size_t letters = i == 2 ? 1 : 1 + random() % std::max<std::size_t>(columns * 2 / 3, 1);
    out.queries.push_back(near_columns(random, problem, point, out.targets.back(), letters));
  }
  return out;
}

bool exists(const oracle::Problem &problem, const std::string &query, const ColumnTarget &target) {
  const long score = oracle::align(problem, query, target.plain()).score;
  return score != oracle::no_alignment;
}

Material pairs_that_exist(const oracle::Problem &problem, const Material &all) {
  Material made;
  for (std::size_t i = 0; i < all.queries.size(); ++i) {
    if (!exists(problem, all.queries[i], all.targets[i])) continue;
    made.queries.push_back(all.queries[i]);
    made.targets.push_back(all.targets[i]);
  }
  return made;
}

Material each_with_each(std::mt19937 &random, const oracle::Problem &problem, const Point &point) {
  // Bands leave pairs of unlike lengths without an alignment.
  const bool alike = std::string_view(point.more).find("band") != std::string_view::npos;
  Material made;
  for (int i = 0; i < 46; ++i)
    made.targets.push_back(
        random_columns(random, point.states, alike ? 30 + random() % 3 : 1 + random() % 60, point.flags));
  for (int i = 0; i < 6; ++i)
    made.queries.push_back(near_columns(random, problem, point, made.targets[static_cast<std::size_t>(i)],
                                        alike ? 29 + random() % 2 : 1 + random() % 50));
  std::erase_if(made.targets, [&](const ColumnTarget &target) {
    return !std::ranges::all_of(made.queries, [&](const auto &q) { return exists(problem, q, target); });
  });
  return made;
}

}  // namespace golden::state_sets
