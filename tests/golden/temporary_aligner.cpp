// Temporary spec files and the aligners over them.
#include "temporary_aligner.h"

#include <algorithm>
#include <alnsmith/devices.hpp>

#include "scratch.h"
#include "spec/canonical.h"
#include "spec/parse.h"

namespace golden {

alnsmith::Result<TemporaryAligner> TemporaryAligner::open(const std::string &yaml, const alnsmith::Sources &sources,
                                                          const alnsmith::Options &options) {
  auto folder = std::make_shared<scratch::Folder>();
  auto opened = open_file(folder->write("spec.yaml", yaml), sources, options);
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

bool has_opencl_device() {
  return std::ranges::any_of(alnsmith::list_devices(), [](const alnsmith::PlatformReport &platform) {
    return platform.kind == alnsmith::DeviceKind::opencl && !platform.devices.empty();
  });
}

}  // namespace golden
