// Temporary spec files and the aligners over them.
#include "temporary_aligner.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "spec/canonical.h"
#include "spec/parse.h"

namespace golden {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "alnsmith-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error(pattern + ": cannot be made");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

alnsmith::Result<TemporaryAligner> TemporaryAligner::open(const std::string &yaml, const alnsmith::Sources &sources,
                                                          const alnsmith::Options &options) {
  auto folder = std::make_shared<TemporaryFolder>();
  const std::string path = folder->path() + "/spec.yaml";
  std::ofstream(path) << yaml;
  auto opened = open_file(path, sources, options);
  if (opened) opened->file_ = folder;
  return opened;
}

alnsmith::Result<TemporaryAligner> TemporaryAligner::open_file(const std::string &path,
                                                               const alnsmith::Sources &sources,
                                                               const alnsmith::Options &options) {
  const auto spec = alnsmith::spec::parse_file(path);
  if (!spec) return spec.error();
  auto aligner = alnsmith::Aligner::open({path, spec->name, alnsmith::spec::hash(*spec)}, sources, options);
  if (!aligner) return aligner.error();
  return TemporaryAligner(nullptr, *std::move(aligner));
}

}  // namespace golden
