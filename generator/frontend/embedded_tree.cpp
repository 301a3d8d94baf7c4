// See embedded.h. ALNSMITH_TREE: the file in which keep_tree.cpp left it.
#include "frontend/embedded.h"

#ifdef ALNSMITH_TREE
// The assembler reads files of megabytes; a compiler would take seconds for an array.
asm(".pushsection .rodata\n.global aln_tree\n.global aln_tree_end\n.balign 8\naln_tree:\n.incbin \"" ALNSMITH_TREE
    "\"\naln_tree_end:\n.popsection\n");
extern "C" const char aln_tree[], aln_tree_end[];
#endif

namespace alnsmith::frontend {

std::string_view embedded_tree() {
#ifdef ALNSMITH_TREE
  return {aln_tree, aln_tree_end};
#else
  return {};
#endif
}

}  // namespace alnsmith::frontend
