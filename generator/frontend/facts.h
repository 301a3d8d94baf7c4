// What is told of a kernel before it is generated: templates/exactness.h, evaluated for a spec.
//
// In: static values of a kernel. Out: each fact as a number, or as an expression of the manifest over what a call
// brings (docs/manifest.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "ir/ir.h"

namespace alnsmith::frontend {

using Statics = std::map<std::string, std::int64_t>;  // by field path of templates/spec.h

struct Fact {
  std::string text;
  std::optional<std::int64_t> number;  // where it waits for nothing
  bool always() const { return number && *number != 0; }
  bool never() const { return number == 0; }
};
using Facts = std::map<std::string, Fact>;  // by member of the entry's struct

// Who tells: templates that are parsed, or, in tests, templates that are compiled.
class Teller {
 public:
  virtual ~Teller() = default;
  virtual std::vector<std::string> mappings() const = 0;  // that kernels are registered for, sorted
  virtual Result<Facts> facts(const std::string &mapping, const Statics &statics) const = 0;
};

// `function` returns a fact of each name in turn; an error says which is no expression.
Result<Facts> print_facts(ir::Function function, const std::vector<std::string> &names);

}  // namespace alnsmith::frontend
