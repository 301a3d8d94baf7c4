// The list of outputs and the argument blocks of kernels agree.
#include "alnsmith/outputs.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.h"
#include "alnsmith/device_abi.h"

namespace {

using namespace alnsmith;

// Kernels of an ABI version find their fields where they were: new outputs are appended, which raises it.
TEST(OutputList, TheArgumentBlockHasEveryOutputAndKeepsItsPlaces) {
#define ALN_PLACE(Y, type, name, key, words) offsetof(aln_args_v1, name),
  const std::size_t places[] = {ALN_OUTPUTS(ALN_PLACE, )};
#undef ALN_PLACE
#define ALN_PLACE(Y, type, name, key, words) offsetof(alnsmith_columns, name),
  const std::size_t columns[] = {ALN_OUTPUTS(ALN_PLACE, )};
#undef ALN_PLACE
  static_assert(std::size(places) == kOutputCount);
  const std::map<std::string_view, std::size_t> first_version = {
      {"score", 88}, {"query_end", 128}, {"target_end", 136}};
  for (std::size_t i = 0; i < kOutputCount; ++i) {
    EXPECT_EQ(columns[i], sizeof(std::size_t) + i * sizeof(int *)) << kOutputs[i].name;
    EXPECT_EQ(places[i], i == 0 ? 88U : 120U + i * sizeof(int *)) << kOutputs[i].name;
    if (const auto known = first_version.find(kOutputs[i].name); known != first_version.end()) {
      EXPECT_EQ(places[i], known->second) << kOutputs[i].name;
    }
  }
  // Behind them what comes with begins and CIGARs, then what state sets and bands by lane take, and paths.
  EXPECT_EQ(offsetof(aln_args_v1, kept_strips), 120 + kOutputCount * sizeof(int *));
  EXPECT_EQ(offsetof(aln_args_v1, register_rows), 144 + kOutputCount * sizeof(int *));
  EXPECT_EQ(sizeof(aln_args_v1), 200 + kOutputCount * sizeof(int *));
  EXPECT_EQ(offsetof(aln_args_v1, register_letters), 48U);
  EXPECT_EQ(offsetof(aln_args_v1, scratch), 80U);
  EXPECT_EQ(offsetof(aln_args_v1, refill_lanes), 120U);
}

TEST(OutputList, DevicesTakeEveryOutputBetweenTraceAndStatus) {
  std::vector<std::string_view> names;
#define ALN_NAMED(type, name) names.push_back(#name);
  ALN_DEVICE_ARGS_V1(ALN_NAMED)
#undef ALN_NAMED
  ASSERT_EQ(names.size(), 21 + kOutputCount);
  EXPECT_EQ(names[14], "trace_words");
  for (std::size_t i = 0; i < kOutputCount; ++i) EXPECT_EQ(names[15 + i], kOutputs[i].name);
  EXPECT_EQ(names[15 + kOutputCount], "status");
}

}  // namespace
