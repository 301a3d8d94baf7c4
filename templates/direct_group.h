// The meaning of group.h's operations as plain loops over the lanes of one warp.
//
// The warps of a block run as threads of their own; `direct::block` is what they share.
#pragma once

namespace direct {

// What the warps of a block share. `meet` waits for all of them.
struct Block {
  int index = 0, count = 1;
  int *scores = nullptr;  // shared memory read as scores: [word * packing + half]
  int *totals = nullptr;  // and as totals: [word]
  void (*meet)(Block *) = nullptr;
  void *rendezvous = nullptr;
};

inline thread_local Block *block = nullptr;
inline thread_local int warp = 0;     // of the block
inline thread_local int packing = 1;  // alignments a lane; lanes = threads of the warp * packing

inline int thread_of(int l) { return l / packing; }
// The same half of another thread of the segment of p.
inline int in_segment(int l, int p, int lane) { return (thread_of(l) / p * p + lane) * packing + l % packing; }
inline int lane_of(int l, int p) { return thread_of(l) % p; }

}  // namespace direct

struct vquad {
  vscore part[4];
};

struct vquads {
  vscore part[8];
};

struct vfour {
  vchar letter[4];
};
struct vrow {
  vchar letter;
  int match, mismatch;
};

inline int block_index() { return direct::block->index; }
inline int block_count() { return direct::block->count; }
inline int warp_index() { return direct::warp; }
inline vpos lane_index(int p) { ALN_EACH(vpos, direct::lane_of(l, p)); }
inline vpos segment_index(int p) { ALN_EACH(vpos, direct::thread_of(l) / p); }
inline vpos half_index() { ALN_EACH(vpos, l % direct::packing); }

namespace direct {
template <class T>
T up(const T &x, const T &into, int p) {
  return each<T>([&](int l) { return lane_of(l, p) == 0 ? into.v[l] : x.v[l - packing]; });
}
template <class T>
T rotated(const T &x, int p) {
  return each<T>([&](int l) { return x.v[in_segment(l, p, (lane_of(l, p) + 1) % p)]; });
}
template <class T>
T exchanged(const T &x, int d) {
  return each<T>([&](int l) { return x.v[(thread_of(l) ^ d) * packing + l % packing]; });
}
}  // namespace direct

inline vscore shift_up(vscore x, vscore into, int p) { return direct::up(x, into, p); }
inline vchar shift_up(vchar x, vchar into, int p) { return direct::up(x, into, p); }
inline vscore shift_down(vscore x, vscore into, int p) {
  ALN_EACH(vscore, direct::lane_of(l, p) == p - 1 ? into.v[l] : x.v[l + direct::packing]);
}
inline vscore rotate_down(vscore x, int p) { return direct::rotated(x, p); }
inline vchar rotate_down(vchar x, int p) { return direct::rotated(x, p); }
inline vscore first_lane(vscore x, int p) { ALN_EACH(vscore, x.v[direct::in_segment(l, p, 0)]); }
inline vwide exchange(vwide x, int d) { return direct::exchanged(x, d); }
inline int largest(vpos x) {
  int r = x.v[0];
  for (int l = 1; l < direct::lanes; ++l) r = x.v[l] > r ? x.v[l] : r;
  return r;
}
inline int smallest(vpos x) {
  int r = x.v[0];
  for (int l = 1; l < direct::lanes; ++l) r = x.v[l] < r ? x.v[l] : r;
  return r;
}
inline vscore max_floor0(vscore a, vscore b) { return max(max(a, b), splat(0)); }
inline vscore max_by_sums(vscore a, vscore b) { return max(a, b); }
inline vscore add_floor0(vscore a, vscore b) { return max(add(a, b), splat(0)); }
inline vscore sub_gap(vscore a, vscore b) { return sub(a, b); }
inline vscore to_score(vwide a) { ALN_EACH(vscore, direct::wrap(a.v[l])); }

inline vrow letter_scores(vchar a, int match, int mismatch) { return {a, match, mismatch}; }
inline vchar selector(vchar a) { return a; }
inline vscore pick(vrow r, vchar s) {
  ALN_EACH(vscore, s.v[l] > 3 ? 0 : direct::wrap(r.letter.v[l] == s.v[l] ? r.match : r.mismatch));
}

inline vpos add(vpos a, vpos b) { ALN_EACH(vpos, direct::wrap32((long long)a.v[l] + b.v[l])); }
inline vpos mul(vpos a, vpos b) { ALN_EACH(vpos, direct::wrap32((long long)a.v[l] * b.v[l])); }
inline vpos halved(vpos a) { ALN_EACH(vpos, a.v[l] / 2); }
inline vpos to_pos(vchar a) { ALN_EACH(vpos, a.v[l]); }
inline vmask greater(vpos a, vpos b) { ALN_EACH(vmask, a.v[l] > b.v[l]); }
inline vmask equal(vwide a, vwide b) { ALN_EACH(vmask, a.v[l] == b.v[l]); }
inline vpos select(vmask m, vpos a, vpos b) { ALN_EACH(vpos, m.v[l] ? a.v[l] : b.v[l]); }

inline vpos load_pos_at(const int *p, vpos i) { ALN_EACH(vpos, p[i.v[l]]); }
inline vchar load_letter_at(const unsigned char *p, vpos i, vmask m, int otherwise) {
  ALN_EACH(vchar, m.v[l] ? p[i.v[l]] : otherwise);
}
inline vfour load_four(const unsigned char *p, vpos i, vpos count) {
  vfour f;
  for (int n = 0; n < 4; ++n)
    f.letter[n] = direct::each<vchar>([&](int l) { return n < count.v[l] ? p[i.v[l] + n] : 0; });
  return f;
}
inline vchar letter_of(vfour f, int i, vmask m, int otherwise) {
  ALN_EACH(vchar, m.v[l] ? f.letter[i].v[l] : otherwise);
}
inline vwide load_wide_at(const int *p, vpos i, vmask m, vwide otherwise) {
  ALN_EACH(vwide, m.v[l] ? p[i.v[l]] : otherwise.v[l]);
}
inline void store_wide_at(int *p, vpos i, vmask m, vwide a) {
  for (int l = 0; l < direct::lanes; ++l)
    if (m.v[l]) p[i.v[l]] = a.v[l];
}
inline void store_mask_at(unsigned char *p, vpos i, vmask m, vmask a) {
  for (int l = 0; l < direct::lanes; ++l)
    if (m.v[l]) p[i.v[l]] = a.v[l] != 0;
}

inline void store_shared(vpos i, vscore a) {
  for (int l = 0; l < direct::lanes; ++l)
    direct::block->scores[i.v[l] * direct::packing + l % direct::packing] = a.v[l];
}
inline vquad load_quad(vpos i) {
  vquad q;
  for (int part = 0; part < 4; ++part)
    q.part[part] = direct::each<vscore>(
        [&](int l) { return direct::block->scores[(i.v[l] + part) * direct::packing + l % direct::packing]; });
  return q;
}
inline vscore element(vquad q, int i) { return q.part[i]; }
inline vquads load_quads(vpos i) {
  vquads q;
  for (int part = 0; part < 4 * direct::packing; ++part)
    q.part[part] = direct::each<vscore>([&](int l) { return direct::block->scores[i.v[l] * direct::packing + part]; });
  return q;
}
inline vscore element(vquads q, int i) { return q.part[i]; }
inline vscore gather_score(vpos i) { ALN_EACH(vscore, direct::block->scores[i.v[l] * direct::packing / 4]); }
inline void store_shared_wide(vpos i, vmask m, vwide a) { store_wide_at(direct::block->totals, i, m, a); }
inline vwide load_shared_wide(vpos i, vmask m, vwide otherwise) {
  return load_wide_at(direct::block->totals, i, m, otherwise);
}
inline void warp_barrier() {}
inline void barrier() { direct::block->meet(direct::block); }
