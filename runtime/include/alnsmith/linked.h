/** @file
 * Kernels compiled into a program, so that it needs no files at run time: the tables that `alnsmith-generate link`
 * prints, with the kernels, and that Aligner::open_linked (C: alnsmith_open_linked) takes.
 *
 * Included by the generated header and, word for word, by the generated texts: it must include nothing and stay valid
 * as C99 and C++. Users pass the table on and need not look inside. Tables only grow: `version` tells what exists. */
#ifndef ALNSMITH_LINKED_H
#define ALNSMITH_LINKED_H

/** The `version` of the tables that this header describes. */
#define ALNSMITH_LINKED_VERSION 1

struct aln_args_v1;

/** One kernel: its name in the manifest and its code (kernel_abi.h). */
typedef struct alnsmith_linked_entry {
  const char *name;                            /**< the manifest's `entry` */
  int (*function)(const struct aln_args_v1 *); /**< the kernel */
} alnsmith_linked_entry;

/** The kernels of one spec for one instruction set. */
typedef struct alnsmith_linked_unit {
  const char *target;                   /**< "x86-64-v4", "scalar": what a CPU must have to run them */
  const char *manifest;                 /**< JSON, docs/manifest.md */
  unsigned entry_count;                 /**< length of `entries`, at least 1 */
  const alnsmith_linked_entry *entries; /**< one for each kernel of the manifest, in any order */
} alnsmith_linked_unit;

/** The kernels of one spec for all instruction sets that were asked for. */
typedef struct alnsmith_linked_kernels {
  unsigned version;                         /**< #ALNSMITH_LINKED_VERSION of the generator */
  unsigned unit_count;                      /**< length of `units`, at least 1 */
  const alnsmith_linked_unit *const *units; /**< one for each instruction set, in any order */
  const char *name;                         /**< for messages: what the generator was told to call them */
} alnsmith_linked_kernels;

#endif
