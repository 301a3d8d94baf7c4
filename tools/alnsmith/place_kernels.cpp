// See place_kernels.h.
#include "place_kernels.h"

namespace alnsmith::tool {

Result<std::unique_ptr<PlaceKernels>> open_place_kernels(const RunArguments &, const spec::Spec &spec,
                                                         const std::string &, std::size_t) {
  return Error{"--spec " + spec.name + ": there is no kernel for state sets yet"};
}

}  // namespace alnsmith::tool
