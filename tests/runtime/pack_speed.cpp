// Prints what encoding and transposing cost per byte, and per cell relative to a kernel of 25 GCUPS.
#include <chrono>
#include <cstdio>

#include "align/pack.h"
#include "tiny.h"

int main() {
  using namespace alnsmith::rt;
  std::array<std::uint8_t, 256> codes;
  codes.fill(kInvalid);
  for (int i = 0; i < 4; ++i) codes["ACGT"[i]] = codes["acgt"[i]] = static_cast<std::uint8_t>(i);
  const CodeTable table(codes);
  tiny::Random random(1);
  for (int length : {150, 512})
    for (int lanes : {8, 16, 32, 64}) {
      std::vector<std::string> texts;
      for (int i = 0; i < 4096; ++i) texts.push_back(random.letters(length));
      const std::vector<std::string_view> views(texts.begin(), texts.end());
      std::vector<std::uint8_t> out(packed_rows(static_cast<std::size_t>(length)) * 64);
      const auto batches = static_cast<int>(views.size()) / lanes;
      double best = 1e9;
      for (int repeat = 0; repeat < 20; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        for (int b = 0; b < batches; ++b)
          pack_lanes(table, views.data() + b * lanes, lanes, static_cast<std::size_t>(length), 43, out.data());
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        best = std::min(best, spent.count());
      }
      const double letters = static_cast<double>(views.size()) * length;
      const double share = 2 * best / (letters * length / 25e9);  // both sides
      std::printf("%d bp x %d lanes: %.3f ns/letter, %.2f %% of 25 GCUPS for both sides\n", length, lanes,
                  best / letters * 1e9, share * 100);
    }
}
