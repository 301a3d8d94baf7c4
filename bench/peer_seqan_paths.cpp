// SeqAn2's whole alignments: globalAlignment and localAlignment into gapped sequences, one thread.
//
// Two forms. Vectors: a set of pairs, one to a lane, int16, or int32 under a matrix, whose scores it gathers; the
// traceback's matrix is as wide as the vectors, so this is left out where it takes gigabytes. Pair by pair: the scalar
// functions, 32 bits. The faster that is right counts.
#include <seqan/align.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "peer_runs.h"
#include "peer_seqan.h"

namespace {

enum Form { vectors, pair_by_pair, form_count };

// The largest matrix of a pair, in cells; a vector of each is kept.
constexpr double most_cells = 4e6;

// Gapped sequences side by side, a run at a time.
template <class Gapped>
void runs_of(const Gapped &query, const Gapped &target, Runs &runs) {
  auto q = begin(query), t = begin(target);
  for (std::size_t at = 0, count = 0, all = length(query); at < all; at += count, q += count, t += count) {
    RunOp op = run_match;
    if (isGap(q)) {
      count = countGaps(q);
      op = run_deletion;
    } else if (isGap(t)) {
      count = countGaps(t);
      op = run_insertion;
    } else {
      count = std::min<std::size_t>(countCharacters(q), countCharacters(t));
    }
    count = std::min(count, all - at);
    runs.add(static_cast<unsigned>(count), op);
  }
}

template <class Letter, class Scheme>
struct Paths : SeqanTask {
  using Sequence = seqan::String<Letter>;
  using Gapped = seqan::Gaps<Sequence, seqan::ArrayGaps>;

  Paths(const peer_task &a_task, const peer_batch &batch, Form a_form, const Scheme &a_scheme)
      : task(a_task), form(a_form), scheme(a_scheme) {
    reserve(queries, batch.pairs);  // the gapped sequences point into them
    reserve(targets, batch.pairs);
    for (long i = 0; i < batch.pairs; ++i) {
      const long q = batch.one_query ? 0 : i;
      appendValue(queries, Sequence(std::string(batch.query[q], batch.query_length[q])));
      appendValue(targets, Sequence(std::string(batch.target[i], batch.target_length[i])));
    }
    for (long i = 0; i < batch.pairs; ++i) {
      appendValue(gapped_queries, Gapped(queries[i]));
      appendValue(gapped_targets, Gapped(targets[i]));
    }
  }

  void run(const peer_results &results) const override {
    if (task.open == 0)
      align(results, seqan::LinearGaps());
    else
      align(results, seqan::AffineGaps());
  }

  template <class Model>
  void align(const peer_results &results, Model model) const {
    const seqan::AlignConfig<> no_end_free;
    if (form == vectors) {
      const auto scores = task.mode == peer_local
                              ? localAlignment(gapped_queries, gapped_targets, scheme, model)
                              : globalAlignment(gapped_queries, gapped_targets, scheme, no_end_free, model);
      for (std::size_t i = 0; i < length(scores); ++i) report(results, i, scores[i]);
      return;
    }
    for (std::size_t i = 0; i < length(gapped_queries); ++i)
      report(results, i,
             task.mode == peer_local
                 ? localAlignment(gapped_queries[i], gapped_targets[i], scheme, model)
                 : globalAlignment(gapped_queries[i], gapped_targets[i], scheme, no_end_free, model));
  }

  void report(const peer_results &results, std::size_t i, int score) const {
    results.scores[i] = task.minimize ? -score : score;
    runs.clear();
    runs_of(gapped_queries[i], gapped_targets[i], runs);
    results.alignment(results.to, static_cast<long>(i), static_cast<int>(toSourcePosition(gapped_queries[i], 0)),
                      static_cast<int>(toSourcePosition(gapped_targets[i], 0)), runs.data(), runs.size());
  }

  peer_task task;
  Form form;
  Scheme scheme;
  seqan::StringSet<Sequence> queries, targets;
  mutable seqan::StringSet<Gapped> gapped_queries, gapped_targets;  // each run writes them anew
  mutable Runs runs;
};

template <class Score>
std::unique_ptr<SeqanTask> of_dna(const peer_task &task, const peer_batch &batch, Form form) {
  using Scheme = seqan::Score<Score, seqan::Simple>;
  const int sign = task.minimize ? -1 : 1;
  const auto score = [](int value) { return static_cast<Score>(value); };
  return std::make_unique<Paths<seqan::Dna, Scheme>>(task, batch, form,
                                                     Scheme(score(sign * task.match), score(sign * task.mismatch),
                                                            score(-task.extend), score(-task.open - task.extend)));
}

std::unique_ptr<SeqanTask> of_proteins(const peer_task &task, const peer_batch &batch, Form form) {
  using Scheme = seqan::Score<int, seqan::ScoreMatrix<seqan::AminoAcid, seqan::Default>>;
  Scheme scheme(-task.extend, -task.open - task.extend);
  if (!loadScoreMatrix(scheme, batch.matrix_file)) return nullptr;
  return std::make_unique<Paths<seqan::AminoAcid, Scheme>>(task, batch, form, scheme);
}

}  // namespace

const char *seqan_path_variant(const peer_task &task, int index) {
  if (task.mode == peer_free_ends || index >= form_count) return nullptr;
  return index == pair_by_pair ? "pair by pair" : task.blosum62 ? "vectors int32" : "vectors int16";
}

std::unique_ptr<SeqanTask> seqan_paths(const peer_task &task, const peer_batch &batch, int index) {
  const auto form = static_cast<Form>(index);
  for (long i = 0; i < batch.pairs && form == vectors; ++i)
    if (1.0 * batch.query_length[batch.one_query ? 0 : i] * batch.target_length[i] > most_cells) return nullptr;
  if (task.blosum62) return of_proteins(task, batch, form);
  return form == vectors ? of_dna<std::int16_t>(task, batch, form) : of_dna<int>(task, batch, form);
}
