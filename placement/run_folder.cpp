// Folders of runs and files of blocks. See placement_blocks.hpp.
//
// A block: a line that says what it is, the hash of its run, its number, how many reads; of each read name, letters,
// score, branches, the second best, runs; and a hash of all that. Numbers are little endian, texts and lists have their
// length before them.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "alnsmith/placement_blocks.hpp"
#include "base/bytes.h"
#include "base/files.h"
#include "base/json_depth.h"
#include "quoted.h"

namespace alnsmith::placement {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kBlockMagic = "alnsmith placed reads 1\n";
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kMostBytes = std::size_t{1} << 40;

class BlockWriter {
 public:
  void number(std::uint64_t value, int bytes) { rt::put(text_, value, bytes); }
  void text(std::string_view value) {
    number(value.size(), 8);
    text_ += value;
  }
  void raw(std::string_view value) { text_ += value; }
  void list(const std::vector<std::uint32_t> &values) {
    number(values.size(), 8);
    for (const std::uint32_t value : values) number(value, 4);
  }
  std::string take() { return std::move(text_); }
  const std::string &so_far() const { return text_; }

 private:
  std::string text_;
};

// Past the end it reads zeros and is not good any more.
class BlockReader {
 public:
  explicit BlockReader(std::string_view rest) : rest_(rest) {}
  std::uint64_t number(int bytes) {
    if (!has(static_cast<std::uint64_t>(bytes))) return 0;
    const std::uint64_t value = rt::get(rest_, 0, bytes);
    rest_.remove_prefix(static_cast<std::size_t>(bytes));
    return value;
  }
  std::string text() {
    const std::uint64_t size = number(8);
    if (!has(size)) return {};
    std::string out(rest_.substr(0, static_cast<std::size_t>(size)));
    rest_.remove_prefix(static_cast<std::size_t>(size));
    return out;
  }
  std::vector<std::uint32_t> list() {
    std::vector<std::uint32_t> out;
    const std::uint64_t n = number(8);
    good_ = good_ && n <= rest_.size() / 4;
    for (std::uint64_t i = 0; good_ && i < n; ++i) out.push_back(static_cast<std::uint32_t>(number(4)));
    return out;
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

std::uint32_t bits(std::int32_t value) { return static_cast<std::uint32_t>(value); }

void write_read(BlockWriter &out, const PlacedRead &placed) {
  out.text(placed.read.name);
  out.text(placed.read.letters);
  out.number(bits(placed.score), 4);
  out.list(placed.branches);
  out.number(placed.second ? 1 : 0, 1);
  if (placed.second) {
    out.number(placed.second->branch, 4);
    out.number(bits(placed.second->score), 4);
  }
  out.list(placed.runs);
}

PlacedRead read_read(BlockReader &in) {
  PlacedRead placed;
  placed.read.name = in.text();
  placed.read.letters = in.text();
  placed.score = static_cast<std::int32_t>(in.number(4));
  placed.branches = in.list();
  if (in.number(1) != 0) {
    placed.second.emplace();
    placed.second->branch = static_cast<std::uint32_t>(in.number(4));
    placed.second->score = static_cast<std::int32_t>(in.number(4));
  }
  placed.runs = in.list();
  return placed;
}

Json to_json(const RunId &run) {
  return {{"version", run.version},    {"name", run.name},         {"spec", run.spec}, {"flags", run.flags},
          {"alphabet", run.alphabet},  {"minimize", run.minimize}, {"tree", run.tree}, {"names", run.alignment.names},
          {"rows", run.alignment.rows}};
}

Result<RunState> state_of(const std::string &text, const std::string &path) {
  const Error damaged{path +
                      ": does not say which run this folder is of: name another folder for --out, or remove this one"};
  if (deeper_than(8, text)) return damaged;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return damaged;
  RunState state;
  try {
    RunId &run = state.run;
    json.at("version").get_to(run.version);
    json.at("name").get_to(run.name);
    json.at("spec").get_to(run.spec);
    json.at("flags").get_to(run.flags);
    json.at("alphabet").get_to(run.alphabet);
    json.at("minimize").get_to(run.minimize);
    json.at("tree").get_to(run.tree);
    json.at("names").get_to(run.alignment.names);
    json.at("rows").get_to(run.alignment.rows);
    if (!json.at("blocks").is_null()) state.blocks = json.at("blocks").get<std::uint64_t>();
    json.at("reads").get_to(state.reads);
    json.at("complete").get_to(state.complete);
    if (state.complete) json.at("reads_of_branch").get_to(state.reads_of_branch);
  } catch (const Json::exception &) {
    return damaged;
  }
  return state;
}

}  // namespace

std::string RunId::hash() const {
  BlockWriter all;  // of hashes, as a copy of the alignment would take as much memory again
  for (const std::string *text : {&version, &name, &spec, &flags, &alphabet, &tree}) all.raw(rt::sha256_hex(*text));
  all.number(minimize ? 1 : 0, 1);
  for (std::size_t i = 0; i < alignment.names.size(); ++i) {
    all.raw(rt::sha256_hex(alignment.names[i]));
    all.raw(rt::sha256_hex(alignment.rows[i]));
  }
  return rt::sha256_hex(all.so_far());
}

RunFolder::RunFolder(std::string path) : path_(std::move(path)) {}

std::string RunFolder::block_path(std::uint64_t number) const {
  char name[40];
  std::snprintf(name, sizeof name, "/blocks/%08llu", static_cast<unsigned long long>(number + 1));
  return path_ + name;
}

Result<std::optional<RunState>> RunFolder::state() const {
  const std::string path = path_ + "/run.json";
  std::error_code failed;
  if (!fs::exists(path, failed)) return std::optional<RunState>();
  const Result<std::string> text = rt::read_file(path, kMostBytes);
  if (!text) return text.error();
  Result<RunState> state = state_of(*text, path);
  if (!state) return state.error();
  return std::optional<RunState>(std::move(*state));
}

Status RunFolder::set_state(const RunState &state) const {
  std::error_code failed;
  fs::create_directories(path_, failed);
  if (failed) return Error{path_ + ": cannot be made: " + failed.message()};
  Json json = to_json(state.run);
  json["blocks"] = state.blocks ? Json(*state.blocks) : Json();
  json["reads"] = state.reads;
  json["complete"] = state.complete;
  if (state.complete) json["reads_of_branch"] = state.reads_of_branch;
  std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
  return rt::write_file(path_ + "/run.json", text += '\n', 0666);
}

bool RunFolder::has(std::uint64_t number) const {
  std::error_code failed;
  return fs::exists(block_path(number), failed);
}

Result<std::vector<PlacedRead>> RunFolder::read(std::uint64_t number, const std::string &run) const {
  const std::string path = block_path(number);
  const Result<std::string> text = rt::read_file(path, kMostBytes);
  if (!text) return text.error();
  const Error damaged{path + ": is damaged, or no block of reads: remove it and run again"};
  const std::string_view all = *text;
  if (!all.starts_with(kBlockMagic) || all.size() < kBlockMagic.size() + 2 * kHashDigits) return damaged;
  const std::string_view body = all.substr(0, all.size() - kHashDigits);
  if (rt::sha256_hex(body) != all.substr(body.size())) return damaged;
  if (body.substr(kBlockMagic.size(), kHashDigits) != run)
    return Error{path + ": is of another run: name another folder, or remove this one"};
  BlockReader in(body.substr(kBlockMagic.size() + kHashDigits));
  if (in.number(8) != number) return damaged;
  const std::uint64_t n = in.number(8);
  std::vector<PlacedRead> reads;
  for (std::uint64_t i = 0; in.good() && i < n; ++i) reads.push_back(read_read(in));
  if (!in.at_end()) return damaged;
  return reads;
}

Status RunFolder::write(std::uint64_t number, const std::string &run, const std::vector<PlacedRead> &reads) const {
  std::error_code failed;
  fs::create_directories(path_ + "/blocks", failed);
  if (failed) return Error{path_ + "/blocks: cannot be made: " + failed.message()};
  BlockWriter out;
  out.raw(kBlockMagic);
  out.raw(run);
  out.number(number, 8);
  out.number(reads.size(), 8);
  for (const PlacedRead &read : reads) write_read(out, read);
  out.raw(rt::sha256_hex(out.so_far()));
  return rt::write_file(block_path(number), out.so_far(), 0666);
}

Status RunFolder::remove_blocks() const {
  std::error_code failed;
  fs::remove_all(path_ + "/blocks", failed);
  if (failed) return Error{path_ + "/blocks: cannot be removed: " + failed.message()};
  return Ok{};
}

}  // namespace alnsmith::placement
