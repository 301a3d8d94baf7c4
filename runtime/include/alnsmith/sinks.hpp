/// @file
/// Where results leave a batch call: the interface, and sinks that keep the best targets of each query or hand results
/// on as they come. Columns (outputs.hpp) are the third way: all results, in order, in arrays of the caller.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "alnsmith/outputs.hpp"
#include "alnsmith/result.hpp"

#pragma GCC visibility push(default)
namespace alnsmith {

/// What a call is about, before its first result.
struct CallShape {
  std::uint64_t queries = 0;  ///< number of queries
  std::uint64_t targets = 0;  ///< number of targets
  bool all = false;           ///< each query with each target; else the i-th with the i-th
  bool minimize = false;      ///< small scores are good ones: the spec says `objective: minimize`
  OutputSet outputs;          ///< what the spec gives
  std::string_view spec;      ///< its name, for messages

  /// How many results there will be. @return number of pairs
  std::uint64_t pairs() const { return all ? queries * targets : queries; }
};

/// Results of some pairs of a call, in no order. It lives as long as the call of put() that it is given to.
struct ResultBlock {
  std::span<const std::uint64_t> pair;  ///< by result: i for the i-th pair, or query * targets + target
  std::array<std::span<const std::int32_t>, kOutputCount> column;  ///< by output; empty where it is not wanted
  std::span<const CigarRun> runs;                                  ///< of all CIGARs, one behind another
  std::span<const std::size_t> cigar_ends;  ///< by result: behind its last run; empty where they are not wanted
  std::uint64_t targets = 0;                ///< of a call of each query with each target; 0: of one that takes pairs

  /// The CIGAR of a result. @param i which result, below size()
  /// @return its runs from begin to end; empty where nothing is aligned, and where CIGARs are not wanted
  std::span<const CigarRun> cigar(std::size_t i) const {
    if (cigar_ends.empty()) return {};
    const std::size_t first = i > 0 ? cigar_ends[i - 1] : 0;
    return runs.subspan(first, cigar_ends[i] - first);
  }
  /// Number of results. @return as many as `pair` has
  std::size_t size() const { return pair.size(); }
  /// The query of a result. @param i which result, below size() @return index among the call's queries
  std::uint64_t query(std::size_t i) const { return targets > 0 ? pair[i] / targets : pair[i]; }
  /// The target of a result. @param i which result, below size() @return index among the call's targets
  std::uint64_t target(std::size_t i) const { return targets > 0 ? pair[i] % targets : pair[i]; }
  /// Values of an output. @param output which @return one for each result; empty where it is not wanted
  std::span<const std::int32_t> operator[](Output output) const { return column[index_of(output)]; }
};

/// What a sink says to results.
enum class Next {
  more,  ///< go on
  stop   ///< enough: the call ends without an error, and its report counts what was scored until then
};

/// Takes the results of batch calls; each pair comes once. Derive from it, or take one of those below. What put() or
/// finish() throws or returns as an error ends the call, which returns that error.
class ResultSink {
 public:
  virtual ~ResultSink();
  /// A call begins. @param shape what it is about
  /// @return which outputs are wanted, of those that the spec gives; an error ends the call before it has done anything
  virtual Result<OutputSet> begin(const CallShape &shape) = 0;
  /// Takes results. Called from any thread, by several at the same time; a caller waits until it returns, and so does
  /// what that thread would score next. It may not call the aligner, whose device waits too. After `stop` or an error
  /// there may be calls that were under way.
  /// @param block results, at least one
  /// @return whether there is to be more
  virtual Result<Next> put(const ResultBlock &block) = 0;
  /// The call has no further result; not called after an error. @return an error makes it the call's
  virtual Status finish();
};

/// Which results a sink passes over, and which outputs it takes.
struct Selection {
  /// The worst score that counts: where large scores are good, smaller ones are left out; where a spec minimizes,
  /// larger ones. Empty: all count.
  std::optional<std::int32_t> worst;
  /// What is wanted; empty: all that the spec gives.
  OutputSet outputs;
};

/// Hands results to a function, in blocks, in no order. The function is called by one thread at a time; meanwhile
/// threads that have results wait, so no more than a block of them is ever kept. It serves one call at a time.
class StreamSink : public ResultSink {
 public:
  /// What takes the results.
  using Function = std::function<Result<Next>(const ResultBlock &)>;
  /// A sink over a function. @param use what takes the results; not called again once it says stop, fails or throws
  /// @param selection which results it gets @param most results a block, at most; at least 1
  explicit StreamSink(Function use, const Selection &selection = {}, std::size_t most = 4096);
  ~StreamSink() override;
  /// A call begins. @param shape what it is about @return outputs that are wanted, or that the spec has not all of them
  Result<OutputSet> begin(const CallShape &shape) override;
  /// Takes results. @param block results @return what the function said, or to go on
  Result<Next> put(const ResultBlock &block) override;
  /// Hands on what is left. @return the function's error, if it fails
  Status finish() override;

 private:
  [[gnu::visibility("hidden")]] Result<Next> hand_on();
  [[gnu::visibility("hidden")]] void clear();

  Function use_;
  Selection selection_;
  std::size_t most_;
  CallShape shape_;
  OutputSet wanted_;
  std::mutex mutex_;
  std::vector<std::uint64_t> pair_;
  std::array<std::vector<std::int32_t>, kOutputCount> column_;
  std::vector<CigarRun> runs_;
  std::vector<std::size_t> cigar_ends_;
  bool ended_ = false;
};

/// A target of a query, and what their alignment gives.
struct Hit {
  std::uint64_t target = 0;                         ///< index among the targets
  std::array<std::int32_t, kOutputCount> values{};  ///< by output; 0 where it is not wanted
  std::vector<CigarRun> cigar{};                    ///< runs from begin to end; empty where they are not wanted

  /// Value of an output. @param output which @return its value; 0 where it is not wanted
  std::int32_t operator[](Output output) const { return values[index_of(output)]; }
};

/// Keeps the best targets of each query: those with the best scores, the largest (the smallest where the spec
/// minimizes), and among equal scores those with the smallest index. It takes calls that align each query with each
/// target; several calls with the same queries add up, one at a time. Memory: `most` hits per query.
class TopSink : public ResultSink {
 public:
  /// An empty sink. @param most hits kept for a query, at least 1 @param selection which results count
  explicit TopSink(std::size_t most, const Selection &selection = {});
  ~TopSink() override;
  /// Where the targets of the next calls stand among all targets, which hits count. @param first index of the first one
  void first_target(std::uint64_t first) { first_ = first; }
  /// A call begins. @param shape what it is about
  /// @return outputs that are wanted; an error (exit code 2) if the call takes pairs, has another number of queries,
  ///   objective or set of outputs than the one before, or its spec does not give all outputs
  Result<OutputSet> begin(const CallShape &shape) override;
  /// Takes results. @param block results @return to go on
  Result<Next> put(const ResultBlock &block) override;
  /// What was found for a query. @param query its index @return at most `most` hits, the best first
  std::vector<Hit> hits(std::uint64_t query) const;

 private:
  struct [[gnu::visibility("hidden")]] Row;
  std::size_t most_;
  Selection selection_;
  std::uint64_t first_ = 0, queries_ = 0;
  std::int64_t sign_ = 1;  // what makes large scores good ones
  OutputSet outputs_;      // of the hits
  std::unique_ptr<Row[]> rows_;
};

}  // namespace alnsmith
#pragma GCC visibility pop
