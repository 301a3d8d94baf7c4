// Statements: static ones are executed, residual ifs and loops become statements of the IR with phis.
#include "clang/AST/DeclCXX.h"
#include "pe/evaluator.h"

namespace alnsmith::pe {

using namespace clang;

ir::Value *Evaluator::phi_input(const Leaf &v, ir::Type type) {
  if (v.kind == Value::undefined) return nullptr;
  if (v.kind == Value::known) return function_.constant(v.integer, type);
  return v.value;
}

void Evaluator::declare(const VarDecl *variable) {
  const SourceLocation where = variable->getLocation();
  if (variable->isStaticLocal()) {
    if (variable->isConstexpr()) return;
    refuse(where, "static locals are outside the dialect; pass the value on");
  }
  if (variable->getType()->isReferenceType()) {
    frame_->variables[variable] = place_of(variable->getInit());
    return;
  }
  Value init;
  if (variable->getInit()) init = value_of(variable->getInit());
  const Place place = allocate(variable->getType(), variable->getNameAsString(), where);
  if (variable->getInit()) assign(place, init);
  frame_->variables[variable] = place;
}

void Evaluator::residual_if(const IfStmt *s, ir::Value *condition) {
  const SourceLocation where = s->getIfLoc();
  const std::vector<Object> before = store_;
  ir::Statement *statement = function_.new_statement(ir::StatementKind::if_, condition);
  std::vector<Object> after[2];
  ++frame_->residual_depth;
  for (int branch = 0; branch < 2; ++branch) {
    ir::Block *block = function_.new_block();
    (branch == 0 ? statement->body : statement->otherwise) = block;
    store_ = before;
    blocks_.push_back(block);
    execute(branch == 0 ? s->getThen() : s->getElse());
    blocks_.pop_back();
    if (frame_->returned)
      refuse(where, "return under a run-time condition is outside the dialect; compute the value and return once");
    after[branch] = store_;
  }
  --frame_->residual_depth;
  store_ = before;
  for (std::size_t o = 0; o < before.size(); ++o)
    for (std::size_t i = 0; i < before[o].slots.size(); ++i) {
      const Leaf &a = after[0][o].slots[i], &b = after[1][o].slots[i];
      Leaf &slot = store_[o].slots[i];
      if (a == b) {
        slot = a;
        continue;
      }
      if (a.kind == Value::pointer || b.kind == Value::pointer)
        refuse(where, "'" + before[o].layout->names[i] + "' would point to one of two register arrays behind this if");
      const ir::Type type = before[o].layout->types[i];
      ir::Value *phi = function_.phi(type, before[o].layout->names[i]);
      statement->phis.push_back({phi, phi_input(a, type), phi_input(b, type)});
      slot = Value::of(phi);
    }
  append(statement);
}

void Evaluator::loop(const Stmt *s, const Expr *condition, const Expr *increment, const Stmt *body) {
  constexpr int max_unrolled = 4096;
  if (!condition) refuse(s->getBeginLoc(), "a loop without a condition does not end; give it a bound");
  for (int iteration = 0;; ++iteration) {
    // The condition is evaluated on trial: a static one leaves no code. One that cannot change anything needs no way
    // back, which for long unrolled loops is most of the work.
    std::vector<Object> before;
    const bool changes = condition->HasSideEffects(context_);
    if (changes) before = store_;
    const std::size_t objects = store_.size();
    const int loads = loads_;
    ir::Block trial;
    blocks_.push_back(&trial);
    const Value c = value_of(condition);
    blocks_.pop_back();
    if (c.kind != Value::known) {
      if (changes) store_ = std::move(before);
      store_.resize(objects);
      loads_ = loads;
      break;
    }
    if (!c.integer) return;
    if (iteration >= max_unrolled)
      refuse(s->getBeginLoc(), "a static loop runs more than 4096 times; start it from residual(0) to keep it a loop");
    execute(body);
    if (frame_->returned) return;
    if (increment) value_of(increment);
  }
  residual_loop(s, condition, increment, body);
}

Evaluator::Nest &Evaluator::enter(const Stmt *loop) {
  Nest fresh{loop, {}, store_.size()};
  for (const Frame *f = frame_; f; f = f->caller) fresh.calls.push_back(f->call.getRawEncoding());
  std::vector<Nest> &inside = nest_->inside;
  const std::size_t at = nest_->next++;
  const bool met = at < inside.size() && inside[at].loop == loop && inside[at].objects == fresh.objects &&
                   inside[at].calls == fresh.calls;
  if (!met) {
    inside.resize(at);
    inside.push_back(std::move(fresh));
  }
  return inside[at];
}

void Evaluator::residual_loop(const Stmt *s, const Expr *condition, const Expr *increment, const Stmt *body) {
  const SourceLocation where = s->getBeginLoc();
  const std::vector<Object> before = store_;
  using Slot = std::pair<std::size_t, std::size_t>;
  std::map<Slot, ir::Value *> changed;  // slots that need a phi, found by evaluating until no more appear
  Nest *const around = nest_;
  nest_ = &enter(s);
  for (const Slot &slot : nest_->changed) changed[slot] = nullptr;
  ++frame_->residual_depth;
  for (;;) {
    nest_->next = 0;
    store_ = before;
    for (auto &[slot, phi] : changed) {
      const Object &object = before[slot.first];
      phi = function_.phi(object.layout->types[slot.second], object.layout->names[slot.second]);
      store_[slot.first].slots[slot.second] = Value::of(phi);
    }
    const std::vector<Object> entry = store_;
    ir::Statement *statement = function_.new_statement(ir::StatementKind::loop);
    statement->header = function_.new_block();
    blocks_.push_back(statement->header);
    const Value c = value_of(condition);
    statement->value = residual_of(c, context_.BoolTy, where);
    blocks_.pop_back();
    const std::vector<Object> at_head = store_;
    statement->body = function_.new_block();
    blocks_.push_back(statement->body);
    execute(body);
    if (frame_->returned) refuse(where, "return inside a run-time loop is outside the dialect");
    if (increment) value_of(increment);
    blocks_.pop_back();

    bool again = false;
    for (std::size_t o = 0; o < before.size(); ++o)
      for (std::size_t i = 0; i < before[o].slots.size(); ++i) {
        if (changed.contains({o, i}) || store_[o].slots[i] == entry[o].slots[i]) continue;
        if (before[o].slots[i].kind == Value::pointer)
          refuse(where, "'" + before[o].layout->names[i] + "' would point to a different register array in each turn");
        changed[{o, i}] = nullptr;
        nest_->changed.insert({o, i});
        again = true;
      }
    if (again) continue;
    for (const auto &[slot, phi] : changed) {
      const ir::Type type = before[slot.first].layout->types[slot.second];
      statement->phis.push_back({phi, phi_input(before[slot.first].slots[slot.second], type),
                                 phi_input(store_[slot.first].slots[slot.second], type)});
    }
    store_ = at_head;
    store_.resize(before.size());
    append(statement);
    break;
  }
  nest_ = around;
  --frame_->residual_depth;
}

void Evaluator::execute(const Stmt *s) {
  if (!s || frame_->returned) return;
  const SourceLocation where = s->getBeginLoc();
  if (const auto *x = dyn_cast<CompoundStmt>(s)) {
    for (const Stmt *child : x->body()) execute(child);
  } else if (const auto *x = dyn_cast<DeclStmt>(s)) {
    for (const Decl *d : x->decls()) {
      if (const auto *variable = dyn_cast<VarDecl>(d))
        declare(variable);
      else if (!isa<TypedefNameDecl>(d) && !isa<StaticAssertDecl>(d))
        refuse(d->getLocation(), "this declaration is outside the dialect; declare at file scope");
    }
  } else if (const auto *x = dyn_cast<IfStmt>(s)) {
    if (x->getInit()) execute(x->getInit());
    if (x->getConditionVariable()) refuse(where, "declare the variable before the if");
    const Value c = value_of(x->getCond());
    if (c.kind == Value::known)
      execute(c.integer ? x->getThen() : x->getElse());
    else
      residual_if(x, residual_of(c, context_.BoolTy, where));
  } else if (const auto *x = dyn_cast<ForStmt>(s)) {
    execute(x->getInit());
    loop(x, x->getCond(), x->getInc(), x->getBody());
  } else if (const auto *x = dyn_cast<WhileStmt>(s)) {
    loop(x, x->getCond(), nullptr, x->getBody());
  } else if (const auto *x = dyn_cast<ReturnStmt>(s)) {
    if (frame_->residual_depth)
      refuse(where, "return inside a run-time if or loop is outside the dialect; compute the value and return once");
    if (x->getRetValue()) frame_->result = value_of(x->getRetValue());
    frame_->returned = true;
  } else if (const auto *x = dyn_cast<Expr>(s)) {
    value_of(x);
  } else if (!isa<NullStmt>(s)) {
    refuse(where, std::string("statement ") + s->getStmtClassName() + " is outside the dialect");
  }
}

Value Evaluator::evaluate(const FunctionDecl &entry, const Statics &statics) {
  function_ = ir::Function();
  telling_ = entry.getReturnType()->isRecordType();
  nests_ = {};
  nest_ = &nests_;
  function_.body = function_.new_block();
  blocks_ = {function_.body};
  Frame frame;
  frame.function = &entry;
  frame_ = &frame;
  const SourceLocation where = entry.getLocation();
  if (entry.getNumParams() != 2) refuse(where, "a kernel takes a Spec and a const aln_args_v1 *");
  const ParmVarDecl *spec = entry.getParamDecl(0), *block = entry.getParamDecl(1);
  frame.variables[spec] = allocate(spec->getType(), "spec", where);
  bind_spec(spec->getType(), "", frame.variables[spec], statics, where);
  frame.variables[block] = allocate(block->getType(), "args", where);
  ir::Value *argument = function_.new_value();
  argument->kind = ir::ValueKind::argument;
  argument->type = ir::Type::pointer;
  assign(frame.variables[block], Value::of(argument));
  execute(entry.getBody());
  if (!frame.returned) refuse(where, "the kernel ends without a value");
  return frame.result;
}

Result<ir::Function> Evaluator::run(const FunctionDecl &entry, const Statics &statics) {
  try {
    const Value result = evaluate(entry, statics);
    append(
        function_.new_statement(ir::StatementKind::return_, residual_of(result, context_.IntTy, entry.getLocation())));
    return std::move(function_);
  } catch (const Refusal &refusal) {
    return Error{refusal.message};
  }
}

Result<std::pair<ir::Function, std::vector<std::string>>> Evaluator::tell(const FunctionDecl &entry,
                                                                          const Statics &statics) {
  try {
    const Value result = evaluate(entry, statics);
    const SourceLocation where = entry.getLocation();
    const auto *record = entry.getReturnType()->getAsCXXRecordDecl();
    if (!record || is_leaf(entry.getReturnType())) refuse(where, "what is told of a kernel is a struct of facts");
    std::vector<std::string> names;
    for (const FieldDecl *field : record->fields()) {
      if (!is_leaf(field->getType())) refuse(field->getLocation(), "a fact is a number or a condition");
      const Leaf &fact = result.slots.at(names.size());
      append(function_.new_statement(ir::StatementKind::return_, residual_of(fact, field->getType(), where)));
      names.push_back(field->getNameAsString());
    }
    return std::pair(std::move(function_), std::move(names));
  } catch (const Refusal &refusal) {
    return Error{refusal.message};
  }
}

}  // namespace alnsmith::pe
