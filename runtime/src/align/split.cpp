// See split.hpp.
#include "align/split.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "alnsmith/strip_abi.h"

namespace alnsmith::rt {
namespace {

// What a stage's begin and end cost beyond its rows, in vectors of cells of form `pairs`. Measured on Zen 5
// (docs/performance.md).
constexpr double kStage = 4000;

// In the same.
double split_cost(const KernelInfo &kernel, double work, const Item &item) {
  return static_cast<double>(split_stages(kernel, item.query)) *
         (work * split_rows(kernel, item.target) * kernel.k + kStage);
}

double cells(const Item &item) { return static_cast<double>(item.query) * item.target; }

std::uint32_t registers_of(const KernelInfo &lanes, const Item &item) {
  return lanes.query_in_registers ? item.query : item.target;
}
std::uint32_t stream_of(const KernelInfo &lanes, const Item &item) {
  return lanes.query_in_registers ? item.target : item.query;
}

// False where no part of a batch can be faster alone, seen without asking each pair: short reads feel the difference.
bool may_pay(std::span<const Item> part, const KernelInfo &lanes, const KernelInfo &split, double work) {
  Item least = part[0];
  double registers = 0, stream = 0, least_registers = 1e10, least_stream = 1e10;
  for (const Item &item : part) {
    const double r = registers_of(lanes, item), s = stream_of(lanes, item);
    registers = std::max(registers, r);
    stream = std::max(stream, s);
    least_registers = std::min(least_registers, r);
    least_stream = std::min(least_stream, s);
    least.query = std::min(least.query, item.query);
    least.target = std::min<std::uint32_t>(least.target, item.target);
  }
  const double together = registers * stream, one = split_cost(split, work, least);
  return together - least_registers * least_stream > one || static_cast<double>(part.size()) * one < together;
}

}  // namespace

std::size_t split_stages(const KernelInfo &kernel, std::size_t query) {
  const std::size_t stage = static_cast<std::size_t>(kernel.lanes * kernel.k);
  return (query + stage - 1) / stage;
}

double split_rows(const KernelInfo &kernel, std::size_t target) {
  return static_cast<double>(target) + kernel.split.skew * (kernel.lanes - 1.0);
}

std::vector<std::uint32_t> split_off(std::vector<Item> &items, std::vector<Batch> &batches, const KernelInfo &lanes,
                                     const KernelInfo &split, double work,
                                     const std::function<bool(const Item &)> &possible) {
  std::vector<std::uint32_t> alone;
  for (Batch &batch : batches) {
    const auto part = std::span(items).subspan(batch.begin, batch.count);
    if (!split.split.always && !may_pay(part, lanes, split, work)) continue;
    // Those that can go, the longest first; then the others.
    const auto others = std::stable_partition(part.begin(), part.end(), possible);
    std::stable_sort(part.begin(), others, [](const Item &a, const Item &b) { return cells(a) > cells(b); });
    // The cheapest of all first parts to go.
    std::uint32_t registers = 0, stream = 0;
    const auto stay = [&](const Item &item) {
      registers = std::max(registers, registers_of(lanes, item));
      stream = std::max(stream, stream_of(lanes, item));
    };
    for (auto it = others; it != part.end(); ++it) stay(*it);
    const auto together = [&] { return static_cast<double>(registers) * stream; };
    double gone = 0;
    for (auto it = part.begin(); it != others; ++it) gone += split_cost(split, work, *it);
    std::size_t most = static_cast<std::size_t>(others - part.begin());
    double least = gone + together();
    for (std::size_t n = split.split.always ? 0 : most; n-- > 0;) {
      gone -= split_cost(split, work, part[n]);
      stay(part[n]);
      if (gone + together() <= least) {
        least = gone + together();
        most = n;
      }
    }
    std::rotate(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(most), part.end());
    batch.count -= static_cast<std::uint32_t>(most);
    for (std::uint32_t i = 0; i < most; ++i) alone.push_back(batch.begin + batch.count + i);
  }
  std::erase_if(batches, [](const Batch &batch) { return batch.count == 0; });
  return alone;
}

std::size_t split_need(const KernelInfo &kernel, std::size_t query, std::size_t target) {
  const std::size_t count = split_stages(kernel, query);
  return query + target + kernel.scratch_fixed +
         4 * static_cast<std::size_t>(kernel.split.border_ints) * (target + 2 * ALN_STRIP_PAD) +
         count * (sizeof(int) * kOutputCount + 64 + 1) + 4096;
}

bool SplitPair::start(Call &call, int kernel, std::string_view query, std::string_view target) {
  call_ = &call;
  kernel_ = kernel;
  const KernelInfo &info = call.info(kernel);
  const Manifest &m = call.manifest();
  query_.resize(query.size());
  target_.resize(target.size() + ALN_STRIP_PAD);
  if (!encode(m.query_codes, query, query_.data()) || !encode(m.target_codes, target, target_.data())) {
    call.reject_letter();
    return false;
  }
  query_length_ = static_cast<int>(query.size());
  target_length_ = static_cast<int>(target.size());
  stages_ = static_cast<int>(split_stages(info, query.size()));
  const std::size_t count = static_cast<std::size_t>(stages_);
  border_.resize(static_cast<std::size_t>(info.split.border_ints) * (target.size() + 2 * ALN_STRIP_PAD));
  progress_.assign(count, {});
  status_.assign(count, 0);
  for (const OutputInfo &output : kOutputs)
    results_[index_of(output.output)].assign(info.outputs.contains(output.output) ? count : 0, 0);
  next_ = 0;
  exact_ = true;
  return true;
}

void SplitPair::work() {
  static constexpr int all_rows = std::numeric_limits<int>::max();
  aln_strip_args_v1 args{};
  args.size = sizeof args;
  args.query_letters = query_.data();
  args.target_letters = target_.data();
  args.query_length = &query_length_;
  args.target_length = &target_length_;
  args.scoring = call_->scoring().value.data();
  args.matrix = call_->scoring().has_matrix ? call_->scoring().matrix.data() : nullptr;
  args.border = border_.data();
  Buffer scratch;
  args.scratch = scratch.reserve(call_->info(kernel_).scratch_fixed);
  args.border_rows = target_length_ + 2 * ALN_STRIP_PAD;
#define ALN_PLACE(Y, type, name, shape, key, words) args.name = results_[index_of(Output::name)].data();
  ALN_OUTPUTS(ALN_PLACE, )
#undef ALN_PLACE
  args.status = status_.data();
  // A stage is begun after the one before it, so that what it waits for is under way.
  for (int stage; !call_->stopped() && (stage = next_++) < stages_;) {
    args.stage = stage;
    args.rows_before = stage > 0 ? &progress_[static_cast<std::size_t>(stage) - 1].rows : &all_rows;
    args.rows_done = &progress_[static_cast<std::size_t>(stage)].rows;
    // However it ends, who waits for it goes on.
    struct Done {
      int *rows;
      ~Done() { __atomic_store_n(rows, all_rows, __ATOMIC_RELEASE); }
    } const done{args.rows_done};
    call_->run_stage(kernel_, args);
  }
}

KernelResults SplitPair::stored() {
  merge();
  KernelResults places;
  for (std::size_t i = 0; i < kOutputCount; ++i)
    if (!results_[i].empty()) places.column[i] = results_[i].data();
  return places;
}

// The best of the stages' to place 0, by the rule of kernel_abi.h.
void SplitPair::merge() {
  const auto &score = results_[index_of(Output::score)], &query = results_[index_of(Output::query_end)],
             &target = results_[index_of(Output::target_end)];
  std::size_t best = 0;
  for (std::size_t i = 1; i < score.size(); ++i) {
    const auto key = [&](std::size_t at) {
      const bool ends = !target.empty();
      return std::tuple(-std::int64_t{score[at]}, ends ? target[at] : 0, ends ? query[at] : 0);
    };
    if (key(i) < key(best)) best = i;
  }
  exact_ = std::ranges::none_of(status_, [](std::uint8_t raised) { return raised != 0; });
  for (auto &column : results_)
    if (!column.empty()) column[0] = column[best];
}

}  // namespace alnsmith::rt
