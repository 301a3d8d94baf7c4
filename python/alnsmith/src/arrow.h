// Columns of strings by Arrow's C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), which
// pyarrow, polars and pandas speak: no library of theirs is linked, and no letter is copied.
#pragma once

#include "sequences.h"

namespace alnsmith::python {

// Of the pair of capsules that __arrow_c_array__() gives. TypeError for columns that are no strings or bytes,
// ValueError for a null.
Sequences sequences_of_arrow_array(nb::handle schema, nb::handle array, const char *side);
// Of the capsule that __arrow_c_stream__() gives: the chunks of a column, one behind another.
Sequences sequences_of_arrow_stream(nb::handle stream, const char *side);

}  // namespace alnsmith::python
