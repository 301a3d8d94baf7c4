// Ctrl-C and SIGTERM: status 130 within moments, and nothing left behind.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "program.h"

namespace alnsmith::testing {
namespace {

using Clock = std::chrono::steady_clock;

class Interrupt : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    spec = folder.write("strict.yaml", strict_spec);
  }
  void wait_for_temporary_file() {
    const auto limit = Clock::now() + std::chrono::seconds(60);
    while (results.entries().empty() && Clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(results.entries().size(), 1U);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  void interrupt_and_expect_nothing(Process &process) {
    const auto start = Clock::now();
    process.signal(GetParam());
    const Finished got = process.finish();
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
    EXPECT_EQ(got.status, 130);
    EXPECT_EQ(got.out, "");
    EXPECT_EQ(got.err, "");
    EXPECT_TRUE(results.entries().empty());
  }
  Folder folder, results;
  std::string spec;
};

TEST_P(Interrupt, WhileAligning) {
  std::string text, sequence;
  for (int i = 0; i < 3000; ++i) sequence += "ACGT"[i * 7 % 11 % 4];
  for (int i = 0; i < 2000; ++i) text += ">r" + std::to_string(i) + "\n" + sequence + "\n";
  const std::string fasta = folder.write("a.fa", text);
  Process process({program(), "align", "--spec", spec, "--query", fasta, "--target", fasta, "--all", "--out",
                   results.path("o.tsv")},
                  "", "");
  wait_for_temporary_file();
  interrupt_and_expect_nothing(process);
}

TEST_P(Interrupt, WhileWaitingForStdin) {
  const std::string fasta = folder.write("a.fa", ">a\nACGT\n>b\nACGT\n");
  Process process(
      {program(), "align", "--spec", spec, "--query", "-", "--target", fasta, "--out", results.path("o.tsv")},
      ">a\nACGT\n>b\nAC");
  wait_for_temporary_file();
  interrupt_and_expect_nothing(process);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto &info) { return info.param == SIGINT ? "SIGINT" : "SIGTERM"; });

}  // namespace
}  // namespace alnsmith::testing
