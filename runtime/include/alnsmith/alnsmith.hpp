/// @file
/// alnsmith's runtime: opens generated kernels and aligns batches of sequences with them.
///
/// Everything here is thread-safe unless said otherwise; errors are values; nothing exits, aborts or prints. Lengths
/// and positions are in letters, positions counted from 0; scores are in the spec's units. The C interface is
/// alnsmith.h.
#pragma once

#include <compare>
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

#include "alnsmith/linked.h"
#include "alnsmith/result.hpp"
#include "alnsmith/sinks.hpp"
#include "alnsmith/version.h"

#pragma GCC visibility push(default)
namespace alnsmith {

/// An instruction set that kernels are generated for: a machine, and a rank among those of the machine. parse_isa()
/// gives one for a name; without values it is `scalar`, which runs anywhere.
struct Isa {
  std::string_view machine;  ///< "x86_64", "aarch64"; empty: any
  int rank = 0;              ///< a CPU runs what has its own rank or a lower one; 0: `scalar`

  /// @param other compared with this @return whether they are the same
  bool operator==(const Isa &other) const = default;
  /// a <= b: what runs kernels for b runs those for a. Unordered where they are of two machines.
  /// @param a one @param b another @return how a stands to b
  friend constexpr std::partial_ordering operator<=>(const Isa &a, const Isa &b) {
    if (a.machine != b.machine && a.rank > 0 && b.rank > 0) return std::partial_ordering::unordered;
    return a.rank <=> b.rank;
  }
};
/// An instruction set's name, as in specs and file names. @param isa which one
/// @return "scalar", "x86-64-v4", "aarch64-neon", ...; empty for one that kernels are not generated for
std::string_view isa_name(Isa isa);
/// The reverse of isa_name(). @param name the name
/// @return the instruction set, of whichever machine, or nothing for another word
std::optional<Isa> parse_isa(std::string_view name);

/// The widest instruction set of this CPU and operating system, capped by the environment's ALNSMITH_ISA if that is
/// set.
/// @return the instruction set; a word in ALNSMITH_ISA that is none of this machine's is an error (exit code 2)
Result<Isa> best_isa();

/// This CPU's microarchitecture, by which tuned tables hold their rows.
/// @return as compilers spell it ("znver4", "sapphirerapids"); of one that is not in the list, vendor, family and model
///   ("AuthenticAMD-25-33")
std::string cpu_class();

/// Scoring of one call. Only what the spec gives as `runtime` is accepted.
struct Scoring {
  /// By the manifest's names: match, mismatch, insertion_open, insertion_extend, deletion_open, deletion_extend, and
  /// for dual affine gaps insertion_open2 and so on. Costs are positive; what a spec calls gap.open is both
  /// insertion_open and deletion_open.
  std::map<std::string, int, std::less<>> values;
  /// letters x letters, row = query letter, in the alphabet's order; empty unless the spec's matrix is `runtime`.
  std::vector<int> matrix;
};

/// Where kernels may come from, asked in this order: the user's cache, compiled kernels and packs of them,
/// generation at run time. Where nothing can be generated, kernels that earlier runs left in the cache are found by the
/// spec's hash and the target. installed_sources() fills it in. docs/architecture.md says more.
struct Sources {
  std::string cache_dir;  ///< folder; empty: ALNSMITH_CACHE, else XDG_CACHE_HOME/alnsmith, else ~/.cache/alnsmith
  std::vector<std::string> kernel_dirs;  ///< folders of compiled kernels (*.so) and packs (*.pack), or a pack itself
  std::string generator;                 ///< path of alnsmith-generate; empty: no generation at run time
  std::string compiler;       ///< of kernel texts; empty: ALNSMITH_CXX, else clang++-22 .. clang++, g++, c++ on PATH
  std::string templates_dir;  ///< handed to the generator as --templates; empty: its own
  std::string tuned_dir;      ///< of tuned tables, as --tuned; empty: those built into the generator
  std::string choice;         ///< as --choice: "k=8,arithmetic=int16"; asks the generator alone
  std::string
      program;  ///< path of alnsmith, which reads specs that are opened by name or file; empty: packs' names only
  bool only_kernel_dirs = false;  ///< neither cache nor generator is asked
};
/// What an installation (or a build folder) has: generator, program, the folders of its kernels and packs, and the
/// user's own packs before them. Nothing is opened.
/// @param folder of the programs, "PREFIX/bin"; empty: ALNSMITH_PREFIX/bin if that is set, else what belongs to this
///   library, to the running program, or to an alnsmith on PATH
/// @return the sources; a field is empty where there is nothing
Sources installed_sources(const std::string &folder = {});

/// A spec whose kernels serve another one: the same but for what comes with the call. docs/packs.md, generic kernels.
struct GenericSpec {
  std::string hash;                             ///< of the spec that leaves its scoring to the call
  Scoring scoring;                              ///< what the served spec fixes, in its units
  std::uint64_t max_query = 0, max_target = 0;  ///< its max_length, letters; 0: none
};

/// Which spec.
struct SpecRef {
  std::string path;  ///< of its file, for the generator; may be empty where only compiled kernels are wanted
  std::string name;  ///< its `name`
  std::string hash;  ///< 64 hex digits, to find compiled kernels: `alnsmith spec show` prints it
  /// Whose kernels serve where there are none of its own and nothing can be generated, as find_spec() fills it in.
  std::optional<GenericSpec> generic{};
};
/// Finds a spec as `alnsmith align --spec` does: a file, a shipped spec by its name, or a spec by its name in a pack.
/// @param name_or_file "my.yaml", "dna-global-affine"
/// @param sources program (it reads files and knows the shipped specs) and kernel_dirs (their packs) are asked, the
/// packs
///   first where only_kernel_dirs is set
/// @return which; `path` is empty for a spec of a pack. An error says what was looked for and which field to set
Result<SpecRef> find_spec(const std::string &name_or_file, const Sources &sources);

/// How to open an aligner, and how a call is to run.
struct Options {
  std::optional<Isa> isa;                           ///< cap, when opening; empty: best_isa()
  int threads = 0;                                  ///< of a call; 0: all that oneTBB gives; never more than that
  std::size_t memory_bytes = std::size_t{2} << 30;  ///< for packed sequences, borders and queues of one call
  Scoring scoring;  ///< given when opening, it holds for all calls; given with a call, it goes before that
  std::function<void(std::uint64_t pairs_done)> progress;  ///< may be empty; called from any thread
  std::function<bool()> cancelled;  ///< may be empty; asked often, from any thread; true: the call fails with code 130

  /// Read by Aligner::open: what its calls run on. Empty: the CPU. "cuda:0", "hip:1", "opencl:0" (docs/devices.md),
  /// "cpu" among them where it is to take part; or "auto" alone: all GPUs, else the CPU. A device that
  /// is named alone and cannot be used is an error; else the others and, if none is left, the CPU go on without it.
  std::vector<std::string> devices;
  std::size_t device_memory_bytes = 0;  ///< of each device; 0: nine tenths of what is free
};

/// What one device, or the CPU, did of a call.
struct DeviceShare {
  std::string id;           ///< "cuda:0", "cpu"
  std::uint64_t pairs = 0;  ///< alignments
  std::uint64_t cells = 0;  ///< sum of query length x target length over them
};

/// What a call did.
struct Report {
  std::uint64_t pairs = 0;           ///< alignments
  std::uint64_t cells = 0;           ///< sum of query length x target length
  std::uint64_t promoted = 0;        ///< pairs that a narrower kernel could not hold and a wider one scored
  double seconds = 0;                ///< inside the batch call, packing included, obtaining kernels not
  std::vector<std::string> kernels;  ///< entries that scored at least one pair, sorted
  std::vector<DeviceShare> devices;  ///< those that scored at least one pair
  std::vector<std::string> notes;    ///< devices that failed on the way, a line each; nothing is lost by it
};

/// Targets of many calls, encoded and copied to each device once; see Aligner::prepare. Moved from, it can only be
/// assigned to or destroyed.
class Prepared {
 public:
  /// Takes over. @param other what is moved from
  Prepared(Prepared &&other) noexcept;
  /// Takes over. @param other what is moved from @return this
  Prepared &operator=(Prepared &&other) noexcept;
  ~Prepared();
  /// How many there are. @return the number of targets
  std::size_t size() const;

 private:
  friend class Aligner;
  struct [[gnu::visibility("hidden")]] Impl;
  [[gnu::visibility("hidden")]] explicit Prepared(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The kernels of one spec on one instruction set, and the calls that align with them. Calls of one aligner may run at
/// the same time. Moved from, it can only be assigned to or destroyed.
class Aligner {
 public:
  /// Finds or generates what a spec needs; kernels are obtained when a call first needs them.
  /// @param spec which
  /// @param sources where they may come from
  /// @param options isa, scoring, devices, device_memory_bytes and cancelled are read
  /// @return the aligner; an error says which sources were asked and why each had nothing (exit code 1), or that an
  ///   option is wrong (2)
  static Result<Aligner> open(const SpecRef &spec, const Sources &sources, const Options &options = {});
  /// open() of a spec by its file or its name, with what the installation has: find_spec() and installed_sources().
  /// @param name_or_file "my.yaml", "dna-global-affine", or the name of a spec in a pack
  /// @param options as above
  /// @return as above; the error of a spec that is not found names the field to set
  static Result<Aligner> open(const std::string &name_or_file, const Options &options = {});
  /// The same with sources of one's own.
  /// @param name_or_file as above
  /// @param sources as installed_sources() gives them, changed at will
  /// @param options as above
  /// @return as above
  static Result<Aligner> open(const std::string &name_or_file, const Sources &sources, const Options &options = {});
  /// The kernels of one shared object (one spec, one target); nothing else is searched.
  /// @param path of the file; who may own it and write there: docs/security.md, the rule of what is loaded
  /// @param options isa and scoring are read; devices may name the CPU only
  /// @return the aligner; an error names the file and what is wrong with it
  static Result<Aligner> open_file(const std::string &path, const Options &options = {});
  /// Kernels that were compiled into this program (CMake's alnsmith_add_kernels, `alnsmith-generate link`): the widest
  /// that the CPU has and `options.isa` allows. No file is read, and none is looked for.
  /// @param kernels the table that the generated header declares
  /// @param options isa and scoring are read; devices may name the CPU only
  /// @return the aligner; an error if this CPU has none of the instruction sets, or another version of alnsmith made
  ///   the tables
  static Result<Aligner> open_linked(const alnsmith_linked_kernels &kernels, const Options &options = {});

  /// Takes over. @param other what is moved from
  Aligner(Aligner &&other) noexcept;
  /// Takes over. @param other what is moved from @return this
  Aligner &operator=(Aligner &&other) noexcept;
  ~Aligner();

  /// Scores queries[i] against targets[i]. Empty sequences score as docs/manifest.md says. Results do not depend on
  /// threads, batching, devices or instruction set.
  /// @param queries any number
  /// @param targets as many as queries
  /// @param scores out: as many as queries; undefined after an error
  /// @param options threads, memory_bytes, scoring, progress and cancelled are read
  /// @return what was done; errors: a letter outside the alphabet (it names pair, side, position and letter), a
  ///   sequence longer than the spec or the scores' 32 bits allow, too little memory (exit code 1), spans of unlike
  ///   lengths, outputs that the spec does not give, scoring that it does not leave open (2), cancelled (130)
  Result<Report> align_pairs(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                             std::span<std::int32_t> scores, const Options &options = {}) const;
  /// align_pairs with any outputs that the spec gives: `align_pairs(queries, targets, {{Output::score, scores}, ...})`.
  /// @param queries any number
  /// @param targets as many as queries
  /// @param columns out: one at least, each as long as queries; undefined after an error
  /// @param options as above
  /// @return as above
  Result<Report> align_pairs(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                             const Columns &columns, const Options &options = {}) const;
  /// align_pairs whose results go to a sink (sinks.hpp) as they come, in no order.
  /// @param queries any number
  /// @param targets as many as queries
  /// @param sink takes the results; after an error it may have got some
  /// @param options as above
  /// @return as above, or the sink's error; where the sink said stop, `pairs` counts what was scored until then
  Result<Report> align_pairs(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                             ResultSink &sink, const Options &options = {}) const;

  /// Scores each query with each target, without ever holding the pairs.
  /// @param queries any number
  /// @param targets any number
  /// @param scores out: scores[q * targets.size() + t]; undefined after an error
  /// @param options as for align_pairs
  /// @return as align_pairs
  Result<Report> align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                           std::span<std::int32_t> scores, const Options &options = {}) const;
  /// align_all with any outputs that the spec gives.
  /// @param queries any number
  /// @param targets any number
  /// @param columns out: one at least, in the order of `scores` above; undefined after an error
  /// @param options as for align_pairs
  /// @return as align_pairs
  Result<Report> align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                           const Columns &columns, const Options &options = {}) const;
  /// align_all whose results go to a sink as they come: TopSink keeps the best targets of each query, StreamSink hands
  /// results on, and neither ever holds a result for each pair.
  /// @param queries any number
  /// @param targets any number
  /// @param sink takes the results; after an error it may have got some
  /// @param options as for align_pairs
  /// @return as align_pairs with a sink
  Result<Report> align_all(std::span<const std::string_view> queries, std::span<const std::string_view> targets,
                           ResultSink &sink, const Options &options = {}) const;

  /// What calls may ask for. @return the score, and what the spec's `output` adds
  OutputSet outputs() const;

  /// For many calls of align_all with the same targets: devices take them in at the first call and keep them as long as
  /// the result lives, if their memory allows.
  /// @param targets any number; the letters must stay where they are
  /// @param options memory_bytes is read
  /// @return what align_all takes in place of the targets; an error if memory is short
  Result<Prepared> prepare(std::span<const std::string_view> targets, const Options &options = {}) const;
  /// align_all with prepared targets.
  /// @param queries any number
  /// @param targets what prepare() of this aligner gave; of another one it is an error
  /// @param scores out: scores[q * targets.size() + t]; undefined after an error
  /// @param options as for align_pairs
  /// @return as align_pairs
  Result<Report> align_all(std::span<const std::string_view> queries, const Prepared &targets,
                           std::span<std::int32_t> scores, const Options &options = {}) const;
  /// align_all with prepared targets and any outputs that the spec gives.
  /// @param queries any number
  /// @param targets what prepare() of this aligner gave; of another one it is an error
  /// @param columns out: one at least, in the order of `scores` above; undefined after an error
  /// @param options as for align_pairs
  /// @return as align_pairs
  Result<Report> align_all(std::span<const std::string_view> queries, const Prepared &targets, const Columns &columns,
                           const Options &options = {}) const;
  /// align_all with prepared targets and a sink.
  /// @param queries any number
  /// @param targets what prepare() of this aligner gave; of another one it is an error
  /// @param sink takes the results; after an error it may have got some
  /// @param options as for align_pairs
  /// @return as align_pairs with a sink
  Result<Report> align_all(std::span<const std::string_view> queries, const Prepared &targets, ResultSink &sink,
                           const Options &options = {}) const;

  /// Looks for a letter that a call would refuse. @param letters of a query
  /// @return position of the first byte outside the alphabet that no wildcard takes, if there is one
  std::optional<std::size_t> first_invalid_letter(std::string_view letters) const;

  /// What the kernels were made for. @return "x86-64-v4"; of devices, theirs, the CPU's last: "cuda:sm_90,x86-64-v4";
  /// valid as long as the aligner
  std::string_view target() const;
  /// What a gap of L letters costs. @return "cost(L) = 2 + 1*L", both sides where they differ
  std::string gap_formula() const;
  /// What the kernels say of themselves. @return JSON, docs/manifest.md; valid as long as the aligner
  const std::string &manifest() const;
  /// Why each kernel was chosen or not, for `--explain` and bug reports. @return one line each
  std::vector<std::string> provenance() const;
  /// What is not as it was asked for: devices that are not used and why, kernels of which the cache has a part only,
  /// generic kernels. @return a line each
  std::vector<std::string> notes() const;

 private:
  struct [[gnu::visibility("hidden")]] Impl;
  [[gnu::visibility("hidden")]] explicit Aligner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith
#pragma GCC visibility pop
