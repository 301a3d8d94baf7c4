// The lists that kernels leave their outputs in: one for each row of ALN_OUTPUTS.
#pragma once

#include <cstddef>
#include <vector>

#include "alnsmith/kernel_abi.h"

struct OutputLists {
#define ALN_LIST(Y, type, name, key, words) std::vector<type> name;
  ALN_OUTPUTS(ALN_LIST, )
#undef ALN_LIST

  void fill_outputs(std::size_t count, int value) {
#define ALN_FILL(Y, type, name, key, words) name.assign(count, value);
    ALN_OUTPUTS(ALN_FILL, )
#undef ALN_FILL
  }

  // The fields of an argument block.
  template <class Args>
  void point_outputs(Args &args) {
#define ALN_POINT(Y, type, name, key, words) args.name = name.data();
    ALN_OUTPUTS(ALN_POINT, )
#undef ALN_POINT
  }

  // Calls `take` with each list.
  template <class Take>
  void for_each_output(const Take &take) const {
#define ALN_GIVE(Y, type, name, key, words) take(name);
    ALN_OUTPUTS(ALN_GIVE, )
#undef ALN_GIVE
  }
};
