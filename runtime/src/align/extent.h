// Local alignments with their begins, where many pairs share a query: first how far the best alignments of each pair
// reach, by kernels of form `extent`, which take the query with many targets at a time and keep nothing of the matrix;
// then the same of both sequences reversed, which says where the first of these begins; at last the whole alignment,
// in the part of the matrix that lies between.
//
// Scores, ends, begins and CIGARs are those of the whole matrix. Let P be the path that counts, of score S, and R a
// rectangle that holds it. A cell of R has no larger H, E or F in R alone than in the whole matrix, as each path of R
// is one of the matrix; cells of P have the same ones, as P up to them lies in R. So S is R's best score, and P's last
// cell has the smallest column, and of those the smallest row, of all that have it in R, as it has in the matrix. On
// the way back each step of P is open in R too, and one that goes before it is not: it was worse in the matrix, and is
// no better in R. P's first H of 0 is one in R, cells behind it are above 0. P lies between its first and its last
// letters. The last ones lie in the extent of the best cells. The first ones lie in that of the reversed sequences, up
// to the ends alone: P reversed scores S there, and nothing scores more.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "align/align.h"

namespace alnsmith::rt::align {

// Letters of a sequence: the first one's place, and the one behind the last.
struct Letters {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t count() const { return end - begin; }
  std::string_view of(std::string_view sequence) const { return sequence.substr(begin, count()); }
};

// A part of a pair's matrix that holds all its best alignments.
struct Box {
  Letters query, target;
  std::uint8_t held = 0;        // width of the kernel that found it; 0: none did, and it is all of the matrix
  std::uint8_t overflowed = 0;  // width of the widest kernel that did not hold the score
  std::uint64_t cells() const { return std::uint64_t{query.count()} * target.count(); }
};

class ExtentRun {
 public:
  ExtentRun(Call &call, const Sequences &sequences);
  // Whether enough pairs share their queries, by lengths and the manifest alone. Pairs do that follow each other with
  // the same letters in memory.
  bool suits() const;
  // All pairs; those that share no query, and all where a probe says that boxes are not small, as align_pairs does.
  Status run(bool admitted);

 private:
  // Pairs that follow each other and share a query.
  struct Group {
    std::uint64_t first;
    std::size_t count, box = 0;  // box: of the first one, in boxes_
    std::uint32_t longest = 0;   // target that takes part; 0: none does
    bool done = false;           // its boxes are found
  };
  using Targets = std::vector<std::string_view>;  // those that do not take part are empty

  Group group_at(std::uint64_t id, std::uint64_t end) const;
  Targets targets_of(const Group &group) const;
  double cells_of(const Group &group) const;
  std::uint32_t longest_that_suits(const kernels::KernelInfo &kernel, const Targets &targets) const;

  Status run_chunk(std::uint64_t begin, std::uint64_t end);
  Status probe(std::vector<Group> &groups);
  Status find_boxes(std::vector<Group> &groups);
  Status find_boxes(std::string_view query, Targets targets, std::span<Box> boxes, const Options &options);
  bool fits(const kernels::KernelInfo &kernel, std::size_t query, const Targets &targets, std::size_t memory) const;
  Result<bool> find_ends(const kernels::KernelInfo &kernel, std::string_view query, const Targets &targets,
                         std::span<Box> boxes, const Options &options);
  Status find_begins(const kernels::KernelInfo &kernel, std::string_view query, const Targets &targets,
                     std::span<Box> boxes, const Options &options);
  Result<bool> run_kernel(const kernels::KernelInfo &kernel, std::string_view query, const Targets &targets,
                          ResultSink &sink, const Options &options);
  Status align_boxes(const std::vector<Group> &groups);

  Call &call_;
  const Sequences &sequences_;
  std::vector<const kernels::KernelInfo *> kernels_;  // narrow to wide
  std::size_t chunk_;                                 // pairs
  std::vector<Box> boxes_;                            // of a chunk
  std::optional<bool> pays_;                          // says the probe
  std::mutex mutex_;                                  // of what a call beside has used
};

}  // namespace alnsmith::rt::align
