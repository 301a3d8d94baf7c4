// What tests of batch calls on devices share: aligners on OpenCL devices and on the fake drivers of tests/simt/fake,
// whose results are compared with the CPU's.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "device/driver/executor.h"
#include "device_folder.h"
#include "tiny.h"

namespace device_batch {

using namespace alnsmith;
using device_folder::Folder;

struct Answers {
  std::vector<std::int32_t> score, query_end, target_end;
  bool operator==(const Answers &) const = default;
  explicit Answers(std::size_t n) : score(n, -999), query_end(n, -999), target_end(n, -999) {}
  Columns columns() {
    return {{Output::score, score}, {Output::query_end, query_end}, {Output::target_end, target_end}};
  }
};

inline bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

class Devices : public testing::Test {
 protected:
  void SetUp() override {
    static int runs = 0;
    set("RUN", std::to_string(++runs));  // devices that no test has used before
    set("CACHE", FAKE_CACHE);
    set("TEXTS", folder_.path());
    std::filesystem::create_directories(FAKE_CACHE);
  }
  void TearDown() override {
    for (const std::string &name : set_) ::unsetenv(name.c_str());
  }
  void set(const std::string &name, const std::string &value) {
    set_.push_back("SIMT_FAKE_" + name);
    ::setenv(set_.back().c_str(), value.c_str(), 1);
  }
  // The fakes have the drivers' sonames: opened first, they take their place. False: this build has none.
  static bool fakes() {
    static const bool there = [] {
      bool all = true;
      for (const char *name : {"libcuda.so.1", "libamdhip64.so.5"})
        all = ::dlopen((std::string(DRIVERS "/") + name).c_str(), RTLD_NOW | RTLD_GLOBAL) && all;
      return all;
    }();
    return there;
  }
  Aligner open(const std::vector<std::string> &devices, std::size_t device_memory = 0) const {
    Options options;
    options.devices = devices;
    options.device_memory_bytes = device_memory;
    auto aligner = folder_.open(options);
    if (!aligner) throw std::runtime_error(aligner.error().message);
    return *std::move(aligner);
  }
  std::string open_error(const std::vector<std::string> &devices, int *exit_code = nullptr) const {
    Options options;
    options.devices = devices;
    const auto aligner = folder_.open(options);
    if (aligner) return "";
    if (exit_code) *exit_code = aligner.error().exit_code;
    return aligner.error().message;
  }
  static Answers pairs(const Aligner &aligner, const tiny::Pairs &p, Report *report = nullptr) {
    Answers out(p.queries.size());
    const auto done = aligner.align_pairs(p.query_views(), p.target_views(), out.columns());
    EXPECT_TRUE(done) << done.error().message;
    if (done && report) *report = *done;
    return out;
  }
  static Answers all(const Aligner &aligner, const tiny::Pairs &p, Report *report = nullptr) {
    Answers out(p.queries.size() * p.targets.size());
    const auto done = aligner.align_all(p.query_views(), p.target_views(), out.columns());
    EXPECT_TRUE(done) << done.error().message;
    if (done && report) *report = *done;
    return out;
  }
  static std::vector<std::string> ids(const Report &report) {
    std::vector<std::string> list;
    for (const DeviceShare &share : report.devices) list.push_back(share.id);
    std::sort(list.begin(), list.end());
    return list;
  }
  static std::uint64_t shares(const Report &report) {
    std::uint64_t sum = 0;
    for (const DeviceShare &share : report.devices) sum += share.pairs;
    return sum;
  }
  std::vector<std::string> logged(const std::string &words) const {
    std::ifstream file(folder_.file("log"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
      if (has(line, words)) lines.push_back(line);
    return lines;
  }
  Folder folder_;
  Aligner cpu_ = open({});

 private:
  std::vector<std::string> set_;
};

// Related pairs of up to 150 letters, empty ones among them: many exceed what the narrow kernels hold.
inline tiny::Pairs mixed_pairs(unsigned seed, int n) {
  tiny::Pairs p = tiny::random_pairs(seed, n, 150);
  p.queries[3] = "";
  p.targets[5] = p.targets.back() = "";
  p.queries[9] = p.targets[9] =
      std::string(57, 'G');  // overflows the narrow kernel, short enough for the short wide one
  return p;
}

// Three queries with many targets, few long.
inline tiny::Pairs search(unsigned seed, int targets) {
  tiny::Random random(seed);
  tiny::Pairs p;
  p.queries = {random.letters(90), random.letters(31), "", random.letters(52)};
  for (int i = 0; i < targets; ++i) p.targets.push_back(random.letters(1 + random.below(i % 40 ? 40 : 90)));
  p.targets[7] = p.queries[0];
  p.targets[9] = p.queries[0] + p.queries[1];
  p.targets[11] = "";
  return p;
}

// On one kind of device.
class EachDevice : public Devices, public testing::WithParamInterface<const char *> {
 protected:
  void SetUp() override {
    Devices::SetUp();
    if (id() != "opencl:0" && !fakes()) GTEST_SKIP() << "this build has no fake drivers";
    set("PROCESSORS", "1");
    if (id() == "hip:0") set("WARP", "32");
    const auto opened = rt::driver::open_device(id());
    if (!opened) GTEST_SKIP() << opened.error().message;
  }
  std::string id() const { return GetParam(); }
};

// On the fakes alone.
class FakeDevices : public Devices {
 protected:
  void SetUp() override {
    Devices::SetUp();
    if (!fakes()) GTEST_SKIP() << "this build has no fake drivers";
    set("DEVICES", "2");
    set("PROCESSORS", "1");
    set("HIP_WARP", "32");
  }
  const tiny::Pairs p_ = mixed_pairs(20, 3000);
};

}  // namespace device_batch
