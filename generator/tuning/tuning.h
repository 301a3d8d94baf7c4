// What is decided for the planner: by hand (a candidate of `alnsmith tune`), or by tuned tables.
//
// A choice gives tile and mapping values; those of a table may be for one form and arithmetic only. What was given by
// hand replaces what the spec says; a table's rows fill in what it leaves open (no tile, `auto`). Formats:
// docs/tuning.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/forms.hpp"
#include "alnsmith/result.hpp"
#include "spec/spec.h"

namespace alnsmith::plan {

struct Choice {
  std::optional<Form> form;   // of the kernels that this is for; empty: all
  std::string arithmetic;     // likewise
  std::optional<int> k, p;    // register letters per lane, lanes per alignment (devices)
  std::optional<int> unroll;  // `rows`: stream letters per turn, mapping `lanes`
  std::optional<int> block;   // warps of a block (devices)
  std::optional<int> grid;    // most blocks per processor of the device
  std::string first;          // the narrowest arithmetic; empty: the planner's
  std::string mapping;        // empty: the planner's
};

// "k=8,arithmetic=int16,mapping=lanes,rows=2,p=16,block=4,grid=2"; an error names the word.
Result<Choice> parse_choice(std::string_view text);

class Tuning {
 public:
  Tuning() = default;
  explicit Tuning(Choice by_hand) : by_hand_(std::move(by_hand)) {}

  // Takes the rows for this spec, target and CPU class out of a table's JSON; `name`: for messages.
  Status add_table(std::string_view json, const std::string &name, std::string_view spec_hash, std::string_view target,
                   std::string_view cpu);

  // The spec with what was given by hand written into it.
  spec::Spec applied_to(spec::Spec s, const std::string &target) const;
  const Choice &by_hand() const { return by_hand_; }

  bool has_rows() const { return !rows_.empty(); }

  // What holds for kernels of this form and arithmetic: the tables' rows and, for what a spec cannot say, what was
  // given by hand. `arithmetic` empty: for the form.
  Choice of(Form form, std::string_view arithmetic) const;

 private:
  Choice by_hand_;
  std::vector<Choice> rows_;
};

}  // namespace alnsmith::plan
