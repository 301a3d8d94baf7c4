// A YAML text as a small tree that remembers where everything stood.
//
// In: text of at most 1 MiB. Out: one Node, or an Error at its line and column. What a spec never needs is
// refused here: anchors and aliases, tags, several documents, duplicated keys, keys that are not plain text,
// deep nesting, control bytes, other encodings than UTF-8. Built on yaml-cpp's events, not its nodes: those
// would keep duplicated keys and expand aliases. Scalars have the types of YAML 1.2's core schema, so that
// `on`, `N` and `no` are text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"
#include "spec/error.h"

namespace alnsmith::spec {

enum class Type { null, boolean, integer, real, text, list, map };

struct Node {
  Type type = Type::null;
  std::string text;  // scalars: as written, without quotes
  Place place;
  std::string key;  // in a map: the key this node is the value of
  Place key_place;
  std::vector<Node> children;  // list, map

  // The value of a map's key, or null.
  const Node *find(std::string_view wanted) const;
};

constexpr size_t max_file_bytes = size_t{1} << 20;

Result<Node> load_tree(const std::string &text, const std::string &file);

// The whole of a regular file of at most max_file_bytes; never blocks on a pipe or a device.
Result<std::string> read_text_file(const std::string &path);

// "integer", "text", ... for messages.
std::string_view type_name(Type type);

}  // namespace alnsmith::spec
