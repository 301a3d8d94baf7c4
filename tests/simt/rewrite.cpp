// From a kernel text to C++ for the CPU. Four rules, each strict: what nearly matches is an error that names the line.
//
// 1. An asm statement becomes a call of the row of device/ptx_table.inc (CUDA only; ptx.cpp).
// 2. `extern __shared__ TYPE NAME[];` becomes a name for the block's shared memory; no other shared variable may exist.
// 3. Each function declared `extern "C"` and `__global__` (or __attribute__((global))) becomes an entry.
// 4. In counting builds `struct __align__(16) NAME { unsigned x, y, z, w; };` (or with __attribute__((aligned(16))))
//    becomes SIMT_QUAD (device/count.h).
// Lines keep their numbers.
#include <algorithm>
#include <array>

#include "lexer.h"
#include "ptx.h"
#include "simt.h"

namespace simt {
namespace {

class Rewriter {
 public:
  Rewriter(const std::string &text, Dialect dialect, const Build &build)
      : text_(text), tokens_(tokenize(text)), dialect_(dialect), count_(build.count), wanted_(build.kernels) {}

  std::vector<std::string> names() {
    run();
    std::vector<std::string> list;
    for (const Found &entry : entries_) list.push_back(entry.name);
    return list;
  }

  std::string run() {
    for (at_ = 0; token().kind != Token::Kind::end;) step();
    output_ += text_.substr(copied_);
    for (const std::string &name : wanted_) {
      if (std::none_of(entries_.begin(), entries_.end(), [&](const Found &entry) { return entry.name == name; })) {
        text_error(1, "there is no kernel " + name);
      }
    }
    if (entries_.empty()) text_error(1, "no kernel: none is declared extern \"C\" and __global__");
    const std::string header = dialect_ == Dialect::cuda ? "device/cuda.h" : "device/hip.h";
    std::string result = "#include \"" + header + "\"\n";
    if (count_) result += "#include \"device/count.h\"\n";
    result += "#line 1 \"kernel\"\n" + output_ + "\n#line 1 \"entries\"\n";
    result += "extern \"C\" __attribute__((visibility(\"default\"))) const simt::Entry simt_entries[] = {\n";
    for (const Found &entry : entries_) {
      result += "    SIMT_ENTRY(\"" + entry.name + "\", " + entry.scope + entry.name + ", " + entry.threads + "),\n";
    }
    return result + "    {nullptr, nullptr, 0, nullptr, 0}};\n";
  }

 private:
  const Token &token(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

  template <std::size_t N>
  bool matches(const std::array<std::string_view, N> &words, std::size_t from) const {
    for (std::size_t i = 0; i < N; ++i) {
      if (!words[i].empty() && token(from + i).text != words[i]) return false;
    }
    return true;
  }
  // Tokens that __shared__, __global__ are written with, from there on; 0: not there.
  std::size_t qualifier(std::string_view name, std::size_t from) const {
    if (token(from).text == "__" + std::string(name) + "__") return 1;
    return matches(std::array<std::string_view, 6>{"__attribute__", "(", "(", name, ")", ")"}, from) ? 6 : 0;
  }

  void replace(std::size_t tokens, const std::string &by) {
    const std::size_t begin = token().begin, end = token(tokens - 1).after();
    output_ += text_.substr(copied_, begin - copied_) + by;
    const std::string_view old = std::string_view(text_).substr(begin, end - begin);
    output_ += std::string(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')), '\n');
    copied_ = end;
    at_ += tokens;
  }

  void step() {
    const bool directive = token().preprocessor;
    const std::string_view word = token().text;
    if (word == "asm" || word == "__asm__") {
      if (directive) text_error(token().line, "asm in a macro cannot be rewritten; use a function");
      if (dialect_ == Dialect::hip) text_error(token().line, "asm has no meaning in a HIP text; use a builtin");
      std::size_t after = at_;
      const std::string call = call_of_asm(text_, tokens_, after);
      replace(after - at_, call);
    } else if (directive) {
      if (word == "include") text_error(token().line, "a kernel text includes nothing");
      ++at_;
    } else if (word == "extern" && qualifier("shared", 1)) {
      shared_declaration();
    } else if (qualifier("shared", 0)) {
      text_error(token().line, "shared memory must be declared as extern __shared__ TYPE NAME[];");
    } else if (word == "extern" && token(1).text == "\"C\"" && token(2).text != "{") {
      entry();
    } else if (count_ && word == "struct" && quad_alignment() > 0) {
      quad();
    } else {
      braces(word);
      ++at_;
    }
  }

  void shared_declaration() {
    const std::size_t type = 1 + qualifier("shared", 1);
    if (token(type).kind != Token::Kind::word || token(type + 1).kind != Token::Kind::word ||
        !matches(std::array<std::string_view, 3>{"[", "]", ";"}, type + 2)) {
      text_error(token().line, "shared memory must be declared as extern __shared__ TYPE NAME[]; with a one-word type");
    }
    if (has_shared_) text_error(token().line, "a second declaration of shared memory");
    has_shared_ = true;
    const std::string name(token(type + 1).text);
    // A macro must have its line for itself.
    if (token(type + 5).line == token().line && token(type + 5).kind != Token::Kind::end) {
      text_error(token().line, "the declaration of shared memory must end its line");
    }
    if (at_ > 0 && tokens_[at_ - 1].line == token().line) {
      text_error(token().line, "the declaration of shared memory must begin its line");
    }
    replace(type + 5, "#define " + name + " (reinterpret_cast<" + std::string(token(type).text) +
                          " *>(::simt::shared_memory()))");
  }

  void entry() {
    bool global = false;
    std::string threads = "0";
    std::size_t next = 2;
    for (; token(next).text != "(" && token(next).text != ";" && token(next).kind != Token::Kind::end; ++next) {
      global = global || qualifier("global", next) > 0;
      const std::string_view word = token(next).text;
      if (word != "__launch_bounds__" && word != "__attribute__") continue;
      const bool flat_size = token(next + 3).text == "amdgpu_flat_work_group_size";
      if (word == "__launch_bounds__" && token(next + 2).kind == Token::Kind::number) threads = token(next + 2).text;
      if (flat_size && token(next + 7).kind == Token::Kind::number) threads = token(next + 7).text;
      int depth = 0;
      do {
        ++next;
        depth += token(next).text == "(" ? 1 : token(next).text == ")" ? -1 : 0;
      } while (depth > 0 && token(next).kind != Token::Kind::end);
    }
    if (global) {
      if (token(next).text != "(" || token(next - 1).kind != Token::Kind::word) {
        text_error(token().line, "a kernel must be declared extern \"C\" __global__ void NAME(PARAMETERS)");
      }
      if (!wanted_.empty() && std::find(wanted_.begin(), wanted_.end(), token(next - 1).text) == wanted_.end()) {
        leave_out(next);
        return;
      }
      std::string scope;
      for (const auto &[name, depth] : namespaces_) scope += name + "::";
      entries_.push_back({std::string(token(next - 1).text), scope, threads});
    }
    at_ += next;
  }

  // Drops a kernel whose parameters begin `next` tokens ahead, body and all.
  void leave_out(std::size_t next) {
    while (token(next).text != "{" && token(next).kind != Token::Kind::end) ++next;
    for (int depth = 0; token(next).kind != Token::Kind::end;) {
      depth += token(next).text == "{" ? 1 : token(next).text == "}" ? -1 : 0;
      ++next;
      if (depth == 0) break;
    }
    replace(next, "");
  }

  // Keeps track of named namespaces, in which kernels may lie.
  void braces(std::string_view word) {
    if (word == "{") {
      ++depth_;
      if (at_ >= 2 && tokens_[at_ - 2].text == "namespace") namespaces_.emplace_back(tokens_[at_ - 1].text, depth_);
    } else if (word == "}") {
      if (!namespaces_.empty() && namespaces_.back().second == depth_) namespaces_.pop_back();
      --depth_;
    }
  }

  // Tokens of what says "aligned to 16 bytes" behind `struct`; 0: something else is there.
  std::size_t quad_alignment() const {
    if (token(1).text == "__align__") return 4;
    const std::array<std::string_view, 9> attribute = {"__attribute__", "(", "(", "aligned", "(", "16", ")", ")", ")"};
    return matches(attribute, 1) ? attribute.size() : 0;
  }

  void quad() {
    const std::size_t name = 1 + quad_alignment();
    const std::array<std::string_view, 12> form = {"", "{", "unsigned", "x", ",", "y", ",", "z", ",", "w", ";", "}"};
    if ((name == 5 && token(3).text != "16") || !matches(form, name) || token(name + 12).text != ";") {
      text_error(token().line, "counting: only struct __align__(16) NAME { unsigned x, y, z, w; }; can be reported");
    }
    replace(name + 13, "SIMT_QUAD(" + std::string(token(name).text) + ")");
  }

  struct Found {
    std::string name, scope, threads;
  };
  const std::string &text_;
  std::vector<Token> tokens_;
  Dialect dialect_;
  bool count_;
  const std::vector<std::string> &wanted_;
  std::size_t at_ = 0, copied_ = 0;
  bool has_shared_ = false;
  std::string output_;
  std::vector<Found> entries_;
  int depth_ = 0;
  std::vector<std::pair<std::string, int>> namespaces_;  // with the depth inside of it
};

}  // namespace

std::vector<std::string> kernel_names(const std::string &text, Dialect dialect) {
  return Rewriter(text, dialect, Build{}).names();
}

std::string rewrite(const std::string &text, Dialect dialect, const Build &build) {
  return Rewriter(text, dialect, build).run();
}

}  // namespace simt
