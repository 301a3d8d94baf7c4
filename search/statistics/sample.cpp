// See sample.h.
#include "sample.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "random.h"

namespace alnsmith::search {
namespace {

constexpr std::uint64_t kBatchLetters = std::uint64_t{8} << 20;  // of both sides: what a call is given at a time
constexpr double kFewestPlaces = 0.05;  // as parts of a sequence pair's: no alignment weighs more than twenty

// First and last aligned letters of one of both sequences.
struct Places {
  std::vector<std::int32_t> begin, end;
  std::int32_t letters(std::size_t i) const { return end[i] - begin[i] + 1; }
};

struct Batch {
  std::string letters;
  std::vector<std::string_view> queries, targets;
  std::vector<std::int32_t> score;
  Places query, target;

  void resize(std::size_t pairs, std::size_t length) {
    letters.resize(2 * pairs * length);
    queries.clear();
    targets.clear();
    for (std::size_t i = 0; i < pairs; ++i) {
      queries.push_back(std::string_view(letters).substr(2 * i * length, length));
      targets.push_back(std::string_view(letters).substr((2 * i + 1) * length, length));
    }
    for (std::vector<std::int32_t> *column : {&score, &query.begin, &query.end, &target.begin, &target.end})
      column->assign(pairs, 0);
  }
};

void count(const Batch &batch, bool with_lengths, Sample &sample) {
  const double length = sample.length;
  for (std::size_t i = 0; i < batch.score.size(); ++i) {
    ScoreBin &bin = sample.bins[batch.score[i]];
    ++bin.pairs;
    if (!with_lengths || batch.score[i] <= 0) continue;
    const double query = batch.query.letters(i), target = batch.target.letters(i);
    const double places = (1 - (query - 1) / length) * (1 - (target - 1) / length);
    const double weight = 1 / std::max(places, kFewestPlaces);
    bin.weight += weight;
    bin.query += weight * query;
    bin.target += weight * target;
    bin.query2 += weight * query * query;
    bin.target2 += weight * target * target;
    bin.query_target += weight * query * target;
  }
}

}  // namespace

double Sample::mean_score() const {
  std::int64_t sum = 0;
  for (const auto &[score, bin] : bins) sum += score * static_cast<std::int64_t>(bin.pairs);
  return static_cast<double>(sum) / static_cast<double>(std::max<std::uint64_t>(pairs, 1));
}

std::int32_t Sample::quantile(double part) const {
  std::uint64_t below = 0;
  for (const auto &[score, bin] : bins) {
    below += bin.pairs;
    if (static_cast<double>(below) > part * static_cast<double>(pairs)) return score;
  }
  return bins.empty() ? 0 : bins.rbegin()->first;
}

Result<Sample> draw_sample(const Draw &draw, bool with_lengths, const Aligner &aligner, const Options &options) {
  const LetterSource source(draw.scoring.letters, draw.frequencies.parts);
  const auto length = static_cast<std::size_t>(draw.length);
  Sample sample{draw.length, draw.pairs, {}};
  Batch batch;
  const std::uint64_t most = std::max<std::uint64_t>(1, kBatchLetters / (2 * length));
  for (std::uint64_t first = 0; first < draw.pairs; first += most) {
    const auto pairs = static_cast<std::size_t>(std::min(most, draw.pairs - first));
    batch.resize(pairs, length);
    for (std::size_t i = 0; i < pairs; ++i) {
      Random random(mixed(mixed(draw.seed, static_cast<std::uint64_t>(length)), first + i));
      source.fill(random, std::span(batch.letters).subspan(2 * i * length, 2 * length));
    }
    Columns columns{{Output::score, batch.score}};
    if (with_lengths) {
      columns.set(kBegins.query, batch.query.begin);
      columns.set(kEnds.query, batch.query.end);
      columns.set(kBegins.target, batch.target.begin);
      columns.set(kEnds.target, batch.target.end);
    }
    if (const Result<Report> done = aligner.align_pairs(batch.queries, batch.targets, columns, options); !done)
      return done.error();
    count(batch, with_lengths, sample);
  }
  return sample;
}

}  // namespace alnsmith::search
