// Expressions: their value, or the place they name.
#include "pe/evaluator.h"

namespace alnsmith::pe {

using namespace clang;

namespace {
constexpr long max_steps = 20'000'000;
}

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

ir::Value *Evaluator::residual_of(const Value &v, QualType type, SourceLocation where) {
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

Value Evaluator::cast(const CastExpr *e) {
  const Expr *sub = e->getSubExpr();
  const SourceLocation where = e->getExprLoc();
  switch (e->getCastKind()) {
    case CK_LValueToRValue: {
      Expr::EvalResult constant;
      if (const auto *ref = dyn_cast<DeclRefExpr>(sub->IgnoreParens()))
        if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
          if (variable->hasGlobalStorage() && variable->getType().isConstQualified() &&
              e->EvaluateAsInt(constant, context_))
            return Value::of(constant.Val.getInt().getExtValue());
      if (const auto *member = dyn_cast<MemberExpr>(sub->IgnoreParens())) {
        const Value field = argument_field(member);
        if (field.kind != Value::undefined) return field;
      }
      if (const auto *choice = dyn_cast<ConditionalOperator>(sub->IgnoreParens())) return conditional(choice);
      return load(place_of(sub), sub->getType(), where);
    }
    case CK_NoOp:
    case CK_BitCast:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
      return value_of(sub);
    case CK_ArrayToPointerDecay: {
      Value v;
      v.kind = Value::pointer;
      v.place = place_of(sub);
      return v;
    }
    case CK_IntegralCast: {
      const Value v = value_of(sub);
      if (v.kind == Value::known) return known(v.integer, e->getType(), where);
      if (context_.getIntWidth(e->getType()) != 32 || sub->getType()->isBooleanType())
        refuse(where, "conversion to '" + e->getType().getAsString() + "' of a run-time value; keep it an int");
      return v;
    }
    case CK_IntegralToBoolean: {
      const Value v = value_of(sub);
      if (v.kind == Value::known) return Value::of(v.integer != 0);
      return emit("ine", {residual_of(v, sub->getType(), where), function_.constant(0)}, where);
    }
    case CK_ToVoid:
      value_of(sub);
      return {};
    default:
      refuse(where, std::string("conversion '") + e->getCastKindName() + "' is outside the dialect");
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

Value Evaluator::argument_field(const MemberExpr *e) {
  if (!e->isArrow()) return {};
  const auto *field = dyn_cast<FieldDecl>(e->getMemberDecl());
  if (!field) return {};
  const llvm::StringRef block = field->getParent()->getName();
  if (block != "aln_args_v1" && block != "aln_device_args_v1" && block != "Call") return {};
  const std::string name = field->getNameAsString();
  ir::Value *&v = arguments_[name];
  if (!v) {
    v = function_.new_value();
    v->kind = ir::ValueKind::argument;
    v->name = name;
    v->type = leaf_type(field->getType(), e->getExprLoc());
  }
  return Value::of(v);
}

Place Evaluator::place_of(const Expr *e) {
  e = e->IgnoreParens();
  const SourceLocation where = e->getExprLoc();
  if (const auto *x = dyn_cast<DeclRefExpr>(e)) {
    if (const auto *variable = dyn_cast<VarDecl>(x->getDecl())) return find_variable(variable, where);
  } else if (const auto *x = dyn_cast<MemberExpr>(e)) {
    const auto *field = dyn_cast<FieldDecl>(x->getMemberDecl());
    if (!field) refuse(where, "only data members can be named here");
    Place place;
    if (x->isArrow()) {
      const Value p = value_of(x->getBase());
      if (p.kind != Value::pointer) refuse(where, "memory is read by the dialect's loads only, not by '->'");
      place = p.place;
    } else {
      place = place_of(x->getBase());
    }
    for (const auto *f : field->getParent()->fields()) {
      if (f == field) break;
      place.offset += slot_count(f->getType(), where);
    }
    return place;
  } else if (const auto *x = dyn_cast<ArraySubscriptExpr>(e)) {
    const Value base = value_of(x->getBase()), index = value_of(x->getIdx());
    if (base.kind != Value::pointer) refuse(where, "memory is read by the dialect's loads only, not by '[]'");
    if (index.kind != Value::known)
      refuse(x->getIdx()->getExprLoc(),
             "a register array is indexed by a run-time value; the index must be static, as in an unrolled loop");
    Place place = base.place;
    place.offset += static_cast<int>(index.integer) * slot_count(x->getType(), where);
    const auto size = static_cast<int>(store_[place.object].slots.size());
    if (index.integer < 0 || place.offset < 0 || place.offset >= size)
      refuse(x->getIdx()->getExprLoc(), "index " + std::to_string(index.integer) + " is out of the array's range");
    return place;
  } else if (const auto *x = dyn_cast<UnaryOperator>(e)) {
    if (x->getOpcode() == UO_Deref) {
      const Value p = value_of(x->getSubExpr());
      if (p.kind != Value::pointer) refuse(where, "memory is read by the dialect's loads only, not by '*'");
      return p.place;
    }
    if (x->isPrefix() && x->isIncrementDecrementOp()) {
      value_of(e);
      return place_of(x->getSubExpr());
    }
  } else if (const auto *x = dyn_cast<BinaryOperator>(e); x && x->isAssignmentOp()) {
    value_of(e);
    return place_of(x->getLHS());
  } else if (const auto *x = dyn_cast<CXXOperatorCallExpr>(e); x && x->getOperator() == OO_Equal) {
    value_of(e);
    return place_of(x->getArg(0));
  } else if (const auto *x = dyn_cast<ImplicitCastExpr>(e); x && x->getCastKind() == CK_NoOp) {
    return place_of(x->getSubExpr());
  }
  const Expr *inner = e;
  if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(e)) inner = temporary->getSubExpr();
  if (inner != e || !e->isGLValue()) {
    const Value v = value_of(inner);
    const Place place = allocate(inner->getType(), "", where);
    assign(place, v);
    return place;
  }
  refuse(where, std::string("expression ") + e->getStmtClassName() + " is outside the dialect here");
}

Value Evaluator::value_of(const Expr *e) {
  e = e->IgnoreParens();
  const SourceLocation where = e->getExprLoc();
  if (++steps_ > max_steps) refuse(where, "evaluation does not end; is a loop's bound meant to be static?");

  if (const auto *x = dyn_cast<IntegerLiteral>(e)) return Value::of(x->getValue().getSExtValue());
  if (const auto *x = dyn_cast<CXXBoolLiteralExpr>(e)) return Value::of(x->getValue());
  if (const auto *x = dyn_cast<CharacterLiteral>(e)) return Value::of(x->getValue());
  if (const auto *x = dyn_cast<FullExpr>(e)) return value_of(x->getSubExpr());
  if (const auto *x = dyn_cast<SubstNonTypeTemplateParmExpr>(e)) return value_of(x->getReplacement());
  if (const auto *x = dyn_cast<CXXDefaultArgExpr>(e)) return value_of(x->getExpr());
  if (const auto *x = dyn_cast<MaterializeTemporaryExpr>(e)) return value_of(x->getSubExpr());
  if (isa<ImplicitValueInitExpr>(e)) return Value::of(std::int64_t{0});
  if (const auto *x = dyn_cast<DeclRefExpr>(e)) {
    if (const auto *c = dyn_cast<EnumConstantDecl>(x->getDecl())) return Value::of(c->getInitVal().getExtValue());
    return load(place_of(e), e->getType(), where);
  }
  if (const auto *x = dyn_cast<CastExpr>(e)) return cast(x);
  if (const auto *x = dyn_cast<ConditionalOperator>(e)) return conditional(x);
  if (const auto *x = dyn_cast<UnaryOperator>(e)) return unary(x);
  if (const auto *x = dyn_cast<CompoundAssignOperator>(e)) {
    const QualType type = x->getLHS()->getType();
    const Value right = value_of(x->getRHS());
    const Place place = place_of(x->getLHS());
    const Value v = binary(BinaryOperator::getOpForCompoundAssignment(x->getOpcode()), load(place, type, where), right,
                           type, type, where);
    assign(place, v);
    return v;
  }
  if (const auto *x = dyn_cast<BinaryOperator>(e)) {
    if (x->getOpcode() == BO_Assign) {
      const Value v = value_of(x->getRHS());
      assign(place_of(x->getLHS()), v);
      return v;
    }
    if (x->getOpcode() == BO_Comma) {
      value_of(x->getLHS());
      return value_of(x->getRHS());
    }
    if (x->isLogicalOp()) return logical(x);
    const Value a = value_of(x->getLHS()), b = value_of(x->getRHS());
    return binary(x->getOpcode(), a, b, x->getLHS()->getType(), e->getType(), where);
  }
  if (const auto *x = dyn_cast<CallExpr>(e)) return call(x);
  if (isa<CXXThisExpr>(e)) {
    Value v;
    v.kind = Value::pointer;
    v.place = frame_->self;
    return v;
  }
  if (isa<MemberExpr>(e) || isa<ArraySubscriptExpr>(e)) return load(place_of(e), e->getType(), where);
  if (const auto *x = dyn_cast<CXXConstructExpr>(e)) {
    const CXXConstructorDecl *constructor = x->getConstructor();
    if (annotated(constructor, "aln.op")) return operation(constructor, {x->getArgs(), x->getNumArgs()}, where);
    if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial()) {
      const Expr *from = x->getArg(0);
      if (const auto *member = dyn_cast<MemberExpr>(from->IgnoreParenImpCasts()))
        if (const Value field = argument_field(member); field.kind != Value::undefined) return field;
      return from->isGLValue() ? load(place_of(from), e->getType(), where) : value_of(from);
    }
    if (constructor->isDefaultConstructor() && constructor->isTrivial()) {
      Value v;
      if (is_leaf(e->getType())) return v;
      v.kind = Value::aggregate;
      v.slots.resize(slot_count(e->getType(), where));
      return v;
    }
    refuse(where, "constructors with a body are outside the dialect; write a function that returns the struct");
  }
  if (const auto *x = dyn_cast<InitListExpr>(e)) {
    if (is_leaf(e->getType()) && x->getNumInits() == 1) return value_of(x->getInit(0));
    Value v;
    v.kind = Value::aggregate;
    for (const Expr *init : x->inits()) {
      Value part = value_of(init);
      if (part.kind == Value::aggregate)
        v.slots.insert(v.slots.end(), part.slots.begin(), part.slots.end());
      else
        v.slots.push_back(std::move(part));
    }
    v.slots.resize(slot_count(e->getType(), where));
    return v;
  }
  refuse(where, std::string("expression ") + e->getStmtClassName() + " is outside the dialect");
}

}  // namespace alnsmith::pe
