// What a folder of gpu-check holds: index.json as structs.
//
// `prepare` writes it, `run` reads it. Paths are relative to the folder. A spec's kernels lie in
// kernels/<spec>-<12 digits of the hash>-<target>.json with .cubin, .ptx or .cl beside it, as Aligner looks for them.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "alnsmith/outputs.hpp"
#include "models/loop_bound.h"
#include "recipe.h"

namespace alnsmith::check {

constexpr int kSchema = 5;

struct SetEntry {
  std::string name;
  Recipe recipe;
  std::uint64_t queries = 0, targets = 0;  // checksums of the letters
};

// All kernels of a spec for one target.
struct KernelEntry {
  std::string spec, hash, target, stem;
  std::vector<std::string> endings;   // of the binaries, the best first
  std::map<std::string, int> values;  // scoring that comes with the call
  std::vector<int> matrix;
  std::map<std::string, models::RowLoop> loops;  // by kernel; absent where no disassembler was there
};

// Scores that the CPU computed: of the first `pairs` pairs, then of the first `rows` queries with the first `columns`
// targets each.
struct ExpectedEntry {
  std::string file;
  std::uint64_t pairs = 0, rows = 0, columns = 0;
  std::vector<std::string> outputs;  // by name
};

struct TestEntry {
  std::string spec, set;
  ExpectedEntry expected;
};

struct BenchEntry {
  std::string name, spec, form, set;
  ExpectedEntry expected;
  double goal = 0, stretch = 0;  // TCUPS; 0: none
  std::string relative;          // a bench that this one is compared with
  double least = 0;              // its share that is the goal
  bool sweep = false;            // all tiles are measured, not the chosen one alone
};

// A kernel that issues `count` of each operation of `names` by turns.
struct PipeEntry {
  std::string entry;
  std::vector<std::string> names;
  std::vector<int> counts;             // in a turn of the loop, of a thread
  std::map<std::string, int> machine;  // what the compiler made of a turn; empty: not looked at
};
struct PipeFile {
  std::string target, file;
  std::vector<PipeEntry> kernels;
};

struct Index {
  int schema = kSchema;
  std::string version;
  bool fake = false;                // texts instead of binaries, for the driver in tests/simt
  std::vector<std::string> stored;  // data/<name>.seq
  std::vector<SetEntry> sets;
  std::vector<KernelEntry> kernels;
  std::vector<TestEntry> tests;
  std::vector<BenchEntry> benches;
  std::vector<PipeFile> pipes;
  std::vector<std::string> left_out;         // what was not prepared, and why
  std::map<std::string, std::string> files;  // SHA-256 of every other file of the folder, by path
};

std::string index_text(const Index &index);
Result<Index> read_index(const std::string &folder);

// A file of the folder, by the rule of what is loaded (docs/security.md) and only with the bytes that `prepare` wrote.
Result<std::string> read_part(const std::string &folder, const Index &index, const std::string &name);
// Fills in `files` from what lies in the folder.
Status hash_parts(const std::string &folder, Index &index);

// A CIGAR as one number, by which two are compared: FNV-1a over its runs, from begin to end.
class CigarSum {
 public:
  void add(CigarRun run) { sum_ = (sum_ ^ run) * 16777619u; }
  std::int32_t value() const { return static_cast<std::int32_t>(sum_); }

 private:
  std::uint32_t sum_ = 2166136261u;
};

// Results by pair, or by row and column; those that the spec does not give are empty.
struct Scores {
  std::array<std::vector<std::int32_t>, kOutputCount + 1> values;  // by output; of CIGARs their sums

  std::vector<std::int32_t> &operator[](Output output) { return values[index_of(output)]; }
  const std::vector<std::int32_t> &operator[](Output output) const { return values[index_of(output)]; }
};
struct Expected {
  Scores pairs, rows;
};
std::string expected_bytes(const Expected &expected);
Result<Expected> read_expected(const std::string &folder, const Index &index, const ExpectedEntry &entry);

}  // namespace alnsmith::check
