// The table of gap models.
#include "spec/gap.h"

#include <algorithm>

namespace alnsmith::spec {
namespace {

constexpr GapModelRow models[] = {
    {GapModel::linear, "linear", 1, false},
    {GapModel::affine, "affine", 1, true},
    {GapModel::dual_affine, "dual_affine", 2, true},
};

constexpr GapField fields[] = {
    {"open", &GapCost::open, 0, true, "open: 2", "cost of having a gap; not for linear"},
    {"extend", &GapCost::extend, 0, false, "extend: 1", "cost of each letter of a gap"},
    {"open2", &GapCost::open2, 1, true, "open2: 24", "second line of dual_affine"},
    {"extend2", &GapCost::extend2, 1, false, "extend2: 1", "second line of dual_affine"},
};

const GapModelRow &row_of(GapModel model) { return *std::ranges::find(models, model, &GapModelRow::model); }

}  // namespace

std::span<const GapModelRow> gap_models() { return models; }
std::span<const GapField> gap_fields() { return fields; }

bool has_field(GapModel model, const GapField &field) {
  const GapModelRow &row = row_of(model);
  return field.line < row.lines && (row.opens || !field.open);
}

int gap_lines(GapModel model) { return row_of(model).lines; }
int gap_states(GapModel model) { return row_of(model).opens ? row_of(model).lines : 0; }

GapLine line_of(const GapCost &gap, int line) {
  GapLine out;
  for (const GapField &field : fields)
    if (field.line == line) (field.open ? out.open : out.extend) = gap.*field.value;
  return out;
}

}  // namespace alnsmith::spec
