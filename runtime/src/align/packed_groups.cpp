// See packed_groups.h. docs/database.md has the tables of bytes.
#include "align/packed_groups.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <tuple>

#include "align/pack.h"
#include "align/shape.h"
#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/files.h"
#include "base/guard.h"

namespace alnsmith::rt::align {
namespace {

static_assert(std::endian::native == std::endian::little, "packed targets are read as they lie in memory");

constexpr std::string_view kPackedMagic = "ALNPKT01";
constexpr std::size_t kPackedHead = 128, kPackedAlign = 64, kLayoutHashBytes = 32;
constexpr std::size_t kChecksumAt = 12;
static_assert(sizeof(PackedGroups::Group) == 32);

// Targets of a lane, where lanes are refilled: enough that unlike lengths even out, few enough that many threads find
// groups.
constexpr std::size_t kPackedPerLane = 8;

// What a layout says.
struct Layout {
  kernels::KernelInfo kernel;  // its lanes, k and refill alone
  std::uint8_t pad = ALN_CODE_TARGET_PAD;
  kernels::CodeTable codes;
};

std::string text_of(const kernels::KernelInfo &kernel, const kernels::CodeTable &codes) {
  const std::string_view bytes(reinterpret_cast<const char *>(codes.data()), 256);
  return std::string(kernels::layouts::lanes) + " lanes=" + std::to_string(kernel.lanes) +
         " k=" + std::to_string(kernel.k) + " refill=" + std::to_string(int{kernel.refills()}) +
         " pad=" + std::to_string(ALN_CODE_TARGET_PAD) + " codes=" + to_hex(bytes);
}

// The number behind `key`, up to `most`.
std::optional<int> number_after(std::string_view text, std::string_view key, int most) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  int value = -1;
  const auto [end, error] = std::from_chars(text.data() + at + key.size(), text.data() + text.size(), value);
  return error == std::errc() && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

// Nothing where text_of() gives no such text.
std::optional<Layout> read_layout(std::string_view text) {
  constexpr int kMostLanes = 1024, kMostK = 1024;
  constexpr std::string_view kCodes = " codes=";
  const auto lanes = number_after(text, " lanes=", kMostLanes), k = number_after(text, " k=", kMostK),
             refill = number_after(text, " refill=", 1);
  const std::size_t codes = text.find(kCodes);
  if (!lanes || !k || !refill || *lanes == 0 || *k == 0 || codes == std::string_view::npos) return std::nullopt;
  const std::string bytes = from_hex(text.substr(codes + kCodes.size()));
  if (bytes.size() != 256) return std::nullopt;
  std::array<std::uint8_t, 256> table;
  std::memcpy(table.data(), bytes.data(), table.size());
  Layout out{{}, ALN_CODE_TARGET_PAD, kernels::CodeTable(table)};
  out.kernel.lanes = *lanes;
  out.kernel.k = *k;
  if (*refill != 0) out.kernel.ends = kernels::LaneEnds::refilled;
  return text_of(out.kernel, out.codes) == text ? std::optional(out) : std::nullopt;
}

std::string hash_of(std::string_view layout) { return from_hex(sha256_hex(layout)); }

template <class T>
void append(std::string &to, std::span<const T> values) {
  to.append(reinterpret_cast<const char *>(values.data()), values.size_bytes());
}
void align_end(std::string &text) { text.resize((text.size() + kPackedAlign - 1) / kPackedAlign * kPackedAlign); }

// `count` values that lie at `at`, which moves behind them; nothing where they do not lie there.
template <class T>
std::optional<std::span<const T>> array_at(std::string_view bytes, std::size_t &at, std::uint64_t count) {
  if (at > bytes.size() || count > (bytes.size() - at) / sizeof(T)) return std::nullopt;
  const auto *begin = reinterpret_cast<const T *>(bytes.data() + at);
  at += count * sizeof(T);
  return std::span(begin, count);
}

// Groups one behind another, as the file has them.
struct Packing {
  std::vector<std::uint32_t> at;
  std::vector<PackedGroups::Group> groups;
  std::string bytes;  // of the groups
};

// The letters of a part of `loaded`, behind its refills.
void add_group(const Layout &layout, const Loaded &loaded, std::size_t first, Packing &out) {
  const LoadedPart &part = loaded.parts.front();
  PackedGroups::Group group;
  group.at = out.bytes.size();
  group.first = first;
  group.count = static_cast<std::uint32_t>(part.at.size());
  group.columns = static_cast<std::uint32_t>(std::ranges::max(part.loading.length));
  group.refills = static_cast<std::uint32_t>(part.loading.refills());
  out.at.insert(out.at.end(), part.at.begin(), part.at.end());
  append(out.bytes, std::span<const int>(part.loading.refill_column));
  align_end(out.bytes);
  append(out.bytes, std::span<const std::uint8_t>(part.letters, static_cast<std::size_t>(part.loading.rows) *
                                                                    static_cast<std::size_t>(layout.kernel.lanes)));
  align_end(out.bytes);
  group.checksum = crc32c_quarters(std::string_view(out.bytes).substr(group.at));
  out.groups.push_back(group);
}

Error bad_letter(const Layout &layout, std::span<const std::string_view> targets) {
  for (std::size_t t = 0; t < targets.size(); ++t)
    if (const auto at = layout.codes.first_invalid(targets[t]))
      return Error{"target " + std::to_string(t + 1) + ", position " + std::to_string(*at + 1) +
                   ": the letter is not in the alphabet of the layout"};
  return Error{"a letter is not in the alphabet of the layout"};
}

Result<std::string> packed(const Layout &layout, std::string_view text, std::span<const std::string_view> targets) {
  if (targets.size() > std::numeric_limits<std::uint32_t>::max()) return Error{"more than 4,294,967,295 targets"};
  const std::vector<std::uint32_t> places = by_length(targets);
  std::vector<std::uint32_t> lengths;
  for (const std::uint32_t place : places) lengths.push_back(static_cast<std::uint32_t>(targets[place].size()));
  Packing out;
  Loaded loaded;
  const std::size_t most =
      static_cast<std::size_t>(layout.kernel.lanes) * (layout.kernel.refills() ? kPackedPerLane : std::size_t{1});
  for (std::size_t first = 0; first < places.size(); first += most) {
    std::vector<std::string_view> members;
    for (std::size_t i = first; i < std::min(first + most, places.size()); ++i) members.push_back(targets[places[i]]);
    const auto done = load_lanes({layout.codes, layout.pad}, layout.kernel, members, loaded);
    if (!done) return done.error();
    if (!*done) return bad_letter(layout, targets);
    add_group(layout, loaded, first, out);
  }
  std::string head(kPackedMagic);
  put(head, 0, 8);  // checksum, below
  put(head, targets.size(), 8);
  put(head, places.size(), 8);
  put(head, out.groups.size(), 8);
  std::string tables;
  append(tables, std::span<const std::uint32_t>(places));
  append(tables, std::span<const std::uint32_t>(lengths));
  append(tables, std::span<const std::uint32_t>(out.at));
  align_end(tables);
  const std::size_t before = kPackedHead + tables.size() + out.groups.size() * sizeof(PackedGroups::Group);
  const std::size_t begin = (before + kPackedAlign - 1) / kPackedAlign * kPackedAlign;
  put(head, begin + out.bytes.size(), 8);
  head += hash_of(text);
  head.resize(kPackedHead);
  for (PackedGroups::Group &group : out.groups) group.at += begin;
  append(tables, std::span<const PackedGroups::Group>(out.groups));
  std::string all = head + tables;
  align_end(all);
  std::string sum;
  put(sum, crc32c_quarters(std::string_view(all).substr(kChecksumAt + 4)), 4);
  all.replace(kChecksumAt, 4, sum);
  return all + out.bytes;
}

}  // namespace

std::string layout_of(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel) {
  if (!manifest.sets.empty() || kernel.letter_bytes != 1 || kernel.spare_rows != 0) return "";
  return text_of(kernel, manifest.target_codes);
}

Error PackedGroups::damaged(const std::string &what) const {
  return Error{packed_.name + ": damaged: " + what + ": remove it, or make it again"};
}

Result<PackedGroups> PackedGroups::open(const PackedTargets &packed, std::span<const std::string_view> targets) {
  PackedGroups out;
  out.packed_ = packed;
  const std::string_view bytes = packed.bytes;
  if (bytes.size() < kPackedHead || !bytes.starts_with(kPackedMagic))
    return out.damaged("does not begin as packed targets do");
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0)
    return Error{packed.name + ": does not lie at a multiple of 8"};
  const std::uint64_t count = get(bytes, 24, 8), groups = get(bytes, 32, 8);
  std::size_t at = kPackedHead;
  const auto places = array_at<std::uint32_t>(bytes, at, count), lengths = array_at<std::uint32_t>(bytes, at, count),
             slots = array_at<std::uint32_t>(bytes, at, count);
  at = (at + kPackedAlign - 1) / kPackedAlign * kPackedAlign;
  const auto list = array_at<Group>(bytes, at, groups);
  at = (at + kPackedAlign - 1) / kPackedAlign * kPackedAlign;
  if (!places || !lengths || !slots || !list || at > bytes.size() || get(bytes, 40, 8) != bytes.size())
    return out.damaged("is cut off");
  if (crc32c_quarters(bytes.substr(kChecksumAt + 4, at - kChecksumAt - 4)) != get(bytes, kChecksumAt, 4))
    return out.damaged("its tables do not have their checksum");
  std::tie(out.places_, out.lengths_, out.at_, out.groups_) = std::tie(*places, *lengths, *slots, *list);
  if (get(bytes, 16, 8) != targets.size()) return out.damaged("is of other targets");
  for (std::size_t i = 0; i < count; ++i)
    if (out.places_[i] >= targets.size() || targets[out.places_[i]].size() != out.lengths_[i])
      return out.damaged("is of other targets");
  std::uint64_t next = 0;
  for (const Group &group : out.groups_) {
    if (group.first != next || group.count == 0 || group.count > count - next) return out.damaged("its groups");
    next += group.count;
    out.columns_ += group.columns;
  }
  if (next != count) return out.damaged("its groups");
  return out;
}

bool PackedGroups::serves(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel) const {
  const std::string layout = layout_of(manifest, kernel);
  return !layout.empty() && packed_.bytes.substr(48, kLayoutHashBytes) == hash_of(layout);
}

std::size_t PackedGroups::loaded_bytes(std::size_t group, const kernels::KernelInfo &kernel) const {
  const std::size_t result = sizeof(int) * kernel.outputs.size() + 2;
  return (std::size_t{groups_[group].refills} + 1) * static_cast<std::size_t>(kernel.lanes) * result;
}

Status PackedGroups::load(std::size_t number, const kernels::KernelInfo &kernel, Loaded &out) const {
  const Group &group = groups_[number];
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  const std::string_view bytes = packed_.bytes;
  std::size_t at = group.at;
  const auto wrong = [&](const char *what) { return damaged("group " + std::to_string(number + 1) + what); };
  const auto refills = array_at<int>(bytes, at, std::uint64_t{group.refills} + 1);
  at = (at + kPackedAlign - 1) / kPackedAlign * kPackedAlign;
  const std::size_t rows = packed_rows(kernel.register_rows(group.columns));
  const auto letters = array_at<std::uint8_t>(bytes, at, rows * lanes);
  if (group.at % 4 != 0 || group.columns == 0 || group.columns > std::numeric_limits<int>::max() - kPackedAlign ||
      !refills || !letters || refills->back() != -1)
    return wrong(" lies outside of it");
  at = (at + kPackedAlign - 1) / kPackedAlign * kPackedAlign;
  if (at > bytes.size() || crc32c_quarters(bytes.substr(group.at, at - group.at)) != group.checksum)
    return wrong(" does not have its checksum");
  LoadedPart part;
  part.at = at_.subspan(group.first, group.count);
  const std::size_t results = (std::size_t{group.refills} + 1) * lanes;
  const auto lengths = lengths_.subspan(group.first, group.count);
  for (std::size_t i = 0; i < group.count; ++i)
    if (part.at[i] >= results || lengths[i] == 0 || lengths[i] > group.columns)
      return wrong(" has targets outside of it");
  part.letters = letters->data();
  if (reinterpret_cast<std::uintptr_t>(part.letters) % kPackedAlign != 0) {
    std::uint8_t *copy = out.buffer.reserve(letters->size());
    std::copy(letters->begin(), letters->end(), copy);
    part.letters = copy;
  }
  part.loading.rows = static_cast<int>(rows);
  part.loading.length.assign(lanes, static_cast<int>(kernel.refills() ? group.columns : lengths.back()));
  for (std::size_t i = 0; !kernel.refills() && i < group.count; ++i)
    part.loading.length[part.at[i]] = static_cast<int>(lengths[i]);
  part.loading.refill_column.assign(refills->begin(), refills->end());
  set_refill_lanes(part.at, lanes, part.loading);
  out.parts.clear();
  out.parts.push_back(std::move(part));
  return Ok{};
}

}  // namespace alnsmith::rt::align

namespace alnsmith {

Result<std::string> pack_targets(std::string_view layout, std::span<const std::string_view> targets) {
  return rt::guarded([&]() -> Result<std::string> {
    const auto known = rt::align::read_layout(layout);
    if (!known) return Error{"the layout of packed targets is none that this version of alnsmith knows"};
    return rt::align::packed(*known, layout, targets);
  });
}

}  // namespace alnsmith
