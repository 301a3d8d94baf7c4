// See device_run.h.
#include "device_run.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "alnsmith/kernel_abi.h"
#include "alnsmith/outputs.hpp"
#include "oracle.h"

namespace device_run {

using namespace alnsmith;

namespace {

constexpr int kMatch = 2, kMismatch = -3, kOpen = 4, kExtend = 1;

unsigned char code(char letter) { return static_cast<unsigned char>(std::strchr("ACGT", letter) - "ACGT"); }

// Letters of all sequences one behind another, with offsets and lengths.
struct Side {
  std::vector<unsigned char> letters;
  std::vector<int> offset, length;
  explicit Side(const std::vector<std::string> &sequences) {
    for (const std::string &sequence : sequences) {
      offset.push_back(static_cast<int>(letters.size()));
      length.push_back(static_cast<int>(sequence.size()));
      for (const char letter : sequence) letters.push_back(code(letter));
    }
  }
};

enum {
  kQuery,
  kQueryOffset,
  kQueryLength,
  kTarget,
  kTargetOffset,
  kTargetLength,
  kIndex,
  kScoring,
  kBorder,
  kScore,
  kStatus
};

}  // namespace

Batch Batch::random(unsigned seed, std::size_t pairs, std::size_t longest) {
  std::mt19937 bits(seed);
  const auto sequence = [&] {
    std::string letters(1 + bits() % longest, 'A');
    for (char &letter : letters) letter = "ACGT"[bits() % 4];
    return letters;
  };
  Batch batch;
  for (std::size_t i = 0; i < pairs; ++i) {
    batch.queries.push_back(sequence());
    batch.targets.push_back(i % 2 ? sequence() : batch.queries.back());
    if (i % 2 == 0) batch.targets.back()[0] = 'T';
  }
  return batch;
}

std::vector<long> Batch::expected() const {
  oracle::Problem problem{.mode = oracle::Mode::global,
                          .free = {},
                          .insertion = {kOpen, kExtend},
                          .deletion = {kOpen, kExtend},
                          .substitution = oracle::Substitution::match_mismatch("ACGT", kMatch, kMismatch)};
  std::vector<long> scores;
  for (std::size_t i = 0; i < queries.size(); ++i) scores.push_back(oracle::score(problem, queries[i], targets[i]));
  return scores;
}

bool Job::add(rt::driver::Executor &executor, std::size_t bytes, const void *content) {
  auto pinned = executor.allocate_pinned(bytes);
  auto device = executor.allocate(bytes);
  if (!pinned || !device) {
    problem_ = pinned ? device.error().message : pinned.error().message;
    return false;
  }
  if (content) std::memcpy((*pinned)->host(), content, bytes);
  arrays_.push_back({*std::move(pinned), *std::move(device)});
  return true;
}

Job::Job(rt::driver::Executor &executor, rt::driver::DeviceQueue &queue, const rt::driver::DeviceKernel &kernel,
         const Batch &batch, Grid grid)
    : pairs_(batch.queries.size()) {
  const Side query(batch.queries), target(batch.targets);
  std::vector<int> index(pairs_);
  for (std::size_t i = 0; i < pairs_; ++i) index[i] = static_cast<int>(i);
  std::vector<int> scoring(ALN_SCORING_COUNT);
  scoring[ALN_MATCH] = kMatch;
  scoring[ALN_MISMATCH] = kMismatch;
  scoring[ALN_INSERTION_OPEN] = scoring[ALN_DELETION_OPEN] = kOpen;
  scoring[ALN_INSERTION_EXTEND] = scoring[ALN_DELETION_EXTEND] = kExtend;
  const int rows = *std::max_element(target.length.begin(), target.length.end());
  const auto ints = [&](const std::vector<int> &v) { return add(executor, v.size() * sizeof(int), v.data()); };
  const auto bytes = [&](const std::vector<unsigned char> &v) { return add(executor, v.size(), v.data()); };
  const std::size_t border = static_cast<std::size_t>(grid.blocks) * static_cast<std::size_t>(grid.threads) * 2 *
                             static_cast<std::size_t>(rows + 1) * sizeof(int);
  if (!bytes(query.letters) || !ints(query.offset) || !ints(query.length) || !bytes(target.letters) ||
      !ints(target.offset) || !ints(target.length) || !ints(index) || !ints(scoring) ||
      !add(executor, border, nullptr) || !add(executor, pairs_ * sizeof(int), nullptr) ||
      !add(executor, pairs_, nullptr))
    return;
  std::memset(arrays_[kScore].pinned->host(), 0x55, pairs_ * sizeof(int));
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (i != kBorder)
      if (auto ok = queue.copy_in(*arrays_[i].device, 0, *arrays_[i].pinned, 0, arrays_[i].device->size()); !ok)
        problem_ = ok.error().message;
  const auto memory = [&](int which) {
    return rt::driver::Argument{arrays_[static_cast<std::size_t>(which)].device.get()};
  };
  const auto number = [](int value) { return rt::driver::Argument{nullptr, 0, value, true}; };
  const rt::driver::Argument none{};
  std::vector<rt::driver::Argument> arguments = {number(static_cast<int>(pairs_)),
                                                 memory(kQuery),
                                                 memory(kQueryOffset),
                                                 memory(kQueryLength),
                                                 memory(kTarget),
                                                 memory(kTargetOffset),
                                                 memory(kTargetLength),
                                                 memory(kIndex),
                                                 memory(kIndex),
                                                 memory(kScoring),
                                                 none,
                                                 memory(kBorder),
                                                 number(rows),
                                                 none,
                                                 number(0),
                                                 memory(kScore)};
  arguments.insert(arguments.end(), alnsmith::kOutputCount - 1, none);
  arguments.insert(arguments.end(), {memory(kStatus), none, number(0), none, none, none});
  if (auto ok = queue.launch(kernel, grid.blocks, grid.threads, grid.shared_bytes, arguments); !ok)
    problem_ = ok.error().message;
  for (const int which : {kScore, kStatus}) {
    Array &array = arrays_[static_cast<std::size_t>(which)];
    if (auto ok = queue.copy_out(*array.pinned, 0, *array.device, 0, array.device->size()); !ok)
      problem_ = ok.error().message;
  }
}

std::vector<int> Job::scores() const {
  const auto *first = static_cast<const int *>(arrays_[kScore].pinned->host());
  return {first, first + pairs_};
}

std::vector<unsigned char> Job::status() const {
  const auto *first = static_cast<const unsigned char *>(arrays_[kStatus].pinned->host());
  return {first, first + pairs_};
}

}  // namespace device_run
