// Part of the build: parses the embedded templates and keeps their syntax tree.
// Usage: keep_tree FILE
#include <cstdio>
#include <fstream>

#include "frontend/parsed_file.h"

int main(int argc, char **argv) {
  using namespace alnsmith::frontend;
  if (argc != 2) return std::fputs("usage: keep_tree FILE\n", stderr), 2;
  auto files = template_files("");
  if (!files) return std::fprintf(stderr, "keep_tree: %s\n", files.error().message.c_str()), 1;
  const auto tree = make_tree(*std::move(files), {"exactness.cc", "kernels.cc"});
  if (!tree) return std::fprintf(stderr, "keep_tree: %s\n", tree.error().message.c_str()), 1;
  std::ofstream out(argv[1], std::ios::binary);
  if (!(out << *tree << std::flush)) return std::fprintf(stderr, "keep_tree: %s: cannot write\n", argv[1]), 1;
}
