// See ptx.h.
#include "ptx.h"

#include <cctype>
#include <cstring>

namespace simt {
namespace {

constexpr PtxRow ROWS[] = {
#define PTX(name, instruction, result, operands, ...) {#name, instruction, #result[0], #operands},
#include "device/ptx_table.inc"
#undef PTX
};

struct Operand {
  std::string constraint, expression;
};

class Statement {
 public:
  Statement(std::string_view text, const std::vector<Token> &tokens, std::size_t at)
      : text_(text), tokens_(tokens), at_(at), line_(tokens[at].line) {}

  std::string parse(std::size_t &after) {
    ++at_;
    if (is("volatile") || is("__volatile__")) ++at_;
    expect("(");
    if (tokens_[at_].kind != Token::Kind::string) text_error(line_, "asm: expected one string");
    const std::string instruction(tokens_[at_].text.substr(1, tokens_[at_].text.size() - 2));
    ++at_;
    expect(":");
    const std::vector<Operand> outputs = operands();
    expect(":");
    const std::vector<Operand> inputs = operands();
    expect(")");
    expect(";");
    after = at_;
    if (outputs.size() != 1) text_error(line_, "asm: expected exactly one output");
    return call(instruction, outputs[0], inputs);
  }

 private:
  bool is(std::string_view what) const { return tokens_[at_].text == what; }
  void expect(std::string_view what) {
    if (!is(what)) {
      text_error(line_, "asm: expected '" + std::string(what) + "' before '" + std::string(tokens_[at_].text) +
                            "'; the form is asm(\"op %0, %1;\" : \"=r\"(d) : \"r\"(a));");
    }
    ++at_;
  }

  std::vector<Operand> operands() {
    std::vector<Operand> list;
    while (tokens_[at_].kind == Token::Kind::string) {
      Operand operand;
      operand.constraint = tokens_[at_].text.substr(1, tokens_[at_].text.size() - 2);
      ++at_;
      const std::size_t begin = tokens_[at_].begin;
      expect("(");
      for (int depth = 1; depth > 0; ++at_) {
        if (tokens_[at_].kind == Token::Kind::end) text_error(line_, "asm: a bracket has no end");
        depth += is("(") ? 1 : is(")") ? -1 : 0;
      }
      operand.expression = text_.substr(begin, tokens_[at_ - 1].after() - begin);
      list.push_back(operand);
      if (!is(",")) break;
      ++at_;
    }
    return list;
  }

  // "op %0, %1, 7;" and the operands to "(d) = op(a, 7)". A text in brackets is a row as a whole, and takes its inputs
  // in order.
  std::string call(const std::string &text, const Operand &output, const std::vector<Operand> &inputs) const {
    if (text.starts_with('{')) {
      std::string kinds, arguments;
      for (const Operand &input : inputs) {
        kinds += input.constraint;
        arguments += (arguments.empty() ? "" : ", ") + input.expression;
      }
      return row(text, output, kinds, arguments);
    }
    const std::size_t blank = text.find(' '), semicolon = text.find(';');
    if (blank == std::string::npos || semicolon + 1 != text.size()) {
      text_error(line_, "asm: \"" + text + "\" is not one instruction that ends in a semicolon");
    }
    const std::string instruction = text.substr(0, blank);
    std::vector<std::string> written;
    std::string rest = text.substr(blank, semicolon - blank), one;
    for (const char c : rest + ",") {
      if (c == ',') {
        written.push_back(one);
        one.clear();
      } else if (!std::isspace(static_cast<unsigned char>(c))) {
        one += c;
      }
    }
    if (written[0] != "%0") text_error(line_, "asm: the result of \"" + text + "\" must be %0");
    std::string kinds, arguments;
    unsigned used = 0;  // one bit an input
    for (std::size_t i = 1; i < written.size(); ++i) {
      const std::string &operand = written[i];
      arguments += i > 1 ? ", " : "";
      if (operand.size() == 2 && operand[0] == '%' && operand[1] >= '1' &&
          operand[1] < static_cast<char>('1' + inputs.size())) {
        const Operand &input = inputs[static_cast<std::size_t>(operand[1] - '1')];
        if (input.constraint != "r" && input.constraint != "h" && input.constraint != "f" && input.constraint != "n") {
          text_error(line_, "asm: constraint \"" + input.constraint + "\" is not one of r, h, f, n");
        }
        kinds += input.constraint == "n" ? 'r' : input.constraint[0];
        arguments += input.expression;
        used |= 1u << (operand[1] - '1');
      } else if (!operand.empty() && (std::isdigit(static_cast<unsigned char>(operand[0])) || operand[0] == '-')) {
        kinds += 'r';
        arguments += "(unsigned)" + operand;
      } else {
        text_error(line_, "asm: \"" + text + "\": operand '" + operand + "' is neither %n with an input nor a number");
      }
    }
    if (used != (1u << inputs.size()) - 1) text_error(line_, "asm: \"" + text + "\" does not use each of its inputs");
    return row(instruction, output, kinds, arguments);
  }

  std::string row(const std::string &instruction, const Operand &output, const std::string &kinds,
                  const std::string &arguments) const {
    for (const PtxRow &row : ROWS) {
      if (instruction == row.instruction && kinds == row.operands &&
          output.constraint == std::string("=") + row.result) {
        return output.expression + " = ::simt::ptx::" + row.name + "(" + arguments + ");";
      }
    }
    text_error(line_, "asm: unknown instruction '" + instruction + "' (" + output.constraint + " from " + kinds +
                          "); add a row to tests/simt/device/ptx_table.inc");
  }

  std::string_view text_;
  const std::vector<Token> &tokens_;
  std::size_t at_;
  int line_;
};

}  // namespace

std::span<const PtxRow> ptx_rows() { return ROWS; }

std::string call_of_asm(std::string_view text, const std::vector<Token> &tokens, std::size_t &at) {
  return Statement(text, tokens, at).parse(at);
}

}  // namespace simt
