// The index of a pack, always read: which units it holds and where.  docs/packs.md describes the JSON.
//
// A unit is one binary with all kernels of one spec on one target. What only a unit that is used needs (its kernel
// manifest, the spec's text) lies in blobs of its own, so that opening a large pack stays cheap.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "packs/target.h"

namespace alnsmith::rt::packs {

struct Blob {
  std::uint64_t offset = 0, size = 0;
  std::string sha256;  // 64 lower-case hex digits
};

struct PackedSpec {
  std::string name, hash;
  Blob text;  // canonical YAML
};

// How units were compiled: no paths, no dates, no host names.
struct PackedBuild {
  std::string compiler;
  std::vector<std::string> flags;
  bool operator==(const PackedBuild &) const = default;
};

struct Unit {
  std::size_t spec = 0, build = 0;  // in Index::specs and builds
  PackTarget target;
  UnitKind kind = UnitKind::shared_object;
  std::string text_hash;  // of the kernel text that was compiled
  std::string key;        // unit_key
  std::uint64_t kernels = 0;
  Blob manifest, binary;
};

struct Index {
  std::string writer;  // "alnsmith 0.1.0"
  std::vector<PackedSpec> specs;
  std::vector<PackedBuild> builds;
  std::vector<Unit> units;  // by spec, then target
};

// Names a unit by all that decides its bytes: text, target, compiler, flags.
std::string unit_key(const Unit &unit, const PackedBuild &build);

std::string index_text(const Index &index);        // one way to write it
Result<Index> parse_index(std::string_view text);  // any bytes; the error names what is wrong
// In the order in which they lie in the file.
std::vector<Blob *> blobs_of(Index &index);
std::vector<const Blob *> blobs_of(const Index &index);
std::string unit_name(const Index &index, const Unit &unit);  // "dna-global-affine for x86-64-v4"

}  // namespace alnsmith::rt::packs
