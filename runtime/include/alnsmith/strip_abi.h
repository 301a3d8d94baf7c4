/* The argument block of kernels of form `split` (mapping `strips`), ABI version 1: one alignment, all lanes of a
 * vector.
 *
 * Included by the runtime and, word for word behind kernel_abi.h, by every generated text that has such kernels: it
 * must include nothing else and stay valid as C and C++. A kernel is `int entry(const aln_strip_args_v1 *)` and returns
 * 0, or 1 if `size` is smaller than the block it was compiled for. */
#ifndef ALNSMITH_STRIP_ABI_H
#define ALNSMITH_STRIP_ABI_H

#include "kernel_abi.h"

/* Elements of a border before row 0 and behind the last one, at least: kernels read and write there as many rows as the
 * last lane is behind the first, and a vector of lanes more. */
enum { ALN_STRIP_PAD = 320 };

/* The fields of the block: X(type, name) for each.
 *
 * A call runs one stage: lanes * k letters of the query past all letters of the target. Stages 0, 1, ... of an
 * alignment, as many as its query needs, hand on the border between them; each waits for the rows that the one before
 * it has left, so that several threads may run one each, as long as each stage is begun before the next one. Every
 * stage stores what it has found itself: the alignment's result is the largest score among the stages', of equal ones
 * the one that ends first in the target, of these first in the query. A stage that has found nothing stores
 * -2147483647, local ones 0.
 *
 * Bit-sliced kernels, whose layout is planes-u1-v1, take at most lanes * k letters per stage, each lane an equal share
 * of them one behind another: ceil(letters / lanes) rows, of which the last one is a pad in the lanes behind those that
 * have one letter more. `query_letters` has these rows as planes, `query_length` four numbers: letters of the query,
 * those before the stage, its own, and rows. They run no windows and find no way back.
 *
 * A stage may run a window of the target's rows alone, where the alignment is global: the caller then gives letters,
 * length and borders from the window's first row on, and in `corner` what the border left of the stage has for H in the
 * row above. Rows behind the `known_rows` that the stage before has left are reached by a gap, as is the row above the
 * window: what comes of it is the score of some alignment, of a best one if that goes through windows alone.
 *
 * Kernels of a band (the manifest's `band`) take a window too, whatever the alignment: the rows that hold all cells of
 * the band in the stage's columns, and one above them unless that is the matrix's border. Rows and columns outside do
 * not exist; `corner` and `last_known` are not read.
 *
 * The way back from the alignment's end to its begin, of kernels whose manifest says `way_back`: where `keep` is not 0,
 * a stage leaves in `states` and `bases` what it begins each patch with, patch_rows steps of its, of which there are
 * target_length + the manifest's skew * (lanes - 1). Later a call with `walks` not 0 runs no stage: it follows the way
 * through this one, whose `border` and `states` have been kept, to the next stage on the way, the matrix's border or
 * the alignment's begin. It waits for nothing and stores no result. */
#define ALN_STRIP_ARGS_V1(X)                                                                                      \
  ALN_STRIP_OWN_V1(X)                                                                                             \
  X(const unsigned char *, query_letters)  /* codes */                                                            \
  X(const unsigned char *, target_letters) /* codes; ALN_STRIP_PAD bytes behind them may be read */               \
  X(const int *, query_length)             /* one, letters, >= 1; bit-sliced kernels: four */                     \
  X(const int *, target_length)            /* one */                                                              \
  X(const int *, scoring)                  /* as in aln_args_v1 */                                                \
  X(const int *, matrix)                   /* as in aln_args_v1 */                                                \
  X(int *, border)                         /* left of the stage: [the manifest's border_ints][border_rows]; of */ \
                                           /* stage 0 any content */                                              \
  X(int, border_rows)                      /* target_length + 2 * ALN_STRIP_PAD at least */                       \
  ALN_OUTPUTS(ALN_OUTPUT_FIELD, X)         /* out, by stage; begins are not stored */                             \
  X(unsigned char *, status)               /* out, by stage: 0 exact, 1 the range may have been exceeded */       \
  X(int *, cigar)                          /* out: runs of this call as in aln_args_v1; room for */               \
                                           /* 2 * lanes * k + 4 */
/* Those of them that kernels of devices have not (device_abi.h). */
#define ALN_STRIP_OWN_V1(X)                                                                                       \
  X(unsigned, size)           /* sizeof(aln_strip_args_v1) of the caller */                                       \
  X(int, stage)               /* from 0 */                                                                        \
  X(const int *, rows_before) /* rows of the border that the stage before has left; for stage 0 a number of */    \
                              /* target_length at least */                                                        \
  X(int *, rows_done)         /* that this stage has left: set to 0 before; written by the kernel */              \
  X(void *, scratch)          /* the manifest's scratch bytes, 64-byte aligned, of this call alone */             \
  X(int *, border_right)      /* right of the stage, laid out as `border`, and it may be that one */              \
  X(int, first_row)           /* of the window; else 0 */                                                         \
  X(int, corner)              /* 0 where first_row is */                                                          \
  X(int, known_rows)          /* of the window; else target_length at least */                                    \
  X(int, last_known)          /* of a window what the border left of the stage has for H in the last of them */   \
  X(int, band_from)           /* of kernels of a band: cells exist whose row, of the call's, is ahead of their */ \
  X(int, band_to)             /* column, of the query's, by so many */                                            \
  X(int, rows_behind)         /* of the target behind those of the call; where there is no band any number */     \
  X(int, keep)                                                                                                    \
  X(void *, states) /* [patches][the manifest's states_per_patch] bytes, 64-byte aligned */                       \
  X(int *, bases)   /* [patches][lanes] */                                                                        \
  X(int, walks)                                                                                                   \
  X(int *, walk) /* [ALN_WALK_COUNT] in and out */

/* Indices into `walk`: where the way stands. */
enum {
  ALN_WALK_STATE = 0, /* 1 at the alignment's end; 0 when its begin is reached; else as the call before has left it */
  ALN_WALK_ROW,       /* target and query letter of the cell that it stands in; -1: the border. At the begin: of the */
  ALN_WALK_COLUMN,    /* letter before the first */
  ALN_WALK_KIND,      /* operation and letters of the run that is under way; 0 at the alignment's end */
  ALN_WALK_LENGTH,
  ALN_WALK_RUNS, /* out: handed out by this call */
  ALN_WALK_COUNT
};

typedef struct aln_strip_args_v1 {
#define ALN_FIELD(type, name) type name;
  ALN_STRIP_ARGS_V1(ALN_FIELD)
#undef ALN_FIELD
} aln_strip_args_v1;

#endif
