// Parsing the templates with Clang's libTooling: no system headers, no file but the templates' own.
#include "frontend/templates.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "frontend/registry.h"
#include "pe/evaluator.h"

namespace alnsmith::frontend {

namespace {

constexpr llvm::StringRef kernel_prefix = "aln.kernel:";

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

}  // namespace

struct Templates::Impl {
  // Clang keeps references to the texts, also to tell lines and columns later.
  std::string main_text;
  clang::tooling::FileContentMappings others;
  std::unique_ptr<clang::ASTUnit> unit;
  std::map<std::string, const clang::FunctionDecl *> kernels;
};

Templates::Templates(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Templates::Templates(Templates &&) noexcept = default;
Templates &Templates::operator=(Templates &&) noexcept = default;
Templates::~Templates() = default;

Result<Templates> Templates::parse(const std::string &directory) {
  auto files = template_files(directory);
  if (!files) return files.error();
  auto impl = std::make_unique<Impl>();
  const std::string main_name = files->front().first;
  impl->main_text = files->front().second;
  impl->others.assign(files->begin() + 1, files->end());

  FirstError errors;
  const std::vector<std::string> arguments = {
      "-std=c++20", "-fsyntax-only", "-nostdinc", "-nostdinc++", "-fno-exceptions", "-w", "-fno-spell-checking"};
  impl->unit = clang::tooling::buildASTFromCodeWithArgs(
      impl->main_text, arguments, main_name, "alnsmith-generate", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), impl->others, &errors);
  if (!impl->unit || !errors.text.empty() || errors.getNumErrors())
    return Error{errors.text.empty() ? main_name + ": cannot be parsed" : errors.text};
  for (const clang::Decl *d : impl->unit->getASTContext().getTranslationUnitDecl()->decls()) {
    const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d);
    if (!f || !f->isThisDeclarationADefinition()) continue;
    for (const auto *a : f->specific_attrs<clang::AnnotateAttr>())
      if (a->getAnnotation().starts_with(kernel_prefix))
        impl->kernels[a->getAnnotation().drop_front(kernel_prefix.size()).str()] = f;
  }
  if (impl->kernels.empty())
    return Error{main_name + ": registers no kernel; mark an entry with ALN_KERNEL(\"mapping\")"};
  return Templates(std::move(impl));
}

std::vector<std::string> Templates::mappings() const {
  std::vector<std::string> names;
  for (const auto &[name, f] : impl_->kernels) names.push_back(name);
  return names;
}

Result<ir::Function> Templates::evaluate(const std::string &mapping, const Statics &statics) const {
  const auto it = impl_->kernels.find(mapping);
  if (it == impl_->kernels.end()) return Error{"no template for mapping '" + mapping + "'"};
  return pe::Evaluator(impl_->unit->getASTContext()).run(*it->second, statics);
}

}  // namespace alnsmith::frontend
