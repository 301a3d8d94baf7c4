// Made-up records for tests of what is done with them.
#pragma once

#include "tune/record.h"

namespace alnsmith::tool::tune {

// A correct configuration of `k` with a speed; `relative` as a share of the model's choice's.
inline Record record_of(int k, double gcups, bool model = false) {
  Record record;
  record.spec_name = "some-spec";
  record.spec_hash = std::string(64, 'a');
  record.target = "x86-64-v4";
  record.device = "cpu";
  record.mode = "pairs";
  record.environment.cpu_class = "znver4";
  record.search.strategy = "local";
  record.search.model = model;
  record.configuration = {{"k", std::int64_t{k}}, {"arithmetic", "int8"}, {"threads", std::int64_t{1}}};
  record.measurements = {{"gcups", gcups, "GCUPS"}};
  record.objectives = {"gcups"};
  return record;
}

inline Record final_record(int k, double gain, double spread) {
  Record record = record_of(k, 20 * gain);
  record.search.strategy = "final";
  record.measurements.push_back({"model_gcups", 20, "GCUPS"});
  record.measurements.push_back({"gain", gain, "1"});
  record.measurements.push_back({"gain_spread", spread, "1"});
  return record;
}

}  // namespace alnsmith::tool::tune
