// The report: passes, operations per cell, registers and spills, memory traffic, port limits.
#include "explain/explain.h"

#include <cstdlib>
#include <sstream>

#include "backend/printer.h"
#include "explain/explain_device.h"
#include "explain/shell.h"
#include "models/assembly.h"
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
  std::istringstream names(ALNSMITH_KERNEL_COMPILERS);
  for (std::string name; names >> name;)
    if (found(name)) return name;
  return {};
}

}  // namespace

std::string explain(const plan::Plan &plan, const backend::Unit &unit, const std::string &path,
                    std::span<const models::CpuModel> cores) {
  if (plan.target->device) return explain_device(plan, unit, path);
  std::string out;
  const std::string_view machine = plan.target->cpu->machine;
  const std::string cxx = compiler(machine);
  std::string assembly;
  if (!cxx.empty())
    assembly = output_of("sed 's|^ *" + std::string(backend::hot_row_comment) + "$|__asm__ volatile(\"" +
                         std::string(models::hot_row_assembly) + "\");|' " + quoted(path) + " | " + cxx +
                         " -x c++ -std=c++17 -O2 -fwrapv -fno-strict-aliasing -fno-exceptions -fno-rtti -fPIC -w " +
                         plan.target->flags() + " -S -o - - 2>/dev/null");
  for (std::size_t i = 0; i < unit.reports.size(); ++i) {
    const backend::KernelReport &report = unit.reports[i];
    const plan::KernelPlan &kernel = plan.kernels[i];
    const double cells = static_cast<double>(kernel.columns()) * kernel.lanes;
    out += report.entry + "\n";
    for (const passes::Trace &t : report.trace)
      out += format("  after %-18s %5d statements, %4d vector operations in the hot loop\n", t.pass.c_str(),
                    t.operations, t.hot_operations);
    out += format(
        "  a row of %d x %d cells: %.0f vector operations (%.0f maxima, %.0f compares and lookups, %.0f saturating), "
        "%.2f a cell and lane\n",
        kernel.columns(), kernel.lanes, report.row.any, report.row.maxima, report.row.compares, report.row.saturating,
        report.row.any / kernel.columns());
    if (report.row.by_name.contains("look_up"))
      out += "  scores of pairs: looked up in tables of each lane's own, 16 rows at a time\n";
    else if (kernel.form == Form::pairwise && kernel.statics.at("scores") != static_cast<int>(Scores::compare))
      out += "  scores of pairs: from a profile of all lanes by compare and blend, letter by letter\n";
    out += format("  memory: %.0f vector loads and stores a row, %.0f bytes per 1,000 cells\n", report.row.memory,
                  1000 * report.row.memory * kernel.lanes * kernel.width / 8 / cells);
    if (assembly.empty()) {
      out += "  registers: no compiler found (ALNSMITH_CXX, clang++, g++; of another machine its cross compiler)\n";
    } else if (plan.target->vector_bytes) {
      const models::LoopCensus census = models::hot_loop_census(assembly, report.entry, machine);
      if (census.instructions == 0)
        out += "  compiled hot loop: the row holds another loop, not counted\n";
      else
        out += format(
            "  compiled hot loop: %d instructions for %s, %d of %d vector registers, %d spill stores, %d spill loads\n",
            census.instructions, kernel.unroll == 1 ? "a row" : (std::to_string(kernel.unroll) + " rows").c_str(),
            census.registers, plan.target->registers, census.spill_stores, census.spill_loads);
    }
    if (plan.target->vector_bytes)
      for (const models::CpuModel &cpu : cores)
        if (cpu.machine == machine)
          if (const auto limit = models::port_limit(cpu, plan.target->vector_bytes, report.row, cells))
            out += format("  port limit, %s at %.1f GHz: %.1f GCUPS\n", std::string(cpu.name).c_str(), cpu.ghz, *limit);
  }
  return out;
}

}  // namespace alnsmith
