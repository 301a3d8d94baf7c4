// From structured statements to the interpreter's list of instructions.
//
// A value has a register from where it is computed to its last reader, if that stands in the same block, else to the
// end of its block: so the hot loop of a kernel stays in cache. What a block computes is not known behind it; what a
// loop's header computes is. Phis change at the end of a branch or turn, all at once.
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "ir/interpreter.h"
#include "ir/registers.h"

namespace alnsmith::ir {

class Compiler {
 public:
  Compiler(Program &program, const direct::Machine &machine, std::optional<Bounds> bounds)
      : p_(program), machine_(machine), bounds_(bounds) {}

  void run(const Function &function) {
    find_last_readers(function.body);
    block(*function.body);
    if (p_.code_.empty() || p_.code_.back().kind != Kind::finish)
      throw std::logic_error("the function returns nothing");
  }

 private:
  using Kind = Program::Kind;
  using Instruction = Program::Instruction;
  struct Reader {
    const Block *block = nullptr;
    std::size_t position = 0;
    bool only_there = true;  // no reader in another block, no phi and no condition
  };
  struct Move {
    int to, from, words;
  };

  void find_last_readers(const Block *b) {
    if (!b) return;
    for (std::size_t i = 0; i < b->statements.size(); ++i) {
      const Statement &s = *b->statements[i];
      const bool operation = s.kind == StatementKind::let || s.kind == StatementKind::effect;
      if (operation)
        for (const Value *v : s.value->operands) {
          const auto [it, fresh] = readers_.try_emplace(v, Reader{b, i});
          it->second.only_there = it->second.only_there && it->second.block == b;
          it->second.position = i;
        }
      else if (s.value)
        readers_[s.value].only_there = false;
      for (const Phi &p : s.phis)
        for (const Value *v : {p.first, p.second})
          if (v) readers_[v].only_there = false;
      find_last_readers(s.header);
      find_last_readers(s.body);
      find_last_readers(s.otherwise);
    }
  }

  int take(int words) {
    std::vector<int> &free = free_[words];
    if (free.empty()) {
      p_.words_ += words;
      return p_.words_ - words;
    }
    const int at = free.back();
    free.pop_back();
    return at;
  }
  int define(const Value *v) {
    const int at = take(words_of(v->type, machine_));
    at_[v] = at;
    scopes_.back().push_back(v);
    return at;
  }
  void release(const Value *v) {
    const auto it = at_.find(v);
    if (it == at_.end()) return;
    free_[words_of(v->type, machine_)].push_back(it->second);
    at_.erase(it);
  }

  // The register that holds the value.
  int read(const Value *v) {
    if (v->is_constant()) {
      if (v->constant != static_cast<std::int32_t>(v->constant))
        throw std::logic_error("the constant " + std::to_string(v->constant) + " does not fit 32 bits");
      const auto [it, fresh] = constants_.try_emplace({v->type, v->constant}, p_.words_);
      if (fresh) initial({p_.words_, words_of(v->type, machine_), v->constant, "", v->type});
      return it->second;
    }
    if (v->kind == ValueKind::argument) {
      const auto [it, fresh] = fields_.try_emplace(v->name, p_.words_);
      if (fresh) initial({p_.words_, words_of(v->type, machine_), 0, v->name, v->type});
      return it->second;
    }
    const auto it = at_.find(v);
    if (it == at_.end())
      throw std::logic_error((v->op ? "the result of " + std::string(v->op->name) : "the phi " + v->name) +
                             " is read where it has not been computed");
    return it->second;
  }
  void initial(Program::Initial i) {
    p_.words_ += i.words;
    p_.initial_.push_back(std::move(i));
  }

  std::size_t emit(Instruction i) {
    p_.code_.push_back(i);
    return p_.code_.size() - 1;
  }
  void land(std::size_t jump) { p_.code_[jump].words = static_cast<int>(p_.code_.size()); }

  void operation(const Value &v) {
    const Op &op = *v.op;
    if (v.operands.size() != op.operands.size() || op.operands.size() > Program::most_operands)
      throw std::logic_error(std::string(op.name) + " has another number of operands");
    Instruction i{.kind = Kind::call, .op = static_cast<int>(&op - ops().data())};
    for (std::size_t n = 0; n < v.operands.size(); ++n) {
      if (v.operands[n]->type != op.operands[n])
        throw std::logic_error("operand " + std::to_string(n + 1) + " of " + std::string(op.name) + " is a " +
                               std::string(type_name(v.operands[n]->type)));
      i.in[n] = read(v.operands[n]);
    }
    if (v.type != op.result) throw std::logic_error("the result of " + std::string(op.name) + " has another type");
    if (bounds_ && op.effect != Effect::pure && !op.operands.empty()) {
      const bool array = op.operands[0] == Type::pointer;
      const Value *address = v.operands[!array ? 0 : op.name.ends_with("_in_row") ? 3 : 1];
      constexpr int quad = 4;  // words that one address reads at most
      if (address->type != Type::mask)
        emit({.kind = Kind::check,
              .op = i.op,
              .out = array ? bounds_->elements : bounds_->shared_words - quad + 1,
              .in = {read(address)},
              .words = words_of(address->type, machine_)});
    }
    if (op.result != Type::void_) i.out = define(&v);
    emit(i);
    if (v.is("barrier")) emit({.kind = Kind::meet});
  }

  // Registers of inputs are read where they are known; all change at once.
  void moves(const std::vector<Phi> &phis, const std::unordered_map<const Value *, int> &to, Value *Phi::*input) {
    std::vector<Move> list;
    std::unordered_set<int> changing;
    for (const Phi &p : phis) {
      const Value *v = p.*input;
      if (!v) continue;
      if (v->type != p.value->type)
        throw std::logic_error("an input of the phi " + p.value->name + " has another type");
      const Move m{to.at(p.value), read(v), words_of(v->type, machine_)};
      if (m.to == m.from) continue;
      list.push_back(m);
      changing.insert(m.to);
    }
    std::vector<std::pair<int, int>> staged;  // words, register
    for (Move &m : list) {
      if (!changing.contains(m.from)) continue;
      const int copy = take(m.words);
      staged.emplace_back(m.words, copy);
      move({copy, m.from, m.words});
      m.from = copy;
    }
    for (const Move &m : list) move(m);
    for (const auto &[words, at] : staged) free_[words].push_back(at);
  }
  void move(const Move &m) { emit({.kind = Kind::move, .out = m.to, .in = {m.from}, .words = m.words}); }

  // What `inside` emits in a scope of its own.
  template <class F>
  void scope(F &&inside) {
    scopes_.emplace_back();
    inside();
    for (const Value *v : scopes_.back()) release(v);
    scopes_.pop_back();
  }

  void if_statement(const Statement &s) {
    std::unordered_map<const Value *, int> to;
    for (const Phi &p : s.phis) to[p.value] = take(words_of(p.value->type, machine_));
    const std::size_t unless = emit({.kind = Kind::jump_unless, .in = {read(s.value)}});
    scope([&] {
      statements(s.body);
      moves(s.phis, to, &Phi::first);
    });
    const std::size_t over = emit({.kind = Kind::jump});
    land(unless);
    scope([&] {
      statements(s.otherwise);
      moves(s.phis, to, &Phi::second);
    });
    land(over);
    for (const Phi &p : s.phis) known(p.value, to.at(p.value));
  }

  void loop(const Statement &s) {
    std::unordered_map<const Value *, int> to;
    for (const Phi &p : s.phis) to[p.value] = take(words_of(p.value->type, machine_));
    moves(s.phis, to, &Phi::first);
    for (const Phi &p : s.phis) known(p.value, to.at(p.value));
    const int head = static_cast<int>(p_.code_.size());
    statements(s.header);  // known behind the loop
    const std::size_t unless = emit({.kind = Kind::jump_unless, .in = {read(s.value)}});
    scope([&] {
      statements(s.body);
      moves(s.phis, to, &Phi::second);
    });
    emit({.kind = Kind::jump, .words = head});
    land(unless);
  }

  void known(const Value *v, int at) {
    at_[v] = at;
    scopes_.back().push_back(v);
  }

  void block(const Block &b) {
    scope([&] { statements(&b); });
  }

  void statements(const Block *b) {
    if (!b) return;
    for (std::size_t i = 0; i < b->statements.size(); ++i) {
      const Statement &s = *b->statements[i];
      switch (s.kind) {
        case StatementKind::let:
        case StatementKind::effect:
          operation(*s.value);
          for (const Value *v : s.value->operands) {
            const Reader &last = readers_.at(v);
            if (v->op && last.only_there && last.block == b && last.position == i && home_.contains({v, b})) release(v);
          }
          if (s.kind == StatementKind::let) home_.insert({s.value, b});
          break;
        case StatementKind::if_:
          if_statement(s);
          break;
        case StatementKind::loop:
          loop(s);
          break;
        case StatementKind::return_:
          emit({.kind = Kind::finish, .in = {read(s.value)}});
          break;
      }
    }
  }

  Program &p_;
  const direct::Machine &machine_;
  const std::optional<Bounds> bounds_;
  std::unordered_map<const Value *, Reader> readers_;
  std::unordered_map<const Value *, int> at_;               // what is known here, and its register
  std::set<std::pair<const Value *, const Block *>> home_;  // the block that computes a value
  std::vector<std::vector<const Value *>> scopes_;
  std::map<int, std::vector<int>> free_;  // registers, by words
  std::map<std::pair<Type, std::int64_t>, int> constants_;
  std::map<std::string, int> fields_;
};

Program::Program(const Function &function, const direct::Machine &machine, std::optional<Bounds> bounds) {
  Compiler(*this, machine, bounds).run(function);
}

}  // namespace alnsmith::ir
