// Jobs on all processors that the test may use, each worker with templates of its own: most of the time goes into
// making and compiling texts.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kernel_text.h"
#include "processors.h"
#include "sample.h"

namespace alnsmith::test {

// How texts are compiled: the objects are kept for the next run, and have AddressSanitizer where the program has it.
simt::Build build();

using sample::seed_of;

inline std::string test_name(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  for (char &c : name) c = c == '-' ? '_' : c;
  return name;
}

// What `work(job, maker)` says is wrong, or throws, of all jobs; empty where nothing is.
template <class Job, class Work>
std::string run_all(const std::vector<Job> &jobs, Work work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::string wrong;
  const auto worker = [&] {
    const TextMaker maker;
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      std::string said;
      try {
        said = work(jobs[i], maker);
      } catch (const std::exception &error) {
        said = jobs[i].name() + ": " + error.what() + "\n";
      }
      const std::lock_guard lock(mutex);
      wrong += said;
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < processors(); ++i) threads.emplace_back(worker);
  worker();
  threads.clear();
  return wrong;
}

}  // namespace alnsmith::test
