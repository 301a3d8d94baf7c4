// Cases kernel by kernel: the plan's templates run directly, or their printed texts on the SIMT library.
//
// A call's pairs are laid out for each kernel of its form: CPU kernels take a vector of pairs, the last one filled up
// with copies; the forms that share queries take each query, or so many, with all targets.
#include <algorithm>
#include <numeric>
#include <optional>

#include "alnsmith/build.hpp"
#include "device_batch.h"
#include "direct_run.h"
#include "kernels.h"
#include "kernels/predicate.h"
#include "lane_batch.h"
#include "plan/plan.h"
#include "spec/canonical.h"
#include "strip_pair.h"
#ifdef SOAK_SIMT
#include <fstream>

#include "simt.h"
#endif

namespace soak {
namespace {

using namespace alnsmith;
using Pair = devices::Batch::Pair;

rt::kernels::Values values(const lanes::Scoring &scoring, const std::string &query, const std::string &target) {
  rt::kernels::Values v{};
  for (std::size_t i = 0; i < ALN_SCORING_COUNT; ++i) v[i] = scoring.values[i];
  return rt::kernels::with_lengths(v, static_cast<std::int64_t>(query.size()),
                                   static_cast<std::int64_t>(target.size()));
}

// How one launch of a kernel is filled: indices of the case's pairs, copies at the end included.
std::vector<std::vector<std::size_t>> launches(const Case &c, const plan::KernelPlan &kernel, bool device) {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes);
  std::vector<std::vector<std::size_t>> list;
  const auto filled = [&](std::size_t first, std::size_t end, std::size_t size) {
    std::vector<std::size_t> one(size, end - 1);
    std::iota(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(end - first), first);
    list.push_back(std::move(one));
  };
  const std::size_t targets = c.targets.size();
  if (kernel.form == Form::pairwise) {
    const std::size_t step = device ? c.pairs() : lanes;
    for (std::size_t i = 0; i < c.pairs(); i += step) filled(i, std::min(i + step, c.pairs()), step);
  } else if (!device || kernel.form == Form::single_query) {
    const std::size_t step = device ? targets : lanes;
    for (std::size_t q = 0; q < c.queries.size(); ++q)
      for (std::size_t t = 0; t < targets; t += step)
        filled(q * targets + t, q * targets + std::min(t + step, targets), step);
  } else {
    const std::size_t share = static_cast<std::size_t>(kernel.packing);
    for (std::size_t q = 0; q < c.queries.size(); q += share) {
      std::vector<std::size_t> one;
      for (std::size_t t = 0; t < targets; ++t)
        for (std::size_t h = 0; h < share; ++h) one.push_back(std::min(q + h, c.queries.size() - 1) * targets + t);
      list.push_back(std::move(one));
    }
  }
  return list;
}

class SingleKernels : public Kernels {
 public:
  SingleKernels(spec::Spec spec, plan::Plan plan) : spec_(std::move(spec)), plan_(std::move(plan)) {}

  Result<std::vector<Answers>> align(const Case &c) override {
    const lanes::Scoring scoring = lanes::make_scoring(spec_, numbers(c), c.spec.scores);
    std::vector<Answers> all;
    for (const plan::KernelPlan &kernel : chosen(c)) {
      const auto usable = rt::kernels::Predicate::parse(kernel.usable.text),
                 exact = rt::kernels::Predicate::parse(kernel.exact.text);
      if (!usable) return Error{"usable: " + usable.error().message};
      if (!exact) return Error{"exact: " + exact.error().message};
      if (!usable->holds(values(scoring, "", ""))) continue;
      auto answers = align(c, lanes::narrowed(kernel), scoring, *exact);
      if (!answers) return answers.error();
      all.push_back(*std::move(answers));
    }
    return all;
  }

#ifdef SOAK_SIMT
  void print(std::string text) { text_ = std::move(text); }
#endif

 private:
  // The call's values by name; folded ones are not asked for.
  static std::map<std::string, int> numbers(const Case &c) {
    const auto call = soak::scoring(c.spec);
    return {call.values.begin(), call.values.end()};
  }

  std::vector<plan::KernelPlan> chosen(const Case &c) const {
    std::vector<plan::KernelPlan> list;
    for (const plan::KernelPlan &kernel : plan_.kernels)
      // Kernels that walk back take pairs, as they do behind the library's interface.
      if (kernel.split() || (kernel.form == Form::pairwise) == (!c.all || spec_.output.begin)) list.push_back(kernel);
    if (c.route == Route::direct || list.empty()) return list;
    return {list[static_cast<std::size_t>(c.kernel) % list.size()]};
  }

  // The pair as the batches of the tests take it: with bytes of the alphabet only.
  Pair letters(const Case &c, std::size_t pair) const {
    Pair p{c.query(pair), c.target_of(pair)};
    if (const char wild = wildcard(c.spec))
      for (std::string *text : {&p.first, &p.second}) std::ranges::replace(*text, invalid_letter, wild);
    return p;
  }

  Result<Answers> align(const Case &c, const plan::KernelPlan &kernel, const lanes::Scoring &scoring,
                        const rt::kernels::Predicate &exact) {
    Answers a;
    a.who = kernel.entry;
    a.arithmetic = kernel.arithmetic;
    a.mapping = kernel.mapping;
    a.reserve(c.pairs(), spec_.output);
    a.given.assign(c.pairs(), 0);
    if (kernel.split()) {
      for (std::size_t i = 0; i < c.pairs(); ++i)
        if (auto ok = align_split(letters(c, i), i, kernel, scoring, exact, a); !ok) return ok.error();
      return a;
    }
    const bool device = plan_.target->device.has_value();
    for (const auto &launch : launches(c, kernel, device)) {
      std::vector<Pair> pairs;
      for (const std::size_t i : launch) pairs.push_back(letters(c, i));
      const auto take = [&](const auto &batch) {
        for (std::size_t l = 0; l < launch.size(); ++l) {
          const std::size_t i = launch[l];
          const bool sure = exact.holds(values(scoring, pairs[l].first, pairs[l].second));
          // A status may be raised in vain; the predicate goes before it. Some kernels do not watch their range, as
          // their manifests say: they are only called where the predicate holds.
          a.given[i] = sure || (kernel.checked && batch.status[l] == 0);
          a.score[i] = (spec_.objective == spec::Objective::minimize ? -1 : 1) * batch.score[l];
          if (a.query_end.empty()) continue;
          a.query_end[i] = batch.query_end[l];
          a.target_end[i] = batch.target_end[l];
          if (a.query_begin.empty()) continue;
          a.query_begin[i] = batch.query_begin[l];
          a.target_begin[i] = batch.target_begin[l];
          if (!a.cigar.empty()) a.cigar[i] = batch.cigar(l);
        }
      };
      const int *matrix = plan_.matrix.empty() ? nullptr : plan_.matrix.data();
      if (device) {
        devices::Batch batch(spec_, kernel, pairs, scoring, c.threads);
        if (auto ok = run(c, kernel, matrix, batch); !ok) return ok.error();
        take(batch);
      } else {
        lanes::Batch batch(spec_, kernel, pairs, scoring, 4);
        if (run_directly(kernel.template_name(), kernel.statics, kernel.width, kernel.lanes, matrix, batch.args()) != 0)
          return Error{"the template failed"};
        batch.read_paths();
        take(batch);
      }
    }
    return a;
  }

  // A pair for all lanes of a vector.
  Status align_split(const Pair &pair, std::size_t i, const plan::KernelPlan &kernel, const lanes::Scoring &scoring,
                     const rt::kernels::Predicate &exact, Answers &a) {
    const int *matrix = plan_.matrix.empty() ? nullptr : plan_.matrix.data();
    const strips::Answer answer = strips::Pair(spec_, kernel, pair.first, pair.second, scoring, 4)
                                      .align([&](const aln_strip_args_v1 &args, auto) {
                                        return run_directly(kernel.statics, kernel.width, kernel.lanes, matrix, args);
                                      });
    a.given[i] = exact.holds(values(scoring, pair.first, pair.second)) || (kernel.checked && !answer.raised);
    a.score[i] = (spec_.objective == spec::Objective::minimize ? -1 : 1) * answer.score;
    if (a.query_end.empty()) return Ok{};
    a.query_end[i] = answer.query_end;
    a.target_end[i] = answer.target_end;
    if (a.query_begin.empty()) return Ok{};
    a.query_begin[i] = answer.query_begin;
    a.target_begin[i] = answer.target_begin;
    if (!a.cigar.empty()) a.cigar[i] = answer.cigar;
    return Ok{};
  }

  Status run(const Case &c, const plan::KernelPlan &kernel, const int *matrix, devices::Batch &batch) {
    if (c.route == Route::direct) {
      if (run_directly(kernel.mapping, kernel.arithmetic, kernel.statics, batch.blocks(), batch.shared_bytes(), matrix,
                       batch.args()) != 0)
        return Error{"the template failed"};
      return Ok{};
    }
#ifdef SOAK_SIMT
    try {
      const bool amd = c.target.starts_with("hip");
      if (compiled_ != kernel.entry)
        module_ = simt::compile(text_, amd ? simt::Dialect::hip : simt::Dialect::cuda, {.kernels = { kernel.entry }});
      compiled_ = kernel.entry;
      simt::Settings settings;
      settings.seed = static_cast<std::uint64_t>(c.kernel);
      settings.warp = kernel.lanes;
      module_->launch(kernel.entry, batch.blocks(), kernel.lanes * kernel.warps,
                      static_cast<std::size_t>(batch.shared_bytes()), batch.pointers(), settings);
      return Ok{};
    } catch (const std::exception &e) {
      return Error{std::string("the SIMT library: ") + e.what()};
    }
#else
    return Error{"this build has no SIMT library"};
#endif
  }

  spec::Spec spec_;
  plan::Plan plan_;
#ifdef SOAK_SIMT
  std::string text_, compiled_;
  std::optional<simt::Module> module_;
#endif
};

}  // namespace

Result<std::unique_ptr<Kernels>> open_single(const Case &c, const spec::Spec &spec, const Places &places) {
  plan::Choice by_hand;
  if (const std::string words = choice(c); !words.empty()) {
    auto parsed = plan::parse_choice(words);
    if (!parsed) return parsed.error();
    by_hand = *parsed;
  }
  auto plan = plan::make_plan(spec, *backend::find_target(c.target), DirectTeller(), plan::Tuning(by_hand));
  if (!plan) return plan.error();
  auto kernels = std::make_unique<SingleKernels>(spec, *std::move(plan));
#ifdef SOAK_SIMT
  if (c.route == Route::simt) {
    const std::string path = places.folder + "/spec.yaml";
    std::ofstream(path) << yaml(c.spec);
    Sources sources;
    sources.generator = places.generator;
    sources.choice = choice(c);
    const SpecRef ref{path, spec.name, spec::hash(spec)};
    auto planned = plan_kernels(ref, sources, c.target, std::nullopt, {});
    if (!planned) return planned.error();
    auto texts = generate_kernels(ref, sources, *std::move(planned), {});
    if (!texts) return texts.error();
    kernels->print(texts->text);
  }
#endif
  return std::unique_ptr<Kernels>(std::move(kernels));
}

}  // namespace soak
