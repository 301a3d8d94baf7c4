// edlib as a peer: Myers' bit-parallel edit distance, with the path where CIGARs are asked for, one call per pair.
#include <edlib.h>

#include "peer.h"
#include "peer_runs.h"

namespace {

struct Prepared {
  peer_batch batch;
  EdlibAlignConfig config;
  bool path;
};

RunOp op_of(unsigned char operation) {
  if (operation == EDLIB_EDOP_INSERT) return run_insertion;
  return operation == EDLIB_EDOP_DELETE ? run_deletion : run_match;
}

}  // namespace

extern "C" const char *peer_variant(const peer_task *task, const peer_batch *, int index) {
  const bool edits = task->minimize && task->match == 0 && task->mismatch == 1 && task->open == 0 && task->extend == 1;
  if (index != 0 || !edits || task->mode != peer_global) return nullptr;
  return task->cigar ? "path, any distance" : "any distance";
}

extern "C" void *peer_prepare(const peer_task *task, const peer_batch *batch, int) {
  const EdlibAlignTask wanted = task->cigar ? EDLIB_TASK_PATH : EDLIB_TASK_DISTANCE;
  return new Prepared{*batch, edlibNewAlignConfig(-1, EDLIB_MODE_NW, wanted, nullptr, 0), task->cigar != 0};
}

extern "C" void peer_run(void *state, const peer_results *results) {
  const Prepared &p = *static_cast<Prepared *>(state);
  Runs runs;
  for (long i = 0; i < p.batch.pairs; ++i) {
    const long q = p.batch.one_query ? 0 : i;
    const EdlibAlignResult result =
        edlibAlign(p.batch.query[q], p.batch.query_length[q], p.batch.target[i], p.batch.target_length[i], p.config);
    results->scores[i] = result.editDistance;
    if (p.path) {
      runs.clear();
      for (int column = 0; column < result.alignmentLength; ++column) runs.add(1, op_of(result.alignment[column]));
      results->alignment(results->to, i, 0, 0, runs.data(), runs.size());
    }
    edlibFreeAlignResult(result);
  }
}

extern "C" void peer_free(void *state) { delete static_cast<Prepared *>(state); }

extern "C" const char *peer_build(void) { return "edlib " ALNSMITH_PEER_VERSION " (the distribution's library)"; }
