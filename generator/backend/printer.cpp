// The printer. Values get the name of the template's variable and a number; a pure operation with one reader in its
// own block is printed inside it, as long as the line stays short.
#include "backend/printer.h"

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace alnsmith::backend {

namespace {

using ir::Statement;
using ir::StatementKind;
using ir::Value;

constexpr std::size_t longest_inline = 70;
constexpr std::size_t many_carried = 8;  // values from one pass of a loop to the next

bool holds_loop(const ir::Block *block) {
  bool found = false;
  ir::for_each_statement(block, [&](const Statement &s) { found |= s.kind == StatementKind::loop; });
  return found;
}

class Printer {
 public:
  Printer(const ir::Function &function, Style style) : function_(function), style_(std::move(style)) { count_uses(); }

  std::string run() {
    std::string body;
    indent_ = 1;
    block(function_.body, body);
    std::string out = style_.head;
    if (!style_.device)
      for (const auto &[field, type] : fields_)
        out += "  " + std::string(type) + (type.ends_with('*') ? "" : " ") + field + " = args->" + field + ";\n";
    return out + body + "}\n";
  }

 private:
  void count_uses() {
    auto use = [&](const Value *v, const void *where) {
      if (!v) return;
      ++uses_[v];
      readers_[v] = where;
    };
    auto walk = [&](auto &self, const ir::Block *b) -> void {
      if (!b) return;
      for (const Statement *s : b->statements) {
        if (s->kind == StatementKind::let || s->kind == StatementKind::effect)
          for (const Value *v : s->value->operands) use(v, b);
        else
          use(s->value, s->kind == StatementKind::return_ ? b : nullptr);
        for (const ir::Phi &p : s->phis) {
          use(p.first, nullptr);
          use(p.second, nullptr);
        }
        self(self, s->header);
        self(self, s->body);
        self(self, s->otherwise);
      }
    };
    walk(walk, function_.body);
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

  static std::string_view field_type(const std::string &name) {
    static const std::map<std::string, std::string_view> pointers = {{"segment_end", "const int *"},
                                                                     {"register_length", "const int *"},
                                                                     {"stream_length", "const int *"},
                                                                     {"register_letters", "const unsigned char *"},
                                                                     {"stream_letters", "const unsigned char *"},
                                                                     {"scoring", "const int *"},
                                                                     {"matrix", "const int *"},
                                                                     {"scratch", "void *"},
                                                                     {"refill_column", "const int *"},
                                                                     {"refill_lanes", "const unsigned char *"},
                                                                     {"score", "int *"},
                                                                     {"query_end", "int *"},
                                                                     {"target_end", "int *"},
                                                                     {"status", "unsigned char *"}};
    const auto it = pointers.find(name);
    return it == pointers.end() ? "const int" : it->second;
  }

  std::string fresh_name(const Value *v) {
    std::string hint = v->name.empty() ? "t" : v->name;
    if (!v->name.empty() && std::isdigit(static_cast<unsigned char>(hint.back()))) hint += '_';
    const int number = ++names_[hint];
    return hint + std::to_string(number);
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
    const auto it = text_.find(v);
    return it == text_.end() ? "undefined" : it->second;
  }

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
    if (is_operator && (style_.operators || v->type == ir::Type::int_ || v->type == ir::Type::bool_))
      return factor(a[0]) + " " + std::string(how) + " " + factor(a[1]);
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

  void let(const ir::Block *b, const Value *v, std::string &out) {
    const std::string t = expression(v);
    const auto reader = readers_.find(v);
    const bool alone = uses_[v] == 1 && reader != readers_.end() && reader->second == b;
    if (style_.device && v->type == ir::Type::pointer) {  // its address space is the prelude's business
      text_[v] = t;
      return;
    }
    if (alone && v->op->effect == ir::Effect::pure && t.size() <= longest_inline) {
      text_[v] = t;
      if (!std::isalpha(static_cast<unsigned char>(v->op->text.front()))) compound_.insert(v);
      return;
    }
    text_[v] = fresh_name(v);
    line(out,
         "const " + (v->type == ir::Type::pointer ? "int *" : type_text(v->type) + " ") + text_[v] + " = " + t + ";");
  }

  // All phis change at once: an input that is itself one of the phis is copied first.
  void assign(const std::vector<ir::Phi> &phis, Value *ir::Phi::*input, std::string &out) {
    std::unordered_set<const Value *> changing;
    for (const ir::Phi &p : phis) changing.insert(p.value);
    std::unordered_map<const Value *, std::string> copies;
    for (const ir::Phi &p : phis) {
      const Value *v = p.*input;
      if (!v || v == p.value || !changing.contains(v) || copies.contains(v)) continue;
      copies[v] = text(v) + "_before";
      line(out, "const " + (v->type == ir::Type::pointer ? "int *" : type_text(v->type) + " ") + copies[v] + " = " +
                    text(v) + ";");
    }
    for (const ir::Phi &p : phis) {
      const Value *v = p.*input;
      if (v && v != p.value) line(out, text(p.value) + " = " + (copies.contains(v) ? copies[v] : text(v)) + ";");
    }
  }

  void nested(const ir::Block *b, std::string &out) {
    ++indent_;
    block(b, out);
    --indent_;
  }

  void if_statement(const Statement &s, std::string &out) {
    for (const ir::Phi &p : s.phis) {
      text_[p.value] = fresh_name(p.value);
      line(out, declaration(p.value) + ";");
    }
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
    std::vector<std::string> init;
    for (const ir::Phi &p : s.phis) init.push_back(p.first ? " = " + text(p.first) : "");
    for (std::size_t i = 0; i < s.phis.size(); ++i) {
      text_[s.phis[i].value] = fresh_name(s.phis[i].value);
      line(out, declaration(s.phis[i].value) + init[i] + ";");
    }
    std::string header;
    ++indent_;
    block(s.header, header);
    std::string condition = text(s.value);
    --indent_;
    // A condition of one operation is read only by the loop: print it in place.
    const auto &computed = s.header->statements;
    if (computed.size() == 1 && computed[0]->value == s.value && uses_[s.value] == 1) {
      header.clear();
      condition = expression(s.value);
    }
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
    if (!b) return;
    for (const Statement *s : b->statements) {
      comment(*s, out);
      switch (s->kind) {
        case StatementKind::let:
          let(b, s->value, out);
          break;
        case StatementKind::effect:
          line(out, expression(s->value) + ";");
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
  std::unordered_map<const Value *, int> uses_;
  std::unordered_map<const Value *, const void *> readers_;  // the block of the last reader; null: a phi or condition
  std::unordered_map<const Value *, std::string> text_;
  std::unordered_set<const Value *> compound_;
  std::map<std::string, int> names_;
  std::map<std::string, std::string_view> fields_;
  std::string file_;
  int indent_ = 0;
};

}  // namespace

std::string print_function(const ir::Function &function, const Style &style) { return Printer(function, style).run(); }

Style cpu_style(const std::string &name, const std::string &linkage) {
  return {linkage + " int " + name + "(const aln_args_v1 *args) {\n  if (args->size < sizeof(aln_args_v1)) return 1;\n",
          "", "", true, false};
}

}  // namespace alnsmith::backend
