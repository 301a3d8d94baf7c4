// The C interface between the benchmark and a peer library.
//
// A peer is a shared object of its own, so that one library can be compiled twice (AVX2, AVX-512) without
// its inline functions being merged, and so that a missing library leaves a contender out and nothing else.
// Sequences are converted in `peer_prepare`, which is not timed; `peer_run` is.
#pragma once

extern "C" {

enum peer_mode { peer_global = 0, peer_local = 1, peer_free_ends = 2 };  // peer_free_ends: all four ends free

struct peer_task {
  int mode;
  int match, mismatch;  // DNA
  int blosum62;         // 1: protein letters and BLOSUM62 instead
  int open, extend;     // cost(L) = open + extend * L; a peer converts to its own convention
  int minimize = 0;     // 1: scores are costs, match and mismatch too, and the smallest is the best
  int cigar = 0;        // 1: whole alignments, begins and CIGAR beside the score
};

struct peer_batch {
  long pairs;
  const char *const *query;  // upper case, no wildcard
  const int *query_length;
  const char *const *target;
  const int *target_length;
  const char *matrix_file;  // where the task has a matrix: NCBI text, the same for all
  int one_query;            // 1: query[0] against every target
};

// Where a run's results go.
struct peer_results {
  int *scores;  // one per pair
  void *to;     // for `alignment`, which is called once per pair where the task has `cigar`
  // Letters from 0; runs as in BAM, length << 4 | op, op 0 for M, 1 for I (query letters alone), 2 for D. No two
  // neighbours have the same op. Nothing aligned: no runs.
  void (*alignment)(void *to, long pair, int query_begin, int target_begin, const unsigned *runs, long count);
};

// The forms of one task that a peer offers; null ends the list. The fastest stands for the peer.
__attribute__((visibility("default"))) const char *peer_variant(const struct peer_task *task,
                                                                const struct peer_batch *batch, int index);
__attribute__((visibility("default"))) void *peer_prepare(const struct peer_task *task, const struct peer_batch *batch,
                                                          int variant);
__attribute__((visibility("default"))) void peer_run(void *prepared, const struct peer_results *results);
__attribute__((visibility("default"))) void peer_free(void *prepared);
__attribute__((visibility("default"))) const char *peer_build(void);  // library version, compiler and flags
}
