// Scoring values and letters for calls of shipped specs.
#include "spec_calls.h"

#include <cstdio>
#include <string>
#include <utility>

#include "number.h"
#include "spec/gap.h"

#ifndef ALNSMITH_GENERATOR_PROGRAM
#define ALNSMITH_GENERATOR_PROGRAM ""
#endif

namespace bench {

alnsmith::Scoring runtime_scoring(const alnsmith::spec::Spec &spec) {
  alnsmith::Scoring scoring;
  const auto set = [&](const std::string &name, const alnsmith::spec::Value &value, int number) {
    if (value.runtime) scoring.values[name] = number;
  };
  const bool minimize = spec.objective == alnsmith::spec::Objective::minimize;
  set("match", spec.score.match, minimize ? 0 : 2);
  set("mismatch", spec.score.mismatch, minimize ? 1 : -1);
  for (const auto &[side, cost] : {std::pair{"insertion_", spec.insertion}, {"deletion_", spec.deletion}})
    for (const auto &field : alnsmith::spec::gap_fields())  // a further line: longer gaps cost no more
      set(side + std::string(field.key), cost.*field.value, field.open ? 2 + 4 * field.line : 1 - field.line);
  if (spec.score.matrix_runtime)
    for (std::size_t i = 0; i < spec.alphabet.letters.size(); ++i)
      for (std::size_t j = 0; j < spec.alphabet.letters.size(); ++j) scoring.matrix.push_back(i == j ? 2 : -1);
  return scoring;
}

std::string plain_letters(const alnsmith::spec::Spec &spec) {
  std::string letters;
  for (char letter : spec.alphabet.letters)
    if (letter != spec.alphabet.wildcard && letter != '*') letters += letter;
  return letters;
}

bool parse_arguments(int argc, char **argv, SpecArguments &arguments) {
  arguments.sources.generator = ALNSMITH_GENERATOR_PROGRAM;
  arguments.options.threads = 1;
  const std::string usage = std::string(argv[0]) +
                            " [--repeats N] [--cells N] [--generator PROGRAM] [--compiler C++] " +
                            "[--isa ISA] [--json FILE] SPEC...\n";
  bool good = true;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const bool option = name.starts_with("--");
    const std::string value = option && i + 1 < argc ? argv[++i] : "";
    if (!option)
      arguments.specs.push_back(name);
    else if (name == "--repeats")
      good = good && read_number(value, arguments.repeats);
    else if (name == "--cells")
      good = good && read_number(value, arguments.cells);
    else if (name == "--generator")
      arguments.sources.generator = value;
    else if (name == "--compiler")
      arguments.sources.compiler = value;
    else if (name == "--isa")
      arguments.options.isa = alnsmith::parse_isa(value);
    else if (name == "--json")
      arguments.json = value;
    else
      good = false;
  }
  good = good && arguments.repeats >= 1 && !arguments.specs.empty();
  if (!good) std::fputs(usage.c_str(), stderr);
  return good;
}

}  // namespace bench
