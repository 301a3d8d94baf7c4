// `alnsmith spec`: check, show, list, schema.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "child.h"
#include "commands.h"
#include "common/named_spec.h"
#include "common/paths.h"
#include "common/text.h"
#include "spec/canonical.h"
#include "spec/generic.h"
#include "spec/parse.h"
#include "spec/ranges.h"
#include "spec/schema.h"
#include "spec/yaml_tree.h"

namespace alnsmith::tool {
namespace {

// The generator's last line, without its own name, as the reason for a refusal.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.rfind('\n');
  if (line != std::string::npos) text.erase(0, line + 1);
  const std::string own_name = "alnsmith-generate: ";
  if (text.starts_with(own_name)) text.erase(0, own_name.size());
  return text;
}

struct Planned {
  bool kernels;
  std::string line;
};

// What the generator makes of the spec for one target, by the manifest it would give the kernels.
Planned plan(const std::string &path, const std::string &target) {
  const Result<ChildResult> plan = run_child({generator_path(), "plan", path, "--target", target});
  if (!plan) return {false, fmt::format("  {}: {}\n", target, plan.error().message)};
  if (plan->status != 0) return {false, fmt::format("  {}: refused: {}\n", target, last_line(plan->err))};
  const auto manifest = nlohmann::json::parse(plan->out, nullptr, false);
  if (manifest.is_discarded() || !manifest.contains("kernels"))
    return {false, fmt::format("  {}: the generator's plan cannot be read\n", target)};
  std::map<std::string, std::string> by_form;  // "pairs" -> "lanes int8 k=8, lanes int16 k=8"
  for (const auto &kernel : manifest["kernels"]) {
    std::string &list = by_form[kernel.value("form", std::string("?"))];
    const int p = kernel.value("p", 0);  // devices only
    list += fmt::format("{}{} {} {}k={}", list.empty() ? "" : ", ", kernel.value("mapping", std::string("?")),
                        kernel.value("arithmetic", std::string("?")), p ? fmt::format("p={} ", p) : "",
                        kernel.value("k", 0));
  }
  std::string line;
  for (const auto &[form, list] : by_form) line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", form, list);
  const std::string note = last_line(plan->err);
  return {!line.empty(), fmt::format("  {}: {}\n{}", target, line.empty() ? "no kernel" : line,
                                     note.empty() ? "" : fmt::format("    note: {}\n", note))};
}

int run_check(const std::vector<std::string> &files) {
  int status = 0;
  std::string text;
  const bool generator = !generator_path().empty();
  for (const std::string &name : files) {
    const Result<std::string> path = find_spec(name);
    if (!path) {
      status = report_error(path.error());
      continue;
    }
    const std::string &file = *path;
    const auto spec = spec::parse_file(file);
    if (!spec) {
      status = report_error(spec.error());
      continue;
    }
    std::string lines;
    bool kernels = !generator;
    if (generator) {
      for (const std::string &target : spec->targets) {
        const Planned planned = plan(file, target);
        lines += planned.line;
        kernels = kernels || planned.kernels;
      }
    }
    text += fmt::format("{}: {}, {} {}\n", printable(file, 400), kernels ? "ok" : "valid, without a kernel", spec->name,
                        spec::hash(*spec)) +
            lines;
    if (!kernels)
      status = report_error({fmt::format("{}: no kernel can be generated for any of its targets; the list says why",
                                         printable(file, 400))});
  }
  if (!generator && status == 0) text += "this build has no generator, so kernels are not listed\n";
  const int printed = print(text);
  return status != 0 ? status : printed;
}

// Hash, name and file; where kernels of a generic form may serve it, a second line: its hash, the longest sequences (0:
// any), what the spec fixes, its matrix row by row, and its objective.
std::string id_lines(const spec::Spec &spec, const std::string &path) {
  const SpecRef reference = spec::reference(spec, path);
  std::string text = fmt::format("{}\t{}\t{}\n", reference.hash, reference.name, path);
  if (!reference.generic) return text;
  const GenericSpec &generic = *reference.generic;
  std::vector<std::string> values;
  for (const auto &[name, value] : generic.scoring.values) values.push_back(fmt::format("{}={}", name, value));
  return text + fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", generic.hash, generic.max_query, generic.max_target,
                            fmt::join(values, ","), fmt::join(generic.scoring.matrix, ","),
                            generic.minimize ? "minimize" : "maximize");
}

int run_show(const std::string &name, bool id) {
  const auto named = named_spec(name);
  if (!named) return report_error(named.error());
  const spec::Spec &spec = named->spec;
  if (id) return print(id_lines(spec, named->path));
  std::string text = fmt::format("{}# hash {}\n", spec::canonical(spec), spec::hash(spec));
  for (const std::string &line : spec::derived_ranges(spec)) text += "# " + line + "\n";
  return print(text);
}

// The comment that a spec begins with, without its mark.
std::string description(const std::string &path) {
  const auto text = spec::read_text_file(path);
  if (!text || !text->starts_with("# ")) return {};
  return text->substr(2, text->find('\n') - 2);
}

// A line per shipped spec: its name, a tab, what it is for.
int run_list() {
  std::string text;
  for (const std::string &name : shipped_specs()) {
    const Result<std::string> path = find_spec(name);
    text += fmt::format("{}\t{}\n", name, path ? printable(description(*path), 400) : "");
  }
  return print(text);
}

}  // namespace

void add_spec(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("spec", "Check and show specs");
  command->require_subcommand(1);

  CLI::App *check = command->add_subcommand(
      "check", "Validate specs and list the kernels that can be generated for them; exit status 1 if there are none");
  auto files = std::make_shared<std::vector<std::string>>();
  check->add_option("FILE", *files, "Spec files")->required();
  check->callback([files, &status] { status = run_check(*files); });

  CLI::App *show = command->add_subcommand("show", "Print a spec's canonical form, hash and derived ranges");
  auto file = std::make_shared<std::string>();
  show->add_option("FILE", *file, "Spec file, a shipped spec's name, or that of a spec in a pack")->required();
  auto id = std::make_shared<bool>(false);
  show->add_flag(
      "--id", *id,
      "Print its hash, name and file alone, separated by tabs, and a line for its generic form (docs/packs.md)");
  show->callback([=, &status] { status = run_show(*file, *id); });

  CLI::App *list = command->add_subcommand("list", "Print the shipped specs: name, tab, what each is for");
  list->callback([&status] { status = run_list(); });

  CLI::App *schema = command->add_subcommand("schema", "Print the JSON schema of specs, for editors");
  auto markdown = std::make_shared<bool>(false);
  schema->add_flag("--markdown", *markdown,
                   "Every key with its values, default and example instead, as in docs/spec.md");
  schema->callback([markdown, &status] { status = print(*markdown ? spec::markdown_schema() : spec::json_schema()); });
}

}  // namespace alnsmith::tool
