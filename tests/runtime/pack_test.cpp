// Encoding and transposition: every path against the table and a loop.
#include "align/pack.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <numeric>

#include "align/lane_loading.h"
#include "align/pack_planes.h"
#include "align/packed_groups.h"
#include "alnsmith/kernel_abi.h"
#include "base/crc32c.h"
#include "tiny.h"

namespace {

using namespace alnsmith::rt;
using alnsmith::pack_targets;

std::vector<kernels::Simd> paths() {
  std::vector<kernels::Simd> all{kernels::Simd::none};
  for (kernels::Simd simd :
       {kernels::Simd::ssse3, kernels::Simd::avx2, kernels::Simd::avx512bw, kernels::Simd::avx512vbmi})
    if (kernels::best_simd() >= simd) all.push_back(simd);
  return all;
}

kernels::CodeTable table_of(std::string_view letters, int wildcard_code = -1) {
  std::array<std::uint8_t, 256> codes;
  codes.fill(wildcard_code < 0 ? kernels::kInvalid : static_cast<std::uint8_t>(wildcard_code));
  for (std::size_t i = 0; i < letters.size(); ++i) {
    codes[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
    codes[static_cast<unsigned char>(std::tolower(letters[i]))] = static_cast<std::uint8_t>(i);
  }
  return kernels::CodeTable(codes);
}

std::vector<kernels::CodeTable> tables() {
  tiny::Random random(1);
  std::array<std::uint8_t, 256> scattered;
  for (auto &code : scattered) code = static_cast<std::uint8_t>(random.below(3) ? 255 : random.below(32));
  std::array<std::uint8_t, 256> asymmetric;  // upper and lower case differ
  asymmetric.fill(kernels::kInvalid);
  for (int i = 0; i < 4; ++i) asymmetric["ACGT"[i]] = asymmetric["tgca"[i]] = static_cast<std::uint8_t>(i);
  return {table_of("ACGT"), table_of("ACGTN", 40), table_of("ARNDCQEGHILKMFPSTWYVBJZX*"), kernels::CodeTable(scattered),
          kernels::CodeTable(asymmetric)};
}

TEST(Encode, EveryPathAgreesWithTheTableOnEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (const kernels::CodeTable &table : tables())
    for (kernels::Simd simd : paths())
      for (std::size_t shift = 0; shift < 33; ++shift) {
        const std::string in = bytes.substr(shift) + bytes.substr(0, shift);
        std::vector<std::uint8_t> out(256);
        const bool known = kernels::encode_with(simd, table, in, out.data());
        bool all = true;
        for (std::size_t i = 0; i < 256; ++i) {
          ASSERT_EQ(out[i], table[in[i]]) << i;
          all &= out[i] != kernels::kInvalid;
        }
        ASSERT_EQ(known, all);
      }
}

TEST(Encode, OneInvalidLetterAnywhereIsFound) {
  const kernels::CodeTable table = table_of("ACGT");
  for (kernels::Simd simd : paths())
    for (std::size_t n : {1u, 15u, 16u, 33u, 70u})
      for (std::size_t at = 0; at < n; ++at) {
        std::string letters(n, 'g');
        std::vector<std::uint8_t> out(n);
        ASSERT_TRUE(kernels::encode_with(simd, table, letters, out.data()));
        letters[at] = '-';
        ASSERT_FALSE(kernels::encode_with(simd, table, letters, out.data()));
        ASSERT_EQ(table.first_invalid(letters), at);
      }
}

// Letters that end where readable memory ends, so that reading too far faults.
class Edge {
 public:
  explicit Edge(const std::string &letters) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    size_ = (letters.size() / page + 2) * page;
    base_ = static_cast<char *>(::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(base_ + size_ - page, page, PROT_NONE);
    char *at = base_ + size_ - page - letters.size();
    letters.copy(at, letters.size());
    view = {at, letters.size()};
  }
  ~Edge() { ::munmap(base_, size_); }
  Edge(const Edge &) = delete;
  std::string_view view;

 private:
  char *base_;
  std::size_t size_;
};

TEST(Pack, EveryPathTransposesAsALoopDoes) {
  tiny::Random random(2);
  std::array<std::uint8_t, 256> bytes{};
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  const kernels::CodeTable dna = table_of("ACGT"), protein = table_of("ARNDCQEGHILKMFPSTWYVBJZX*"), codes(bytes);
  ASSERT_TRUE(codes.identity() && !dna.identity());
  for (int lanes : {1, 3, 4, 8, 16, 32, 48, 64})
    for (int longest : {1, 2, 15, 16, 17, 31, 32, 33, 100, 150})
      for (bool equal : {false, true}) {
        const int which = random.below(3);
        const bool is_dna = which == 0;
        const kernels::CodeTable &table = is_dna       ? dna
                                          : which == 1 ? protein
                                                       : codes;  // codes: letters stay what they are
        std::vector<std::string> texts;
        for (int l = 0; l < lanes; ++l)
          texts.push_back(random.letters(equal ? longest : 1 + random.below(longest),
                                         is_dna ? "ACGTacgt" : "ARNDCQEGHILKMFPSTWYVBJZX*arnd"));
        const std::size_t rows = static_cast<std::size_t>(longest + random.below(20));
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        for (kernels::Simd simd : paths()) {
          std::vector<std::uint8_t> out(align::packed_rows(rows) * static_cast<std::size_t>(lanes) + 64, 99);
          ASSERT_TRUE(align::pack_lanes_with(simd, table, views.data(), lanes, rows, ALN_CODE_QUERY_PAD, out.data()));
          for (std::size_t i = 0; i < align::packed_rows(rows); ++i)
            for (std::size_t l = 0; l < texts.size(); ++l)
              ASSERT_EQ(out[i * texts.size() + l],
                        i < texts[l].size() ? table[texts[l][i]] : std::uint8_t{ALN_CODE_QUERY_PAD})
                  << lanes << " " << i << " " << l;
          for (std::size_t i = out.size() - 64; i < out.size(); ++i) ASSERT_EQ(out[i], 99) << "beyond the end";
        }
      }
}

void check_planes(tiny::Random &random, int lanes, int longest, bool equal, bool wildcard, std::uint8_t pad) {
  const kernels::CodeTable dna = wildcard ? table_of("ACGTN", 40) : table_of("ACGT");
  const std::vector<int> bits = {0, 1, 5};
  std::vector<std::string> texts;
  for (int l = 0; l < lanes; ++l)
    texts.push_back(random.letters(equal ? longest : 1 + random.below(longest), "ACGTacgt"));
  const std::size_t rows = static_cast<std::size_t>(longest + (equal ? 0 : random.below(5))), all = texts.size();
  if (wildcard) texts[all / 2].back() = 'N';
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<std::uint8_t> room(align::plane_room(rows));
  for (kernels::Simd simd : paths()) {
    std::vector<std::uint8_t> out(rows * bits.size() * all / 8 + 64, 99);
    ASSERT_TRUE(align::pack_planes_with(simd, dna, views, rows, pad, bits, room.data(), out.data()));
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t p = 0; p < bits.size(); ++p)
        for (std::size_t l = 0; l < all; ++l) {
          const int code = i < texts[l].size() ? int{dna[texts[l][i]]} : int{pad};
          const std::size_t at = (i * bits.size() + p) * all + l;
          ASSERT_EQ(out[at / 8] >> at % 8 & 1, code >> bits[p] & 1)
              << lanes << " lanes, " << longest << " letters: " << i << " " << p << " " << l;
        }
    for (std::size_t i = out.size() - 64; i < out.size(); ++i) ASSERT_EQ(out[i], 99) << "beyond the end";
    for (const char wrong : {'!', '\x80', '\xff'}) {
      std::string bad = texts[all - 1];
      bad.back() = wrong;
      std::vector<std::string_view> invalid = views;
      invalid.back() = bad;
      const bool taken = align::pack_planes_with(simd, dna, invalid, rows, pad, bits, room.data(), out.data());
      ASSERT_EQ(taken, dna[wrong] != kernels::kInvalid) << static_cast<int>(wrong);
      ASSERT_EQ(align::pack_planes(dna, invalid, rows, pad, bits, room.data(), out.data()), taken);
    }
  }
}

TEST(Pack, PlanesAreTheBitsOfCodes) {
  tiny::Random random(3);
  for (const int lanes : {64, 128, 512})
    for (const int longest : {1, 16, 37, 63, 64, 65, 150})
      for (const bool equal : {false, true})
        for (const bool wildcard : {false, true})
          for (const std::uint8_t pad : {ALN_CODE_QUERY_PAD, ALN_CODE_TARGET_PAD})
            check_planes(random, lanes, longest, equal, wildcard, pad);
}

TEST(Pack, NeverReadsBeyondASequence) {
  tiny::Random random(3);
  const kernels::CodeTable table = table_of("ACGT");
  for (kernels::Simd simd : paths())
    for (int n : {1, 7, 16, 20, 47}) {
      const Edge edge(random.letters(n));
      const std::vector<std::string_view> views(32, edge.view);
      std::vector<std::uint8_t> out(align::packed_rows(60) * 32);
      ASSERT_TRUE(align::pack_lanes_with(simd, table, views.data(), 32, 60, 43, out.data()));
    }
}

TEST(Pack, PlanesNeverReadBeyondASequence) {
  tiny::Random random(3);
  const kernels::CodeTable table = table_of("ACGT");
  for (kernels::Simd simd : paths())
    for (int n : {1, 20, 63, 64, 100}) {
      const Edge edge(random.letters(n));
      const std::vector<std::string_view> views(64, edge.view);
      const std::size_t rows = static_cast<std::size_t>(n + 3);
      std::vector<std::uint8_t> room(align::plane_room(rows)), out(rows * 16);
      EXPECT_TRUE(align::pack_planes_with(simd, table, views, rows, ALN_CODE_TARGET_PAD, std::array{0, 1}, room.data(),
                                          out.data()));
    }
}

TEST(Pack, AnInvalidLetterInAnyLaneIsFound) {
  const kernels::CodeTable table = table_of("ACGT");
  for (kernels::Simd simd : paths())
    for (int lanes : {1, 4, 16, 64})
      for (int lane = 0; lane < lanes; lane += 3)
        for (std::size_t at : {0u, 15u, 16u, 36u}) {
          std::vector<std::string> texts(static_cast<std::size_t>(lanes), std::string(37, 'A'));
          texts[static_cast<std::size_t>(lane)][at] = 'N';
          const std::vector<std::string_view> views(texts.begin(), texts.end());
          std::vector<std::uint8_t> out(48 * static_cast<std::size_t>(lanes));
          ASSERT_FALSE(align::pack_lanes_with(simd, table, views.data(), lanes, 37, 42, out.data()));
        }
}

// Lengths decide before a letter is read: these targets have one.
TEST(Loading, ALaneOfMoreColumnsThanKernelsCountIsRefused) {
  kernels::KernelInfo kernel;
  kernel.lanes = 4;
  kernel.k = 8;
  kernel.ends = kernels::LaneEnds::refilled;
  const std::vector<std::string_view> targets(9, std::string_view("A", (std::size_t{1} << 30) - 1));
  const kernels::CodeTable table = table_of("ACGT");
  align::Loaded loaded;
  const auto done = align::load_lanes({table}, kernel, targets, loaded);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message.rfind("a batch of 9 targets fills a lane with 3221225472 letters", 0), 0U)
      << done.error().message;
  EXPECT_EQ(done.error().message.find('\n'), std::string::npos);
  const std::vector<std::string_view> few(9, "ACGT");
  ASSERT_TRUE(load_lanes({table}, kernel, few, loaded));
  ASSERT_EQ(loaded.parts.size(), 1U);
  EXPECT_EQ(loaded.parts[0].loading.length, std::vector<int>(4, 24));
}

kernels::KernelInfo packed_kernel(bool refill) {
  kernels::KernelInfo kernel;
  kernel.lanes = 8;
  kernel.k = 4;
  if (refill) kernel.ends = kernels::LaneEnds::refilled;
  return kernel;
}
kernels::Manifest packed_manifest() {
  kernels::Manifest manifest;
  manifest.target_codes = table_of("ACGT");
  return manifest;
}
std::vector<std::string> packed_letters(std::mt19937 &random, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    std::string &text = out.emplace_back();
    for (std::size_t n = random() % 50; n-- > 0;) text += "ACGT"[random() % 4];
  }
  return out;
}

// Packed and read back they are what a call packs: each target's letters in its lane, by its length.
TEST(PackedGroups, HoldTheLettersThatWerePacked) {
  std::mt19937 random(5);
  for (const bool refill : {true, false}) {
    const auto texts = packed_letters(random, 301);
    const std::vector<std::string_view> targets(texts.begin(), texts.end());
    const kernels::KernelInfo kernel = packed_kernel(refill);
    const std::string layout = align::layout_of(packed_manifest(), kernel);
    const auto bytes = pack_targets(layout, targets);
    ASSERT_TRUE(bytes) << bytes.error().message;
    const auto groups = align::PackedGroups::open({*bytes, "here", {}}, targets);
    ASSERT_TRUE(groups) << groups.error().message;
    EXPECT_TRUE(groups->serves(packed_manifest(), kernel));
    EXPECT_FALSE(groups->serves(packed_manifest(), packed_kernel(!refill)));
    const auto empty = static_cast<std::size_t>(std::ranges::count(texts, ""));
    EXPECT_EQ(groups->places().size(), texts.size() - empty);
    EXPECT_TRUE(std::ranges::is_sorted(groups->lengths()));
    for (std::size_t g = 0; g < groups->groups().size(); ++g) {
      align::Loaded now, earlier;
      const auto &group = groups->groups()[g];
      std::vector<std::string_view> members;
      for (std::size_t i = 0; i < group.count; ++i) members.push_back(targets[groups->places()[group.first + i]]);
      ASSERT_TRUE(groups->load(g, kernel, earlier));
      const kernels::CodeTable codes = table_of("ACGT");
      ASSERT_TRUE(*align::load_lanes({codes}, kernel, members, now));
      const align::LoadedPart &a = now.parts.front(), &b = earlier.parts.front();
      EXPECT_TRUE(std::ranges::equal(a.at, b.at));
      EXPECT_EQ(a.loading.rows, b.loading.rows);
      EXPECT_EQ(a.loading.refill_column, b.loading.refill_column);
      EXPECT_EQ(a.loading.refill_lanes, b.loading.refill_lanes);
      const auto size = static_cast<std::size_t>(a.loading.rows * kernel.lanes);
      EXPECT_TRUE(std::equal(a.letters, a.letters + size, b.letters));
    }
  }
}

// Bytes changed anywhere, a third of them with their checksums made anew: an error, or groups within bounds.
TEST(PackedGroups, MutatedBytesAreReadWithinTheirBounds) {
  std::mt19937 random(7);
  const auto texts = packed_letters(random, 100);
  const std::vector<std::string_view> targets(texts.begin(), texts.end());
  const kernels::KernelInfo kernel = packed_kernel(true);
  const std::string bytes = *pack_targets(align::layout_of(packed_manifest(), kernel), targets);
  int refused = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    std::string own = bytes;
    for (unsigned n = 1 + random() % 3; n-- > 0;) own[random() % own.size()] = static_cast<char>(random());
    if (turn % 5 == 0) own.resize(random() % own.size());
    if (turn % 3 == 0 && own.size() > 4096) {
      const std::uint32_t sum = crc32c_quarters(std::string_view(own).substr(16, 4096));
      std::memcpy(own.data() + 12, &sum, 4);
    }
    const auto groups = align::PackedGroups::open({own, "here", {}}, targets);
    if (!groups) {
      ++refused;
      EXPECT_EQ(groups.error().message.find('\n'), std::string::npos);
      continue;
    }
    for (std::size_t g = 0; g < groups->groups().size(); ++g) {
      align::Loaded loaded;
      if (const auto ok = groups->load(g, kernel, loaded); !ok) ++refused;
    }
  }
  EXPECT_GT(refused, 2900);
}

TEST(PackedGroups, OfOtherTargetsOrOfNoneAreRefused) {
  const std::vector<std::string_view> targets = {"ACGT", "A", "GATTACA"}, others = {"ACGT", "A", "GATTAC"},
                                      fewer = {"ACGT", "A"}, wrong = {"ACGT", "AXA"};
  const std::string layout = align::layout_of(packed_manifest(), packed_kernel(true));
  const std::string bytes = *pack_targets(layout, targets);
  for (const auto &list : {others, fewer}) {
    const auto got = align::PackedGroups::open({bytes, "here", {}}, list);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().message, "here: damaged: is of other targets: remove it, or make it again");
  }
  const auto letter = pack_targets(layout, wrong);
  ASSERT_FALSE(letter);
  EXPECT_EQ(letter.error().message, "target 2, position 2: the letter is not in the alphabet of the layout");
  for (const std::string &unknown : {std::string(), layout + "0", layout.substr(0, 60)})
    EXPECT_FALSE(pack_targets(unknown, targets));
  EXPECT_TRUE(pack_targets(layout, {}));
}

// RFC 3720, B.4.
TEST(Crc32c, IsThatOfTheStandard) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

}  // namespace
