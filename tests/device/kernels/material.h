// Pairs of sequences to run kernels on: made from a seed for any alphabet, and real ones.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "simt_kernels.h"
#include "spec/spec.h"

namespace alnsmith::test {

// Every letter of the alphabet, both cases, its synonyms.
std::string all_letters(const spec::Alphabet &alphabet);
std::string random_text(std::mt19937 &random, const std::string &letters, std::size_t length);

// Bundled sequences that the spec's alphabet takes: reads, or proteins; none for other alphabets.
std::vector<std::string> real_sequences(const spec::Spec &spec);

// Batches for one kernel, each in the shape of its form (SimtKernels::launch): ragged lengths related and not with real
// sequences among them, extremes, and queries that need several stages.
std::vector<std::vector<Pair>> batches(std::mt19937 &random, const spec::Spec &spec, const plan::KernelPlan &kernel);

// Equal sequences that score more than `highest`; empty where that takes more than `most` letters.
std::string high_scoring(const spec::Spec &spec, const Scoring &call, long highest, std::size_t most);

}  // namespace alnsmith::test
