/// @file
/// Trees of references as placement takes them: unrooted and binary, read from Newick.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::placement {

/// A node of a tree, and the branch above it.
struct Node {
  std::string label;             ///< of a tip its name; of an inner node what the file says, often nothing
  int parent = -1;               ///< -1: the root
  std::vector<int> children;     ///< none of a tip, two of an inner node, three of the root
  std::optional<double> length;  ///< of the branch to the parent, as the file says
  bool tip() const { return children.empty(); }  ///< whether nothing hangs below it @return true if so
};

/// A binary tree without a root of its own: one inner node, with three children, stands for it.
///
/// Nodes stand in post-order, so children before their parent and the root last; branch i is the one above node i.
/// Where the file has two children at the root, their branches are one, lengths added, that counts where the first of
/// them does. Nodes of one child are left out, lengths added; other polytomies are resolved by branches of length 0.
class Tree {
 public:
  /// Reads one tree. Labels are plain or within single quotes, `[...]` are comments, names are taken as they stand.
  /// @param newick the file's text @param file for messages
  /// @return the tree; an error names line, column and mend: text that is no tree, fewer than three tips, tips without
  ///   or with equal names, lengths that are no numbers
  static Result<Tree> read(std::string_view newick, const std::string &file);

  /// All nodes. @return in post-order, the root last
  const std::vector<Node> &nodes() const { return nodes_; }
  /// How many branches there are. @return 2 x tips - 3
  std::size_t branches() const { return nodes_.size() - 1; }
  /// The tips. @return their nodes' numbers, ascending
  const std::vector<int> &tips() const { return tips_; }
  /// What was changed so that the tree is binary. @return a line each
  const std::vector<std::string> &warnings() const { return warnings_; }
  /// As .jplace has it. @return Newick with each branch's number in braces; a length that is not known is 0
  std::string with_branch_numbers() const;
  /// The tips below each branch or, where these are fewer, those above it. @param branch which, below branches()
  /// @return their names, sorted
  std::vector<std::string> smaller_side(std::size_t branch) const;

 private:
  std::vector<Node> nodes_;
  std::vector<int> tips_;
  std::vector<std::string> warnings_;
};

}  // namespace alnsmith::placement
