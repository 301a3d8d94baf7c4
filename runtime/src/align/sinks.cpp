// See sinks.hpp.
#include "alnsmith/sinks.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <utility>

#include "align/dense_sink.h"

namespace alnsmith {

ResultSink::~ResultSink() = default;
Status ResultSink::finish() { return Ok{}; }

namespace {

// What makes the better of two scores the larger one.
std::int64_t sign_of(const CallShape &shape) { return shape.minimize ? -1 : 1; }

// The least signed score that counts.
std::int64_t least_of(const Selection &selection, std::int64_t sign) {
  return selection.worst ? sign * *selection.worst : std::numeric_limits<std::int64_t>::min();
}

// Scores decide about results, whether they are wanted or not.
OutputSet with_score(OutputSet outputs) {
  outputs.add(Output::score);
  return outputs;
}

}  // namespace

StreamSink::StreamSink(Function use, const Selection &selection, std::size_t most)
    : use_(std::move(use)), selection_(selection), most_(std::max<std::size_t>(most, 1)) {}
StreamSink::~StreamSink() = default;

Result<OutputSet> StreamSink::begin(const CallShape &shape) {
  const auto wanted = rt::align::given_by(shape, selection_.outputs);
  if (!wanted) return wanted;
  shape_ = shape;
  wanted_ = *wanted;
  ended_ = false;
  clear();
  return with_score(*wanted);
}

void StreamSink::clear() {
  pair_.clear();
  for (auto &column : column_) column.clear();
  runs_.clear();
  cigar_ends_.clear();
}

// Under the lock.
Result<Next> StreamSink::hand_on() {
  ResultBlock block;
  block.pair = pair_;
  for (const OutputInfo &info : kOutputs) block.column[index_of(info.output)] = column_[index_of(info.output)];
  block.runs = runs_;
  block.cigar_ends = cigar_ends_;
  block.targets = shape_.all ? shape_.targets : 0;
  ended_ = true;  // if it throws
  auto next = use_(block);
  ended_ = !next || *next == Next::stop;
  clear();
  return next;
}

Result<Next> StreamSink::put(const ResultBlock &block) {
  const std::int64_t sign = sign_of(shape_), least = least_of(selection_, sign);
  const auto scores = block[Output::score];
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < block.size() && !ended_; ++i) {
    if (sign * scores[i] < least) continue;
    pair_.push_back(block.pair[i]);
    for (const OutputInfo &info : kOutputs)
      if (wanted_.contains(info.output)) column_[index_of(info.output)].push_back(block[info.output][i]);
    if (wanted_.contains(Output::cigar)) {
      const auto cigar = block.cigar(i);
      runs_.insert(runs_.end(), cigar.begin(), cigar.end());
      cigar_ends_.push_back(runs_.size());
    }
    if (pair_.size() < most_) continue;
    if (auto next = hand_on(); !next) return next;
  }
  return ended_ ? Next::stop : Next::more;
}

Status StreamSink::finish() {
  const std::lock_guard lock(mutex_);
  if (ended_ || pair_.empty()) return Ok{};
  const auto next = hand_on();
  if (!next) return next.error();
  return Ok{};
}

// A heap with the worst hit on top. `floor`: no result below it has a place any more; read without the lock.
struct TopSink::Row {
  std::mutex mutex;
  std::vector<Hit> heap;
  std::atomic<std::int64_t> floor{std::numeric_limits<std::int64_t>::min()};
};

TopSink::TopSink(std::size_t most, const Selection &selection)
    : most_(std::max<std::size_t>(most, 1)), selection_(selection) {}
TopSink::~TopSink() = default;

Result<OutputSet> TopSink::begin(const CallShape &shape) {
  if (!shape.all) return Error{"a TopSink takes calls of each query with each target: align_all", 2};
  if (rows_ && queries_ != shape.queries)
    return Error{"a TopSink holds hits of " + std::to_string(queries_) + " queries: the call has " +
                     std::to_string(shape.queries),
                 2};
  const auto wanted = rt::align::given_by(shape, selection_.outputs);
  if (!wanted) return wanted;
  const OutputSet outputs = with_score(*wanted);
  if (rows_ && (sign_ != sign_of(shape) || !(outputs_ == outputs)))
    return Error{
        "a TopSink holds hits of a spec with another objective or other outputs than '" + std::string(shape.spec) + "'",
        2};
  if (!rows_) rows_ = std::make_unique<Row[]>(shape.queries);
  queries_ = shape.queries;
  sign_ = sign_of(shape);
  outputs_ = outputs;
  return outputs;
}

Result<Next> TopSink::put(const ResultBlock &block) {
  const auto better = [&](const Hit &a, const Hit &b) {
    const std::int64_t one = sign_ * a[Output::score], other = sign_ * b[Output::score];
    return one != other ? one > other : a.target < b.target;
  };
  const std::int64_t least = least_of(selection_, sign_);
  const auto scores = block[Output::score];
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::uint64_t query = block.query(i);
    const std::int64_t score = sign_ * scores[i];
    Row &row = rows_[query];
    if (score < least || score < row.floor.load(std::memory_order_relaxed)) continue;
    Hit hit;
    hit.target = first_ + block.target(i);
    for (const OutputInfo &info : kOutputs)
      if (const auto column = block[info.output]; !column.empty()) hit.values[index_of(info.output)] = column[i];
    const std::lock_guard lock(row.mutex);
    if (row.heap.size() == most_) {
      if (!better(hit, row.heap.front())) continue;
      std::pop_heap(row.heap.begin(), row.heap.end(), better);
      row.heap.pop_back();
    }
    const auto cigar = block.cigar(i);
    hit.cigar.assign(cigar.begin(), cigar.end());
    row.heap.push_back(std::move(hit));
    std::push_heap(row.heap.begin(), row.heap.end(), better);
    if (row.heap.size() == most_) row.floor.store(sign_ * row.heap.front()[Output::score], std::memory_order_relaxed);
  }
  return Next::more;
}

std::vector<Hit> TopSink::hits(std::uint64_t query) const {
  if (!rows_ || query >= queries_) return {};
  std::vector<Hit> list = rows_[query].heap;
  std::sort(list.begin(), list.end(), [&](const Hit &a, const Hit &b) {
    const std::int64_t one = sign_ * a[Output::score], other = sign_ * b[Output::score];
    return one != other ? one > other : a.target < b.target;
  });
  return list;
}

}  // namespace alnsmith
