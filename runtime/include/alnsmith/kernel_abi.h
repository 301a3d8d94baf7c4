/* The argument block of every alnsmith kernel, ABI version 1.
 *
 * Included by the runtime, by the templates' dialect and, word for word, by every generated kernel:
 * it must include nothing and stay valid as C and C++.  A kernel is `int entry(const aln_args_v1 *)`
 * and returns 0, or 1 if `size` is smaller than the block it was compiled for.  New fields are
 * appended; `size` tells a kernel which ones exist.
 *
 * "Register side" is the sequence whose letters stay in registers, "stream side" the one that runs past
 * them; the manifest says which of them is the query.  L is the number of lanes: one alignment each. */
#ifndef ALNSMITH_KERNEL_ABI_H
#define ALNSMITH_KERNEL_ABI_H

#define ALN_ABI_VERSION 1

/* Indices into aln_args_v1.scoring: the values of this call.  A kernel reads only those that its spec
 * gives as `runtime`; the runtime fills in all of them. Costs are positive. */
enum {
  ALN_MATCH = 0,      /* score of equal letters */
  ALN_MISMATCH,       /* score of unequal letters */
  ALN_INSERTION_OPEN, /* query letters skipped: cost(len) = open + extend * len */
  ALN_INSERTION_EXTEND,
  ALN_DELETION_OPEN, /* target letters skipped */
  ALN_DELETION_EXTEND,
  ALN_SCORE_MIN,       /* smallest substitution score (mismatch, or the matrix's smallest entry) */
  ALN_SCORE_MAX,       /* largest substitution score */
  ALN_INSERTION_OPEN2, /* a second line: the smaller of the two counts */
  ALN_INSERTION_EXTEND2,
  ALN_DELETION_OPEN2,
  ALN_DELETION_EXTEND2,
  ALN_SCORING_COUNT
};

/* Letter codes with a meaning of their own; letters of the alphabet are 0..31.  No two of these are
 * equal and none equals a letter, so that an equality test never matches a pad or a wildcard. */
enum {
  ALN_CODE_QUERY_WILDCARD = 40, /* under match/mismatch: scores mismatch with everything */
  ALN_CODE_TARGET_WILDCARD = 41,
  ALN_CODE_QUERY_PAD = 42,  /* behind the end of a query in a batch of unequal lengths */
  ALN_CODE_TARGET_PAD = 63, /* its low five bits are 31: what a 32-entry row yields for it where 31 is no letter */
  ALN_MATRIX_STRIDE = 32    /* row length of aln_args_v1.matrix */
};

typedef struct aln_args_v1 {
  unsigned size; /* sizeof(aln_args_v1) of the caller */

  int register_min; /* shortest and longest register side of the batch, letters, >= 1 */
  int register_max;
  int stream_max;         /* longest stream side of the batch, letters, >= 1 */
  int segments;           /* number of entries of segment_end, >= 1 */
  const int *segment_end; /* the distinct stream lengths of the batch, ascending; the last is stream_max */

  const int *register_length; /* [L] letters, >= 1 */
  const int *stream_length;   /* [L] letters, >= 1 */

  const unsigned char *register_letters; /* [register_max rounded up to a multiple of k][L] */
  const unsigned char *stream_letters;   /* [stream_max][L]; [stream_max] where one query is shared */

  const int *scoring; /* [ALN_SCORING_COUNT] */
  const int *matrix;  /* [32][ALN_MATRIX_STRIDE], row = query code, column = target code; may be null
                         where the kernel has no matrix or has it folded in */
  void *scratch;      /* at least the manifest's scratch bytes, 64-byte aligned; any content */

  int *score;            /* [L] out */
  unsigned char *status; /* [L] out: 0 exact, 1 the lane's range may have been exceeded */

  /* Lane refill, where the manifest says `refill`: a lane's register side may hold several sequences one behind
   * another, each padded to a multiple of k. `score` and `status` then have [refills + 1][L] elements: row r is what
   * the lanes had found before refill r, the last row what they had found at the end. */
  int refills;                       /* number of refills */
  const int *refill_column;          /* [refills + 1] multiples of k where some lane's next sequence begins, ascending,
                                        none of them 0; the last element is -1 */
  const unsigned char *refill_lanes; /* [refills][L] 1 where the lane's next sequence begins */

  /* Where the manifest says `end`: the last aligned letters, 0-based; rows of L elements as `score` has them. Of
   * several best alignments the one with the smallest target_end, of these with the smallest query_end. Both are -1
   * where nothing is aligned: a local score of 0. Meaningless where `status` is 1. */
  int *query_end;
  int *target_end;
} aln_args_v1;

#endif
