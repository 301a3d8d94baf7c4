// What a spec file says, validated and with every default filled in.
//
// Produced by parse.h from YAML; consumed by the planner, by `alnsmith spec` and by `alnsmith align`.
// Plain data: no YAML, no positions.  Costs are positive; scores are what the file says, so that under
// `objective: minimize` a mismatch is positive too.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::spec {

// An integer that is folded into the code or, if `runtime`, comes with each call.
struct Value {
  bool runtime = false;
  int value = 0;  // 0 where runtime
  bool operator==(const Value &) const = default;
};

enum class Alignment { global, local, semiglobal };  // semiglobal: `ends` says which ends are free
enum class GapModel { linear, affine, dual_affine };
enum class Objective { maximize, minimize };
inline const char *name(Objective objective) { return objective == Objective::minimize ? "minimize" : "maximize"; }
// By which scores are multiplied that kernels maximize.
inline int sign(Objective objective) { return objective == Objective::minimize ? -1 : 1; }
enum class ScoreKind { match, matrix, target_profile };
enum class Switch { off, on };

// Which letters may stay unaligned at no cost: those before the first aligned one, those behind the last.
struct FreeEnds {
  bool query_prefix = false, query_suffix = false, target_prefix = false, target_suffix = false;
  bool operator==(const FreeEnds &) const = default;
};
// What a spec calls them, in the order in which they are printed.
struct FreeEndName {
  std::string_view name;
  bool FreeEnds::*field;
};
inline constexpr FreeEndName free_end_list[] = {{"query_begin", &FreeEnds::query_prefix},
                                                {"query_end", &FreeEnds::query_suffix},
                                                {"target_begin", &FreeEnds::target_prefix},
                                                {"target_end", &FreeEnds::target_suffix}};

// cost(len) = open + extend * len; dual_affine: the smaller of two such lines. gap.h lists the models.
struct GapCost {
  GapModel model = GapModel::linear;
  Value open, extend;          // open is 0 for linear
  Value open2, extend2;        // dual_affine only
  std::optional<int> at_flag;  // cost of opening and of extending at a flagged column
  bool operator==(const GapCost &) const = default;
};

// A named or custom alphabet. Code of a letter = its index in `letters`. `synonyms` maps further upper-case
// bytes to letters (U to T for nucleotides, U and O to X for protein). Lower case folds to upper case.
struct Alphabet {
  std::string name;     // dna, dna5, iupac, rna, protein, custom, state_sets
  std::string letters;  // at most 32, the wildcard included, upper case
  char wildcard = 0;    // 0: none, an invalid letter is an error; else one of `letters`
  std::map<char, char> synonyms;
  std::string state_set_base;  // for {state_sets: dna}: "dna"; "custom" for {state_sets: {states, sets}}
  // Of state sets, whose `letters` are the states: what each letter stands for, a bit for each state.
  std::map<char, std::uint32_t> sets;
  bool operator==(const Alphabet &) const = default;
};

struct Score {
  ScoreKind kind = ScoreKind::match;
  Value match, mismatch;        // ScoreKind::match
  std::optional<int> at_flag;   // added on the diagonal at a flagged column
  bool matrix_runtime = false;  // {matrix: runtime}
  std::string matrix_name;      // as written: a built-in name or a path
  std::vector<int> matrix;      // letters x letters, row = query letter; empty where runtime
  bool operator==(const Score &) const = default;
};

struct Tile {
  std::optional<int> p, k;
  bool operator==(const Tile &) const = default;
};

struct Output {
  bool score = true, end = false, begin = false, cigar = false;
  bool operator==(const Output &) const = default;
};
// Its words in a spec, in the order in which they are printed.
struct OutputWord {
  std::string_view name;
  bool Output::*field;
};
inline constexpr OutputWord output_list[] = {
    {"score", &Output::score}, {"end", &Output::end}, {"begin", &Output::begin}, {"cigar", &Output::cigar}};

// A condition on the parameters of the search space, normalised, and what to say of a candidate that does not meet it.
struct Constraint {
  std::string expression, reason;  // reason: may be empty
  bool operator==(const Constraint &) const = default;
};

struct Spec {
  std::string name;
  Alignment alignment = Alignment::global;
  FreeEnds ends;      // all four for `semiglobal`, as listed for {free_ends: [...]}; none for global and local
  GapCost insertion;  // query letters against nothing
  GapCost deletion;   // target letters against nothing
  Alphabet alphabet;
  Score score;
  Objective objective = Objective::maximize;
  std::optional<int> max_query, max_target;
  Output output;
  std::string mapping = "auto";     // auto | lanes | strips | wavefront | block | striped
  std::string arithmetic = "auto";  // auto | bitsliced | int8 | int16 | int32 | half2 | s16x2 | hybrid | fp32
  Switch half_precision = Switch::off;
  Tile tile;                                     // for every target
  std::map<std::string, Tile> target_tile;       // per target, overrides `tile`
  std::vector<std::string> targets;              // as listed; default: those that are shipped (targets.def)
  int column_flags = 0;                          // bits per target column: 0 or 1
  std::map<std::string, std::string> border;     // {query_begin: forbidden}
  std::string band_from, band_to;                // expressions over query, target and integers, or empty
  std::optional<int> band_width;                 // letters on either side of what the lengths ask for
  std::map<std::string, std::vector<int>> tune;  // explicit value lists: k, p, block, threads
  std::map<std::string, std::vector<std::string>> tune_words;  // mapping, arithmetic, compiler
  std::vector<Constraint> tune_constraints;
  std::string tune_budget;
  bool has_bounds() const { return !band_from.empty() || !band_to.empty(); }
  bool operator==(const Spec &) const = default;
};

}  // namespace alnsmith::spec
