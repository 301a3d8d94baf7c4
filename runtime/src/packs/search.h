// Packs among the places where kernels are looked for: what serves one spec on a CPU or a device.
//
// In:  folders and pack files, as in Sources::kernel_dirs. Out: a loaded unit, or nothing; what was skipped is noted.
// One object serves one search: a pack is opened once, however many targets are asked for.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "kernels/shared_object.h"
#include "packs/file.h"

namespace alnsmith::rt::packs {

// A folder's packs, sorted, or the place itself if it is one.
std::vector<std::string> packs_at(const std::string &place);

class PackSearch {
 public:
  using Lines = std::vector<std::string>;
  // Null: damaged or not trusted, which is noted the first time.
  std::shared_ptr<const PackFile> pack(const std::string &path, Lines &warnings);
  // The spec's kernels for `target`, checked and loaded.
  std::unique_ptr<kernels::SharedObject> cpu(const std::string &place, const SpecRef &spec, Isa target,
                                             Lines &warnings);

  struct DeviceUnit {
    kernels::Manifest manifest;
    std::string binary, origin;
  };
  // The first of those whose target `serves`, by rank: 0 is best, negative does not serve.
  using Serves = std::function<int(const PackTarget &target, UnitKind kind)>;
  std::optional<DeviceUnit> device(const std::string &place, const SpecRef &spec, const Serves &serves,
                                   Lines &warnings);

 private:
  std::map<std::string, std::shared_ptr<const PackFile>> packs_;
};

// A unit's manifest and binary, checked against each other and the index. The error does not name the pack.
struct UnitParts {
  kernels::Manifest manifest;
  std::string binary;
};
Result<UnitParts> read_unit_parts(const PackFile &pack, const Unit &unit);

}  // namespace alnsmith::rt::packs
