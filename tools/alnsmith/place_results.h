// The results of `place` and `place merge`: blocks of placed reads to files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "alnsmith/placement_blocks.hpp"
#include "alnsmith/placement_report.hpp"
#include "commands.h"

namespace alnsmith::tool {

struct PlaceOutputs {
  std::string folder, branches, plot, insertions = "both";
};
// --out, --insertions, --branches and --plot.
void add_place_outputs(CLI::App &command, PlaceOutputs &outputs);
// What they say by themselves; `inputs` are not replaced, and what cannot be written at the end is said now.
Status check_place_outputs(const PlaceOutputs &outputs, const std::vector<std::string> &inputs);
// Whether the folder can be made, or written into.
Status check_place_folder(const PlaceOutputs &outputs);

// Tree and which columns of the run's alignment count: what results need of references beside it.
struct References {
  placement::Tree tree;
  std::vector<std::uint32_t> kept;
};

// The blocks of a run, by number.
using BlockOf = std::function<Result<std::vector<placement::PlacedRead>>(std::uint64_t)>;

struct Placements {
  const References &references;
  const placement::RunId &run;
  std::uint64_t blocks;
  BlockOf block;
};
// How many reads there are, and of each branch: one that ties on n branches counts 1/n on each.
struct ReadCounts {
  std::uint64_t reads = 0;
  std::vector<double> of_branch;
};
// Writes all files, each beside its place and renamed when it is whole; blocks are read once for each.
Result<ReadCounts> write_placements(const Placements &placements, const PlaceOutputs &outputs);
// Those of them that need no more than the counts: --branches and --plot. `name`: the spec's.
Status write_overview(const placement::Tree &tree, const ReadCounts &counts, const std::string &name,
                      const PlaceOutputs &outputs);

}  // namespace alnsmith::tool
