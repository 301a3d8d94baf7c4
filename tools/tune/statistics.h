// What repeated times say: median, quartile spread, outliers; and the order in which a group is timed.
#pragma once

#include <cstddef>
#include <vector>

namespace alnsmith::tool::tune {

struct Statistics {
  double median = 0;
  double spread = 0;         // (third quartile - first) / median
  std::size_t outliers = 0;  // farther than 1.5 interquartile ranges outside the quartiles
};
Statistics statistics(std::vector<double> values);

// `rounds` rounds over `members` candidates: each once a round, and each round begins one later, so that no candidate
// always runs behind the same place of the round.
std::vector<std::size_t> interleaved(std::size_t members, std::size_t rounds);

}  // namespace alnsmith::tool::tune
