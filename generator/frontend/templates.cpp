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

}  // namespace

struct Templates::Impl {
  // Clang keeps references to the texts, also to tell lines and columns later.
  std::string main_text;
  clang::tooling::FileContentMappings others;
  std::unique_ptr<clang::ASTUnit> unit;
  std::map<std::string, const clang::FunctionDecl *> kernels, facts;
  std::vector<std::string> mappings;
};

Templates::Templates(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Templates::Templates(Templates &&) noexcept = default;
Templates &Templates::operator=(Templates &&) noexcept = default;
Templates::~Templates() = default;

Result<std::unique_ptr<Templates::Impl>> Templates::parse_file(const std::string &directory, const std::string &main) {
  auto files = template_files(directory, main);
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
      for (auto [prefix, entries] : {std::pair{kernel_prefix, &impl->kernels}, {facts_prefix, &impl->facts}})
        if (a->getAnnotation().starts_with(prefix)) (*entries)[a->getAnnotation().drop_front(prefix.size()).str()] = f;
  }
  return impl;
}

Result<Templates> Templates::parse(const std::string &directory) {
  auto impl = parse_file(directory, "kernels.cc");
  if (!impl) return impl.error();
  for (const auto &[name, f] : (*impl)->kernels) (*impl)->mappings.push_back(name);
  if ((*impl)->mappings.empty())
    return Error{template_files(directory)->front().first +
                 ": registers no kernel; mark an entry with ALN_KERNEL(\"mapping\")"};
  return Templates(*std::move(impl));
}

Result<Templates> Templates::parse_facts(const std::string &directory) {
  auto mappings = registered_mappings(directory);
  if (!mappings) return mappings.error();
  auto impl = parse_file(directory, "exactness.cc");
  if (!impl) return impl.error();
  (*impl)->mappings = *std::move(mappings);
  return Templates(*std::move(impl));
}

std::vector<std::string> Templates::mappings() const { return impl_->mappings; }

Result<Facts> Templates::facts(const std::string &mapping, const Statics &statics) const {
  const auto it = impl_->facts.find(mapping);
  if (it == impl_->facts.end())
    return Error{"mapping '" + mapping + "': nothing is told of its kernels; give it an ALN_FACTS in exactness.h"};
  auto told = pe::Evaluator(impl_->unit->getASTContext()).tell(*it->second, statics);
  if (!told) return told.error();
  return print_facts(std::move(told->first), told->second);
}

Result<ir::Function> Templates::evaluate(const std::string &mapping, const Statics &statics) const {
  const auto it = impl_->kernels.find(mapping);
  if (it == impl_->kernels.end()) return Error{"no template for mapping '" + mapping + "'"};
  return pe::Evaluator(impl_->unit->getASTContext()).run(*it->second, statics);
}

}  // namespace alnsmith::frontend
