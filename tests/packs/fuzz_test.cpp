// 5,000 mutated packs, seeded, or half of them without ALNSMITH_FULL=1: every one is told from the sound one, none is
// loaded wrongly, nothing crashes.
//
// Half of them are sealed again after the change (the index's hash and the blobs' hashes fit), as a wrong or hostile
// writer would: then the pack may be sound, and what loads must align correctly.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>

#include "alnsmith/packs.hpp"
#include "full_run.h"
#include "maker.h"
#include "sources/device_kernels.h"
#include "tiny.h"

namespace {

using namespace pack_maker;

class Mutator {
 public:
  explicit Mutator(unsigned seed) : engine_(seed) {
    sound_ = cpu_material(1);
    add_device_units(sound_);
    bytes_ = sound_.bytes();
  }
  const std::string &sound() const { return bytes_; }
  std::size_t below(std::size_t n) { return engine_() % n; }

  // Any bytes.
  std::string torn() {
    std::string b = bytes_;
    switch (below(7)) {
      case 0:
        b[below(b.size())] ^= static_cast<char>(1 << below(8));
        break;
      case 1:  // where it hurts: header and index
        b[below(rt::packs::kPackHeader + 4000)] = static_cast<char>(engine_());
        break;
      case 2:
        b.resize(below(b.size()));
        break;
      case 3:
        b += std::string(1 + below(5000), static_cast<char>(engine_()));
        break;
      case 4: {  // a number of the header
        const std::size_t at = std::vector<std::size_t>{8, 12, 16, 24, 32}[below(5)];
        for (std::size_t i = 0; i < 8 && at + i < rt::packs::kPackHeader; ++i)
          b[at + i] = extreme_[below(extreme_.size())];
        break;
      }
      case 5: {  // a piece from elsewhere
        const std::size_t n = 1 + below(300), from = below(b.size() - n), to = below(b.size() - n);
        b.replace(to, n, b.substr(from, n));
        break;
      }
      default: {
        const std::size_t n = 1 + below(300);
        b.erase(below(b.size() - n), n);
      }
    }
    return b;
  }

  // A shared object that is damaged and sealed again: it must be looked through without harm. Not loaded, as hashes do
  // not tell where a file comes from, and the system's loader trusts what it is given.
  std::string broken_object() {
    Material m = sound_;
    std::string &object = m.binaries[0];
    const std::size_t head = 64, sections = object.size() - std::min<std::size_t>(object.size(), 2500);
    for (std::size_t times = 1 + below(4); times > 0; --times) {
      const std::size_t at = std::vector<std::size_t>{below(head), head + below(800), sections + below(2500)}[below(3)];
      object[std::min(at, object.size() - 1)] =
          below(2) ? static_cast<char>(engine_()) : extreme_[below(extreme_.size())];
    }
    if (below(4) == 0) object.resize(1 + below(object.size()));
    return m.bytes();
  }

  // A change inside, then sealed: the JSON of the index, a manifest, or a binary of a device.
  std::string sealed() {
    if (below(2) == 0) {
      std::string index = rt::packs::index_text(sound_.index);
      change_text(index);
      const std::uint64_t begin = sound_.index.specs[0].text.offset;
      std::string head = rt::packs::pack_head(index, bytes_.size());
      if (head.size() < begin) head.resize(begin, '\0');
      std::string b = head + bytes_.substr(begin);
      return b.size() == bytes_.size() ? b : rt::packs::pack_head(index, b.size()) + bytes_.substr(begin);
    }
    Material m = sound_;
    const std::size_t unit = below(m.manifests.size());
    if (below(2) == 0)
      change_text(m.manifests[unit]);
    else if (unit == 0)
      rename_entry(m.binaries[0]);
    else
      change_text(m.binaries[unit]);
    if (m.manifests[unit].empty()) m.manifests[unit] = " ";
    if (m.binaries[unit].empty()) m.binaries[unit] = " ";
    return m.bytes();
  }

 private:
  // The symbol is missing then.
  void rename_entry(std::string &object) {
    const std::vector<std::string> names = {"fake_pairs_i8", "fake_pairs_i16", "fake_shared_i32", "aln_manifest_v1"};
    const std::string name = '\0' + names[below(names.size())] + '\0';
    for (std::size_t at = 0; (at = object.find(name, at)) != std::string::npos; ++at) object[at + 1 + below(5)] = '#';
  }

  void change_text(std::string &text) {
    static const std::vector<std::string> words = {"18446744073709551615",
                                                   "-1",
                                                   "0",
                                                   "1e999",
                                                   "null",
                                                   "[]",
                                                   "{}",
                                                   "\"../../../etc/passwd\"",
                                                   "\"\\u0000\"",
                                                   "[[[[[[[[[[[[",
                                                   "9223372036854775808",
                                                   "\"cuda:sm_90\"",
                                                   "\"x86-64-v4\"",
                                                   "\"\xff\xfe\"",
                                                   "true",
                                                   "4294967296"};
    for (std::size_t times = 1 + below(3); times > 0; --times) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(engine_());
          break;
        case 1: {  // a number or a text gives way to another
          const std::size_t colon = text.find(':', at);
          if (colon == std::string::npos) break;
          const std::size_t end = text.find_first_of(",}]", colon);
          if (end != std::string::npos) text.replace(colon + 1, end - colon - 1, words[below(words.size())]);
          break;
        }
        case 2:
          text.erase(at, 1 + below(20));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), 1 + below(20)));
      }
    }
    if (text.empty()) text = " ";
  }

  std::mt19937 engine_;
  Material sound_;
  std::string bytes_;
  const std::string extreme_{'\0', '\1', '\x7f', '\x80', '\xff'};
};

// What a program would do with it. True if something could be used; then it was right.
bool use(const std::string &path, const tiny::Pairs &pairs) {
  (void)list_pack(path);
  bool used = false;
  if (const auto aligner = open(path)) {
    std::vector<std::int32_t> scores(pairs.queries.size());
    const auto report = aligner->align_pairs(pairs.query_views(), pairs.target_views(), scores);
    EXPECT_TRUE(report) << report.error().message;
    for (std::size_t i = 0; i < scores.size(); ++i)
      EXPECT_EQ(scores[i], tiny::score(pairs.queries[i], pairs.targets[i], false));
    used = true;
  } else {
    EXPECT_EQ(aligner.error().message.find('\n'), std::string::npos);
  }
  Sources sources;
  sources.kernel_dirs = {path};
  sources.cache_dir = FAKE_DIR "/pack-cache";
  for (const char *device : {"cuda:sm_90", "hip:gfx90a:sramecc+:xnack-", "opencl"})
    if (const auto store = rt::sources::find_device_kernels(spec(0), sources, device, {})) {
      const int first = 0;
      EXPECT_TRUE((*store)->obtain({&first, 1}, {}));
    }
  return used;
}

TEST(PackFuzz, MutatedFilesAreReportedAndSkipped) {
  const int files = sample::full() ? 5000 : 2500;
  const Folder folder;
  const std::string path = folder.path("mutated.pack");
  Mutator mutator(20240607);
  const tiny::Pairs pairs = tiny::random_pairs(5, 4, 20);
  int refused = 0, unusable = 0, equal = 0, sound_after_all = 0;
  std::map<std::string, int> reasons;
  for (int i = 0; i < files; ++i) {
    const bool sealed = i % 2 == 1, broken = i % 10 == 9;
    const std::string bytes = broken ? mutator.broken_object() : sealed ? mutator.sealed() : mutator.torn();
    write(path, bytes);
    const auto check = verify_pack(path);
    const bool sound = check && check->problems.empty();
    if (bytes == mutator.sound()) {
      ++equal;
      ASSERT_TRUE(sound);
    } else if (!sealed) {
      ASSERT_FALSE(sound) << "file " << i << " of " << bytes.size() << " bytes";
    } else if (sound) {
      ++sound_after_all;
    }
    if (!check) ++refused;
    const std::string why = !check ? check.error().message : check->problems.empty() ? "" : check->problems.front();
    ASSERT_EQ(why.find('\n'), std::string::npos) << why;
    std::string reason;
    for (const char c : why.substr(std::min(why.size(), path.size() + 2), 40))
      if (c < '0' || c > '9') reason += c;
    if (!why.empty()) ++reasons[reason];
    if (broken || !use(path, pairs)) ++unusable;
    if (HasFailure()) FAIL() << "file " << i;
  }
  std::cout << files << " files: " << refused << " refused on opening, " << unusable << " without CPU kernels to use, "
            << sound_after_all << " sound though changed and sealed again, " << equal << " unchanged\n";
  for (const auto &[reason, times] : reasons) std::cout << "  " << times << " x " << reason << "...\n";
  EXPECT_GT(refused, files / 2);
  EXPECT_GT(reasons.size(), 8U);
  EXPECT_LT(equal, files / 20);
}

}  // namespace
