// The search space of one spec on one target: parameters with their values, and the conditions on them.
//
// In:  a spec's `tune:` section, or nothing, and what the target has. Out: a numbered list of configurations (the last
//      parameter counts fastest), each of which meets the conditions or has the reason why not.
// Parameters that the target does not have are left out, with a note.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "spec/expression.h"
#include "spec/spec.h"
#include "tune/record.h"

namespace alnsmith::tool::tune {

struct Parameter {
  std::string name;
  std::vector<Value> values;  // integers ascending; words as listed
  bool ordered() const { return !values.empty() && std::holds_alternative<std::int64_t>(values.front()); }
};

inline constexpr std::size_t kMostCandidates = 100000;  // of a space

class Space {
 public:
  std::vector<Parameter> parameters;  // k, p, rows, mapping, arithmetic, block, ...: those that there are
  std::vector<std::string> warnings;  // what was left out, one line each
  bool device = false;
  std::optional<int> longest_register;  // of the side that lies in registers: the query on devices, else the target
  std::vector<int> stages;              // that this side may take; empty: any number

  Status add_condition(const std::string &expression, const std::string &reason);
  const std::vector<spec::Constraint> &conditions() const { return texts_; }

  std::size_t size() const;
  Configuration at(std::size_t index) const;
  std::optional<std::size_t> index_of(const Configuration &configuration) const;
  // In how many stages the longest register side goes; nothing where no length or no tile is known.
  std::optional<std::int64_t> stages_taken(const Configuration &configuration) const;
  // Why a configuration is left out; empty if it meets all conditions.
  std::string violated(const Configuration &configuration) const;

 private:
  std::vector<spec::Constraint> texts_;
  std::vector<spec::Expression> conditions_;
};

// `target`: as the generator names it. Without a `tune:` section, a space of the usual values. `compilers`: names or
// paths from the command line, in place of the names that the spec lists; empty: those.
Result<Space> make_space(const spec::Spec &spec, const std::string &target,
                         const std::vector<std::string> &compilers = {});

// Of a configuration what reaches the generator, as --choice takes it: "k=8,arithmetic=int16".
std::string choice_text(const Configuration &configuration);
std::string word_of(const Configuration &configuration, const std::string &name, const std::string &otherwise);
std::int64_t number_of(const Configuration &configuration, const std::string &name, std::int64_t otherwise);

}  // namespace alnsmith::tool::tune
