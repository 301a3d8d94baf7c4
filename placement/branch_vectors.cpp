// Vectors of all branches. See branch_vectors.hpp.
//
// Each node has a vector of what is below it, and each branch one of all that is above it; both are made of two others
// by the same rules. Columns do not know each other, so blocks of them are computed one by one, and by several threads.
#include "alnsmith/branch_vectors.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>
#include <type_traits>
#include <utility>

#include "gap_rules.h"
#include "quoted.h"

namespace alnsmith::placement {
namespace {

// Cells of kBytes each: a set, and the flag in the bits above it. Cells of one and of four bytes are expanded as
// vectors.
template <std::size_t kBytes>
void expand_cells(const std::uint8_t *from, unsigned states, std::span<std::uint32_t> sets, std::uint8_t *flags) {
  using Cell =
      std::conditional_t<kBytes == 1, std::uint8_t, std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>;
  const auto all = static_cast<Cell>((std::uint64_t{1} << states) - 1);
  for (std::size_t c = 0; c < sets.size(); ++c) {
    Cell cell = 0;
    std::memcpy(&cell, from + c * kBytes, kBytes);
    sets[c] = static_cast<std::uint32_t>(cell & all);
    flags[c] = cell > all;
  }
}

std::uint32_t parsimony(std::uint32_t a, std::uint32_t b) { return (a & b) != 0 ? a & b : a | b; }

// What lies on one side of a branch: vectors of a block of columns.
template <class Gap>
struct Side {
  std::vector<std::uint32_t> sets;
  std::vector<typename Gap::Value> gaps;
  explicit Side(std::size_t columns) : sets(columns), gaps(columns) {}
};

// Bytes of a column in the sides of all branches.
template <class Gap>
std::size_t column_bytes(const Tree &tree) {
  return 2 * tree.nodes().size() * (sizeof(std::uint32_t) + sizeof(typename Gap::Value));
}

// A view of one side: whose vectors, behind which branch, and whether it is a tip.
template <class Gap>
struct Seen {
  const Side<Gap> *side;
  const typename Gap::Branch *branch;
  bool tip;
};

template <class Gap>
class Block {
 public:
  Block(const Tree &tree, const Gap &gap, std::size_t columns)
      : tree_(tree), gap_(gap), below_(tree.nodes().size(), Side<Gap>(columns)), above_(below_) {}

  // Columns [first, first + n) of `kept`.
  template <class Put>
  void run(const ReferenceAlignment &alignment, std::span<const std::size_t> row_of, const StateAlphabet &alphabet,
           std::span<const std::uint32_t> kept, const Put &put) {
    n_ = kept.size();
    for (std::size_t t = 0; t < row_of.size(); ++t) {
      Side<Gap> &side = below_[static_cast<std::size_t>(tree_.tips()[t])];
      const std::string &row = alignment.rows[row_of[t]];
      for (std::size_t c = 0; c < n_; ++c) {
        side.sets[c] = alphabet.sets[static_cast<unsigned char>(row[kept[c]])];
        side.gaps[c] = gap_.tip(is_gap(row[kept[c]]), side.sets[c] == alphabet.all());
      }
    }
    const std::vector<Node> &nodes = tree_.nodes();
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
      if (!nodes[i].tip()) join(seen_below(nodes[i].children[0]), seen_below(nodes[i].children[1]), below_[i]);
    for (std::size_t i = nodes.size() - 1; i-- > 0;) {
      const auto [a, b] = beyond(static_cast<int>(i));
      join(a, b, above_[i]);
    }
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) at_branch(i, put);
  }

 private:
  Seen<Gap> seen_below(int node) const {
    const auto i = static_cast<std::size_t>(node);
    return {&below_[i], &gap_.branch(i), tree_.nodes()[i].tip()};
  }

  // The two sides that a node's parent has beside the node.
  std::pair<Seen<Gap>, Seen<Gap>> beyond(int node) const {
    const auto parent = static_cast<std::size_t>(tree_.nodes()[static_cast<std::size_t>(node)].parent);
    std::vector<Seen<Gap>> sides;
    for (const int child : tree_.nodes()[parent].children)
      if (child != node) sides.push_back(seen_below(child));
    if (sides.size() == 1) sides.push_back({&above_[parent], &gap_.branch(parent), false});
    return {sides[0], sides[1]};
  }

  void join(const Seen<Gap> &a, const Seen<Gap> &b, Side<Gap> &out) const {
    for (std::size_t c = 0; c < n_; ++c) {
      out.sets[c] = parsimony(a.side->sets[c], b.side->sets[c]);
      out.gaps[c] = gap_.join(a.side->gaps[c], *a.branch, b.side->gaps[c], *b.branch, a.tip || b.tip);
    }
  }

  // The root is put on the branch: both sides lie behind all of it.
  template <class Put>
  void at_branch(std::size_t i, const Put &put) const {
    const Side<Gap> &a = below_[i], &b = above_[i];
    const bool tip = tree_.nodes()[i].tip();
    for (std::size_t c = 0; c < n_; ++c)
      put(i, c, parsimony(a.sets[c], b.sets[c]),
          gap_.flagged(gap_.join(a.gaps[c], gap_.branch(i), b.gaps[c], gap_.branch(i), tip)));
  }

  const Tree &tree_;
  const Gap &gap_;
  std::vector<Side<Gap>> below_, above_;
  std::size_t n_ = 0;
};

// Of the columns that are kept.
double share_of_gaps(const ReferenceAlignment &alignment, const std::vector<std::uint32_t> &kept) {
  std::uint64_t gaps = 0;
  for (const std::string &row : alignment.rows)
    for (const std::uint32_t c : kept) gaps += is_gap(row[c]);
  return static_cast<double>(gaps) / (static_cast<double>(kept.size()) * static_cast<double>(alignment.rows.size()));
}

Status check_lengths(const Tree &tree, const std::string &file) {
  std::size_t missing = 0;
  const Node *first = nullptr;
  for (std::size_t i = 0; i < tree.branches(); ++i)
    if (!tree.nodes()[i].length && missing++ == 0) first = &tree.nodes()[i];
  if (missing == 0) return Ok{};
  return Error{file + ": " + std::to_string(missing) + " of " + std::to_string(tree.branches()) +
               " branches have no length" + (first->tip() ? ", the first that of tip " + in_quotes(first->label) : "") +
               ", and gap probabilities need them: give a tree with branch lengths, or --flags cgap"};
}

std::vector<std::string> warnings_of(const Tree &tree, const std::string &file) {
  std::size_t negative = 0;
  for (const Node &node : tree.nodes()) negative += node.length.value_or(0) < 0;
  if (negative == 0) return {};
  return {
      file + ": " + std::to_string(negative) + " of " + std::to_string(tree.branches()) +
      " branches have a negative length, which gap probabilities make little of: set them to 0, or give --flags cgap"};
}

constexpr std::size_t kMostColumns = 4096;  // of a block
constexpr std::size_t kLeastColumns = 16;

// Computes blocks of columns on all threads, each with sides of its own.
template <class Gap, class Put>
Status for_blocks(const Tree &tree, const Gap &gap, const ReferenceAlignment &alignment,
                  std::span<const std::size_t> row_of, const StateAlphabet &alphabet,
                  std::span<const std::uint32_t> kept, std::size_t memory, int threads, const Put &put) {
  const std::size_t column = column_bytes<Gap>(tree);
  const std::size_t fit = memory / column;
  if (fit < kLeastColumns)
    return Error{"ancestral vectors of " + std::to_string(tree.branches()) + " branches need at least " +
                 std::to_string(kLeastColumns * column) + " bytes more: raise --memory"};
  const std::size_t even = (kept.size() + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  const std::size_t workers =
      std::min(static_cast<std::size_t>(threads), std::max<std::size_t>(1, fit / kLeastColumns));
  const std::size_t width = std::min({kMostColumns, std::max<std::size_t>(even, 1), fit / workers});
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    Block<Gap> block(tree, gap, width);
    for (std::size_t first; (first = next.fetch_add(width)) < kept.size();)
      block.run(
          alignment, row_of, alphabet, kept.subspan(first, std::min(width, kept.size() - first)),
          [&](std::size_t branch, std::size_t c, std::uint32_t set, bool flag) { put(branch, first + c, set, flag); });
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < workers; ++i) others.emplace_back(work);
  work();
  return Ok{};
}

}  // namespace

std::optional<FlagRule> flag_rule(std::string_view word) {
  if (word == "none") return FlagRule::none;
  if (word == "cgap") return FlagRule::cgap;
  if (word == "probability") return FlagRule::probability;
  return std::nullopt;
}

std::vector<std::uint32_t> kept_columns(const ReferenceAlignment &alignment) {
  std::vector<bool> kept(alignment.columns());
  for (const std::string &row : alignment.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      if (!is_gap(row[c])) kept[c] = true;
  std::vector<std::uint32_t> out;
  for (std::size_t c = 0; c < kept.size(); ++c)
    if (kept[c]) out.push_back(static_cast<std::uint32_t>(c));
  return out;
}

Result<BranchVectors> BranchVectors::compute(const Tree &tree, const ReferenceAlignment &alignment,
                                             std::span<const std::size_t> row_of, const StateAlphabet &alphabet,
                                             const VectorOptions &options) {
  if (options.rule == FlagRule::probability)
    if (Status ok = check_lengths(tree, options.tree_file); !ok) return ok.error();
  BranchVectors out;
  if (options.rule == FlagRule::probability) out.warnings_ = warnings_of(tree, options.tree_file);
  out.branches_ = tree.branches();
  out.states_ = alphabet.states;
  out.cell_bytes_ = out.states_ < 8 ? 1 : out.states_ < 32 ? 4 : 5;
  out.kept_ = kept_columns(alignment);
  if (out.kept_.empty()) return Error{options.alignment_file + ": has gaps alone: give references with letters"};
  const std::size_t bytes = out.branches_ * out.kept_.size() * out.cell_bytes_;
  if (bytes >= options.memory_bytes)
    return Error{"ancestral vectors of " + std::to_string(out.branches_) + " branches and " +
                 std::to_string(out.kept_.size()) + " columns need " + std::to_string(bytes) +
                 " bytes, more than their share of --memory, " + std::to_string(options.memory_bytes) + ": raise it"};
  out.cells_.resize(bytes);
  const auto put = [&](std::size_t branch, std::size_t column, std::uint32_t set, bool flag) {
    const std::uint64_t cell = set | (flag ? std::uint64_t{1} << out.states_ : 0);
    std::memcpy(&out.cells_[(branch * out.kept_.size() + column) * out.cell_bytes_], &cell, out.cell_bytes_);
  };
  const auto run = [&](const auto &gap) {
    return for_blocks(tree, gap, alignment, row_of, alphabet, out.kept_, options.memory_bytes - bytes, options.threads,
                      put);
  };
  Status done = options.rule == FlagRule::probability ? run(GapProbability(tree, share_of_gaps(alignment, out.kept_)))
                : options.rule == FlagRule::cgap      ? run(GapParsimony())
                                                      : run(NoGaps());
  if (!done) return done.error();
  return out;
}

void BranchVectors::expand(std::size_t branch, std::span<std::uint32_t> sets, std::span<std::uint8_t> flags) const {
  const std::uint8_t *from = &cells_[branch * kept_.size() * cell_bytes_];
  const auto run = cell_bytes_ == 1 ? &expand_cells<1> : cell_bytes_ == 4 ? &expand_cells<4> : &expand_cells<5>;
  run(from, states_, sets.first(kept_.size()), flags.data());
}

}  // namespace alnsmith::placement
