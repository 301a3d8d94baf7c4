// See fitting.h.
#include "compile/fitting.h"

namespace alnsmith::rt::compile {

std::vector<std::string> with_spilled(std::vector<std::string> words, const Spilled &spilled) {
  for (const std::string &entry : spilled) words.insert(words.end(), {"--spilled", entry});
  return words;
}

Result<FittingTexts> compile_fitting(const std::string &target,
                                     const std::function<Result<PlannedTexts>(const Spilled &spilled)> &make,
                                     const std::function<Result<DeviceBinary>(const PlannedTexts &texts)> &compile) {
  Spilled spilled;
  for (;;) {
    auto texts = make(spilled);
    if (!texts) return texts.error();
    auto binary = compile(*texts);
    if (!binary) return binary.error();
    bool fits = true;
    for (const auto &[entry, resources] : binary->kernels) {
      auto ok = check_resources(resources, entry, target);
      if (!ok && !spilled.insert(entry).second) return ok.error();
      fits = fits && ok;
    }
    if (fits) return FittingTexts{*std::move(texts), *std::move(binary)};
  }
}

}  // namespace alnsmith::rt::compile
