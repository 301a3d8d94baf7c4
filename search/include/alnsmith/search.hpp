/// @file
/// Database search: the best targets of each query among targets that come a portion at a time, so that a database may
/// be larger than memory.
///
/// Targets are known by their number, their place in the input counted from 0. Targets rank by raw score, the better
/// one first (the larger, or the smaller where a spec minimizes), equal ones by number: integers alone, so that results
/// do not depend on threads, devices, portions or shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/score_counts.hpp"
#include "alnsmith/strands.hpp"

namespace alnsmith::search {

/// What becomes of targets that score as the last one that is kept.
enum class Ties : std::uint8_t {
  first,  ///< those with the smallest numbers are kept, up to the wanted number of hits
  keep    ///< all of them are kept
};

/// A target that is among the best of a query.
struct Found {
  std::uint64_t number = 0;                        ///< of the target
  std::int32_t score = 0;                          ///< raw, in the spec's units
  Strand strand = Strand::plus;                    ///< the better one; of equal ones plus
  bool operator==(const Found &) const = default;  ///< the same in all
};

/// A sequence and what its header says.
struct Entry {
  std::string name;                                ///< the header's first word
  std::string description;                         ///< the rest of the header
  std::string letters;                             ///< as read
  bool operator==(const Entry &) const = default;  ///< the same in all
};

/// Some targets. Derived classes own what the views show.
class Portion {
 public:
  virtual ~Portion();
  /// How many there are. @return their number
  std::size_t size() const { return letters.size(); }
  /// The number of a target in the whole input. @param i which, below size() @return its number
  std::uint64_t number(std::size_t i) const { return first + step * i; }
  /// A target with its names. @param i which, below size() @return a copy; an error where it is damaged
  virtual Result<Entry> entry(std::size_t i) const = 0;

  std::uint64_t first = 0;                ///< number of the first target
  std::optional<PackedTargets> packed;    ///< `letters` as kernels read them, where they lie packed
  std::uint64_t step = 1;                 ///< from one target's number to the next one's
  std::vector<std::string_view> letters;  ///< of each target
};

/// Gives a database a portion at a time, in the order of numbers.
class TargetSource {
 public:
  virtual ~TargetSource();
  /// The next targets. @param bytes of memory that a portion should take, about
  /// @return a portion of at least one target; null at the end
  virtual Result<std::unique_ptr<Portion>> next(std::size_t bytes) = 0;
  /// Begins again with the first target. @return an error where the input cannot be read twice
  virtual Status rewind() = 0;
  /// What part of the input was given so far. @return 0 to 1; nothing where it cannot be known
  virtual std::optional<double> share_read() const = 0;
  /// Whether entry() finds targets whose portion is gone. @return false: who wants them again keeps them
  virtual bool keeps() const = 0;
  /// A target by its number. Only where keeps(). @param number of the target @return the target, or what is wrong
  virtual Result<Entry> entry(std::uint64_t number) = 0;
};

/// Queries of a search: as read, and where the other strand is wanted their reverse complements.
struct Queries {
  std::vector<std::string_view> plus;   ///< as read; empty where that strand is not wanted
  std::vector<std::string_view> minus;  ///< reverse complements; empty where they are not wanted
  /// How many queries there are. @return their number
  std::size_t size() const { return plus.empty() ? minus.size() : plus.size(); }
};

/// What a search found.
struct Findings {
  std::vector<std::vector<Found>> hits;    ///< of each query, the best first
  std::map<std::uint64_t, Entry> targets;  ///< by number: those in `hits`
  std::uint64_t sequences = 0;             ///< targets that were searched
  std::uint64_t letters = 0;               ///< and their letters
  ScoreCounts counts;                      ///< of all scores, if FindOptions::count_unit wants them
};

/// What a search is to find.
struct FindOptions {
  std::size_t top = 500;              ///< targets kept for a query, at least 1
  Ties ties = Ties::first;            ///< of those that score as the last one
  std::optional<std::int32_t> worst;  ///< the worst score that counts; empty: all count
  /// Counts all scores, also those that do not count as hits, in this unit; score_period() gives it. 0: does not. Takes
  /// 0.3 MB of list_bytes per query.
  std::int32_t count_unit = 0;
  std::size_t portion_bytes = std::size_t{64} << 20;  ///< memory of a portion; two are held at a time
  std::size_t list_bytes = std::size_t{256} << 20;    ///< memory of lists of hits; queries that need more take turns
  std::size_t kept_bytes = std::size_t{256} << 20;    ///< memory of the hits' sequences, of one turn
  Options call;                                       ///< of each batch call
  /// Told of each batch call's report. May be empty.
  std::function<void(const Report &)> called;
  /// Told what comes next: pairs, with which the search is done up to this share (nothing: not known). May be empty.
  std::function<void(std::uint64_t pairs, std::optional<double> until)> begins;
  /// Takes what was found of a turn: of as many queries as it has lists of, the first of them that of this index. Then
  /// find() returns no lists, so that their memory is that of a turn. May be empty.
  std::function<Status(std::size_t first_query, Findings &&found)> turn;
};

/// Finds the best targets of each query. Portions outside, all queries inside: a database is read once, or once for
/// each turn of the queries. The next portion is read while one is aligned.
/// @param aligner gives scores; more outputs cost time and are not looked at
/// @param queries at least one
/// @param source the database
/// @param options as above
/// @return what was found; errors: what the source and align_all() say, memory that does not suffice, all with the mend
Result<Findings> find(const Aligner &aligner, const Queries &queries, TargetSource &source, const FindOptions &options);

}  // namespace alnsmith::search
