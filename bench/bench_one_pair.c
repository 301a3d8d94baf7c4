/* What few pairs cost through the C API: a call of alnsmith_align_pairs() with one pair or some, again and again.
 *
 * Usage: bench_one_pair SHAPE SPEC[@CHOICE]...
 *   SHAPE   LENGTH or QUERYxTARGET letters; then, each with a comma before it, pairs=N, changed=PERCENT of the letters
 *           of a target that are drawn anew (5; 100: unrelated), protein: the twenty amino acids instead of ACGT
 *   SPEC    name or file; CHOICE: as of `alnsmith generate --choice`
 * A target is the query, as often as it takes, with letters drawn anew. All specs take turns in one run, one thread;
 * medians over the turns of CPU time, in microseconds a pair, and what the first spec takes of each. Prints a line per
 * spec. Exit: 0, 1 where a spec cannot be opened or a call fails, 2 for usage. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "alnsmith/alnsmith.h"

enum { most_turns = 201, least_turns = 9, most_specs = 16, longest = 100000, most_pairs = 4096 };

typedef struct {
  int query, target, pairs, changed;
  const char *letters;
} shape;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
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

/* 0 where the words say no shape. */
static int read_shape(const char *text, shape *s) {
  int used = 0;
  *s = (shape){0, 0, 1, 5, "ACGT"};
  if (sscanf(text, "%dx%d%n", &s->query, &s->target, &used) < 2) {
    if (sscanf(text, "%d%n", &s->query, &used) != 1) return 0;
    s->target = s->query;
  }
  for (text += used; *text == ',';) {
    used = 0;
    if (strncmp(text, ",protein", 8) == 0) {
      s->letters = "ARNDCQEGHILKMFPSTWYV";
      used = 8;
    } else if (sscanf(text, ",pairs=%d%n", &s->pairs, &used) != 1) {
      sscanf(text, ",changed=%d%n", &s->changed, &used);
    }
    text += used;
    if (used == 0) return 0;
  }
  return *text == 0 && s->query > 0 && s->query <= longest && s->target > 0 && s->target <= longest && s->pairs > 0 &&
         s->pairs <= most_pairs;
}

/* Letters of all pairs, one behind another. */
static void draw(const shape *s, char *queries, char *targets) {
  const int letters = (int)strlen(s->letters);
  srand(1);
  for (int pair = 0; pair < s->pairs; ++pair, queries += s->query, targets += s->target) {
    for (int i = 0; i < s->query; ++i) queries[i] = s->letters[rand() % letters];
    for (int i = 0; i < s->target; ++i)
      targets[i] = rand() % 100 >= s->changed ? queries[i % s->query] : s->letters[rand() % letters];
  }
}

int main(int argc, char **argv) {
  static double time[most_specs][most_turns];
  static alnsmith_text queries[most_pairs], targets[most_pairs];
  static int scores[most_pairs];
  alnsmith_aligner *aligners[most_specs];
  shape s;
  const int specs = argc - 2;
  if (specs < 1 || specs > most_specs || !read_shape(argv[1], &s)) {
    fprintf(stderr,
            "usage: bench_one_pair LENGTH|QUERYxTARGET[,pairs=N][,changed=PERCENT][,protein] SPEC[@CHOICE]...\n");
    return 2;
  }
  for (int i = 0; i < specs; ++i)
    if (!(aligners[i] = open_spec(argv[2 + i]))) return 1;
  char *const letters = malloc((size_t)(s.query + s.target) * (size_t)s.pairs);
  if (!letters) return 1;
  draw(&s, letters, letters + (size_t)s.query * (size_t)s.pairs);
  for (int i = 0; i < s.pairs; ++i) {
    queries[i] = (alnsmith_text){letters + (size_t)s.query * (size_t)i, (size_t)s.query};
    targets[i] =
        (alnsmith_text){letters + (size_t)s.query * (size_t)s.pairs + (size_t)s.target * (size_t)i, (size_t)s.target};
  }
  alnsmith_columns columns;
  memset(&columns, 0, sizeof columns);
  columns.size = sizeof columns;
  columns.score = scores;
  alnsmith_options options = alnsmith_options_default();
  options.threads = 1;
  /* A turn takes some milliseconds of a call that is short, and all of them some seconds. */
  const double cells = (double)s.query * s.target * s.pairs;
  const int calls = 1 + (int)(3e7 / (cells + 1e5));
  const int turns = cells < 1e7 ? most_turns : cells < 1e9 ? 31 : least_turns;
  for (int turn = 0; turn < turns; ++turn)
    for (int i = 0; i < specs; ++i) {
      const double begin = seconds();
      for (int call = 0; call < calls; ++call)
        if (alnsmith_align_pairs(aligners[i], queries, targets, (size_t)s.pairs, &columns, &options, NULL) != 0) {
          fprintf(stderr, "bench_one_pair: %s: %s\n", argv[2 + i], alnsmith_last_error());
          return 1;
        }
      time[i][turn] = (seconds() - begin) / calls / s.pairs * 1e6;
    }
  double first = 0;
  for (int i = 0; i < specs; ++i) {
    qsort(time[i], (size_t)turns, sizeof(double), by_value);
    const double median = time[i][turns / 2];
    if (i == 0) first = median;
    printf("%-60s %8.2f us (%.2f-%.2f), first by this %.2f\n", argv[2 + i], median, time[i][turns / 20],
           time[i][turns - 1 - turns / 20], first / median);
    alnsmith_close(aligners[i]);
  }
  free(letters);
  return 0;
}
