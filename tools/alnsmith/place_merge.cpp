// See place_merge.h.
#include "place_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "alnsmith/branch_vectors.hpp"
#include "common/named_spec.h"
#include "common/text.h"
#include "totals.h"

namespace alnsmith::tool {
namespace {

using namespace placement;

class PlaceMerge {
 public:
  explicit PlaceMerge(const PlaceMergeArguments &arguments) : arguments_(arguments) {}

  Status run() {
    if (Status ok = check_place_outputs(arguments_.outputs, {}); !ok) return ok;
    for (const std::string &path : arguments_.folders)
      if (Status ok = add(path); !ok) return ok;
    if (Status ok = complete(); !ok) return ok;
    Result<References> references = references_of(state_->run);
    if (!references) return references.error();
    const RunFolder out(arguments_.outputs.folder);
    if (Status ok = check_out(out); !ok) return ok;
    if (Status ok = check_place_folder(arguments_.outputs); !ok) return ok;
    if (Status ok = out.set_state(*state_); !ok) return ok;
    const Placements placements{*references, state_->run, *state_->blocks,
                                [&](std::uint64_t b) { return find(b)->read(b, hash_); }};
    Result<ReadCounts> written = write_placements(placements, arguments_.outputs);
    if (!written) return written.error();
    state_->complete = true;
    state_->reads_of_branch = std::move(written->of_branch);
    if (Status ok = out.set_state(*state_); !ok) return ok;
    if (Status ok = out.remove_blocks(); !ok) return ok;  // of the shard that lay there
    if (!arguments_.quiet)
      print_line(fmt::format("folders={} blocks={} reads={}", folders_.size(), *state_->blocks, written->reads));
    return Ok{};
  }

 private:
  Status add(const std::string &path) {
    const std::string shown = printable(path, 400);
    folders_.emplace_back(path);
    Result<std::optional<RunState>> state = folders_.back().state();
    if (!state) return state.error();
    if (!*state)
      return Error{fmt::format("{}: holds no placement: name folders that `alnsmith place --shard` wrote", shown)};
    if ((*state)->complete)
      return Error{fmt::format("{}: holds results already: name folders that `alnsmith place --shard` wrote", shown)};
    if ((*state)->run.version != ALNSMITH_VERSION)
      return Error{fmt::format("{}: was placed by alnsmith {}, and this is {}: merge with that version, or place again",
                               shown, printable((*state)->run.version), ALNSMITH_VERSION)};
    if (!(*state)->blocks)
      return Error{fmt::format("{}: its run did not come to its end: start it again with the same options", shown)};
    if (!state_) {
      hash_ = (*state)->run.hash();
      state_ = std::move(**state);
      return Ok{};
    }
    const std::string first = printable(arguments_.folders.front(), 400);
    if ((*state)->run.hash() != hash_)
      return Error{fmt::format("{} and {}: are of two runs (spec, flags, tree or references differ)", first, shown)};
    if ((*state)->reads != state_->reads || (*state)->blocks != state_->blocks)
      return Error{fmt::format("{} and {}: are of other reads", first, shown)};
    return Ok{};
  }

  const RunFolder *find(std::uint64_t block) const {
    for (const RunFolder &folder : folders_)
      if (folder.has(block)) return &folder;
    return nullptr;
  }

  Status complete() const {
    std::string missing;
    std::uint64_t n = 0;
    for (std::uint64_t b = 0; b < *state_->blocks; ++b)
      if (find(b) == nullptr && n++ < 20) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", b + 1);
    if (n == 0) return Ok{};
    return Error{fmt::format("blocks {}{} of {} are in none of the folders: run the other shards, and name all folders",
                             missing, n > 20 ? ", ..." : "", *state_->blocks)};
  }

  // The results may lie in a folder of shards, and in none of another run.
  Status check_out(const RunFolder &out) const {
    const Result<std::optional<RunState>> state = out.state();
    if (!state) return state.error();
    if (!*state || ((*state)->run.hash() == hash_ && (*state)->reads == state_->reads)) return Ok{};
    return Error{fmt::format("--out {}: has results of another run: name another folder, or remove it",
                             printable(arguments_.outputs.folder, 400))};
  }

  static Result<References> references_of(const RunId &run) {
    Result<Tree> tree = Tree::read(run.tree, "the folder's tree");
    if (!tree) return tree.error();
    const ReferenceAlignment &alignment = run.alignment;
    const bool even =
        std::ranges::all_of(alignment.rows, [&](const std::string &row) { return row.size() == alignment.columns(); });
    if (!even || alignment.columns() == 0 || alignment.names.size() != alignment.rows.size())
      return Error{"run.json is damaged: place again"};
    std::vector<std::uint32_t> kept = kept_columns(alignment);
    if (kept.empty()) return Error{"run.json is damaged: place again"};
    return References{std::move(*tree), std::move(kept)};
  }

  const PlaceMergeArguments &arguments_;
  std::vector<RunFolder> folders_;
  std::optional<RunState> state_;
  std::string hash_;
};

}  // namespace

Status merge_placements(const PlaceMergeArguments &arguments) { return PlaceMerge(arguments).run(); }

}  // namespace alnsmith::tool
