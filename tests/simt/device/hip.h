// The AMDGPU builtins of clang for a kernel text that runs on the CPU. Only what the generator's prelude uses, and its
// close kin. Attributes such as global and device are ignored by clang for x86; the rewriter sees to the rest.
//
// Every lane of the wave must take part in an exchange: on a device a lane that is switched off has no value to give.
#pragma once

#include "kernel_side.h"

namespace simt {
namespace amd {

SIMT_INLINE int wave() { return (int)warp_lanes(); }

// What data-parallel primitives say of a lane: whose value it gets (negative: nobody's), by the ISA documents of GCN3
// to RDNA3. Rows are 16 lanes.
SIMT_INLINE int dpp_source(int control, int lane, int wave) {
  const int row = lane & ~15, in_row = lane & 15;
  const auto within = [&](int source) { return source >= 0 && source < 16 ? row + source : -1; };
  if (control <= 0xff) return (lane & ~3) | (control >> (2 * (lane & 3)) & 3);              // quad_perm
  if (control >= 0x101 && control <= 0x10f) return within(in_row + (control & 15));         // row_shl
  if (control >= 0x111 && control <= 0x11f) return within(in_row - (control & 15));         // row_shr
  if (control >= 0x121 && control <= 0x12f) return row + ((in_row - (control & 15)) & 15);  // row_ror
  if (control == 0x140) return row + 15 - in_row;                                           // row_mirror
  if (control == 0x141) return (lane & ~7) + 7 - (lane & 7);                                // row_half_mirror
  if (control >= 0x150 && control <= 0x15f) return row + (control & 15);                    // row_share, from gfx10
  if (control >= 0x160 && control <= 0x16f) return row + (in_row ^ (control & 15));         // row_xmask, from gfx10
  if (wave != 64) fail("DPP: this control exists on waves of 64 only (up to gfx9)");
  if (control == 0x130) return lane + 1 < wave ? lane + 1 : -1;     // wave_shl:1
  if (control == 0x134) return (lane + 1) % wave;                   // wave_rol:1
  if (control == 0x138) return lane - 1;                            // wave_shr:1
  if (control == 0x13c) return (lane + wave - 1) % wave;            // wave_ror:1
  if (control == 0x142) return lane >= 16 ? row - 1 : -1;           // row_bcast:15
  if (control == 0x143) return lane >= 32 ? (lane & ~31) - 1 : -1;  // row_bcast:31
  fail("DPP: unknown control");
  return -1;
}

template <class T>
SIMT_INLINE T update_dpp(T old, T value, int control, int row_mask, int bank_mask, bool bound_control) {
  static_assert(sizeof(T) <= 8, "");
  const int self = lane(), source = dpp_source(control, self, wave());
  const T got = exchange_value("__builtin_amdgcn_update_dpp", WHOLE_WARP, value, source);
  const bool written = (row_mask >> (self / 16) & 1) && (bank_mask >> (self % 16 / 4) & 1);
  if (!written) return old;
  if (source >= 0) return got;
  return bound_control ? T() : old;
}

// Within groups of 8 lanes; three bits of the selector a lane. From gfx10.
template <class T>
SIMT_INLINE T move_dpp8(T value, unsigned selector) {
  const int self = lane();
  return exchange_value("__builtin_amdgcn_mov_dpp8", WHOLE_WARP, value,
                        (self & ~7) + (int)(selector >> (3 * (self & 7)) & 7));
}

// A lane reads its own row of 16 (`across` 0) or the other of a pair of rows (16): four bits of the selector a lane.
// From gfx10.
SIMT_INLINE unsigned permute_row(const char *name, unsigned value, unsigned low, unsigned high, int across) {
  const int self = lane(), in_row = self & 15;
  const unsigned from = (in_row < 8 ? low : high) >> (4 * (in_row & 7)) & 15;
  return exchange_value(name, WHOLE_WARP, value, ((self & ~15) ^ across) + (int)from);
}

// Bytes 0-3 are b's, 4-7 a's; 8-11 a sign, 12 zero, above that ones.
SIMT_INLINE unsigned perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = (unsigned long long)a << 32 | b;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned which = selector >> (8 * i) & 255;
    unsigned byte = 255;
    if (which < 8) byte = (unsigned)(both >> (8 * which)) & 255;
    if (which >= 8 && which < 12) byte = both >> (16 * (which - 8) + 15) & 1 ? 255 : 0;
    if (which == 12) byte = 0;
    result |= byte << (8 * i);
  }
  return result;
}

}  // namespace amd
}  // namespace simt

// These attributes are errors on functions that are no device kernels.
#define amdgpu_flat_work_group_size(...) unused
#define amdgpu_waves_per_eu(...) unused
#define amdgpu_num_vgpr(...) unused

#define __builtin_amdgcn_workitem_id_x() (::simt::thread_index())
#define __builtin_amdgcn_workgroup_id_x() (::simt::block_index())
#define __builtin_amdgcn_workgroup_size_x() ((unsigned short)::simt::threads())
#define __builtin_amdgcn_grid_size_x() (::simt::threads() * ::simt::blocks())
#define __builtin_amdgcn_wavefrontsize() (::simt::warp_lanes())
#define __builtin_amdgcn_mbcnt_lo(mask, add)                                                             \
  ((unsigned)__builtin_popcount((unsigned)(mask) &                                                       \
                                (unsigned)((1ull << (::simt::lane() < 32 ? ::simt::lane() : 32)) - 1)) + \
   (unsigned)(add))
#define __builtin_amdgcn_mbcnt_hi(mask, add)                                                                 \
  ((unsigned)__builtin_popcount((unsigned)(mask) &                                                           \
                                (unsigned)((1ull << (::simt::lane() < 32 ? 0 : ::simt::lane() - 32)) - 1)) + \
   (unsigned)(add))

#define __builtin_amdgcn_s_barrier() ::simt::barrier("__builtin_amdgcn_s_barrier")
#define __builtin_amdgcn_wave_barrier() \
  ((void)::simt::ballot("__builtin_amdgcn_wave_barrier", ::simt::WHOLE_WARP, true))
#define __builtin_amdgcn_fence(...) __asm__ volatile("" ::: "memory")

#define __builtin_amdgcn_ballot_w32(vote) \
  ((unsigned)::simt::ballot("__builtin_amdgcn_ballot_w32", ::simt::WHOLE_WARP, (vote)))
#define __builtin_amdgcn_ballot_w64(vote) \
  ((unsigned long)::simt::ballot("__builtin_amdgcn_ballot_w64", ::simt::WHOLE_WARP, (vote)))
#define __builtin_amdgcn_ds_bpermute(index, value)                                         \
  ::simt::exchange_value("__builtin_amdgcn_ds_bpermute", ::simt::WHOLE_WARP, (int)(value), \
                         (int)((unsigned)(index) >> 2) & (::simt::amd::wave() - 1))
#define __builtin_amdgcn_readlane(value, from) \
  ::simt::exchange_value("__builtin_amdgcn_readlane", ::simt::WHOLE_WARP, (int)(value), (int)(from))
#define __builtin_amdgcn_readfirstlane(value) \
  ::simt::exchange_value("__builtin_amdgcn_readfirstlane", ::simt::WHOLE_WARP, (int)(value), 0)
#define __builtin_amdgcn_update_dpp(old, value, control, row_mask, bank_mask, bound_control) \
  ::simt::amd::update_dpp(old, (decltype(old))(value), control, row_mask, bank_mask, bound_control)
// Lanes that get nobody's value have an undefined one: a pattern that is none of a score.
#define __builtin_amdgcn_mov_dpp(value, control, row_mask, bank_mask, bound_control) \
  ::simt::amd::update_dpp((int)0xa5a5a5a5, (int)(value), control, row_mask, bank_mask, bound_control)

// All lanes take part, so nobody keeps `old`.
#define __builtin_amdgcn_mov_dpp8(value, selector) ::simt::amd::move_dpp8(value, (unsigned)(selector))
#define __builtin_amdgcn_permlane16(old, value, low, high, inactive, bound) \
  ::simt::amd::permute_row("__builtin_amdgcn_permlane16", (unsigned)(value), (unsigned)(low), (unsigned)(high), 0)
#define __builtin_amdgcn_permlanex16(old, value, low, high, inactive, bound) \
  ::simt::amd::permute_row("__builtin_amdgcn_permlanex16", (unsigned)(value), (unsigned)(low), (unsigned)(high), 16)

#define __builtin_amdgcn_perm(a, b, selector) ::simt::amd::perm((unsigned)(a), (unsigned)(b), (unsigned)(selector))
#define __builtin_amdgcn_alignbyte(a, b, count) \
  ((unsigned)((((unsigned long long)(unsigned)(a) << 32) | (unsigned)(b)) >> (8 * ((count) & 3))))
#define __builtin_amdgcn_alignbit(a, b, count) \
  ((unsigned)((((unsigned long long)(unsigned)(a) << 32) | (unsigned)(b)) >> ((count) & 31)))
#define __HIP_MEMORY_SCOPE_AGENT 0
#define __hip_atomic_fetch_add(p, value, order, scope) __atomic_fetch_add(p, value, order)
