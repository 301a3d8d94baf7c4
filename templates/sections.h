// Which strips have their borders kept for the way back (trace.h, sliced_trace.h): all of them, or those of one section
// of `kept_strips` at a time, and of every section the border that it begins with.
#pragma once
#include "dialect.h"

struct Sections {
  bool one;
  int column;       // where the current one begins
  int strip;        // the current strip in it, from 0
  int border;       // element of the border that it begins with
  int border_size;  // elements of one

  // Before the first strip; `first`: element of the first section's border.
  void start(const aln_args_v1 *a, int k, int first, int size) {
    one = a->kept_strips * k >= a->register_max;
    column = 0;
    strip = -1;
    border = first;
    border_size = size;
  }
  // Before each strip, in turn.
  void next_strip(const aln_args_v1 *a, int k) {
    strip = strip + 1;
    if (!one) {
      const bool new_section = strip == a->kept_strips;
      strip = new_section ? 0 : strip;
      column = new_section ? column + a->kept_strips * k : column;
      border = new_section ? border + border_size : border;
    }
  }
};
