// Clocks and statistics: repeated times of one contender, and what they say.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

namespace bench {

struct Time {
  double wall = 0, cpu = 0;  // seconds; cpu is the whole process's, all threads and finished children
};

inline double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  const auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) + seconds(children.ru_utime) +
         seconds(children.ru_stime);
}

template <class Work>
Time timed(Work &&work) {
  const double cpu = process_cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {wall.count(), process_cpu_seconds() - cpu};
}

// Order statistics of one number over the repeats; quartiles are interpolated.
struct Spread {
  double median = 0, low_quartile = 0, high_quartile = 0, min = 0, max = 0;
};
Spread spread(std::vector<double> values);

std::string cpu_name();  // as /proc/cpuinfo gives it
std::string compiler();  // of this program
std::string json_text(const std::string &text);

}  // namespace bench
