// A sink that counts without a lock, so that several threads race: what the suppressions for ThreadSanitizer must not
// hide. The test passes where the race is reported.
#include <iostream>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"

namespace {

using namespace alnsmith;

class Racing : public ResultSink {
 public:
  Result<OutputSet> begin(const CallShape &) override { return OutputSet{Output::score}; }
  Result<Next> put(const ResultBlock &block) override {
    count_ += block.size();
    return Next::more;
  }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

}  // namespace

int main() {
  const auto aligner = Aligner::open_file(FAKE_DIR "/fake_global.so");
  if (!aligner) return std::cerr << aligner.error().message << "\n", 2;
  const std::vector<std::string_view> letters(20000, "ACGTACGTACGTACGTACGTACGTACGTACGT");
  Options options;
  options.threads = 2;
  Racing sink;
  const auto done = aligner->align_pairs(letters, letters, sink, options);
  if (!done) return std::cerr << done.error().message << "\n", 2;
  std::cout << sink.count() << " counted\n";
}
