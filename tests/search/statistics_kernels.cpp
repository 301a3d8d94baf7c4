// See statistics_kernels.h.
#include "statistics_kernels.h"

#include "alnsmith/alnsmith.hpp"
#include "scratch.h"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace alnsmith::test {
namespace {

bool is_protein(const search::ScoringSystem &scoring) { return scoring.letters.size() > 4; }

std::string spec_text(const search::ScoringSystem &scoring, bool begin) {
  return std::string("version: 1\nname: ") + (is_protein(scoring) ? "simulated-proteins" : "simulated-dna") +
         "\nalignment: local\ngap: {model: affine, open: runtime, extend: runtime}\n" +
         (is_protein(scoring) ? "alphabet: protein\nscore: {matrix: runtime}\n"
                              : "alphabet: dna\nscore: {match: runtime, mismatch: runtime}\n") +
         (begin ? "output: [score, end, begin]\n" : "");
}

Sources sources() {
  Sources out;
  out.generator = ALNSMITH_GENERATOR_PROGRAM;
  out.cache_dir = scratch::kernel_cache();
  return out;
}

Options options_of(const search::ScoringSystem &scoring, std::optional<Isa> isa) {
  Options out;
  out.isa = isa;
  for (const auto &[side, lines] : {std::pair{std::string("insertion"), &scoring.insertion},
                                    std::pair{std::string("deletion"), &scoring.deletion}}) {
    out.scoring.values[side + "_open"] = lines->front().open;
    out.scoring.values[side + "_extend"] = lines->front().extend;
  }
  if (is_protein(scoring)) {
    out.scoring.matrix = scoring.matrix;
  } else {
    out.scoring.values["match"] = scoring.matrix[0];
    out.scoring.values["mismatch"] = scoring.matrix[1];
  }
  return out;
}

}  // namespace

bool have_generator() { return !std::string_view(ALNSMITH_GENERATOR_PROGRAM).empty(); }

Result<golden::TemporaryAligner> open_local(const search::ScoringSystem &scoring, bool begin, std::optional<Isa> isa) {
  return golden::TemporaryAligner::open(spec_text(scoring, begin), sources(), options_of(scoring, isa));
}

Result<Aligner> open_aligner(const spec::Spec &spec, const Options &options) {
  static const scratch::Folder folder;
  return Aligner::open({folder.write(spec.name + ".yaml", spec::canonical(spec)), spec.name, spec::hash(spec)},
                       sources(), options);
}

Result<Aligner> open_for_simulation(const search::ScoringSystem &scoring) {
  const auto spec = spec::parse_text(spec_text(scoring, true), "the test's spec", ".");
  if (!spec) return spec.error();
  return open_aligner(*spec, options_of(scoring, std::nullopt));
}

}  // namespace alnsmith::test
