// See generated.h.
#include "generated.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "backend/unit.h"
#include "disassemble.h"
#include "spec/parse.h"
#include "target/target.h"
#include "widest.h"

namespace alnsmith::test {
namespace {

namespace fs = std::filesystem;

// Compilers may unroll steps. Profiles are read four scores at a time, which tells the rows of a loop that has one; the
// kernels without do the same maxima for a cell.
void count_rows(std::vector<KernelRow> &kernels) {
  std::map<std::string, double> maxima_a_cell;  // by arithmetic
  for (KernelRow &kernel : kernels) {
    if (!kernel.loop || kernel.p == 1 || kernel.form != name_of(Form::shared_profile)) continue;
    int reads = 0;
    for (const char *read : {"LDS.128", "LDS.U.128", "ds_read_b128", "ds_load_b128"}) reads += kernel.loop->count(read);
    kernel.rows = std::max(1, reads / (kernel.k / 4));
    maxima_a_cell[kernel.arithmetic] = double(kernel.loop->maxima()) / (kernel.rows * kernel.k);
  }
  for (KernelRow &kernel : kernels) {
    const auto known = maxima_a_cell.find(kernel.arithmetic);
    if (!kernel.loop || kernel.p == 1 || kernel.form == name_of(Form::shared_profile) || known == maxima_a_cell.end())
      continue;
    kernel.rows = std::max(1, int(std::lround(kernel.loop->maxima() / (known->second * kernel.k))));
  }
}

}  // namespace

std::vector<std::string> shipped_specs() {
  std::vector<std::string> names;
  for (const auto &file : fs::directory_iterator(ALNSMITH_SPECS))
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> device_targets() {
  std::vector<std::string> names;
  for (const backend::Target &target : backend::device_targets()) names.emplace_back(target.name);
  return names;
}

Result<Generated> generate(const std::string &name, const std::string &target, std::optional<std::size_t> turn) {
  const std::string at = name + " for " + target + ": ";
  auto spec = spec::parse_file(std::string(ALNSMITH_SPECS) + "/" + name + ".yaml");
  if (!spec) return Error{at + spec.error().message};
  const backend::Target *row = backend::find_target(target);
  if (!row) return Error{at + "the generator does not know the target"};
  auto templates = frontend::Templates::parse("");
  if (!templates) return Error{at + templates.error().message};
  auto plan = plan::make_plan(*spec, *row, *templates);
  if (!plan) return Error{at + plan.error().message};
  if (turn) {
    std::set<std::string> taken;
    for (const auto &list : widest_kernels(*plan)) taken.insert(list[*turn % list.size()]);
    std::erase_if(plan->kernels, [&](const plan::KernelPlan &kernel) { return !taken.contains(kernel.entry); });
  }
  auto unit = backend::make_unit(*spec, *plan, *templates);
  if (!unit) return Error{at + unit.error().message};
  Generated generated{std::move(unit->text), {}};
  for (const plan::KernelPlan &k : plan->kernels) {
    KernelRow kernel;
    kernel.spec = name;
    kernel.target = target;
    kernel.entry = k.entry;
    kernel.form = name_of(k.form);
    kernel.mapping = k.mapping;
    kernel.arithmetic = k.arithmetic;
    kernel.p = k.p;
    kernel.k = k.k;
    kernel.packing = k.packing;
    kernel.affine = spec->insertion.model != spec::GapModel::linear;
    kernel.rows = k.unroll;
    generated.kernels.push_back(std::move(kernel));
  }
  return generated;
}

Result<rt::compile::DeviceBinary> compile_generated(Generated &generated, const std::string &spec,
                                                    const std::string &target, const rt::compile::CompileOptions &given,
                                                    std::string &said) {
  rt::compile::CompileOptions options = given;
  options.name = spec + (target.starts_with("cuda") ? ".cu" : target.starts_with("hip") ? ".hip" : ".cl");
  auto binary = rt::compile::compile_device(generated.text, target, options, {});
  if (!binary) return binary;
  for (KernelRow &kernel : generated.kernels)
    if (const auto found = binary->kernels.find(kernel.entry); found != binary->kernels.end())
      kernel.resources = found->second;
  if (binary->kind != rt::compile::BinaryKind::cubin && binary->kind != rt::compile::BinaryKind::code_object)
    return binary;
  const auto listing = check::disassemble(*binary);
  if (!listing) return said = listing.error().message, binary;
  for (KernelRow &kernel : generated.kernels)
    if (const auto found = listing->find(kernel.entry); found != listing->end())
      if (const models::Loop *loop = models::row_loop(found->second, kernel.k)) kernel.loop = *loop;
  count_rows(generated.kernels);
  return binary;
}

}  // namespace alnsmith::test
