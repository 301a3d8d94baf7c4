// Specs over state sets that kernels are tested with, and what they align.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "oracle.h"
#include "state_columns.h"

namespace golden::state_sets {

// A spec's fields, how many states its alphabet has, what queries are drawn from, and whether columns have flags.
struct Point {
  const char *alphabet;
  int states;
  const char *letters;
  const char *alignment, *gap, *score, *more;
  bool flags;
};
inline constexpr const char *kDna = "{state_sets: dna}", *kProtein = "{state_sets: protein}";
inline constexpr const char *kWide =
    "{state_sets: {states: ABCDEFGHIJKLMNOPQRSTUVWXYZ012345, sets: {\"*\": AB, \"-\": XYZ012345}}}";
inline constexpr const char *kSix = "{state_sets: {states: abcdef, sets: {x: ABCDEF, \"?\": AF}}}";
inline constexpr const char *kDnaLetters = "ACGTACGTACGTRYNU", *kProteinLetters = "ARNDCQEGHILKMFPSTWYVBZX";
inline constexpr const char *kAffine = "{model: affine, open: 2, extend: 1}", *kLinear = "{model: linear, extend: 3}";
inline constexpr const char *kAtFlag =
    "{deletion: {model: affine, open: 2, extend: 1, at_flag: 0}, insertion: {model: affine, open: 2, extend: 1}}";
inline constexpr const char *kDearFlag =
    "{deletion: {model: affine, open: 4, extend: 1, at_flag: 2}, insertion: {model: linear, extend: 2}}";
inline constexpr const char *kLinearFlag =
    "{deletion: {model: linear, extend: 2, at_flag: 1}, insertion: {model: linear, extend: 2}}";
inline constexpr const char *kDualFlag =
    "{deletion: {model: dual_affine, open: 1, extend: 3, open2: 6, extend2: 1, at_flag: 0}, "
    "insertion: {model: dual_affine, open: 1, extend: 3, open2: 6, extend2: 1}}";
inline constexpr const char *kMatch = "{match: 2, mismatch: -1}", *kMatchFlag = "{match: 2, mismatch: 0, at_flag: -3}",
                            *kGainFlag = "{match: 2, mismatch: -1, at_flag: 1}",
                            *kCost = "{match: 0, mismatch: 3, at_flag: 3}";
inline constexpr const char *kTargetEnds = "{free_ends: [target_begin, target_end]}";
inline constexpr const char *kForbidden = "\nborder: {query_begin: forbidden}";
inline constexpr const char *kPaperBand = "\nborder: {query_begin: forbidden}\nband: {from: 0, to: target - query}";

inline constexpr Point points[] = {
    {kDna, 4, kDnaLetters, "semiglobal", kAtFlag, kMatchFlag, "", true},
    {kDna, 4, kDnaLetters, "global", kAtFlag, kMatchFlag, "\nborder: {target_begin: forbidden}", true},
    {kDna, 4, kDnaLetters, "local", kAtFlag, kMatchFlag, "", true},
    {kDna, 4, kDnaLetters, "local", kLinearFlag, kGainFlag, "", true},
    {kDna, 4, kDnaLetters, kTargetEnds, kDualFlag, kGainFlag, "", true},
    {kDna, 4, kDnaLetters, kTargetEnds, kAtFlag, kCost, "\nobjective: minimize", true},
    {kDna, 4, kDnaLetters, "{free_ends: [query_end, target_begin]}", kLinearFlag, kMatch, "", true},
    {kDna, 4, kDnaLetters, "semiglobal", kAffine, kMatch, "", false},
    {kDna, 4, kDnaLetters, "global", kLinear, kMatch, kForbidden, false},
    {kDna, 4, kDnaLetters, "{free_ends: [query_begin]}", kAffine, kMatch, "\nband: {from: -9, to: 12}", false},
    {kDna, 4, kDnaLetters, "global", kAffine, kMatch, "\nband: {from: target - query - 4, to: 5}", false},
    {kProtein, 20, kProteinLetters, "semiglobal", kDearFlag, kMatchFlag, "", true},
    {kProtein, 20, kProteinLetters, "local", kDualFlag, kGainFlag, "", true},
    {kProtein, 20, kProteinLetters, kTargetEnds, kAffine, kMatch, kForbidden, false},
    {kWide, 32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345*-", kTargetEnds, kDearFlag, kGainFlag, kForbidden, true},
    {kWide, 32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345*-", "local", kAtFlag, kGainFlag, "", true},
    {kSix, 6, "abcdefx?", "semiglobal", kDualFlag, kMatchFlag, "", true},
};
// These find no begins.
inline constexpr Point without_begins[] = {
    {kDna, 4, kDnaLetters, "global", kAtFlag, kMatchFlag, "", true},
    {kProtein, 20, kProteinLetters, "{free_ends: [query_begin]}", kDualFlag, kMatchFlag, "", true},
    {kSix, 6, "abcdefx?", "{free_ends: [target_end]}", kLinearFlag, kGainFlag, "\nband: {from: -40, to: 60}", true},
};

std::string fields(const Point &point);

struct Material {
  std::vector<std::string> queries;
  std::vector<ColumnTarget> targets;
  std::vector<std::string_view> query_views() const { return {queries.begin(), queries.end()}; }
  std::vector<alnsmith::StateColumns> target_views() const {
    std::vector<alnsmith::StateColumns> views;
    for (const ColumnTarget &target : targets) views.push_back(target.view());
    return views;
  }
};

// Letters that the columns allow, now and then another one, and gaps of either kind.
std::string near_columns(std::mt19937 &random, const oracle::Problem &problem, const Point &point,
                         const ColumnTarget &target, std::size_t length);

Material material(std::mt19937 &random, const oracle::Problem &problem, const Point &point, std::size_t count,
                  std::size_t longest);
// Each query of some with each target that all of them have an alignment with.
Material each_with_each(std::mt19937 &random, const oracle::Problem &problem, const Point &point);

// Whether a pair has an alignment; calls refuse others by name.
bool exists(const oracle::Problem &problem, const std::string &query, const ColumnTarget &target);
// The pairs, query i with target i, that have one.
Material pairs_that_exist(const oracle::Problem &problem, const Material &all);

}  // namespace golden::state_sets
