// Points of the grid as device kernels: which kernel a spec is made, what it aligns, and whether its answers are right.
#pragma once

#include <random>
#include <span>
#include <string>
#include <vector>

#include "device_batch.h"
#include "grid.h"
#include "kernels/predicate.h"

namespace device_points {

using Pair = devices::Batch::Pair;

// How a point of the grid is made a kernel.
struct Choice {
  std::string target, arithmetic, mapping;
  int p, k;
  int rows = 4;  // a turn, mapping `lanes`
  std::string name() const {
    return target + " " + arithmetic + " " + mapping + " p" + std::to_string(p) + "k" + std::to_string(k) + "r" +
           std::to_string(rows);
  }
};

// The spec with that choice written into it.
std::string with_choice(std::string yaml, const Choice &c);

enum class Kind { similar, ragged, extremes, level, long_ };
constexpr Kind kinds[] = {Kind::similar, Kind::ragged, Kind::extremes, Kind::level, Kind::long_};

// A random number of pairs of that kind. Form `shared_profile`: all items have the same `packing` queries, and both
// halves of an item the same target. Form `single_query`: all have the same query.
std::vector<Pair> make_pairs(std::mt19937 &random, const std::string &letters, Kind kind,
                             const alnsmith::plan::KernelPlan &kernel);

alnsmith::rt::kernels::Values predicate_values(const lanes::Scoring &scoring, const Pair &pair);

// Fails the test where an answer differs from the textbook DP, or is wrong without a raised status. `what` ran.
void check(const grid::Case &c, const alnsmith::spec::Spec &spec, const alnsmith::rt::kernels::Predicate &exact,
           const lanes::Scoring &scoring, std::span<const Pair> pairs, const devices::Batch &batch, const char *what);

}  // namespace device_points
