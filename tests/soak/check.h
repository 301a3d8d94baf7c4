// Whether kernels answer a case as the textbook DP does.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "case.h"
#include "kernels.h"

namespace soak {

// What went wrong.
struct Failure {
  std::string what;           // "wrong answer", "unexpected refusal", ...
  std::string who;            // a kernel's entry
  std::string got, expected;  // "score 3, ends 1, 2"
  std::size_t pair = 0;       // of the case; for a refusal 0
};

// Pairs and cells that were compared, by what they were scored with.
struct Count {
  std::uint64_t pairs = 0, cells = 0;
};
struct Counts {
  std::map<std::string, std::map<std::string, Count>> by;  // "target", "arithmetic", "mapping", "form"
  std::map<std::string, std::uint64_t> refusals;           // by reason: draws and calls
  std::uint64_t pairs = 0, cells = 0, promotable = 0;      // promotable: out of a kernel's range
};

// The reason of a refusal that the rules foresee, without names and numbers; nothing for any other, such as a
// compiler's complaint or spilled registers.
std::optional<std::string> foreseen(const std::string &message);

// Aligns a case and compares. `counts` may be null.
std::optional<Failure> check(const Case &c, const alnsmith::spec::Spec &spec, Kernels &kernels, Counts *counts);

// Keeps the kernels of the last case, so that a case that differs in the call alone needs no compiler.
class Checker {
 public:
  using Opener = std::function<alnsmith::Result<std::unique_ptr<Kernels>>(const Case &, const alnsmith::spec::Spec &,
                                                                          const Places &)>;
  explicit Checker(Places places, Opener open = open_kernels) : places_(std::move(places)), open_(std::move(open)) {}
  // Parses, opens, aligns, compares.
  std::optional<Failure> check(const Case &c, Counts *counts = nullptr);
  bool has_kernels() const { return kernels_ != nullptr; }

 private:
  Places places_;
  Opener open_;
  std::string key_;
  std::optional<alnsmith::spec::Spec> spec_;
  std::unique_ptr<Kernels> kernels_;
  std::optional<Failure> refused_;  // why there are none
  std::string reason_;              // or a refusal that was foreseen
};

}  // namespace soak
