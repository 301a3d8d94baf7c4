// Clang's libTooling: no system headers, no file but the templates' own. See parsed_file.h.
#include "frontend/parsed_file.h"

#include <sstream>

#include "clang/AST/Attr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "pe/evaluator.h"

namespace alnsmith::frontend {

namespace {

constexpr llvm::StringRef kernel_prefix = "aln.kernel:", facts_prefix = "aln.facts:";

// Keeps the first error as one line: file:line:column: message.
class FirstError : public clang::DiagnosticConsumer {
 public:
  std::string text;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error || !text.empty()) return;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      const clang::PresumedLoc p = info.getSourceManager().getPresumedLoc(info.getLocation());
      if (p.isValid())
        text = std::string(p.getFilename()) + ":" + std::to_string(p.getLine()) + ":" + std::to_string(p.getColumn()) +
               ": ";
    }
    text += message.str().str() + "; a template is plain C++20 over dialect.h";
  }
};

// Clang 22 and later read it where it lies; for others it is copied, some 3 ms of each call.
using Files = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;
Files file_where_it_lies([[maybe_unused]] ParsedFile &file, const char *name, std::string_view text) {
#if CLANG_VERSION_MAJOR >= 22
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->setCurrentWorkingDirectory("/");
  files->addFile(name, 0, llvm::MemoryBuffer::getMemBuffer(text, name, /*RequiresNullTerminator=*/false));
  return files;
#else
  file.others.emplace_back(name, std::string(text));
  return llvm::vfs::getRealFileSystem();
#endif
}

// `main`: the name of what Clang reads; `files`: besides the file's.
Result<std::unique_ptr<ParsedFile>> read(std::unique_ptr<ParsedFile> file, const std::string &main,
                                         const std::vector<std::string> &options, [[maybe_unused]] const Files &files) {
  auto owned = std::make_unique<FirstError>();
  FirstError &errors = *owned;
  file->errors = std::move(owned);
  std::vector<std::string> arguments = {
      "-std=c++20", "-fsyntax-only", "-nostdinc", "-nostdinc++", "-fno-exceptions", "-w", "-fno-spell-checking"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  file->unit = clang::tooling::buildASTFromCodeWithArgs(
      file->main_text, arguments, main, "alnsmith-generate", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), file->others, &errors
#if CLANG_VERSION_MAJOR >= 22
      ,
      files
#endif
  );
  if (!file->unit || !errors.text.empty() || errors.getNumErrors())
    return Error{errors.text.empty() ? main + ": cannot be parsed" : errors.text};
  return file;
}

// The entries among all declarations.
void find_entries(ParsedFile &file) {
  for (const clang::Decl *d : file.unit->getASTContext().getTranslationUnitDecl()->decls()) {
    const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d);
    if (!f || !f->isThisDeclarationADefinition()) continue;
    for (const auto *a : f->specific_attrs<clang::AnnotateAttr>())
      for (auto [prefix, entries] : {std::pair{kernel_prefix, &file.kernels}, {facts_prefix, &file.facts}})
        if (a->getAnnotation().starts_with(prefix)) (*entries)[a->getAnnotation().drop_front(prefix.size()).str()] = f;
  }
}

}  // namespace

Result<std::unique_ptr<ParsedFile>> parse_file(std::vector<File> files, const std::vector<std::string> &defines) {
  auto file = std::make_unique<ParsedFile>();
  const std::string main = files.front().first;
  file->main_text = std::move(files.front().second);
  file->others.assign(std::make_move_iterator(files.begin() + 1), std::make_move_iterator(files.end()));
  std::vector<std::string> options;
  for (const std::string &define : defines) options.push_back("-D" + define);
  auto parsed = read(std::move(file), main, options, llvm::vfs::getRealFileSystem());
  if (parsed) find_entries(**parsed);
  return parsed;
}

namespace {

// One name of a file when its tree is kept and when it is loaded, whatever folders these happen in.
std::vector<File> in_no_folder(std::vector<File> files) {
  for (auto &[path, text] : files) path.insert(0, pe::kNoFolder);
  return files;
}

// The library that is loaded may be another one than at the build.
std::string writer() { return clang::getClangFullVersion() + "\n"; }

// What stands before a tree: who wrote it, a line for each entry (its list, mapping and function), blanks up to a
// multiple of eight bytes and a form feed. A tree whose entries were looked for would be read whole.
constexpr std::string_view kKernel = "kernel", kFacts = "facts";
constexpr char kEndOfLines = '\f';

std::string entry_lines(const ParsedFile &file) {
  std::string lines;
  for (const auto &[list, entries] : {std::pair{kKernel, &file.kernels}, {kFacts, &file.facts}})
    for (const auto &[mapping, function] : *entries)
      lines += std::string(list) + " " + mapping + " " + function->getNameAsString() + "\n";
  return lines;
}

const clang::FunctionDecl *function_named(clang::ASTContext &context, llvm::StringRef name) {
  for (const clang::NamedDecl *d : context.getTranslationUnitDecl()->lookup(&context.Idents.get(name)))
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d); f && f->isThisDeclarationADefinition()) return f;
  return nullptr;
}

}  // namespace

Result<std::string> make_tree(std::vector<File> files, const std::vector<std::string> &mains) {
  std::string all;
  for (const std::string &main : mains) all += "#include \"" + main + "\"\n";
  files.insert(files.begin(), {"templates/all.cc", all});
  const auto parsed = parse_file(in_no_folder(std::move(files)), {});
  if (!parsed) return parsed.error();
  std::string tree = writer() + entry_lines(**parsed);
  tree.resize(tree.size() / 8 * 8 + 15, ' ');
  tree += kEndOfLines;
  llvm::raw_string_ostream out(tree);
  if ((*parsed)->unit->serialize(out)) return Error{"the syntax tree cannot be written"};
  return tree;
}

Result<std::unique_ptr<ParsedFile>> load_file(std::vector<File> files, std::string_view tree) {
  constexpr const char *kTree = "templates.ast";
  const std::string written_by = writer();
  const auto end_of_lines = tree.find(kEndOfLines);
  if (!tree.starts_with(written_by) || end_of_lines == tree.npos)
    return Error{"a syntax tree of another Clang than " + written_by};
  auto file = std::make_unique<ParsedFile>();
  for (File &text : in_no_folder(std::move(files))) file->others.push_back(std::move(text));
  const Files tree_alone = file_where_it_lies(*file, kTree, tree.substr(end_of_lines + 1));
  // The tree is of these very texts: they travel together.
  auto loaded =
      read(std::move(file), "templates.cc", {"-include-pch", kTree, "-Xclang", "-fno-validate-pch"}, tree_alone);
  if (!loaded) return loaded;
  std::istringstream lines{std::string(tree.substr(written_by.size(), end_of_lines - written_by.size()))};
  for (std::string list, mapping, name; lines >> list >> mapping >> name;) {
    const clang::FunctionDecl *function = function_named((*loaded)->unit->getASTContext(), name);
    if (!function) return Error{"the syntax tree lacks " + name};
    (list == kKernel ? (*loaded)->kernels : (*loaded)->facts)[mapping] = function;
  }
  return loaded;
}

}  // namespace alnsmith::frontend
