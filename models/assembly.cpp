// See assembly.h.
#include "models/assembly.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace alnsmith::models {

LoopCensus hot_loop_census(const std::string &assembly, const std::string &function) {
  // The function's lines, and where its labels are.
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> labels;
  std::istringstream in(assembly);
  bool inside = false;
  static const std::regex label_line(R"(^([.A-Za-z_][\w.$]*):)"), jump(R"(^\s+j\w+\s+([.\w$]+))"),
      vector_register(R"(%[xyz]mm(\d+))"), stack(R"(-?\d*\(%r[sb]p\))");
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
    if (line.size() > 1 && line[0] == '\t' && line[1] != '.') lines.push_back(line);
  }
  LoopCensus best;
  int most = 0;
  for (std::size_t end = 0; end < lines.size(); ++end) {
    std::smatch m;
    if (!std::regex_search(lines[end], m, jump)) continue;
    const auto it = labels.find(m[1]);
    if (it == labels.end() || it->second > end) continue;
    // A back edge. Loops that hold another back edge are not innermost.
    bool innermost = true;
    LoopCensus census;
    std::set<std::string> registers;
    int maxima = 0;
    for (std::size_t i = it->second; i <= end; ++i) {
      std::smatch inner;
      if (i != end && std::regex_search(lines[i], inner, jump)) {
        const auto to = labels.find(inner[1]);
        if (to != labels.end() && to->second > it->second && to->second <= i) innermost = false;
      }
      ++census.instructions;
      bool vector = false;
      for (std::sregex_iterator r(lines[i].begin(), lines[i].end(), vector_register), none; r != none; ++r) {
        registers.insert((*r)[1]);
        vector = true;
      }
      if (!vector) continue;
      if (lines[i].find("pmax") != std::string::npos) ++maxima;
      if (std::smatch s; std::regex_search(lines[i], s, stack)) {
        // A store has the memory operand last.
        const bool store = lines[i].find('%', static_cast<std::size_t>(s.position() + s.length())) == std::string::npos;
        ++(store ? census.spill_stores : census.spill_loads);
      }
    }
    census.registers = static_cast<int>(registers.size());
    if (innermost && maxima > most) {
      most = maxima;
      best = census;
    }
  }
  return best;
}

}  // namespace alnsmith::models
