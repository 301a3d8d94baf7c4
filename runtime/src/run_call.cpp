// See run_call.h.
#include "run_call.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "align/call.h"
#include "align/state_sets.h"

namespace alnsmith::rt {
namespace {

// The first invalid letter in input order, whichever thread met one: an error does not depend on timing.
Error name_invalid_letter(const kernels::Manifest &m, const align::Sequences &s) {
  for (std::size_t i = 0; i < s.queries.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    if (auto e = align::invalid_letter(m.query_codes, m, s.queries[i],
                                       s.all ? "query " + number : "pair " + number + ", query"))
      return *e;
    if (s.all) continue;
    if (auto e = align::invalid_letter(m.target_codes, m, s.targets[i], "pair " + number + ", target")) return *e;
  }
  for (std::size_t i = 0; s.all && i < s.targets.size(); ++i)
    if (auto e = align::invalid_letter(m.target_codes, m, s.targets[i], "target " + std::to_string(i + 1))) return *e;
  return Error{"a letter outside the alphabet " + m.letters};
}

// On devices: `targets` are prepared, or null.
Status run_on_devices(align::Call &call, const align::Sequences &sequences, const schedule::DeviceSet &devices,
                      schedule::Targets *targets) {
  std::unique_ptr<schedule::Targets> own;
  if (sequences.all) {
    if (auto ok = align::admit_all(call, sequences); !ok) return ok;
    if (!targets) own = schedule::make_targets(sequences.targets, sequences.queries.size(), devices, call.budget());
  }
  for (std::uint64_t id = 0; !sequences.all && id < sequences.pairs(); ++id)
    if (const auto admitted = align::admit_pair(call, sequences, id); !admitted) return admitted.error();
  return schedule::align_on_devices(call, sequences, devices, own ? own.get() : targets);
}

}  // namespace

Result<Report> run_call(sources::CpuKernels &source, const Scoring &standing, const schedule::DeviceSet &devices,
                        align::Sequences sequences, ResultSink &sink, const Options &options,
                        schedule::Targets *targets, std::optional<std::span<const StateColumns>> columns) {
  const auto begin = std::chrono::steady_clock::now();
  align::CallSets sets;
  if (!source.manifest().sets.empty()) {
    if (auto ok = align::check_letters(sequences); !ok) return ok.error();
    sequences.packed = nullptr;
    auto encoded = align::encode_call(source.manifest(), sequences, columns, options.memory_bytes);
    if (!encoded) return encoded.error();
    sets = *std::move(encoded);
    sequences.queries = sets.queries.views;
    sequences.targets = sets.targets.views;
  } else if (columns) {
    return Error{"the spec '" + source.manifest().spec_name +
                     "' has no columns of state sets; write `alphabet: {state_sets: ...}` there, or give letters",
                 2};
  }
  std::uint64_t pairs = 0;
  if (sequences.all && __builtin_mul_overflow(sequences.queries.size(), sequences.targets.size(), &pairs))
    return Error{"align_all: more than 2^64 pairs", 2};
  if (!sequences.all && sequences.queries.size() != sequences.targets.size())
    return Error{"align_pairs: " + std::to_string(sequences.queries.size()) + " queries and " +
                     std::to_string(sequences.targets.size()) + " targets; there must be as many of both",
                 2};
  auto scoring = align::resolve_scoring(source.manifest(), options.scoring, standing);
  if (!scoring) return scoring.error();
  const CallShape shape = align::shape_of(source.manifest(), sequences);
  const auto wanted = sink.begin(shape);
  if (!wanted) return wanted.error();
  align::Call call(source, *scoring, standing, options, sink, shape, *wanted & shape.outputs);
  call.strides = {sets.queries.stride, sets.targets.stride};
  call.hold(sets.queries.bytes.size() + sets.targets.bytes.size());
  const bool cpu_only = devices.devices.empty();
  const Status status = !cpu_only       ? run_on_devices(call, sequences, devices, targets)
                        : sequences.all ? align_all(call, sequences)
                                        : align_pairs(call, sequences);
  if (!call.ended()) {  // a sink that has had enough does not ask what is wrong with the rest
    if (call.has_invalid_letter()) return name_invalid_letter(source.manifest(), sequences);
    if (!status) return status.error();
  }
  if (const auto error = call.error()) return *error;
  if (auto finished = sink.finish(); !finished) return finished.error();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  call.report.pairs = call.ended() ? call.delivered() : sequences.pairs();
  if (call.ended()) call.report.cells = call.delivered_cells();
  call.report.seconds = std::max(spent.count() - call.obtaining_seconds, 0.0);
  call.report.kernels.assign(call.used.begin(), call.used.end());
  if (cpu_only && call.report.pairs > 0) call.report.devices = {{"cpu", call.report.pairs, call.report.cells, {}}};
  return call.report;
}

}  // namespace alnsmith::rt
