// Watches: what is looked for while the rows of a strip run, and where the answer comes from (mapping `lanes`). A watch
// is a struct with its own state and these members:
//   replays      each lane's own strip runs once more at the end (watch_replayed.h)
//   start        before the first strip
//   start_strip  before the rows of the strip that begins at a column
//   special      some rows of this strip are looked at more closely than most (Rows::special)
//   enter        changes what enters a row from the left
//   cell         H of each cell of a row
//   row          behind a row, whose H are those of the strip
//   segment      behind the rows up to which some lanes' stream goes: H of the last of them
//   end_strip    behind the rows of a strip
//   finish       stores what was found
//   leave_base   before a row ahead of which each lane's base moves (lane_base.h)
#pragma once
#include "watch_best.h"
#include "watch_edges.h"
#include "watch_extent.h"
#include "watch_refilled.h"
#include "watch_replayed.h"

// Nothing is looked for.
struct Unwatched {
  static constexpr bool replays = false;
  bool special() const { return false; }
  template <class Gap>
  void enter(const Kernel<Gap> &, const Strip<Gap> &, Rows, int, vscore &, vscore *) {}
  void cell(Rows, vscore) {}
  template <class Gap>
  void row(const Kernel<Gap> &, Rows, int, const vscore *) {}
  template <class Gap>
  void leave_base(const Kernel<Gap> &, const Strip<Gap> &, int) {}
};

// Returns `call` with the type `Watch` that the spec asks for.
#define ALN_WATCH(wanted, Type, call) \
  if (wanted) {                       \
    using Watch = Type;               \
    return call;                      \
  }
#define ALN_WITH_WATCH(sp, call)                                                                    \
  ALN_WATCH(sp.goal == Goal::corner, Edges<CornerCell>, call)                                       \
  ALN_WATCH(sp.goal == Goal::last_column, Edges<LastColumn>, call)                                  \
  ALN_WATCH(sp.goal == Goal::last_row, Edges<LastRow>, call)                                        \
  ALN_WATCH(sp.goal == Goal::last_row_and_column, Edges<BothEdges>, call)                           \
  ALN_WATCH(sp.goal == Goal::best && !wants_end(sp) && !lanes_rebase(sp), Best<BestCell>, call)     \
  ALN_WATCH(sp.goal == Goal::best && !wants_end(sp) && lanes_rebase(sp), Best<BasedBestCell>, call) \
  ALN_WATCH(sp.goal == Goal::best && wants_end(sp) && !lanes_rebase(sp), ReplayedCell, call)        \
  ALN_WATCH(sp.goal == Goal::best && wants_end(sp) && lanes_rebase(sp), BasedReplayedCell, call)    \
  ALN_WATCH(sp.goal == Goal::best_of_several && !wants_end(sp), Refilled<BestCell>, call)           \
  ALN_WATCH(sp.goal == Goal::best_of_several && wants_end(sp), Refilled<PlacedBestCell>, call)      \
  ALN_WATCH(sp.goal == Goal::extent_of_several, Refilled<Extent>, call)                             \
  return -1
