// A textbook kernel for the tests of the OpenCL executor: global alignment with affine gaps, one work-item an
// alignment, with the parameters of device_abi.h and the local memory behind them.
//
// The costs are read through local memory, so that a launch without it fails. `border` holds two ints, H and E, for
// each row 0..border_rows of each work-item.
__kernel void naive_affine(int alignments, __global const uchar *query_letters, __global const int *query_offset,
                           __global const int *query_length, __global const uchar *target_letters,
                           __global const int *target_offset, __global const int *target_length,
                           __global const int *pair_query, __global const int *pair_target,
                           __global const int *scoring, __global const int *matrix, __global int *border,
                           int border_rows, __global int *trace, int trace_words, __global int *score,
                           __global int *query_end, __global int *target_end, __global int *query_begin,
                           __global int *target_begin, __global uchar *status, __global int *cigar, int cigar_room,
                           __global int *cigar_claimed, __global int *cigar_first, __global int *cigar_runs,
                           __local uint4 *shared) {
  __local int *costs = (__local int *)shared;
  for (int i = get_local_id(0); i < 6; i += get_local_size(0)) costs[i] = scoring[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int match = costs[0], mismatch = costs[1], extend = costs[3];
  const int open = costs[2] + extend;  // of the first letter
  __global int *H = border + (size_t)get_global_id(0) * 2 * (border_rows + 1);
  __global int *E = H + border_rows + 1;
  for (int a = get_global_id(0); a < alignments; a += get_global_size(0)) {
    const int q = pair_query[a], t = pair_target[a];
    const int m = query_length[q], n = target_length[t];
    for (int j = 0; j <= n; ++j) {
      H[j] = j == 0 ? 0 : -(open + (j - 1) * extend);
      E[j] = -(1 << 28);
    }
    for (int i = 1; i <= m; ++i) {
      int diagonal = H[0], F = -(1 << 28);
      H[0] = -(open + (i - 1) * extend);
      for (int j = 1; j <= n; ++j) {
        E[j] = max(E[j] - extend, H[j] - open);
        F = max(F - extend, H[j - 1] - open);
        const int same = query_letters[query_offset[q] + i - 1] == target_letters[target_offset[t] + j - 1];
        const int best = max(diagonal + (same ? match : mismatch), max(E[j], F));
        diagonal = H[j];
        H[j] = best;
      }
    }
    score[a] = H[n];
    status[a] = matrix != 0;  // the tests give none
  }
}

// Keeps the device busy for long: what a sleeping host is measured against.
__kernel void slow(int rounds, __global int *out, __local uint4 *shared) {
  int x = get_global_id(0);
  for (int i = 0; i < rounds; ++i) x = x * 1664525 + 1013904223;
  out[get_global_id(0)] = x;
}
