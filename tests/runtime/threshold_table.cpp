// Prints the table of docs/devices.md: what thresholds would make of a search on an H200, by the model alone.
//
// In:  FASTA on stdin (a database of proteins), any number of extra targets' lengths as arguments.
// Out: by query length, the share of the time that fixed thresholds and the model's own take of that without one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "device/schedule/block_threshold.h"

namespace {

using namespace alnsmith::rt::schedule;

// 132 processors, each with 16 warps of either kernel. Tiles of protein-local-blosum62 on cuda:sm_90, columns as in
// launches_threshold.cpp. One query of this length has form `single_query`, two targets per register; of more,
// `launches` of two.
constexpr double kWarps = 132 * 16;
struct Kernels {
  ThresholdKernel lanes, blocks;
};
Kernels kernels_for(std::uint64_t query, std::size_t launches) {
  const int p = query <= 160 ? 8 : query <= 256 ? 16 : 32, k = query > 128 && query <= 160 ? 20 : 16;
  const double targets = launches > 1 ? 1 : 2, column = launches > 1 ? 1 : 1.32;  // of a register, of a lane
  return {{p, k, 1, kWarps * 32 / p * targets, kWarps * 32 * k * column},
          {32, 16, 8, kWarps / 8 * targets, kWarps * 32 * 16 * 1.44}};
}

// With the targets of `least` letters and more in blocks.
double time_of(const std::vector<std::uint32_t> &lengths, std::uint32_t least, std::uint64_t query,
               std::size_t launches, const Kernels &kernels) {
  std::size_t count = 0;
  std::uint64_t letters = 0;
  double sum = 0;
  for (; count < lengths.size() && lengths[count] < least; ++count) letters += lengths[count];
  for (std::size_t i = count; i < lengths.size(); ++i) sum += kernels.blocks.steps(query, lengths[i]);
  const std::uint32_t longest = count > 0 ? lengths[count - 1] : 0;
  const double shared = shared_time(count, letters, longest, query, launches, kernels.lanes).time;
  if (count == lengths.size()) return shared;
  const double last = kernels.blocks.steps(query, lengths.back()) * (1 - 1 / kernels.blocks.at_once);
  return shared + kernels.blocks.columns * (static_cast<double>(launches) * sum / kernels.blocks.at_once + last);
}

}  // namespace

int main(int argc, char **argv) {
  std::vector<std::uint32_t> lengths;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.starts_with('>'))
      lengths.push_back(0);
    else if (!lengths.empty())
      lengths.back() += static_cast<std::uint32_t>(line.size());
  }
  for (int i = 1; i < argc; ++i) lengths.push_back(static_cast<std::uint32_t>(std::atoi(argv[i])));
  std::sort(lengths.begin(), lengths.end());
  if (lengths.empty()) return std::fputs("no targets on stdin; give FASTA\n", stderr), 1;
  std::uint64_t letters = 0;
  for (const std::uint32_t length : lengths) letters += length;
  std::printf("%zu targets, %llu letters, %u the longest\n", lengths.size(), static_cast<unsigned long long>(letters),
              lengths.back());
  std::printf("| query | launches | 1,500 | 3,072 | 36,000 | the model's | from letters | targets |\n");
  for (const std::size_t launches : {1, 10})
    for (const std::uint64_t query : {144, 567, 2005, 5478}) {
      const Kernels kernels = kernels_for(query, launches);
      const Threshold own = find_threshold(lengths, letters, query, launches, kernels.lanes, kernels.blocks);
      const auto share = [&](std::uint32_t least) {
        return time_of(lengths, least, query, launches, kernels) / own.time_without;
      };
      const std::size_t many = lengths.size() - own.place;
      std::printf("| %llu | %zu | %.2f | %.2f | %.2f | %.2f | %u | %zu |\n", static_cast<unsigned long long>(query),
                  launches, share(1500), share(3072), share(36000), own.time / own.time_without,
                  many > 0 ? lengths[own.place] : 0, many);
    }
}
