// The templates as Clang sees them: parsed once, evaluated for many kernels.
//
// In: a folder of templates, or the ones embedded in the generator. Out: the lane mappings they register
// (ALN_KERNEL) and, per mapping and static values, a kernel's IR and what is told of it (ALN_FACTS). Only this file's
// implementation and pe/ include Clang.
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
  // What is told of kernels only (exactness.cc), which takes a third of the time: evaluate() has no kernel then.
  static Result<Templates> parse_facts(const std::string &directory);

  Templates(Templates &&) noexcept;
  Templates &operator=(Templates &&) noexcept;
  ~Templates() override;

  std::vector<std::string> mappings() const override;
  Result<Facts> facts(const std::string &mapping, const Statics &statics) const override;
  Result<ir::Function> evaluate(const std::string &mapping, const Statics &statics) const;

 private:
  struct Impl;
  static Result<std::unique_ptr<Impl>> parse_file(const std::string &directory, const std::string &main);
  explicit Templates(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace alnsmith::frontend
