/// @file
/// Blocks of placed reads as files: what a run has done, so that it can be gone on with, split and merged.
///
/// Reads are placed a block at a time; blocks are numbered in the order of the reads. A block is a file of its own
/// that appears when it is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnsmith/placement.hpp"

namespace alnsmith::placement {

/// A run as far as all its blocks have it in common.
struct RunId {
  std::string version;           ///< of alnsmith
  std::string name;              ///< of the spec
  std::string spec;              ///< its canonical form
  std::string flags;             ///< name of the rule
  std::string alphabet;          ///< name of the references' alphabet
  bool minimize = false;         ///< small scores are good ones
  std::string tree;              ///< Newick, as read
  ReferenceAlignment alignment;  ///< as read
  /// What tells runs apart. @return 64 hex digits over all of it
  std::string hash() const;
};

/// What a folder of blocks says of itself.
struct RunState {
  RunId run;                              ///< which run
  std::optional<std::uint64_t> blocks;    ///< how many there are, once all reads were seen
  std::string reads;                      ///< hash of all reads, once they were seen
  bool complete = false;                  ///< the results are written, and blocks are gone
  std::vector<double> reads_of_branch{};  ///< once complete; a read that ties on n branches counts 1/n on each
};

/// A folder of a run.
class RunFolder {
 public:
  /// A folder that may not exist yet. @param path of it
  explicit RunFolder(std::string path);

  /// The folder. @return its path
  const std::string &path() const { return path_; }
  /// What it says of itself. @return nothing where no run was here; an error where that is damaged or not to be read
  Result<std::optional<RunState>> state() const;
  /// Says it; makes the folder where it is not there. @param state what to say @return an error names the file
  Status set_state(const RunState &state) const;

  /// Whether a block is there. @param number from 0 @return true if so, sound or not
  bool has(std::uint64_t number) const;
  /// Reads a block. @param number from 0 @param run hash of its run
  /// @return an error where it is damaged, of another run, or not there
  Result<std::vector<PlacedRead>> read(std::uint64_t number, const std::string &run) const;
  /// Writes a block beside its place and renames it. @param number from 0 @param run hash of its run @param reads its
  /// reads @return an error names the file
  Status write(std::uint64_t number, const std::string &run, const std::vector<PlacedRead> &reads) const;
  /// Removes all blocks. @return an error names what stays
  Status remove_blocks() const;

 private:
  std::string block_path(std::uint64_t number) const;
  std::string path_;
};

}  // namespace alnsmith::placement
