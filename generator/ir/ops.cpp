// The table of operations, read off templates/ops.def, group_ops.def and sliced_ops.def.
#include "ir/ops.h"

#include <algorithm>
#include <array>

#include "templates/meaning.h"

namespace alnsmith::ir {
namespace {

using enum Effect;
using enum Cost;
using enum Order;

// The dialect's types as names, so that a row's result and operands can be read as the type of a function.
#define ALN_TYPE(name, ir, parts, each, note) struct name;
#include "templates/types.def"
struct sat64;

template <class T>
constexpr Type type_of = Type::pointer;
template <>
constexpr Type type_of<void> = Type::void_;
template <>
constexpr Type type_of<int> = Type::int_;
template <>
constexpr Type type_of<bool> = Type::bool_;
template <>
constexpr Type type_of<sat64> = Type::number;
#define ALN_TYPE(name, ir, parts, each, note) \
  template <>                                 \
  constexpr Type type_of<name> = Type::ir;
#include "templates/types.def"

template <class Function>
struct Signature;
template <class R, class... T>
struct Signature<R(T...)> {
  static constexpr Type result = type_of<R>;
  static constexpr std::array<Type, sizeof...(T)> operands = {type_of<T>...};
};

template <class Function>
constexpr Op row(std::string_view name, Effect effect, Order order, std::string_view text, Cost cost, Table table,
                 bool uniform, std::string_view signature, std::string_view note, std::string_view meaning) {
  using S = Signature<Function>;
  return {name,    S::result, S::operands, effect, order == commutes, text, cost, table,
          uniform, signature, note,        meaning};
}

// What a uniform row means, on constants. Of three operands the first chooses, which passes do themselves.
template <class Function>
struct OnConstants;
template <class R, class A>
struct OnConstants<R(A)> {
  template <R (*meaning)(A)>
  static std::int64_t compute(std::int64_t a, std::int64_t) {
    return meaning(static_cast<A>(a));
  }
};
template <class R, class A, class B>
struct OnConstants<R(A, B)> {
  template <R (*meaning)(A, B)>
  static std::int64_t compute(std::int64_t a, std::int64_t b) {
    return meaning(static_cast<A>(a), static_cast<B>(b));
  }
};
template <class R, class A, class B, class C>
struct OnConstants<R(A, B, C)> {
  template <R (*meaning)(A, B, C)>
  static constexpr Op::Compute compute = nullptr;
};

template <class Function>
constexpr Op uniform_row(std::string_view name, Order order, std::string_view text, std::string_view signature,
                         std::string_view meaning, Op::Compute compute) {
  Op op = row<Function>(name, pure, order, text, other, Table::all, true, signature, "", meaning);
  op.compute = compute;
  return op;
}

constexpr Op all_ops[] = {
#define ALN_UNIFORM(result, name, operands, order, printed, ...) \
  uniform_row<result operands>(                                  \
      #name, order, printed, #operands, #__VA_ARGS__,            \
      OnConstants<result operands>::template compute<[] operands -> result { return __VA_ARGS__; }>),
#define ALN_EACH(result, name, operands, effect, order, printed, cost, note, ...) \
  row<result operands>(#name, effect, order, printed, cost, Table::all, false, #operands, note, #__VA_ARGS__),
#define ALN_ONCE ALN_EACH
#include "templates/ops.def"
#undef ALN_EACH
#define ALN_EACH(result, name, operands, effect, order, printed, cost, note, ...) \
  row<result operands>(#name, effect, order, printed, cost, Table::group, false, #operands, note, #__VA_ARGS__),
#include "templates/group_ops.def"
#undef ALN_EACH
#define ALN_EACH(result, name, operands, effect, order, printed, cost, note, ...) \
  row<result operands>(#name, effect, order, printed, cost, Table::sliced, false, #operands, note, #__VA_ARGS__),
#include "templates/sliced_ops.def"
};

template <class Function>
constexpr Op number_row(std::string_view name, Order order, std::string_view text, Op::Compute compute) {
  Op op = row<Function>(name, pure, order, text, other, Table::all, false, "", "", "");
  op.compute = compute;
  return op;
}

constexpr Op number_ops[] = {
    number_row<sat64(int)>("sat64", ordered, "=", [](std::int64_t a, std::int64_t) { return a; }),
#define ALN_NUMBER(result, name, order, printed, ...)     \
  number_row<result(sat64, sat64)>(#name, order, printed, \
                                   [](std::int64_t a, std::int64_t b) -> std::int64_t { return __VA_ARGS__; }),
#include "templates/number_ops.def"
};

constexpr LaneType all_lane_types[] = {
#define ALN_TYPE(name, ir, parts, each, note) {Type::ir, #name, note},
#include "templates/types.def"
};

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::void_:
      return "void";
    case Type::int_:
      return "int";
    case Type::bool_:
      return "bool";
    case Type::pointer:
      return "pointer";
    case Type::number:
      return "number";
    default:
      return std::ranges::find(all_lane_types, type, &LaneType::type)->name;
  }
}

std::span<const LaneType> lane_types() { return all_lane_types; }

std::span<const Op> ops() { return all_ops; }

const Op *find_op(std::string_view name, std::span<const Type> operands) {
  const auto asked = [&](const Op &op) { return op.name == name && std::ranges::equal(op.operands, operands); };
  for (const std::span<const Op> table : {std::span<const Op>(all_ops), std::span<const Op>(number_ops)})
    if (const auto op = std::ranges::find_if(table, asked); op != table.end()) return &*op;
  return nullptr;
}

}  // namespace alnsmith::ir
