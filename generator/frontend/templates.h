// The templates as Clang sees them: parsed once, evaluated for many kernels.
//
// In: a folder of templates, or the ones embedded in the generator. Out: the lane mappings they register
// (ALN_KERNEL) and, per mapping and static values, a kernel's IR and what is told of it (ALN_FACTS). Both are parsed
// when first asked for, kernels by mapping and gap model. Only this file's implementation and pe/ include Clang.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "frontend/facts.h"
#include "ir/ir.h"

namespace alnsmith::frontend {

class Templates : public Teller {
 public:
  // `directory` empty: the embedded templates.
  static Result<Templates> parse(const std::string &directory);

  Templates(Templates &&) noexcept;
  Templates &operator=(Templates &&) noexcept;
  ~Templates() override;

  std::vector<std::string> mappings() const override;
  Result<Facts> facts(const std::string &mapping, const Statics &statics) const override;
  // Both: any number of threads may ask, and wait for each other.
  Result<ir::Function> evaluate(const std::string &mapping, const Statics &statics) const;

 private:
  struct Impl;
  explicit Templates(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith::frontend
