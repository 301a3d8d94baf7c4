// From command-line words to a Tuning: a choice by hand, or the tuned tables of a folder or those built in (tuned/).
#pragma once

#include <string>

#include "tuning/tuning.h"

namespace alnsmith::plan {

struct TuningRequest {
  std::string choice;  // as parse_choice takes it; with one, no table is asked
  std::string folder;  // of tables `<target>.json`, ':' as '-'; empty: those built in
  std::string cpu;     // CPU class; rows for others are left out
};

Result<Tuning> make_tuning(const TuningRequest &request, const spec::Spec &spec, const std::string &target);

}  // namespace alnsmith::plan
