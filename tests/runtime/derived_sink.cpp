// A sink of the user's own, linked with the shared library as a user links it.
#include <cstdio>

#include "alnsmith/alnsmith.hpp"

namespace {

class Sum : public alnsmith::ResultSink {
 public:
  alnsmith::Result<alnsmith::OutputSet> begin(const alnsmith::CallShape &shape) override { return shape.outputs; }
  alnsmith::Result<alnsmith::Next> put(const alnsmith::ResultBlock &block) override {
    for (const int score : block[alnsmith::Output::score]) sum += score * score;
    return alnsmith::Next::more;
  }
  int sum = 0;
};

}  // namespace

int main() {
  const auto aligner = alnsmith::Aligner::open_file(FAKE_DIR "/fake_global.so");
  if (!aligner) return std::puts(aligner.error().message.c_str()), 1;
  const std::vector<std::string_view> queries = {"ACGT", ""}, targets = {"ACGT", "ACG"};
  alnsmith::Options options;
  options.threads = 1;
  Sum sink;
  const auto done = aligner->align_all(queries, targets, sink, options);  // 8, 3, -6, -5
  if (!done) return std::puts(done.error().message.c_str()), 1;
  return sink.sum == 134 && done->pairs == 4 && dynamic_cast<alnsmith::ResultSink *>(&sink) != nullptr ? 0 : 1;
}
