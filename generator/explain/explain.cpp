// The report: passes, operations a cell, registers and spills, memory traffic, port limits.
#include "explain/explain.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "backend/printer.h"
#include "explain/explain_device.h"
#include "explain/shell.h"
#include "models/cpu_model.h"

namespace alnsmith {

namespace {

std::string compiler(std::string_view machine) {
  const auto found = [](const std::string &name) { return !output_of("command -v " + name + " 2>/dev/null").empty(); };
  if (machine != targets::host_machine() && !machine.empty()) {
    const targets::Machine *row = targets::find_machine(machine);
    const std::string cross = row ? std::string(row->tools) + "g++" : "";
    return found(cross) ? cross : "";
  }
  if (const char *set = std::getenv("ALNSMITH_CXX")) return quoted(set);
  for (const char *name : {"clang++-22", "clang++-21", "clang++-20", "clang++-19", "clang++", "g++"})
    if (found(name)) return name;
  return {};
}

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

std::string explain(const plan::Plan &plan, const backend::Unit &unit, const std::string &path) {
  if (plan.target->device) return explain_device(plan, unit, path);
  std::string out;
  const std::string_view machine = plan.target->cpu->machine;
  const std::string cxx = compiler(machine);
  std::string assembly;
  if (!cxx.empty())
    assembly =
        output_of("sed 's|^ *" + std::string(backend::hot_row_comment) + "$|__asm__ volatile(\"" +
                  std::string(hot_row_assembly) + "\");|' " + quoted(path) + " | " + cxx +
                  " -x c++ -std=c++17 -O2 -fwrapv -fno-strict-aliasing -fno-exceptions -fno-rtti -fPIC -w " +
                  plan.target->flags() + " -S -o - - 2>/dev/null");
  for (std::size_t i = 0; i < unit.reports.size(); ++i) {
    const backend::KernelReport &report = unit.reports[i];
    const plan::KernelPlan &kernel = plan.kernels[i];
    const double cells = static_cast<double>(kernel.k) * kernel.lanes;
    out += report.entry + "\n";
    for (const passes::Trace &t : report.trace)
      out += format("  after %-18s %5d statements, %4d vector operations in the hot loop\n", t.pass.c_str(),
                    t.operations, t.hot_operations);
    out += format(
        "  a row of %d x %d cells: %.0f vector operations (%.0f maxima, %.0f compares and lookups, %.0f saturating), "
        "%.2f a cell and lane\n",
        kernel.k, kernel.lanes, report.row.any, report.row.maxima, report.row.compares, report.row.saturating,
        report.row.any / kernel.k);
    out += format("  memory: %.0f vector loads and stores a row, %.0f bytes per 1,000 cells\n", report.row.memory,
                  1000 * report.row.memory * kernel.lanes * kernel.width / 8 / cells);
    if (assembly.empty()) {
      out += "  registers: no compiler found (ALNSMITH_CXX, clang++, g++; of another machine its cross compiler)\n";
    } else if (plan.target->vector_bytes) {
      const LoopCensus census = hot_loop_census(assembly, report.entry, machine);
      if (census.instructions == 0)
        out += "  compiled hot loop: the row holds another loop, not counted\n";
      else
        out += format(
            "  compiled hot loop: %d instructions for %s, %d of %d vector registers, %d spill stores, %d spill loads\n",
            census.instructions, kernel.rows == 1 ? "a row" : (std::to_string(kernel.rows) + " rows").c_str(),
            census.registers, plan.target->registers, census.spill_stores, census.spill_loads);
    }
    if (plan.target->vector_bytes)
      for (const backend::Core &core : backend::cores())
        if (core.machine == machine)
          out += format("  port limit, %s at %.1f GHz: %.1f GCUPS\n", std::string(core.name).c_str(), core.ghz,
                        backend::port_limit(core, plan.target->vector_bytes, report.row, cells));
  }
  return out;
}

}  // namespace alnsmith
