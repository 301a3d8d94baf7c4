// Main files of the templates as Clang sees them: one parsed, or all loaded as the syntax tree that an earlier parse
// left.
//
// Parsing instantiates every template and takes 30 to 200 ms; a tree is read as far as it is looked at. The build keeps
// the tree of the embedded templates inside the generator (keep_tree.cpp). One kept by another version of Clang is
// refused, and the file is parsed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"
#include "clang/AST/Decl.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "frontend/registry.h"

namespace alnsmith::frontend {

struct ParsedFile {
  // Clang keeps references to all of these, also to tell lines and columns later.
  std::unique_ptr<clang::DiagnosticConsumer> errors;
  std::string main_text;
  clang::tooling::FileContentMappings others;
  std::unique_ptr<clang::ASTUnit> unit;
  std::map<std::string, const clang::FunctionDecl *> kernels, facts;  // by mapping
};

// `files`: the main file and those that it may include (registry.h); `defines`: macros, "NAME" or "NAME=value". The
// error is Clang's first, as one line.
Result<std::unique_ptr<ParsedFile>> parse_file(std::vector<File> files, const std::vector<std::string> &defines);
// All main files from their tree, which must outlive the result, if the Clang that runs is the one that wrote it.
Result<std::unique_ptr<ParsedFile>> load_file(std::vector<File> files, std::string_view tree);
// The tree of the main files `mains` among files.
Result<std::string> make_tree(std::vector<File> files, const std::vector<std::string> &mains);

}  // namespace alnsmith::frontend
