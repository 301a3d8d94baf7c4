// Facts as text.
#include "frontend/facts.h"

#include "alnsmith/scoring_values.hpp"
#include "passes/passes.h"

namespace alnsmith::frontend {

namespace {

struct NoExpression {
  std::string what;
};

std::string text(const ir::Value *v) {
  if (v->is_constant()) return std::to_string(v->constant);
  if (v->kind == ir::ValueKind::argument) return v->name;
  if (v->kind != ir::ValueKind::operation) throw NoExpression{"what an if or a loop decides"};
  if (v->is("load_int") && v->operands[0]->name == "scoring" && v->operands[1]->is_constant())
    return kScoringValues[v->operands[1]->constant].name;
  const bool on_numbers = v->op->compute && !v->op->uniform;
  if (!on_numbers && !v->is("and") && !v->is("or") && !v->is("not")) throw NoExpression{std::string(v->op->name)};
  const std::string op(v->op->text), first = text(v->operands[0]);
  if (op == "=") return first;
  if (v->operands.size() == 1) return op + "(" + first + ")";
  const std::string second = text(v->operands[1]);
  if (op == "min" || op == "max") return op + "(" + first + ", " + second + ")";
  // As people write it: 2 * x. Passes put constants last.
  if (v->op->commutative && v->operands[1]->is_constant()) return "(" + second + " " + op + " " + first + ")";
  return "(" + first + " " + op + " " + second + ")";
}

}  // namespace

Result<Facts> print_facts(ir::Function function, const std::vector<std::string> &names) {
  passes::settle(function);
  Facts facts;
  std::size_t next = 0;
  for (const ir::Statement *s : function.body->statements) {
    if (s->kind != ir::StatementKind::return_) continue;
    const std::string &name = names.at(next++);
    Fact fact;
    try {
      fact.text = text(s->value);
    } catch (const NoExpression &no) {
      return Error{"templates/exactness.h: '" + name + "' is no expression of docs/manifest.md: it asks for " +
                   no.what};
    }
    if (fact.text.size() > kMostPredicateBytes)
      return Error{"templates/exactness.h: '" + name + "' is an expression of " + std::to_string(fact.text.size()) +
                   " bytes, and manifests hold " + std::to_string(kMostPredicateBytes) + " at most: ask for less"};
    if (s->value->is_constant()) fact.number = s->value->constant;
    facts[name] = std::move(fact);
  }
  return facts;
}

}  // namespace alnsmith::frontend
