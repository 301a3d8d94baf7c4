// The numbers of a spec's scoring as kernels take them, and how they become a template's static values.
#pragma once

#include <array>
#include <vector>

#include "alnsmith/scoring_values.hpp"
#include "frontend/facts.h"
#include "plan/plan.h"
#include "spec/codes.h"
#include "spec/gap.h"
#include "spec/spec.h"

namespace alnsmith::plan {

// Maximised scores and positive costs by ALN_MATCH ...; 0 what the spec has not.
using ScoringValues = std::array<spec::Value, ALN_SCORING_COUNT>;
ScoringValues scoring_values(const spec::Spec &s);

// Whether some of them come with the call.
bool scoring_of_call(const spec::Spec &s);

// What a flagged column adds on the diagonal, maximised; score_min and score_max have it in.
int flag_score(const spec::Spec &s);

// States that the recurrence keeps beside H for the gaps of each side: those of the side that needs more.
int gap_states(const spec::Spec &s);

// The key of a spec whose columns differ (templates/columns.h), which few kernels serve; null if there is none.
const char *columns_key(const spec::Spec &s);

// Where the answer is; of each side, whether its end is free.
Goal goal(const spec::Spec &s, bool stream_end, bool register_end);

// Sets the scoring, the output and the alphabet in `statics`; `stream`: which sequence streams.
void put_scoring(frontend::Statics &statics, const spec::Spec &s, const ScoringValues &n, spec::Side stream);

// 32 x ALN_MATRIX_STRIDE entries, maximised; empty where the spec has no matrix or takes it at run time.
std::vector<int> folded_matrix(const spec::Spec &s);

}  // namespace alnsmith::plan
