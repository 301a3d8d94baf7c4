// The two phases: all branches scored, a group at a time, then each read aligned. See placement.hpp.
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "alnsmith/placement.hpp"

namespace alnsmith::placement {

BranchAligner::~BranchAligner() = default;

Status BranchAligner::can_align(std::string_view, const StateColumns &) { return Ok{}; }
std::size_t BranchAligner::most_letters(unsigned) const { return std::numeric_limits<std::size_t>::max(); }

namespace {

constexpr CigarRun run_of(std::size_t n, char what) {
  return static_cast<CigarRun>(n << 4) | (what == 'M' ? 0u : what == 'I' ? 1u : 2u);
}

constexpr std::size_t kLanes = 64;  // of branches: a multiple of every vector's

// Expanded columns of some branches, in memory that the next ones take again.
class ColumnBlock {
 public:
  explicit ColumnBlock(const BranchVectors &vectors) : vectors_(vectors), n_(vectors.columns()) {}
  void expand(std::span<const std::uint32_t> branches) {
    if (branches.size() > room_) {
      sets_.reset();
      flags_.reset();
      room_ = branches.size();
      sets_ = std::make_unique_for_overwrite<std::uint32_t[]>(n_ * room_);
      flags_ = std::make_unique_for_overwrite<std::uint8_t[]>(n_ * room_);
    }
    for (std::size_t i = 0; i < branches.size(); ++i)
      vectors_.expand(branches[i], {&sets_[i * n_], n_}, {&flags_[i * n_], n_});
  }
  StateColumns operator[](std::size_t i) const { return {{&sets_[i * n_], n_}, {&flags_[i * n_], n_}}; }
  static std::size_t bytes(const BranchVectors &vectors) { return vectors.columns() * 5 + sizeof(StateColumns); }

 private:
  const BranchVectors &vectors_;
  std::size_t n_, room_ = 0;
  std::unique_ptr<std::uint32_t[]> sets_;
  std::unique_ptr<std::uint8_t[]> flags_;
};

class Placer {
 public:
  Placer(std::span<const Read> reads, const BranchVectors &vectors, BranchAligner &aligner, const PlaceOptions &options)
      : vectors_(vectors), columns_(vectors), aligner_(aligner), options_(options), placed_(reads.size()) {
    for (std::size_t i = 0; i < reads.size(); ++i) {
      placed_[i].read = reads[i];
      letters_.push_back(reads[i].letters);
    }
  }

  Result<std::vector<PlacedRead>> run() {
    const std::size_t of_branch = ColumnBlock::bytes(vectors_) + placed_.size() * sizeof(std::int32_t);
    std::size_t letters = 0;
    for (const std::string_view read : letters_) letters += with_room(read.size());
    const std::size_t of_call = aligner_.most_letters(vectors_.states());
    const std::size_t most = std::min(options_.memory_bytes / of_branch,
                                      (of_call - std::min(letters, of_call)) / with_room(vectors_.columns()));
    if (most == 0)
      return Error{"a branch of " + std::to_string(vectors_.columns()) + " columns with " +
                   std::to_string(placed_.size()) + " reads of " + std::to_string(letters) +
                   " letters does not fit into its share of --memory, " + std::to_string(options_.memory_bytes) +
                   " bytes: raise it"};
    if (Status ok = can_align_longest(); !ok) return ok.error();
    const std::size_t few = branches_of_a_call(most, of_branch);
    const std::size_t group = branches_at_a_time(vectors_.branches(), few);
    for (std::size_t first = 0; first < vectors_.branches(); first += group)
      if (Status ok = score(first, std::min(group, vectors_.branches() - first)); !ok) return of_reads(ok.error());
    if (Status ok = align(few, of_call); !ok) return of_reads(ok.error());
    return std::move(placed_);
  }

 private:
  // A sequence's letters in a call, and what else it takes there.
  static std::size_t with_room(std::size_t letters) { return letters + 16; }

  // Which reads an error is of.
  Error of_reads(Error error) const {
    if (error.message.empty() || placed_.empty()) return error;  // cancelled, or of the spec
    const std::string &first = placed_.front().read.name, &last = placed_.back().read.name;
    const std::string which = placed_.size() == 1 ? "read " + first : "reads " + first + " to " + last;
    return {which + ": " + error.message, error.exit_code};
  }

  Status go_on() const {
    if (options_.cancelled && options_.cancelled()) return Error{"", 130};
    return Ok{};
  }

  // Branches [first, first + n).
  Status score(std::size_t first, std::size_t n) {
    if (Status ok = go_on(); !ok) return ok;
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first));
    columns_.expand(numbers);
    std::vector<StateColumns> branches;
    for (std::size_t b = 0; b < n; ++b) branches.push_back(columns_[b]);
    std::vector<std::int32_t> scores(placed_.size() * n);
    if (Status ok = aligner_.score(letters_, branches, scores); !ok) return ok;
    for (std::size_t r = 0; r < placed_.size(); ++r)
      for (std::size_t b = 0; b < n; ++b) take(placed_[r], numbers[b], scores[r * n + b]);
    return Ok{};
  }

  Status can_align_longest() {
    const auto longest = std::ranges::max_element(letters_, {}, &std::string_view::size);
    if (longest == letters_.end()) return Ok{};
    if (Status ok = go_on(); !ok) return ok;
    columns_.expand(std::vector<std::uint32_t>{0});
    const Status ok = aligner_.can_align(*longest, columns_[0]);
    if (ok) return ok;
    const std::string &name = placed_[static_cast<std::size_t>(longest - letters_.begin())].read.name;
    return Error{"read " + name + " (" + std::to_string(longest->size()) + " letters): " + ok.error().message,
                 ok.error().exit_code};
  }

  bool better(std::int32_t a, std::int32_t b) const { return aligner_.minimize() ? a < b : a > b; }

  // Branches come in ascending order.
  void take(PlacedRead &read, std::uint32_t branch, std::int32_t score) const {
    if (!read.branches.empty() && score == read.score) {
      read.branches.push_back(branch);
    } else if (read.branches.empty() || better(score, read.score)) {
      if (!read.branches.empty()) read.second = {read.branches.front(), read.score};
      read.branches = {branch};
      read.score = score;
    } else if (!read.second || better(score, read.second->score)) {
      read.second = {branch, score};
    }
  }

  // Each read with its first best branch; `most` branches and `of_call` letters at a time.
  Status align(std::size_t most, std::size_t of_call) {
    std::vector<std::size_t> order(placed_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto best = [&](std::size_t r) { return placed_[r].branches.front(); };
    std::ranges::stable_sort(order, {}, best);
    for (std::size_t begin = 0; begin < order.size();) {
      std::vector<std::uint32_t> numbers;
      std::size_t end = begin, letters = 0;
      for (; end < order.size(); ++end) {
        letters += with_room(letters_[order[end]].size()) + with_room(vectors_.columns());
        if (letters > of_call && end > begin) break;
        if (!numbers.empty() && numbers.back() == best(order[end])) continue;
        if (numbers.size() == most) break;
        numbers.push_back(best(order[end]));
      }
      if (Status ok = align(numbers, std::span(order).subspan(begin, end - begin)); !ok) return ok;
      begin = end;
    }
    return Ok{};
  }

  Status align(std::span<const std::uint32_t> numbers, std::span<const std::size_t> some) {
    if (Status ok = go_on(); !ok) return ok;
    columns_.expand(numbers);
    std::vector<std::string_view> reads;
    std::vector<StateColumns> branches;
    std::size_t at = 0;
    for (const std::size_t r : some) {
      while (numbers[at] != placed_[r].branches.front()) ++at;
      reads.push_back(letters_[r]);
      branches.push_back(columns_[at]);
    }
    std::vector<ReadPath> paths(some.size());
    if (Status ok = aligner_.align(reads, branches, paths); !ok) return ok;
    for (std::size_t i = 0; i < some.size(); ++i) {
      PlacedRead &read = placed_[some[i]];
      if (paths[i].score != read.score)
        return Error{"internal error, please report it: read " + read.read.name + " scores " +
                     std::to_string(read.score) + " with branch " + std::to_string(read.branches.front()) +
                     " and its alignment " + std::to_string(paths[i].score)};
      read.runs = std::move(paths[i].runs);
    }
    return Ok{};
  }

  const BranchVectors &vectors_;
  ColumnBlock columns_;
  BranchAligner &aligner_;
  const PlaceOptions &options_;
  std::vector<PlacedRead> placed_;
  std::vector<std::string_view> letters_;
};

}  // namespace

std::size_t branches_of_a_call(std::size_t most, std::size_t bytes) {
  constexpr std::size_t kBytes = std::size_t{1} << 26;
  return std::min(most, std::max(kLanes, kBytes / bytes));
}

std::size_t branches_at_a_time(std::size_t branches, std::size_t most) {
  if (most >= branches || most < kLanes) return std::min(branches, most);
  const std::size_t groups = (branches + most - 1) / most, each = (branches + groups - 1) / groups;
  const std::size_t filled = (each + kLanes - 1) / kLanes * kLanes;
  return filled <= most ? filled : most / kLanes * kLanes;
}

ReadPath whole_path(std::int32_t score, std::span<const CigarRun> runs, std::size_t query_begin,
                    std::size_t target_begin, std::size_t letters, std::size_t columns) {
  ReadPath path{score, {}};
  const auto add = [&](std::size_t n, char what) {
    if (n == 0) return;
    if (!path.runs.empty() && operation_of(path.runs.back()) == what)
      path.runs.back() += run_of(n, 'M');
    else
      path.runs.push_back(run_of(n, what));
  };
  std::size_t letter = query_begin, column = target_begin;
  add(target_begin, 'D');
  add(query_begin, 'I');
  for (const CigarRun run : runs) {
    const char what = operation_of(run);
    add(letters_of(run), what);
    if (what != 'D') letter += letters_of(run);
    if (what != 'I') column += letters_of(run);
  }
  add(letters - letter, 'I');
  add(columns - column, 'D');
  return path;
}

Result<std::vector<PlacedRead>> place(std::span<const Read> reads, const BranchVectors &vectors, BranchAligner &aligner,
                                      const PlaceOptions &options) {
  return Placer(reads, vectors, aligner, options).run();
}

std::size_t block_letters(const BranchVectors &vectors) {
  constexpr std::size_t kCells = std::size_t{1} << 38;  // some seconds of a fast kernel
  constexpr std::size_t kLeast = 4096, kMost = std::size_t{1} << 20;
  return std::clamp(kCells / std::max<std::size_t>(vectors.branches() * vectors.columns(), 1), kLeast, kMost);
}

std::size_t block_reads(const BranchVectors &vectors) {
  constexpr std::size_t kTies = std::size_t{1} << 20;
  return std::clamp<std::size_t>(kTies / std::max<std::size_t>(vectors.branches(), 1), 16, 8192);
}

}  // namespace alnsmith::placement
