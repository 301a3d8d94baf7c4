// Everything that measuring candidates takes besides the candidates' kernels, kept in a folder, so that a killed run
// goes on and another machine can measure what this one built.
//
// The folder: job.json, spec.yaml (canonical), <class>.queries and <class>.targets (a sequence per line), sample.*, and
// builds/ (builder.h). job.json holds the hash of each other file; all are read only where the rule of what is loaded
// lets them (docs/security.md), as what lies in the folder decides what is run and what counts as right.
#pragma once

#include <string>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/forms.hpp"
#include "tune/reference.h"
#include "tune/space.h"
#include "tune/work.h"

namespace alnsmith::tool::tune {

struct Job {
  spec::Spec spec;
  std::string hash;
  std::string target;     // "x86-64-v4", "cuda:sm_90"
  std::string generator;  // its version
  std::string identity;   // of generator and templates: builds of another one are not taken
  Scoring scoring;        // for what the spec leaves to the call
  Space space;
  Configuration model;  // what the planner takes by itself
  Workload work;
  Answers expected;  // of work.sample

  bool on_cpu() const { return parse_isa(target).has_value(); }
  Form form() const { return work.all ? Form::shared_profile : Form::pairwise; }
};

// The text of job.json; equal for equal jobs.
std::string job_text(const Job &job);

Status save_job(const Job &job, const std::string &folder);
// The error names what is missing, damaged, changed or open to others.
Result<Job> load_job(const std::string &folder);

// An error if the folder holds what no tuning run puts there: a run replaces and removes what is in its folder.
Status check_job_folder(const std::string &folder);

// What the folder's job.json holds, or nothing.
std::string stored_job_text(const std::string &folder);

}  // namespace alnsmith::tool::tune
