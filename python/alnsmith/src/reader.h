// FASTA and FASTQ for Python, by the reader of the command line.
#pragma once

#include <nanobind/nanobind.h>

namespace alnsmith::python {

void bind_reader(nanobind::module_ &module);

}  // namespace alnsmith::python
