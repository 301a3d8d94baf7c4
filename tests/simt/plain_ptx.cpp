// See plain_ptx.h.
#include "plain_ptx.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Wide = __int128;

std::int32_t s(u32 a) { return static_cast<std::int32_t>(a); }

// ---- two 16-bit integers ----
template <class F>
u32 by_half(u32 a, u32 b, F f) {
  const u32 low = static_cast<u32>(f(a % 65536, b % 65536)) % 65536;
  const u32 high = static_cast<u32>(f(a / 65536, b / 65536)) % 65536;
  return high * 65536 + low;
}
int signed16(u32 a) { return a >= 32768 ? static_cast<int>(a) - 65536 : static_cast<int>(a); }

// ---- halves ----
struct Half {
  bool negative, nan, infinite;
  u64 units;  // magnitude in 2^-24
};
Half decode(u32 bits) {
  const u32 exponent = bits / 1024 % 32, fraction = bits % 1024;
  Half half{bits >= 32768, exponent == 31 && fraction, exponent == 31 && !fraction, 0};
  half.units = exponent ? static_cast<u64>(1024 + fraction) << (exponent - 1) : fraction;
  return half;
}
constexpr u16 NAN_HALF = 0x7fff, INFINITE = 0x7c00;
u16 infinity(bool negative) { return negative ? INFINITE | 0x8000 : INFINITE; }

// In units of 2^-48.
Wide exact(const Half &a) { return (a.negative ? -1 : 1) * (static_cast<Wide>(a.units) << 24); }
u16 round_wide(Wide value, bool negative_zero) {
  const bool negative = value < 0 || (value == 0 && negative_zero);
  return round_to_half(negative, static_cast<unsigned __int128>(value < 0 ? -value : value));
}

u16 half_fma(u32 x, u32 y, u32 z) {
  const Half a = decode(x), b = decode(y), c = decode(z);
  if (a.nan || b.nan || c.nan) return NAN_HALF;
  const bool sign = a.negative != b.negative;
  if (a.infinite || b.infinite) {
    const bool other_zero = a.infinite ? !b.infinite && b.units == 0 : a.units == 0;
    if (other_zero || (c.infinite && c.negative != sign)) return NAN_HALF;
    return infinity(sign);
  }
  if (c.infinite) return infinity(c.negative);
  const Wide product = static_cast<Wide>(a.units) * static_cast<Wide>(b.units) * (sign ? -1 : 1);
  return round_wide(product + exact(c), sign && c.negative && product == 0 && c.units == 0);
}
u16 half_add(u32 x, u32 y) {
  const Half a = decode(x), b = decode(y);
  if (a.nan || b.nan || (a.infinite && b.infinite && a.negative != b.negative)) return NAN_HALF;
  if (a.infinite) return infinity(a.negative);
  if (b.infinite) return infinity(b.negative);
  return round_wide(exact(a) + exact(b), a.negative && b.negative);
}
u16 half_mul(u32 x, u32 y) {
  const bool sign = (x ^ y) & 0x8000;
  return half_fma(x, y, sign ? 0x8000 : 0);
}
// A number whose order is that of the halves, -0 before +0.
int rank(u32 bits) { return bits & 0x8000 ? -static_cast<int>(bits & 0x7fff) - 1 : static_cast<int>(bits); }
u16 half_extreme(u32 x, u32 y, bool largest) {
  if (decode(x).nan && decode(y).nan) return NAN_HALF;
  if (decode(x).nan) return static_cast<u16>(y);
  if (decode(y).nan) return static_cast<u16>(x);
  return static_cast<u16>((rank(x) > rank(y)) == largest ? x : y);
}
// -1, 0, 1, or 2 where a NaN makes every comparison fail.
int half_compare(u32 x, u32 y) {
  if (decode(x).nan || decode(y).nan) return 2;
  if ((x & 0x7fff) == 0 && (y & 0x7fff) == 0) return 0;
  return rank(x) < rank(y) ? -1 : rank(x) > rank(y);
}
u32 mask16(bool holds) { return holds ? 65535 : 0; }

// A float's half: the magnitude in units of 2^-48, where smaller parts only break ties.
u16 half_of_float(u32 bits) {
  const u32 exponent = bits >> 23 & 255, fraction = bits & 0x7fffff;
  const bool negative = bits >> 31;
  if (exponent == 255) return fraction ? NAN_HALF : infinity(negative);
  if (exponent >= 127 + 17) return infinity(negative);
  unsigned __int128 magnitude = exponent ? 0x800000 + fraction : fraction;
  const int shift = static_cast<int>(exponent ? exponent : 1) - 127 - 23 + 48;
  if (shift >= 0) return round_to_half(negative, magnitude << shift);
  const int drop = std::min(-shift, 100);
  const bool sticky = magnitude & ((static_cast<unsigned __int128>(1) << drop) - 1);
  return round_to_half(negative, (magnitude >> drop) | (sticky ? 1 : 0));
}

// ---- floats: the host's arithmetic, NaN made canonical ----
float f(u32 bits) { return std::bit_cast<float>(bits); }
u32 canonical(float value) { return std::isnan(value) ? 0x7fffffff : std::bit_cast<u32>(value); }
u32 float_extreme(u32 x, u32 y, bool largest) {
  if (std::isnan(f(x)) && std::isnan(f(y))) return 0x7fffffff;
  if (std::isnan(f(x))) return y;
  if (std::isnan(f(y))) return x;
  const auto order = [](u32 a) {
    return a >> 31 ? -static_cast<std::int64_t>(a & 0x7fffffff) - 1 : static_cast<std::int64_t>(a);
  };
  return (order(x) > order(y)) == largest ? x : y;
}

// ---- bytes ----
using Bytes = std::array<unsigned, 8>;
Bytes bytes(u32 a, u32 b) {
  Bytes list{};
  std::memcpy(list.data(),
              std::array<unsigned, 8>{a & 255, a >> 8 & 255, a >> 16 & 255, a >> 24, b & 255, b >> 8 & 255,
                                      b >> 16 & 255, b >> 24}
                  .data(),
              sizeof list);
  return list;
}
u32 pick(u32 a, u32 b, std::array<unsigned, 4> high_to_low) {
  const Bytes all = bytes(a, b);
  return all[high_to_low[0]] << 24 | all[high_to_low[1]] << 16 | all[high_to_low[2]] << 8 | all[high_to_low[3]];
}
// The tables of the PTX ISA for prmt's modes, highest byte first, by selector.
using Mode = std::array<std::array<unsigned, 4>, 4>;
constexpr Mode F4E = {{{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}};
constexpr Mode B4E = {{{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}};
constexpr Mode RC8 = {{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}};
constexpr Mode ECL = {{{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}};
constexpr Mode ECR = {{{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}};
constexpr Mode RC16 = {{{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}};

u32 saturate(std::int64_t v) { return static_cast<u32>(std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX)); }
u32 mask32(bool holds) { return holds ? 0xffffffff : 0; }

}  // namespace

std::uint16_t round_to_half(bool negative, unsigned __int128 magnitude) {
  const u16 sign = negative ? 0x8000 : 0;
  int top = -1;  // highest bit; 2^-48 is bit 0
  for (int i = 0; i < 100; ++i) top = magnitude >> i & 1 ? i : top;
  // The last bit that a half keeps: 10 below the top, but not under 2^-24.
  const int last = std::max(top - 10, 24);
  unsigned __int128 kept = magnitude >> last;
  const unsigned __int128 rest = magnitude - (kept << last), half = static_cast<unsigned __int128>(1) << (last - 1);
  if (rest > half || (rest == half && kept % 2)) ++kept;
  // `kept` in units of 2^(last-48); adding it to the biased exponent carries over by itself.
  const u64 bits = (static_cast<u64>(last - 24) << 10) + static_cast<u64>(kept);
  return sign | static_cast<u16>(std::min<u64>(bits, INFINITE));
}

#define OP(body)                          \
  [](u32 a, u32 b, u32 c, u32 d) -> u32 { \
    (void)a, (void)b, (void)c, (void)d;   \
    return body;                          \
  }
#define HALVES(body) OP(by_half(a, b, [](u32 x, u32 y) { return body; }))
const std::map<std::string, PlainPtx> &plain_ptx() {
  static const std::map<std::string, PlainPtx> table = {
      {"add_s16x2", HALVES(x + y)},
      {"add_u16x2", HALVES(x + y)},
      {"max_s16x2", HALVES(std::max(signed16(x), signed16(y)))},
      {"min_s16x2", HALVES(std::min(signed16(x), signed16(y)))},
      {"max_u16x2", HALVES(std::max(x, y))},
      {"min_u16x2", HALVES(std::min(x, y))},
      {"max_relu_s16x2", HALVES(std::max({signed16(x), signed16(y), 0}))},
      {"max_s16x2_relu", HALVES(std::max({signed16(x), signed16(y), 0}))},
      {"min_s16x2_relu", HALVES(std::max(std::min(signed16(x), signed16(y)), 0))},
      {"min_relu_s16x2", HALVES(std::max(std::min(signed16(x), signed16(y)), 0))},
      {"add_s32", OP(a + b)},
      {"add_u32", OP(a + b)},
      {"add_sat_s32", OP(saturate(std::int64_t{s(a)} + s(b)))},
      {"sub_s32", OP(a - b)},
      {"sub_u32", OP(a - b)},
      {"sub_sat_s32", OP(saturate(std::int64_t{s(a)} - s(b)))},
      {"neg_s32", OP(~a + 1)},
      {"abs_s32", OP(s(a) < 0 ? ~a + 1 : a)},
      {"max_s32", OP(static_cast<u32>(std::max(s(a), s(b))))},
      {"min_s32", OP(static_cast<u32>(std::min(s(a), s(b))))},
      {"max_u32", OP(std::max(a, b))},
      {"min_u32", OP(std::min(a, b))},
      {"max_relu_s32", OP(static_cast<u32>(std::max({s(a), s(b), 0})))},
      {"min_relu_s32", OP(static_cast<u32>(std::max(std::min(s(a), s(b)), 0)))},
      {"mul_lo_s32", OP(static_cast<u32>(u64{a} * b))},
      {"mul_lo_u32", OP(static_cast<u32>(u64{a} * b))},
      {"mul_hi_s32", OP(static_cast<u32>(std::int64_t{s(a)} * s(b) >> 32))},
      {"mul_hi_u32", OP(static_cast<u32>(u64{a} * b >> 32))},
      {"mad_lo_s32", OP(static_cast<u32>(u64{a} * b + c))},
      {"mad_lo_u32", OP(static_cast<u32>(u64{a} * b + c))},
      {"dp4a_s32", OP([&] {
         const Bytes x = bytes(a, b);
         u32 sum = c;
         for (std::size_t i = 0; i < 4; ++i) {
           const auto wrap = [](unsigned v) { return v >= 128 ? static_cast<int>(v) - 256 : static_cast<int>(v); };
           sum += static_cast<u32>(wrap(x[i]) * wrap(x[i + 4]));
         }
         return sum;
       }())},
      {"dp4a_u32", OP([&] {
         const Bytes x = bytes(a, b);
         return c + x[0] * x[4] + x[1] * x[5] + x[2] * x[6] + x[3] * x[7];
       }())},
      {"mov_b32", OP(a)},
      {"low_twice", OP((a & 0xffff) | a << 16)},
      {"high_twice", OP((a & 0xffff0000) | a >> 16)},
      {"mov_b32_rf", OP(a)},
      {"mov_b32_fr", OP(a)},
      {"and_b32", OP(a & b)},
      {"or_b32", OP(a | b)},
      {"xor_b32", OP(a ^ b)},
      {"not_b32", OP(~a)},
      {"lop3_b32", OP([&] {
         u32 result = 0;
         for (int i = 0; i < 32; ++i) {
           const u32 which = (a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1);
           result |= (d >> which & 1) << i;
         }
         return result;
       }())},
      {"shl_b32", OP(static_cast<u32>(u64{a} << std::min(b, u32{32})))},
      {"shr_b32", OP(static_cast<u32>(u64{a} >> std::min(b, u32{32})))},
      {"shr_u32", OP(static_cast<u32>(u64{a} >> std::min(b, u32{32})))},
      {"shr_s32", OP(static_cast<u32>(std::int64_t{s(a)} >> std::min(b, u32{32})))},
      {"shf_l_wrap", OP(c % 32 ? b << c % 32 | a >> (32 - c % 32) : b)},
      {"shf_r_wrap", OP(c % 32 ? a >> c % 32 | b << (32 - c % 32) : a)},
      {"bfe_u32", OP([&] {
         u32 result = 0;
         for (u32 i = 0; i < std::min(c % 256, u32{32}); ++i) {
           if (b % 256 + i < 32) result |= (a >> (b % 256 + i) & 1) << i;
         }
         return result;
       }())},
      {"popc_b32", OP(static_cast<u32>(std::popcount(a)))},
      {"clz_b32", OP(static_cast<u32>(std::countl_zero(a)))},
      {"prmt_b32", OP([&] {
         const Bytes all = bytes(a, b);
         u32 result = 0;
         for (int i = 3; i >= 0; --i) {
           const u32 control = c >> (4 * i) & 15;
           const unsigned byte = all[control & 7];
           result = result * 256 + (control < 8 ? byte : byte >= 128 ? 255 : 0);
         }
         return result;
       }())},
      {"prmt_f4e", OP(pick(a, b, F4E[c % 4]))},
      {"prmt_b4e", OP(pick(a, b, B4E[c % 4]))},
      {"prmt_rc8", OP(pick(a, b, RC8[c % 4]))},
      {"prmt_ecl", OP(pick(a, b, ECL[c % 4]))},
      {"prmt_ecr", OP(pick(a, b, ECR[c % 4]))},
      {"prmt_rc16", OP(pick(a, b, RC16[c % 4]))},
      {"set_eq_s32", OP(mask32(a == b))},
      {"set_ne_s32", OP(mask32(a != b))},
      {"set_lt_s32", OP(mask32(s(a) < s(b)))},
      {"set_le_s32", OP(mask32(s(a) <= s(b)))},
      {"set_gt_s32", OP(mask32(s(a) > s(b)))},
      {"set_ge_s32", OP(mask32(s(a) >= s(b)))},
      {"set_eq_u32", OP(mask32(a == b))},
      {"set_lt_u32", OP(mask32(a < b))},
      {"set_gt_u32", OP(mask32(a > b))},
      {"set_eq_f32", OP(mask32(f(a) == f(b)))},
      {"set_lt_f32", OP(mask32(f(a) < f(b)))},
      {"set_gt_f32", OP(mask32(f(a) > f(b)))},
      {"slct_u32_s32", OP(c < 0x80000000 ? a : b)},
      {"slct_s32_s32", OP(c < 0x80000000 ? a : b)},
      {"slct_b32_s32", OP(c < 0x80000000 ? a : b)},
      {"vmax2", HALVES(std::max(signed16(x), signed16(y)))},
      {"vmin2", HALVES(std::min(signed16(x), signed16(y)))},
      {"vset2_eq", HALVES(x == y)},
      {"add_f16x2", HALVES(half_add(x, y))},
      {"add_rn_f16x2", HALVES(half_add(x, y))},
      {"sub_f16x2", HALVES(half_add(x, y ^ 0x8000))},
      {"sub_rn_f16x2", HALVES(half_add(x, y ^ 0x8000))},
      {"mul_f16x2", HALVES(half_mul(x, y))},
      {"mul_rn_f16x2", HALVES(half_mul(x, y))},
      {"fma_rn_f16x2",
       OP(u32{half_fma(a >> 16, b >> 16, c >> 16)} << 16 | half_fma(a & 0xffff, b & 0xffff, c & 0xffff))},
      {"fma_rn_relu_f16x2", OP([&] {
         const auto relu = [](u16 h) -> u32 { return h >= 0x8000 ? 0 : h; };  // NaN is 0x7fff and stays
         return relu(half_fma(a >> 16, b >> 16, c >> 16)) << 16 | relu(half_fma(a & 0xffff, b & 0xffff, c & 0xffff));
       }())},
      {"max_f16x2", HALVES(half_extreme(x, y, true))},
      {"min_f16x2", HALVES(half_extreme(x, y, false))},
      {"max_nan_f16x2", HALVES(decode(x).nan || decode(y).nan ? NAN_HALF : half_extreme(x, y, true))},
      {"min_nan_f16x2", HALVES(decode(x).nan || decode(y).nan ? NAN_HALF : half_extreme(x, y, false))},
      {"set_eq_f16x2", HALVES(mask16(half_compare(x, y) == 0))},
      {"set_ne_f16x2", HALVES(mask16(half_compare(x, y) == 1 || half_compare(x, y) == -1))},
      {"set_lt_f16x2", HALVES(mask16(half_compare(x, y) == -1))},
      {"set_le_f16x2", HALVES(mask16(half_compare(x, y) <= 0))},
      {"set_gt_f16x2", HALVES(mask16(half_compare(x, y) == 1))},
      {"set_gt_as_f16x2", HALVES(half_compare(x, y) == 1 ? 0x3c00 : 0)},
      {"set_ge_f16x2", HALVES(mask16(half_compare(x, y) == 0 || half_compare(x, y) == 1))},
      {"cvt_f16x2_f32", OP(u32{half_of_float(a)} << 16 | half_of_float(b))},
      {"cvt_f16_f32", OP(half_of_float(a))},
      {"cvt_f32_f16", OP([&] {
         const Half h = decode(a & 0xffff);
         if (h.nan) return u32{0x7fffffff};
         const float value = h.infinite ? INFINITY : static_cast<float>(std::ldexp(static_cast<double>(h.units), -24));
         return std::bit_cast<u32>(h.negative ? -value : value);
       }())},
      {"cvt_f16_s32", OP(round_to_half(s(a) < 0, static_cast<unsigned __int128>(std::abs(std::int64_t{s(a)})) << 48))},
      {"cvt_s32_f16", OP([&] {
         const Half h = decode(a & 0xffff);
         if (h.nan) return u32{0};
         if (h.infinite) return h.negative ? u32{0x80000000} : u32{0x7fffffff};
         u64 whole = h.units >> 24;
         const u64 rest = h.units % (1 << 24);
         if (rest > 1 << 23 || (rest == 1 << 23 && whole % 2)) ++whole;
         return static_cast<u32>(h.negative ? ~whole + 1 : whole);
       }())},
      {"add_f32", OP(canonical(f(a) + f(b)))},
      {"add_rn_f32", OP(canonical(f(a) + f(b)))},
      {"sub_f32", OP(canonical(f(a) - f(b)))},
      {"sub_rn_f32", OP(canonical(f(a) - f(b)))},
      {"mul_f32", OP(canonical(f(a) * f(b)))},
      {"fma_rn_f32", OP(canonical(std::fma(f(a), f(b), f(c))))},
      {"max_f32", OP(float_extreme(a, b, true))},
      {"min_f32", OP(float_extreme(a, b, false))},
      {"max3_f32", OP(float_extreme(float_extreme(a, b, true), c, true))},
      {"cvt_s32_f32", OP(std::isnan(f(a)) ? 0 : saturate(std::llrint(std::clamp(double{f(a)}, -3e9, 3e9))))},
      {"cvt_f32_s32", OP(std::bit_cast<u32>(static_cast<float>(s(a))))},
  };
  return table;
}
