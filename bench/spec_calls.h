// What a call of any shipped spec needs: values for its `runtime` scoring, and letters of its alphabet.
#pragma once

#include <alnsmith/alnsmith.hpp>
#include <string>
#include <vector>

#include "spec/spec.h"

namespace bench {

// Values that the spec leaves to the call: match 2, mismatch -1 (0 and 1 where it minimises), open 2, extend
// 1, and a matrix of these. Values that it fixes are not named.
alnsmith::Scoring runtime_scoring(const alnsmith::spec::Spec &spec);

// The alphabet without its wildcard and `*`.
std::string plain_letters(const alnsmith::spec::Spec &spec);

// The command line that bench_generate and bench_specs share; the rest of it names spec files.
struct SpecArguments {
  int repeats = 9;
  double cells = 3e8;
  std::string json;  // empty: none
  alnsmith::Sources sources;
  alnsmith::Options options;  // one thread
  std::vector<std::string> specs;
};
// False, with the usage on stderr, if it makes no sense.
bool parse_arguments(int argc, char **argv, SpecArguments &arguments);

}  // namespace bench
