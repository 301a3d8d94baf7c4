// See circuits_command.h.
#include "circuits_command.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>

#include "circuits/search.h"
#include "circuits/shipped.h"
#include "explain/shell.h"
#include "plan/scoring_values.h"
#include "plan/sliced_plan.h"
#include "say.h"
#include "spec/parse.h"
#include "spec/yaml_tree.h"
#include "write_file.h"

namespace alnsmith {

namespace {

using circuits::Circuit;
using circuits::CircuitFile;
using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

std::string set_names() {
  std::string names;
  for (const circuits::GateSet &set : circuits::gate_sets())
    names += (names.empty() ? "" : ", ") + std::string(set.name);
  return names;
}

void print_weights(const Circuit &circuit) {
  std::cout << "  gates: " << circuit.gates.size() << "\n";
  for (const circuits::GateSet &set : circuits::gate_sets())
    std::cout << format("  weight on %-14s %5.1f  (%s)\n", std::string(set.name).c_str(),
                        circuits::weight(circuit, circuits::costs_of(set)), std::string(set.machines).c_str());
}

int show(const spec::Spec &spec, const circuits::Scheme &scheme, const circuits::GateSet &set) {
  std::cout << spec.name << ": " << text_of(scheme) << "\n";
  const Circuit *known = circuits::find(scheme, set);
  if (known)
    print_weights(*known);
  else
    std::cout << "  no circuit in this build; -o FILE searches one\n";
  const backend::Target &target = *backend::find_target("x86-64-v4");
  std::string why = plan::sliced_refusal(spec, target);
  if (why.empty() && known) why = plan::sliced_missing(spec, target);
  if (!why.empty()) std::cout << "  not used: " << why << "\n";
  if (!known || !why.empty()) return 0;
  const plan::SlicedKernel kernel = plan::sliced_kernels(spec, target).front();
  std::cout << format("  model, %s: %.1f times the speed of int8%s\n", std::string(target.name).c_str(),
                      100.0 * target.lanes(1) / target.lanes(8) / kernel.work,
                      kernel.pays ? "" : "; int8 is the better choice");
  return 0;
}

Result<CircuitFile> begun(const CircuitsRequest &request, const circuits::Scheme &scheme) {
  CircuitFile file{{scheme, {}, {}, {}}, {request.gates, request.seed, request.steps, 0}};
  std::error_code ignored;
  if (!std::filesystem::exists(request.output, ignored)) return file;
  const auto text = spec::read_text_file(request.output);
  if (!text) return text.error();
  auto old = circuits::read(*text, request.output);
  if (!old) return Error{old.error().message + "; name another file, or move this one away"};
  if (old->circuit.scheme != scheme)
    return Error{request.output + ": is for " + text_of(old->circuit.scheme) + ", the spec is " + text_of(scheme) +
                 "; name another file"};
  CircuitFile asked = file;
  asked.progress.rounds = old->progress.rounds;
  if (old->progress.rounds > 0 && old->progress != asked.progress)
    return Error{request.output + ": was searched with --gates " + old->progress.gates + " --seed " +
                 std::to_string(old->progress.seed) + " --steps " + std::to_string(old->progress.steps) +
                 "; give the same to go on, or name another file"};
  file.circuit = std::move(old->circuit);
  file.progress.rounds = old->progress.rounds;
  return file;
}

int search(const CircuitsRequest &request, const circuits::Scheme &scheme, const circuits::GateSet &set) {
  if (const std::string why = circuits::obstacle(scheme); !why.empty())
    return fail({request.spec_file + ": no circuit: " + why + "; int8 serves such a scoring"});
  auto file = begun(request, scheme);
  if (!file) return fail(file.error());
  const circuits::Costs &costs = circuits::costs_of(set);
  const auto until = Clock::now() + std::chrono::seconds(request.seconds);
  const int rounds_before = file->progress.rounds;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::optional<Error> failed;
  double written = -1;
  const auto save = [&](const CircuitFile &best) {
    if (auto saved = write_text(request.output, write(best)); !saved) failed = saved.error();
    written = weight(best.circuit, costs);
  };
  const CircuitFile best = circuits::search(set, *std::move(file), [&](const CircuitFile &now) {
    // Kept as soon as it is found, so that nothing is lost with the program.
    if (!now.circuit.outputs.empty() && (written < 0 || weight(now.circuit, costs) < written)) save(now);
    const int rounds = now.progress.rounds - rounds_before;
    if (failed || interrupted) return false;
    if (request.rounds > 0) return rounds < request.rounds;
    return rounds == 0 || Clock::now() < until;
  });
  if (!failed && !best.circuit.outputs.empty()) save(best);
  if (failed) return fail(*failed);
  std::cout << request.output << ": " << best.circuit.gates.size() << " gates, weight "
            << format("%.1f", weight(best.circuit, costs)) << " on " << set.name << ", after " << best.progress.rounds
            << " rounds\n";
  return interrupted ? 130 : 0;
}

int check(const CircuitsRequest &request) {
  for (const std::string &path : request.checked) {
    const auto text = spec::read_text_file(path);
    if (!text) return fail(text.error());
    const auto file = circuits::read(*text, path);
    if (!file) return fail(file.error());
    if (request.rewrite) {
      if (auto written = write_text(path, circuits::write(*file)); !written) return fail(written.error());
    } else if (circuits::write(*file) != *text)
      return fail({path + ": computes the recurrence, but is not as this program writes it; its first line may tell "
                          "other weights; --rewrite mends it"});
    std::cout << path << ": computes the recurrence in every reachable state\n";
  }
  return 0;
}

}  // namespace

CLI::App *add_circuits(CLI::App &app, CircuitsRequest &request) {
  CLI::App *command = app.add_subcommand("circuits", "Tell of a spec's circuit, and search for a lighter one");
  CLI::Option *spec = command->add_option("SPEC", request.spec_file, "YAML spec");
  command->add_option("-o,--output", request.output,
                      "Search, and keep the lightest circuit in this file; a search that the file tells of goes on");
  command->add_option("--gates", request.gates, "What gates cost: " + set_names())->capture_default_str();
  command->add_option("--seed", request.seed, "Of what is drawn; the same rounds of a seed find the same")
      ->capture_default_str();
  command->add_option("--steps", request.steps, "Of a round")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  CLI::Option *seconds = command->add_option("--seconds", request.seconds, "Begin no round after them")
                             ->check(CLI::Range(1, 1'000'000))
                             ->capture_default_str();
  command->add_option("--rounds", request.rounds, "As many rounds, instead of --seconds")
      ->check(CLI::Range(1, 1'000'000))
      ->excludes(seconds);
  CLI::Option *checked =
      command->add_option("--check", request.checked, "Only prove the circuits of these files")->excludes(spec);
  command->add_flag("--rewrite", request.rewrite, "With --check: write them as this program does, weights included")
      ->needs(checked);
  return command;
}

int run_circuits(const CircuitsRequest &request) {
  if (!request.checked.empty()) return check(request);
  if (request.spec_file.empty()) return fail({"circuits: name a SPEC, or files with --check", 2});
  const circuits::GateSet *set = circuits::find_gate_set(request.gates);
  if (!set) return fail({"--gates " + request.gates + ": no such set; there are " + set_names(), 2});
  auto spec = spec::parse_file(request.spec_file);
  if (!spec) return fail(spec.error());
  std::string what = plan::without_circuit(*spec);
  if (what.empty() && plan::scoring_of_call(*spec)) what = "scoring values that are `runtime`";
  if (!what.empty())
    return fail({request.spec_file + ": there are no circuits for " + what +
                 "; give match, mismatch and affine gaps in numbers"});
  const circuits::Scheme scheme = plan::scheme_of(*spec);
  return request.output.empty() ? show(*spec, scheme, *set) : search(request, scheme, *set);
}

}  // namespace alnsmith
