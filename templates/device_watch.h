// Watches on devices: what is looked for while the rows of a stage run, and where the answer comes from. A watch is a
// struct with its own state and these members:
//   masks(sp)    rows that a lane has not reached or has passed must not be scored: elsewhere pads gain nothing
//   traces       it wants to know where each cell's scores come from (came_from; strips_trace.h, device_trace.h)
//   hands_on     the border right of a stage is wanted
//   nothing      the score of an answer before any is found
//   start        before an alignment's first stage
//   start_stage  before each stage; `answer` takes what the one before has left
//   start_chunk  before a chunk of rows
//   last_column  some alignment's last column may be the stage's, and is asked for
//   start_row, cell, row  before a row, at each H of it, and behind it, where its H are the stage's
//   end_chunk, end_stage, finish  behind a chunk, a stage and all of them: `answer` takes what they have left
//   exceeded     the answer may have overflowed
#pragma once
#include "device_watch_best.h"
#include "device_watch_edges.h"

// Returns `call` with the type `Watch` that the spec asks for.
#define ALN_DEVICE_WATCH(wanted, Type, call) \
  if (wanted) {                              \
    using Watch = Type;                      \
    return call;                             \
  }
#define ALN_WITH_DEVICE_WATCH(sp, call)                                         \
  ALN_DEVICE_WATCH(sp.goal == Goal::corner, DeviceCorner, call)                 \
  ALN_DEVICE_WATCH(sp.goal == Goal::last_column, DeviceColumn, call)            \
  ALN_DEVICE_WATCH(sp.goal == Goal::last_row, DeviceRow, call)                  \
  ALN_DEVICE_WATCH(sp.goal == Goal::last_row_and_column, DeviceBothEdges, call) \
  ALN_DEVICE_WATCH(sp.goal == Goal::best, DeviceBest, call)                     \
  return -1
