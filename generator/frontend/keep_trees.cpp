// Part of the build: parses the embedded templates and keeps their syntax trees.
// Usage: keep_trees FOLDER
#include <cstdio>
#include <fstream>

#include "frontend/parsed_file.h"

int main(int argc, char **argv) {
  using namespace alnsmith::frontend;
  if (argc != 2) return std::fputs("usage: keep_trees FOLDER\n", stderr), 2;
  for (const char *main : {"kernels.cc", "exactness.cc"}) {
    auto files = template_files("", main);
    if (!files) return std::fprintf(stderr, "keep_trees: %s\n", files.error().message.c_str()), 1;
    const auto tree = make_tree(*std::move(files));
    if (!tree) return std::fprintf(stderr, "keep_trees: %s\n", tree.error().message.c_str()), 1;
    const std::string path = std::string(argv[1]) + "/" + main + ".ast";
    std::ofstream out(path, std::ios::binary);
    if (!(out << *tree << std::flush)) return std::fprintf(stderr, "keep_trees: %s: cannot write\n", path.c_str()), 1;
  }
}
