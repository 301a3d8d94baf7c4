// Operators on numbers: computed where the operands are known, operations of the IR where they are not.
#include "pe/evaluator.h"

namespace alnsmith::pe {

using namespace clang;

Value Evaluator::known(std::int64_t value, QualType type, SourceLocation where) {
  if (type->isBooleanType()) return Value::of(value != 0);
  const unsigned width = type->isIntegralOrEnumerationType() ? context_.getIntWidth(type) : 64;
  if (width >= 64) return Value::of(value);
  const int drop = 64 - static_cast<int>(width);
  const auto shifted = static_cast<std::uint64_t>(value) << drop;
  const bool is_unsigned = type->isUnsignedIntegerOrEnumerationType();
  const std::int64_t wrapped =
      is_unsigned ? static_cast<std::int64_t>(shifted >> drop) : static_cast<std::int64_t>(shifted) >> drop;
  if (wrapped != value && !is_unsigned)
    refuse(where, "static arithmetic overflows: " + std::to_string(value) + " does not fit " + std::to_string(width) +
                      " bits; the spec's values are too large for this expression");
  return Value::of(wrapped);
}

ir::Value *Evaluator::residual_of(const Leaf &v, QualType type, SourceLocation where) {
  if (v.kind == Value::residual) return v.value;
  if (v.kind == Value::known) {
    const bool number = type->isRecordType() && leaf_type(type, where) == ir::Type::number;
    return function_.constant(v.integer, type->isBooleanType() ? ir::Type::bool_
                                         : number              ? ir::Type::number
                                                               : ir::Type::int_);
  }
  if (v.kind == Value::undefined) refuse(where, "an uninitialised value is used; give it a value first");
  if (v.kind == Value::pointer)
    refuse(where, "the address of a register array leaves the registers; pass memory of the argument block");
  refuse(where, "a whole struct is used as one value; name its member");
}

Value Evaluator::emit(const char *name, std::initializer_list<ir::Value *> operands, SourceLocation where) {
  std::vector<ir::Type> types;
  for (const ir::Value *v : operands) types.push_back(v->type);
  const ir::Op *op = ir::find_op(name, types);
  if (!op) refuse(where, std::string("operator '") + name + "' has no meaning for these types");
  ir::Value *result = function_.operation(*op, operands, origin(where));
  append(function_.new_statement(ir::StatementKind::let, result));
  return Value::of(result);
}

Value Evaluator::binary(BinaryOperatorKind op, const Value &a, const Value &b, QualType operand_type,
                        QualType result_type, SourceLocation where) {
  if (a.kind == Value::known && b.kind == Value::known) {
    const std::int64_t x = a.integer, y = b.integer;
    auto shift_amount = [&] {
      if (y < 0 || y > 31) refuse(where, "static shift by " + std::to_string(y) + "; shift by 0 to 31");
      return y;
    };
    auto divisor = [&] {
      if (y == 0) refuse(where, "static division by zero");
      return y;
    };
    switch (op) {
      case BO_Add:
        return known(x + y, result_type, where);
      case BO_Sub:
        return known(x - y, result_type, where);
      case BO_Mul:
        return known(x * y, result_type, where);
      case BO_Div:
        return known(x / divisor(), result_type, where);
      case BO_Rem:
        return known(x % divisor(), result_type, where);
      case BO_Shl:
        return known(x << shift_amount(), result_type, where);
      case BO_Shr:
        return known(x >> shift_amount(), result_type, where);
      case BO_And:
        return known(x & y, result_type, where);
      case BO_Or:
        return known(x | y, result_type, where);
      case BO_Xor:
        return known(x ^ y, result_type, where);
      case BO_LT:
        return Value::of(x < y);
      case BO_GT:
        return Value::of(x > y);
      case BO_LE:
        return Value::of(x <= y);
      case BO_GE:
        return Value::of(x >= y);
      case BO_EQ:
        return Value::of(x == y);
      case BO_NE:
        return Value::of(x != y);
      default:
        refuse(where, "operator '" + BinaryOperator::getOpcodeStr(op).str() + "' is outside the dialect");
    }
  }
  if (a.kind == Value::pointer && b.kind == Value::known && (op == BO_Add || op == BO_Sub)) {
    Value p = a;
    const auto step = b.integer * slot_count(operand_type->getPointeeType(), where);
    p.place.offset += static_cast<int>(op == BO_Add ? step : -step);
    return p;
  }
  ir::Value *x = residual_of(a, operand_type, where), *y = residual_of(b, operand_type, where);
  switch (op) {
    case BO_Add:
      return emit("iadd", {x, y}, where);
    case BO_Sub:
      return emit("isub", {x, y}, where);
    case BO_Mul:
      return emit("imul", {x, y}, where);
    case BO_LT:
      return emit("ilt", {x, y}, where);
    case BO_GT:
      return emit("ilt", {y, x}, where);
    case BO_LE:
      return emit("ile", {x, y}, where);
    case BO_GE:
      return emit("ile", {y, x}, where);
    case BO_EQ:
      return emit("ieq", {x, y}, where);
    case BO_NE:
      return emit("ine", {x, y}, where);
    default:
      refuse(where, "operator '" + BinaryOperator::getOpcodeStr(op).str() +
                        "' on a value not known before run time is outside the dialect");
  }
}

Value Evaluator::unary(const UnaryOperator *e) {
  const Expr *sub = e->getSubExpr();
  const SourceLocation where = e->getExprLoc();
  switch (e->getOpcode()) {
    case UO_Plus:
      return value_of(sub);
    case UO_Minus:
      return binary(BO_Sub, Value::of(std::int64_t{0}), value_of(sub), sub->getType(), e->getType(), where);
    case UO_LNot: {
      const Value v = value_of(sub);
      if (v.kind == Value::known) return Value::of(v.integer == 0);
      return emit("not", {residual_of(v, context_.BoolTy, where)}, where);
    }
    case UO_AddrOf: {
      Value v;
      v.kind = Value::pointer;
      v.place = place_of(sub);
      return v;
    }
    case UO_Deref:
      return load(place_of(e), e->getType(), where);
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec: {
      const Place place = place_of(sub);
      const Value old = load(place, sub->getType(), where);
      const Value next =
          binary(e->isIncrementOp() ? BO_Add : BO_Sub, old, Value::of(1), sub->getType(), sub->getType(), where);
      assign(place, next);
      return e->isPostfix() ? old : next;
    }
    default:
      refuse(where, "operator '" + UnaryOperator::getOpcodeStr(e->getOpcode()).str() + "' is outside the dialect");
  }
}

Value Evaluator::without_loads(const Expr *e, const char *construct) {
  const int before = loads_;
  Value v = value_of(e);
  if (loads_ != before)
    refuse(e->getExprLoc(), std::string("a load or store under a run-time '") + construct +
                                "' would be executed either way; use an if statement, or load before");
  return v;
}

Value Evaluator::conditional(const ConditionalOperator *e) {
  const SourceLocation where = e->getExprLoc();
  const Value condition = value_of(e->getCond());
  if (condition.kind == Value::known) return value_of(condition.integer ? e->getTrueExpr() : e->getFalseExpr());
  const Value a = without_loads(e->getTrueExpr(), "?:"), b = without_loads(e->getFalseExpr(), "?:");
  return emit("choose_int",
              {residual_of(condition, context_.BoolTy, where), residual_of(a, e->getType(), where),
               residual_of(b, e->getType(), where)},
              where);
}

Value Evaluator::logical(const BinaryOperator *e) {
  const bool is_and = e->getOpcode() == BO_LAnd;
  const Value a = value_of(e->getLHS());
  if (a.kind == Value::known) return (a.integer != 0) == is_and ? value_of(e->getRHS()) : Value::of(!is_and);
  const Value b = without_loads(e->getRHS(), is_and ? "&&" : "||");
  const SourceLocation where = e->getExprLoc();
  return emit(is_and ? "and" : "or", {residual_of(a, context_.BoolTy, where), residual_of(b, context_.BoolTy, where)},
              where);
}

}  // namespace alnsmith::pe
