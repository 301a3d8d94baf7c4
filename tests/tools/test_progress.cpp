// Lines of progress in a log: not before their time, one at a time, with the share that is done and what is left.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "progress.h"

namespace alnsmith::tool {
namespace {

using std::chrono::milliseconds;

std::string said(const std::function<void()> &run) {
  ::testing::internal::CaptureStderr();
  run();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Progress, ALogGetsALineNowAndThenWithPercentAndEstimate) {
  const std::string text = said([] {
    Progress progress(true, milliseconds(200));
    progress.begin_part(100, 0.5);
    progress.update(10);  // too early
    std::this_thread::sleep_for(milliseconds(210));
    progress.update(50);
    progress.update(60);  // too early again
    progress.begin_part(100, 1.0);
    std::this_thread::sleep_for(milliseconds(210));
    progress.update(150);
  });
  EXPECT_EQ(text,
            "alnsmith: 50 pairs aligned, 25 %, 0 s, about 1 s left\n"
            "alnsmith: 150 pairs aligned, 75 %, 0 s, about 0 s left\n");
}

TEST(Progress, AShareThatIsKnownOtherwiseNeedsNoPart) {
  const std::string text = said([] {
    Progress progress(true, milliseconds(200), "sequences read");
    progress.update(1, 0.1);  // too early
    std::this_thread::sleep_for(milliseconds(210));
    progress.update(70, 0.5);
    std::this_thread::sleep_for(milliseconds(210));
    progress.update(90, std::nullopt);
  });
  EXPECT_EQ(text,
            "alnsmith: 70 sequences read, 50 %, 0 s, about 0 s left\n"
            "alnsmith: 90 sequences read, 0 s\n");
}

TEST(Progress, WithoutAKnownSizeThereIsNoPercent) {
  const std::string text = said([] {
    Progress progress(true, milliseconds(1));
    progress.begin_part(100, std::nullopt);
    std::this_thread::sleep_for(milliseconds(5));
    progress.update(7);
  });
  EXPECT_EQ(text, "alnsmith: 7 pairs aligned, 0 s\n");
}

TEST(Progress, ShortRunsAndQuietOnesSayNothing) {
  EXPECT_EQ(said([] {
              Progress progress(true);
              progress.begin_part(1, 1.0);
              progress.update(1);
            }),
            "");
  EXPECT_EQ(said([] {
              Progress progress(false, milliseconds(0));
              progress.begin_part(1, 1.0);
              progress.update(1);
            }),
            "");
}

}  // namespace
}  // namespace alnsmith::tool
