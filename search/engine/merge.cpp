// Parts of a search brought together.
#include <algorithm>
#include <string>
#include <utility>

#include "alnsmith/search_parts.hpp"
#include "ranking.h"

namespace alnsmith::search {
namespace {

// What differs between two searches, in words; empty: nothing.
std::string difference(const SearchId &a, const SearchId &b) {
  if (a.queries != b.queries) return "other queries";
  if (a.database != b.database || a.sequences != b.sequences || a.letters != b.letters) return "another database";
  if (a.split != b.split) return "a database that is split otherwise (a file of sequences, and a database of `makedb`)";
  if (a.top != b.top) return "another --top";
  if (a.ties != b.ties) return "another --ties";
  if (a != b) return "another spec or other options";
  return {};
}

}  // namespace

Status Merge::add(const std::string &path, Part part) {
  if (whole_) {
    if (const std::string what = difference(whole_->id, part.id); !what.empty())
      return Error{path + ": is a part of another search than " + first_path_ + ": it has " + what +
                   ": merge the parts of one search"};
    if (whole_->shard.count != part.shard.count)
      return Error{path + ": is one of " + std::to_string(part.shard.count) + " shards, and " + first_path_ +
                   " one of " + std::to_string(whole_->shard.count) + ": merge the parts of one search"};
  }
  if (const auto [place, is_new] = paths_.emplace(part.shard.index, path); !is_new)
    return Error{path + ": is shard " + std::to_string(part.shard.index) + " of " + std::to_string(part.shard.count) +
                 ", and so is " + place->second + ": give each shard once"};
  if (!whole_) {
    first_path_ = path;
    whole_ = std::move(part);
    return Ok{};
  }
  Findings &all = whole_->findings;
  all.sequences += part.findings.sequences;
  all.letters += part.findings.letters;
  all.targets.merge(part.findings.targets);
  all.counts.add(part.findings.counts);
  for (std::size_t q = 0; q < all.hits.size(); ++q) {
    auto &list = all.hits[q];
    list.insert(list.end(), part.findings.hits[q].begin(), part.findings.hits[q].end());
    keep_best(list, whole_->id.top, whole_->id.ties, whole_->id.minimize);
  }
  // Forgets what is no longer a hit, so that no more is held than a single search would hold.
  std::map<std::uint64_t, Entry> kept;
  for (const auto &list : all.hits)
    for (const Found &hit : list)
      if (auto own = all.targets.extract(hit.number)) kept.insert(std::move(own));
  all.targets = std::move(kept);
  return Ok{};
}

Result<Part> Merge::finish() && {
  if (!whole_) return Error{"there are no parts: name the files that `alnsmith search --hits` wrote", 2};
  std::string missing;
  for (std::uint64_t i = 1, named = 0; i <= whole_->shard.count && named < 20; ++i)
    if (!paths_.contains(i)) {
      missing += (missing.empty() ? "" : ", ") + std::to_string(i);
      ++named;
    }
  if (!missing.empty())
    return Error{"of " + std::to_string(whole_->shard.count) + " shards " +
                 std::to_string(whole_->shard.count - paths_.size()) + " are missing, among them " + missing +
                 ": run `alnsmith search --shard` for them"};
  if (whole_->findings.letters != whole_->id.letters || whole_->findings.sequences != whole_->id.sequences)
    return Error{"the shards have " + std::to_string(whole_->findings.sequences) + " sequences with " +
                 std::to_string(whole_->findings.letters) + " letters, and the database " +
                 std::to_string(whole_->id.sequences) + " with " + std::to_string(whole_->id.letters) +
                 ": search them again"};
  whole_->shard = {};
  return std::move(*whole_);
}

}  // namespace alnsmith::search
