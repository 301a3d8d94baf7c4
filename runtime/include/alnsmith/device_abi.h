/* The argument list of every device kernel (CUDA, HIP, OpenCL), ABI version 1.
 *
 * Included by the runtime and by the templates' dialect; must stay valid as C and C++. */
#ifndef ALNSMITH_DEVICE_ABI_H
#define ALNSMITH_DEVICE_ABI_H

#include "kernel_abi.h"

/* The kernel's parameters, in this order.
 *
 * Sequences lie one behind another in two arrays of letter codes, one byte per letter; of alphabets of state sets as
 * many bytes as aln_args_v1 says, a letter's one behind another. A sequence is named by its index. Alignment a is query
 * pair_query[a] against target pair_target[a]. The manifest says how many alignments one
 * group of threads (a warp, or a block) scores at a time; a kernel takes any number of groups and walks over the
 * alignments. All offsets are below 2^31. Arrays are in device memory.
 *
 * X(type, name) for each. */
#define ALN_DEVICE_ARGS_V1(X)                                                                                          \
  X(int, alignments) /* 0: nothing */                                                                                  \
  X(const unsigned char *, query_letters)                                                                              \
  X(const int *, query_offset) /* by query: first letter */                                                            \
  X(const int *, query_length) /* by query: letters, >= 1 */                                                           \
  X(const unsigned char *, target_letters)                                                                             \
  X(const int *, target_offset)                                                                                        \
  X(const int *, target_length)                                                                                        \
  X(const int *, pair_query) /* by alignment; behind them, where each has a band of its own: by alignment where its */ \
                             /* cells begin, target position - query position, then where they end */                  \
  X(const int *, pair_target)                                                                                          \
  X(const int *, scoring)          /* ALN_SCORING_COUNT, as in aln_args_v1 */                                          \
  X(const int *, matrix)           /* 32 x ALN_MATRIX_STRIDE, as in aln_args_v1; may be null */                        \
  X(int *, border)                 /* the manifest's bytes per group; any content */                                   \
  X(int, border_rows)              /* longest target of the launch; of bit-sliced kernels as the manifest says */      \
  X(int *, trace)                  /* kernels that store begins: trace_words a group; any content */                   \
  X(int, trace_words)              /* as the manifest's way_back says; below 2^31 */                                   \
  ALN_OUTPUTS(ALN_OUTPUT_FIELD, X) /* out, by alignment; but the score unused where the manifest has not their key */  \
  X(unsigned char *, status)       /* out: 0 exact, 1 the range may have been exceeded */                              \
  X(int *, cigar)                  /* [cigar_room] out: runs as in aln_args_v1, an alignment's one behind another */   \
  X(int, cigar_room)                                                                                                   \
  X(int *, cigar_claimed) /* one, in: 0; out: how much room the alignments have asked for */                           \
  X(int *, cigar_first)   /* out, by alignment: its first run; -1 where there was no room for its runs */              \
  X(int *, cigar_runs)    /* out, by alignment: how many there are */

typedef struct aln_device_args_v1 {
#define ALN_FIELD(type, name) type name;
  ALN_DEVICE_ARGS_V1(ALN_FIELD)
#undef ALN_FIELD
} aln_device_args_v1;

#endif
