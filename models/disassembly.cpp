// See disassembly.h.
#include "models/disassembly.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace alnsmith::models {
namespace {

struct Instruction {
  std::string operation, jumps_to;  // label, or empty
};

struct Code {
  std::vector<Instruction> instructions;
  std::map<std::string, std::size_t> labels;  // index of the instruction behind
};

struct Span {
  std::size_t first, last;
  bool inside(const Span &other) const {
    return first >= other.first && last <= other.last && (first != other.first || last != other.last);
  }
};

// A loop is what lies between a label and a later jump back to it; innermost: none lies within.
std::vector<Loop> innermost_loops(const Code &code) {
  std::vector<Span> loops;
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    const auto label = code.labels.find(code.instructions[i].jumps_to);
    if (label != code.labels.end() && label->second < i) loops.push_back({label->second, i});
  }
  std::vector<Loop> found;
  for (const Span &loop : loops) {
    if (std::any_of(loops.begin(), loops.end(), [&](const Span &other) { return other.inside(loop); })) continue;
    Loop counted;
    counted.instructions = static_cast<int>(loop.last - loop.first + 1);
    for (std::size_t i = loop.first; i <= loop.last; ++i) ++counted.operations[code.instructions[i].operation];
    found.push_back(std::move(counted));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Loop &a, const Loop &b) { return a.instructions > b.instructions; });
  return found;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t;")); }

void each_line(std::string_view text, const std::function<void(std::string_view)> &take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Listing of the functions that `name_in` finds the beginnings of, their code filled by `add`.
Listing read(std::string_view listing, const std::function<std::optional<std::string>(std::string_view)> &name_in,
             const std::function<void(std::string_view, Code &)> &add) {
  std::map<std::string, Code> functions;
  Code *current = nullptr;
  each_line(listing, [&](std::string_view line) {
    if (const auto name = name_in(line))
      current = &functions[*name];
    else if (current)
      add(line, *current);
  });
  Listing found;
  for (const auto &[name, code] : functions) found[name] = innermost_loops(code);
  return found;
}

}  // namespace

int Loop::count(std::string_view operation) const {
  int number = 0;
  for (const auto &[name, times] : operations)
    if (std::string_view(name).substr(0, name.find('.')) == operation || name == operation) number += times;
  return number;
}

int Loop::maxima() const {
  int number = 0;
  for (const auto &[name, times] : operations) {
    const auto has = [&](const char *part) { return name.find(part) != std::string::npos; };
    if (has("MNMX3") || has("VHMNMX") || has("_max3") || has("_maximum3"))
      number += 2 * times;
    else if (has("MNMX") || has("_max"))
      number += times;
  }
  return number;
}

const Loop *row_loop(const std::vector<Loop> &loops, int k) {
  const Loop *best = nullptr;
  for (const Loop &loop : loops)
    if (loop.maxima() >= 2 * k && (!best || loop.instructions < best->instructions)) best = &loop;
  return best;
}

// ".text.NAME:", ".L_x_1:", "        /*0040*/               @P0 BRA `(.L_x_0) ;"
Listing read_sass(std::string_view listing) {
  const auto name_in = [](std::string_view line) -> std::optional<std::string> {
    if (!line.starts_with(".text.") || !line.ends_with(':')) return std::nullopt;
    return std::string(line.substr(6, line.size() - 7));
  };
  return read(listing, name_in, [](std::string_view line, Code &code) {
    if (line.starts_with(".L_") && line.ends_with(':')) {
      code.labels[std::string(line.substr(0, line.size() - 1))] = code.instructions.size();
      return;
    }
    line = trimmed(line);
    const std::size_t behind = line.find("*/");
    if (!line.starts_with("/*") || behind == std::string_view::npos) return;
    line = trimmed(line.substr(behind + 2));
    if (line.starts_with('@')) line = trimmed(line.substr(first_word(line).size()));  // a predicate
    if (line.empty() || line.starts_with('/')) return;
    Instruction instruction{std::string(first_word(line)), ""};
    const std::size_t label = line.find("`(");
    if (instruction.operation.starts_with("BRA") && label != std::string_view::npos)
      instruction.jumps_to = std::string(line.substr(label + 2, line.find(')', label) - label - 2));
    code.instructions.push_back(std::move(instruction));
  });
}

// "0000000000001600 <NAME>:", "0000000000001678 <L0>:", "\ts_cbranch_scc1 L0      // 0000000019CC: BF85FF2A"
Listing read_amd(std::string_view listing) {
  const auto symbol = [](std::string_view line) {
    const std::size_t open = line.find(" <");
    return line.ends_with(">:") && open != std::string_view::npos && line[0] != '\t'
               ? std::string(line.substr(open + 2, line.size() - open - 4))
               : std::string();
  };
  const auto is_label = [](const std::string &name) {
    return name.size() > 1 && name[0] == 'L' && name.find_first_not_of("0123456789", 1) == std::string::npos;
  };
  const auto name_in = [&](std::string_view line) -> std::optional<std::string> {
    std::string name = symbol(line);
    if (name.empty() || is_label(name)) return std::nullopt;
    return name;
  };
  return read(listing, name_in, [&](std::string_view line, Code &code) {
    if (const std::string name = symbol(line); !name.empty()) {
      code.labels[name] = code.instructions.size();
    } else if (line.starts_with('\t')) {
      Instruction instruction{std::string(first_word(trimmed(line))), ""};
      if (instruction.operation.find("branch") != std::string::npos)
        instruction.jumps_to = first_word(trimmed(trimmed(line).substr(instruction.operation.size())));
      code.instructions.push_back(std::move(instruction));
    }
  });
}

}  // namespace alnsmith::models
