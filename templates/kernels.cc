// The kernels that templates/ yields: one entry point per lane mapping. The generator evaluates the entry with the
// spec's values; what is left is the kernel.
#include "lanes.h"

ALN_KERNEL("lanes") int lanes_kernel(Spec sp, const aln_args_v1 *a) { return lanes(sp, a); }
