// See assembly.h.
#include "models/assembly.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace alnsmith::models {
namespace {

// How a machine's assembly is read: a jump with its label, a vector register with its number, a place on the stack, a
// store.
struct Assembly {
  std::string_view machine;
  std::regex jump, vector_register, stack, store;
};

const Assembly *find_assembly(std::string_view machine) {
  static const Assembly table[] = {
      // A store has the memory operand last.
      {"x86_64", std::regex(R"(^\s+j\w+\s+([.\w$]+))"), std::regex(R"(%[xyz]mm(\d+))"),
       std::regex(R"(-?\d*\(%r[sb]p\))"), std::regex(R"(\(%r[sb]p\)[^%]*$)")},
      {"aarch64", std::regex(R"(^\s+(?:b|cb|tb)[\w.]*\s+(?:.*,\s*)?([.\w$]+)$)"), std::regex(R"(\b[vq](\d+)\b)"),
       std::regex(R"(\[(?:sp|x29))"), std::regex(R"(^\s+st)")},
  };
  for (const Assembly &row : table)
    if (row.machine == machine) return &row;
  return nullptr;
}

}  // namespace

LoopCensus hot_loop_census(const std::string &assembly, const std::string &function, std::string_view machine) {
  const Assembly *dialect = find_assembly(machine);
  if (!dialect) return {};
  const auto &[name, jump, vector_register, stack, store] = *dialect;
  // The function's instructions, where its labels are, and where the hot row begins.
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> labels;
  std::vector<std::size_t> marks;
  std::istringstream in(assembly);
  bool inside = false;
  static const std::regex label_line(R"(^([.A-Za-z_][\w.$]*):)");
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (std::regex_search(line, m, label_line)) {
      if (m[1] == function)
        inside = true;
      else if (inside && m[1].str()[0] != '.')
        break;
      if (inside) labels[m[1]] = lines.size();
      continue;
    }
    if (!inside) continue;
    if (line.find(".cfi_endproc") != std::string::npos) break;
    if (line.find(hot_row_assembly) != std::string::npos)
      marks.push_back(lines.size());
    else if (line.size() > 1 && line[0] == '\t' && line[1] != '.' && line[1] != '#')
      lines.push_back(line);
  }
  struct Loop {
    std::size_t begin, end;  // first and last instruction
  };
  std::vector<Loop> loops;
  for (std::size_t end = 0; end < lines.size(); ++end) {
    std::smatch m;
    if (!std::regex_search(lines[end], m, jump)) continue;
    if (const auto to = labels.find(m[1]); to != labels.end() && to->second <= end) loops.push_back({to->second, end});
  }
  const auto length = [](const Loop &l) { return l.end - l.begin; };
  const Loop *hot = nullptr;
  for (const std::size_t mark : marks)
    for (const Loop &loop : loops)
      if (loop.begin <= mark && mark <= loop.end && (!hot || length(loop) < length(*hot))) hot = &loop;
  LoopCensus census;
  if (!hot) return census;
  for (const Loop &loop : loops)
    if (loop.begin > hot->begin && loop.end < hot->end) return census;
  std::set<std::string> registers;
  for (std::size_t i = hot->begin; i <= hot->end; ++i) {
    ++census.instructions;
    bool vector = false;
    for (std::sregex_iterator r(lines[i].begin(), lines[i].end(), vector_register), none; r != none; ++r) {
      registers.insert((*r)[1]);
      vector = true;
    }
    if (!vector) continue;
    if (std::regex_search(lines[i], stack))
      ++(std::regex_search(lines[i], store) ? census.spill_stores : census.spill_loads);
  }
  census.registers = static_cast<int>(registers.size());
  return census;
}

}  // namespace alnsmith::models
