/* The C interface, from C99. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "alnsmith/alnsmith.h"

#define CHECK(x)                                                                     \
  do {                                                                               \
    if (!(x)) {                                                                      \
      fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #x, alnsmith_last_error());    \
      return 1;                                                                      \
    }                                                                                \
  } while (0)

static void on_progress(void *context, uint64_t done) {
  if (done > *(uint64_t *)context) *(uint64_t *)context = done;
}
static int always(void *context) {
  (void)context;
  return 1;
}

/* Adds up what a stream gives; stops after `most` results, or fails with 7 where that is 0. */
struct sums {
  size_t most, results;
  long scores, places;
};
static int add(void *user, const alnsmith_block *block) {
  struct sums *sums = user;
  size_t i;
  if (sums->most == 0) return 7;
  for (i = 0; i < block->count; ++i) {
    sums->scores += block->score[i];
    sums->places += (long)(block->query[i] * 10 + block->target[i]);
    if (block->query_end) sums->places += 100 * block->query_end[i];
  }
  sums->results += block->count;
  return sums->results >= sums->most ? ALNSMITH_STOP : 0;
}

/* Keeps the CIGAR of one query and target as the BAM text would have it, and counts those without any. */
struct cigars {
  uint64_t query, target;
  size_t none, results;
  char text[64];
};
static void print_cigar(const uint32_t *runs, size_t count, char *text) {
  size_t i;
  *text = 0;
  for (i = 0; i < count; ++i) text += sprintf(text, "%u%c", (unsigned)(runs[i] >> 4), "MID"[runs[i] & 15]);
}
static int take_cigars(void *user, const alnsmith_block *block) {
  struct cigars *found = user;
  size_t i, first = 0;
  if (!block->cigar || !block->cigar_end || !block->query_begin) return 8;
  for (i = 0; i < block->count; ++i) {
    const size_t end = block->cigar_end[i];
    if (end == first) ++found->none;
    if (block->query[i] == found->query && block->target[i] == found->target)
      print_cigar(block->cigar + first, end - first, found->text);
    first = end;
  }
  found->results += block->count;
  return 0;
}

/* Whole alignments: columns, streams, the best targets. */
static int check_cigars(void) {
  const alnsmith_text queries[2] = {{"GGACGTACGTTT", 12}, {"CCCC", 4}};
  const alnsmith_text targets[3] = {{"ACGTAACGT", 9}, {"GGGG", 4}, {"", 0}};
  int32_t scores[6], begins[6], ends[6];
  alnsmith_aligner *aligner = NULL;
  alnsmith_cigars *cigars = NULL;
  alnsmith_columns columns = {0};
  struct cigars found = {0, 0, 0, 0, ""};
  const uint32_t *runs = NULL;
  size_t count[2];
  uint64_t hits[4];
  char text[64];

  CHECK(alnsmith_cigars_new(NULL) == 2);
  CHECK(alnsmith_cigars_new(&cigars) == 0 && cigars != NULL);
  CHECK(alnsmith_cigar(cigars, 0, &runs) == 0 && alnsmith_cigar(NULL, 0, NULL) == 0);
  columns.size = sizeof columns;
  columns.cigars = cigars;
  CHECK(alnsmith_open_file(FAKE_DIR "/fake_local_end.so", NULL, &aligner) == 0);
  CHECK(alnsmith_has_output(aligner, "cigar") == 0 && alnsmith_has_output(aligner, "query_begin") == 0);
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 2, &columns, NULL, NULL) == 2);
  CHECK(strstr(alnsmith_last_error(), "output: [score, cigar]") != NULL);
  alnsmith_close(aligner);

  CHECK(alnsmith_open_file(FAKE_DIR "/fake_local_cigar.so", NULL, &aligner) == 0);
  CHECK(alnsmith_has_output(aligner, "cigar") == 1 && alnsmith_has_output(aligner, "query_begin") == 1);
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 2, &columns, NULL, NULL) == 0); /* CIGARs alone */
  count[0] = alnsmith_cigar(cigars, 0, &runs);
  print_cigar(runs, count[0], text);
  CHECK(strcmp(text, "4M1D4M") == 0);
  CHECK(alnsmith_cigar(cigars, 1, &runs) == 0 && alnsmith_cigar(cigars, 2, &runs) == 0);

  columns.score = scores;
  columns.query_begin = begins;
  columns.target_end = ends;
  CHECK(alnsmith_align_all(aligner, queries, 2, targets, 3, &columns, NULL, NULL) == 0);
  CHECK(scores[0] == 13 && begins[0] == 2 && ends[0] == 8 && alnsmith_cigar(cigars, 0, NULL) == 3);
  CHECK(scores[1] == 4 && begins[1] == 0 && alnsmith_cigar(cigars, 1, &runs) == 1 && runs[0] == 2 << 4);
  CHECK(scores[2] == 0 && begins[2] == -1 && alnsmith_cigar(cigars, 2, NULL) == 0);
  CHECK(alnsmith_stream_all(aligner, queries, 2, targets, 3, NULL, take_cigars, &found, NULL, NULL) == 0);
  CHECK(found.results == 6 && found.none == 3 && strcmp(found.text, "4M1D4M") == 0);
  /* Nothing is aligned at all: there are CIGARs, and they are empty. */
  found.none = found.results = 0;
  CHECK(alnsmith_stream_pairs(aligner, queries + 1, targets + 1, 1, NULL, take_cigars, &found, NULL, NULL) == 0);
  CHECK(found.results == 1 && found.none == 1);
  CHECK(alnsmith_top(aligner, queries, 2, targets, 3, 2, NULL, count, hits, &columns, NULL, NULL) == 0);
  CHECK(count[0] == 2 && hits[0] == 0 && hits[1] == 1 && alnsmith_cigar(cigars, 0, &runs) == 3);
  print_cigar(runs, 3, text);
  CHECK(strcmp(text, "4M1D4M") == 0 && alnsmith_cigar(cigars, 1, NULL) == 1);
  CHECK(count[1] == 2 && scores[2] == 2 && alnsmith_cigar(cigars, 2, NULL) == 1 && alnsmith_cigar(cigars, 3, NULL) == 0);
  alnsmith_close(aligner);
  alnsmith_cigars_free(cigars);
  alnsmith_cigars_free(NULL);
  return 0;
}

/* Counts lines and keeps the last one. */
struct lines {
  int count;
  char last[200];
};
static void keep_line(void *user, const char *line) {
  struct lines *lines = user;
  ++lines->count;
  strncpy(lines->last, line, sizeof lines->last - 1);
}

int main(void) {
  alnsmith_aligner *aligner = NULL;
  alnsmith_text queries[2] = {{"ACGT", 4}, {"", 0}};
  alnsmith_text targets[2] = {{"acgu", 4}, {"ACG", 3}};
  int32_t scores[4] = {0};
  int32_t query_ends[4] = {9, 9, 9, 9}, target_ends[4] = {9, 9, 9, 9};
  alnsmith_columns columns = {0}, all_columns = {0};
  struct sums sums = {100, 0, 0, 0};
  size_t found[2];
  uint64_t hits[6];
  const int32_t worst = 0;
  alnsmith_report report;
  alnsmith_options options = alnsmith_options_default();
  const char *const devices[1] = {"toaster:0"};
  uint64_t seen = 0;
  const char *const folders[1] = {FAKE_DIR};
  alnsmith_sources sources = {0};
  alnsmith_prepared *prepared = NULL;
  alnsmith_text wrong = {"ACxG", 4};
  struct lines lines = {0, ""};

  columns.size = all_columns.size = sizeof columns;
  columns.score = all_columns.score = scores;
  all_columns.query_end = query_ends;
  all_columns.target_end = target_ends;
  CHECK(strchr(alnsmith_version(), '.') != NULL);
  CHECK(alnsmith_open_file("/nowhere.so", NULL, &aligner) == 1 && aligner == NULL);
  CHECK(strstr(alnsmith_last_error(), "/nowhere.so") != NULL);
  options.isa = "avx9";
  CHECK(alnsmith_open_file(FAKE_DIR "/fake_global.so", &options, &aligner) == 2);
  options.isa = NULL;
  CHECK(alnsmith_open(NULL, "none", "00", NULL, NULL, &aligner) == 1);
  CHECK(strstr(alnsmith_last_error(), "no kernels for the spec 'none'") != NULL);

  /* By name: only the given folder is asked, which has no pack. */
  sources.size = sizeof sources;
  sources.kernel_dirs = folders;
  sources.kernel_dir_count = 1;
  sources.only_kernel_dirs = 1;
  CHECK(alnsmith_open_spec("none", &sources, NULL, &aligner) == 1 && aligner == NULL);
  CHECK(strstr(alnsmith_last_error(), "no spec of that name in a pack in " FAKE_DIR) != NULL);
  CHECK(strstr(alnsmith_last_error(), "set Sources::kernel_dirs") != NULL);
  /* Without the program, which knows shipped specs and reads files: what to set, in C's words too. */
  sources.only_kernel_dirs = 0;
  sources.program = "";
  CHECK(alnsmith_open_spec("none", &sources, NULL, &aligner) == 1 && aligner == NULL);
  CHECK(strstr(alnsmith_last_error(), "alnsmith_sources.program") != NULL);
  CHECK(strstr(alnsmith_last_error(), "ALNSMITH_PREFIX") != NULL);
  CHECK(alnsmith_open_spec(FAKE_DIR "/fake_global.so", &sources, NULL, &aligner) == 1 && aligner == NULL);
  CHECK(strstr(alnsmith_last_error(), "spec_hash of alnsmith_open") != NULL);

  options.devices = devices;
  options.device_count = 1;
  CHECK(alnsmith_open(NULL, "none", "00", NULL, &options, &aligner) == 2);
  CHECK(strstr(alnsmith_last_error(), "'toaster:0' names no device") != NULL);
  CHECK(alnsmith_open_file(FAKE_DIR "/fake_global.so", &options, &aligner) == 2);
  options.device_count = 0;

  CHECK(alnsmith_open_file(FAKE_DIR "/fake_global.so", &options, &aligner) == 0);
  CHECK(strcmp(alnsmith_target(aligner), "scalar") == 0);
  CHECK(alnsmith_manifest(aligner)[0] == '{');
  options.progress = on_progress;
  options.context = &seen;
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 2, &columns, &options, &report) == 0);
  CHECK(scores[0] == 8 && scores[1] == -5 && report.pairs == 2 && report.cells == 16 && seen == 2);
  CHECK(alnsmith_align_all(aligner, queries, 2, targets, 2, &columns, NULL, NULL) == 0);
  CHECK(scores[0] == 8 && scores[1] == 3 && scores[2] == -6 && scores[3] == -5);
  CHECK(alnsmith_stream_all(aligner, queries, 2, targets, 2, NULL, add, &sums, NULL, &report) == 0);
  CHECK(sums.results == 4 && sums.scores == 0 && sums.places == 22 && report.pairs == 4);
  CHECK(alnsmith_stream_all(aligner, queries, 2, targets, 2, &worst, add, &sums, NULL, NULL) == 0);
  CHECK(sums.results == 6 && sums.scores == 11);
  CHECK(alnsmith_stream_pairs(aligner, queries, targets, 2, NULL, add, &sums, NULL, NULL) == 0);
  CHECK(sums.results == 8 && sums.scores == 14);
  sums.most = 1;
  CHECK(alnsmith_stream_pairs(aligner, queries, targets, 2, NULL, add, &sums, NULL, NULL) == 0);
  sums.most = 0;
  CHECK(alnsmith_stream_pairs(aligner, queries, targets, 2, NULL, add, &sums, NULL, NULL) == 7);
  CHECK(strcmp(alnsmith_last_error(), "the sink returned 7") == 0);
  CHECK(alnsmith_stream_pairs(aligner, queries, targets, 2, NULL, NULL, NULL, NULL, NULL) == 2);
  CHECK(alnsmith_top(aligner, queries, 2, targets, 2, 1, NULL, found, hits, &columns, NULL, NULL) == 0);
  CHECK(found[0] == 1 && hits[0] == 0 && scores[0] == 8 && found[1] == 1 && hits[1] == 1 && scores[1] == -5);
  CHECK(alnsmith_top(aligner, queries, 2, targets, 2, 3, &worst, found, hits, NULL, NULL, NULL) == 0);
  CHECK(found[0] == 2 && hits[0] == 0 && hits[1] == 1 && found[1] == 0);
  CHECK(alnsmith_top(aligner, queries, 2, targets, 2, 0, NULL, found, hits, NULL, NULL, NULL) == 2);
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 2, NULL, NULL, NULL) == 2);
  CHECK(strstr(alnsmith_last_error(), "no column is given") != NULL);

  CHECK(alnsmith_prepare(aligner, targets, 2, &options, &prepared) == 0 && prepared != NULL);
  scores[0] = scores[1] = scores[2] = scores[3] = 0;
  CHECK(alnsmith_align_prepared(aligner, queries, 2, prepared, &columns, NULL, &report) == 0 && report.pairs == 4);
  CHECK(scores[0] == 8 && scores[1] == 3 && scores[2] == -6 && scores[3] == -5);
  sums.most = 100;
  sums.results = 0;
  sums.scores = 0;
  CHECK(alnsmith_stream_prepared(aligner, queries, 2, prepared, &worst, add, &sums, NULL, NULL) == 0);
  CHECK(sums.results == 2 && sums.scores == 11);
  CHECK(alnsmith_top_prepared(aligner, queries, 2, prepared, 3, &worst, found, hits, NULL, NULL, NULL) == 0);
  CHECK(found[0] == 2 && hits[0] == 0 && hits[1] == 1 && found[1] == 0);
  CHECK(alnsmith_align_prepared(aligner, queries, 2, NULL, &columns, NULL, NULL) == 2);
  CHECK(strstr(alnsmith_last_error(), "no prepared targets") != NULL);
  CHECK(strcmp(alnsmith_gap_formula(aligner), "cost(L) = 2 + 1*L") == 0);
  CHECK(alnsmith_first_invalid_letter(aligner, wrong) == 2);
  CHECK(alnsmith_first_invalid_letter(aligner, queries[0]) == SIZE_MAX);
  CHECK(alnsmith_warnings(aligner, keep_line, &lines) == 0 && lines.count == 0);
  CHECK(alnsmith_provenance(aligner, keep_line, &lines) == 0 && lines.count == 6);
  CHECK(strstr(lines.last, "fake_shared_i32: from ") != NULL);
  CHECK(alnsmith_provenance(aligner, NULL, NULL) == 2);
  CHECK(alnsmith_memory(aligner, keep_line, &lines) == 0 && lines.count == 8);
  CHECK(strstr(lines.last, ": takes of memory, with sequences of 150 letters ") != NULL);
  options.cancelled = always;
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 2, &columns, &options, NULL) == 130);
  queries[1].letters = "AxG";
  queries[1].length = 3;
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 2, &columns, NULL, NULL) == 1);
  CHECK(strstr(alnsmith_last_error(), "pair 2, query, position 2: letter 'x'") != NULL);
  CHECK(alnsmith_align_pairs(NULL, queries, targets, 2, &columns, NULL, NULL) == 2);
  CHECK(alnsmith_has_output(aligner, "query_end") == 0 && alnsmith_has_output(aligner, "score") == 1);
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 1, &all_columns, NULL, NULL) == 2);
  CHECK(strstr(alnsmith_last_error(), "output: [score, end]") != NULL);
  alnsmith_close(aligner);

  CHECK(alnsmith_open_file(FAKE_DIR "/fake_local_end.so", NULL, &aligner) == 0);
  CHECK(alnsmith_align_prepared(aligner, queries, 1, prepared, &columns, NULL, NULL) == 2);
  CHECK(strstr(alnsmith_last_error(), "prepared by another aligner") != NULL);
  alnsmith_free_prepared(prepared);
  alnsmith_free_prepared(NULL);
  CHECK(alnsmith_has_output(aligner, "query_end") == 1 && alnsmith_has_output(aligner, "colour") == 0);
  queries[1].letters = "TTAC";
  queries[1].length = 4;
  CHECK(alnsmith_align_pairs(aligner, queries, targets, 2, &all_columns, NULL, NULL) == 0);
  CHECK(scores[0] == 8 && query_ends[0] == 3 && target_ends[0] == 3);
  CHECK(scores[1] == 4 && query_ends[1] == 3 && target_ends[1] == 1);
  targets[1].length = 0;
  CHECK(alnsmith_align_all(aligner, queries, 2, targets, 2, &all_columns, NULL, NULL) == 0);
  CHECK(scores[2] == 4 && query_ends[2] == 3 && target_ends[2] == 1);
  CHECK(scores[3] == 0 && query_ends[3] == -1 && target_ends[3] == -1);
  alnsmith_close(aligner);
  alnsmith_close(NULL);
  return check_cigars();
}
