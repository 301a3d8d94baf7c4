// Substitution scores on devices, kept in the frame. Where they come from is a struct of static members:
//   load  what a lane keeps of its register letters
//   row   the scores of the lane's stream letter with them
#pragma once
#include "device_scores_blend.h"
#include "device_scores_intersect.h"
#include "device_scores_match.h"
#include "device_scores_profile.h"
#include "device_scores_table.h"

// Returns `call` of the type that the spec asks for.
#define ALN_WITH_DEVICE_SCORES(sp, call)                                    \
  if (sp.sharing == Sharing::single_query) return SingleQueryProfile::call; \
  if (sp.sharing == Sharing::query) return SharedProfile::call;             \
  if (sp.scores == Scores::permute) return DevicePermute::call;             \
  if (has_matrix(sp) && fills_vector(sp)) return BlendedStage::call;        \
  if (has_matrix(sp)) return DeviceTable::call;                             \
  return DeviceCompare::call

inline void load_device_tile(const Spec &sp, const GroupArgs *a, vpos query_first, vpos query_length, vpos column,
                             DeviceTile &tile) {
  if (has_sets(sp)) return DeviceIntersect::load(sp, a, query_first, query_length, column, tile);
  ALN_WITH_DEVICE_SCORES(sp, load(sp, a, query_first, query_length, column, tile));
}

// The scores of the lane's stream letter with its register letters; sets of states have their own (stage_letters.h).
template <class Gap>
void device_scores(const Spec &sp, const Scoring<Gap> &v, const DeviceFrame<Gap> &f, const DeviceTile &tile, vpos lane,
                   vchar stream, vscore *score) {
  ALN_WITH_DEVICE_SCORES(sp, row(sp, v, f, tile, lane, stream, score));
}
