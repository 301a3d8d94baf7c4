// Newick to nodes as they stand in the file: any number of children, any lengths.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::placement {

struct RawNode {
  std::string label;
  std::vector<int> children;
  std::optional<double> length;
  std::size_t at = 0;  // place in the text, for messages
};

// The root is the first node; a node stands before its children.
Result<std::vector<RawNode>> parse_newick(std::string_view text, const std::string &file);

// An error at a place of the text.
Error error_at(std::string_view text, std::size_t at, const std::string &file, const std::string &words);

// A label as it stands in Newick: in quotes where it has signs or blanks.
std::string newick_label(const std::string &label);

}  // namespace alnsmith::placement
