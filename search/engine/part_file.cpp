// Files of parts: a line that says what they are, a header in JSON, lists, and a hash of all that.
//
// Lists are little endian: lengths, counts and numbers of targets in 64 bits, scores and bins of counts in 32, strands
// in 8. Texts of a list lie
// one behind another, each with its length before it.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "alnsmith/search_parts.hpp"
#include "base/bytes.h"
#include "base/files.h"
#include "base/json_depth.h"

namespace alnsmith::search {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMagic = "alnsmith hits 2\n";
constexpr std::string_view kAnyMagic = "alnsmith hits ";
constexpr std::size_t kHash = 64;  // hex digits at the end

class Writer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_integral_v<T>);
    rt::put(text_, static_cast<std::uint64_t>(value), sizeof value);
  }
  void text(std::string_view value) {
    number(std::uint64_t{value.size()});
    text_ += value;
  }
  void entry(const Entry &value) {
    text(value.name);
    text(value.description);
    text(value.letters);
  }
  void raw(std::string_view value) { text_ += value; }
  std::string take() { return std::move(text_); }
  const std::string &so_far() const { return text_; }

 private:
  std::string text_;
};

// Reads what Writer wrote; past the end it reads zeros and is not good any more.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  template <class T>
  T number() {
    T value{};
    if (!has(sizeof value)) return value;
    value = static_cast<T>(rt::get(rest_, 0, sizeof value));
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number<std::uint64_t>();
    if (!has(size)) return {};
    std::string out(rest_.substr(0, static_cast<std::size_t>(size)));
    rest_.remove_prefix(static_cast<std::size_t>(size));
    return out;
  }
  Entry entry() {
    Entry out;
    out.name = text();
    out.description = text();
    out.letters = text();
    return out;
  }
  // A count of things that take `bytes` each, at least.
  std::uint64_t count(std::size_t bytes) {
    const std::uint64_t n = number<std::uint64_t>();
    good_ = good_ && n <= rest_.size() / bytes;
    return good_ ? n : 0;
  }
  bool good() const { return good_; }
  bool at_end() const { return good_ && rest_.empty(); }

 private:
  bool has(std::uint64_t bytes) {
    good_ = good_ && bytes <= rest_.size();
    return good_;
  }
  std::string_view rest_;
  bool good_ = true;
};

Json header_of(const Part &part) {
  return {{"run", part.id.run},
          {"database", part.id.database},
          {"split", part.id.split},
          {"sequences", part.id.sequences},
          {"letters", part.id.letters},
          {"top", part.id.top},
          {"ties", part.id.ties == Ties::keep ? "keep" : "first"},
          {"minimize", part.id.minimize},
          {"shard", {part.shard.index, part.shard.count}},
          {"searched", {part.findings.sequences, part.findings.letters}}};
}

// Whether the header says what header_of() writes.
bool read_header(const std::string &text, Part &part) {
  if (deeper_than(4, text)) return false;
  const Json header = Json::parse(text, nullptr, false);
  if (!header.is_object()) return false;
  const auto string = [&](const char *key, std::string &out) {
    const auto at = header.find(key);
    if (at == header.end() || !at->is_string()) return false;
    out = at->get<std::string>();
    return true;
  };
  const auto count = [](const Json &value, auto &out) {
    if (!value.is_number_unsigned()) return false;
    out = value.get<std::uint64_t>();
    return true;
  };
  const auto two = [&](const char *key, std::uint64_t &a, std::uint64_t &b) {
    const auto at = header.find(key);
    return at != header.end() && at->is_array() && at->size() == 2 && count((*at)[0], a) && count((*at)[1], b);
  };
  std::string ties;
  const auto minimize = header.find("minimize");
  if (minimize == header.end() || !minimize->is_boolean()) return false;
  part.id.minimize = minimize->get<bool>();
  const auto unsigned_key = [&](const char *key, auto &out) { return header.contains(key) && count(header[key], out); };
  const bool read = string("run", part.id.run) && string("database", part.id.database) &&
                    string("split", part.id.split) && string("ties", ties) &&
                    unsigned_key("sequences", part.id.sequences) && unsigned_key("letters", part.id.letters) &&
                    unsigned_key("top", part.id.top) && two("shard", part.shard.index, part.shard.count) &&
                    two("searched", part.findings.sequences, part.findings.letters);
  part.id.ties = ties == "keep" ? Ties::keep : Ties::first;
  return read && (ties == "keep" || ties == "first") && part.shard.index >= 1 && part.shard.index <= part.shard.count;
}

void write_counts(Writer &out, const ScoreCounts &counts) {
  out.number(counts.unit);
  if (counts.unit <= 0) return;
  for (const CountedTargets &bin : counts.targets) {
    out.number(bin.sequences);
    out.number(bin.letters);
  }
  for (const auto &list : counts.queries) {
    out.number(std::uint64_t{list.size()});
    for (const CountedPairs &one : list) {
      out.number(one.bin);
      out.number(one.pairs);
    }
  }
}

// Whether they are counts, of so many queries.
bool read_counts(Reader &in, std::size_t queries, ScoreCounts &counts) {
  counts.unit = in.number<std::int32_t>();
  if (counts.unit <= 0) return counts.unit == 0;
  counts.targets.resize(kLengthBins);
  for (CountedTargets &bin : counts.targets) {
    bin.sequences = in.number<std::uint64_t>();
    bin.letters = in.number<std::uint64_t>();
  }
  for (std::size_t q = 0; q < queries && in.good(); ++q) {
    auto &list = counts.queries.emplace_back();
    for (std::uint64_t n = in.count(12); n > 0 && in.good(); --n) {
      const auto bin = in.number<std::uint32_t>();
      const bool ascending = list.empty() || list.back().bin < bin;
      if (!ascending || bin >= kLengthBins * kScoreBins) return false;
      list.push_back({bin, in.number<std::uint64_t>()});
    }
  }
  return true;
}

// Hits refer to sequences that the part has, one each.
bool complete(const Part &part) {
  for (const auto &list : part.findings.hits)
    for (const Found &hit : list)
      if (!part.findings.targets.contains(hit.number)) return false;
  return true;
}

bool read_lists(Reader &in, Part &part) {
  for (std::uint64_t n = in.count(24); n > 0 && in.good(); --n) part.id.queries.push_back(in.entry());
  for (std::size_t q = 0; q < part.id.queries.size() && in.good(); ++q) {
    auto &list = part.findings.hits.emplace_back();
    for (std::uint64_t n = in.count(13); n > 0 && in.good(); --n) {
      Found hit;
      hit.number = in.number<std::uint64_t>();
      hit.score = in.number<std::int32_t>();
      hit.strand = in.number<std::uint8_t>() != 0 ? Strand::minus : Strand::plus;
      list.push_back(hit);
    }
  }
  for (std::uint64_t n = in.count(32); n > 0 && in.good(); --n) {
    const auto number = in.number<std::uint64_t>();
    part.findings.targets.emplace(number, in.entry());
  }
  return read_counts(in, part.id.queries.size(), part.findings.counts) && in.at_end() && complete(part);
}

}  // namespace

Status write_part(const std::string &path, const Part &part) {
  Writer out;
  out.raw(kMagic);
  // Texts of the caller may be any bytes; its JSON is UTF-8.
  out.text(header_of(part).dump(-1, ' ', false, Json::error_handler_t::replace));
  out.number(std::uint64_t{part.id.queries.size()});
  for (const Entry &query : part.id.queries) out.entry(query);
  for (const auto &list : part.findings.hits) {
    out.number(std::uint64_t{list.size()});
    for (const Found &hit : list) {
      out.number(hit.number);
      out.number(hit.score);
      out.number(static_cast<std::uint8_t>(hit.strand));
    }
  }
  out.number(std::uint64_t{part.findings.targets.size()});
  for (const auto &[number, target] : part.findings.targets) {
    out.number(number);
    out.entry(target);
  }
  write_counts(out, part.findings.counts);
  const std::string hash = rt::sha256_hex(out.so_far());
  out.raw(hash);
  return rt::write_file(path, out.take(), 0644);
}

bool is_part(const std::string &path) {
  std::error_code failed;
  std::string begin(kAnyMagic.size(), '\0');
  if (!std::filesystem::is_regular_file(path, failed)) return false;  // a pipe may never give a byte
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kAnyMagic;
}

Result<Part> read_part(const std::string &path, std::size_t most_bytes) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (!failed && !is_part(path))
    return Error{path + ": is no part of a search: name a file that `alnsmith search --hits` wrote"};
  if (!failed && size > most_bytes)
    return Error{path + ": is a part of " + std::to_string(size) + " bytes, more than the " +
                 std::to_string(most_bytes) + " that memory allows: raise --memory"};
  const Result<std::string> bytes = rt::read_file(path, most_bytes);
  if (!bytes) return bytes.error();
  const std::string_view all = *bytes;
  if (!all.starts_with(kMagic))
    return Error{path +
                 ": is a part of another version of alnsmith: search that shard again, or merge with the version "
                 "that wrote it"};
  const Error damaged{path + ": is damaged or cut short: search that shard again"};
  if (all.size() < kMagic.size() + kHash ||
      rt::sha256_hex(all.substr(0, all.size() - kHash)) != all.substr(all.size() - kHash))
    return damaged;
  Reader in(all.substr(kMagic.size(), all.size() - kHash - kMagic.size()));
  Part part;
  const std::string header = in.text();
  if (!in.good() || !read_header(header, part) || !read_lists(in, part)) return damaged;
  return part;
}

}  // namespace alnsmith::search
