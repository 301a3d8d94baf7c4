// Parsing the templates with Clang's libTooling: no system headers, no file but the templates' own.
#include "frontend/templates.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "clang/AST/Attr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "frontend/registry.h"
#include "pe/evaluator.h"
#include "targets/targets.h"

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

// A main file as Clang sees it, and what is registered in it.
struct ParsedFile {
  // Clang keeps references to the texts, also to tell lines and columns later.
  std::string main_text;
  clang::tooling::FileContentMappings others;
  std::unique_ptr<clang::ASTUnit> unit;
  std::map<std::string, const clang::FunctionDecl *> kernels, facts;
};

Result<std::unique_ptr<ParsedFile>> parse_file(const std::string &directory, const std::string &main,
                                               const std::vector<std::string> &defines) {
  auto files = template_files(directory, main);
  if (!files) return files.error();
  auto file = std::make_unique<ParsedFile>();
  const std::string main_name = files->front().first;
  file->main_text = files->front().second;
  file->others.assign(files->begin() + 1, files->end());

  FirstError errors;
  std::vector<std::string> arguments = {
      "-std=c++20", "-fsyntax-only", "-nostdinc", "-nostdinc++", "-fno-exceptions", "-w", "-fno-spell-checking"};
  for (const std::string &define : defines) arguments.push_back("-D" + define);
  file->unit = clang::tooling::buildASTFromCodeWithArgs(
      file->main_text, arguments, main_name, "alnsmith-generate", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), file->others, &errors);
  if (!file->unit || !errors.text.empty() || errors.getNumErrors())
    return Error{errors.text.empty() ? main_name + ": cannot be parsed" : errors.text};
  for (const clang::Decl *d : file->unit->getASTContext().getTranslationUnitDecl()->decls()) {
    const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d);
    if (!f || !f->isThisDeclarationADefinition()) continue;
    for (const auto *a : f->specific_attrs<clang::AnnotateAttr>())
      for (auto [prefix, entries] : {std::pair{kernel_prefix, &file->kernels}, {facts_prefix, &file->facts}})
        if (a->getAnnotation().starts_with(prefix)) (*entries)[a->getAnnotation().drop_front(prefix.size()).str()] = f;
  }
  return file;
}

}  // namespace

struct Templates::Impl {
  std::string directory;
  std::vector<std::string> mappings;
  // What has been parsed: exactness.cc, and by mapping and gap model kernels.cc, of which Clang would spend most of its
  // time on instantiating all of them.
  std::map<std::vector<std::string>, std::unique_ptr<ParsedFile>> files;
  std::mutex mutex;  // of `files`

  // The caller holds the mutex. `defines`: macros.
  Result<const ParsedFile *> parsed(const std::string &main, const std::vector<std::string> &defines) {
    std::vector<std::string> key = defines;
    key.push_back(main);
    std::unique_ptr<ParsedFile> &file = files[key];
    if (!file) {
      auto made = parse_file(directory, main, defines);
      if (!made) return made.error();
      file = *std::move(made);
    }
    return file.get();
  }
};

Templates::Templates(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Templates::Templates(Templates &&) noexcept = default;
Templates &Templates::operator=(Templates &&) noexcept = default;
Templates::~Templates() = default;

Result<Templates> Templates::parse(const std::string &directory) {
  auto impl = std::make_unique<Impl>();
  impl->directory = directory;
  auto mappings = registered_mappings(directory);
  if (!mappings) return mappings.error();
  impl->mappings = *std::move(mappings);
  return Templates(std::move(impl));
}

std::vector<std::string> Templates::mappings() const { return impl_->mappings; }

Result<Facts> Templates::facts(const std::string &mapping, const Statics &statics) const {
  const std::lock_guard lock(impl_->mutex);
  const auto file = impl_->parsed("exactness.cc", {});
  if (!file) return file.error();
  const auto it = (*file)->facts.find(mapping);
  if (it == (*file)->facts.end())
    return Error{"mapping '" + mapping + "': nothing is told of its kernels; give it an ALN_FACTS in exactness.h"};
  auto told = pe::Evaluator((*file)->unit->getASTContext()).tell(*it->second, statics);
  if (!told) return told.error();
  return print_facts(std::move(told->first), told->second);
}

Result<ir::Function> Templates::evaluate(const std::string &mapping, const Statics &statics) const {
  std::vector<std::string> defines;
  for (const std::string &other : impl_->mappings)
    if (other != mapping) defines.push_back("ALN_WITHOUT_" + targets::identifier(other));
  if (const auto states = statics.find("gap_states"); states != statics.end())
    defines.push_back("ALN_GAP_STATES=" + std::to_string(states->second));
  const std::lock_guard lock(impl_->mutex);
  const auto file = impl_->parsed("kernels.cc", defines);
  if (!file) return file.error();
  const auto kernel = (*file)->kernels.find(mapping);
  if (kernel == (*file)->kernels.end()) return Error{"no template for mapping '" + mapping + "'"};
  return pe::Evaluator((*file)->unit->getASTContext()).run(*kernel->second, statics);
}

}  // namespace alnsmith::frontend
