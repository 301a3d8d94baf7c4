// parasail as a peer: its vector kernels by name, one call per pair, as its users call it.
//
// parasail charges a gap's first residue `open` and the rest `extend`, so it is given open + extend.
// Its striped kernels are wrong where those two are equal (linear gaps), and version 2.6's diag kernels return
// the type's minimum for local and semi-global alignment: neither is tried there. Whole alignments are its trace
// kernels and the CIGAR that it makes of their table.
#include <parasail.h>

#include <cstring>
#include <string>
#include <vector>

#include "peer.h"
#include "peer_runs.h"

namespace {

struct Variant {
  const char *name, *kernel, *bits;
  bool profile;  // the query's profile is made once
};
const Variant pair_variants[] = {{"scan 16", "scan", "16", false},
                                 {"scan sat", "scan", "sat", false},
                                 {"diag 16", "diag", "16", false},
                                 {"striped 16", "striped", "16", false},
                                 {"striped sat", "striped", "sat", false}};
const Variant profile_variants[] = {{"striped profile 16", "striped", "16", true},
                                    {"striped profile sat", "striped", "sat", true},
                                    {"scan profile 16", "scan", "16", true},
                                    {"scan profile sat", "scan", "sat", true}};

bool allowed(const Variant &variant, const peer_task &task) {
  if (std::strcmp(variant.kernel, "striped") == 0) return task.open > 0;
  if (std::strcmp(variant.kernel, "diag") == 0) return task.mode == peer_global;
  return true;
}

// A profile of the query pays where all pairs have the same.
const Variant *find(const peer_task &task, const peer_batch &batch, int index) {
  const auto in = [&](const auto &table) -> const Variant * {
    for (const Variant &variant : table)
      if (allowed(variant, task) && index-- == 0) return &variant;
    return nullptr;
  };
  return batch.one_query && !task.cigar ? in(profile_variants) : in(pair_variants);
}

struct Prepared {
  peer_task task;
  peer_batch batch;
  parasail_matrix_t *matrix = nullptr;
  parasail_function_t *function = nullptr;
  parasail_pfunction_t *profile_function = nullptr;
  parasail_pcreator_t *profile_creator = nullptr;
};

// Its operations tell matches from mismatches.
RunOp op_of(char operation) {
  if (operation == 'I') return run_insertion;
  return operation == 'D' ? run_deletion : run_match;
}

// Where a local alignment begins at the matrix's border, what lies before it along the border is a run of the CIGAR
// too, though not of the score: that run is left out.
void report_alignment(const Prepared &p, long pair, long q, parasail_result_t *result, Runs &runs,
                      const peer_results &results) {
  parasail_cigar_t *cigar = parasail_result_get_cigar(result, p.batch.query[q], p.batch.query_length[q],
                                                      p.batch.target[pair], p.batch.target_length[pair], p.matrix);
  runs.clear();
  int query_begin = cigar->beg_query, target_begin = cigar->beg_ref;
  for (int run = 0; run < cigar->len; ++run) {
    const unsigned letters = parasail_cigar_decode_len(cigar->seq[run]);
    const RunOp op = op_of(parasail_cigar_decode_op(cigar->seq[run]));
    if (run == 0 && p.task.mode == peer_local && op != run_match)
      (op == run_insertion ? query_begin : target_begin) += static_cast<int>(letters);
    else
      runs.add(letters, op);
  }
  results.alignment(results.to, pair, query_begin, target_begin, runs.data(), runs.size());
  parasail_cigar_free(cigar);
}

}  // namespace

extern "C" const char *peer_variant(const peer_task *task, const peer_batch *batch, int index) {
  const Variant *variant = find(*task, *batch, index);
  return variant != nullptr ? variant->name : nullptr;
}

extern "C" void *peer_prepare(const peer_task *task, const peer_batch *batch, int index) {
  const Variant *variant = find(*task, *batch, index);
  if (variant == nullptr) return nullptr;
  auto prepared = new Prepared{*task, *batch};
  const char *modes[] = {"nw", "sw", "sg"};
  const std::string stem = std::string(modes[task->mode]) + (task->cigar ? "_trace_" : "_") + variant->kernel +
                           (variant->profile ? "_profile" : "");
  const std::string name = stem + "_avx2_256_" + variant->bits;
  if (variant->profile) {
    prepared->profile_function = parasail_lookup_pfunction(name.c_str());
    prepared->profile_creator = parasail_lookup_pcreator(name.c_str());
  } else {
    prepared->function = parasail_lookup_function(name.c_str());
  }
  // From the file: its built-in BLOSUM62 scores X, B and Z otherwise than NCBI's does now.
  const int sign = task->minimize ? -1 : 1;
  prepared->matrix = task->blosum62 ? parasail_matrix_from_file(batch->matrix_file)
                                    : parasail_matrix_create("ACGT", sign * task->match, sign * task->mismatch);
  const bool callable =
      prepared->function != nullptr || (prepared->profile_function != nullptr && prepared->profile_creator != nullptr);
  if (prepared->matrix == nullptr || !callable) {
    peer_free(prepared);
    return nullptr;
  }
  return prepared;
}

extern "C" void peer_run(void *state, const peer_results *results) {
  const Prepared &p = *static_cast<Prepared *>(state);
  Runs runs;
  const int first = p.task.open + p.task.extend, next = p.task.extend;
  parasail_profile_t *profile = nullptr;
  if (p.profile_creator != nullptr) profile = p.profile_creator(p.batch.query[0], p.batch.query_length[0], p.matrix);
  for (long i = 0; i < p.batch.pairs; ++i) {
    const long q = p.batch.one_query ? 0 : i;
    parasail_result_t *result =
        profile != nullptr ? p.profile_function(profile, p.batch.target[i], p.batch.target_length[i], first, next)
                           : p.function(p.batch.query[q], p.batch.query_length[q], p.batch.target[i],
                                        p.batch.target_length[i], first, next, p.matrix);
    results->scores[i] = p.task.minimize ? -parasail_result_get_score(result) : parasail_result_get_score(result);
    if (p.task.cigar) report_alignment(p, i, q, result, runs, *results);
    parasail_result_free(result);
  }
  if (profile != nullptr) parasail_profile_free(profile);
}

extern "C" void peer_free(void *state) {
  auto prepared = static_cast<Prepared *>(state);
  if (prepared->matrix != nullptr) parasail_matrix_free(prepared->matrix);
  delete prepared;
}

extern "C" const char *peer_build(void) {
  static const std::string text = [] {
    int major = 0, minor = 0, patch = 0;
    parasail_version(&major, &minor, &patch);
    return "parasail " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) +
           " (the distribution's library, avx2_256 kernels)";
  }();
  return text.c_str();
}
