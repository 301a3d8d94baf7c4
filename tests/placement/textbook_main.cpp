// `alnsmith place` over the textbook: for tests of what the program does around the kernels.
#include <memory>

#include "place_command.h"
#include "textbook.h"

namespace {

using namespace alnsmith;

class TextbookKernels : public tool::PlaceKernels {
 public:
  TextbookKernels(testing::Scheme scheme, placement::StateAlphabet alphabet)
      : alphabet_(std::move(alphabet)), textbook_(scheme, alphabet_) {}
  placement::BranchAligner &aligner() override { return textbook_; }
  std::vector<std::string> warnings() const override { return {}; }
  std::string closing(double) const override { return "kernel=textbook"; }
  void explain() const override {}

 private:
  placement::StateAlphabet alphabet_;
  testing::Textbook textbook_;
};

Result<std::unique_ptr<tool::PlaceKernels>> open(const tool::RunArguments &, const spec::Spec &spec,
                                                 const std::string &, std::size_t) {
  Result<placement::StateAlphabet> alphabet = tool::states_of(spec);
  if (!alphabet) return alphabet.error();
  const bool minimize = spec.objective == spec::Objective::minimize;
  return std::unique_ptr<tool::PlaceKernels>(
      std::make_unique<TextbookKernels>(minimize ? testing::Scheme::eq1 : testing::Scheme::v25, std::move(*alphabet)));
}

}  // namespace

int main(int argc, char **argv) {
  CLI::App app{"alnsmith place over the textbook", "alnsmith"};
  int status = 0;
  tool::add_place_with(app, status, open);
  CLI11_PARSE(app, argc, argv);
  return status;
}
