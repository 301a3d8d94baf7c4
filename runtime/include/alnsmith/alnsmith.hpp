// alnsmith's runtime: opens generated kernels and aligns batches of sequences with them.
//
// Everything here is thread-safe unless said otherwise; errors are values; nothing exits, aborts or prints.
// Positions and lengths are in letters, scores in the spec's units.  The C interface is alnsmith.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

// The instruction sets that kernels are generated for, narrow to wide; `scalar` runs anywhere.
enum class Isa { scalar, x86_64_v2, x86_64_v3, x86_64_v4 };
std::string_view isa_name(Isa isa);  // "scalar", "x86-64-v2", ...
std::optional<Isa> parse_isa(std::string_view name);

// The widest instruction set of this CPU and operating system, capped by ALNSMITH_ISA where that is set.
// An unknown word in ALNSMITH_ISA is an error.
Result<Isa> best_isa();

// This CPU's microarchitecture as compilers spell it ("znver4", "sapphirerapids"); of one that is not in the list,
// vendor, family and model ("AuthenticAMD-25-33"). Tuned tables hold rows by it.
std::string cpu_class();

// Scoring of one call.  Names as in the manifest ("match", "gap.open" is expanded by the caller into
// insertion_open and deletion_open); only names that the spec gives as `runtime` are accepted.
struct Scoring {
  std::map<std::string, int, std::less<>> values;
  // letters x letters, row = query letter, in the alphabet's order; empty unless the spec's matrix is `runtime`.
  std::vector<int> matrix;
};

// Where kernels may come from, asked in this order: the user's cache, folders of compiled kernels,
// generation at run time.
struct Sources {
  std::string cache_dir;                 // empty: ALNSMITH_CACHE, else XDG_CACHE_HOME/alnsmith, else ~/.cache/alnsmith
  std::vector<std::string> kernel_dirs;  // folders of compiled kernels (*.so), searched by spec hash and target
  std::string generator;                 // path of alnsmith-generate; empty: no generation at run time
  std::string compiler;                  // empty: ALNSMITH_CXX, else clang++-22 .. clang++, g++, c++ on PATH
  std::string templates_dir;             // handed to the generator as --templates; empty: its own
  std::string tuned_dir;                 // of tuned tables, as --tuned; empty: those built into the generator
  std::string choice;                    // as --choice: "k=8,arithmetic=int16"; asks the generator alone
};

// Which spec: its file (for the generator), its name and canonical hash (to find compiled kernels).
struct SpecRef {
  std::string path;  // may be empty where only compiled kernels are wanted
  std::string name;
  std::string hash;
};

struct Options {
  std::optional<Isa> isa;                           // cap; empty: best_isa()
  int threads = 0;                                  // 0: all that oneTBB gives; never more than that
  std::size_t memory_bytes = std::size_t{2} << 30;  // for packed sequences, borders and queues of one call
  Scoring scoring;
  std::function<void(std::uint64_t pairs_done)> progress;  // may be empty; called from any thread
  std::function<bool()> cancelled;                         // may be empty; asked often

  // Read by Aligner::open: what its calls run on. Empty: the CPU. "cuda:0", "hip:1", "opencl:0" (docs/devices.md),
  // "cpu" among them where it is to take part; or "auto" alone: all GPUs, else the CPU. A device that
  // is named alone and cannot be used is an error; else the others and, if none is left, the CPU go on without it.
  std::vector<std::string> devices;
  std::size_t device_memory_bytes = 0;  // of each device; 0: nine tenths of what is free
};

// What one device, or the CPU, did of a call.
struct DeviceShare {
  std::string id;  // "cuda:0", "cpu"
  std::uint64_t pairs = 0, cells = 0;
};

struct Report {
  std::uint64_t pairs = 0;
  std::uint64_t cells = 0;           // sum of query length x target length
  std::uint64_t promoted = 0;        // pairs that a narrower kernel could not hold and a wider one scored
  double seconds = 0;                // inside the batch call, packing included, obtaining kernels not
  std::vector<std::string> kernels;  // entries that scored at least one pair, sorted
  std::vector<DeviceShare> devices;  // those that scored at least one pair
  std::vector<std::string> notes;    // devices that failed on the way, a line each; nothing is lost by it
};

// Targets of many calls, encoded and copied to each device once; see Aligner::prepare.
class Prepared {
 public:
  Prepared(Prepared &&) noexcept;
  Prepared &operator=(Prepared &&) noexcept;
  ~Prepared();
  std::size_t size() const;  // targets

 private:
  friend class Aligner;
  struct Impl;
  explicit Prepared(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Where a call puts the ends of the best alignments, besides their scores: the last aligned letters, counted from 0,
// each span as long as the scores. Of several best alignments the one that ends first in the target, of these the one
// that ends first in the query. -1 where nothing is aligned: a local score of 0, an empty sequence. Empty spans: not
// wanted. Otherwise the spec's output must hold `end`.
struct Ends {
  std::span<std::int32_t> query, target;
};

// The kernels of one spec on one instruction set, and the calls that align with them.
class Aligner {
 public:
  // Finds or generates what `spec` needs. Kernels are obtained when a call first needs them.
  static Result<Aligner> open(const SpecRef &spec, const Sources &sources, const Options &options = {});
  // The kernels of one shared object (one spec, one target); nothing else is searched.
  static Result<Aligner> open_file(const std::string &path, const Options &options = {});

  Aligner(Aligner &&) noexcept;
  Aligner &operator=(Aligner &&) noexcept;
  ~Aligner();

  // Scores query[i] against target[i]; score[i] is its result. All three have the same length.
  // Letters are checked and an unknown one is an error that names pair, side, position and letter.
  // Empty sequences score as docs/manifest.md says. Results do not depend on threads, batching or ISA.
  Result<Report> align_pairs(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                             std::span<std::int32_t> scores, const Options &options = {}, const Ends &ends = {}) const;

  // Scores each query with each target: scores[q * targets.size() + t]. The pairs are never materialised.
  Result<Report> align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                           std::span<std::int32_t> scores, const Options &options = {}, const Ends &ends = {}) const;

  // The spec's output holds `end`, so that calls may ask for Ends.
  bool has_ends() const;

  // For many calls of align_all with the same targets: devices take them in at the first call and keep them as long as
  // the result lives, if their memory allows. The letters must stay where they are. `options`: memory_bytes.
  Result<Prepared> prepare(std::span<const std::string_view> targets, const Options &options = {}) const;
  // `targets` is of this aligner.
  Result<Report> align_all(std::span<const std::string_view> queries, const Prepared &targets,
                           std::span<std::int32_t> scores, const Options &options = {}, const Ends &ends = {}) const;

  // Position of the first byte of `letters` outside the alphabet (and no wildcard takes it), if any.
  std::optional<std::size_t> first_foreign_letter(std::string_view letters) const;

  std::string_view target() const;      // "x86-64-v4"; of devices, theirs, the CPU's last: "cuda:sm_90,x86-64-v4"
  std::string gap_formula() const;      // "cost(L) = 2 + 1*L", both sides where they differ
  const std::string &manifest() const;  // JSON, docs/manifest.md
  // Why each kernel was chosen or not, one line each, for `--explain` and bug reports.
  std::vector<std::string> provenance() const;
  // Devices that were asked for and are not used, and why, a line each.
  std::vector<std::string> notes() const;

 private:
  struct Impl;
  explicit Aligner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith
#pragma GCC visibility pop
