/* alnsmith's runtime for C (C99) and everything that calls C.
 *
 * Functions return 0, or an exit code (1 bad input or failure, 2 usage, 130 interrupted) and leave a one-line
 * message that alnsmith_last_error returns on the same thread.  Handles may be used from several threads at once;
 * nothing exits, aborts or prints.  Lengths are in letters, scores in the spec's units. */
#ifndef ALNSMITH_ALNSMITH_H
#define ALNSMITH_ALNSMITH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ALNSMITH_EXPORT __attribute__((visibility("default")))

typedef struct alnsmith_aligner alnsmith_aligner;

/* A sequence: not copied, not NUL-terminated. */
typedef struct alnsmith_text {
  const char *letters;
  size_t length;
} alnsmith_text;

/* Begin with alnsmith_options_default(); `size` tells which fields exist. */
typedef struct alnsmith_options {
  size_t size;
  const char *isa;     /* cap: "scalar", "x86-64-v2", ...; NULL: what the CPU has */
  int threads;         /* 0: all */
  size_t memory_bytes; /* of one call */
  /* Values that the spec leaves to the call: "match", "insertion_open", ... */
  const char *const *scoring_names;
  const int *scoring_values;
  size_t scoring_count;
  const int *matrix; /* letters x letters, row = query letter; NULL unless the spec's matrix is `runtime` */
  size_t matrix_count;
  void (*progress)(void *context, uint64_t pairs_done); /* may be NULL; called from any thread */
  int (*cancelled)(void *context);                      /* may be NULL; not 0 stops the call */
  void *context;
  /* Read by alnsmith_open: what calls run on, as in Options of alnsmith.hpp ("cuda:0", "cpu", "auto"); none: the CPU.
   */
  const char *const *devices;
  size_t device_count;
  size_t device_memory_bytes; /* of each device; 0: nine tenths of what is free */
} alnsmith_options;

/* Where kernels may come from; NULL fields take the defaults of Sources in alnsmith.hpp. */
typedef struct alnsmith_sources {
  size_t size;
  const char *cache_dir;
  const char *const *kernel_dirs;
  size_t kernel_dir_count;
  const char *generator; /* NULL: no generation at run time */
  const char *compiler;
  const char *templates_dir;
  const char *tuned_dir; /* NULL: the generator's own tables */
} alnsmith_sources;

typedef struct alnsmith_report {
  uint64_t pairs, cells, promoted;
  double seconds;
} alnsmith_report;

ALNSMITH_EXPORT const char *alnsmith_version(void);
/* Of the last call on this thread that did not return 0; never NULL, valid until the thread's next call. */
ALNSMITH_EXPORT const char *alnsmith_last_error(void);
ALNSMITH_EXPORT alnsmith_options alnsmith_options_default(void);

/* The kernels of one shared object. `options` may be NULL. */
ALNSMITH_EXPORT int alnsmith_open_file(const char *path, const alnsmith_options *options, alnsmith_aligner **aligner);
/* Finds or generates the kernels of a spec: its file (may be NULL), its name and its canonical hash. */
ALNSMITH_EXPORT int alnsmith_open(const char *spec_path, const char *spec_name, const char *spec_hash,
                                  const alnsmith_sources *sources, const alnsmith_options *options,
                                  alnsmith_aligner **aligner);
ALNSMITH_EXPORT void alnsmith_close(alnsmith_aligner *aligner); /* NULL is fine */

/* scores[i]: queries[i] against targets[i]. `options` and `report` may be NULL. */
ALNSMITH_EXPORT int alnsmith_align_pairs(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                         const alnsmith_text *targets, size_t count, int32_t *scores,
                                         const alnsmith_options *options, alnsmith_report *report);
/* scores[q * target_count + t]: each query against each target. */
ALNSMITH_EXPORT int alnsmith_align_all(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                       size_t query_count, const alnsmith_text *targets, size_t target_count,
                                       int32_t *scores, const alnsmith_options *options, alnsmith_report *report);

/* The same with the last aligned letters, counted from 0: query_ends and target_ends as long as scores. Of several best
 * alignments the one that ends first in the target, of these the one that ends first in the query. -1 where nothing is
 * aligned: a local score of 0, an empty sequence. The spec's output must hold `end`, or 2 is returned. */
ALNSMITH_EXPORT int alnsmith_align_pairs_ends(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                              const alnsmith_text *targets, size_t count, int32_t *scores,
                                              int32_t *query_ends, int32_t *target_ends,
                                              const alnsmith_options *options, alnsmith_report *report);
ALNSMITH_EXPORT int alnsmith_align_all_ends(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                            size_t query_count, const alnsmith_text *targets, size_t target_count,
                                            int32_t *scores, int32_t *query_ends, int32_t *target_ends,
                                            const alnsmith_options *options, alnsmith_report *report);
/* 1 if the spec's output holds `end`, else 0. */
ALNSMITH_EXPORT int alnsmith_has_ends(const alnsmith_aligner *aligner);

ALNSMITH_EXPORT const char *alnsmith_target(const alnsmith_aligner *aligner);   /* "x86-64-v4" */
ALNSMITH_EXPORT const char *alnsmith_manifest(const alnsmith_aligner *aligner); /* JSON, docs/manifest.md */

#ifdef __cplusplus
}
#endif
#endif
