// See templates.h.
#include "frontend/templates.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "frontend/embedded.h"
#include "frontend/parsed_file.h"
#include "pe/evaluator.h"
#include "targets/targets.h"

namespace alnsmith::frontend {

struct Templates::Impl {
  std::string directory;
  std::vector<std::string> mappings;
  // What has been read: the embedded tree, which has exactness.cc and kernels.cc, or these. Of a folder's kernels.cc
  // Clang would spend most of its time on instantiating all mappings and gap models, so it is parsed for one of each.
  std::map<std::vector<std::string>, std::unique_ptr<ParsedFile>> files;
  std::mutex mutex;  // of `files`

  // The caller holds the mutex. `defines`: macros that leave out what is not asked for.
  Result<const ParsedFile *> read(const std::string &main, std::vector<std::string> defines) {
    const std::string_view tree = directory.empty() ? embedded_tree() : std::string_view();
    if (!tree.empty()) {
      if (const auto loaded = kept({"loaded"}, main, [&](auto texts) { return load_file(std::move(texts), tree); }))
        return loaded;
    }
    std::vector<std::string> key = defines;
    key.push_back(main);
    key.push_back("parsed");
    return kept(key, main, [&](auto texts) { return parse_file(std::move(texts), defines); });
  }

 private:
  template <class Make>
  Result<const ParsedFile *> kept(const std::vector<std::string> &key, const std::string &main, const Make &make) {
    std::unique_ptr<ParsedFile> &file = files[key];
    if (!file) {
      auto texts = template_files(directory, main);
      if (!texts) return texts.error();
      auto made = make(*std::move(texts));
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
  const auto file = impl_->read("exactness.cc", {});
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
  const auto file = impl_->read("kernels.cc", defines);
  if (!file) return file.error();
  const auto kernel = (*file)->kernels.find(mapping);
  if (kernel == (*file)->kernels.end()) return Error{"no template for mapping '" + mapping + "'"};
  return pe::Evaluator((*file)->unit->getASTContext()).run(*kernel->second, statics);
}

}  // namespace alnsmith::frontend
