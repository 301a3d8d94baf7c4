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

// The forms of one task that a peer offers; null ends the list. The fastest stands for the peer.
__attribute__((visibility("default"))) const char *peer_variant(const struct peer_task *task, int index);
__attribute__((visibility("default"))) void *peer_prepare(const struct peer_task *task, const struct peer_batch *batch,
                                                          int variant);
__attribute__((visibility("default"))) void peer_run(void *prepared, int *scores);
__attribute__((visibility("default"))) void peer_free(void *prepared);
__attribute__((visibility("default"))) const char *peer_build(void);  // library version, compiler and flags
}
