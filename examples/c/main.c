/* Places reads as ../linked does, from C: lines "read piece" in, "score read_end piece_end" out. */
#include <alnsmith/alnsmith.h>
#include <stdio.h>
#include <string.h>

#include "reads.kernels.h"

enum { MOST = 1000, LONGEST = 2000 };
static char read_letters[MOST][LONGEST], piece_letters[MOST][LONGEST];

int main(void) {
  static alnsmith_text reads[MOST], pieces[MOST];
  static int32_t scores[MOST], read_ends[MOST], piece_ends[MOST];
  const alnsmith_columns columns = {
      .size = sizeof columns, .score = scores, .query_end = read_ends, .target_end = piece_ends};
  alnsmith_aligner *aligner = NULL;
  size_t count = 0, i = 0;
  int status = alnsmith_open_linked(&alnsmith_kernels_reads, NULL, &aligner);

  while (count < MOST && scanf("%1999s %1999s", read_letters[count], piece_letters[count]) == 2) {
    reads[count].letters = read_letters[count];
    reads[count].length = strlen(read_letters[count]);
    pieces[count].letters = piece_letters[count];
    pieces[count].length = strlen(piece_letters[count]);
    ++count;
  }
  if (status == 0) status = alnsmith_align_pairs(aligner, reads, pieces, count, &columns, NULL, NULL);
  if (status != 0) {
    fprintf(stderr, "place: %s\n", alnsmith_last_error());
  } else {
    for (i = 0; i < count; ++i) printf("%d %d %d\n", (int)scores[i], (int)read_ends[i], (int)piece_ends[i]);
    fprintf(stderr, "place: %lu pairs, kernels for %s\n", (unsigned long)count, alnsmith_target(aligner));
  }
  alnsmith_close(aligner);
  return status;
}
