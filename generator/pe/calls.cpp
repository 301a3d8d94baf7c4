// Calls: operations of the dialect go into the IR, everything else is inlined.
#include <algorithm>

#include "clang/AST/Attr.h"
#include "pe/evaluator.h"

namespace alnsmith::pe {

using namespace clang;

Value Evaluator::operation(const FunctionDecl *f, llvm::ArrayRef<const Expr *> arguments, SourceLocation where) {
  const std::string name = f->getNameAsString();
  std::vector<ir::Value *> operands;
  std::vector<ir::Type> types;
  for (const Expr *argument : arguments) {
    operands.push_back(residual_of(value_of(argument), argument->getType(), argument->getExprLoc()));
    types.push_back(operands.back()->type);
  }
  const ir::Op *op = ir::find_op(name, types);
  if (!op) refuse(where, "'" + name + "' has no row in the generator's table of operations (templates/ops.def)");
  // Numbers are told, not kept: what is known of them is computed here.
  if (op->compute && std::ranges::all_of(operands, &ir::Value::is_constant))
    return Value::of(op->compute(operands[0]->constant, operands.size() > 1 ? operands[1]->constant : 0));
  if (op->result == ir::Type::number && !telling_)
    refuse(where, "no kernel holds a sat64 that is not known before run time; make it an int");
  const bool statement = op->result == ir::Type::void_;
  if (op->effect != ir::Effect::pure) ++loads_;
  ir::Value *v = function_.operation(*op, std::move(operands), origin(where));
  append(function_.new_statement(statement ? ir::StatementKind::effect : ir::StatementKind::let, v));
  return statement ? Value{} : Value::of(v);
}

Value Evaluator::call(const CallExpr *e) {
  const SourceLocation where = e->getExprLoc();
  const FunctionDecl *f = e->getDirectCallee();
  if (!f) refuse(where, "calls through pointers are outside the dialect");
  llvm::SmallVector<const Expr *, 8> arguments(e->arg_begin(), e->arg_end());
  if (annotated(f, "aln.op")) return operation(f, arguments, where);

  Place self;
  if (const auto *method = dyn_cast<CXXMethodDecl>(f); method && method->isInstance()) {
    const Expr *object = nullptr;
    if (const auto *member_call = dyn_cast<CXXMemberCallExpr>(e)) {
      object = member_call->getImplicitObjectArgument();
    } else {
      object = arguments.front();
      arguments.erase(arguments.begin());
    }
    if (method->isVirtual()) refuse(where, "virtual functions are outside the dialect");
    if (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) {
      if (!method->isTrivial()) refuse(where, "an assignment operator of one's own is outside the dialect");
      const Expr *from = arguments.front();
      const Value v = from->isGLValue() ? load(place_of(from), object->getType(), where) : value_of(from);
      assign(place_of(object), v);
      return v;
    }
    if (object->getType()->isPointerType()) {
      const Value p = value_of(object);
      if (p.kind != Value::pointer) refuse(where, "memory is read by the dialect's loads only, not by '->'");
      self = p.place;
    } else {
      self = place_of(object);
    }
  }
  return inline_call(f, arguments, self, where);
}

Value Evaluator::inline_call(const FunctionDecl *f, llvm::ArrayRef<const Expr *> arguments, Place self,
                             SourceLocation where) {
  constexpr int max_depth = 64;
  const FunctionDecl *definition = nullptr;
  const Stmt *body = f->getBody(definition);
  if (!body) refuse(where, "'" + f->getNameAsString() + "' has no body and is no operation of dialect.h");
  if (f->getReturnType()->isReferenceType()) refuse(where, "functions that return references are outside the dialect");
  int depth = 0;
  for (Frame *p = frame_; p; p = p->caller)
    if (++depth > max_depth) refuse(where, "recursion does not end statically; calls are inlined, 64 deep at most");

  Frame callee;
  callee.function = definition;
  callee.call = where;
  callee.caller = frame_;
  callee.self = self;
  const std::size_t objects = store_.size();
  for (unsigned i = 0; i < definition->getNumParams(); ++i) {
    const ParmVarDecl *parameter = definition->getParamDecl(i);
    if (parameter->getType()->isReferenceType()) {
      callee.variables[parameter] = place_of(arguments[i]);
    } else {
      const Value v = value_of(arguments[i]);
      const Place place = allocate(parameter->getType(), "", where);
      assign(place, v);
      callee.variables[parameter] = place;
    }
  }
  frame_ = &callee;
  execute(body);
  frame_ = callee.caller;
  store_.resize(objects);
  if (!f->getReturnType()->isVoidType() && !callee.returned)
    refuse(where, "'" + f->getNameAsString() + "' ends without a value");
  return callee.result;
}

}  // namespace alnsmith::pe
