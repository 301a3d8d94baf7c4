// See kernel_text.h.
#include "kernel_text.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "backend/unit.h"
#include "target/target.h"

namespace alnsmith::test {
namespace {

frontend::Templates parsed() {
  auto templates = frontend::Templates::parse("");
  if (!templates) throw std::runtime_error(templates.error().message);
  return std::move(*templates);
}

void replace_all(std::string &text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

}  // namespace

TextMaker::TextMaker() : templates_(parsed()) {}

Result<KernelText> TextMaker::make(const spec::Spec &spec, const std::string &target, const Takes &takes) const {
  const backend::Target *row = backend::find_target(target);
  if (!row) return Error{target + ": the generator does not know this target"};
  auto plan = plan::make_plan(spec, *row, templates_);
  if (!plan) return plan.error();
  if (takes) std::erase_if(plan->kernels, [&](const plan::KernelPlan &kernel) { return !takes(kernel); });
  auto unit = backend::make_unit(spec, *plan, templates_);
  if (!unit) return unit.error();
  KernelText made{spec, target, std::move(*plan), std::move(unit->text), {}};
  made.essence = made.text;
  replace_all(made.essence, "_" + std::string(row->identifier), "");
  replace_all(made.essence, "// target " + std::string(row->name), "");
  return made;
}

std::string family(const std::string &target) { return target.substr(0, target.find(':')); }

std::vector<std::vector<std::string>> target_classes() {
  std::vector<std::pair<backend::Device, std::vector<std::string>>> classes;
  for (const backend::Target &target : backend::device_targets()) {
    if (target.device->language == backend::Language::opencl) continue;
    const auto known = std::ranges::find(classes, *target.device, [](const auto &c) { return c.first; });
    if (known != classes.end())
      known->second.emplace_back(target.name);
    else
      classes.push_back({*target.device, {std::string(target.name)}});
  }
  std::vector<std::vector<std::string>> names;
  for (auto &[device, list] : classes) names.push_back(std::move(list));
  return names;
}

std::vector<std::string> shipped_specs() {
  std::vector<std::string> names;
  for (const auto &file : std::filesystem::directory_iterator(ALNSMITH_SPECS))
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace alnsmith::test
