// See block.h.
#include "block.h"

#include <algorithm>
#include <numeric>

namespace simt {
namespace {
thread_local Block *running = nullptr;
// Stacks outlive a launch, since mapping them costs more than a small kernel.
thread_local std::vector<std::unique_ptr<Stack>> spare_stacks;
}  // namespace

Block::Block(const Job &job) : job_(job), shared_(job.shared_bytes), lanes_(job.block), order_(job.warp) {
  for (unsigned i = 0; i < job.block; ++i) {
    if (spare_stacks.empty()) spare_stacks.push_back(std::make_unique<Stack>());
    stacks_.push_back(std::move(spare_stacks.back()));
    spare_stacks.pop_back();
  }
  if (job.count) trace_ = std::make_unique<Trace>(job.block, job.warp, shared_, job.image, counters);
}

Block::~Block() { std::move(stacks_.begin(), stacks_.end(), std::back_inserter(spare_stacks)); }

void Block::error(unsigned thread, const std::string &what) const {
  throw std::runtime_error("simt: " + std::string(job_.entry->name) + ", block " + std::to_string(place_.block) +
                           ", thread " + std::to_string(thread) + ": " + what);
}

void Block::thread_body(void *block) {
  auto *self = static_cast<Block *>(block);
  self->job_.entry->call(self->job_.arguments);
  Lane &lane = self->lanes_[self->place_.thread];
  lane.state = Lane::State::exited;
  lane.fiber.leave(true);
}

void Block::run(unsigned index) {
  struct Running {
    explicit Running(Block *block) { running = block; }
    ~Running() { running = nullptr; }
  } const here(this);
  place_ = {0, job_.block, index, job_.grid, job_.warp};
  shared_.poison();
  for (unsigned i = 0; i < job_.block; ++i) {
    lanes_[i].state = Lane::State::ready;
    lanes_[i].fiber.start(*stacks_[i], thread_body, this);
  }
  Random random(job_.seed * 0x2545f4914f6cdd1du + index);
  std::vector<unsigned> warps((job_.block + job_.warp - 1) / job_.warp);
  std::iota(warps.begin(), warps.end(), 0u);
  const auto in_state = [&](Lane::State state) {
    return std::count_if(lanes_.begin(), lanes_.end(), [&](const Lane &lane) { return lane.state == state; });
  };
  for (;;) {
    while (in_state(Lane::State::ready) > 0) {
      if (job_.seed) random.shuffle(warps);
      for (const unsigned warp : warps) run_warp(warp, random);
    }
    if (in_state(Lane::State::at_barrier) == 0) break;  // all have exited: run_warp leaves none at a collective
    release_barrier();
  }
  if (trace_) trace_->flush_all();
  if (const long at = shared_.overrun(); at >= 0) {
    throw std::runtime_error("simt: " + std::string(job_.entry->name) + ", block " + std::to_string(index) +
                             ": wrote behind the block's " + std::to_string(job_.shared_bytes) +
                             " bytes of shared memory, at offset " +
                             std::to_string(job_.shared_bytes + static_cast<std::size_t>(at)));
  }
}

void Block::run_warp(unsigned warp, Random &random) {
  const unsigned first = warp * job_.warp, lanes = std::min(job_.warp, job_.block - first);
  const std::span<Lane> all(lanes_.data() + first, lanes);
  // Several rendezvous in a row, so that warps drift apart as they do on a device.
  for (unsigned turns = job_.seed ? 1 + random.below(8) : 8; turns > 0; --turns) {
    const std::span<unsigned> order(order_.data(), lanes);
    std::iota(order.begin(), order.end(), first);
    if (job_.seed) random.shuffle(order);
    bool any = false;
    for (const unsigned thread : order) {
      if (lanes_[thread].state == Lane::State::ready) {
        place_.thread = thread;
        lanes_[thread].fiber.enter();
        if (!failure_.empty()) error(thread, failure_);
        any = true;
      }
    }
    if (!any) return;
    if (std::any_of(all.begin(), all.end(), [](const Lane &lane) { return lane.state == Lane::State::ready; })) {
      continue;  // a lane gave way without waiting
    }
    try {
      if (answer_collectives(all, counters)) {
        const bool whole =
            std::all_of(all.begin(), all.end(), [](const Lane &lane) { return lane.state == Lane::State::ready; });
        if (trace_ && whole) trace_->flush(warp);
        continue;
      }
    } catch (const BadRead &bad) {
      error(first + bad.lane, bad.what());
    }
    unsigned stalled = 0;
    if (const std::string why = explain_stall(all, stalled); !why.empty()) error(first + stalled, why);
    return;
  }
}

// Called when each thread has exited or waits at a barrier.
void Block::release_barrier() {
  const auto waiting = std::find_if(lanes_.begin(), lanes_.end(),
                                    [](const Lane &lane) { return lane.state == Lane::State::at_barrier; });
  const auto number = static_cast<unsigned>(waiting - lanes_.begin());
  for (const Lane &lane : lanes_) {
    const std::string other = "thread " + std::to_string(&lane - lanes_.data());
    if (lane.state == Lane::State::exited)
      error(number, std::string(waiting->name) + " waits for " + other + ", which has exited");
    if (lane.site != waiting->site) {
      error(number, std::string(waiting->name) + " waits for " + other +
                        ", which came to a barrier at another place of the kernel (divergence)");
    }
  }
  for (Lane &lane : lanes_) lane.state = Lane::State::ready;
  ++counters.barriers;
  if (trace_) trace_->flush_all();
}

void Block::wait(Lane &lane, Lane::State state, const char *name, const void *site) {
  lane.state = state;
  lane.name = name;
  lane.site = site;
  lane.fiber.leave();
}

// What the kernel calls.
struct Calls {
  static Lane &lane() { return running->lanes_[running->place_.thread]; }
  static const Place *place() { return &running->place_; }
  static char *shared() { return running->shared_.data(); }
  // Nothing that wants a destructor may be alive here: nobody comes back.
  static void fail(const char *message, const char *more = "") {
    running->failure_.assign(message).append(more);
    lane().fiber.leave(true);
  }
  static void fail_with(const char *message) { fail(message); }
  static void check_own(const char *name, Word mask) {
    if (mask == WHOLE_WARP || (mask >> running->place_.lane() & 1)) return;
    fail(name, ": the calling lane is not in its own mask");
  }
  static Word collective(const char *name, const void *site, Word mask, Word value, int source, bool is_vote) {
    check_own(name, mask);
    Lane &self = lane();
    self.mask = mask;
    self.value = value;
    self.source = source;
    self.is_vote = is_vote;
    running->wait(self, Lane::State::at_collective, name, site);
    return self.result;
  }
  static Word exchange(const char *name, const void *site, Word mask, Word value, int source) {
    return collective(name, site, mask, value, source, false);
  }
  static Word ballot(const char *name, const void *site, Word mask, bool vote) {
    return collective(name, site, mask, vote, -1, true);
  }
  static void barrier(const char *name, const void *site) {
    running->wait(lane(), Lane::State::at_barrier, name, site);
  }
  static void access(const void *site, const void *address, unsigned bytes, bool store) {
    Trace *trace = running->trace_.get();
    const unsigned thread = running->place_.thread;
    if (!trace || running->stacks_[thread]->holds(address)) return;
    const Trace::Outcome outcome = trace->add(thread, site, address, bytes, store);
    if (outcome.error) fail(outcome.error);
    if (outcome.give_way) lane().fiber.leave();  // stays ready: the others catch up
  }
};

const Services services = {Calls::place,   Calls::shared, Calls::exchange, Calls::ballot,
                           Calls::barrier, Calls::access, Calls::fail_with};

}  // namespace simt
