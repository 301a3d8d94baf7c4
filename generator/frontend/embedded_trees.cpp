// See embedded.h. ALNSMITH_TREES: the folder in which keep_trees.cpp left them.
#include "frontend/embedded.h"

#ifdef ALNSMITH_TREES
// The assembler reads files of megabytes; a compiler would take seconds for an array.
#define ALN_TREE(name, file)                                                                  \
  asm(".pushsection .rodata\n.global " #name "_tree\n.global " #name "_tree_end\n" #name      \
      "_tree:\n.incbin \"" ALNSMITH_TREES "/" file "\"\n" #name "_tree_end:\n.popsection\n"); \
  extern "C" const char name##_tree[], name##_tree_end[];
ALN_TREE(aln_kernels, "kernels.cc.ast")
ALN_TREE(aln_exactness, "exactness.cc.ast")
#endif

namespace alnsmith::frontend {

std::string_view embedded_tree([[maybe_unused]] std::string_view main) {
#ifdef ALNSMITH_TREES
  if (main == "kernels.cc") return {aln_kernels_tree, aln_kernels_tree_end};
  if (main == "exactness.cc") return {aln_exactness_tree, aln_exactness_tree_end};
#endif
  return {};
}

}  // namespace alnsmith::frontend
