// The printer. Variables get the name of the template's variable and a number, constants one that says their value.
// What is printed inside its reader is decided in inlining.h, what shares a variable in variables.h.
#include "backend/printer.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "alnsmith/device_abi.h"
#include "alnsmith/kernel_abi.h"
#include "alnsmith/strip_abi.h"
#include "backend/addresses.h"
#include "backend/inlining.h"
#include "backend/variables.h"

namespace alnsmith::backend {

namespace {

using ir::Statement;
using ir::StatementKind;
using ir::Value;

constexpr std::size_t many_carried = 8;    // values from one pass of a loop to the next
constexpr std::size_t longest_line = 110;  // of several declarations

bool holds_loop(const ir::Block *block) {
  bool found = false;
  ir::for_each_statement(block, [&](const Statement &s) { found |= s.kind == StatementKind::loop; });
  return found;
}

class Printer {
 public:
  Printer(const ir::Function &function, Style style)
      : function_(function),
        style_(std::move(style)),
        inlining_(function),
        addresses_(function),
        variables_(function, inlining_) {
    name_constants();
  }

  std::string run() {
    std::string body;
    indent_ = 1;
    block(function_.body, body);
    std::string out = style_.head;
    if (!style_.device)
      for (const auto &[field, type] : fields_)
        out += "  " + std::string(type) + (type.ends_with('*') ? "" : " ") + field + " = args->" + field + ";\n";
    return out + constants_ + body + "}\n";
  }

 private:
  // A vector of one constant that is read more than once has a name, which says the constant.
  void name_constants() {
    struct Constant {
      int uses = 0;
      std::vector<const Value *> all;
    };
    std::map<std::tuple<ir::Type, std::string_view, std::int64_t>, Constant> found;
    ir::for_each_statement(function_.body, [&](const Statement &s) {
      if (s.kind != StatementKind::let || !is_constant_vector(s.value)) return;
      const Value *v = s.value;
      Constant &c = found[{v->type, v->op->text, v->operands[0]->constant}];
      c.uses += inlining_.uses(v);
      c.all.push_back(v);
    });
    std::map<std::string, std::vector<std::string>> declared;  // by type
    for (const auto &[key, c] : found) {
      if (c.uses < 2) continue;
      const auto value = std::get<std::int64_t>(key);
      const ir::Type type = std::get<ir::Type>(key);
      const std::string_view kind = type == ir::Type::letter ? "letter" : ir::type_name(type).substr(1);
      std::string name = type == ir::Type::score ? "c" : std::string(kind) + "_c";
      name += value < 0 ? "_minus" + std::to_string(-value) : std::to_string(value);
      taken_.insert(name);
      declared[type_text(type)].push_back(name + " = " + expression(c.all.front()));
      for (const Value *v : c.all) text_[v] = name;
    }
    for (const auto &[type, names] : declared) {
      std::string line;
      for (const std::string &name : names) {
        if (!line.empty() && line.size() + name.size() > longest_line) {
          constants_ += line + ";\n";
          line.clear();
        }
        line += (line.empty() ? "  const " + type + " " : ", ") + name;
      }
      constants_ += line + ";\n";
    }
  }

  std::string type_text(ir::Type type) const {
    switch (type) {
      case ir::Type::int_:
        return "int";
      case ir::Type::bool_:
        return "bool";
      case ir::Type::pointer:
        return "const int *";
      default:
        return std::string(ir::type_name(type)) + style_.suffix;
    }
  }

  // As the argument block has it; numbers do not change.
  static std::string_view field_type(const std::string &name) {
    static const std::map<std::string_view, std::string_view> types = {
#define ALN_TYPED(type, name) {#name, #type},
        ALN_ARGS_V1(ALN_TYPED) ALN_DEVICE_ARGS_V1(ALN_TYPED) ALN_STRIP_OWN_V1(ALN_TYPED)
#undef ALN_TYPED
    };
    const std::string_view type = types.at(name);
    return type.ends_with('*') ? type : "const int";
  }

  std::string fresh_name(const Value *v) {
    std::string hint = v->name.empty() ? "t" : v->name;
    if (!v->name.empty() && std::isdigit(static_cast<unsigned char>(hint.back()))) hint += '_';
    for (;;) {
      std::string name = hint + std::to_string(++names_[hint]);
      if (taken_.insert(name).second) return name;
    }
  }

  std::string text(const Value *v) {
    if (v->is_constant()) {
      if (v->type == ir::Type::bool_) return v->constant ? "true" : "false";
      return std::to_string(v->constant);
    }
    if (v->kind == ir::ValueKind::argument) {
      fields_[v->name] = field_type(v->name);
      return v->name;
    }
    const auto it = text_.find(variables_.of(v));
    if (it != text_.end()) return it->second;
    return is_constant_vector(v) ? expression(v) : "undefined";
  }

  // A sum or product of 64 bits, in the languages whose pointers have them.
  bool is_long(const Value *v) const { return !style_.device && addresses_.contains(v); }

  // As an operand of an infix operator.
  std::string factor(const Value *v) {
    std::string t = text(v);
    const bool needs = t.find(' ') != std::string::npos && compound_.contains(v);
    return needs || t.front() == '-' ? "(" + t + ")" : t;
  }

  std::string expression(const Value *v) {
    const auto &a = v->operands;
    const std::string_view how = v->op->text;
    if (style_.device && v->is("folded_matrix")) return "spec_matrix";
    if (how == "=") return text(a[0]);
    if (how == "?") return factor(a[0]) + " ? " + factor(a[1]) + " : " + factor(a[2]);
    if (how == "!") return "!" + factor(a[0]);
    const bool is_operator = !std::isalpha(static_cast<unsigned char>(how.front()));
    if (is_operator && (style_.operators || v->type == ir::Type::int_ || v->type == ir::Type::bool_)) {
      const Value *widened = is_long(v) && !is_long(a[0]) && !is_long(a[1]) ? a[a[0]->is_constant()] : nullptr;
      const auto term = [&](const Value *operand) { return (operand == widened ? "(long)" : "") + factor(operand); };
      return term(a[0]) + " " + std::string(how) + " " + term(a[1]);
    }
    std::string t = (is_operator ? function_name(*v) : std::string(how)) + style_.suffix + "(";
    for (std::size_t i = 0; i < a.size(); ++i) t += (i ? ", " : "") + text(a[i]);
    return t + ")";
  }

  // What an operator is called where it is no operator of the language.
  static std::string function_name(const Value &v) {
    const std::string name(v.op->name);
    return v.type == ir::Type::pos || v.type == ir::Type::wide ? name + "_pos" : name;
  }

  void line(std::string &out, const std::string &t) const { out += std::string(2 * indent_, ' ') + t + "\n"; }

  // Of a value that is computed once.
  std::string constant_type(const Value *v) const {
    return "const " + (v->type == ir::Type::pointer ? "int *" : is_long(v) ? "long " : type_text(v->type) + " ");
  }

  void let(const Value *v, std::string &out) {
    if (is_constant_vector(v)) return;
    const std::string t = expression(v);
    if (style_.device && v->type == ir::Type::pointer) {  // its address space is the prelude's business
      text_[v] = t;
      return;
    }
    if (inlining_.inlined(v)) {
      text_[v] = t;
      if (!std::isalpha(static_cast<unsigned char>(v->op->text.front()))) compound_.insert(v);
      return;
    }
    if (variables_.assigned(v)) {
      line(out, target(v) + " = " + t + ";");
      return;
    }
    text_[v] = fresh_name(v);
    declare_constant(v, t, out);
  }

  // Those of one type that follow each other share a line, as far as it stays short.
  void declare_constant(const Value *v, const std::string &t, std::string &out) {
    const std::string type = constant_type(v), own = text_.at(v) + " = " + t + ";";
    if (open_.out == &out && open_.end == out.size() && open_.type == type && !type.ends_with('*') &&
        out.size() - open_.begin + own.size() <= longest_line) {
      out.replace(out.size() - 2, 2, ", " + own + "\n");  // in place of ";\n"
    } else {
      open_ = {&out, type, out.size(), 0};
      line(out, type + own);
    }
    open_.end = out.size();
  }

  // A shared variable that is written to: with its type where it is declared by that.
  std::string target(const Value *v) {
    const Value *variable = variables_.of(v);
    return pending_.erase(variable) ? declaration(variable) : text(variable);
  }

  // All phis change at once.
  void assign(const std::vector<ir::Phi> &phis, Value *ir::Phi::*input, std::string &out) {
    std::vector<Move> moves;
    for (const ir::Phi &p : phis)
      if (p.*input) moves.push_back({variables_.of(p.value), variables_.of(p.*input)});
    std::unordered_map<const Value *, std::string> saved;
    std::string declared;  // declarations of one type, joined to lines
    const auto end_line = [&] {
      if (!declared.empty()) line(out, std::exchange(declared, {}) + ";");
    };
    for (const Move &m : in_sequence(std::move(moves))) {
      if (m.to) {
        const std::string from = m.saved ? saved.at(m.from) : text(m.from);
        if (!pending_.contains(variables_.of(m.to))) {
          end_line();
          line(out, target(m.to) + " = " + from + ";");
          continue;
        }
        const std::string whole = target(m.to) + " = " + from, own = text(m.to) + " = " + from;
        const std::string type = whole.substr(0, whole.size() - own.size());
        if (type.ends_with('*') || !declared.starts_with(type) || declared.size() + own.size() > longest_line) {
          end_line();
          declared = whole;
        } else {
          declared += ", " + own;
        }
        continue;
      }
      end_line();
      Value hint;
      hint.name = text(m.from) + "_before";
      saved[m.from] = fresh_name(&hint);
      line(out, constant_type(m.from) + saved[m.from] + " = " + text(m.from) + ";");
    }
    end_line();
  }

  // Names the variables that are declared before this statement; those that it does not write to itself get a line.
  void declare(const ir::Block *b, std::size_t index, const Statement &s, std::string &out) {
    std::unordered_set<const Value *> written;
    if (s.kind == StatementKind::let) written.insert(variables_.of(s.value));
    for (const ir::Phi &p : s.phis)
      if (s.kind == StatementKind::loop && p.first) written.insert(variables_.of(p.value));
    for (const Value *v : variables_.declared(b, index)) {
      text_[v] = fresh_name(v);
      if (written.contains(v))
        pending_.insert(v);
      else
        line(out, declaration(v) + ";");
    }
  }

  void nested(const ir::Block *b, std::string &out) {
    ++indent_;
    block(b, out);
    --indent_;
  }

  void if_statement(const Statement &s, std::string &out) {
    line(out, "if (" + text(s.value) + ") {");
    nested(s.body, out);
    ++indent_;
    assign(s.phis, &ir::Phi::first, out);
    --indent_;
    std::string otherwise;
    nested(s.otherwise, otherwise);
    ++indent_;
    assign(s.phis, &ir::Phi::second, otherwise);
    --indent_;
    if (!otherwise.empty()) {
      line(out, "} else {");
      out += otherwise;
    }
    line(out, "}");
  }

  std::string declaration(const Value *v) const {
    return (v->type == ir::Type::pointer ? "const int *" : type_text(v->type) + " ") + text_.at(v);
  }

  void loop(const Statement &s, std::string &out) {
    assign(s.phis, &ir::Phi::first, out);
    std::string header;
    ++indent_;
    block(s.header, header);
    const std::string condition = text(s.value);
    --indent_;
    const bool inner = s.phis.size() >= many_carried && !holds_loop(s.body) && !style_.before_inner_loop.empty();
    const std::string &before = inner ? style_.before_inner_loop : style_.before_loop;
    if (!before.empty()) line(out, before);
    if (header.empty()) {
      line(out, "while (" + condition + ") {");
    } else {
      line(out, "for (;;) {");
      out += header;
      ++indent_;
      line(out, "if (!(" + condition + ")) break;");
      --indent_;
    }
    nested(s.body, out);
    ++indent_;
    assign(s.phis, &ir::Phi::second, out);
    --indent_;
    line(out, "}");
  }

  void block(const ir::Block *b, std::string &out) {
    open_ = {};
    if (!b) return;
    for (std::size_t i = 0; i < b->statements.size(); ++i) {
      const Statement *s = b->statements[i];
      comment(*s, out);
      declare(b, i, *s, out);
      switch (s->kind) {
        case StatementKind::let:
          let(s->value, out);
          break;
        case StatementKind::effect:
          line(out, s->value->is("hot_row") ? std::string(hot_row_comment) : expression(s->value) + ";");
          break;
        case StatementKind::return_:
          if (!style_.device) line(out, "return " + text(s->value) + ";");
          break;
        case StatementKind::if_:
          if_statement(*s, out);
          break;
        case StatementKind::loop:
          loop(*s, out);
          break;
      }
    }
  }

  // Names the template file where the text moves on to another one.
  void comment(const Statement &s, std::string &out) {
    if (s.kind != StatementKind::effect && s.kind != StatementKind::let) return;
    const std::string &file = s.value->origin.file;
    if (file.empty() || file == file_ || s.value->op->effect == ir::Effect::pure) return;
    file_ = file;
    line(out, "// " + file.substr(file.rfind('/') + 1));
  }

  const ir::Function &function_;
  Style style_;
  Inlining inlining_;
  Addresses addresses_;
  Variables variables_;
  std::string constants_;                                // their declarations
  std::unordered_map<const Value *, std::string> text_;  // names, and expressions of what is printed inside its reader
  std::unordered_set<const Value *> pending_;            // named, declared where they are written to next
  std::unordered_set<const Value *> compound_;
  std::map<std::string, int> names_;  // by hint
  std::set<std::string> taken_;
  std::map<std::string, std::string_view> fields_;
  std::string file_;
  int indent_ = 0;
  struct {
    const std::string *out = nullptr;
    std::string type;
    std::size_t begin = 0, end = 0;
  } open_;  // the line of declarations that more may join: where it stands in which text
};

}  // namespace

std::string print_function(const ir::Function &function, const Style &style) { return Printer(function, style).run(); }

Style cpu_style(const std::string &name, const std::string &linkage, const std::string &args) {
  return {
      linkage + " int " + name + "(const " + args + " *args) {\n  if (args->size < sizeof(" + args + ")) return 1;\n",
      "", "", true, false};
}

}  // namespace alnsmith::backend
