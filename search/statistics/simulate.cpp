// See simulate.h. Altschul et al. 2001 found short pairs, left-censored and corrected for their ends, as good as the
// island method at these lengths; kernels that score are all it takes.
#include "simulate.h"

#include <bit>

#include "base/files.h"
#include "fit.h"
#include "phase.h"
#include "sample.h"
#include "tables.h"

namespace alnsmith::search {
namespace {

constexpr double kCells = 2.4e10;  // of all pairs together
constexpr int kLengths[] = {300, 600, 1200};
constexpr std::uint64_t kPilotPairs = 4000;
// Sequences are as many times longer than alignments of the best tenth of pairs, so that few are cut short.
constexpr double kRoom = 8;
// Pairs below this part of the scores count as censored: those follow the limit's law less well.
constexpr double kCensored = 0.5;

// Letters that the best tenth of the pairs' alignments span on average, the longer side.
double span_of_best(const Sample &sample) {
  const std::int32_t lowest = sample.quantile(0.9);
  double weight = 0, query = 0, target = 0;
  for (const auto &[score, bin] : sample.bins) {
    if (score < lowest) continue;
    weight += bin.weight;
    query += bin.query;
    target += bin.target;
  }
  return weight > 0 ? std::max(query, target) / weight : 0;
}

Result<Sample> fitting_sample(const ScoringSystem &scoring, const Frequencies &frequencies, const Aligner &aligner,
                              const Options &options) {
  const Result<Sample> pilot =
      draw_sample({scoring, frequencies, kPilotSeed, kLengths[0], kPilotPairs}, true, aligner, options);
  if (!pilot) return pilot.error();
  const double span = span_of_best(*pilot);
  int length = kLengths[0];
  for (const int longer : kLengths)
    if (length < kRoom * span) length = longer;
  const auto pairs = static_cast<std::uint64_t>(kCells / (static_cast<double>(length) * length));
  return draw_sample({scoring, frequencies, kSampleSeed, length, pairs}, true, aligner, options);
}

}  // namespace

Result<Statistics> simulate(const ScoringSystem &scoring, const Frequencies &frequencies, const Aligner &aligner,
                            const Options &options) {
  if (Status ok = check_scores(scoring, frequencies); !ok) return ok.error();
  if (Status ok = check_phase(scoring, frequencies, aligner, options); !ok) return ok.error();
  const Result<Sample> sample = fitting_sample(scoring, frequencies, aligner, options);
  if (!sample) return sample.error();

  Statistics out;
  out.method = Method::simulate;
  out.source = std::to_string(sample->pairs) + " pairs of " + std::to_string(sample->length) + " letters, gaps of " +
               gap_words(scoring);
  out.frequencies = frequencies.name;
  out.period = score_period(scoring, frequencies);
  out.ungapped_lambda = Composition(scoring, frequencies).standard_lambda().value_or(0);
  const std::int32_t cut = sample->quantile(kCensored);
  fit_lengths(*sample, cut, out);
  const std::int32_t lowest = (cut + out.period - 1) / out.period * out.period;
  const Fit fit = fit_lambda(*sample, lowest, out);
  if (!fit.done)
    return Error{
        "no significance: scores of random sequences do not fall off as they should under this scoring (gaps of " +
        gap_words(scoring) + "): search without E, --stats none"};
  const double mean_a = (out.query.a + out.target.a) / 2;
  out.h = mean_a > 0 ? out.lambda / mean_a : 0;
  return out;
}

std::string simulation_key(const ScoringSystem &scoring, const Frequencies &frequencies) {
  std::string text = "alnsmith statistics " + std::to_string(kSimulation) + "\n" + scoring.letters + "\n";
  for (const int score : scoring.matrix) text += std::to_string(score) + " ";
  for (const auto &side : {scoring.insertion, scoring.deletion}) {
    text += "\n";
    for (const GapLine &line : effective_lines(side))
      text += std::to_string(line.open) + "+" + std::to_string(line.extend) + " ";
  }
  text += "\n" + frequencies.name + "\n";
  for (const double part : frequencies.parts) text += std::to_string(std::bit_cast<std::uint64_t>(part)) + " ";
  return rt::sha256_hex(text);
}

}  // namespace alnsmith::search
