// `alnsmith devices`: what it prints with whatever devices this machine has.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "alnsmith/devices.hpp"
#include "program.h"

namespace alnsmith::testing {
namespace {

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

TEST(Devices, TheTableHasTheCpuFirstAndALineForEachDeviceAndProblem) {
  const Finished got = alnsmith({"devices"});
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.err, "");
  EXPECT_TRUE(got.out.starts_with("device ")) << got.out;
  EXPECT_TRUE(has(got.out, "\ncpu ")) << got.out;
  for (const PlatformReport &platform : list_devices()) {
    for (const DeviceInfo &device : platform.devices) EXPECT_TRUE(has(got.out, "\n" + device.id + " ")) << got.out;
    if (platform.devices.empty()) {
      const std::string line =
          "\n" + std::string(device_kind_name(platform.kind)) + ": " + platform.problem.substr(0, 300);
      EXPECT_TRUE(has(got.out, line)) << got.out;
    }
  }
}

TEST(Devices, JsonHoldsTheSame) {
  const Finished got = alnsmith({"devices", "--json"});
  EXPECT_EQ(got.status, 0);
  const auto json = nlohmann::json::parse(got.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << got.out;
  const auto platforms = list_devices();
  std::size_t devices = 1;
  ASSERT_EQ(json["platforms"].size(), platforms.size());
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    devices += platforms[i].devices.size();
    EXPECT_EQ(json["platforms"][i]["problem"], platforms[i].problem);
    EXPECT_EQ(json["platforms"][i]["kind"], device_kind_name(platforms[i].kind));
  }
  ASSERT_EQ(json["devices"].size(), devices);
  EXPECT_EQ(json["devices"][0]["id"], "cpu");
  EXPECT_GT(json["devices"][0]["memory"], 0);
}

TEST(Devices, AWrongInstructionSetIsAnError) {
  const Finished got = run({"/usr/bin/env", "ALNSMITH_ISA=nonsense", program(), "devices"});
  EXPECT_EQ(got.status, 2);
  EXPECT_TRUE(one_line(got.err) && has(got.err, "ALNSMITH_ISA is 'nonsense'")) << got.err;
}

}  // namespace
}  // namespace alnsmith::testing
