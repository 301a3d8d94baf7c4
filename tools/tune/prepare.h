// From a spec to a job: the space, the work, the reference's answers, the model's choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tune/builder.h"
#include "tune/job.h"

namespace alnsmith::tool::tune {

struct JobRequest {
  std::string spec;                     // file or shipped name
  std::string target;                   // "x86-64-v4", "cuda:sm_90"
  bool all = false;                     // each query with each target
  std::uint64_t seed = 1, cells = 0;    // of the made work; 0: what suits the target
  std::string query_file, target_file;  // the user's sequences; empty: made ones
  std::vector<std::string> compilers;   // to try in place of the spec's, names or paths; empty: the spec's
};

// Asks the generator for the model's choice; `folder` is for its work.
Result<Job> make_job(const JobRequest &request, const Maker &maker, const std::string &folder);

}  // namespace alnsmith::tool::tune
