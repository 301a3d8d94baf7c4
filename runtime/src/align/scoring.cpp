// Completing and checking a call's scoring.  See scoring.h.
#include "align/scoring.h"

#include <algorithm>
#include <limits>

namespace alnsmith::rt::align {
namespace {

constexpr int kLimit = 10000;

bool is_cost(int i) { return kScoringValues[i].kind == ScoringValue::cost; }
bool is_derived(int i) { return kScoringValues[i].kind == ScoringValue::derived; }

// The same cost of the other side.
int twin_of(int i) {
  for (int line = 0; line < kMostLines; ++line)
    for (int part = 0; part < 2; ++part) {
      const int insertion = kInsertionOpens[line] + part, deletion = kDeletionOpens[line] + part;
      if (i == insertion) return deletion;
      if (i == deletion) return insertion;
    }
  return i;
}

std::optional<int> given_value(const Scoring &scoring, int i) {
  const auto found = scoring.values.find(kScoringValues[i].name);
  if (found == scoring.values.end()) return std::nullopt;
  return found->second;
}

// How a user writes value i: gap.open where both sides take it from the call, else gap.insertion.open.
std::string option_name(const kernels::Manifest &m, int i) {
  const std::string name(kScoringValues[i].name);
  if (!is_cost(i)) return "score." + name;
  const int twin = twin_of(i);
  const auto underscore = name.find('_');
  const std::string side = m.runtime[i] && m.runtime[twin] ? "" : name.substr(0, underscore) + ".";
  return "gap." + side + name.substr(underscore + 1);
}

// Where letter i stands in the runtime's 32 x 32 matrix; wildcards under match/mismatch have no place there.
void place_matrix(const kernels::Manifest &m, const std::vector<int> &given, CallScoring &out) {
  const int sign = m.minimize ? -1 : 1;
  const std::size_t n = m.letters.size();
  std::vector<int> matrix(given);
  for (int &entry : matrix) entry *= sign;
  const auto [least, most] = std::minmax_element(matrix.begin(), matrix.end());
  out.value[ALN_SCORE_MIN] = *least;
  out.value[ALN_SCORE_MAX] = *most;
  out.has_matrix = true;
  out.matrix.fill(*least);
  for (std::size_t q = 0; q < n; ++q)
    for (std::size_t t = 0; t < n; ++t)
      if (m.query_code[q] < 32 && m.target_code[t] < 32)
        out.matrix[m.query_code[q] * ALN_MATRIX_STRIDE + m.target_code[t]] = matrix[q * n + t];
}

// A floor of 0 needs a substitution that does not gain, or padding would; as the spec's rules, for runtime values.
Status check_floor(const kernels::Manifest &m, const CallScoring &scoring) {
  if (!m.local) return Ok{};
  if (m.matrix == kernels::MatrixKind::none && scoring.value[ALN_MISMATCH] > 0)
    return Error{"scoring: a local alignment cannot have a positive mismatch; give --set score.mismatch=0 or less", 2};
  if (m.matrix == kernels::MatrixKind::runtime && scoring.value[ALN_SCORE_MIN] > 0)
    return Error{"scoring: a local alignment cannot have a matrix of positive scores only; make one of them 0 or less"};
  return Ok{};
}

// Of the lines whose opens `opens` are; `value`: how a cost is written.
template <class Value>
std::string one_formula(const kernels::Manifest &m, const int (&opens)[kMostLines], const Value &value) {
  std::string text;
  int lines = 0;
  for (const int open : opens) {
    if (!m.gives(open)) continue;
    text += (lines++ > 0 ? ", " : "") + value(open) + " + " + value(open + 1) + "*L";
  }
  return "cost(L) = " + (lines > 1 ? "min(" + text + ")" : text);
}

}  // namespace

kernels::Values CallScoring::values() const {
  kernels::Values values{};
  std::copy(value.begin(), value.end(), values.begin());  // Name and ALN_* share their order
  return values;
}

Status check_scoring(const kernels::Manifest &m, const Scoring &given) {
  for (const auto &[name, value] : given.values) {
    int i = 0;
    while (i < ALN_SCORING_COUNT && (kScoringValues[i].name != name || is_derived(i))) ++i;
    if (i == ALN_SCORING_COUNT) return Error{"scoring: unknown name '" + name + "'", 2};
    if (is_cost(i) && !m.gives(i))
      return Error{"scoring: the spec '" + m.spec_name + "' has no " + option_name(m, i) +
                       ": its gap model has no such costs; leave it out",
                   2};
    if (!m.runtime[i])
      return Error{"scoring: the spec '" + m.spec_name + "' fixes " + option_name(m, i) +
                       "; write `runtime` there to set it per call",
                   2};
    if (value > kLimit || value < (is_cost(i) ? 0 : -kLimit))
      return Error{"scoring: " + option_name(m, i) + " = " + std::to_string(value) + " is outside " +
                       (is_cost(i) ? "0" : "-10000") + "..10000",
                   2};
  }
  if (given.matrix.empty()) return Ok{};
  if (m.matrix != kernels::MatrixKind::runtime || !m.fixed_matrix.empty())
    return Error{"scoring: the spec '" + m.spec_name + "' takes no matrix; write `score: {matrix: runtime}` there", 2};
  const std::size_t n = m.letters.size();
  if (given.matrix.size() != n * n)
    return Error{"scoring: the matrix has " + std::to_string(given.matrix.size()) + " entries; the alphabet " +
                 m.letters + " needs " + std::to_string(n) + " x " + std::to_string(n)};
  for (int entry : given.matrix)
    if (entry > kLimit || entry < -kLimit)
      return Error{"scoring: matrix entry " + std::to_string(entry) + " is outside -10000..10000"};
  return Ok{};
}

Result<CallScoring> resolve_scoring(const kernels::Manifest &m, const Scoring &call, const Scoring &standing) {
  if (auto ok = check_scoring(m, call); !ok) return ok.error();
  CallScoring out;
  for (int i = 0; i < ALN_SCORING_COUNT; ++i) {
    if (is_derived(i)) continue;
    if (!m.runtime[i]) {
      out.value[i] = m.scoring[i].value_or(0);
      continue;
    }
    auto value = given_value(call, i);
    if (!value) value = given_value(standing, i);
    if (!value)
      return Error{"scoring: the spec '" + m.spec_name + "' leaves " + option_name(m, i) +
                       " to the call; give it with --set " + option_name(m, i) + "=VALUE",
                   2};
    out.value[i] = m.minimize && !is_cost(i) ? -*value : *value;
  }
  const auto [least, most] = std::minmax(out.value[ALN_MATCH], out.value[ALN_MISMATCH]);
  out.value[ALN_SCORE_MIN] = m.scoring[ALN_SCORE_MIN].value_or(least + std::min(m.score_at_flag, 0));
  out.value[ALN_SCORE_MAX] = m.scoring[ALN_SCORE_MAX].value_or(most + std::max(m.score_at_flag, 0));
  if (m.matrix == kernels::MatrixKind::runtime) {
    const auto &matrix = !m.fixed_matrix.empty() ? m.fixed_matrix : call.matrix.empty() ? standing.matrix : call.matrix;
    if (matrix.empty())
      return Error{"scoring: the spec '" + m.spec_name + "' leaves the matrix to the call; give it with --matrix FILE",
                   2};
    place_matrix(m, matrix, out);
  }
  if (auto ok = check_floor(m, out); !ok) return ok.error();
  return out;
}

std::optional<std::int32_t> border_score(const kernels::Manifest &m, const CallScoring &scoring, std::size_t query,
                                         std::size_t target, std::optional<FlaggedColumns> flagged) {
  if (m.local || query + target == 0) return 0;
  const bool deletion = query == 0;  // the gap lies over the target
  if (deletion ? m.free_target : m.free_query) return 0;
  __int128 cost = gap_cost(m, scoring.value, deletion ? kDeletionOpens : kInsertionOpens, query + target);
  if (flagged && flagged->count > 0) {
    // Behind a flagged column the gap is open on every line.
    int least = scoring.value[kDeletionOpens[0] + 1];
    for (const int open : kDeletionOpens)
      if (m.gives(open + 1)) least = std::min(least, scoring.value[open + 1]);
    cost = flagged->before > 0 ? gap_cost(m, scoring.value, kDeletionOpens, flagged->before) : 0;
    cost += static_cast<__int128>(flagged->count) * m.deletion_at_flag.value_or(0) +
            static_cast<__int128>(target - flagged->count - flagged->before) * least;
  }
  if (cost > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  const auto value = static_cast<std::int32_t>(cost);
  return m.minimize ? value : -value;
}

std::string gap_formula(const kernels::Manifest &m, const Scoring &given) {
  const auto value = [&](int i) {
    if (m.scoring[i]) return std::to_string(*m.scoring[i]);
    const auto known = given_value(given, i);
    return known ? std::to_string(*known) : std::string(kScoringValues[i].name);
  };
  const std::string insertion = one_formula(m, kInsertionOpens, value);
  const std::string deletion = one_formula(m, kDeletionOpens, value);
  if (insertion == deletion) return insertion;
  // Where both sides wait for the call for the same values, without the side.
  bool same = given.values.empty();
  for (int i = 0; i < ALN_SCORING_COUNT; ++i)
    if (is_cost(i)) same = same && m.scoring[i] == m.scoring[twin_of(i)] && m.gives(i) == m.gives(twin_of(i));
  const auto name = [&](int i) {
    if (m.scoring[i]) return std::to_string(*m.scoring[i]);
    const std::string_view whole = kScoringValues[i].name;
    return std::string(whole.substr(whole.find('_') + 1));
  };
  if (same) return one_formula(m, kInsertionOpens, name);
  return "insertion " + insertion + ", deletion " + deletion;
}

}  // namespace alnsmith::rt::align
