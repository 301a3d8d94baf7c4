// The sink behind calls that give columns: each result goes to its pair's place in them.
#pragma once

#include <mutex>

#include "alnsmith/sinks.hpp"

namespace alnsmith::rt::align {

// What is wanted of what the spec gives; empty: all of it. An error (exit code 2) names what it does not give.
Result<OutputSet> given_by(const CallShape &shape, OutputSet wanted);

class DenseSink : public ResultSink {
 public:
  explicit DenseSink(const Columns &columns) : columns_(columns) {}
  // An error unless every column is as long as there are pairs.
  Result<OutputSet> begin(const CallShape &shape) override;
  Result<Next> put(const ResultBlock &block) override;

 private:
  Columns columns_;
  std::mutex mutex_;  // of its CIGARs
};

}  // namespace alnsmith::rt::align
