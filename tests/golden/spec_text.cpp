// See spec_text.h.
#include "spec_text.h"

#include <algorithm>
#include <sstream>

namespace golden {
namespace {

// What values stand as in a spec: as they are, or left to the call.
struct Written {
  bool runtime = false;
  std::string operator()(const auto &value) const {
    std::ostringstream text;
    text << value;
    return runtime ? "runtime" : text.str();
  }
};

std::string gap_text(const Scoring &scoring, Written written) {
  const std::string open = scoring.open == 0 ? "linear" : "affine, open: " + written(scoring.open);
  return "{model: " + open + ", extend: " + written(scoring.extend) + "}";
}

std::string with_head(const std::string &name, const std::string &fields, std::string_view output) {
  std::string legal = name;
  std::replace(legal.begin(), legal.end(), '_', '-');
  return "version: 1\nname: golden-" + legal + "\n" + fields + "\noutput: " + std::string(output) + "\n";
}

std::string alignment_text(std::string_view mode) {
  const ModeEnds ends = mode_ends(mode);
  if (ends.mode == oracle::Mode::global) return "global";
  if (ends.mode == oracle::Mode::local) return "local";
  if (mode == "sg") return "semiglobal";
  std::string list;
  const auto add = [&](bool free, const char *name) {
    if (free) list += (list.empty() ? "" : ", ") + std::string(name);
  };
  add(ends.free.query_begin, "query_begin");
  add(ends.free.query_end, "query_end");
  add(ends.free.target_begin, "target_begin");
  add(ends.free.target_end, "target_end");
  return "{free_ends: [" + list + "]}";
}

std::string fields(std::string_view mode, const Scoring &scoring, Written written) {
  const bool two_one = scoring.matrix == "DNA_2_1.mat";
  return "alignment: " + alignment_text(mode) + "\ngap: " + gap_text(scoring, written) +
         "\nalphabet: " + (scoring.protein ? "protein" : "dna5") + "\nscore: " +
         (two_one ? "{match: " + written(2) + ", mismatch: " + written(-1) + "}"
                  : "{matrix: " + written(scoring.matrix) + "}");
}

}  // namespace

std::string spec_fields(std::string_view mode, const Scoring &scoring) { return fields(mode, scoring, {}); }

std::string spec_text(std::string_view mode, const Scoring &scoring, std::string_view output) {
  return with_head(std::string(mode) + "-" + std::string(scoring.id), spec_fields(mode, scoring), output);
}

std::string runtime_spec_text(std::string_view mode, const Scoring &scoring, std::string_view output) {
  return with_head("runtime-" + std::string(mode), fields(mode, scoring, {.runtime = true}), output);
}

}  // namespace golden
