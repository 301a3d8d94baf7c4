// The scheduler of one block: its threads are fibers, run one at a time until they wait or end.
//
// A warp's ready lanes run in an order drawn from the seed; when all of them wait, the collectives that are complete
// are answered (warp.cpp).  What can never complete ends the launch with an error that says who is missing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "abi.h"
#include "fiber.h"
#include "random.h"
#include "shared_memory.h"
#include "simt.h"
#include "trace.h"

namespace simt {

// One launch, the same for all of its blocks.
struct Job {
  const Entry *entry = nullptr;
  void *const *arguments = nullptr;
  unsigned grid = 1, block = 1, warp = 32;
  std::size_t shared_bytes = 0;
  std::uint64_t seed = 0;
  bool count = false;
  Range image;  // where the kernel's own tables lie
};

// A thread of the block, and what it waits for.
struct Lane {
  enum class State { ready, at_collective, at_barrier, exited };
  State state = State::ready;
  Fiber fiber;
  // Of the rendezvous that it waits at.
  const char *name = "";
  const void *site = nullptr;
  Word mask = 0;
  bool is_vote = false;
  Word value = 0;   // what it brings: a value, or 1 for a vote that holds
  int source = -1;  // lane whose value it wants
  Word result = 0;
};

class Block {
 public:
  explicit Block(const Job &job);
  ~Block();
  void run(unsigned index);  // throws std::runtime_error
  Counters counters;

 private:
  friend struct Calls;
  void run_warp(unsigned warp, Random &random);
  void release_barrier();
  [[noreturn]] void error(unsigned thread, const std::string &what) const;
  void wait(Lane &lane, Lane::State state, const char *name, const void *site);
  static void thread_body(void *block);

  Job job_;
  SharedMemory shared_;
  std::vector<std::unique_ptr<Stack>> stacks_;
  std::vector<Lane> lanes_;
  std::vector<unsigned> order_;
  std::unique_ptr<Trace> trace_;
  Place place_{};
  std::string failure_;  // of the lane that just ran
};

// The functions that a kernel calls; they act on the block that the calling host thread is running.
extern const Services services;

struct BadRead : std::runtime_error {
  BadRead(unsigned reader, const std::string &what) : std::runtime_error(what), lane(reader) {}
  unsigned lane;
};

// Answers collectives of a warp whose lanes all wait or have exited, until no more can be answered; true if any was.
// Throws BadRead if a lane wants the value of one outside its mask.
bool answer_collectives(std::span<Lane> warp, Counters &counters);

// Why the first lane that waits at a collective cannot go on; empty if no lane does.  `lane` is that lane.
std::string explain_stall(std::span<const Lane> warp, unsigned &lane);

}  // namespace simt
