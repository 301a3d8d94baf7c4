// The gap models as specs name them, a row each.
//
// A model's cost is the smallest of its lines open + extend * length; linear is one line whose open is 0.
#pragma once

#include <span>
#include <string_view>

#include "spec/spec.h"

namespace alnsmith::spec {

struct GapModelRow {
  GapModel model;
  std::string_view name;
  int lines;
  bool opens;  // a gap costs something for being there, so that the recurrence needs a state for each line
};
std::span<const GapModelRow> gap_models();

// A cost of a line, by its key in a spec; a model without opens has the extends alone.
struct GapField {
  std::string_view key;
  Value GapCost::*value;
  int line;
  bool open;
  std::string_view example, doc;  // of the schema
};
std::span<const GapField> gap_fields();
bool has_field(GapModel model, const GapField &field);

int gap_lines(GapModel model);
int gap_states(GapModel model);  // lines that need a state

struct GapLine {
  Value open, extend;
};
GapLine line_of(const GapCost &gap, int line);

}  // namespace alnsmith::spec
