/* The argument block of every alnsmith kernel.
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

#define ALN_ABI_VERSION 4

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
  ALN_MATRIX_STRIDE = 32,   /* row length of aln_args_v1.matrix */
  ALN_STATES_OF_BYTE = 7 /* of a letter that is a set of states; a column's flag is one state more, behind the last */
};

/* The outputs of an alignment: X(Y, type, name, key, words) for each. Everything that handles results goes
 * through this list. A pair has one value of `type`; `key` is the word of a spec's `output` that asks for it, and in
 * manifests true where a kernel stores it. New ones are appended. */
#define ALN_OUTPUTS(X, Y)                              \
  X(Y, int, score, score, "score of a best alignment") \
  ALN_MORE_OUTPUTS(X, Y)
#define ALN_MORE_OUTPUTS(X, Y)                                               \
  X(Y, int, query_end, end, "last aligned letter of the query, from 0")      \
  X(Y, int, target_end, end, "last aligned letter of the target, from 0")    \
  X(Y, int, query_begin, begin, "first aligned letter of the query, from 0") \
  X(Y, int, target_begin, begin, "first aligned letter of the target, from 0")

/* What all but the score hold where nothing is aligned: a local score of 0. */
#define ALN_NONE (-1)

#define ALN_OUTPUT_FIELD(X, type, name, key, words) X(type *, name)

/* The fields of the block: X(type, name) for each.
 *
 * Lane refill, where the manifest says `refill`: a lane's register side may hold several sequences one behind another,
 * each padded to a multiple of k. Outputs and `status` then have [refills + 1][L] elements: row r is what the lanes had
 * found before refill r, the last row what they had found at the end.
 *
 * Outputs but the score are stored where the manifest says their key; rows of L elements as `score` has them,
 * meaningless where `status` is 1. Of several best alignments the one that ends first in the target counts, of these
 * the one that ends first in the query. */
#define ALN_ARGS_V1(X)                                                                                                 \
  X(unsigned, size)    /* sizeof(aln_args_v1) of the caller */                                                         \
  X(int, register_min) /* shortest and longest register side of the batch, letters, >= 1 */                            \
  X(int, register_max)                                                                                                 \
  X(int, stream_max)              /* longest stream side of the batch, letters, >= 1 */                                \
  X(int, segments)                /* number of entries of segment_end, >= 1 */                                         \
  X(const int *, segment_end)     /* the distinct stream lengths of the batch, ascending; the last is stream_max */    \
  X(const int *, register_length) /* [L] letters, >= 1 */                                                              \
  X(const int *, stream_length)   /* [L] letters, >= 1 */                                                              \
  X(const unsigned char *, register_letters) /* [register_max rounded up to a multiple of k][L] */                     \
  X(const unsigned char *, stream_letters)   /* [stream_max][L]; [stream_max] where one query is shared */             \
  X(const int *, scoring)                    /* [ALN_SCORING_COUNT] */                                                 \
  X(const int *, matrix)        /* [32][ALN_MATRIX_STRIDE], row = query code, column = target code; may be null */     \
                                /* where the kernel has no matrix or has it folded in */                               \
  X(void *, scratch)            /* at least the manifest's scratch bytes, 64-byte aligned; any content */              \
  X(int *, score)               /* [L] out */                                                                          \
  X(unsigned char *, status)    /* [L] out: 0 exact, 1 the lane's range may have been exceeded */                      \
  X(int, refills)               /* number of refills */                                                                \
  X(const int *, refill_column) /* [refills + 1] multiples of k where some lane's next sequence begins, */             \
                                /* ascending, none of them 0; the last element is -1 */                                \
  X(const unsigned char *, refill_lanes) /* [refills][L] 1 where the lane's next sequence begins */                    \
  ALN_MORE_OUTPUTS(ALN_OUTPUT_FIELD, X)                                                                                \
  X(int, kept_strips)  /* where begins are stored: strips of k letters whose borders scratch memory has room for */    \
  X(int, cigar_room)   /* rows of `cigar` */                                                                           \
  X(int *, cigar)      /* [cigar_room][L] out: from the alignment's end to its begin, runs of letters * 16 + 0 (M), */ \
                       /* 1 (I, of the query) or 2 (D, of the target) */                                               \
  X(int *, cigar_runs) /* [L] out: how many there are; those beyond cigar_room are not stored */                       \
  /* Alphabets of state sets: a letter takes several bytes, of seven states each (the lowest bits; a column's flag */  \
  /* follows its states), that lie so many rows of L apart; behind the last letter there is a row more, of 0. */       \
  X(int, register_rows)                                                                                                \
  X(int, stream_rows)                                                                                                  \
  X(int, stream_sets)        /* one query for all: distinct letters of it, as which stream_letters numbers them */     \
  X(const int *, stream_set) /* [stream_sets][bytes of a letter] their states */                                       \
  /* Bands: register position - stream position of the cells that exist, in each lane; the largest of the */           \
  /* former and the smallest of the latter, between which all lanes' cells exist. */                                   \
  X(const int *, lane_band_from) /* [L] */                                                                             \
  X(const int *, lane_band_to)   /* [L] */                                                                             \
  X(int, band_from_most)                                                                                               \
  X(int, band_to_least)                                                                                                \
  /* Bit-sliced kernels that store begins: the way, in place of `cigar`, `cigar_runs` and the begins; 64-byte */       \
  /* aligned elements of a bit per lane. For each letter of the stream side, then of the register side up to a */      \
  /* multiple of k: whether it is in a column with one of the other side; and where the side's begin is free a second  \
   */                                                                                                                  \
  /* element: whether it is in a gap. Where it is not free the path's other letters are, up to the end. Between two */ \
  /* columns of both, the register side's letters lie behind the stream side's. */                                     \
  X(void *, path)

typedef struct aln_args_v1 {
#define ALN_FIELD(type, name) type name;
  ALN_ARGS_V1(ALN_FIELD)
#undef ALN_FIELD
} aln_args_v1;

#endif
