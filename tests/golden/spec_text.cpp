// See spec_text.h.
#include "spec_text.h"

#include <algorithm>
#include <sstream>

namespace golden {
namespace {

std::string gap_text(const Scoring &scoring) {
  std::ostringstream text;
  text << (scoring.open == 0 ? "{model: linear" : "{model: affine, open: " + std::to_string(scoring.open))
       << ", extend: " << scoring.extend << "}";
  return text.str();
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

}  // namespace

std::string spec_fields(std::string_view mode, const Scoring &scoring) {
  const bool two_one = scoring.matrix == "DNA_2_1.mat";
  std::ostringstream text;
  text << "alignment: " << alignment_text(mode) << "\ngap: " << gap_text(scoring)
       << "\nalphabet: " << (scoring.protein ? "protein" : "dna5")
       << "\nscore: " << (two_one ? "{match: 2, mismatch: -1}" : "{matrix: " + std::string(scoring.matrix) + "}");
  return text.str();
}

std::string spec_text(std::string_view mode, const Scoring &scoring, std::string_view output) {
  std::string name = "golden-" + std::string(mode) + "-" + std::string(scoring.id);
  std::replace(name.begin(), name.end(), '_', '-');
  return "version: 1\nname: " + name + "\n" + spec_fields(mode, scoring) + "\noutput: " + std::string(output) + "\n";
}

}  // namespace golden
