// WFA2-lib as a peer: wavefronts, exact (no heuristic), global alignments of letters that match or do not.
//
// It minimises penalties. Given a negative match penalty it takes 2 * mismatch - 2 * match, 2 * open and 2 * extend -
// match for a match of 0, and turns the result back into the score: exact for global alignment (Eizenga and Paten
// 2022).
#include <cstdint>
#include <cstdio>
#include <ctime>
extern "C" {
#include <wavefront/wavefront_align.h>
}

#include "peer.h"
#include "peer_runs.h"

namespace {

struct Variant {
  const char *name;
  wavefront_memory_t memory;
};
// All wavefronts kept; and two that meet in the middle (BiWFA), in memory that grows with the score.
const Variant variants[] = {{"all wavefronts", wavefront_memory_high}, {"BiWFA", wavefront_memory_ultralow}};

struct Prepared {
  peer_batch batch;
  int sign;  // of its scores to the task's: it maximises, but counts edits
  wavefront_aligner_t *aligner;
};

// It writes D for pattern letters alone, and the query is its pattern.
RunOp op_of(char operation) {
  if (operation == 'D') return run_insertion;
  return operation == 'I' ? run_deletion : run_match;
}

}  // namespace

extern "C" const char *peer_variant(const peer_task *task, const peer_batch *, int index) {
  const bool can = task->cigar && task->mode == peer_global && !task->blosum62;
  return can && index < static_cast<int>(sizeof variants / sizeof *variants) ? variants[index].name : nullptr;
}

extern "C" void *peer_prepare(const peer_task *task, const peer_batch *batch, int index) {
  const int sign = task->minimize ? -1 : 1;  // of a score that is maximised
  const int match = -sign * task->match, mismatch = -sign * task->mismatch;
  wavefront_aligner_attr_t wanted = wavefront_aligner_attr_default;
  wanted.alignment_scope = compute_alignment;
  wanted.alignment_form.span = alignment_end2end;
  wanted.heuristic.strategy = wf_heuristic_none;
  wanted.memory_mode = variants[index].memory;
  wanted.system.max_num_threads = 1;
  if (match == 0 && mismatch == 1 && task->open == 0 && task->extend == 1) {
    wanted.distance_metric = edit;
  } else if (task->open == 0) {
    wanted.distance_metric = gap_linear;
    wanted.linear_penalties = {match, mismatch, task->extend};
  } else {
    wanted.distance_metric = gap_affine;
    wanted.affine_penalties = {match, mismatch, task->open, task->extend};
  }
  const bool costs = task->minimize && wanted.distance_metric != edit;
  return new Prepared{*batch, costs ? -1 : 1, wavefront_aligner_new(&wanted)};
}

extern "C" void peer_run(void *state, const peer_results *results) {
  const Prepared &p = *static_cast<Prepared *>(state);
  Runs runs;
  for (long i = 0; i < p.batch.pairs; ++i) {
    const long q = p.batch.one_query ? 0 : i;
    wavefront_align(p.aligner, p.batch.query[q], p.batch.query_length[q], p.batch.target[i], p.batch.target_length[i]);
    const cigar_t &cigar = *p.aligner->cigar;
    results->scores[i] = p.sign * cigar.score;
    runs.clear();
    for (int column = cigar.begin_offset; column < cigar.end_offset; ++column)
      runs.add(1, op_of(cigar.operations[column]));
    results->alignment(results->to, i, 0, 0, runs.data(), runs.size());
  }
}

extern "C" void peer_free(void *state) {
  auto prepared = static_cast<Prepared *>(state);
  wavefront_aligner_delete(prepared->aligner);
  delete prepared;
}

extern "C" const char *peer_build(void) {
  return "WFA2-lib " ALNSMITH_PEER_VERSION " (the distribution's library, without AVX)";
}
