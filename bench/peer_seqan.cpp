// SeqAn2 as a peer: its inter-sequence vectorised score functions over string sets, int16, one thread.
//
// Compiled once per instruction set. SeqAn charges a gap's first residue `gap open` and the rest `gap
// extend` (scores, so negative), and takes its linear recurrence where the two are equal.
#include <seqan/align_parallel.h>
#include <seqan/version.h>

#include <cstdint>
#include <string>

#include "peer.h"

namespace {

using Scheme = seqan::Score<std::int16_t, seqan::Simple>;
using Strings = seqan::StringSet<seqan::DnaString>;

struct Prepared {
  int mode;
  Scheme scheme;
  Strings queries, targets;
};

}  // namespace

// DNA pairs only: its protein matrices go through 32-bit gathers and are no contender.
extern "C" const char *peer_variant(const peer_task *task, int index) {
  return !task->blosum62 && index == 0 ? "int16" : nullptr;
}

extern "C" void *peer_prepare(const peer_task *task, const peer_batch *batch, int) {
  const auto score = [](int value) { return static_cast<std::int16_t>(value); };
  auto prepared = new Prepared{
      task->mode,
      Scheme(score(task->match), score(task->mismatch), score(-task->extend), score(-task->open - task->extend)),
      {},
      {}};
  for (long i = 0; i < batch->pairs; ++i) {
    const long q = batch->one_query ? 0 : i;
    seqan::DnaString query, target;
    for (int k = 0; k < batch->query_length[q]; ++k) appendValue(query, batch->query[q][k]);
    for (int k = 0; k < batch->target_length[i]; ++k) appendValue(target, batch->target[i][k]);
    appendValue(prepared->queries, query);
    appendValue(prepared->targets, target);
  }
  return prepared;
}

extern "C" void peer_run(void *state, int *scores) {
  const Prepared &p = *static_cast<Prepared *>(state);
  const seqan::ExecutionPolicy<seqan::Serial, seqan::Vectorial> one_thread;
  const seqan::AlignConfig<true, true, true, true> all_free;
  const auto out = [&](const auto &results) {
    for (std::size_t i = 0; i < length(results); ++i) scores[i] = results[i];
  };
  if (p.mode == peer_global) out(globalAlignmentScore(one_thread, p.queries, p.targets, p.scheme));
  if (p.mode == peer_local) out(localAlignmentScore(one_thread, p.queries, p.targets, p.scheme));
  if (p.mode == peer_free_ends) out(globalAlignmentScore(one_thread, p.queries, p.targets, p.scheme, all_free));
}

extern "C" void peer_free(void *state) { delete static_cast<Prepared *>(state); }

extern "C" const char *peer_build(void) {
  static const std::string text = "SeqAn " + std::to_string(SEQAN_VERSION_MAJOR) + "." +
                                  std::to_string(SEQAN_VERSION_MINOR) + "." + std::to_string(SEQAN_VERSION_PATCH) +
                                  ", " + std::to_string(SEQAN_SIZEOF_MAX_VECTOR * 8) +
                                  "-bit vectors, g++ " __VERSION__ " " ALNSMITH_PEER_FLAGS;
  return text.c_str();
}
