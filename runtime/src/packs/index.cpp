// See index.h.  The reader collects the first error; its getters return harmless values once something is wrong.
#include "packs/index.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/files.h"
#include "base/json_depth.h"

namespace alnsmith::rt::packs {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kSchema = 1;
constexpr std::size_t kMaxUnits = 1 << 16, kMaxDepth = 8, kMaxText = 4096;

bool is_hash(std::string_view text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Names are shown and compared, never used as paths; still nothing that could become one is let in.
bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 200 && text[0] != '.' && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '+';
  });
}

bool is_printable(std::string_view text) {
  return text.size() <= kMaxText && std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

class Reader {
 public:
  std::string error;

  void fail(std::string_view key, std::string_view rule) {
    if (error.empty()) error = std::string(key) + " " + std::string(rule);
  }
  const Json &member(const Json &at, const char *key) {
    static const Json none;
    if (at.is_object())
      if (const auto found = at.find(key); found != at.end()) return *found;
    return none;
  }
  std::uint64_t number(const Json &at, const char *key, std::uint64_t most) {
    const Json &value = member(at, key);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most) return value.get<std::uint64_t>();
    return fail(key, "must be an integer up to " + std::to_string(most)), 0;
  }
  std::string text(const Json &at, const char *key, bool (*rule)(std::string_view), const char *words) {
    const Json &value = member(at, key);
    if (value.is_string() && rule(value.get_ref<const std::string &>())) return value.get<std::string>();
    return fail(key, words), std::string();
  }
  std::string hash(const Json &at, const char *key) { return text(at, key, is_hash, "must be 64 hex digits"); }
  std::string name(const Json &at, const char *key) {
    return text(at, key, is_name, "must be a name of letters, digits, '-', '_', '.' and '+'");
  }
  std::string line(const Json &at, const char *key) {
    return text(at, key, is_printable, "must be a line of printable ASCII");
  }
  const Json &list(const Json &at, const char *key) {
    static const Json none = Json::array();
    const Json &value = member(at, key);
    if (value.is_array() && value.size() <= kMaxUnits) return value;
    return fail(key, "must be a list"), none;
  }
  std::vector<std::string> lines(const Json &at, const char *key) {
    std::vector<std::string> out;
    for (const Json &item : list(at, key)) {
      if (!item.is_string() || !is_printable(item.get_ref<const std::string &>())) {
        fail(key, "must list lines of printable ASCII");
        break;
      }
      out.push_back(item.get<std::string>());
    }
    return out;
  }
};

Json blob_json(const Blob &blob) { return {{"offset", blob.offset}, {"size", blob.size}, {"sha256", blob.sha256}}; }

Blob read_blob(Reader &in, const Json &at) {
  Blob blob;
  blob.offset = in.number(at, "offset", UINT64_MAX);
  blob.size = in.number(at, "size", UINT64_MAX);
  blob.sha256 = in.hash(at, "sha256");
  return blob;
}

Json target_json(const PackTarget &target) {
  Json out = {{"kind", targets::kind_name(target.kind)}};
  if (target.kind == TargetKind::cpu) {
    out["machine"] = target.machine;
    out["isa"] = target.arch;
  } else if (!target.arch.empty()) {
    out["arch"] = target.arch;
  }
  if (!target.features.empty()) out["features"] = target.features;
  return out;
}

PackTarget read_target(Reader &in, const Json &at) {
  PackTarget target;
  const std::string kind = in.name(at, "kind");
  if (kind == "cpu") {
    target.machine = in.name(at, "machine");
    target.arch = in.name(at, "isa");
    return target;
  }
  std::string text = kind;
  if (!in.member(at, "arch").is_null()) text += ":" + in.name(at, "arch");
  if (!in.member(at, "features").is_null())
    for (const std::string &feature : in.lines(at, "features")) text += ":" + feature;
  auto parsed = parse_pack_target(text);
  if (parsed && parsed->kind != TargetKind::cpu) return *std::move(parsed);
  in.fail("target", "is none that this runtime knows");
  return target;
}

Json unit_json(const Unit &unit) {
  return {{"spec", unit.spec},
          {"target", target_json(unit.target)},
          {"kind", unit_kind_name(unit.kind)},
          {"kernels", unit.kernels},
          {"build", unit.build},
          {"text_sha256", unit.text_hash},
          {"key", unit.key},
          {"manifest", blob_json(unit.manifest)},
          {"binary", blob_json(unit.binary)}};
}

bool fits(TargetKind target, UnitKind kind) {
  switch (kind) {
    case UnitKind::shared_object:
      return target == TargetKind::cpu;
    case UnitKind::cubin:
    case UnitKind::ptx:
      return target == TargetKind::cuda;
    case UnitKind::code_object:
      return target == TargetKind::hip;
    default:
      return target == TargetKind::opencl;
  }
}

Unit read_unit(Reader &in, const Json &at, const Index &index) {
  Unit unit;
  unit.spec = in.number(at, "spec", kMaxUnits);
  unit.build = in.number(at, "build", kMaxUnits);
  if (unit.spec >= index.specs.size()) in.fail("spec", "is outside `specs`");
  if (unit.build >= index.builds.size()) in.fail("build", "is outside `builds`");
  unit.target = read_target(in, in.member(at, "target"));
  const auto kind = parse_unit_kind(in.name(at, "kind"));
  if (kind && fits(unit.target.kind, *kind))
    unit.kind = *kind;
  else
    in.fail("kind", "does not belong to the target");
  unit.kernels = in.number(at, "kernels", 1 << 20);
  unit.text_hash = in.hash(at, "text_sha256");
  unit.key = in.hash(at, "key");
  unit.manifest = read_blob(in, in.member(at, "manifest"));
  unit.binary = read_blob(in, in.member(at, "binary"));
  return unit;
}

void read_all(Reader &in, const Json &root, Index &index) {
  if (in.number(root, "schema", UINT32_MAX) != kSchema)
    return in.fail("schema", "is not 1: made by another version of alnsmith");
  index.writer = in.line(root, "writer");
  for (const Json &at : in.list(root, "specs")) {
    index.specs.push_back({in.name(at, "name"), in.hash(at, "hash"), read_blob(in, in.member(at, "text"))});
    if (!in.error.empty()) return;
  }
  for (const Json &at : in.list(root, "builds")) {
    index.builds.push_back({in.line(at, "compiler"), in.lines(at, "flags")});
    if (!in.error.empty()) return;
  }
  std::set<std::tuple<std::size_t, PackTarget>> seen;
  for (const Json &at : in.list(root, "units")) {
    index.units.push_back(read_unit(in, at, index));
    if (!in.error.empty()) return;
    if (!seen.emplace(index.units.back().spec, index.units.back().target).second)
      return in.fail("units", "hold " + unit_name(index, index.units.back()) + " twice");
  }
}

}  // namespace

std::string unit_key(const Unit &unit, const PackedBuild &build) {
  std::string text = "alnsmith unit 1\n" + unit.text_hash + "\n" + unit.target.machine + " " + unit.target.name() +
                     "\n" + build.compiler;
  for (const std::string &flag : build.flags) text += "\n" + flag;
  return sha256_hex(text);
}

std::string index_text(const Index &index) {
  Json specs = Json::array(), builds = Json::array(), units = Json::array();
  for (const PackedSpec &spec : index.specs)
    specs.push_back({{"name", spec.name}, {"hash", spec.hash}, {"text", blob_json(spec.text)}});
  for (const PackedBuild &build : index.builds)
    builds.push_back({{"compiler", build.compiler}, {"flags", build.flags}});
  for (const Unit &unit : index.units) units.push_back(unit_json(unit));
  const Json root = {
      {"schema", kSchema}, {"writer", index.writer}, {"specs", specs}, {"builds", builds}, {"units", units}};
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Index> parse_index(std::string_view text) {
  const Json root = deeper_than(kMaxDepth, text) ? Json() : Json::parse(text, nullptr, false);
  if (!root.is_object()) return Error{"index: not a JSON object"};
  Reader in;
  Index index;
  read_all(in, root, index);
  if (!in.error.empty()) return Error{"index: " + in.error};
  return index;
}

std::vector<Blob *> blobs_of(Index &index) {
  std::vector<Blob *> list;
  for (PackedSpec &spec : index.specs) list.push_back(&spec.text);
  for (Unit &unit : index.units) list.insert(list.end(), {&unit.manifest, &unit.binary});
  return list;
}

std::vector<const Blob *> blobs_of(const Index &index) {
  std::vector<const Blob *> list;
  for (const PackedSpec &spec : index.specs) list.push_back(&spec.text);
  for (const Unit &unit : index.units) list.insert(list.end(), {&unit.manifest, &unit.binary});
  return list;
}

std::string unit_name(const Index &index, const Unit &unit) {
  return index.specs[unit.spec].name + " for " + unit.target.name();
}

}  // namespace alnsmith::rt::packs
