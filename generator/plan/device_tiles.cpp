// See device_tiles.h.
#include "plan/device_tiles.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "plan/scoring_values.h"

namespace alnsmith::plan {
namespace {

using backend::Device;
using backend::Language;
using spec::Spec;
using targets::Share;

DeviceTile parse_tile(const std::string &text) {
  DeviceTile tile{};
  char x = 0;
  std::istringstream(text) >> tile.p >> x >> tile.k;
  return tile;
}

// More columns spill: `targets_test` with ALNSMITH_FULL=1.
constexpr int kAnyColumns = 64;

// More states than one double what begins leave of each column; a set of states is a word more than a letter.
int most_on_cuda(const Spec &s) {
  if (s.output.begin && gap_states(s) > 1) return 20;
  return columns_key(s) ? 28 : kAnyColumns;
}

// With a free end of the stream a mask per column says where an alignment's last one is: in a vector register, for one
// alignment per lane in two of the hundred scalar ones; and pairs keep a place in the matrix for each register letter,
// and a block's what it hands on besides; begins leave codes.
int most_on_amd(const Spec &s, const backend::Target &target, const TilesFor &kernels) {
  const bool local = s.alignment == spec::Alignment::local;
  const bool places = kernels.form == Form::pairwise && s.score.kind == spec::ScoreKind::matrix;
  int most = kAnyColumns;
  if (!local && s.ends.target_suffix)
    most = kernels.level > 0 ? 12 : gap_states(s) > 0 && s.ends.query_suffix ? 20 : 24;
  if (places) most = std::min(most, 16);
  if (!s.output.begin) return most;
  if (target.registers > 256) return std::min(most, 24);
  int begins = local && target.device->warp == 64 ? 16 : 20;
  if (places) begins -= 4;
  if (places && takes_block(kernels.mapping)) begins = std::min(begins, 16) - 4;
  if (gap_states(s) > 1) begins = std::min(begins, 12);
  return std::min(most, begins);
}

int most_columns(const Spec &s, const backend::Target &target, const TilesFor &kernels) {
  switch (target.device->language) {
    case Language::cuda:
      return most_on_cuda(s);
    case Language::hip:
      return most_on_amd(s, target, kernels);
    default:
      return kAnyColumns;
  }
}

}  // namespace

const targets::Mapping *find_mapping(std::string_view name) {
  const targets::Mapping *row = targets::find_mapping(name);
  return row && row->devices != Share::none ? row : nullptr;
}

std::vector<DeviceTile> device_tiles(const Spec &s, const backend::Target &target, const Tuning &tuning,
                                     const TilesFor &kernels) {
  const auto &[mapping, level, form, arithmetic] = kernels;
  const Device &device = *target.device;
  const int most = most_columns(s, target, kernels);
  const Choice tuned = tuning.of(form, arithmetic);
  spec::Tile wanted = tile_of(s, target);
  if (!wanted.p) wanted.p = tuned.p;
  if (!wanted.k) wanted.k = tuned.k;
  if (mapping.devices == Share::lane) return {{1, wanted.k.value_or(device.warp == 0 ? 16 : 32)}};
  if (takes_block(mapping))
    return {{device.warp > 0 ? device.warp : wanted.p.value_or(32), wanted.k.value_or(std::min(16, most))}};
  std::vector<DeviceTile> list;
  for (const std::string &text : words(s.output.begin           ? device.traced_tiles
                                       : form == Form::pairwise ? device.tiles
                                                                : device.profile_tiles)) {
    DeviceTile tile = parse_tile(text);
    tile.k = std::min(tile.k, most);
    if (wanted.p) tile.p = *wanted.p;
    if (wanted.k) tile.k = *wanted.k;
    const bool known = std::ranges::any_of(list, [&](DeviceTile t) { return t.p == tile.p && t.k == tile.k; });
    const bool enough = !list.empty() && s.max_query && list.back().p * list.back().k >= *s.max_query;
    if (!known && !enough) list.push_back(tile);
  }
  // Few pairs come to the wider levels: one tile serves them.
  if (level > 0 && !wanted.p && !wanted.k) list = {{std::min(16, list.back().p), std::min(16, most)}};
  return list;
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

bool contains(std::string_view list, const std::string &word) {
  const auto all = words(list);
  return std::ranges::find(all, word) != all.end();
}

}  // namespace alnsmith::plan
