// Scoring numbers and their statics.
#include "plan/numbers.h"

#include <algorithm>
#include <cctype>

#include "alnsmith/kernel_abi.h"

namespace alnsmith::plan {

using spec::Spec;
using spec::Value;

Numbers numbers(const Spec &s) {
  Numbers n;
  const int sign = s.objective == spec::Objective::minimize ? -1 : 1;
  auto signed_value = [&](Value v) { return Value{v.runtime, sign * v.value}; };
  n.match = signed_value(s.score.match);
  n.mismatch = signed_value(s.score.mismatch);
  n.insertion_open = s.insertion.open;
  n.insertion_extend = s.insertion.extend;
  n.deletion_open = s.deletion.open;
  n.deletion_extend = s.deletion.extend;
  if (s.score.kind == spec::ScoreKind::match) {
    const bool runtime = n.match.runtime || n.mismatch.runtime;
    n.score_min = {runtime, runtime ? 0 : std::min(n.match.value, n.mismatch.value)};
    n.score_max = {runtime, runtime ? 0 : std::max(n.match.value, n.mismatch.value)};
  } else if (s.score.matrix_runtime) {
    n.score_min = n.score_max = {true, 0};
  } else {
    const auto [low, high] = std::ranges::minmax(s.score.matrix);
    n.score_min = {false, sign < 0 ? -high : low};
    n.score_max = {false, sign < 0 ? -low : high};
  }
  return n;
}

bool affine(const spec::Spec &s) {
  return s.insertion.model == spec::GapModel::affine || s.deletion.model == spec::GapModel::affine;
}

Symbol symbol(const Value &v, const char *name) { return v.runtime ? Symbol(std::string(name)) : Symbol(v.value); }

void put_scoring(frontend::Statics &statics, const Spec &s, const Numbers &n, spec::Side stream) {
  auto put = [&](const std::string &field, const Value &v, int index) {
    statics[field + ".runtime"] = v.runtime;
    statics[field + ".value"] = v.value;
    statics[field + ".index"] = index;
  };
  statics["matrix"] = s.score.kind == spec::ScoreKind::matrix;
  statics["matrix_runtime"] = s.score.matrix_runtime;
  statics["letters"] = static_cast<std::int64_t>(s.alphabet.letters.size());
  put("match", n.match, ALN_MATCH);
  put("mismatch", n.mismatch, ALN_MISMATCH);
  // A gap that skips query letters is an insertion.
  const std::string query = stream == spec::Side::query ? "stream" : "register";
  const std::string target = stream == spec::Side::query ? "register" : "stream";
  put(query + "_open", n.insertion_open, ALN_INSERTION_OPEN);
  put(query + "_extend", n.insertion_extend, ALN_INSERTION_EXTEND);
  put(target + "_open", n.deletion_open, ALN_DELETION_OPEN);
  put(target + "_extend", n.deletion_extend, ALN_DELETION_EXTEND);
  put("score_min", n.score_min, ALN_SCORE_MIN);
  put("score_max", n.score_max, ALN_SCORE_MAX);
}

std::vector<int> folded_matrix(const Spec &s) {
  if (s.score.kind != spec::ScoreKind::matrix || s.score.matrix_runtime) return {};
  const std::size_t letters = s.alphabet.letters.size();
  const int sign = s.objective == spec::Objective::minimize ? -1 : 1;
  std::vector<int> matrix(32 * ALN_MATRIX_STRIDE, numbers(s).score_min.value);
  for (std::size_t r = 0; r < letters; ++r)
    for (std::size_t c = 0; c < letters; ++c)
      matrix[r * ALN_MATRIX_STRIDE + c] = sign * s.score.matrix[r * letters + c];
  return matrix;
}

std::string identifier(std::string text) {
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

}  // namespace alnsmith::plan
