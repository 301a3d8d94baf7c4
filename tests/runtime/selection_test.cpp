// What "auto" means: GPUs once each, none of them the CPU in another guise.
#include <gtest/gtest.h>

#include "alnsmith/devices.hpp"
#include "device/schedule/schedule.h"

namespace {

using namespace alnsmith;

PlatformReport platform(DeviceKind kind, const std::vector<bool> &gpus, const std::string &problem = "") {
  PlatformReport report{kind, "lib", problem, {}};
  for (const bool gpu : gpus) {
    DeviceInfo device;
    device.kind = kind;
    device.id = std::string(device_kind_name(kind)) + ":" + std::to_string(report.devices.size());
    device.gpu = gpu;
    report.devices.push_back(device);
  }
  return report;
}

std::vector<std::string> chosen(const std::vector<PlatformReport> &platforms, std::vector<std::string> *why = nullptr) {
  std::vector<std::string> reasons;
  const auto ids = rt::schedule::automatic_devices(platforms, reasons);
  if (why) *why = reasons;
  return ids;
}

TEST(Auto, TakesAllGpusOfCudaAndHip) {
  EXPECT_EQ(chosen({platform(DeviceKind::cuda, {true, true}), platform(DeviceKind::hip, {true}),
                    platform(DeviceKind::opencl, {true, true, true})}),
            (std::vector<std::string>{"cuda:0", "cuda:1", "hip:0"}));
}

TEST(Auto, TakesOpenClsGpusWhereThereIsNoOther) {
  EXPECT_EQ(chosen({platform(DeviceKind::cuda, {}), platform(DeviceKind::hip, {}),
                    platform(DeviceKind::opencl, {false, true})}),
            (std::vector<std::string>{"opencl:1"}));
}

TEST(Auto, LeavesOpenClsProcessorsToTheProcessor) {
  std::vector<std::string> why;
  EXPECT_TRUE(
      chosen({platform(DeviceKind::cuda, {}, "no driver"), platform(DeviceKind::opencl, {false})}, &why).empty());
  EXPECT_EQ(why, (std::vector<std::string>{"cuda: no driver", "opencl: none of its devices is a GPU"}));
}

}  // namespace
