// Aligners for the tests of significance: local specs whose scoring comes with the call, so that one set of kernels
// serves every scoring.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "alnsmith/statistics.hpp"
#include "spec/spec.h"
#include "temporary_aligner.h"

namespace alnsmith::test {

// Proteins where the scoring's alphabet has their letters, else DNA. With `begin` for simulations, else scores alone.
// `isa`: nothing is the best of this machine.
Result<golden::TemporaryAligner> open_local(const search::ScoringSystem &scoring, bool begin,
                                            std::optional<Isa> isa = std::nullopt);

// The same for one that owns nothing but itself, as find_statistics() asks for; the spec's file lives as long as the
// process.
Result<Aligner> open_for_simulation(const search::ScoringSystem &scoring);
// Of any spec that fixes its scoring.
Result<Aligner> open_aligner(const spec::Spec &spec, const Options &options = {});

bool have_generator();

}  // namespace alnsmith::test

// First line of a test that needs kernels.
#define STATISTICS_NEED_KERNELS() \
  if (!alnsmith::test::have_generator()) GTEST_SKIP() << "built without the generator"
