// The kernels of one case, ready to align: by the library's interface (aligner_kernels.cpp) or one by one
// (single_kernels.cpp).
//
// Out: answers, or a refusal that a user would read; whether a refusal is one that the rules foresee is check.h's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alnsmith/result.hpp"
#include "case.h"

namespace soak {

// What one kernel, or the library with all of them, says of a case's pairs, by pair.
struct Answers {
  std::string who;                  // an entry, or the target
  std::string arithmetic, mapping;  // as planned, or as the spec asks
  std::vector<int> score;
  std::vector<int> query_end, target_end, query_begin, target_begin;  // empty where the spec gives none
  std::vector<std::string> cigar;                                     // "3M1D"; the same
  std::vector<char> given;  // 0: out of the kernel's range, by its status or its predicate

  // Room for these outputs.
  void reserve(std::size_t pairs, const alnsmith::spec::Output &output) {
    score.assign(pairs, -999999999);
    if (output.end) query_end = target_end = score;
    if (output.begin) query_begin = target_begin = score;
    if (output.cigar) cigar.resize(pairs);
  }
};

class Kernels {
 public:
  virtual ~Kernels() = default;
  // Of a case with the spec, target and choice that these were opened for. No answers: no kernel takes such a call.
  virtual alnsmith::Result<std::vector<Answers>> align(const Case &c) = 0;
};

struct Places {
  std::string generator;  // alnsmith-generate
  std::string folder;     // of this process, for specs and caches
};

// Throws nothing; what cannot be opened is the error that a user would read.
alnsmith::Result<std::unique_ptr<Kernels>> open_kernels(const Case &c, const alnsmith::spec::Spec &spec,
                                                        const Places &places);
alnsmith::Result<std::unique_ptr<Kernels>> open_aligner(const Case &c, const alnsmith::spec::Spec &spec,
                                                        const Places &places);
alnsmith::Result<std::unique_ptr<Kernels>> open_single(const Case &c, const alnsmith::spec::Spec &spec,
                                                       const Places &places);

// Whether this machine can run the case at all; else why not.
std::string obstacle(const Case &c);

}  // namespace soak
