/// @file
/// Significance of local alignments: how many hits of a score chance gives in a search (E), scores in bits, and how far
/// a score stands from those of shuffled targets (z).
///
/// Everything here is thread-safe; errors are values. What comes out depends on the arguments alone and is the same to
/// the last bit on every machine: no clock, no threads, no libm. Lengths are in letters, scores in the spec's units.
/// docs/statistics.md says what was measured against what.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/result.hpp"
#include "alnsmith/score_counts.hpp"

namespace alnsmith::search {

/// A line of a gap's cost: open + extend * length, both 0 and up.
struct GapLine {
  int open = 0;    ///< for being there
  int extend = 0;  ///< for each letter
  /// @return whether they are the same
  bool operator==(const GapLine &) const = default;
};

/// A local scoring that is maximised, without the spec that it comes from.
struct ScoringSystem {
  std::string letters;             ///< of the alphabet in the order of their codes, upper case
  std::map<char, char> synonyms;   ///< further upper-case bytes, and the letters that they stand for
  char wildcard = 0;               ///< takes what is no letter; 0: there is none
  std::vector<int> matrix;         ///< letters x letters, row = query letter
  std::vector<GapLine> insertion;  ///< query letters against nothing cost the smallest of these, one at least
  std::vector<GapLine> deletion;   ///< the same for target letters
};

/// How common letters are where nothing is related.
struct Frequencies {
  std::string name;           ///< where they come from: "robinson", "uniform", or a caller's word for its own
  std::vector<double> parts;  ///< of each letter of the alphabet, in its order; 0 and up, the sum 1
  /// @return whether they are the same
  bool operator==(const Frequencies &) const = default;

  /// Those that a scoring has where none are given: for alphabets with the twenty amino acids those of Robinson and
  /// Robinson (PNAS 88:8880, 1991), as BLAST has them; for others, A, C, G and T (or U) where all are there, else every
  /// letter but the wildcard, equally often.
  /// @param scoring whose alphabet @return the frequencies
  static Frequencies standard(const ScoringSystem &scoring);
  /// From counts, as those of a database's letters. Letters that standard() gives nothing are left out.
  /// @param scoring whose alphabet @param name for messages and results
  /// @param counts how often each byte occurs, either case @return the frequencies; an error where no letter is there
  static Result<Frequencies> counted(const ScoringSystem &scoring, std::string name,
                                     std::span<const std::uint64_t, 256> counts);
};

/// Where statistics come from.
enum class Method {
  none,      ///< there are none
  table,     ///< NCBI's tabulated values of protein matrices
  simulate,  ///< alignments of random sequences, by the spec's own kernels
  fit        ///< a query's own scores with a database, by fit_statistics()
};
/// A method's name, as options and parts of searches have it. @param method which @return "none", "table", "simulate",
/// "fit"
std::string_view method_name(Method method);

/// How the length of an alignment on one side goes with its score y: mean a*y + b, variance alpha*y + beta.
struct LengthGrowth {
  double a = 0;      ///< letters for each unit of score
  double b = 0;      ///< letters
  double alpha = 0;  ///< letters squared for each unit of score
  double beta = 0;   ///< letters squared
  /// @return whether they are the same
  bool operator==(const LengthGrowth &) const = default;
};

/// The distribution of the best local score of two unrelated sequences, lengths counted with it (Karlin and Altschul
/// 1990; Altschul et al. 2001; Park, Sheetlin, Ma, Madden and Spouge, BMC Research Notes 5:286, 2012).
struct Statistics {
  Method method = Method::none;  ///< where the rest comes from; none: the rest means nothing
  std::string source;            ///< in words: "NCBI: BLOSUM62, 11 + 1*L"
  std::string frequencies;       ///< the name of the letter frequencies that it holds for
  double lambda = 0;             ///< 1 / unit of score
  double lambda_error = 0;       ///< its standard error; of tabulated values half a unit of the last digit
  double k = 0;                  ///< K, 1 / letter pair
  double k_error = 0;            ///< as lambda_error
  double h = 0;                  ///< relative entropy of alignments, nats for each pair of letters
  LengthGrowth query, target;    ///< of the sides
  double sigma = 0;              ///< the covariance of both lengths is sigma*y + tau
  double tau = 0;                ///< letters squared
  int period = 1;                ///< scores are rounded down to multiples of it: 2/-3 has next to no odd ones
  double ungapped_lambda = 0;    ///< of the matrix alone under `frequencies`; Composition compares with it

  /// @return whether they are the same, every bit
  bool operator==(const Statistics &) const = default;
};

/// Hits that chance gives, at this score or better, of one query with the whole database: Spouge's finite-size form,
///   K e^(-lambda y) [p(m) p(n) + c Phi Phi] D / n, y being ratio * score and the brackets the pairs of letters that an
/// alignment of this score can start at. Equal to BLAST's and DIAMOND's where theirs are not corrected for composition.
/// @param statistics of the scoring, method not `none`
/// @param score raw, 0 and up
/// @param ratio of Composition, or 1 for what BLAST gives without its correction
/// @param query_length 1 and up @param target_length 1 and up
/// @param database_letters of all targets together
/// @return E, 0 and up
double expected_hits(const Statistics &statistics, std::int64_t score, double ratio, std::uint64_t query_length,
                     std::uint64_t target_length, std::uint64_t database_letters);
/// A score in bits: (lambda y - ln K) / ln 2.
/// @param statistics as above @param score as above @param ratio as above @return bits
double bit_score(const Statistics &statistics, std::int64_t score, double ratio);

/// How often each letter of a scoring's alphabet occurs in a sequence; what has no part in the background frequencies
/// (wildcards, ambiguity codes) is left out.
using LetterCounts = std::vector<std::uint32_t>;

/// Compares a pair's letters with those that statistics hold for: proteins of few letters reach high scores by chance
/// alone (Schaffer et al., NAR 29:2994, 2001, is the idea).
class Composition {
 public:
  /// @param scoring with a matrix that has a positive entry @param frequencies that the statistics hold for
  Composition(const ScoringSystem &scoring, const Frequencies &frequencies);

  /// @param sequence letters, either case @return how often each occurs
  LetterCounts count(std::string_view sequence) const;
  /// What the pair's score is to be multiplied by before E and bits: the ungapped lambda of its own letters over the
  /// standard one, never above 1.
  /// @param query counts of the query's letters @param target counts of the target's
  /// @return 0 to 1; nothing where the mean score of the pair's letters is not negative or none of them scores
  ///   positively, so that there is no lambda and no E can be given
  std::optional<double> ratio(const LetterCounts &query, const LetterCounts &target) const;
  /// The ungapped lambda of the frequencies given. @return it; nothing where there is none
  std::optional<double> standard_lambda() const { return standard_; }

 private:
  std::optional<double> lambda(const std::vector<double> &query, const std::vector<double> &target) const;

  std::array<std::uint8_t, 256> code_{};  // of a byte; letters_ for what is left out
  std::size_t letters_ = 0;
  std::vector<int> scores_;              // distinct entries, ascending
  std::vector<std::uint16_t> score_of_;  // letters x letters: index into scores_
  std::optional<double> standard_;
};

/// Which statistics a search wants.
struct StatisticsRequest {
  /// `auto` where empty: a table's row if there is one for the scoring and the frequencies are standard, else
  /// simulation. `fit`: the same, for fit_statistics() to start from.
  std::optional<Method> method;
  std::optional<Frequencies> frequencies;  ///< empty: Frequencies::standard()
  std::string cache_dir;                   ///< of simulations' results, as Sources::cache_dir
  bool use_known = true;  ///< false: simulated anew, whatever cache and library hold, and nothing is left behind
};

/// The statistics of a scoring.
/// @param scoring which
/// @param request how
/// @param open opens an aligner with this scoring whose outputs contain `begin`, for sequences of any length; called
///   only where something has to be simulated
/// @param options of the calls of that aligner: threads, memory_bytes and cancelled are read
/// @return the statistics, with method none if that was asked for. Errors: the scoring has no significance because
///   its scores grow with the sequences' length, or no row of a table (2); what opening and aligning give
Result<Statistics> find_statistics(const ScoringSystem &scoring, const StatisticsRequest &request,
                                   const std::function<Result<Aligner>()> &open, const Options &options = {});

/// The steps in which scores come: where all matches score alike, other scores than their multiples are rare.
/// @param scoring which @param frequencies by which some letters occur
/// @return the greatest common divisor of the positive scores of letters that occur, 1 and up
int score_period(const ScoringSystem &scoring, const Frequencies &frequencies);

/// Pairs of a query that a fit needs at least.
inline constexpr std::uint64_t kLeastFitted = 500;

/// Statistics of one query with one database, from all its scores: lambda and K by maximum likelihood, each target with
/// its length. Of scores that half of the targets reach, or fewer, the value counts, of lower ones their number; scores
/// so high that few are expected are left out, so that relatives of the query do not count.
/// @param reference of the scoring: how long alignments are, and where the search for lambda begins; method not `none`
/// @param query_length in letters, 1 and up @param counts of scores @param query which of the counts'
/// @return the statistics; an error where the scores are too few, or do not follow the law
Result<Statistics> fit_statistics(const Statistics &reference, std::uint64_t query_length, const ScoreCounts &counts,
                                  std::size_t query);

/// NCBI's row for a scoring: matrices are compared by their entries for the twenty amino acids, not by name.
/// @param scoring which @return the statistics, where both sides cost the same single line and a row has it
std::optional<Statistics> tabulated(const ScoringSystem &scoring);

/// As JSON: parts of a search carry their statistics with them. Doubles come back as they were, every bit.
/// @param statistics which @return one line
std::string to_json(const Statistics &statistics);
/// The reverse. @param json as to_json gives it @return the statistics; an error says what is missing or of another
/// kind
Result<Statistics> statistics_from_json(std::string_view json);

/// A hit whose score is compared with those of shuffled targets.
struct ShuffledHit {
  std::string_view query;           ///< letters
  std::string_view target;          ///< letters
  std::uint64_t target_number = 0;  ///< in the whole database: shards agree on the shuffles
  std::int32_t score = 0;           ///< of query with target
};

/// z-values: (score - mean) / standard deviation over `shuffles` permutations of the target's letters, its sign turned
/// where small scores are good ones. The permutations follow from the query's letters and the target's number alone.
/// The relative error of the deviation, so of z, is about sqrt(1.1 / shuffles).
/// @param hits any number, of any kind of alignment
/// @param shuffles of each target, 2 and up
/// @param minimize whether small scores are good ones
/// @param aligner gives scores
/// @param options of its calls: threads, memory_bytes, scoring and cancelled are read
/// @return one for each hit, nothing where all shuffles score alike; what aligning gives as errors, too few shuffles
/// (2)
Result<std::vector<std::optional<double>>> z_values(std::span<const ShuffledHit> hits, int shuffles, bool minimize,
                                                    const Aligner &aligner, const Options &options = {});

}  // namespace alnsmith::search
