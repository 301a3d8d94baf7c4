// See case.h.
#include "case.h"

#include <cctype>

#include "spec/alphabet.h"
#include "spec_problem.h"

namespace soak {

NLOHMANN_JSON_SERIALIZE_ENUM(
    Route, {{Route::cpu, "cpu"}, {Route::opencl, "opencl"}, {Route::direct, "direct"}, {Route::simt, "simt"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Number, runtime, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Gap, affine, open, extend)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SpecValues, local, free_ends, insertion, deletion, alphabet, letters,
                                                wildcard, matrix, match, mismatch, matrix_runtime, scores, minimize,
                                                max_query, max_target, end, begin, cigar, arithmetic, mapping,
                                                half_precision, p, k, band, band_form)

void to_json(nlohmann::json &json, const Case &c) {
  json = {{"spec", c.spec},       {"route", c.route},     {"target", c.target},  {"rows", c.rows},
          {"block", c.block},     {"grid", c.grid},       {"kernel", c.kernel},  {"all", c.all},
          {"threads", c.threads}, {"queries", c.queries}, {"targets", c.targets}};
  if (!c.note.empty()) json["note"] = c.note;
}

void from_json(const nlohmann::json &json, Case &c) {
  json.at("spec").get_to(c.spec);
  json.at("route").get_to(c.route);
  json.at("target").get_to(c.target);
  c.rows = json.value("rows", 0);
  c.block = json.value("block", 0);
  c.grid = json.value("grid", 0);
  c.kernel = json.value("kernel", 0);
  c.all = json.value("all", false);
  c.threads = json.value("threads", 1);
  json.at("queries").get_to(c.queries);
  json.at("targets").get_to(c.targets);
  c.note = json.value("note", "");
}

const char *name(Route route) {
  static constexpr const char *names[] = {"cpu", "opencl", "direct", "simt"};
  return names[static_cast<int>(route)];
}

namespace {

std::string text(const Number &n) { return n.runtime ? "runtime" : std::to_string(n.value); }

std::string text(const Gap &gap) {
  return gap.affine ? "{model: affine, open: " + text(gap.open) + ", extend: " + text(gap.extend) + "}"
                    : "{model: linear, extend: " + text(gap.extend) + "}";
}

std::string alignment(const SpecValues &s) {
  if (s.local) return "local";
  if (s.free_ends == 0) return "global";
  static constexpr const char *ends[] = {"query_begin", "query_end", "target_begin", "target_end"};
  std::string list;
  for (int e = 0; e < 4; ++e)
    if (s.free_ends >> e & 1) list += (list.empty() ? "" : ", ") + std::string(ends[e]);
  return "{free_ends: [" + list + "]}";
}

std::string score(const SpecValues &s) {
  if (!s.matrix) return "{match: " + text(s.match) + ", mismatch: " + text(s.mismatch) + "}";
  if (s.matrix_runtime) return "{matrix: runtime}";
  const std::string letters = all_letters(s);
  std::string rows;
  for (std::size_t r = 0; r < letters.size(); ++r) {
    rows += r ? ", [" : "[";
    for (std::size_t c = 0; c < letters.size(); ++c)
      rows += (c ? ", " : "") + std::to_string(s.scores[r * letters.size() + c]);
    rows += "]";
  }
  return "{matrix: {letters: \"" + letters + "\", rows: [" + rows + "]}}";
}

}  // namespace

std::string yaml(const SpecValues &s) {
  std::string out = "version: 1\nname: soak\nalignment: " + alignment(s) + "\n";
  out += "gap: " +
         (s.insertion == s.deletion ? text(s.insertion)
                                    : "{insertion: " + text(s.insertion) + ", deletion: " + text(s.deletion) + "}") +
         "\n";
  out += "alphabet: " +
         (!s.alphabet.empty()  ? s.alphabet
          : s.wildcard.empty() ? "{letters: \"" + s.letters + "\"}"
                               : "{letters: \"" + s.letters + "\", wildcard: \"" + s.wildcard + "\"}") +
         "\n";
  out += "score: " + score(s) + "\n";
  if (s.minimize) out += "objective: minimize\n";
  if (s.band >= 0) {
    const std::string width = std::to_string(s.band), ahead = "\"target - query";
    const std::string from = "from: " + (s.band_form & 1 ? ahead + " - " + width + "\"" : "-" + width);
    const std::string to = "to: " + (s.band_form & 2 ? ahead + " + " + width + "\"" : width);
    out += "band: {" + (s.band_form >= 8 ? to : s.band_form >= 4 ? from : from + ", " + to) + "}\n";
  }
  if (s.max_query || s.max_target) {
    std::string lengths;
    if (s.max_query) lengths = "query: " + std::to_string(s.max_query);
    if (s.max_target) lengths += (lengths.empty() ? "target: " : ", target: ") + std::to_string(s.max_target);
    out += "max_length: {" + lengths + "}\n";
  }
  if (s.end || s.begin || s.cigar)
    out +=
        std::string("output: [score, end") + (s.begin || s.cigar ? ", begin" : "") + (s.cigar ? ", cigar" : "") + "]\n";
  if (s.mapping != "auto") out += "mapping: " + s.mapping + "\n";
  if (s.arithmetic != "auto") out += "arithmetic: " + s.arithmetic + "\n";
  if (s.half_precision) out += "half_precision: on\n";
  if (s.p || s.k) {
    out += "tile: {" + (s.p ? "p: " + std::to_string(s.p) : "") + (s.p && s.k ? ", " : "") +
           (s.k ? "k: " + std::to_string(s.k) : "") + "}\n";
  }
  return out;
}

std::string choice(const Case &c) {
  std::string words;
  const auto add = [&](const char *key, int value) {
    if (value) words += (words.empty() ? "" : ",") + std::string(key) + "=" + std::to_string(value);
  };
  add("rows", c.rows);
  add("block", c.block);
  add("grid", c.grid);
  return words;
}

alnsmith::Scoring scoring(const SpecValues &s) {
  alnsmith::Scoring call;
  const auto put = [&](const Number &n, const char *key) {
    if (n.runtime) call.values[key] = n.value;
  };
  const auto put_gap = [&](const Gap &gap, const char *open, const char *extend) {
    if (gap.affine) put(gap.open, open);
    put(gap.extend, extend);
  };
  put_gap(s.insertion, "insertion_open", "insertion_extend");
  put_gap(s.deletion, "deletion_open", "deletion_extend");
  if (!s.matrix) {
    put(s.match, "match");
    put(s.mismatch, "mismatch");
  } else if (s.matrix_runtime) {
    call.matrix = s.scores;
  }
  return call;
}

std::string all_letters(const SpecValues &s) {
  return s.alphabet.empty() ? s.letters + s.wildcard : alnsmith::spec::named_alphabet(s.alphabet)->letters;
}

char wildcard(const SpecValues &s) {
  if (!s.alphabet.empty()) return alnsmith::spec::named_alphabet(s.alphabet)->wildcard;
  return s.wildcard.empty() ? char{0} : s.wildcard[0];
}

oracle::Problem problem(const SpecValues &values, const alnsmith::spec::Spec &spec) {
  oracle::Problem problem = oracle::spec_problem(spec, scoring(values));
  if (const char wild = wildcard(values)) problem.substitution.synonym(invalid_letter, wild);
  for (const auto &[byte, letter] : spec.alphabet.synonyms)
    problem.substitution.synonym(static_cast<char>(std::tolower(static_cast<unsigned char>(byte))), letter);
  return problem;
}

}  // namespace soak
