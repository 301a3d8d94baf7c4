/* What one short pair costs through the C API: a call of alnsmith_align_pairs() with one pair, again and again.
 *
 * Usage: bench_one_pair LENGTH SPEC[@CHOICE]...    SPEC: name or file; CHOICE: as of `alnsmith generate --choice`
 * The pair: LENGTH letters and a copy in which every twentieth was drawn anew. All specs take turns in one run, one
 * thread; medians over the turns, in microseconds a call, and what the first spec takes of each. Prints a line a spec.
 * Exit: 0, 1 where a spec cannot be opened or a call fails, 2 for usage. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "alnsmith/alnsmith.h"

enum { turns = 201, most_specs = 16, longest = 100000 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static alnsmith_aligner *open_spec(const char *word) {
  char name[4096];
  alnsmith_sources sources;
  alnsmith_aligner *aligner = NULL;
  memset(&sources, 0, sizeof sources);
  sources.size = sizeof sources;
  snprintf(name, sizeof name, "%s", word);
  char *const at = strchr(name, '@');
  if (at) {
    *at = 0;
    sources.choice = at + 1;
  }
  if (alnsmith_open_spec(name, &sources, NULL, &aligner) != 0)
    fprintf(stderr, "bench_one_pair: %s: %s\n", word, alnsmith_last_error());
  return aligner;
}

int main(int argc, char **argv) {
  static double time[most_specs][turns];
  static char query[longest], target[longest];
  alnsmith_aligner *aligners[most_specs];
  const int specs = argc - 2, length = argc > 1 ? atoi(argv[1]) : 0;
  if (specs < 1 || specs > most_specs || length < 1 || length > longest) {
    fprintf(stderr, "usage: bench_one_pair LENGTH SPEC[@CHOICE]...\n");
    return 2;
  }
  for (int i = 0; i < specs; ++i)
    if (!(aligners[i] = open_spec(argv[2 + i]))) return 1;
  srand(1);
  for (int i = 0; i < length; ++i) {
    query[i] = "ACGT"[rand() % 4];
    target[i] = rand() % 20 ? query[i] : "ACGT"[rand() % 4];
  }
  const alnsmith_text one = {query, (size_t)length}, other = {target, (size_t)length};
  int score = 0;
  alnsmith_columns columns;
  memset(&columns, 0, sizeof columns);
  columns.size = sizeof columns;
  columns.score = &score;
  alnsmith_options options = alnsmith_options_default();
  options.threads = 1;
  const int calls = 1 + 300000 / length;
  for (int turn = 0; turn < turns; ++turn)
    for (int i = 0; i < specs; ++i) {
      const double begin = seconds();
      for (int call = 0; call < calls; ++call)
        if (alnsmith_align_pairs(aligners[i], &one, &other, 1, &columns, &options, NULL) != 0) {
          fprintf(stderr, "bench_one_pair: %s: %s\n", argv[2 + i], alnsmith_last_error());
          return 1;
        }
      time[i][turn] = (seconds() - begin) / calls * 1e6;
    }
  double first = 0;
  for (int i = 0; i < specs; ++i) {
    qsort(time[i], turns, sizeof(double), by_value);
    const double median = time[i][turns / 2];
    if (i == 0) first = median;
    printf("%-60s %8.2f us (%.2f-%.2f), first by this %.2f\n", argv[2 + i], median, time[i][turns / 20],
           time[i][turns - 1 - turns / 20], first / median);
    alnsmith_close(aligners[i]);
  }
  return 0;
}
