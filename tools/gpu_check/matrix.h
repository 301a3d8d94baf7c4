// The test matrix as specs: alignment modes x gap costs x scorings of the golden data, each with a device mapping, an
// arithmetic and a tile, drawn so that all combinations of these are met.
//
// In:  a number that says which draw. Out: YAML; the twin without device keys is what the CPU's kernels score.
#pragma once

#include <string>
#include <vector>

namespace alnsmith::check {

struct MatrixPoint {
  std::string mode, scoring;  // as in the golden data: "sg_qb_de", "b62_aff11_1"
  std::string name, alphabet;
  std::string body;  // YAML without name and device keys
  bool ends = false;

  std::string cpu_yaml() const;
  // The n-th draw; where a target cannot have one, the next may do.
  std::string device_yaml(int draw) const;
};

// How many draws differ.
int device_draws();

std::vector<MatrixPoint> matrix_points();

}  // namespace alnsmith::check
