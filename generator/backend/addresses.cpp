// See addresses.h.
#include "backend/addresses.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace alnsmith::backend {

namespace {

using ir::Statement;
using ir::StatementKind;
using ir::Value;

bool is_sum(const Value *v) { return v->type == ir::Type::int_ && (v->is("iadd") || v->is("isub") || v->is("imul")); }

// Where `reader` reads v, it is an index: the operand behind a pointer.
bool indexes(const Value *reader, const Value *v) {
  const auto &operands = reader->operands;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i] == v && (i == 0 || operands[i - 1]->type != ir::Type::pointer)) return false;
  return true;
}

}  // namespace

Addresses::Addresses(const ir::Function &function) {
  std::vector<const Value *> sums;
  std::unordered_map<const Value *, std::vector<const Value *>> readers;  // null: a phi or a statement
  ir::for_each_statement(function.body, [&](const Statement &s) {
    if (s.kind == StatementKind::let || s.kind == StatementKind::effect) {
      for (const Value *operand : s.value->operands) readers[operand].push_back(s.value);
      if (s.kind == StatementKind::let && is_sum(s.value)) sums.push_back(s.value);
    } else if (s.value) {
      readers[s.value].push_back(nullptr);
    }
    for (const ir::Phi &p : s.phis) readers[p.first].push_back(nullptr), readers[p.second].push_back(nullptr);
  });
  for (auto it = sums.rbegin(); it != sums.rend(); ++it) {  // readers stand behind what they read
    const auto found = readers.find(*it);
    if (found == readers.end()) continue;
    const auto reads = [&](const Value *reader) { return reader && (contains(reader) || indexes(reader, *it)); };
    if (std::ranges::all_of(found->second, reads)) values_.insert(*it);
  }
}

}  // namespace alnsmith::backend
