// The kernels that templates/ yields: one entry point per lane mapping. The generator evaluates the entry with the
// spec's values; what is left is the kernel.
#include "block.h"
#include "device_sliced.h"
#include "gaps.h"
#include "lanes.h"
#include "sliced_lanes.h"
#include "sliced_strips.h"
#include "striped.h"
#include "strips.h"
#include "wavefront.h"

template <class Gap>
int lanes_with(const Spec &sp, const aln_args_v1 *a) {
  if (wants_begin(sp)) {
    ALN_WITH_WATCH(sp, (lanes<Gap, Watch, Kept>(sp, a)));
  } else {
    ALN_WITH_WATCH(sp, (lanes<Gap, Watch, NothingKept>(sp, a)));
  }
}
template <class Gap>
int wavefront_with(const Spec &sp, const GroupArgs *a) {
  if (wants_begin(sp)) {
    ALN_WITH_DEVICE_WATCH(sp, (wavefront<Gap, Recorded<Watch>>(sp, a)));
  } else {
    ALN_WITH_DEVICE_WATCH(sp, (wavefront<Gap, Watch>(sp, a)));
  }
}
template <class Gap>
int block_with(const Spec &sp, const GroupArgs *a) {
  if (wants_begin(sp)) {
    ALN_WITH_DEVICE_WATCH(sp, (block<Gap, Recorded<Watch>>(sp, a)));
  } else {
    ALN_WITH_DEVICE_WATCH(sp, (block<Gap, Watch>(sp, a)));
  }
}

template <class Gap>
int strips_with(const Spec &sp, const GroupArgs *a) {
  ALN_WITH_DEVICE_WATCH(sp, (strips<Gap, Watch>(sp, a)));
}

template <class Gap>
int striped_with(const Spec &sp, const GroupArgs *a) {
  if (sp.goal == Goal::best) return striped<Gap, StripedBest>(sp, a);
  return striped<Gap, StripedEdges>(sp, a);
}

// A mapping alone where ALN_WITHOUT_... is defined for the others.
#ifndef ALN_WITHOUT_lanes
ALN_KERNEL("lanes") int lanes_kernel(Spec sp, const aln_args_v1 *a) { ALN_WITH_GAP(sp, lanes_with<Gap>(sp, a)); }
#endif
#ifndef ALN_WITHOUT_sliced
ALN_KERNEL("sliced") int sliced_kernel(Spec sp, const aln_args_v1 *a) { return sliced(sp, a); }
#endif
#ifndef ALN_WITHOUT_sliced_strips
ALN_KERNEL("sliced_strips") int sliced_strips_kernel(Spec sp, const GroupArgs *a) { return sliced_strips(sp, a); }
#endif
#ifndef ALN_WITHOUT_strips
ALN_KERNEL("strips") int strips_kernel(Spec sp, const GroupArgs *a) { ALN_WITH_GAP(sp, strips_with<Gap>(sp, a)); }
#endif
#ifndef ALN_WITHOUT_striped
ALN_KERNEL("striped") int striped_kernel(Spec sp, const GroupArgs *a) { ALN_WITH_GAP(sp, striped_with<Gap>(sp, a)); }
#endif
#ifndef ALN_WITHOUT_device_lanes
ALN_KERNEL("device:lanes") int device_lanes_kernel(Spec sp, const GroupArgs *a) {
  ALN_WITH_GAP(sp, wavefront_with<Gap>(sp, a));
}
#endif
#ifndef ALN_WITHOUT_device_sliced
ALN_KERNEL("device:sliced") int device_sliced_kernel(Spec sp, const GroupArgs *a) { return device_sliced(sp, a); }
#endif
#ifndef ALN_WITHOUT_device_wavefront
ALN_KERNEL("device:wavefront") int wavefront_kernel(Spec sp, const GroupArgs *a) {
  ALN_WITH_GAP(sp, wavefront_with<Gap>(sp, a));
}
#endif
#ifndef ALN_WITHOUT_device_block
ALN_KERNEL("device:block") int block_kernel(Spec sp, const GroupArgs *a) { ALN_WITH_GAP(sp, block_with<Gap>(sp, a)); }
#endif
