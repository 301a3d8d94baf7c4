// SeqAn2 as a peer: its inter-sequence vectorised score functions over string sets, int16, one thread. Whole alignments
// are peer_seqan_paths.cpp's.
//
// Compiled once per instruction set. SeqAn charges a gap's first residue `gap open` and the rest `gap
// extend` (scores, so negative), and takes its linear recurrence where the two are equal.
#include "peer_seqan.h"

#include <seqan/align_parallel.h>
#include <seqan/version.h>

#include <cstdint>
#include <string>

namespace {

using Scheme = seqan::Score<std::int16_t, seqan::Simple>;
using Strings = seqan::StringSet<seqan::DnaString>;

struct Scores : SeqanTask {
  Scores(int task_mode, const Scheme &task_scheme) : mode(task_mode), scheme(task_scheme) {}
  void run(const peer_results &results) const override {
    const seqan::ExecutionPolicy<seqan::Serial, seqan::Vectorial> one_thread;
    const seqan::AlignConfig<true, true, true, true> all_free;
    const auto out = [&](const auto &scores) {
      for (std::size_t i = 0; i < length(scores); ++i) results.scores[i] = scores[i];
    };
    if (mode == peer_global) out(globalAlignmentScore(one_thread, queries, targets, scheme));
    if (mode == peer_local) out(localAlignmentScore(one_thread, queries, targets, scheme));
    if (mode == peer_free_ends) out(globalAlignmentScore(one_thread, queries, targets, scheme, all_free));
  }
  int mode;
  Scheme scheme;
  Strings queries, targets;
};

}  // namespace

// Scores of DNA pairs only: its protein matrices go through 32-bit gathers and are no contender.
extern "C" const char *peer_variant(const peer_task *task, const peer_batch *, int index) {
  if (task->cigar) return seqan_path_variant(*task, index);
  return !task->blosum62 && !task->minimize && index == 0 ? "int16" : nullptr;
}

extern "C" void *peer_prepare(const peer_task *task, const peer_batch *batch, int index) {
  if (task->cigar) return seqan_paths(*task, *batch, index).release();
  const auto score = [](int value) { return static_cast<std::int16_t>(value); };
  auto prepared = std::make_unique<Scores>(task->mode, Scheme(score(task->match), score(task->mismatch),
                                                              score(-task->extend), score(-task->open - task->extend)));
  for (long i = 0; i < batch->pairs; ++i) {
    const long q = batch->one_query ? 0 : i;
    appendValue(prepared->queries, seqan::DnaString(std::string(batch->query[q], batch->query_length[q])));
    appendValue(prepared->targets, seqan::DnaString(std::string(batch->target[i], batch->target_length[i])));
  }
  return static_cast<SeqanTask *>(prepared.release());
}

extern "C" void peer_run(void *state, const peer_results *results) { static_cast<SeqanTask *>(state)->run(*results); }

extern "C" void peer_free(void *state) { delete static_cast<SeqanTask *>(state); }

extern "C" const char *peer_build(void) {
  static const std::string text = "SeqAn " + std::to_string(SEQAN_VERSION_MAJOR) + "." +
                                  std::to_string(SEQAN_VERSION_MINOR) + "." + std::to_string(SEQAN_VERSION_PATCH) +
                                  ", " + std::to_string(SEQAN_SIZEOF_MAX_VECTOR * 8) +
                                  "-bit vectors, g++ " __VERSION__ " " ALNSMITH_PEER_FLAGS;
  return text.c_str();
}
