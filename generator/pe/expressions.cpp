// Expressions: their value, or the place they name.
#include "pe/evaluator.h"

namespace alnsmith::pe {

using namespace clang;

namespace {
constexpr long max_steps = 20'000'000;
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

Value Evaluator::argument_field(const MemberExpr *e) {
  if (!e->isArrow()) return {};
  const auto *field = dyn_cast<FieldDecl>(e->getMemberDecl());
  if (!field) return {};
  const llvm::StringRef block = field->getParent()->getName();
  if (block != "aln_args_v1" && block != "GroupArgs" && block != "Call") return {};
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
    // Of an array that is a member or an element the bounds are its own: behind them lies the next one.
    const auto *array = context_.getAsConstantArrayType(x->getBase()->IgnoreParenImpCasts()->getType());
    const bool behind = array && array->getSize().ule(static_cast<std::uint64_t>(index.integer));
    if (index.integer < 0 || behind || place.offset < 0 || place.offset >= size)
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
  } else if (isa<CallExpr>(e) && e->isGLValue()) {
    value_of(e);  // says why not
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
        v.slots.push_back(part);
    }
    v.slots.resize(slot_count(e->getType(), where));
    return v;
  }
  refuse(where, std::string("expression ") + e->getStmtClassName() + " is outside the dialect");
}

}  // namespace alnsmith::pe
