// E-values and bits of a search's hits.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string_view>

#include "alnsmith/statistics.hpp"

namespace alnsmith::python {

struct Significance {
  search::ScoringSystem scoring;
  search::Statistics statistics;
  search::Composition composition;
};

// Of one query; it remembers what its letters are.
class QuerySignificance {
 public:
  QuerySignificance(const Significance &significance, std::uint64_t database_letters)
      : significance_(significance), database_letters_(database_letters) {}

  // E and bits of a hit; NaN where the letters of the two alone make scores grow with the lengths.
  struct Values {
    double evalue, bits;
  };
  // Nothing where E is above `cut`, by the rule of tools/alnsmith/search_report.cpp.
  std::optional<Values> operator()(std::string_view query, std::string_view target, std::int32_t score, bool minus,
                                   double cut);

 private:
  const Significance &significance_;
  std::uint64_t database_letters_;
  search::LetterCounts counts_[2];  // by strand
};

void bind_significance(nanobind::module_ &module);

}  // namespace alnsmith::python
