// The templates as Clang sees them: parsed once, evaluated for many kernels.
//
// In: a folder of templates, or the ones embedded in the generator. Out: the lane mappings they register
// (ALN_KERNEL) and, per mapping and static values, a kernel's IR. Only this file's implementation and pe/ include
// Clang.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "ir/ir.h"

namespace alnsmith::frontend {

using Statics = std::map<std::string, std::int64_t>;  // by field path of templates/spec.h

class Templates {
 public:
  // `directory` empty: the embedded templates.
  static Result<Templates> parse(const std::string &directory);

  Templates(Templates &&) noexcept;
  Templates &operator=(Templates &&) noexcept;
  ~Templates();

  std::vector<std::string> mappings() const;  // sorted
  Result<ir::Function> evaluate(const std::string &mapping, const Statics &statics) const;

 private:
  struct Impl;
  explicit Templates(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith::frontend
