/// @file
/// Packs: one file of compiled kernels for many specs and targets, which loads on machines with no compiler.
///
/// A pack is found by Aligner::open like any other compiled kernels: name its folder, or the file itself, in
/// Sources::kernel_dirs. Here packs are made and looked after; docs/packs.md describes the format.
/// Thread-safe; errors are values; nothing exits, aborts or prints. Nothing of a pack is run here, so packs for CPUs
/// and GPUs that this machine does not have can be built and checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/result.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

/// A spec that goes into a pack.
struct PackSpec {
  SpecRef spec;      ///< which one; `path` is for the generator only
  std::string text;  ///< canonical YAML, kept in the pack
};

/// What to build.
struct PackOrder {
  std::vector<PackSpec> specs;  ///< at least one
  /// Each for every spec: "x86-64-v4", "cuda:sm_90", "cuda:compute_80", "hip:gfx90a", "hip:gfx90a:xnack-", "opencl",
  /// "opencl:spirv64".
  std::vector<std::string> targets;
  /// Folder of kernel texts that were generated before (`<spec>-<target>.cpp`, or .cu, .hip, .cl with .json, as
  /// `alnsmith-generate generate` writes them; a text for several CPU targets may be named after them all, joined by
  /// '+'). Empty: Sources::generator makes them.
  std::string texts_dir;
  /// Generator, compiler, templates_dir, cache_dir: what was compiled before is taken from the cache.
  Sources sources;
  int threads = 0;  ///< compilers at once; 0: one for each CPU
  /// Told of each unit that is done; may be empty; called from any thread.
  std::function<void(std::size_t done, std::size_t all)> progress;
  std::function<bool()> cancelled;  ///< may be empty; asked often, from any thread; true ends the build, exit code 130
};

/// One unit of a pack: a binary with all kernels of one spec on one target.
struct PackUnit {
  std::string spec;                ///< its name
  std::string spec_hash;           ///< 64 hex digits
  std::string target;              ///< "x86-64-v4", "hip:gfx90a:xnack-"
  std::string target_kind;         ///< "cpu", "cuda", "hip", "opencl"
  std::string machine;             ///< of a CPU: "x86_64"; else empty
  std::string kind;                ///< "shared-object", "cubin", "ptx", "amd-code-object", "opencl-c", "spirv"
  std::uint64_t kernels = 0;       ///< how many
  std::uint64_t bytes = 0;         ///< size of the binary
  std::string text_sha256;         ///< of the kernel text that was compiled
  std::string sha256;              ///< of the binary
  std::string manifest_sha256;     ///< of the kernel manifest
  std::string key;                 ///< SHA-256 of text, target, compiler and flags
  std::string compiler;            ///< its version, in its own words
  std::vector<std::string> flags;  ///< what it was called with, without input and output
};

/// What a pack says of itself.
struct PackInfo {
  std::string path;             ///< of the file
  std::string writer;           ///< "alnsmith 0.1.0"
  std::string sha256;           ///< of the index, which holds the hashes of all else; so it names the pack's content
  std::uint64_t bytes = 0;      ///< size of the file
  std::vector<PackUnit> units;  ///< by spec, then target
};

/// Builds one pack for all targets. The same specs, texts, targets, compilers and flags give the same bytes.
/// @param order what to build
/// @param path of the pack, NAME.pack; it appears when it is complete
/// @return what was written; the first spec and target that cannot be built is an error
Result<PackInfo> build_pack(const PackOrder &order, const std::string &path);
/// Builds one pack for each target: `DIR/NAME.pack` becomes `DIR/NAME-x86-64-v4.pack` and so on. All are built before
/// the first is written.
/// @param order what to build
/// @param path NAME.pack, from which the names are made
/// @return what was written, by target
Result<std::vector<PackInfo>> build_packs_by_target(const PackOrder &order, const std::string &path);

/// Reads a pack's header and index, from anywhere.
/// @param path of the pack
/// @return what it says of itself; an error where header or index are not sound
Result<PackInfo> list_pack(const std::string &path);
/// Reads the kernel manifest (JSON, docs/manifest.md) of one unit, from anywhere.
/// @param path of the pack
/// @param unit place in PackInfo::units
/// @return the text; an error where it does not have its hash
Result<std::string> pack_manifest(const std::string &path, std::size_t unit);

/// A spec that lies in a pack.
struct FoundSpec {
  PackSpec packed;   ///< name, hash and text; no path
  std::string pack;  ///< path of the pack
};
/// Looks for a spec by its name in packs. A name decides what is computed, so the rule of what is loaded holds
/// (docs/security.md); packs that break it, and damaged ones, are skipped.
/// @param places packs, and folders of packs, as in Sources::kernel_dirs
/// @param name of the spec
/// @param skipped what was skipped and why is added, one line each; may be null
/// @return the first that is found, or nothing; an error where there are several specs of that name
Result<std::optional<FoundSpec>> find_spec_in_packs(const std::vector<std::string> &places, const std::string &name,
                                                    std::vector<std::string> *skipped = nullptr);

/// What verify_pack() found.
struct PackCheck {
  PackInfo info;                      ///< what the pack says of itself
  std::vector<std::string> problems;  ///< one line each; empty: every byte is as it was written
  /// Units for machines that this library does not know, one line each: only their hashes are checked.
  std::vector<std::string> warnings;
};
/// Checks every byte of a pack, and that each binary holds what its manifest claims; from anywhere.
/// @param path of the pack
/// @return what was found; an error where not even header and index are sound
Result<PackCheck> verify_pack(const std::string &path);

/// Compares two packs.
/// @param old_path of one
/// @param new_path of the other
/// @return what differs, one line each that begins with '-', '+' or '!'; empty: nothing
Result<std::vector<std::string>> diff_packs(const std::string &old_path, const std::string &new_path);

/// Where the user's own packs lie.
/// @return XDG_DATA_HOME/alnsmith/packs, else ~/.local/share/alnsmith/packs; empty without HOME
std::string user_pack_folder();
/// Verifies a pack and copies it; a pack of the same name is replaced at once.
/// @param path of the pack, NAME.pack
/// @param folder where to, made if missing
/// @return the path of the copy; an error where the pack is not sound, or would not be loaded from there
Result<std::string> install_pack(const std::string &path, const std::string &folder);

}  // namespace alnsmith
#pragma GCC visibility pop
