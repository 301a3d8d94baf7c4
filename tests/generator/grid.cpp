#include "grid.h"

#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace grid {

namespace {

constexpr const char *ends[] = {"query_begin", "query_end", "target_begin", "target_end"};

std::string mode_name(int set) {
  static constexpr const char *letters[] = {"qb", "qe", "tb", "te"};
  std::string name = "sg";
  for (int e = 0; e < 4; ++e)
    if (set >> e & 1) name += std::string("_") + letters[e];
  return name;
}

// A matrix without symmetry, from a fixed generator: small scores, a positive diagonal.
std::vector<int> odd_matrix(std::size_t letters) {
  std::vector<int> m(letters * letters);
  std::uint32_t x = 12345;
  for (std::size_t i = 0; i < m.size(); ++i) {
    x = x * 1664525u + 1013904223u;
    m[i] = static_cast<int>(x >> 28) % 7 - 4;
    if (i / letters == i % letters) m[i] = 3 + static_cast<int>(i % 3);
  }
  return m;
}

std::string rows_text(const std::string &letters, const std::vector<int> &m) {
  std::string text = "{letters: \"" + letters + "\", rows: [";
  for (std::size_t r = 0; r < letters.size(); ++r) {
    text += r ? ", [" : "[";
    for (std::size_t c = 0; c < letters.size(); ++c)
      text += (c ? ", " : "") + std::to_string(m[r * letters.size() + c]);
    text += "]";
  }
  return text + "]}";
}

// The same gaps per side, whose deletions cost 1 a letter at flagged columns.
std::string with_flags(const std::string &gap) {
  const auto flagged = [](const std::string &side) { return side.substr(0, side.size() - 1) + ", at_flag: 1}"; };
  const auto at = gap.find("deletion: ");
  if (at == std::string::npos) return "{insertion: " + gap + ", deletion: " + flagged(gap) + "}";
  return gap.substr(0, at) + "deletion: " + flagged(gap.substr(at + 10, gap.size() - at - 11)) + "}";
}

}  // namespace

std::vector<std::string> modes() {
  std::vector<std::string> names = {"global", "local"};
  for (int set = 1; set < 16; ++set) names.push_back(mode_name(set));
  return names;
}

std::vector<std::string> gaps() {
  if (const char *one = std::getenv("ALNSMITH_GAP")) return {one};
  return {"linear", "affine", "per_side", "dual_affine", "dual_per_side"};
}

std::vector<std::string> scores() {
  return {"match", "match_wildcard", "match_runtime", "matrix", "matrix_32", "matrix_runtime"};
}

std::vector<std::string> lane_scores() {
  std::vector<std::string> names = scores();
  names.insert(names.end(), {"sets", "wide_sets"});
  return names;
}

Case make_case(const std::string &mode, const std::string &gap, const std::string &score, int k, bool end) {
  const oracle::Problem unset{oracle::Mode::global, {}, {}, {}, oracle::Substitution::match_mismatch("A", 0, 0), false};
  Case c{mode, gap, score, {}, unset, {}, {}, {}, end};
  oracle::Problem &p = c.problem;
  std::string alignment = mode;
  if (mode == "global") {
    p.mode = oracle::Mode::global;
  } else if (mode == "local") {
    p.mode = oracle::Mode::local;
  } else {
    p.mode = oracle::Mode::semiglobal;
    std::string list;
    bool *const flags[] = {&p.free.query_begin, &p.free.query_end, &p.free.target_begin, &p.free.target_end};
    for (int set = 1; set < 16; ++set)
      if (mode_name(set) == mode)
        for (int e = 0; e < 4; ++e)
          if (set >> e & 1) {
            *flags[e] = true;
            list += (list.empty() ? "" : ", ") + std::string(ends[e]);
          }
    alignment = "{free_ends: [" + list + "]}";
  }

  std::string gap_text;
  const bool runtime = score == "match_runtime";
  if (gap == "linear") {
    p.insertion = p.deletion = {0, 2};
    gap_text = runtime ? "{model: linear, extend: runtime}" : "{model: linear, extend: 2}";
  } else if (gap == "affine") {
    p.insertion = p.deletion = {3, 1};
    gap_text = runtime ? "{model: affine, open: runtime, extend: runtime}" : "{model: affine, open: 3, extend: 1}";
  } else if (gap == "dual_affine") {
    // The lines meet at a length of 4, so that short and long gaps are on one each.
    p.insertion = p.deletion = {1, 3, {{9, 1}}};
    gap_text = runtime ? "{model: dual_affine, open: runtime, extend: runtime, open2: runtime, extend2: runtime}"
                       : "{model: dual_affine, open: 1, extend: 3, open2: 9, extend2: 1}";
  } else if (gap == "dual_per_side") {
    // The line of long gaps first, and one whose letters cost nothing.
    p.insertion = {7, 0, {{2, 2}}};
    p.deletion = {3, 1};
    gap_text = std::string("{insertion: {model: dual_affine, open: 7, extend: 0, open2: ") +
               (runtime ? "runtime" : "2") + ", extend2: " + (runtime ? "runtime" : "2") +
               "}, deletion: {model: affine, open: 3, extend: " + (runtime ? "runtime" : "1") + "}}";
  } else {
    p.insertion = {4, 1};
    p.deletion = {0, 2};
    gap_text = std::string("{insertion: {model: affine, open: ") + (runtime ? "runtime" : "4") +
               ", extend: 1}, deletion: {model: linear, extend: " + (runtime ? "runtime" : "2") + "}}";
  }
  if (runtime) {
    for (const auto &[side, cost] : {std::pair{"insertion", p.insertion}, {"deletion", p.deletion}}) {
      const std::vector<oracle::Line> lines = cost.lines();
      for (std::size_t n = 0; n < lines.size(); ++n) {
        const std::string line = n == 0 ? "" : std::to_string(n + 1);
        c.runtime[side + std::string("_open") + line] = static_cast<int>(lines[n].open);
        c.runtime[side + std::string("_extend") + line] = static_cast<int>(lines[n].extend);
      }
    }
  }

  std::string alphabet, score_text, more;
  if (score == "sets") {
    // Flags on the diagonal and of gaps; lower case is flagged (Case::flags).
    c.letters = "ACGTacgtRYN";
    c.flags = true;
    alphabet = "{state_sets: dna}";
    p.substitution = oracle::Substitution::state_sets(
        {{'A', 1}, {'C', 2}, {'G', 4}, {'T', 8}, {'R', 5}, {'Y', 10}, {'N', 15}}, 2, -1);
    p.flag_score = -3;
    p.flag_cost = 1;
    gap_text = with_flags(gap_text);
    score_text = "{match: 2, mismatch: -1, at_flag: -3}";
    more = "column_flags: 1\n";
  } else if (score == "wide_sets") {
    c.letters = "ACDWYabx";
    std::map<char, std::uint32_t> sets;
    for (unsigned i = 0; i < 23; ++i) sets[static_cast<char>('A' + i)] = 1u << i;
    alphabet = "{state_sets: {states: ABCDEFGHIJKLMNOPQRSTUVWYZ, sets: {X: ABZ}}}";
    sets['Y'] = 1u << 23;
    sets['Z'] = 1u << 24;
    sets['X'] = 1u | 2u | 1u << 24;
    p.substitution = oracle::Substitution::state_sets(sets, 3, -2);
    score_text = "{match: 3, mismatch: -2}";
    if (p.mode != oracle::Mode::local) {
      more = "band: {from: -40, to: 40}\n";
      p.band_from = [](long, long) { return -40l; };
      p.band_to = [](long, long) { return 40l; };
      if (!p.free.query_begin) {
        more += "border: {query_begin: forbidden}\n";
        p.query_begin_forbidden = true;
      }
    }
  } else if (score == "match" || score == "match_runtime") {
    alphabet = "dna";
    c.letters = "ACGT";
    p.substitution = oracle::Substitution::match_mismatch("ACGT", 2, -1);
    score_text = runtime ? "{match: runtime, mismatch: runtime}" : "{match: 2, mismatch: -1}";
    if (runtime) {
      c.runtime["match"] = 2;
      c.runtime["mismatch"] = -1;
    }
  } else if (score == "match_wildcard") {
    alphabet = "dna5";
    c.letters = "ACGTACGTACGTN";
    p.substitution = oracle::Substitution::match_mismatch("ACGTN", 3, -2, 'N');
    score_text = "{match: 3, mismatch: -2}";
  } else {
    // Of 31 letters the last entry of a row is for pads alone, of 32 there is none left.
    const std::string most = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    c.letters = score == "matrix_32" ? most : score == "matrix_runtime" ? most.substr(0, 31) : "WXYZKL";
    alphabet = "{letters: \"" + c.letters + "\"}";
    const std::vector<int> m = odd_matrix(c.letters.size());
    p.substitution = oracle::Substitution::matrix(c.letters, std::vector<long>(m.begin(), m.end()));
    if (score == "matrix_runtime") {
      score_text = "{matrix: runtime}";
      c.runtime_matrix = m;
    } else {
      score_text = "{matrix: " + rows_text(c.letters, m) + "}";
    }
  }
  c.yaml = "version: 1\nname: grid-" + mode + "-" + gap + "-" + score + (end ? "-end" : "") +
           "\nalignment: " + alignment + "\ngap: " + gap_text + "\nalphabet: " + alphabet + "\nscore: " + score_text +
           "\ntile: {k: " + std::to_string(k) + "}\n" + more + (end ? "output: [score, end]\n" : "");
  for (std::size_t i = 0; i < c.yaml.find("\nalignment"); ++i)
    if (c.yaml[i] == '_') c.yaml[i] = '-';
  return c;
}

oracle::Answer Case::textbook(const std::string &query, const std::string &target) const {
  if (!flags) return oracle::align(problem, query, target);
  oracle::Target columns;
  for (const char letter : target) {
    columns.codes.push_back(problem.substitution.code(letter));
    columns.flags.push_back(letter >= 'a' && letter <= 'z');
  }
  return oracle::align(problem, query, columns);
}

Case with_cigar(Case c) {
  // Whose begins no kernel finds where such a gap leads to the border.
  const bool free = c.problem.mode == oracle::Mode::local || c.problem.free.target_begin;
  if (const auto at = c.yaml.find(", at_flag: 1}"); at != std::string::npos && !free) {
    c.yaml.erase(at, std::string(", at_flag: 1").size());
    c.problem.flag_cost.reset();
  }
  if (!c.end) c.yaml += "output: [score, end]\n";
  c.yaml.replace(c.yaml.find("[score, end]"), 12, "[score, end, begin, cigar]");
  c.yaml.insert(c.yaml.find("\nalignment"), "-cigar");
  c.end = c.cigar = true;
  return c;
}

Case with_band(Case c, int width) {
  c.yaml += "band: {width: " + std::to_string(width) + "}\n";
  c.problem.band = width;
  return c;
}

Case with_gaps(Case c, const oracle::Gap &insertion, const oracle::Gap &deletion) {
  const auto text = [](const oracle::Gap &gap) {
    std::string all = gap.more.empty() ? "{model: affine" : "{model: dual_affine", suffix;
    for (const oracle::Line &line : gap.lines()) {
      all += ", open" + suffix + ": " + std::to_string(line.open) + ", extend" + suffix + ": " +
             std::to_string(line.extend);
      suffix = "2";
    }
    return all + "}";
  };
  c.problem.insertion = insertion;
  c.problem.deletion = deletion;
  const std::size_t gap = c.yaml.find("\ngap: ") + 6, end = c.yaml.find('\n', gap);
  c.yaml.replace(gap, end - gap, "{insertion: " + text(insertion) + ", deletion: " + text(deletion) + "}");
  return c;
}

oracle::Gap random_gap(std::mt19937 &random, int most_open, int most_extend) {
  const auto draw = [&](long most) { return static_cast<long>(random() % static_cast<unsigned>(most + 1)); };
  const oracle::Line steep{draw(most_open), 1 + draw(most_extend)};
  if (random() % 4 == 0) return {steep.open, steep.extend};
  // Each of two lines must be the smaller somewhere; the spec may have either first.
  const oracle::Line flat{steep.open + 1 + draw(most_open), draw(steep.extend - 1)};
  if (random() % 2) return {flat.open, flat.extend, {steep}};
  return {steep.open, steep.extend, {flat}};
}

}  // namespace grid
