// The kernels of `place`: a spec's aligner for scores, and one for alignments.
#pragma once

#include "place_job.h"

namespace alnsmith::tool {

Result<std::unique_ptr<PlaceKernels>> open_place_kernels(const RunArguments &run, const spec::Spec &spec,
                                                         const std::string &path, std::size_t call_memory);

}  // namespace alnsmith::tool
