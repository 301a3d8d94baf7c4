// The public class: opening, preparing calls, naming what is wrong with their input.
#include <algorithm>
#include <chrono>
#include <new>

#include "align.hpp"
#include "store.hpp"

namespace alnsmith {

struct Aligner::Impl {
  std::unique_ptr<rt::Store> store;
  Scoring standing;  // given at open
  const rt::Manifest &manifest() const { return store->manifest(); }
};

namespace {

using rt::Call;
using rt::Sequences;

Result<Isa> allowed(const Options &options) {
  auto best = best_isa();
  if (!best) return best;
  return std::min(*best, options.isa.value_or(Isa::x86_64_v4));
}

// The first foreign letter in input order, whichever thread met one: an error does not depend on timing.
Error name_foreign(const rt::Manifest &m, const Sequences &s) {
  for (std::size_t i = 0; i < s.queries.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    if (auto e =
            foreign_letter(m.query_codes, m, s.queries[i], s.all ? "query " + number : "pair " + number + ", query"))
      return *e;
    if (s.all) continue;
    if (auto e = foreign_letter(m.target_codes, m, s.targets[i], "pair " + number + ", target")) return *e;
  }
  for (std::size_t i = 0; s.all && i < s.targets.size(); ++i)
    if (auto e = foreign_letter(m.target_codes, m, s.targets[i], "target " + std::to_string(i + 1))) return *e;
  return Error{"a letter outside the alphabet " + m.letters};
}

// No exception leaves the library.
template <class F>
auto guarded(F &&f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::bad_alloc &) {
    return Error{"out of memory"};
  } catch (const std::exception &e) {
    return Error{std::string("unexpected: ") + e.what()};
  }
}

// Ends as long as the scores, of kernels that store them; or none.
Status check_ends(const std::string &call, const rt::Manifest &m, const Ends &ends, std::size_t scores) {
  if (ends.query.empty() && ends.target.empty()) return Ok{};
  if (ends.query.size() != scores || ends.target.size() != scores)
    return Error{call + ": " + std::to_string(ends.query.size()) + " query ends, " +
                     std::to_string(ends.target.size()) + " target ends and " + std::to_string(scores) +
                     " scores; the three must be equal, or no ends given",
                 2};
  if (!m.ends)
    return Error{call + ": the spec '" + m.spec_name + "' gives no ends; write `output: [score, end]` there", 2};
  return Ok{};
}

Result<Report> run(rt::Store &store, const Scoring &standing, const Sequences &sequences, const Options &options) {
  auto scoring = rt::resolve_scoring(store.manifest(), options.scoring, standing);
  if (!scoring) return scoring.error();
  const auto begin = std::chrono::steady_clock::now();
  Call call(store, *scoring, options);
  const Status status = sequences.all ? align_all(call, sequences) : align_pairs(call, sequences);
  if (call.has_foreign()) return name_foreign(store.manifest(), sequences);
  if (!status) return status.error();
  if (auto outcome = call.outcome(); !outcome) return outcome.error();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  call.report.pairs = sequences.pairs();
  call.report.seconds = std::max(spent.count() - call.obtaining_seconds, 0.0);
  call.report.kernels.assign(call.used.begin(), call.used.end());
  return call.report;
}

}  // namespace

Aligner::Aligner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Aligner::Aligner(Aligner &&) noexcept = default;
Aligner &Aligner::operator=(Aligner &&) noexcept = default;
Aligner::~Aligner() = default;

Result<Aligner> Aligner::open(const SpecRef &spec, const Sources &sources, const Options &options) {
  return guarded([&]() -> Result<Aligner> {
    const auto isa = allowed(options);
    if (!isa) return isa.error();
    auto store = rt::find_store(spec, sources, *isa, options.cancelled);
    if (!store) return store.error();
    if (auto ok = rt::check_scoring((*store)->manifest(), options.scoring); !ok) return ok.error();
    return Aligner(std::unique_ptr<Impl>(new Impl{*std::move(store), options.scoring}));
  });
}

Result<Aligner> Aligner::open_file(const std::string &path, const Options &options) {
  return guarded([&]() -> Result<Aligner> {
    const auto isa = allowed(options);
    if (!isa) return isa.error();
    auto store = rt::open_file_store(path, *isa);
    if (!store) return store.error();
    if (auto ok = rt::check_scoring((*store)->manifest(), options.scoring); !ok) return ok.error();
    return Aligner(std::unique_ptr<Impl>(new Impl{*std::move(store), options.scoring}));
  });
}

Result<Report> Aligner::align_pairs(std::span<const std::string_view> queries,
                                    std::span<const std::string_view> targets, std::span<std::int32_t> scores,
                                    const Options &options, const Ends &ends) const {
  if (queries.size() != targets.size() || queries.size() != scores.size())
    return Error{"align_pairs: " + std::to_string(queries.size()) + " queries, " + std::to_string(targets.size()) +
                     " targets and " + std::to_string(scores.size()) + " scores; the three must be equal",
                 2};
  if (auto ok = check_ends("align_pairs", impl_->manifest(), ends, scores.size()); !ok) return ok.error();
  return guarded([&] { return run(*impl_->store, impl_->standing, {queries, targets, scores, ends, false}, options); });
}

Result<Report> Aligner::align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                                  std::span<std::int32_t> scores, const Options &options, const Ends &ends) const {
  std::size_t pairs = 0;
  if (__builtin_mul_overflow(queries.size(), targets.size(), &pairs) || pairs != scores.size())
    return Error{"align_all: " + std::to_string(queries.size()) + " queries and " + std::to_string(targets.size()) +
                     " targets do not make " + std::to_string(scores.size()) + " scores",
                 2};
  if (auto ok = check_ends("align_all", impl_->manifest(), ends, scores.size()); !ok) return ok.error();
  return guarded([&] { return run(*impl_->store, impl_->standing, {queries, targets, scores, ends, true}, options); });
}

std::optional<std::size_t> Aligner::first_foreign_letter(std::string_view letters) const {
  return impl_->manifest().query_codes.first_foreign(letters);
}

bool Aligner::has_ends() const { return impl_->manifest().ends; }
std::string_view Aligner::target() const { return isa_name(impl_->manifest().target); }
std::string Aligner::gap_formula() const { return rt::gap_formula(impl_->manifest(), impl_->standing); }
const std::string &Aligner::manifest() const { return impl_->manifest().text; }
std::vector<std::string> Aligner::provenance() const { return impl_->store->provenance(); }

}  // namespace alnsmith
