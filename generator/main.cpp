// alnsmith-generate: specs to kernel text. The only program that contains Clang; `alnsmith` starts it when needed.
//
//   plan SPEC --target T                    the manifest of all kernels the spec yields, as JSON
//   text SPEC --target T [--kernel E] -o F  one translation unit
//   generate SPEC [--target T] [-o DIR]     one file per target
//   circuits SPEC [-o F]                    a spec's circuit, or a search for a lighter one
//   link SPEC --target T [-o DIR]           kernels to be compiled into a program, and a header that names them
// Exit: 0, 1 for bad input, 2 for usage. Errors are one line; a template's refusal adds its inlining trace.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "backend/sharing.h"
#include "backend/unit.h"
#include "circuits_command.h"
#include "explain/explain.h"
#include "explain/reach.h"
#include "frontend/templates.h"
#include "linked_text.h"
#include "models/cpu_model.h"
#include "plan/plan.h"
#include "plan/tables.h"
#include "plan/version.h"
#include "say.h"
#include "spec/parse.h"
#include "spec/yaml_tree.h"
#include "write_file.h"

namespace {

using namespace alnsmith;

Result<const backend::Target *> target_by_name(const std::string &name) {
  if (const backend::Target *target = backend::find_target(name)) return target;
  return Error{"--target " + name + ": no such target; this build generates for " + backend::target_names()};
}

// What all subcommands take.
struct Request {
  std::string spec_file, templates_dir, output, choice, tuned_dir, cpu, limits;
  std::vector<std::string> targets, kernels, spilled;
  bool explain = false;
  int k = 0;
};

Result<plan::Plan> planned(const spec::Spec &spec, const std::string &target, const frontend::Templates &templates,
                           const Request &request) {
  auto t = target_by_name(target);
  if (!t) return t.error();
  auto tuning = plan::make_tuning({request.choice, request.tuned_dir, request.cpu}, spec, (*t)->name);
  if (!tuning) return tuning.error();
  return plan::make_plan(spec, **t, templates, *tuning, {request.spilled.begin(), request.spilled.end()});
}

// For the CPU targets that share a text with this one; those that the planner refuses have none.
std::vector<plan::Plan> planned_beside(const spec::Spec &spec, const backend::Target &target,
                                       const frontend::Templates &templates, const Request &request) {
  std::vector<plan::Plan> plans;
  for (const backend::Target &other : backend::targets())
    if (other.name != target.name && backend::one_text(target, other))
      if (auto plan = planned(spec, other.name, templates, request)) plans.push_back(*std::move(plan));
  return plans;
}

// Whose limits are told: the model's cores and one that was measured. A damaged file costs its own limits and no
// kernel.
std::vector<models::CpuModel> cores() {
  std::vector<models::CpuModel> list(models::cpu_models().begin(), models::cpu_models().end());
  const char *path = std::getenv("ALNSMITH_CORE");
  if (path == nullptr || *path == 0) return list;
  const auto text = spec::read_text_file(path);
  const auto core = text ? models::parse_core(*text) : Result<models::CpuModel>(text.error());
  if (core)
    list.push_back(*core);
  else
    say("ALNSMITH_CORE: " + (text ? std::string(path) + " " : "") + core.error().message + "; its limits are left out");
  return list;
}

void say_note(const spec::Spec &spec, const plan::Plan &plan) {
  if (!plan.note.empty()) say(spec.name + ", " + plan.target->name + ": " + plan.note);
}

int run_plan(const Request &request) {
  auto spec = spec::parse_file(request.spec_file);
  if (!spec) return fail(spec.error());
  auto templates = frontend::Templates::parse(request.templates_dir);
  if (!templates) return fail(templates.error());
  auto plan = planned(*spec, request.targets.at(0), *templates, request);
  if (!plan) return fail(plan.error());
  say_note(*spec, *plan);
  std::cout << plan::manifest(*spec, *plan) << "\n";
  return 0;
}

int run_text(const Request &request) {
  auto spec = spec::parse_file(request.spec_file);
  if (!spec) return fail(spec.error());
  auto templates = frontend::Templates::parse(request.templates_dir);
  if (!templates) return fail(templates.error());
  auto plan = planned(*spec, request.targets.at(0), *templates, request);
  if (!plan) return fail(plan.error());
  if (!request.kernels.empty()) {
    for (const std::string &name : request.kernels)
      if (std::ranges::find(plan->kernels, name, &plan::KernelPlan::entry) == plan->kernels.end())
        return fail({"--kernel " + name + ": the spec has no such kernel; `plan` lists them"});
    std::erase_if(plan->kernels, [&](const plan::KernelPlan &k) {
      return std::ranges::find(request.kernels, k.entry) == request.kernels.end();
    });
  }
  if (request.k > 0)
    for (plan::KernelPlan &kernel : plan->kernels) kernel.statics["k"] = kernel.k = request.k;
  auto unit = backend::make_unit(*spec, *plan, *templates);
  if (!unit) return fail(unit.error());
  if (auto written = write_text(request.output, unit->text); !written) return fail(written.error());
  if (!request.limits.empty())
    if (auto written = write_text(request.limits, limits(*plan, *unit, cores())); !written)
      return fail(written.error());
  return 0;
}

int run_generate(const Request &request) {
  auto spec = spec::parse_file(request.spec_file);
  if (!spec) return fail(spec.error());
  auto templates = frontend::Templates::parse(request.templates_dir);
  if (!templates) return fail(templates.error());
  std::vector<std::string> names = request.targets;
  if (names.empty()) {
    // The spec's own list may name targets of other builds.
    for (const std::string &name : spec->targets) {
      if (backend::find_target(name))
        names.push_back(name);
      else
        say("skipped " + name + ": this build generates for " + backend::target_names());
    }
    if (names.empty()) return fail({request.spec_file + ": lists no target of this build; name one with --target"});
  }
  std::error_code error;
  std::filesystem::create_directories(request.output, error);
  if (error) return fail({request.output + ": " + error.message() + "; name a folder that can be made"});
  const bool on_cpu = std::ranges::any_of(names, [](const std::string &n) {
    const backend::Target *t = backend::find_target(n);
    return t && !t->device;
  });
  if (spec->half_precision == spec::Switch::on && on_cpu)
    say("half_precision: on is for GPUs; the CPU targets ignore it");
  std::set<const backend::Target *> done;  // variants share a text
  const auto known = request.explain ? cores() : std::vector<models::CpuModel>();
  for (const std::string &name : names) {
    auto plan = planned(*spec, name, *templates, request);
    if (!plan) return fail(plan.error());
    const backend::Target &target = *plan->target;
    if (!done.insert(&target).second) continue;
    say_note(*spec, *plan);
    auto unit = backend::make_unit(*spec, *plan, *templates, {}, planned_beside(*spec, target, *templates, request));
    if (!unit) return fail(unit.error());
    // A device's name has colons, which file names are better off without; its manifest is a file of its own.
    std::string stem = spec->name + "-" + target.name;
    std::ranges::replace(stem, ':', '-');
    stem = request.output + "/" + stem;
    const std::string path = stem + "." + std::string(target.device ? target.device->extension : "cpp");
    if (auto written = write_text(path, unit->text); !written) return fail(written.error());
    std::cout << path << "\n";
    if (target.device) {
      if (auto written = write_text(stem + ".json", plan::manifest(*spec, *plan) + "\n"); !written)
        return fail(written.error());
      std::cout << stem << ".json\n";
    }
    if (request.explain) std::cout << explain(*plan, *unit, path, known);
  }
  return 0;
}

int run_link(const LinkRequest &request) {
  const auto paths = link_kernels(request);
  if (!paths) return fail(paths.error());
  for (const std::string &path : *paths) std::cout << path << "\n";
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  CLI::App app{"Generates alignment kernels from a YAML spec.", "alnsmith-generate"};
  app.set_version_flag("--version", plan::version);
  app.require_subcommand(1);
  Request request;
  auto spec_and_templates = [&](CLI::App *command) {
    command->add_option("SPEC", request.spec_file, "YAML spec")->required();
    command->add_option("--templates", request.templates_dir, "Folder of templates (default: the built-in ones)");
    command->add_option("--choice", request.choice,
                        "Instead of what spec and tables say: "
                        "k=8,arithmetic=int16,mapping=lanes,rows=2,p=16,block=4,grid=2, any of them");
    command->add_option("--spilled", request.spilled,
                        "A device's kernel that a compiler could not keep in registers: the planner takes a narrower "
                        "tile, unless spec or --choice give k; may be repeated");
    command->add_option("--cpu", request.cpu, "CPU class whose rows of the tuned tables count, such as znver4");
    command->add_option("--tuned", request.tuned_dir, "Folder of tuned tables (default: the built-in ones)");
  };
  CLI::App *plan = app.add_subcommand("plan", "Print the manifest of all kernels that the spec yields for a target");
  spec_and_templates(plan);
  plan->add_option("--target", request.targets, "Target")->required()->expected(1);
  CLI::App *text = app.add_subcommand("text", "Write one translation unit of kernels for a target");
  spec_and_templates(text);
  text->add_option("--target", request.targets, "Target")->required()->expected(1);
  text->add_option("--kernel", request.kernels, "Only this kernel; may be repeated");
  text->add_option("--trial-k", request.k,
                   "Register letters per lane, instead of the plan's: to see which k a compiler can keep in registers; "
                   "the kernel does not fit its manifest")
      ->check(CLI::Range(1, 64));
  text->add_option("-o,--output", request.output, "File, - for standard output")->default_str("-");
  text->add_option("--limits", request.limits, "File for what the models say that each kernel can reach, as JSON");
  CLI::App *generate = app.add_subcommand("generate", "Write one file of kernels per target");
  spec_and_templates(generate);
  generate->add_option("--target", request.targets, "Target; may be repeated (default: the spec's list)");
  generate->add_option("-o,--output", request.output, "Folder, made if missing (default: .)");
  generate->add_flag("--explain", request.explain, "Print operations, registers, traffic and limits of each kernel");
  LinkRequest link_request;
  CLI::App *link = app.add_subcommand("link", "Write kernels to be compiled into a program, and the header of them");
  link->add_option("SPEC", link_request.spec_file, "YAML spec")->required();
  link->add_option("--target", link_request.targets, "CPU target; may be repeated")->required();
  link->add_option("-o,--output", link_request.folder, "Folder, made if missing (default: .)")->default_str(".");
  link->add_option("--name", link_request.name, "Of the files and the symbol (default: the spec file's)");
  link->add_option("--depfile", link_request.depfile, "Also write what the files follow from, for make and ninja");
  link->add_option("--templates", link_request.templates_dir, "Folder of templates (default: the built-in ones)");
  CircuitsRequest circuits_request;
  CLI::App *circuits = add_circuits(app, circuits_request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : 2;
  }
  if (plan->parsed()) return run_plan(request);
  if (text->parsed()) {
    if (request.output.empty()) request.output = "-";
    return run_text(request);
  }
  if (circuits->parsed()) return run_circuits(circuits_request);
  if (link->parsed()) {
    if (link_request.folder.empty()) link_request.folder = ".";
    return run_link(link_request);
  }
  if (request.output.empty()) request.output = ".";
  return run_generate(request);
}
