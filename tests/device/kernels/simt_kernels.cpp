// See simt_kernels.h.
#include "simt_kernels.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace alnsmith::test {
namespace {

constexpr std::size_t kLongestSliced = 300;  // letters of a pair that bit-sliced kernels take here

rt::kernels::Predicate parsed(const std::string &text) {
  auto predicate = rt::kernels::Predicate::parse(text);
  if (!predicate) throw std::runtime_error(predicate.error().message + ": " + text);
  return std::move(*predicate);
}

lanes::Scoring scoring_of(const spec::Spec &spec, const Scoring &call) {
  return lanes::make_scoring(spec, {call.values.begin(), call.values.end()}, call.matrix);
}

}  // namespace

SimtKernels::SimtKernels(KernelText text, const Scoring &call, const simt::Build &build, Compile compile)
    : text_(std::move(text)), build_(build), scoring_(scoring_of(text_.spec, call)) {
  if (compile == Compile::whole) modules_.emplace("", simt::compile(text_.text, text_.dialect(), build_));
  for (const plan::KernelPlan &kernel : kernels())
    predicates_.emplace(kernel.entry,
                        Predicates{parsed(kernel.usable.text), parsed(kernel.suits), parsed(kernel.exact.text)});
}

const simt::Module &SimtKernels::module_of(const std::string &entry) const {
  if (const auto whole = modules_.find(""); whole != modules_.end()) return whole->second;
  const auto known = modules_.find(entry);
  if (known != modules_.end()) return known->second;
  simt::Build build = build_;
  build.kernels = {entry};
  return modules_.emplace(entry, simt::compile(text_.text, text_.dialect(), build)).first->second;
}

rt::kernels::Values SimtKernels::values(const Pair &pair) const {
  rt::kernels::Values v{};
  for (std::size_t i = 0; i < ALN_SCORING_COUNT; ++i) v[i] = scoring_.values[i];
  return rt::kernels::with_lengths(v, static_cast<std::int64_t>(pair.first.size()),
                                   static_cast<std::int64_t>(pair.second.size()));
}

bool SimtKernels::usable(const plan::KernelPlan &kernel) const {
  return predicates_.at(kernel.entry).usable.holds(values({}));
}

bool SimtKernels::suits(const plan::KernelPlan &kernel, const Pair &pair) const {
  return predicates_.at(kernel.entry).suits.holds(values(pair));
}

bool SimtKernels::exact(const plan::KernelPlan &kernel, const Pair &pair) const {
  return predicates_.at(kernel.entry).exact.holds(values(pair));
}

bool SimtKernels::serves(const plan::KernelPlan &kernel, const Pair &pair) const {
  // Kernels of local alignments check their range.
  return usable(kernel) && (text_.spec.alignment == spec::Alignment::local || exact(kernel, pair));
}

Launched SimtKernels::launch(const plan::KernelPlan &kernel, std::span<const Pair> pairs, std::uint64_t order,
                             int blocks) const {
  devices::Batch batch(text_.spec, kernel, pairs, scoring_, blocks);
  simt::Settings settings;
  settings.seed = order;
  settings.warp = kernel.lanes;
  const auto pointers = batch.pointers();
  Launched launched;
  launched.counters = module_of(kernel.entry)
                          .launch(kernel.entry, blocks, kernel.lanes * kernel.warps,
                                  static_cast<std::size_t>(batch.shared_bytes()), pointers, settings);
  const int sign = text_.spec.objective == spec::Objective::minimize ? -1 : 1;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (batch.status[i] > 1) throw std::runtime_error(kernel.entry + ": no status is stored");
    Aligned result;
    result.score = sign * batch.score[i];
    result.exceeded = batch.status[i] == 1;
    if (text_.spec.output.end) result.query_end = batch.query_end[i], result.target_end = batch.target_end[i];
    if (text_.spec.output.begin) result.query_begin = batch.query_begin[i], result.target_begin = batch.target_begin[i];
    if (text_.spec.output.cigar) result.cigar = batch.cigar(i);
    launched.results.push_back(result);
  }
  return launched;
}

const plan::KernelPlan *SimtKernels::choose(Form form, int level, const Pair &pair) const {
  const plan::KernelPlan *best = nullptr;
  // All alignments of a warp's words take the time of the longest.
  const bool alike = std::max(pair.first.size(), pair.second.size()) <= kLongestSliced;
  for (const plan::KernelPlan &kernel : kernels())
    if (kernel.form == form && (alike || !kernel.sliced()) && kernel.level >= level &&
        (!best || kernel.level < best->level) && suits(kernel, pair) && serves(kernel, pair))
      best = &kernel;
  return best;
}

SimtKernels::Call SimtKernels::align(Form form, std::span<const Pair> pairs, std::uint64_t order) const {
  Call call;
  call.results.resize(pairs.size());
  std::vector<int> level(pairs.size(), 0);
  std::vector<std::size_t> open(pairs.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  // Pairs of similar lengths next to each other, as in the runtime: a warp runs as long as its longest.
  std::ranges::stable_sort(open, {}, [&](std::size_t i) { return pairs[i].second.size(); });
  while (!open.empty()) {
    std::map<const plan::KernelPlan *, std::vector<std::size_t>> groups;
    for (const std::size_t i : open) {
      const plan::KernelPlan *kernel = choose(form, level[i], pairs[i]);
      if (!kernel && form == Form::single_query) kernel = choose(Form::pairwise, level[i], pairs[i]);
      if (!kernel)
        throw std::runtime_error(
            "no kernel of form " + name_of(form) + " takes a pair of " + std::to_string(pairs[i].first.size()) + " x " +
            std::to_string(pairs[i].second.size()) + " letters from level " + std::to_string(level[i]) + " on");
      groups[kernel].push_back(i);
    }
    open.clear();
    for (const auto &[kernel, members] : groups) {
      call.pairs[kernel->entry] += members.size();
      const auto keep = [&](std::size_t i, const Aligned &result) {
        call.results[i] = result;
        if (!result.exceeded) return;
        ++call.promoted;
        level[i] = kernel->level + 1;
        open.push_back(i);
      };
      if (kernel->form == Form::single_query) {
        for (const std::size_t i : members) {
          const Pair other(pairs[i].first, pairs[i > 0 ? i - 1 : pairs.size() - 1].second);
          const bool second = i % 2 == 1;
          const Launched launched =
              launch(*kernel, second ? std::vector{other, pairs[i]} : std::vector{pairs[i], other}, order);
          keep(i, launched.results[second]);
        }
        continue;
      }
      if (kernel->form == Form::shared_profile) {
        for (const std::size_t i : members) {
          const std::vector<Pair> halves(static_cast<std::size_t>(kernel->packing), pairs[i]);
          const Launched launched = launch(*kernel, halves, order);
          for (const Aligned &result : launched.results)
            if (result != launched.results[0]) throw std::runtime_error(kernel->entry + ": equal halves differ");
          keep(i, launched.results[0]);
        }
        continue;
      }
      std::vector<Pair> batch;
      for (const std::size_t i : members) batch.push_back(pairs[i]);
      const Launched launched = launch(*kernel, batch, order, 2);
      for (std::size_t n = 0; n < members.size(); ++n) keep(members[n], launched.results[n]);
    }
  }
  return call;
}

}  // namespace alnsmith::test
