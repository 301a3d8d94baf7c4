// PaPaRa's two schemes by full matrices: scores and a path, without any haste (../shared/data/README.md, PaPaRa facts).
#pragma once

#include <cstdint>
#include <string_view>

#include "alnsmith/placement.hpp"

namespace alnsmith::testing {

enum class Scheme {
  v25,  // PaPaRa 2.5: maximising, all ends free
  eq1   // the paper of 2012, equation 1: minimising, the whole read, a band
};

// The best score; where `path` is given, a path that has it.
std::int32_t align(Scheme scheme, const placement::StateAlphabet &alphabet, std::string_view read,
                   const StateColumns &branch, placement::ReadPath *path = nullptr);
// What a path scores.
std::int32_t score_of(Scheme scheme, const placement::StateAlphabet &alphabet, std::string_view read,
                      const StateColumns &branch, const std::vector<CigarRun> &runs);

// It as the aligner of a placement.
class Textbook : public placement::BranchAligner {
 public:
  Textbook(Scheme scheme, const placement::StateAlphabet &alphabet) : scheme_(scheme), alphabet_(alphabet) {}
  bool minimize() const override { return scheme_ == Scheme::eq1; }
  Status score(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
               std::span<std::int32_t> scores) override;
  Status align(std::span<const std::string_view> reads, std::span<const StateColumns> branches,
               std::span<placement::ReadPath> paths) override;

 private:
  Scheme scheme_;
  const placement::StateAlphabet &alphabet_;
};

}  // namespace alnsmith::testing
