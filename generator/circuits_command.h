// `alnsmith-generate circuits`: what is known of a spec's circuit (docs/circuits.md), and searches for a lighter one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace alnsmith {

struct CircuitsRequest {
  std::string spec_file, output, gates = "avx512";
  std::vector<std::string> checked;
  std::uint64_t seed = 1;
  bool rewrite = false;
  int steps = 100'000, rounds = 0, seconds = 60;
};

CLI::App *add_circuits(CLI::App &app, CircuitsRequest &request);

// Returns the program's exit code.
int run_circuits(const CircuitsRequest &request);

}  // namespace alnsmith
