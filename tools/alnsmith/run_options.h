// Options that `align`, `search` and `merge` share, and the way from them to an aligner: what to run on, where kernels
// come from, which scoring.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "commands.h"
#include "input.h"
#include "scoring.h"
#include "spec/spec.h"
#include "temporary_spec.h"
#include "totals.h"

namespace alnsmith::tool {

struct RunArguments {
  std::string spec, isa, device, device_memory, tuned, memory = "2G";
  std::vector<std::string> packs;
  bool quiet = false, explain = false;
  int threads = 0;
  ScoringRequest scoring;
};

void add_spec_option(CLI::App &command, RunArguments &arguments);
// What to run on, and where kernels come from.
void add_kernel_options(CLI::App &command, RunArguments &arguments);
// --set, --matrix and --gap-convention.
void add_scoring_options(CLI::App &command, RunArguments &arguments);
// --quiet and --explain.
void add_talk_options(CLI::App &command, RunArguments &arguments);

// What --pack names is there and is a pack, or a folder.
Status check_packs(const std::vector<std::string> &packs);
// --memory in bytes, at least 16M.
Result<std::size_t> memory_of(const RunArguments &arguments);
// A result file must not replace one of these. `option`: what names it.
Status keep_inputs(const std::string &option, const std::string &out, const std::vector<std::string> &inputs);
// `call_memory`: the runtime's share, for one batch call.
Result<Options> options_of(const RunArguments &arguments, std::size_t call_memory, const Scoring &scoring);
// What a spec demands of an input's records; the aligner outlives them.
Rules rules_of(const spec::Spec &spec, const Aligner &aligner, bool query);

// How the library finds a spec's kernels; `file` where the spec is not as the user's file or pack has it.
struct Chosen {
  SpecRef reference;
  std::optional<TemporarySpec> file;
};
// `path`: the spec's file; `changed`: it says something else than `spec`.
Result<Chosen> chosen(const spec::Spec &spec, const std::string &path, bool changed);
// An aligner, and what it refers to as long as it lives.
struct Opened {
  Chosen kernels;
  Aligner aligner;
};
Result<Opened> open_kernels(const RunArguments &arguments, const spec::Spec &spec, const std::string &path,
                            bool changed, const Options &options);
Result<Aligner> open_aligner(const RunArguments &arguments, const SpecRef &reference, const Options &options);
// --explain: which kernels were chosen and why, what they take of memory, and what devices made of the run, on stderr.
// `label`: the spec's file or pack.
void explain(const Aligner &aligner, const std::string &label, const std::string &hash, const Totals &totals);

}  // namespace alnsmith::tool
