// `alnsmith pack`: build, list, verify, diff and install packs of compiled kernels.  docs/packs.md.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "alnsmith/packs.hpp"
#include "commands.h"
#include "common/interrupt.h"
#include "common/paths.h"
#include "common/text.h"
#include "spec/canonical.h"
#include "spec/parse.h"
#include "targets/targets.h"

namespace alnsmith::tool {
namespace {

using Json = nlohmann::ordered_json;

struct BuildArguments {
  std::vector<std::string> specs, targets;
  std::string out, texts, templates, compiler;
  int threads = 0;
  bool split = false, quiet = false;
};

std::string shown(const std::string &text) { return printable(text, 400); }

// "1 spec", "2 specs".
std::string count(std::size_t n, const std::string &what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string summary(const PackInfo &info) {
  std::set<std::string> specs, targets;
  std::uint64_t kernels = 0;
  for (const PackUnit &unit : info.units) {
    specs.insert(unit.spec + unit.spec_hash);
    targets.insert(unit.target);
    kernels += unit.kernels;
  }
  return fmt::format("{}: {}, {}, {}, {} bytes, {}", shown(info.path), count(specs.size(), "spec"),
                     count(targets.size(), "target"), count(kernels, "kernel"), info.bytes, info.sha256);
}

Status build(const BuildArguments &arguments) {
  PackOrder order;
  for (const std::string &name : arguments.specs) {
    const Result<std::string> path = find_spec(name);
    if (!path) return path.error();
    const auto spec = spec::parse_file(*path);
    if (!spec) return spec.error();
    order.specs.push_back({{*path, spec->name, spec::hash(*spec)}, spec::canonical(*spec)});
  }
  order.targets = arguments.targets;
  if (order.targets.empty())
    for (const targets::Cpu *row : targets::host_cpus()) order.targets.emplace_back(row->name);
  order.texts_dir = arguments.texts;
  order.sources.generator = generator_path();
  order.sources.compiler = arguments.compiler;
  order.sources.templates_dir = arguments.templates;
  order.threads = arguments.threads;
  order.cancelled = interrupted;
  std::vector<PackInfo> made;
  if (arguments.split) {
    auto packs = build_packs_by_target(order, arguments.out);
    if (!packs) return packs.error();
    made = *std::move(packs);
  } else {
    auto pack = build_pack(order, arguments.out);
    if (!pack) return pack.error();
    made = {*std::move(pack)};
  }
  if (arguments.quiet) return Ok{};
  std::string text;
  for (const PackInfo &info : made) text += summary(info) + "\n";
  return print(text) == 0 ? Status(Ok{}) : Status(Error{"", 1});
}

// Each line as wide as its column asks; two blanks between.
std::string table(const std::vector<std::vector<std::string>> &rows) {
  std::vector<std::size_t> width;
  for (const auto &row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

Json unit_json(const PackUnit &unit) {
  return {{"spec", unit.spec},         {"hash", unit.spec_hash},
          {"target", unit.target},     {"target_kind", unit.target_kind},
          {"machine", unit.machine},   {"kind", unit.kind},
          {"kernels", unit.kernels},   {"bytes", unit.bytes},
          {"compiler", unit.compiler}, {"flags", unit.flags},
          {"key", unit.key},           {"text_sha256", unit.text_sha256},
          {"sha256", unit.sha256}};
}

// The kernels of one unit, as its manifest has them.
Result<Json> kernels_of(const PackInfo &info, std::size_t unit) {
  const auto text = pack_manifest(info.path, unit);
  if (!text) return text.error();
  const Json manifest = Json::parse(*text, nullptr, false);
  if (!manifest.is_object() || !manifest.contains("kernels") || !manifest["kernels"].is_array())
    return Error{fmt::format("{}: the manifest of unit {} cannot be read", shown(info.path), unit)};
  return manifest["kernels"];
}

std::string word(const Json &kernel, const char *key) {
  const auto found = kernel.is_object() ? kernel.find(key) : kernel.end();
  if (!kernel.is_object() || found == kernel.end()) return "-";
  return printable(found->is_string() ? found->get<std::string>() : found->dump());
}

Status list_text(const PackInfo &info, bool kernels, std::string &text) {
  text += summary(info) + fmt::format(", by {}\n", shown(info.writer));
  std::vector<std::vector<std::string>> rows = {{"spec", "target", "kind", "kernels", "bytes", "compiler"}};
  for (const PackUnit &unit : info.units)
    rows.push_back({unit.spec, unit.target, unit.kind, std::to_string(unit.kernels), std::to_string(unit.bytes),
                    printable(unit.compiler, 60)});
  if (!kernels) {
    text += table(rows);
    return Ok{};
  }
  rows = {{"spec", "target", "form", "mapping", "arithmetic", "p", "k", "entry"}};
  for (std::size_t i = 0; i < info.units.size(); ++i) {
    const auto list = kernels_of(info, i);
    if (!list) return list.error();
    for (const Json &k : *list)
      rows.push_back({info.units[i].spec, info.units[i].target, word(k, "form"), word(k, "mapping"),
                      word(k, "arithmetic"), word(k, "p"), word(k, "k"), word(k, "entry")});
  }
  text += table(rows);
  return Ok{};
}

int run_list(std::vector<std::string> files, bool json, bool kernels) {
  const bool given = !files.empty();
  if (!given) files = packs_at(kernel_folders());  // those that `alnsmith align` finds by itself
  int status = 0;
  std::string text;
  Json all = Json::array();
  for (const std::string &file : files) {
    const auto info = list_pack(file);
    if (!info) {
      status = report_error(info.error());
      continue;
    }
    if (!json) {
      if (const Status ok = list_text(*info, kernels, text); !ok) status = report_error(ok.error());
      continue;
    }
    Json units = Json::array();
    for (std::size_t i = 0; i < info->units.size(); ++i) {
      units.push_back(unit_json(info->units[i]));
      if (!kernels) continue;
      auto list = kernels_of(*info, i);
      if (!list) status = report_error(list.error());
      units.back()["kernels"] = list ? *std::move(list) : Json();
    }
    all.push_back({{"path", info->path},
                   {"writer", info->writer},
                   {"bytes", info->bytes},
                   {"sha256", info->sha256},
                   {"units", units}});
  }
  if (json) text = all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (!json && !given && files.empty()) text = "no pack is installed (`alnsmith pack install`)\n";
  const int printed = print(text);
  return status != 0 ? status : printed;
}

int run_verify(const std::vector<std::string> &files) {
  int status = 0;
  std::string text;
  for (const std::string &file : files) {
    const auto check = verify_pack(file);
    if (!check) {
      status = report_error(check.error());
      continue;
    }
    for (const std::string &note : check->warnings) fmt::print(stderr, "alnsmith: {}\n", shown(note));
    for (const std::string &problem : check->problems) status = report_error({printable(problem, 800)});
    if (check->problems.empty()) text += "ok " + summary(check->info) + "\n";
  }
  const int printed = print(text);
  return status != 0 ? status : printed;
}

int run_diff(const std::string &before, const std::string &after) {
  const auto lines = diff_packs(before, after);
  if (!lines) return report_error(lines.error());
  std::string text;
  for (const std::string &line : *lines) text += printable(line, 800) + "\n";
  const int printed = print(text);
  return printed != 0 ? printed : lines->empty() ? 0 : 1;
}

int run_install(const std::string &file, const std::string &folder) {
  const auto path = install_pack(file, folder.empty() ? user_pack_folder() : folder);
  if (!path) return report_error(path.error());
  return print("installed " + shown(*path) + "\n");
}

void add_build(CLI::App &pack, int &status) {
  CLI::App *command = pack.add_subcommand("build", "Compile specs for targets into one pack");
  auto arguments = std::make_shared<BuildArguments>();
  BuildArguments &a = *arguments;
  command->add_option("SPEC", a.specs, "Spec files or shipped specs' names")->required();
  command
      ->add_option("--target", a.targets,
                   targets::names_of(targets::host_cpus()) +
                       " (without --target: these), another machine's such as aarch64-neon, cuda:sm_90, "
                       "cuda:compute_80, hip:gfx90a, hip:gfx90a:xnack-, opencl, opencl:spirv64; may be repeated")
      ->type_name("T")
      ->expected(1)
      ->take_all();
  command->add_option("-o,--out", a.out, "The pack, NAME.pack; put in place when complete")->required();
  command->add_flag("--split", a.split, "One pack for each target, NAME-TARGET.pack");
  command->add_option("--texts", a.texts,
                      "Folder of kernel texts as `alnsmith generate` writes them, instead of the generator");
  command->add_option("--templates", a.templates, "Folder of templates, for the generator");
  command->add_option(
      "--compiler", a.compiler,
      "C++ compiler for CPUs; else ALNSMITH_CXX, clang++ or g++, for another machine its cross compiler");
  command->add_option("--threads", a.threads, "Compilers at once; 0 takes one for each CPU")
      ->check(CLI::Range(0, 4096));
  command->add_flag("--quiet", a.quiet, "Say nothing of what was built");
  command->callback([arguments, &status] {
    const Status done = build(*arguments);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace

void add_pack(CLI::App &app, int &status) {
  CLI::App *pack =
      app.add_subcommand("pack", "Build and look after packs: files of compiled kernels that load anywhere");
  pack->require_subcommand(1);
  pack->footer(
      "Examples:\n"
      "  alnsmith pack build dna-global-affine my.yaml --target x86-64-v4 --target cuda:sm_90 -o my.pack\n"
      "  alnsmith pack verify my.pack\n"
      "  alnsmith pack install my.pack\n"
      "  alnsmith align --pack my.pack --spec my.yaml --query q.fa --target t.fa");
  add_build(*pack, status);

  CLI::App *list = pack->add_subcommand("list", "What packs hold; without FILE, of those that `align` finds");
  auto files = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false), kernels = std::make_shared<bool>(false);
  list->add_option("FILE", *files, "Packs");
  list->add_flag("--json", *json, "Print one JSON list");
  list->add_flag("--kernels", *kernels, "List the kernels of each unit");
  list->callback([=, &status] { status = run_list(*files, *json, *kernels); });

  CLI::App *verify = pack->add_subcommand("verify", "Check every byte, and that binaries hold what is claimed of them");
  verify->add_option("FILE", *files, "Packs")->required();
  verify->callback([=, &status] { status = run_verify(*files); });

  CLI::App *diff = pack->add_subcommand("diff", "What differs between two packs; exit status 1 if anything does");
  auto before = std::make_shared<std::string>(), after = std::make_shared<std::string>();
  diff->add_option("OLD", *before, "A pack")->required();
  diff->add_option("NEW", *after, "A pack")->required();
  diff->callback([=, &status] { status = run_diff(*before, *after); });

  CLI::App *install = pack->add_subcommand("install", "Verify a pack and copy it to where `align` finds it");
  auto file = std::make_shared<std::string>(), to = std::make_shared<std::string>();
  install->add_option("FILE", *file, "A pack")->required();
  install->add_option("--to", *to,
                      "Folder; by default $XDG_DATA_HOME/alnsmith/packs, else ~/.local/share/alnsmith/packs");
  install->callback([=, &status] { status = run_install(*file, *to); });
}

}  // namespace alnsmith::tool
