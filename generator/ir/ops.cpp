// The table of operations.
#include "ir/ops.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace alnsmith::ir {
namespace {

using enum Type;
using enum Effect;

// Operand lists, shared by the rows.
constexpr Type none_[] = {void_};
constexpr std::span<const Type> none{none_, 0};
constexpr Type i[] = {int_}, ii[] = {int_, int_}, b[] = {bool_}, bb[] = {bool_, bool_}, bii[] = {bool_, int_, int_};
constexpr Type ss[] = {score, score}, s[] = {score}, mss[] = {mask, score, score};
constexpr Type ll[] = {letter, letter}, mll[] = {mask, letter, letter}, pp[] = {pos, pos}, p[] = {pos};
constexpr Type ww[] = {wide, wide}, mww[] = {mask, wide, wide}, m[] = {mask}, mm[] = {mask, mask};
constexpr Type ptr_i[] = {pointer, int_}, ptr_is[] = {pointer, int_, score}, ptr_iw[] = {pointer, int_, wide};
constexpr Type ptr_im[] = {pointer, int_, mask}, tl[] = {table, letter};
constexpr Type ssi[] = {score, score, int_}, lli[] = {letter, letter, int_}, si[] = {score, int_},
               li[] = {letter, int_};
constexpr Type wi[] = {wide, int_}, w[] = {wide}, l[] = {letter}, mpp[] = {mask, pos, pos};
constexpr Type ptr_p[] = {pointer, pos}, ptr_pmi[] = {pointer, pos, mask, int_}, ptr_pmw[] = {pointer, pos, mask, wide};
constexpr Type ptr_pmm[] = {pointer, pos, mask, mask}, ps[] = {pos, score};
constexpr Type ptr_pp[] = {pointer, pos, pos}, fimi[] = {four, int_, mask, int_};
constexpr Type lii[] = {letter, int_, int_}, rl[] = {row, letter}, qi[] = {quad, int_}, qqi[] = {quads, int_},
               pmw[] = {pos, mask, wide};

constexpr std::array all_ops = {
    // uniform integers
    Op{"iadd", int_, ii, pure, true, "+"},
    Op{"isub", int_, ii, pure, false, "-"},
    Op{"imul", int_, ii, pure, true, "*"},
    Op{"ilt", bool_, ii, pure, false, "<"},
    Op{"ile", bool_, ii, pure, false, "<="},
    Op{"ieq", bool_, ii, pure, true, "=="},
    Op{"ine", bool_, ii, pure, true, "!="},
    Op{"not", bool_, b, pure, false, "!"},
    Op{"and", bool_, bb, pure, true, "&&"},
    Op{"or", bool_, bb, pure, true, "||"},
    Op{"choose_int", int_, bii, pure, false, "?"},
    Op{"residual", int_, i, pure, false, "residual"},
    // scores
    Op{"splat", score, i, pure, false, "splat"},
    Op{"add", score, ss, pure, true, "+"},
    Op{"sub", score, ss, pure, false, "-"},
    Op{"sub_floor0", score, ss, pure, false, "sub_floor0"},
    Op{"max", score, ss, pure, true, "vmax"},
    Op{"equal", mask, ss, pure, true, "equal"},
    Op{"greater", mask, ss, pure, false, "greater"},
    Op{"select", score, mss, pure, false, "select"},
    // letters
    Op{"splat_letter", letter, i, pure, false, "splat_letter"},
    Op{"equal", mask, ll, pure, true, "equal"},
    Op{"select", letter, mll, pure, false, "select"},
    // positions and totals
    Op{"splat_pos", pos, i, pure, false, "splat_pos"},
    Op{"sub", pos, pp, pure, false, "-"},
    Op{"max", pos, pp, pure, true, "max_pos"},
    Op{"min", pos, pp, pure, true, "min_pos"},
    Op{"equal", mask, pp, pure, true, "equal_pos"},
    Op{"to_score", score, p, pure, false, "to_score"},
    Op{"to_wide", wide, p, pure, false, "="},
    Op{"to_wide", wide, s, pure, false, "to_wide"},
    Op{"splat_wide", wide, i, pure, false, "splat_pos"},
    Op{"add", wide, ww, pure, true, "+"},
    Op{"sub", wide, ww, pure, false, "-"},
    Op{"mul", wide, ww, pure, true, "*"},
    Op{"max", wide, ww, pure, true, "max_pos"},
    Op{"greater", mask, ww, pure, false, "greater_wide"},
    Op{"select", wide, mww, pure, false, "select_wide"},
    Op{"both", mask, mm, pure, true, "&"},
    Op{"either", mask, mm, pure, true, "|"},
    Op{"any", bool_, m, pure, false, "any_lane"},
    // memory
    Op{"load_int", int_, ptr_i, load, false, "load_int"},
    Op{"load_letter", int_, ptr_i, load, false, "load_letter"},
    Op{"load_letters", letter, ptr_i, load, false, "load_letters"},
    Op{"load_pos", pos, ptr_i, load, false, "load_pos"},
    Op{"load_score", score, ptr_i, load, false, "load_score"},
    Op{"load_mask", mask, ptr_i, load, false, "load_mask"},
    Op{"store_score", void_, ptr_is, store, false, "store_score"},
    Op{"store_wide", void_, ptr_iw, store, false, "store_wide"},
    Op{"store_mask", void_, ptr_im, store, false, "store_mask"},
    // matrices
    Op{"folded_matrix", pointer, none, pure, false, "folded_matrix"},
    Op{"load_table", table, ptr_i, load, false, "load_table"},
    Op{"lookup", score, tl, pure, false, "lookup"},
    // groups of lanes (templates/group.h)
    Op{"block_index", int_, none, pure, false, "block_index"},
    Op{"block_count", int_, none, pure, false, "block_count"},
    Op{"warp_index", int_, none, pure, false, "warp_index"},
    Op{"lane_index", pos, i, pure, false, "lane_index"},
    Op{"segment_index", pos, i, pure, false, "segment_index"},
    Op{"half_index", pos, none, pure, false, "half_index"},
    Op{"shift_up", score, ssi, pure, false, "shift_up"},
    Op{"shift_up", letter, lli, pure, false, "shift_up_letter"},
    Op{"shift_down", score, ssi, pure, false, "shift_down"},
    Op{"rotate_down", score, si, pure, false, "rotate_down"},
    Op{"rotate_down", letter, li, pure, false, "rotate_down_letter"},
    Op{"first_lane", score, si, pure, false, "first_lane"},
    Op{"exchange", wide, wi, pure, false, "exchange"},
    Op{"largest", int_, p, pure, false, "largest"},
    Op{"smallest", int_, p, pure, false, "smallest"},
    Op{"max_floor0", score, ss, pure, true, "max_floor0"},
    Op{"max_by_sums", score, ss, pure, true, "max_by_sums"},
    Op{"add_floor0", score, ss, pure, true, "add_floor0"},
    Op{"sub_gap", score, ss, pure, false, "sub_gap"},
    Op{"letter_scores", row, lii, pure, false, "letter_scores"},
    Op{"selector", letter, l, pure, false, "selector"},
    Op{"pick", score, rl, pure, false, "pick"},
    Op{"to_score", score, w, pure, false, "to_score"},
    Op{"add", pos, pp, pure, true, "+"},
    Op{"mul", pos, pp, pure, true, "*"},
    Op{"halved", pos, p, pure, false, "halved"},
    Op{"to_pos", pos, l, pure, false, "to_pos"},
    Op{"greater", mask, pp, pure, false, "greater_pos"},
    Op{"equal", mask, ww, pure, true, "equal_pos"},
    Op{"select", pos, mpp, pure, false, "select_wide"},
    Op{"load_pos_at", pos, ptr_p, load, false, "load_pos_at"},
    Op{"load_letter_at", letter, ptr_pmi, load, false, "load_letter_at"},
    Op{"load_four", four, ptr_pp, load, false, "load_four"},
    Op{"letter_of", letter, fimi, pure, false, "letter_of"},
    Op{"load_wide_at", wide, ptr_pmw, load, false, "load_wide_at"},
    Op{"store_wide_at", void_, ptr_pmw, store, false, "store_wide_at"},
    Op{"store_mask_at", void_, ptr_pmm, store, false, "store_mask_at"},
    Op{"store_shared", void_, ps, store, false, "store_shared"},
    Op{"load_quad", quad, p, load, false, "load_quad"},
    Op{"element", score, qi, pure, false, "element"},
    Op{"load_quads", quads, p, load, false, "load_quads"},
    Op{"element", score, qqi, pure, false, "own_element"},
    Op{"gather_score", score, p, load, false, "gather_score"},
    Op{"store_shared_wide", void_, pmw, store, false, "store_shared_wide"},
    Op{"load_shared_wide", wide, pmw, load, false, "load_shared_wide"},
    Op{"warp_barrier", void_, none, store, false, "warp_barrier"},
    Op{"barrier", void_, none, store, false, "barrier"},
};

}  // namespace

std::string_view type_name(Type type) {
  static constexpr std::string_view names[] = {"void",  "int",    "bool",  "vscore", "vwide", "vpos",  "vchar",
                                               "vmask", "vtable", "vquad", "vquads", "vrow",  "vfour", "pointer"};
  return names[static_cast<int>(type)];
}

std::span<const Op> ops() { return all_ops; }

const Op *find_op(std::string_view name, std::span<const Type> operands) {
  for (const Op &op : all_ops)
    if (op.name == name && std::ranges::equal(op.operands, operands)) return &op;
  return nullptr;
}

const Op &need_op(std::string_view name, std::initializer_list<Type> operands) {
  const Op *op = find_op(name, std::span(operands.begin(), operands.size()));
  if (!op) {  // a mistake in the generator itself, met by its first test
    std::fprintf(stderr, "alnsmith: no operation '%.*s' of these types\n", static_cast<int>(name.size()), name.data());
    std::abort();
  }
  return *op;
}

}  // namespace alnsmith::ir
