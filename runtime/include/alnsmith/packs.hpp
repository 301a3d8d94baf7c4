// Packs: one file of compiled kernels for many specs and targets, which loads on machines with no compiler.
//
// A pack is found by Aligner::open like any other compiled kernels: name its folder, or the file itself, in
// Sources::kernel_dirs. Here packs are made and looked after. docs/packs.md describes the format.
// Thread-safe; errors are values; nothing exits, aborts or prints. Nothing of a pack is run here, so packs for CPUs and
// GPUs that this machine does not have can be built and checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/result.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

// A spec that goes into a pack.
struct PackSpec {
  SpecRef spec;      // `path` is for the generator only
  std::string text;  // canonical YAML, kept in the pack
};

// What to build.
struct PackOrder {
  std::vector<PackSpec> specs;
  // "x86-64-v4", "cuda:sm_90", "cuda:compute_80", "hip:gfx90a", "hip:gfx90a:xnack-", "opencl", "opencl:spirv64"; each
  // for every spec.
  std::vector<std::string> targets;
  // Where kernel texts lie that were generated before (`<spec>-<target>.cpp`, or .cu, .hip, .cl with .json, as
  // `alnsmith-generate generate` writes them). Empty: sources.generator makes them.
  std::string texts_dir;
  Sources sources;  // generator, compiler, templates_dir, cache_dir: what was compiled before is taken from the cache
  int threads = 0;  // 0: all
  std::function<void(std::size_t done, std::size_t all)> progress;  // may be empty; called from any thread
  std::function<bool()> cancelled;                                  // may be empty; asked often; error code 130
};

// One unit: a binary with all kernels of one spec on one target.
struct PackUnit {
  std::string spec, spec_hash;
  std::string target;       // "x86-64-v4", "hip:gfx90a:xnack-"
  std::string target_kind;  // "cpu", "cuda", "hip", "opencl"
  std::string machine;      // of a CPU: "x86_64"; else empty
  std::string kind;         // "shared-object", "cubin", "ptx", "amd-code-object", "opencl-c", "spirv"
  std::uint64_t kernels = 0;
  std::uint64_t bytes = 0;          // of the binary
  std::string text_sha256, sha256;  // of the kernel text and of the binary
  std::string manifest_sha256;      // of the kernel manifest
  std::string key;                  // of text, target, compiler and flags
  std::string compiler;
  std::vector<std::string> flags;
};

struct PackInfo {
  std::string path;
  std::string writer;  // "alnsmith 0.1.0"
  std::string sha256;  // of the index, which holds the hashes of everything else; so it names the pack's content
  std::uint64_t bytes = 0;
  std::vector<PackUnit> units;  // by spec, then target
};

// Builds one pack for all targets at `path`. The same specs, texts, targets, compilers and flags give the same bytes.
Result<PackInfo> build_pack(const PackOrder &order, const std::string &path);
// One pack for each target: `DIR/NAME.pack` becomes `DIR/NAME-x86-64-v4.pack` and so on. All are built before the
// first is written.
Result<std::vector<PackInfo>> build_packs_by_target(const PackOrder &order, const std::string &path);

// What a pack says of itself. Reads its header and index only, from anywhere.
Result<PackInfo> list_pack(const std::string &path);
// The kernel manifest (JSON, docs/manifest.md) of units[unit].
Result<std::string> pack_manifest(const std::string &path, std::size_t unit);

struct PackCheck {
  PackInfo info;
  std::vector<std::string> problems;  // a line each; empty: every byte is as it was written
  std::vector<std::string> notes;  // units for machines that this library does not know: only their hashes are checked
};
// Checks every byte, and that each binary holds what its manifest claims. An error where not even the index is sound.
Result<PackCheck> verify_pack(const std::string &path);

// What differs between two packs, a line each that begins with '-', '+' or '!'. Empty: nothing.
Result<std::vector<std::string>> diff_packs(const std::string &old_path, const std::string &new_path);

// Where the user's own packs lie: XDG_DATA_HOME/alnsmith/packs, else ~/.local/share/alnsmith/packs; empty without HOME.
std::string user_pack_folder();
// Verifies the pack and copies it into `folder`, which is made if missing; a pack of the same name is replaced at once.
// The path of the copy.
Result<std::string> install_pack(const std::string &path, const std::string &folder);

}  // namespace alnsmith
#pragma GCC visibility pop
