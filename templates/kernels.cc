// The kernels that templates/ yields: one entry point per lane mapping. The generator evaluates the entry with the
// spec's values; what is left is the kernel.
#include "block.h"
#include "exactness.h"
#include "gaps.h"
#include "lanes.h"
#include "wavefront.h"

ALN_KERNEL("lanes") int lanes_kernel(Spec sp, const aln_args_v1 *a) { ALN_WITH_GAP(sp, lanes<Gap>(sp, a)); }

ALN_KERNEL("device:lanes") int device_lanes_kernel(Spec sp, const aln_device_args_v1 *a) {
  ALN_WITH_GAP(sp, wavefront<Gap>(sp, a));
}
ALN_KERNEL("device:wavefront") int wavefront_kernel(Spec sp, const aln_device_args_v1 *a) {
  ALN_WITH_GAP(sp, wavefront<Gap>(sp, a));
}
ALN_KERNEL("device:block") int block_kernel(Spec sp, const aln_device_args_v1 *a) {
  ALN_WITH_GAP(sp, block<Gap>(sp, a));
}
