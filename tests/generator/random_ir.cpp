// Making; see random_ir_run.cpp for running, shrink.cpp for making smaller.
#include "random_ir.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace random_ir {

using namespace alnsmith;
using ir::Type;
using ir::Value;

namespace {

// Weights of constants: small ones, edges of all widths.
constexpr std::int32_t constants[] = {
    0,   0,    0,   1,   1,     2,      3,     5,       -1,        -2,        8,
    127, -128, 255, 256, 32767, -32768, 65535, 1 << 30, INT32_MAX, INT32_MIN, INT32_MIN + 1};

class Maker {
 public:
  Maker(unsigned seed, const direct::Machine &machine) : random_(seed), machine_(machine) {}

  ir::Function make() {
    for (const ir::Op &op : ir::ops())
      if (!op.uniform && !needs_more(op)) anywhere_.push_back(&op);
    for (const ir::Op &op : ir::ops())
      if (op.uniform) uniform_.push_back(&op);
    f_.body = f_.new_block();
    f_.name = "random";
    for (const char *name : {"numbers", "letters", "flags", "totals", "scores", "planes"}) field(name, Type::pointer);
    for (const char *name : {"few", "any"}) remember(field(name, Type::int_));
    blocks_ = {f_.body};
    block(12 + below(20), 0);
    for (int i = 0; i < 6; ++i) store_something();
    f_.body->statements.push_back(f_.new_statement(ir::StatementKind::return_, value(Type::int_)));
    return std::move(f_);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }

  Value *field(const char *name, Type type) {
    Value *v = f_.new_value();
    v->kind = ir::ValueKind::argument;
    v->name = name;
    v->type = type;
    return fields_[name] = v;
  }
  Value *constant(int n, Type type = Type::int_) { return f_.constant(n, type); }
  void remember(Value *v) { known_[v->type].push_back(v); }

  Value *emit(const ir::Op &op, std::vector<Value *> operands) {
    Value *v = f_.operation(op, std::move(operands), {});
    const bool statement = op.result == Type::void_;
    blocks_.back()->statements.push_back(
        f_.new_statement(statement ? ir::StatementKind::effect : ir::StatementKind::let, v));
    if (!statement) {
      remember(v);
      computed_.push_back(v);
    }
    return v;
  }
  Value *emit(const char *name, std::initializer_list<Value *> operands) {
    std::vector<Type> types;
    for (const Value *v : operands) types.push_back(v->type);
    const ir::Op *op = ir::find_op(name, types);
    if (!op) throw std::logic_error(std::string("random_ir: no operation ") + name);
    return emit(*op, operands);
  }

  // A value of that type: known ones, the latest rather than others, or a new one.
  Value *value(Type type) {
    std::vector<Value *> &list = known_[type];
    if (!list.empty() && chance(80)) {
      const int n = static_cast<int>(list.size());
      return list[static_cast<std::size_t>(chance(50) ? n - 1 - below(std::min(n, 4)) : below(n))];
    }
    switch (type) {
      case Type::int_:
        return constant(constants[below(std::size(constants))]);
      case Type::bool_:
        return chance(30) ? constant(below(2), Type::bool_) : emit("ilt", {value(Type::int_), value(Type::int_)});
      case Type::score:
        return chance(50) ? emit("splat", {value(Type::int_)}) : emit("load_score", {fields_["scores"], index()});
      case Type::wide:
        return emit("splat_wide", {value(Type::int_)});
      case Type::pos:
        return chance(50) ? emit("splat_pos", {value(Type::int_)}) : emit("load_pos", {fields_["numbers"], index()});
      case Type::letter:
        return chance(50) ? emit("splat_letter", {constant(below(40))})
                          : emit("load_letters", {fields_["letters"], index()});
      case Type::mask:
        return emit("greater", {value(Type::score), value(Type::score)});
      case Type::table:
        return emit("load_table", {fields_["numbers"], index()});
      case Type::quad:
        return emit("load_quad", {multiple_of_4()});
      case Type::quads:
        return emit("load_quads", {place()});
      case Type::row:
        return emit("permute_row", {value(Type::letter), constant(below(9)), constant(-below(9))});
      case Type::code:
        return emit("splat_code", {constant(below(40))});
      case Type::four:
        return emit("load_four", {fields_["letters"], place(), value(Type::pos)});
      case Type::bits:
        return chance(50) ? emit("splat_bits", {constant(below(2))}) : emit("load_bits", {fields_["planes"], index()});
      default:
        throw std::logic_error("random_ir: no value of that type");
    }
  }

  // From 0 to elements - 1, uniform and by lane.
  Value *index() {
    if (!counters_.empty() && chance(40))
      return counters_[static_cast<std::size_t>(below(static_cast<int>(counters_.size())))];
    if (chance(60)) return constant(below(elements));
    Value *x = value(Type::int_);
    Value *inside = emit("and", {emit("ile", {constant(0), x}), emit("ilt", {x, constant(elements)})});
    return emit("choose_int", {inside, x, constant(below(elements))});
  }
  Value *splat(int n) { return emit("splat_pos", {constant(n)}); }
  Value *place() {
    if (chance(40)) return splat(below(elements));
    return emit("min", {emit("max", {value(Type::pos), splat(0)}), splat(elements - 1)});
  }
  Value *multiple_of_4() { return chance(50) ? splat(4 * below(elements)) : emit("mul", {place(), splat(4)}); }
  // 0 and up.
  Value *floored(Value *score) { return emit("max", {score, emit("splat", {constant(0)})}); }
  Value *lanes_of_segment() {
    int p = 1;
    while (2 * p <= machine_.lanes / machine_.packing && chance(60)) p *= 2;
    return constant(p);
  }
  Value *memory(const char *a, const char *b) { return fields_[chance(50) ? a : b]; }

  // Operations whose operands are not any values of their types.
  static bool needs_more(const ir::Op &op) { return op.name == "barrier" || left_out(op.name); }

  void operation(const ir::Op &op) {
    const std::string_view name = op.name;
    std::vector<Value *> a;
    for (std::size_t i = 0; i < op.operands.size(); ++i) a.push_back(operand(op, i));
    if (name == "sub_floor0") a = {floored(a[0]), floored(a[1])};
    emit(op, std::move(a));
  }
  Value *operand(const ir::Op &op, std::size_t i) {
    const std::string_view name = op.name;
    const Type type = op.operands[i];
    const bool bytes =
        op.signature.starts_with("(const unsigned char *") || op.signature.starts_with("(unsigned char *");
    if (type == Type::pointer) {
      if (op.table == ir::Table::sliced) return fields_[name == "store_byte" ? "flags" : "planes"];
      if (name == "load_score" || name == "store_score" || name == "load_own") return fields_["scores"];
      if (name == "load_table") return fields_["numbers"];
      if (op.effect == ir::Effect::store) return fields_[bytes ? "flags" : "totals"];
      return bytes ? memory("letters", "flags") : memory("numbers", "totals");
    }
    const bool in_row = name.ends_with("_in_row");  // array, row, words of a row, place in it
    if (in_row && (i == 1 || i == 2)) return constant(0);
    const bool address = in_row ? i == 3 : i > 0 && op.operands[i - 1] == Type::pointer;
    const bool shared = i == 0 && op.effect != ir::Effect::pure;
    if (type == Type::int_ && address) return index();
    if (name == "load_quad") return multiple_of_4();
    if (type == Type::pos && (address || shared)) return place();
    if (type == Type::wide && address) return emit("to_wide", {place()});
    if (name == "shifted" && i == 1) return splat(below(32));
    if (type == Type::int_) {
      if (name == "quotient") return constant(1 + below(9));
      if (name == "element") return constant(below(op.operands[0] == Type::quad ? 4 : 4 * machine_.packing));
      if (name == "letter_of" && i == 1) return constant(below(4));
      if (name == "splat_bits") return constant(below(2));
      if (name == "bit_of_int") return i == 0 ? index() : constant(below(31));
      if (name == "shift_in") return i == 1 ? index() : constant(below(31));
      if (name == "bit_of_lane") return constant(below(machine_.lanes));
      if (name == "store_byte") return constant(below(256));
      if (name == "collected") return constant(below(8));
      if (name == "splat_four" || name == "padded") return constant(below(64));
      if (name == "lut3") return constant(below(256));
      if (name == "load_number") return constant(1 + below(plane_bits));
      if (name == "exchange") return constant(below(machine_.lanes / machine_.packing));
      if (op.signature.ends_with("int p)")) return lanes_of_segment();
    }
    return value(type);
  }

  void store_something() {
    switch (below(7)) {
      case 0:
        emit("store_score", {fields_["scores"], index(), value(Type::score)});
        break;
      case 1:
        emit("store_wide", {fields_["totals"], index(), value(Type::wide)});
        break;
      case 2:
        emit("store_wide", {fields_["totals"], index(), emit("to_wide", {value(Type::pos)})});
        break;
      case 3:
        emit("store_mask", {fields_["flags"], index(), value(Type::mask)});
        break;
      case 4:
        emit("store_wide", {fields_["totals"], index(), emit("to_wide", {emit("to_pos", {value(Type::letter)})})});
        break;
      case 5:
        emit("store_bits", {fields_["planes"], index(), value(Type::bits)});
        break;
      default:
        emit("store_wide", {fields_["totals"], index(), emit("splat_wide", {value(Type::int_)})});
    }
  }

  // What an inner block computes is not known behind it.
  template <class F>
  void scope(ir::Block *b, F inside) {
    const auto known = known_;
    const auto computed = computed_;
    blocks_.push_back(b);
    inside();
    blocks_.pop_back();
    known_ = known;
    computed_ = computed;
  }

  static constexpr Type carried[] = {Type::int_,   Type::score, Type::score, Type::wide, Type::pos,
                                     Type::letter, Type::mask,  Type::bool_, Type::bits};

  void if_statement(int depth) {
    ir::Statement *s = f_.new_statement(ir::StatementKind::if_, value(Type::bool_));
    s->body = f_.new_block();
    s->otherwise = f_.new_block();
    std::vector<Type> types;
    for (int n = below(4); n > 0; --n) types.push_back(carried[below(std::size(carried))]);
    std::vector<Value *> ends[2];
    for (int branch = 0; branch < 2; ++branch)
      scope(branch == 0 ? s->body : s->otherwise, [&] {
        if (branch == 0 || chance(60)) block(2 + below(6), depth + 1);
        for (const Type t : types) ends[branch].push_back(value(t));
      });
    blocks_.back()->statements.push_back(s);
    for (std::size_t i = 0; i < types.size(); ++i) {
      Value *phi = f_.phi(types[i], "merged");
      s->phis.push_back({phi, ends[0][i], ends[1][i]});
      remember(phi);
    }
  }

  void loop(int depth) {
    ir::Statement *s = f_.new_statement(ir::StatementKind::loop);
    s->header = f_.new_block();
    s->body = f_.new_block();
    Value *start = constant(below(2));
    if (chance(50)) start = emit("residual", {start});
    Value *bound = constant(below(4));
    if (chance(40)) {
      Value *x = value(Type::int_);
      bound =
          emit("choose_int", {emit("and", {emit("ile", {constant(0), x}), emit("ilt", {x, constant(4)})}), x, bound});
    }
    Value *counter = f_.phi(Type::int_, "i");
    std::vector<ir::Phi> phis = {{counter, start, nullptr}};
    for (int n = below(4); n > 0; --n) {
      const Type t = carried[below(std::size(carried))];
      Value *first = value(t);
      phis.push_back({f_.phi(t, "carried"), first, nullptr});
    }
    const auto outer_counters = counters_;
    for (const ir::Phi &p : phis) remember(p.value);
    counters_.push_back(counter);
    blocks_.push_back(s->header);
    while (chance(25)) operation_or_copy(true);
    s->value = emit("ilt", {counter, bound});
    blocks_.pop_back();
    scope(s->body, [&] {
      // Half of the counters step before what the turn does, which may read either value then.
      if (chance(50)) phis[0].second = emit("iadd", {counter, constant(1)});
      block(3 + below(8), depth + 1);
      for (std::size_t i = 1; i < phis.size(); ++i) phis[i].second = value(phis[i].value->type);
      if (!phis[0].second) phis[0].second = emit("iadd", {counter, constant(1)});
    });
    counters_ = outer_counters;  // behind the loop it may be as large as the bound
    s->phis = phis;
    blocks_.back()->statements.push_back(s);
  }

  void operation_or_copy(bool quiet) {
    // The same once more, for passes that share.
    if (!computed_.empty() && chance(20)) {
      const Value *v =
          computed_[computed_.size() - 1 -
                    static_cast<std::size_t>(below(static_cast<int>(std::min<std::size_t>(computed_.size(), 12))))];
      emit(*v->op, v->operands);
      return;
    }
    const auto &list = chance(25) ? uniform_ : anywhere_;
    const ir::Op &op = *list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    if (quiet && op.effect == ir::Effect::store) return;
    operation(op);
  }

  void block(int size, int depth) {
    for (int i = 0; i < size; ++i) {
      const int dice = below(100);
      if (dice < 7 && depth < 3)
        if_statement(depth);
      else if (dice < 16 && depth < 3)
        loop(depth);
      else if (dice < 26)
        store_something();
      else if (dice < 28)
        emit("barrier", {});
      else
        operation_or_copy(false);
    }
  }

  std::mt19937 random_;
  const direct::Machine &machine_;
  ir::Function f_;
  std::vector<const ir::Op *> anywhere_, uniform_;
  std::vector<ir::Block *> blocks_;
  std::map<Type, std::vector<Value *>> known_;
  std::vector<Value *> computed_, counters_;
  std::map<std::string, Value *> fields_;
};

}  // namespace

bool left_out(std::string_view op) {
  // The last ones reach a vector of lanes beyond an element, another thread, or elements that memory says. All are in
  // whole kernels that run after each pass: test_matrix.cpp, test_device_matrix.cpp, test_strips.cpp, test_striped.cpp,
  // test_sliced.cpp, test_sliced_strips.cpp.
  return op == "folded_matrix" || op == "turn_table" || op == "turn_letters" || op == "look_up" ||
         op == "letters_along" || op == "load_along" || op == "store_along" || op == "await_rows" ||
         op == "publish_rows" || op == "score_of_lane" || op == "load_column" || op == "shift_up_by" ||
         op == "store_collected" || op == "number_at" || op == "mark_lanes";
}

ir::Function make(unsigned seed) {
  const direct::Machine machine = machine_of(seed);
  return Maker(seed, machine).make();
}

}  // namespace random_ir
