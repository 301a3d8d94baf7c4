/** @file
 * alnsmith's runtime for C (C99) and everything that calls C.
 *
 * Functions return 0, or an exit code (1 bad input or failure, 2 usage, 130 cancelled) and leave a one-line message
 * that alnsmith_last_error() returns on the same thread. Handles may be used from several threads at once; nothing
 * exits, aborts or prints. Lengths and positions are in letters, positions counted from 0; scores are in the spec's
 * units. */
#ifndef ALNSMITH_ALNSMITH_H
#define ALNSMITH_ALNSMITH_H

#include <stddef.h>
#include <stdint.h>

#include "alnsmith/kernel_abi.h"
#include "alnsmith/linked.h"
#include "alnsmith/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Marks what the library shows. */
#define ALNSMITH_EXPORT __attribute__((visibility("default")))

/** The kernels of one spec, opened; alnsmith_close() frees it. */
typedef struct alnsmith_aligner alnsmith_aligner;

/** A sequence: not copied, not NUL-terminated. */
typedef struct alnsmith_text {
  const char *letters; /**< may be NULL where `length` is 0 */
  size_t length;       /**< number of letters */
} alnsmith_text;

/** How to open an aligner and how a call is to run. Begin with alnsmith_options_default(). */
typedef struct alnsmith_options {
  size_t size;         /**< of this struct, as the caller knows it: which fields exist */
  const char *isa;     /**< cap, when opening: "scalar", "x86-64-v2", ...; NULL: what the CPU has */
  int threads;         /**< of a call; 0: all */
  size_t memory_bytes; /**< for packed sequences, borders and queues of one call */
  /** Names of values that the spec leaves to the call: "match", "mismatch", "insertion_open", "insertion_extend",
   * "deletion_open", "deletion_extend", and those of further lines of gap costs (scoring_values.hpp). Given when
   * opening they hold for all calls. */
  const char *const *scoring_names;
  const int *scoring_values; /**< costs are positive */
  size_t scoring_count;      /**< length of both */
  const int *matrix;         /**< letters x letters, row = query letter; NULL unless the spec's matrix is `runtime` */
  size_t matrix_count;       /**< its length */
  void (*progress)(void *context, uint64_t pairs_done); /**< may be NULL; called from any thread */
  int (*cancelled)(void *context);                      /**< may be NULL; not 0 stops the call, which returns 130 */
  void *context;                                        /**< for these two */
  /** Read by alnsmith_open: what calls run on, as in Options of alnsmith.hpp ("cuda:0", "cpu", "auto"). */
  const char *const *devices;
  size_t device_count;        /**< length of it; 0: the CPU */
  size_t device_memory_bytes; /**< of each device; 0: nine tenths of what is free */
  /** May be NULL; told at the end of a call of devices that failed on the way (nothing is lost by it): a line each,
   * valid until it returns. With `context`. */
  void (*note)(void *context, const char *line);
} alnsmith_options;

/** Where kernels may come from. Zero it, then set `size`; NULL fields take the defaults of Sources in alnsmith.hpp. */
typedef struct alnsmith_sources {
  size_t size;                    /**< of this struct, as the caller knows it: which fields exist */
  const char *cache_dir;          /**< folder of the user's cache */
  const char *const *kernel_dirs; /**< folders of compiled kernels */
  size_t kernel_dir_count;        /**< length of it */
  const char *generator;          /**< path of alnsmith-generate; NULL: no generation at run time */
  const char *compiler;           /**< of kernel texts */
  const char *templates_dir;      /**< for the generator */
  const char *tuned_dir;          /**< of tuned tables; NULL: the user's, else the generator's own */
  const char *choice;             /**< "k=8,arithmetic=int16", by hand; asks the generator alone */
  const char *program;            /**< path of alnsmith, for alnsmith_open_spec() */
  int only_kernel_dirs;           /**< not 0: neither cache nor generator is asked */
} alnsmith_sources;

/** What a call did. */
typedef struct alnsmith_report {
  uint64_t pairs;    /**< alignments */
  uint64_t cells;    /**< sum of query length x target length */
  uint64_t promoted; /**< pairs that a narrower kernel could not hold and a wider one scored */
  double seconds;    /**< inside the call, packing included, obtaining kernels not */
  uint64_t banded;   /**< pairs of which a band was scored alone, proven to hold each best path */
} alnsmith_report;

/** The library's version. @return "major.minor.patch" */
ALNSMITH_EXPORT const char *alnsmith_version(void);
/** The message of the last call on this thread that did not return 0.
 * @return one line, never NULL, valid until the thread's next call */
ALNSMITH_EXPORT const char *alnsmith_last_error(void);
/** Options to begin with. @return `size` set, 2 GiB of memory, nothing else */
ALNSMITH_EXPORT alnsmith_options alnsmith_options_default(void);

/** The kernels of one shared object.
 * @param path of the file; who may own it and write there: docs/security.md, the rule of what is loaded
 * @param options may be NULL; isa and scoring are read
 * @param aligner out: the handle, or NULL
 * @return 0, or an exit code */
ALNSMITH_EXPORT int alnsmith_open_file(const char *path, const alnsmith_options *options, alnsmith_aligner **aligner);
/** Finds or generates the kernels of a spec, by its name or file, with what the installation has.
 * @param name_or_file "my.yaml", "dna-global-affine", or the name of a spec in a pack
 * @param sources NULL: what belongs to this library, to the running program, or to ALNSMITH_PREFIX; fields that are set
 * take its place
 * @param options may be NULL; isa, scoring, devices, device_memory_bytes and cancelled are read
 * @param aligner out: the handle, or NULL
 * @return 0, or an exit code; the message names the field to set */
ALNSMITH_EXPORT int alnsmith_open_spec(const char *name_or_file, const alnsmith_sources *sources,
                                       const alnsmith_options *options, alnsmith_aligner **aligner);
/** Finds or generates the kernels of a spec.
 * @param spec_path its file, for the generator; may be NULL
 * @param spec_name its `name`
 * @param spec_hash 64 hex digits; `alnsmith spec show` prints it
 * @param sources where kernels may come from; NULL: the cache only, kernels that earlier runs left there
 * @param options may be NULL; isa, scoring, devices, device_memory_bytes and cancelled are read
 * @param aligner out: the handle, or NULL
 * @return 0, or an exit code */
ALNSMITH_EXPORT int alnsmith_open(const char *spec_path, const char *spec_name, const char *spec_hash,
                                  const alnsmith_sources *sources, const alnsmith_options *options,
                                  alnsmith_aligner **aligner);
/** Kernels that were compiled into this program.
 * @param kernels the table that the generated header declares
 * @param options may be NULL; isa and scoring are read
 * @param aligner out: the handle, or NULL
 * @return 0, or an exit code */
ALNSMITH_EXPORT int alnsmith_open_linked(const alnsmith_linked_kernels *kernels, const alnsmith_options *options,
                                         alnsmith_aligner **aligner);
/** Frees an aligner. @param aligner no call of which is running; NULL is fine */
ALNSMITH_EXPORT void alnsmith_close(alnsmith_aligner *aligner);

/** CIGARs of the pairs of a call: a run is letters * 16 + operation as in BAM, 0 for M (a query letter with a target
 * letter, equal or not), 1 for I (a query letter with nothing), 2 for D (a target letter with nothing). */
typedef struct alnsmith_cigars alnsmith_cigars;
/** An empty place for CIGARs. @param cigars out: the handle @return 0, or an exit code */
ALNSMITH_EXPORT int alnsmith_cigars_new(alnsmith_cigars **cigars);
/** Frees it. @param cigars not in use by a call; NULL is fine */
ALNSMITH_EXPORT void alnsmith_cigars_free(alnsmith_cigars *cigars);
/** The CIGAR of a pair.
 * @param cigars what the last call filled in
 * @param pair its index, as in the columns
 * @param runs out: its runs from begin to end, valid until the next call or alnsmith_cigars_free(); may be NULL
 * @return how many runs; 0 where nothing is aligned, a sequence is empty, or there is no such pair */
ALNSMITH_EXPORT size_t alnsmith_cigar(const alnsmith_cigars *cigars, size_t pair, const uint32_t **runs);

/** Where the outputs of a call go: an array for each, NULL where it is not wanted. Zero it, then set `size`. Where
 * nothing is aligned (a local score of 0, an empty sequence) all but the score are -1. Outputs but the score must be
 * those of the spec's `output`. */
typedef struct alnsmith_columns {
  size_t size; /**< of this struct, as the caller knows it: which fields exist */
/** @cond */
#define ALNSMITH_FIELD(Y, type, name, key, words) type *name;
  ALN_OUTPUTS(ALNSMITH_FIELD, )
#undef ALNSMITH_FIELD
  /** @endcond */
  alnsmith_cigars *cigars; /**< where the CIGARs go; NULL: they are not wanted */
} alnsmith_columns;

/** Results of some pairs of a call, in no order. */
typedef struct alnsmith_block {
  size_t count;           /**< number of results, at least 1 */
  const uint64_t *query;  /**< by result: index of the query */
  const uint64_t *target; /**< by result: index of the target */
/** @cond */
#define ALNSMITH_FIELD(Y, type, name, key, words) const type *name; /* by result; NULL: not the spec's */
  ALN_OUTPUTS(ALNSMITH_FIELD, )
#undef ALNSMITH_FIELD
  /** @endcond */
  const uint32_t *cigar;   /**< runs of all CIGARs, one behind another; NULL: not the spec's */
  const size_t *cigar_end; /**< by result: behind the last of its runs; the first result's begin at 0 */
} alnsmith_block;

/** What a call hands results to: 0 for more, ALNSMITH_STOP to end the call without an error, any other number to end it
 * with that exit code. Called by one thread at a time, of the call's own; meanwhile threads that have results wait.
 * It may not call the aligner. `block` is valid until it returns. */
typedef int (*alnsmith_sink)(void *user, const alnsmith_block *block);
/** A sink's word for enough. */
#define ALNSMITH_STOP (-1)

/** Scores queries[i] against targets[i].
 * @param aligner the kernels
 * @param queries count sequences
 * @param targets count sequences
 * @param count number of pairs; may be 0
 * @param columns out: arrays of count values; undefined after an error
 * @param options may be NULL; threads, memory_bytes, scoring, progress and cancelled are read
 * @param report out: what was done; may be NULL
 * @return 0, or an exit code: 1 for a letter outside the alphabet, a sequence too long, too little memory; 2 for
 * an output that the spec does not give, no column, scoring that the spec does not leave open; 130 where cancelled */
ALNSMITH_EXPORT int alnsmith_align_pairs(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                         const alnsmith_text *targets, size_t count, const alnsmith_columns *columns,
                                         const alnsmith_options *options, alnsmith_report *report);
/** Scores each query with each target.
 * @param aligner the kernels
 * @param queries query_count sequences
 * @param query_count their number; may be 0
 * @param targets target_count sequences
 * @param target_count their number; may be 0
 * @param columns out: arrays of query_count * target_count values, that of a pair at [q * target_count + t]; undefined
 * after an error
 * @param options may be NULL; as for alnsmith_align_pairs()
 * @param report out: what was done; may be NULL
 * @return as alnsmith_align_pairs() */
ALNSMITH_EXPORT int alnsmith_align_all(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                       size_t query_count, const alnsmith_text *targets, size_t target_count,
                                       const alnsmith_columns *columns, const alnsmith_options *options,
                                       alnsmith_report *report);
/** alnsmith_align_pairs() whose results go to a sink as they come: all outputs that the spec gives.
 * @param aligner the kernels
 * @param queries count sequences
 * @param targets count sequences
 * @param count number of pairs; may be 0
 * @param worst if not NULL: results worse than this score (smaller, or larger where the spec minimizes) are left out
 * @param sink takes the results
 * @param user the sink's first argument
 * @param options may be NULL; as for alnsmith_align_pairs()
 * @param report out: what was done; where the sink said stop, until then; may be NULL
 * @return as alnsmith_align_pairs(), or what the sink returned */
ALNSMITH_EXPORT int alnsmith_stream_pairs(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                          const alnsmith_text *targets, size_t count, const int32_t *worst,
                                          alnsmith_sink sink, void *user, const alnsmith_options *options,
                                          alnsmith_report *report);
/** alnsmith_align_all() whose results go to a sink as they come; no more than a block of them is ever held.
 * @param aligner the kernels
 * @param queries query_count sequences
 * @param query_count their number; may be 0
 * @param targets target_count sequences
 * @param target_count their number; may be 0
 * @param worst if not NULL: results worse than this score (smaller, or larger where the spec minimizes) are left out
 * @param sink takes the results
 * @param user the sink's first argument
 * @param options may be NULL; as for alnsmith_align_pairs()
 * @param report out: what was done; where the sink said stop, until then; may be NULL
 * @return as alnsmith_align_pairs(), or what the sink returned */
ALNSMITH_EXPORT int alnsmith_stream_all(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                        size_t query_count, const alnsmith_text *targets, size_t target_count,
                                        const int32_t *worst, alnsmith_sink sink, void *user,
                                        const alnsmith_options *options, alnsmith_report *report);
/** The best targets of each query: those with the best scores, the largest (the smallest where the spec minimizes), and
 * among equal scores those with the smallest index. Memory: most hits per query.
 * @param aligner the kernels
 * @param queries query_count sequences
 * @param query_count their number; may be 0
 * @param targets target_count sequences
 * @param target_count their number; may be 0
 * @param most hits of a query, at least 1
 * @param worst if not NULL: results worse than this score are left out
 * @param found out: query_count numbers of hits
 * @param hits out: query_count * most target indices; those of query q from [q * most] on, the best first
 * @param columns out: arrays of query_count * most values, as `hits`; NULL: not wanted
 * @param options may be NULL; as for alnsmith_align_pairs()
 * @param report out: what was done; may be NULL
 * @return as alnsmith_align_pairs() */
ALNSMITH_EXPORT int alnsmith_top(const alnsmith_aligner *aligner, const alnsmith_text *queries, size_t query_count,
                                 const alnsmith_text *targets, size_t target_count, size_t most, const int32_t *worst,
                                 size_t *found, uint64_t *hits, const alnsmith_columns *columns,
                                 const alnsmith_options *options, alnsmith_report *report);
/** Targets of many calls, encoded and copied to each device once; alnsmith_free_prepared() frees them. */
typedef struct alnsmith_prepared alnsmith_prepared;
/** Prepares targets for many calls with this aligner.
 * @param aligner the kernels
 * @param targets target_count sequences, whose letters must stay where they are
 * @param target_count their number; may be 0
 * @param options may be NULL; memory_bytes is read
 * @param prepared out: the handle, or NULL
 * @return 0, or 1 where memory is short */
ALNSMITH_EXPORT int alnsmith_prepare(const alnsmith_aligner *aligner, const alnsmith_text *targets, size_t target_count,
                                     const alnsmith_options *options, alnsmith_prepared **prepared);
/** Frees prepared targets. @param prepared in no running call; NULL is fine */
ALNSMITH_EXPORT void alnsmith_free_prepared(alnsmith_prepared *prepared);
/** alnsmith_align_all() with prepared targets.
 * @param aligner the kernels
 * @param queries query_count sequences
 * @param query_count their number; may be 0
 * @param targets what alnsmith_prepare() gave for this aligner; for another one it is an error
 * @param columns out: as for alnsmith_align_all()
 * @param options may be NULL; as for alnsmith_align_pairs()
 * @param report out: what was done; may be NULL
 * @return as alnsmith_align_pairs() */
ALNSMITH_EXPORT int alnsmith_align_prepared(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                            size_t query_count, const alnsmith_prepared *targets,
                                            const alnsmith_columns *columns, const alnsmith_options *options,
                                            alnsmith_report *report);
/** alnsmith_stream_all() with prepared targets.
 * @param aligner the kernels
 * @param queries query_count sequences
 * @param query_count their number; may be 0
 * @param targets as for alnsmith_align_prepared()
 * @param worst if not NULL: results worse than this score are left out
 * @param sink takes the results
 * @param user the sink's first argument
 * @param options may be NULL; as for alnsmith_align_pairs()
 * @param report out: what was done; may be NULL
 * @return as alnsmith_align_pairs(), or what the sink returned */
ALNSMITH_EXPORT int alnsmith_stream_prepared(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                             size_t query_count, const alnsmith_prepared *targets, const int32_t *worst,
                                             alnsmith_sink sink, void *user, const alnsmith_options *options,
                                             alnsmith_report *report);
/** alnsmith_top() with prepared targets.
 * @param aligner the kernels
 * @param queries query_count sequences
 * @param query_count their number; may be 0
 * @param targets as for alnsmith_align_prepared()
 * @param most hits of a query, at least 1
 * @param worst if not NULL: results worse than this score are left out
 * @param found out: as for alnsmith_top()
 * @param hits out: as for alnsmith_top()
 * @param columns out: as for alnsmith_top()
 * @param options may be NULL; as for alnsmith_align_pairs()
 * @param report out: what was done; may be NULL
 * @return as alnsmith_align_pairs() */
ALNSMITH_EXPORT int alnsmith_top_prepared(const alnsmith_aligner *aligner, const alnsmith_text *queries,
                                          size_t query_count, const alnsmith_prepared *targets, size_t most,
                                          const int32_t *worst, size_t *found, uint64_t *hits,
                                          const alnsmith_columns *columns, const alnsmith_options *options,
                                          alnsmith_report *report);
/** Whether calls may ask for an output. @param aligner the kernels
 * @param name of the output, as a field of alnsmith_columns
 * @return 1 if the spec gives it, else 0 */
ALNSMITH_EXPORT int alnsmith_has_output(const alnsmith_aligner *aligner, const char *name);

/** What the kernels were made for. @param aligner the kernels
 * @return "x86-64-v4"; valid as long as the aligner */
ALNSMITH_EXPORT const char *alnsmith_target(const alnsmith_aligner *aligner);
/** What the kernels say of themselves. Of generic kernels that serve the spec (docs/packs.md) that is the generic spec:
 * its name, its hash, and `runtime` for the values that the served spec fixes. @param aligner the kernels
 * @return JSON, docs/manifest.md; valid as long as the aligner */
ALNSMITH_EXPORT const char *alnsmith_manifest(const alnsmith_aligner *aligner);
/** What a gap of L letters costs. @param aligner the kernels
 * @return "cost(L) = 2 + 1*L", both sides where they differ; valid as long as the aligner */
ALNSMITH_EXPORT const char *alnsmith_gap_formula(const alnsmith_aligner *aligner);
/** Looks for a letter that a call would refuse. @param aligner the kernels
 * @param query a query
 * @return position of the first byte outside the alphabet that no wildcard takes; SIZE_MAX where there is none */
ALNSMITH_EXPORT size_t alnsmith_first_invalid_letter(const alnsmith_aligner *aligner, alnsmith_text query);
/** What takes lines of text. `line` is valid until it returns. */
typedef void (*alnsmith_line_sink)(void *user, const char *line);
/** What is not as it was asked for: devices that are not used and why, kernels of which the cache has a part only,
 * generic kernels.
 * @param aligner the kernels
 * @param line called for each line
 * @param user its first argument
 * @return 0, or an exit code */
ALNSMITH_EXPORT int alnsmith_warnings(const alnsmith_aligner *aligner, alnsmith_line_sink line, void *user);
/** Why each kernel was chosen or not, for bug reports.
 * @param aligner the kernels
 * @param line called for each line
 * @param user its first argument
 * @return 0, or an exit code */
ALNSMITH_EXPORT int alnsmith_provenance(const alnsmith_aligner *aligner, alnsmith_line_sink line, void *user);
/** What the narrowest kernel of each form takes of memory for sequences of some lengths.
 * @param aligner the kernels
 * @param line called for each line
 * @param user its first argument
 * @return 0, or an exit code */
ALNSMITH_EXPORT int alnsmith_memory(const alnsmith_aligner *aligner, alnsmith_line_sink line, void *user);

#ifdef __cplusplus
}
#endif
#endif
