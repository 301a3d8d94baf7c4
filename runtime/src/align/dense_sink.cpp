// See dense_sink.h.
#include "align/dense_sink.h"

#include <string>

namespace alnsmith::rt::align {

Result<OutputSet> given_by(const CallShape &shape, OutputSet wanted) {
  if (wanted.empty()) return shape.outputs;
  const auto missing = wanted.missing_in(shape.outputs);
  if (!missing) return wanted;
  const OutputInfo &info = info_of(*missing);
  return Error{"the spec '" + std::string(shape.spec) + "' gives no " + std::string(info.name) +
                   "; write `output: [score, " + std::string(info.key) + "]` there",
               2};
}

Result<OutputSet> DenseSink::begin(const CallShape &shape) {
  const char *call = shape.all ? "align_all: " : "align_pairs: ";
  const OutputSet wanted = columns_.wanted();
  if (wanted.empty()) return Error{std::string(call) + "no column is given: one at least is needed", 2};
  if (wanted.contains(Output::cigar) && !columns_.cigars())
    return Error{std::string(call) + "CIGARs go into no column of numbers: use Columns::set(Cigars &)", 2};
  for (const OutputInfo &info : kOutputs) {
    const std::size_t size = columns_[info.output].size();
    if (!wanted.contains(info.output) || size == shape.pairs()) continue;
    const std::string sequences =
        std::to_string(shape.queries) + " queries and " + std::to_string(shape.targets) + " targets";
    return Error{call + sequences + " make " + std::to_string(shape.pairs()) + " pairs; the column " +
                     std::string(info.name) + " has room for " + std::to_string(size),
                 2};
  }
  if (columns_.cigars()) columns_.cigars()->reset(shape.pairs());
  auto given = given_by(shape, wanted);
  if (!given) return Error{call + given.error().message, given.error().exit_code};
  return given;
}

Result<Next> DenseSink::put(const ResultBlock &block) {
  for (const OutputInfo &info : kOutputs) {
    const auto from = block[info.output];
    std::int32_t *const to = columns_[info.output].data();
    for (std::size_t i = 0; i < from.size(); ++i) to[block.pair[i]] = from[i];
  }
  if (Cigars *const cigars = columns_.cigars()) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < block.size(); ++i) cigars->set(block.pair[i], block.cigar(i));
  }
  return Next::more;
}

}  // namespace alnsmith::rt::align
