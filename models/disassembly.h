// Reading machine code back: what a kernel's hot loop is made of.
//
// In:  the listing of a cubin by nvdisasm, or of an AMD code object by llvm-objdump.
// Out: by kernel, its innermost loops with the number of each operation, the longest first. The hot loop of an
//      alignment kernel is unrolled over its cells and so by far the longest.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::models {

struct Loop {
  int instructions = 0;
  std::map<std::string, int> operations;  // "VIADDMNMX.S16x2", "v_pk_add_u16"

  // Of the operation itself or with any suffix after a dot: HADD2 counts HADD2.F32 too.
  int count(std::string_view operation) const;
  // Maxima and minima of two; those of three count twice.
  int maxima() const;
};

using Listing = std::map<std::string, std::vector<Loop>>;  // by kernel

Listing read_sass(std::string_view listing);  // `nvdisasm -c`
Listing read_amd(std::string_view listing);   // `llvm-objdump -d --symbolize-operands`

// The loop over rows of a kernel with k columns: the shortest with two maxima a cell, as every recurrence has (its
// variants for ragged rows are longer; a branch back from code that is seldom run looks like a loop, too). Null if
// there is none.
const Loop *row_loop(const std::vector<Loop> &loops, int k);

}  // namespace alnsmith::models
