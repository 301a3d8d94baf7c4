// See memory.h.
#include "align/memory.h"

#include <array>
#include <cstdio>

#include "align/call.h"
#include "align/split.h"
#include "kernels/device_work.h"

namespace alnsmith::rt::align {
namespace {

std::string in_bytes(double bytes) {
  std::array<char, 32> text{};
  if (bytes < 1e6)
    std::snprintf(text.data(), text.size(), "%.0f KB", bytes / 1e3);
  else if (bytes < 1e9)
    std::snprintf(text.data(), text.size(), "%.1f MB", bytes / 1e6);
  else
    std::snprintf(text.data(), text.size(), "%.1f GB", bytes / 1e9);
  return text.data();
}

// "150 letters 1.0 MB, 1000 letters 2.0 MB": what sequences of these lengths take.
template <class Need>
std::string need_by_length(std::initializer_list<std::size_t> lengths, const Need &need) {
  std::string text;
  for (const std::size_t length : lengths)
    text +=
        (text.empty() ? "" : ", ") + std::to_string(length) + " letters " + in_bytes(static_cast<double>(need(length)));
  return text;
}

}  // namespace

std::vector<std::string> memory_lines(const kernels::Manifest &manifest) {
  std::vector<std::string> lines;
  std::array<bool, kFormNames.size()> told{};
  for (const kernels::KernelInfo &kernel : manifest.kernels) {
    bool &known = told[static_cast<std::size_t>(kernel.form)];
    if (known || (manifest.for_device && kernel.device.trace_row_words == 0)) continue;
    known = true;
    const std::string begin = kernel.entry + ": takes of memory, with sequences of ";
    if (manifest.for_device) {
      const auto of = [&](kernels::WayKept kept) {
        return [&kernel, kept](std::size_t n) {
          return device_work(kernel, keeps(kernel, kept, n) ? kept : kernels::WayKept::codes, n, n).bytes(kernel);
        };
      };
      std::string line = begin + need_by_length({150, 1000, 10000}, of(kernels::WayKept::codes));
      if (kernel.device.walk_words > 0)
        line += "; where that is too much " + need_by_length({10000, 100000}, of(kernels::WayKept::borders)) +
                ", at least " + need_by_length({100000, 1000000}, of(kernels::WayKept::sections));
      lines.push_back(line + "; for so many alignments at a time: " + std::to_string(kernel.device.alignments()));
    } else if (kernel.form == Form::split) {
      lines.push_back(begin +
                      need_by_length({10000, 100000, 1000000},
                                     [&](std::size_t n) {
                                       return split_need(kernel, n, n, Options{}.memory_bytes, manifest.band_width);
                                     }) +
                      "; for a pair");
    } else {
      lines.push_back(begin +
                      need_by_length({150, 1000, 10000}, [&](std::size_t n) { return Call::need(kernel, n, n); }) +
                      "; for " + std::to_string(kernel.lanes) +
                      (kernel.form == Form::pairwise ? " pairs" : " targets") + ", a thread");
    }
  }
  return lines;
}

}  // namespace alnsmith::rt::align
