// Streams and events: each stream is a thread that does its work in order; waiting sleeps.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace fake {

class Event {
 public:
  void expect();  // recorded: not reached yet
  void reach();
  void wait();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int expected_ = 0;
};

class Stream {
 public:
  Stream();
  ~Stream();  // does what is left
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  void add(std::function<void()> work);
  void wait();

 private:
  void run();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  bool busy_ = false, closing_ = false;
  std::thread thread_;
};

}  // namespace fake
