// OpenCL kernels on a real OpenCL implementation, one per mapping x arithmetic x form: printed text = textbook DP,
// scores and ends, of some whole alignments.
//
// Under Oclgrind (oclgrind.sh) the same kernels are also watched for races, accesses out of bounds and barriers that
// not all threads reach: all of them, since it need not compile them, but it takes a hundredth of a millisecond for
// each cell of a lane: by default a lane's sequences are a third as long there, still several stripes of a kernel's
// three rows. PoCL takes 10 to 30 seconds per kernel: one in four by default. Skipped where there is no OpenCL device.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../mutated.h"
#include "backend/unit.h"
#include "device_points.h"
#include "frontend/templates.h"
#include "full_run.h"
#include "opencl_runner.h"
#include "oracle.h"
#include "random_letters.h"
#include "sample.h"
#include "scratch.h"
#include "sliced_schemes.h"
#include "spec/parse.h"
#include "spec_problem.h"

namespace {

using namespace alnsmith;
using namespace device_points;

// The kernel runs in a process of its own (opencl_runner.cpp): an OpenCL implementation brings an LLVM of its own,
// which cannot live beside the generator's. Returns the runner's exit status; 77: there is no OpenCL device.
int run(const std::string &text, const plan::KernelPlan &kernel, devices::Batch &batch) {
  const scratch::Folder folder;
  const std::string source = folder.write("kernels.cl", text), arguments = folder.path("arguments");
  {
    std::ofstream out(arguments, std::ios::binary);
    for (const auto &a : batch.arguments()) {
      const opencl_runner::Header header{a.is_number, a.out, a.number, static_cast<int>(a.bytes)};
      out.write(reinterpret_cast<const char *>(&header), sizeof header);
      out.write(static_cast<const char *>(a.data), static_cast<std::streamsize>(a.bytes));
    }
  }
  const std::string log = folder.path("oclgrind");
  std::string command = "OCLGRIND_LOG='" + log + "' '" OPENCL_RUNNER "'";
  for (const std::string &word :
       {source, kernel.entry, std::to_string(batch.blocks()), std::to_string(kernel.lanes * kernel.warps),
        std::to_string(batch.shared_bytes()), arguments})
    command += " '" + word + "'";
  const int status = std::system(command.c_str());
  std::ostringstream found;
  found << std::ifstream(log).rdbuf();
  if (!found.str().empty()) ADD_FAILURE() << "Oclgrind found:" << found.str().substr(0, 1000);
  std::ifstream in(arguments, std::ios::binary);
  for (const auto &a : batch.arguments()) {
    in.ignore(sizeof(opencl_runner::Header));
    if (a.out)
      in.read(static_cast<char *>(a.data), static_cast<std::streamsize>(a.bytes));
    else
      in.ignore(static_cast<std::streamsize>(a.bytes));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Point {
  const char *mapping, *arithmetic, *mode, *gap, *score;
  bool cigar = false;
};

class OpenClKernels : public testing::TestWithParam<Point> {};

TEST_P(OpenClKernels, ScoreLikeTheTextbook) {
  ONE_IN(4);
  const Point &point = GetParam();
  // Ways back are long texts, which implementations compile the sooner the fewer lanes they unroll.
  const Choice choice{"opencl", point.arithmetic, point.mapping, point.cigar && !sample::full() ? 2 : 8, 3};
  grid::Case c = grid::make_case(point.mode, point.gap, point.score, 1, true);
  if (point.cigar) c = grid::with_cigar(c);
  auto spec = spec::parse_text(with_choice(c.yaml, choice), c.name(), ".");
  ASSERT_TRUE(spec) << spec.error().message;
  auto templates = frontend::Templates::parse("");
  ASSERT_TRUE(templates) << templates.error().message;
  auto plan = plan::make_plan(*spec, *backend::find_target("opencl"), *templates);
  ASSERT_TRUE(plan) << plan.error().message;
  std::erase_if(plan->kernels, [&](const plan::KernelPlan &k) { return k.arithmetic != point.arithmetic; });
  ASSERT_FALSE(plan->kernels.empty());
  // Some implementations take seconds to build a kernel.
  if (!sample::full()) plan->kernels.resize(1);
  auto unit = backend::make_unit(*spec, *plan, *templates);
  ASSERT_TRUE(unit) << unit.error().message;
  const lanes::Scoring scoring = lanes::make_scoring(*spec, c.runtime, c.runtime_matrix);
  std::mt19937 random(3);
  for (const plan::KernelPlan &kernel : plan->kernels)
    for (const Kind kind : {Kind::ragged, Kind::long_}) {
      SCOPED_TRACE(kernel.entry);
      const auto exact = rt::kernels::Predicate::parse(kernel.exact.text);
      ASSERT_TRUE(exact);
      auto pairs = make_pairs(random, c.letters, kind, kernel);
      if (kernel.mapping == "lanes" && kind == Kind::ragged && std::getenv("OCLGRIND_DATA_RACES") && !sample::full())
        for (auto &[query, target] : pairs)
          for (std::string *text : {&query, &target}) text->resize((text->size() + 2) / 3);
      std::vector<devices::Kept> ways{devices::Kept::codes};
      if (point.cigar && kind == Kind::long_)
        ways = {devices::Kept::codes, devices::Kept::borders, devices::Kept::sections};
      for (const devices::Kept kept : ways) {
        SCOPED_TRACE("kept " + std::to_string(static_cast<int>(kept)) + " kind " +
                     std::to_string(static_cast<int>(kind)));
        devices::Batch batch(*spec, kernel, pairs, scoring, 2, kept);
        const int status = run(unit->text, kernel, batch);
        if (status == 77) GTEST_SKIP() << "no OpenCL device";
        ASSERT_EQ(status, 0);
        check(c, *spec, *exact, scoring, pairs, batch, "OpenCL");
        if (HasFatalFailure()) return;
      }
    }
}

// 32 alignments per lane, by the circuits that there are.
TEST(OpenClBits, ScoreLikeTheTextbook) {
  auto templates = frontend::Templates::parse("");
  ASSERT_TRUE(templates) << templates.error().message;
  std::mt19937 random(4);
  int turn = 0;
  for (const sliced::Numbers &numbers : {sliced::Numbers{2, -1, {0, 1}, {0, 1}}, {2, -1, {1, 1}, {1, 1}}}) {
    const bool wildcard = turn == 0;
    std::string body = sliced::yaml(numbers, wildcard, turn++ == 0 ? 12 : 0, sliced::kEnd);
    const std::string int32 = "arithmetic: int32";
    body.replace(body.find(int32), int32.size(), "arithmetic: bitsliced\ntile: {k: 2}");  // soon built
    SCOPED_TRACE(body);
    const spec::Spec spec = *spec::parse_text(body, "bits.yaml", ".");
    auto plan = plan::make_plan(spec, *backend::find_target("opencl"), *templates);
    ASSERT_TRUE(plan) << plan.error().message;
    plan->kernels.resize(1);
    const plan::KernelPlan &kernel = plan->kernels[0];
    ASSERT_TRUE(kernel.sliced());
    auto unit = backend::make_unit(spec, *plan, *templates);
    ASSERT_TRUE(unit) << unit.error().message;
    const oracle::Problem problem = oracle::spec_problem(spec, {});
    const lanes::Scoring scoring = lanes::make_scoring(spec, {}, {});
    std::vector<Pair> pairs;
    const std::string letters = wildcard ? "ACGTN" : "ACGT";
    for (int i = 0; i < 1100; ++i) {
      std::string query = random_text(random, letters, 1 + random() % 12);
      std::string target = mutated(random, letters, query, 8);
      if (target.empty()) target = letters[0];
      pairs.emplace_back(std::move(query), std::move(target));
    }
    devices::Batch batch(spec, kernel, pairs, scoring, 2);
    const int status = run(unit->text, kernel, batch);
    if (status == 77) GTEST_SKIP() << "no OpenCL device";
    ASSERT_EQ(status, 0);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const oracle::Answer want = oracle::align(problem, pairs[i].first, pairs[i].second);
      ASSERT_EQ(batch.score[i], want.score) << i;
      ASSERT_EQ(batch.query_end[i], want.query_end) << i;
      ASSERT_EQ(batch.target_end[i], want.target_end) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Points, OpenClKernels,
                         testing::Values(Point{"wavefront", "s16x2", "global", "affine", "match"},
                                         Point{"wavefront", "s16x2", "local", "affine", "matrix"},
                                         Point{"wavefront", "int32", "sg_tb_te", "linear", "match_wildcard"},
                                         Point{"wavefront", "fp32", "global", "per_side", "matrix_runtime"},
                                         Point{"lanes", "s16x2", "local", "linear", "match"},
                                         Point{"lanes", "int32", "global", "affine", "match_runtime"},
                                         Point{"lanes", "fp32", "sg_qb_qe", "linear", "matrix"},
                                         Point{"block", "s16x2", "sg_qb_te", "affine", "matrix_runtime"},
                                         Point{"block", "int32", "local", "affine", "match_wildcard"},
                                         Point{"block", "fp32", "global", "linear", "match"},
                                         Point{"wavefront", "int32", "sg_tb", "dual_affine", "sets"},
                                         Point{"lanes", "int32", "sg_te", "affine", "wide_sets"},
                                         Point{"wavefront", "s16x2", "sg_tb_te", "affine", "match", true},
                                         Point{"lanes", "fp32", "local", "dual_affine", "matrix", true},
                                         Point{"block", "int32", "global", "linear", "match_runtime", true}),
                         [](const auto &info) {
                           return std::string(info.param.mapping) + "_" + info.param.arithmetic + "_" +
                                  info.param.mode + (info.param.cigar ? "_cigar" : "");
                         });

}  // namespace
