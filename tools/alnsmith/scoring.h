// The scoring of one run: the spec's values, --set, --matrix and the gap convention, brought together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "spec/spec.h"

namespace alnsmith::tool {

// What a gap of length L costs: `blast` open + extend*L, `first` open + extend*(L-1).
enum class GapConvention { blast, first };

struct ScoringRequest {
  std::vector<std::string> settings;  // "score.match=2", "gap.open=3", "gap.insertion.extend=1"
  std::string matrix;                 // file or built-in name; empty: none given
  GapConvention convention = GapConvention::blast;
};

struct ResolvedScoring {
  Scoring scoring;            // for the runtime, in BLAST's convention
  bool spec_changed = false;  // the convention changed a folded value of the spec
  std::string gap;            // "2+1*L"; "insertion:2+1*L,deletion:3+1*L" where the sides differ
};

// Every `runtime` value of the spec must be given and nothing else may be (usage errors). Under `first`, open
// becomes open - extend, in `spec` itself where it is folded; a negative result is refused.
Result<ResolvedScoring> resolve_scoring(spec::Spec &spec, const ScoringRequest &request);

}  // namespace alnsmith::tool
