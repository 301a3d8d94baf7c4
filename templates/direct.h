// The dialect's operations as plain loops over lanes: what they mean.
//
// Used where a template runs directly (ALN_DIRECT).  `direct::lanes` and `direct::bits` say how many
// alignments a group holds and how wide a score is; scores wrap as the printed kernels' do.
#pragma once

namespace direct {
constexpr int max_lanes = 128;  // 64 lanes with two alignments each
inline thread_local int lanes = 1;
inline thread_local int bits = 32;
inline thread_local const int *matrix = nullptr;  // what folded_matrix() yields

// How a score is kept: as a signed or unsigned integer of `bits` that wraps, or as floating point with a mantissa of
// `bits`, which rounds to nearest, ties to even.
enum class Kept { signed_, unsigned_, floating };
inline thread_local Kept kept = Kept::signed_;

inline int rounded(long long x) {
  unsigned long long magnitude = x < 0 ? -x : x, unit = 1;
  while (magnitude / unit >= 1ull << bits) unit *= 2;
  const unsigned long long rest = magnitude % unit, down = magnitude - rest;
  const bool up = rest * 2 > unit || (rest * 2 == unit && (down / unit) % 2 == 1);
  const long long r = static_cast<long long>(up ? down + unit : down);
  return static_cast<int>(x < 0 ? -r : r);
}
inline int wrap(long long x) {
  if (kept == Kept::floating) return rounded(x);
  const int drop = 64 - bits;
  const unsigned long long shifted = static_cast<unsigned long long>(x) << drop;
  if (kept == Kept::unsigned_) return static_cast<int>(shifted >> drop);
  return static_cast<int>(static_cast<long long>(shifted) >> drop);
}
inline int wrap32(long long x) { return static_cast<int>(static_cast<unsigned>(x)); }

template <int Tag>
struct Lanes {
  int v[max_lanes];
};

template <class R, class F>
R each(F f) {
  R r{};
  for (int l = 0; l < lanes; ++l) r.v[l] = f(l);
  return r;
}
}  // namespace direct

using vscore = direct::Lanes<0>;
using vwide = direct::Lanes<1>;
using vpos = direct::Lanes<2>;
using vchar = direct::Lanes<3>;
using vmask = direct::Lanes<4>;
struct vtable {
  int v[32];
};

#define ALN_EACH(R, expression)       \
  return direct::each<R>([&](int l) { \
    (void)l;                          \
    return expression;                \
  })
inline vscore splat(int a) { ALN_EACH(vscore, direct::wrap(a)); }
inline vscore add(vscore a, vscore b) { ALN_EACH(vscore, direct::wrap((long long)a.v[l] + b.v[l])); }
inline vscore sub(vscore a, vscore b) { ALN_EACH(vscore, direct::wrap((long long)a.v[l] - b.v[l])); }
inline vscore sub_floor0(vscore a, vscore b) { ALN_EACH(vscore, a.v[l] > b.v[l] ? a.v[l] - b.v[l] : 0); }
inline vscore max(vscore a, vscore b) { ALN_EACH(vscore, a.v[l] > b.v[l] ? a.v[l] : b.v[l]); }
inline vmask equal(vscore a, vscore b) { ALN_EACH(vmask, a.v[l] == b.v[l]); }
inline vmask greater(vscore a, vscore b) { ALN_EACH(vmask, a.v[l] > b.v[l]); }
inline vscore select(vmask m, vscore a, vscore b) { ALN_EACH(vscore, m.v[l] ? a.v[l] : b.v[l]); }

inline vchar splat_letter(int a) { ALN_EACH(vchar, a); }
inline vmask equal(vchar a, vchar b) { ALN_EACH(vmask, a.v[l] == b.v[l]); }
inline vchar select(vmask m, vchar a, vchar b) { ALN_EACH(vchar, m.v[l] ? a.v[l] : b.v[l]); }

inline vpos splat_pos(int a) { ALN_EACH(vpos, a); }
inline vpos sub(vpos a, vpos b) { ALN_EACH(vpos, a.v[l] - b.v[l]); }
inline vpos max(vpos a, vpos b) { ALN_EACH(vpos, a.v[l] > b.v[l] ? a.v[l] : b.v[l]); }
inline vpos min(vpos a, vpos b) { ALN_EACH(vpos, a.v[l] < b.v[l] ? a.v[l] : b.v[l]); }
inline vmask equal(vpos a, vpos b) { ALN_EACH(vmask, a.v[l] == b.v[l]); }
inline vscore to_score(vpos a) { ALN_EACH(vscore, direct::wrap(a.v[l])); }
inline vwide to_wide(vpos a) { ALN_EACH(vwide, a.v[l]); }
inline vwide to_wide(vscore a) { ALN_EACH(vwide, a.v[l]); }
inline vwide splat_wide(int a) { ALN_EACH(vwide, a); }
inline vwide add(vwide a, vwide b) { ALN_EACH(vwide, direct::wrap32((long long)a.v[l] + b.v[l])); }
inline vwide sub(vwide a, vwide b) { ALN_EACH(vwide, direct::wrap32((long long)a.v[l] - b.v[l])); }
inline vwide mul(vwide a, vwide b) { ALN_EACH(vwide, direct::wrap32((long long)a.v[l] * b.v[l])); }
inline vwide max(vwide a, vwide b) { ALN_EACH(vwide, a.v[l] > b.v[l] ? a.v[l] : b.v[l]); }
inline vmask greater(vwide a, vwide b) { ALN_EACH(vmask, a.v[l] > b.v[l]); }
inline vwide select(vmask m, vwide a, vwide b) { ALN_EACH(vwide, m.v[l] ? a.v[l] : b.v[l]); }

inline vmask both(vmask a, vmask b) { ALN_EACH(vmask, a.v[l] && b.v[l]); }
inline vmask either(vmask a, vmask b) { ALN_EACH(vmask, a.v[l] || b.v[l]); }
inline bool any(vmask a) {
  for (int l = 0; l < direct::lanes; ++l)
    if (a.v[l]) return true;
  return false;
}

inline int residual(int a) { return a; }

inline int load_int(const int *p, int i) { return p[i]; }
inline int load_letter(const unsigned char *p, int i) { return p[i]; }
inline vchar load_letters(const unsigned char *p, int i) { ALN_EACH(vchar, p[i * direct::lanes + l]); }
inline vpos load_pos(const int *p, int i) { ALN_EACH(vpos, p[i * direct::lanes + l]); }
inline vscore load_score(const void *p, int i) { ALN_EACH(vscore, ((const int *)p)[i * direct::lanes + l]); }
inline vmask load_mask(const unsigned char *p, int i) { ALN_EACH(vmask, p[i * direct::lanes + l] != 0); }
inline void store_score(void *p, int i, vscore a) {
  for (int l = 0; l < direct::lanes; ++l) ((int *)p)[i * direct::lanes + l] = a.v[l];
}
inline void store_wide(int *p, int i, vwide a) {
  for (int l = 0; l < direct::lanes; ++l) p[i * direct::lanes + l] = a.v[l];
}
inline void store_mask(unsigned char *p, int i, vmask a) {
  for (int l = 0; l < direct::lanes; ++l) p[i * direct::lanes + l] = a.v[l] != 0;
}

inline const int *folded_matrix() { return direct::matrix; }
inline vtable load_table(const int *p, int row) {
  vtable t;
  for (int r = 0; r < 32; ++r) t.v[r] = direct::wrap(p[row * ALN_MATRIX_STRIDE + r]);
  return t;
}
inline vscore lookup(vtable t, vchar a) { ALN_EACH(vscore, t.v[a.v[l] & 31]); }
#include "direct_group.h"
#undef ALN_EACH
