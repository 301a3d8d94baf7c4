// The ABI of kernels by its number: which outputs belong to which word of a spec, and how arguments lie in memory.
//
// Kernels that are compiled already know both. So they stay as the table below has them for ALN_ABI_VERSION: a new
// field or an output of a new word goes to the end, and to the end of its row here. Whatever else changes, an output
// under a word that there is among it, raises ALN_ABI_VERSION and adds a row.
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>

#include "alnsmith/device_abi.h"
#include "alnsmith/kernel_abi.h"

namespace {

struct Abi {
  std::string outputs, args, device_args, scoring;
  bool operator==(const Abi &) const = default;
};

Abi current() {
  Abi abi;
#define ALN_ROW(Y, type, name, key, words) abi.outputs += #key ": " #type " " #name "\n";
  ALN_OUTPUTS(ALN_ROW, )
#undef ALN_ROW
#define ALN_ROW(type, name) abi.args += std::to_string(offsetof(aln_args_v1, name)) + " " #type " " #name "\n";
  ALN_ARGS_V1(ALN_ROW)
#undef ALN_ROW
#define ALN_ROW(type, name) \
  abi.device_args += std::to_string(offsetof(aln_device_args_v1, name)) + " " #type " " #name "\n";
  ALN_DEVICE_ARGS_V1(ALN_ROW)
#undef ALN_ROW
  abi.scoring = std::to_string(ALN_MATCH) + " match, " + std::to_string(ALN_SCORE_MAX) + " score_max, " +
                std::to_string(ALN_DELETION_EXTEND2) + " deletion_extend2, " + std::to_string(ALN_MATRIX_STRIDE) +
                " stride, codes " + std::to_string(ALN_CODE_QUERY_WILDCARD) + " " +
                std::to_string(ALN_CODE_TARGET_WILDCARD) + " " + std::to_string(ALN_CODE_QUERY_PAD) + " " +
                std::to_string(ALN_CODE_TARGET_PAD) + " none " + std::to_string(ALN_NONE);
  return abi;
}

const Abi kSecond = {R"(score: int score
end: int query_end
end: int target_end
begin: int query_begin
begin: int target_begin
)",
                     R"(0 unsigned size
4 int register_min
8 int register_max
12 int stream_max
16 int segments
24 const int * segment_end
32 const int * register_length
40 const int * stream_length
48 const unsigned char * register_letters
56 const unsigned char * stream_letters
64 const int * scoring
72 const int * matrix
80 void * scratch
88 int * score
96 unsigned char * status
104 int refills
112 const int * refill_column
120 const unsigned char * refill_lanes
128 int * query_end
136 int * target_end
144 int * query_begin
152 int * target_begin
160 int kept_strips
164 int cigar_room
168 int * cigar
176 int * cigar_runs
)",
                     R"(0 int alignments
8 const unsigned char * query_letters
16 const int * query_offset
24 const int * query_length
32 const unsigned char * target_letters
40 const int * target_offset
48 const int * target_length
56 const int * pair_query
64 const int * pair_target
72 const int * scoring
80 const int * matrix
88 int * border
96 int border_rows
104 int * score
112 int * query_end
120 int * target_end
128 int * query_begin
136 int * target_begin
144 unsigned char * status
)",
                     "0 match, 7 score_max, 11 deletion_extend2, 32 stride, codes 40 41 42 63 none -1"};

// The same but for the arguments of devices' kernels.
Abi with_device_args(Abi abi, const char *device_args) {
  abi.device_args = device_args;
  return abi;
}

// Devices: whole alignments.
const char *const kTracedDeviceArgs = R"(0 int alignments
8 const unsigned char * query_letters
16 const int * query_offset
24 const int * query_length
32 const unsigned char * target_letters
40 const int * target_offset
48 const int * target_length
56 const int * pair_query
64 const int * pair_target
72 const int * scoring
80 const int * matrix
88 int * border
96 int border_rows
104 int * trace
112 int trace_words
120 int * score
128 int * query_end
136 int * target_end
144 int * query_begin
152 int * target_begin
160 unsigned char * status
168 int * cigar
176 int cigar_room
184 int * cigar_claimed
192 int * cigar_first
200 int * cigar_runs
)";

// State sets, bands by lane, and paths of bit-sliced kernels.
Abi with_sets(Abi abi) {
  abi.args = std::string(abi.args) + R"(184 int register_rows
188 int stream_rows
192 int stream_sets
200 const int * stream_set
208 const int * lane_band_from
216 const int * lane_band_to
224 int band_from_most
228 int band_to_least
232 void * path
)";
  return abi;
}

// By ALN_ABI_VERSION.
const std::map<int, Abi> kAbis = {{1,
                                   {R"(score: int score
end: int query_end
end: int target_end
)",
                                    R"(0 unsigned size
4 int register_min
8 int register_max
12 int stream_max
16 int segments
24 const int * segment_end
32 const int * register_length
40 const int * stream_length
48 const unsigned char * register_letters
56 const unsigned char * stream_letters
64 const int * scoring
72 const int * matrix
80 void * scratch
88 int * score
96 unsigned char * status
104 int refills
112 const int * refill_column
120 const unsigned char * refill_lanes
128 int * query_end
136 int * target_end
)",
                                    R"(0 int alignments
8 const unsigned char * query_letters
16 const int * query_offset
24 const int * query_length
32 const unsigned char * target_letters
40 const int * target_offset
48 const int * target_length
56 const int * pair_query
64 const int * pair_target
72 const int * scoring
80 const int * matrix
88 int * border
96 int border_rows
104 int * score
112 int * query_end
120 int * target_end
128 unsigned char * status
)",
                                    "0 match, 7 score_max, 11 deletion_extend2, 32 stride, codes 40 41 42 63 none -1"}},
                                  {2, kSecond},
                                  {3, with_device_args(kSecond, kTracedDeviceArgs)},
                                  {4, with_sets(with_device_args(kSecond, kTracedDeviceArgs))}};

TEST(Abi, OutputsAndArgumentsAreThoseOfTheVersion) {
  const auto row = kAbis.find(ALN_ABI_VERSION);
  ASSERT_NE(row, kAbis.end()) << "a new ALN_ABI_VERSION takes a row of this table";
  const Abi now = current();
  const std::string rule = "kernels of ABI " + std::to_string(ALN_ABI_VERSION) + " know another layout: see the top";
  EXPECT_EQ(row->second.outputs, now.outputs) << rule;
  EXPECT_EQ(row->second.args, now.args) << rule;
  EXPECT_EQ(row->second.device_args, now.device_args) << rule;
  EXPECT_EQ(row->second.scoring, now.scoring) << rule;
}

// A number that is raised for nothing would refuse every kernel and pack there is.
TEST(Abi, EachVersionHasALayoutOfItsOwn) {
  EXPECT_EQ(kAbis.rbegin()->first, ALN_ABI_VERSION);
  for (auto at = kAbis.begin(); std::next(at) != kAbis.end(); ++at) EXPECT_NE(at->second, std::next(at)->second);
}

}  // namespace
