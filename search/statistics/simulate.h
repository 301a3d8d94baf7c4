// Statistics of a scoring from alignments of random sequences by its own kernels.
#pragma once

#include "alnsmith/statistics.hpp"

namespace alnsmith::search {

// What it computes, by a number: another one where anything changes that changes a result.
constexpr int kSimulation = 1;
// Of the pairs' letters.
constexpr std::uint64_t kPhaseSeed = 0x616c6e70, kSampleSeed = 0x616c6e73, kPilotSeed = 0x616c6e6c;

// Deterministic: whatever threads, instruction set or device aligns. Errors: the linear phase (2), scores that follow
// no such distribution, the aligner's.
Result<Statistics> simulate(const ScoringSystem &scoring, const Frequencies &frequencies, const Aligner &aligner,
                            const Options &options);

// What names a simulation: 64 hex digits over all that its result depends on.
std::string simulation_key(const ScoringSystem &scoring, const Frequencies &frequencies);

}  // namespace alnsmith::search
