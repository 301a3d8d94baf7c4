// See variables.h. Only phis and their inputs can share, so only these are numbered and followed.
#include "backend/variables.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace alnsmith::backend {

namespace {

using ir::Statement;
using ir::StatementKind;
using ir::Value;

// A set of small numbers.
class Bits {
 public:
  explicit Bits(std::size_t size) : words_((size + 63) / 64) {}
  void set(std::size_t i) { words_[i / 64] |= bit(i); }
  void clear(std::size_t i) { words_[i / 64] &= ~bit(i); }
  bool meets(const Bits &other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] & other.words_[i]) return true;
    return false;
  }
  void add(const Bits &other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  bool operator==(const Bits &) const = default;

 private:
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i % 64; }
  std::vector<std::uint64_t> words_;
};

// One way into a phi: where the loop is entered or repeated, or at the end of a branch.
struct Copy {
  std::size_t to, from;
  int depth;  // loops around it
};

// What phis connect, and what must stay apart.
class Web {
 public:
  Web(const ir::Function &function, const Inlining &inlining) : inlining_(inlining) {
    gather(function.body, 0);
    for (std::size_t i = 0; i < values_.size(); ++i) apart_.emplace_back(values_.size());
    Bits live(values_.size());
    block(function.body, live);
  }

  // The variable of each value: the number of the first that lives in it. Copies in inner loops are spared first.
  std::vector<std::size_t> shared() {
    std::vector<std::size_t> variable(values_.size());
    std::iota(variable.begin(), variable.end(), std::size_t{0});
    std::vector<Bits> members(values_.size(), Bits(values_.size()));
    for (std::size_t i = 0; i < members.size(); ++i) members[i].set(i);
    std::ranges::stable_sort(copies_, std::ranges::greater{}, &Copy::depth);
    for (const Copy &copy : copies_) {
      const auto [a, b] = std::minmax(variable[copy.to], variable[copy.from]);
      if (a == b || values_[a]->type != values_[b]->type || apart_[a].meets(members[b]) || apart_[b].meets(members[a]))
        continue;
      apart_[a].add(apart_[b]);
      members[a].add(members[b]);
      std::ranges::replace(variable, std::size_t{b}, std::size_t{a});
    }
    return variable;
  }

  const std::vector<const Value *> &values() const { return values_; }

 private:
  std::size_t number(const Value *v) {
    const auto [it, fresh] = number_.try_emplace(v, values_.size());
    if (fresh) values_.push_back(v);
    return it->second;
  }

  void gather(const ir::Block *b, int depth) {
    if (!b) return;
    for (const Statement *s : b->statements) {
      const bool loop = s->kind == StatementKind::loop;
      for (const ir::Phi &p : s->phis) {
        const std::size_t to = number(p.value);
        for (const Value *from : {p.first, p.second})
          if (from && from != p.value && !inlining_.inlined(from) && shares(from))
            copies_.push_back({to, number(from), loop && from == p.second ? depth + 1 : depth});
      }
      gather(s->header, depth + loop);
      gather(s->body, depth + loop);
      gather(s->otherwise, depth);
    }
  }

  static bool shares(const Value *v) { return v->kind == ir::ValueKind::phi || v->kind == ir::ValueKind::operation; }

  // Backwards: what is live behind the statement becomes what is live before it.
  void block(const ir::Block *b, Bits &live) {
    if (!b) return;
    for (auto it = b->statements.rbegin(); it != b->statements.rend(); ++it) statement(**it, live);
  }

  void statement(const Statement &s, Bits &live) {
    switch (s.kind) {
      case StatementKind::let:
        if (inlining_.inlined(s.value)) return;
        define(s.value, live);
        [[fallthrough]];
      case StatementKind::effect:
        inlining_.each_operand(s.value, [&](const Value *v) { read(v, live); });
        return;
      case StatementKind::return_:
        inlining_.each_leaf(s.value, [&](const Value *v) { read(v, live); });
        return;
      case StatementKind::if_: {
        Bits otherwise = live;
        copies(s.phis, &ir::Phi::first, live);
        block(s.body, live);
        copies(s.phis, &ir::Phi::second, otherwise);
        block(s.otherwise, otherwise);
        live.add(otherwise);
        inlining_.each_leaf(s.value, [&](const Value *v) { read(v, live); });
        return;
      }
      case StatementKind::loop: {
        // What is live at the head grows until a turn adds nothing.
        Bits head(values_.size());
        for (;;) {
          Bits turn = head;
          copies(s.phis, &ir::Phi::second, turn);
          block(s.body, turn);
          turn.add(live);
          inlining_.each_leaf(s.value, [&](const Value *v) { read(v, turn); });
          block(s.header, turn);
          if (turn == head) break;
          head = std::move(turn);
        }
        copies(s.phis, &ir::Phi::first, head);
        live = std::move(head);
        return;
      }
    }
  }

  void read(const Value *v, Bits &live) const {
    if (const auto it = number_.find(v); it != number_.end()) live.set(it->second);
  }

  void define(const Value *v, Bits &live) {
    const auto it = number_.find(v);
    if (it == number_.end()) return;
    live.clear(it->second);
    apart_[it->second].add(live);
  }

  void copies(const std::vector<ir::Phi> &phis, Value *ir::Phi::*input, Bits &live) {
    Bits written(values_.size());
    for (const ir::Phi &p : phis) {
      if (p.*input == p.value) continue;  // a turn leaves it as it is
      live.clear(number_.at(p.value));
      if (p.*input) written.set(number_.at(p.value));
    }
    for (const ir::Phi &p : phis) {
      if (!(p.*input) || p.*input == p.value) continue;
      const std::size_t to = number_.at(p.value);
      // All are written at once; what is copied may share with the copy, unless it is written too.
      Bits others = live;
      if (const auto from = number_.find(p.*input); from != number_.end()) others.clear(from->second);
      others.add(written);
      others.clear(to);
      apart_[to].add(others);
    }
    for (const ir::Phi &p : phis)
      if (p.*input != p.value) read(p.*input, live);
  }

  const Inlining &inlining_;
  std::vector<const Value *> values_;
  std::unordered_map<const Value *, std::size_t> number_;
  std::vector<Copy> copies_;
  std::vector<Bits> apart_;
};

using Path = std::vector<std::pair<const ir::Block *, std::size_t>>;  // of a statement, from the function's body down

// The innermost statement that holds both.
void meet(Path &path, const Path &other) {
  const auto [a, b] = std::ranges::mismatch(path, other);
  const auto level = a - path.begin();
  const bool siblings = a != path.end() && b != other.end() && a->first == b->first;
  if (siblings) a->second = std::min(a->second, b->second);
  path.resize(static_cast<std::size_t>(level) + (siblings ? 1 : 0));
}

// Where variables are first and last mentioned, in the order in which they are.
class Mentions {
 public:
  Mentions(const Variables &variables, const Inlining &inlining) : variables_(variables), inlining_(inlining) {}

  void walk(const ir::Block *b) {
    if (!b) return;
    path_.emplace_back(b, 0);
    for (const Statement *s : b->statements) {
      const auto leaf = [&](const Value *v) { note(v); };
      const bool loop = s->kind == StatementKind::loop;
      for (const ir::Phi &p : s->phis) {
        note(p.value);
        if (loop) note(p.first);
      }
      walk(s->header);
      walk(s->body);
      walk(s->otherwise);
      for (const ir::Phi &p : s->phis) {
        if (!loop) note_at_end(s->body, p.first);
        note_at_end(loop ? s->body : s->otherwise, p.second);
      }
      const bool operation = s->kind == StatementKind::let || s->kind == StatementKind::effect;
      if (operation && !inlining_.inlined(s->value)) {
        note(s->value);
        inlining_.each_operand(s->value, leaf);
      } else if (!operation) {
        inlining_.each_leaf(s->value, leaf);
      }
      ++path_.back().second;
    }
    path_.pop_back();
  }

  std::vector<std::pair<const Value *, Path>> all;

 private:
  void note_at_end(const ir::Block *b, const Value *v) {
    if (b) path_.emplace_back(b, b->statements.size());
    note(v);
    if (b) path_.pop_back();
  }

  void note(const Value *v) {
    if (!v || !variables_.assigned(v)) return;
    const Value *variable = variables_.of(v);
    const auto [it, fresh] = number_.try_emplace(variable, all.size());
    if (fresh)
      all.emplace_back(variable, path_);
    else
      meet(all[it->second].second, path_);
  }

  const Variables &variables_;
  const Inlining &inlining_;
  std::unordered_map<const Value *, std::size_t> number_;
  Path path_;
};

}  // namespace

Variables::Variables(const ir::Function &function, const Inlining &inlining) {
  Web web(function, inlining);
  const std::vector<std::size_t> shared = web.shared();
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const Value *first = web.values()[shared[i]];
    variable_[web.values()[i]] = first;
    if (shared[i] != i || first->kind == ir::ValueKind::phi) assigned_.insert(first);
  }
  Mentions mentions(*this, inlining);
  mentions.walk(function.body);
  for (const auto &[variable, path] : mentions.all) declared_[path.back()].push_back(variable);
}

const Value *Variables::of(const Value *v) const {
  const auto it = variable_.find(v);
  return it == variable_.end() ? v : it->second;
}

const std::vector<const Value *> &Variables::declared(const ir::Block *block, std::size_t index) const {
  static const std::vector<const Value *> none;
  const auto it = declared_.find({block, index});
  return it == declared_.end() ? none : it->second;
}

std::vector<Move> in_sequence(std::vector<Move> parallel) {
  std::vector<Move> sequence;
  std::erase_if(parallel, [](const Move &m) { return m.to == m.from; });
  while (!parallel.empty()) {
    const auto free = std::ranges::find_if(parallel, [&](const Move &m) {
      return std::ranges::none_of(
          parallel, [&](const Move &other) { return &other != &m && !other.saved && other.from == m.to; });
    });
    if (free != parallel.end()) {
      sequence.push_back(*free);
      parallel.erase(free);
      continue;
    }
    // Each is still read by another one: what the first overwrites is kept.
    const Value *kept = parallel.front().to;
    sequence.push_back({nullptr, kept});
    for (Move &m : parallel) m.saved = m.saved || m.from == kept;
  }
  return sequence;
}

}  // namespace alnsmith::backend
