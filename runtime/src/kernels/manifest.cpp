// Reading and validating a kernel manifest.  See manifest.h and docs/manifest.md.
//
// The reader collects the first error instead of unwinding: every getter returns a harmless value once
// something is wrong.
#include "kernels/manifest.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "alnsmith/strip_abi.h"
#include "base/json_depth.h"
#include "kernels/manifest_reader.h"
#include "targets/mappings.h"
#include "targets/targets.h"

namespace alnsmith::rt::kernels {
namespace {

constexpr std::size_t kMaxKernels = 4096, kMaxDepth = 64;
constexpr std::int64_t kMaxScratch = std::int64_t{1} << 40;

constexpr std::int64_t kMostSets = 64;

bool is_code(std::int64_t code, std::int64_t wildcard, std::int64_t codes) {
  return (code >= 0 && code < codes) || code == wildcard;
}

// The accepted bytes of one side; where there is a wildcard every other byte takes its code.
CodeTable read_codes(Reader &in, const Json &alphabet, std::string_view key, char wildcard, int wildcard_code,
                     std::size_t sets) {
  std::array<std::uint8_t, 256> codes;
  codes.fill(kInvalid);
  const Json &list = in.member(alphabet, key);
  if (!list.is_array() || list.empty()) in.fail(key, "must be a list of [byte, code]");
  for (const Json &item : list) {
    const bool pair =
        item.is_array() && item.size() == 2 && item[0].is_number_unsigned() && item[1].is_number_unsigned();
    const std::uint64_t byte = pair ? item[0].get<std::uint64_t>() : 0,
                        code = pair ? item[1].get<std::uint64_t>() : 255;
    if (byte < 1 || byte > 255 || code > 255 ||
        !is_code(static_cast<std::int64_t>(code), sets > 0 ? 0 : wildcard_code,
                 sets > 0 ? static_cast<std::int64_t>(sets) : 32)) {
      in.fail(key, "must list [byte 1..255, code 0..31 or the wildcard's]");
      break;
    }
    codes[byte] = static_cast<std::uint8_t>(code);
  }
  if (wildcard) {
    const std::uint8_t other = codes[static_cast<unsigned char>(wildcard)];
    if (other == kInvalid) in.fail(key, "must give the wildcard a code");
    std::replace(codes.begin(), codes.end(), kInvalid, other);
  }
  return CodeTable(codes);
}

void read_alphabet(Reader &in, const Json &alphabet, Manifest &m) {
  m.letters = in.text(alphabet, "letters");
  if (m.letters.empty() || m.letters.size() > 32) in.fail("letters", "must be 1 to 32 letters");
  char wildcard = 0;
  if (const Json &w = in.member(alphabet, "wildcard"); w.is_string() && w.get_ref<const std::string &>().size() == 1)
    wildcard = w.get_ref<const std::string &>()[0];
  else if (!w.is_null() && !(w.is_string() && w.get_ref<const std::string &>().empty()))
    in.fail("wildcard", "must be one letter or null");
  if (const Json &sets = in.member(alphabet, "sets"); !sets.is_null()) {
    if (!sets.is_array() || sets.empty() || sets.size() > kMostSets) in.fail("sets", "must be a list of 1 to 64");
    for (const Json &item : sets.is_array() ? sets : Json::array()) {
      const std::uint64_t set = item.is_number_unsigned() ? item.get<std::uint64_t>() : 0;
      if (set == 0 || set >> std::min<std::size_t>(m.letters.size(), 32) != 0)
        in.fail("sets", "must list sets of the letters, none of them empty");
      m.sets.push_back(static_cast<std::uint32_t>(set));
    }
  }
  m.query_codes = read_codes(in, alphabet, "query_codes", wildcard, ALN_CODE_QUERY_WILDCARD, m.sets.size());
  m.target_codes = read_codes(in, alphabet, "target_codes", wildcard, ALN_CODE_TARGET_WILDCARD, m.sets.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(m.letters.size(), 32); ++i) {
    m.query_code[i] = m.query_codes[m.letters[i]];
    m.target_code[i] = m.target_codes[m.letters[i]];
    if (m.query_code[i] == kInvalid || m.target_code[i] == kInvalid) in.fail("letters", "must each have a code");
  }
}

std::optional<std::uint64_t> read_maximum(Reader &in, const Json &semantics, std::string_view key) {
  if (in.member(semantics, key).is_null()) return std::nullopt;
  return static_cast<std::uint64_t>(in.number(semantics, key, 1, INT32_MAX));
}

// The costs of a gap's first line, and what letters score.
bool is_needed(const Manifest &m, int i) {
  if (i == ALN_MATCH || i == ALN_MISMATCH) return m.matrix == MatrixKind::none;
  return std::ranges::any_of(std::array{kInsertionOpens[0], kDeletionOpens[0]},
                             [&](int open) { return i == open || i == open + 1; });
}

void read_semantics(Reader &in, const Json &semantics, Manifest &m) {
  m.local = in.word(semantics, "alignment", {"global", "local", "semiglobal"}) == 1;
  m.minimize = in.word(semantics, "objective", {"maximize", "minimize"}) == 1;
  m.matrix = static_cast<MatrixKind>(in.word(semantics, "matrix", {"none", "folded", "runtime"}));
  m.max_query = read_maximum(in, semantics, "max_query");
  m.max_target = read_maximum(in, semantics, "max_target");
  if (const Json &band = in.member(semantics, "band"); band.contains("width")) {
    m.band_width = static_cast<std::size_t>(in.number(band, "width", 0, 1 << 30));
  } else if (!band.is_null()) {
    m.bounded = true;
    m.band_from = band.contains("from") ? in.predicate(band, "from") : in.predicate("from", std::string("-1073741824"));
    m.band_to = band.contains("to") ? in.predicate(band, "to") : in.predicate("to", std::string("1073741824"));
  }
  if (const Json &border = in.member(semantics, "border"); !border.is_null()) {
    m.query_begin_forbidden = border.contains("query_begin");
    m.target_begin_forbidden = border.contains("target_begin");
  }
  m.column_flags = semantics.contains("column_flags") && in.number(semantics, "column_flags", 0, 1) == 1;
  if (semantics.contains("score_at_flag"))
    m.score_at_flag = static_cast<int>(in.number(semantics, "score_at_flag", -10000, 10000));
  if (semantics.contains("deletion_at_flag"))
    m.deletion_at_flag = static_cast<int>(in.number(semantics, "deletion_at_flag", 0, 10000));

  const Json &ends = in.member(semantics, "free_ends");
  if (!ends.is_array() && !ends.is_null()) in.fail("free_ends", "must be a list");
  for (const Json &end : ends.is_array() ? ends : Json::array()) {
    const std::string name = end.is_string() ? end.get<std::string>() : "";
    const auto free = [&](bool &whole, bool &begin, bool &end) {
      whole = true;
      (name.ends_with("begin") ? begin : end) = true;
    };
    if (name == "query_begin" || name == "query_end")
      free(m.free_query, m.free_query_begin, m.free_query_end);
    else if (name == "target_begin" || name == "target_end")
      free(m.free_target, m.free_target_begin, m.free_target_end);
    else
      in.fail("free_ends", "may list query_begin, query_end, target_begin, target_end");
  }

  const Json &runtime = in.member(semantics, "runtime");
  if (!runtime.is_array() && !runtime.is_null()) in.fail("runtime", "must be a list");
  for (const Json &item : runtime.is_array() ? runtime : Json::array()) {
    const std::string name = item.is_string() ? item.get<std::string>() : "";
    const auto found = std::ranges::find_if(kScoringValues, [&](const ScoringValue &value) {
      return value.kind != ScoringValue::derived && name == value.name;
    });
    if (found != std::end(kScoringValues))
      m.runtime[static_cast<std::size_t>(found - kScoringValues)] = true;
    else if (name != "matrix")
      in.fail("runtime", "lists the unknown value '" + name.substr(0, 40) + "'");
  }

  const Json &scoring = in.member(semantics, "scoring");
  if (!scoring.is_object()) in.fail("scoring", "must be an object");
  for (int i = 0; i < ALN_SCORING_COUNT; ++i) {
    const ScoringValue &value = kScoringValues[i];
    if (m.runtime[i] || (in.member(scoring, value.name).is_null() && !is_needed(m, i))) continue;
    const bool cost = value.kind == ScoringValue::cost;
    m.scoring[i] = static_cast<int>(in.number(scoring, value.name, cost ? 0 : -1000000, 1000000));
  }
  for (const auto &opens : {kInsertionOpens, kDeletionOpens})
    for (int line = 1; line < kMostLines; ++line)
      if (m.gives(opens[line]) != m.gives(opens[line] + 1))
        in.fail("scoring", "must give both the open and the extend of a gap's line");
}

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= 512 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

const Json &read_patches(Reader &in, const Json &at, KernelInfo &kernel) {
  const Json &way = in.member(at, "way_back");
  kernel.way_back.patch_rows = static_cast<int>(in.number(way, "patch_rows", 1, 1024));
  return way;
}

constexpr std::size_t kLetterPlanes = 3;  // that bit-sliced kernels read (templates/policies.h)

void read_planes(Reader &in, const Json &at, KernelInfo &kernel) {
  if ((kernel.form != Form::pairwise && kernel.form != Form::split) || kernel.lanes % 64 != 0)
    in.fail("layout", "must not be " + std::string(layouts::planes) + " here");
  kernel.work = static_cast<int>(in.number(at, "work", 1, 100000));
  const Json &bits = in.member(at, "letter_bits");
  if (!bits.is_array() || bits.size() != kLetterPlanes) return in.fail("letter_bits", "must list three bits");
  for (const Json &bit : bits) {
    if (!bit.is_number_unsigned() || bit.get<std::uint64_t>() > 7)
      return in.fail("letter_bits", "must list bits, 0 to 7");
    kernel.letter_bits.push_back(static_cast<int>(bit.get<std::uint64_t>()));
  }
}

// Planes are what bit-sliced kernels of CPUs take, and they alone.
void read_layout(Reader &in, const Json &at, KernelInfo &kernel, std::string_view otherwise) {
  const bool planes = in.word(at, "layout", {otherwise, layouts::planes}) == 1;
  if (planes != kernel.sliced()) in.fail("layout", "is not that of kernels of such a width");
  if (planes) read_planes(in, at, kernel);
}

void read_cpu_shape(Reader &in, const Json &at, KernelInfo &kernel) {
  kernel.lanes = static_cast<int>(in.number(at, "lanes", 1, 1024));
  if (kernel.form == Form::single_query) in.fail("form", "must not be single_query for CPUs");
  read_layout(in, at, kernel, layouts::lanes);
  kernel.query_in_registers = in.word(at, "register_side", {"target", "query"}) == 1;
  if ((kernel.form == Form::shared_profile || kernel.form == Form::extent) && kernel.query_in_registers)
    in.fail("register_side", "must be target where the query is shared");
  const bool segments = in.flag(at, "segments"), refill = at.contains("refill") && in.flag(at, "refill");
  if (segments && refill) in.fail("refill", "must not be true where `segments` is");
  kernel.ends = segments ? LaneEnds::segments : refill ? LaneEnds::refilled : LaneEnds::padded;
  kernel.few_maxima = at.contains("few_maxima") && in.flag(at, "few_maxima");
  kernel.based = at.contains("based") && in.flag(at, "based");
  const Json &scratch = in.member(at, "scratch");
  kernel.scratch_fixed = static_cast<std::uint64_t>(in.number(scratch, "fixed", 0, kMaxScratch));
  kernel.scratch_per_letter = static_cast<std::uint64_t>(in.number(scratch, "per_stream_letter", 0, 1 << 20));
  if (!kernel.outputs.contains(kBegins.query)) return;
  if (kernel.sliced() && kernel.query_in_registers) in.fail("register_side", "must be target where bits find begins");
  const Json &way = read_patches(in, at, kernel);
  kernel.way_back.border = static_cast<std::uint64_t>(in.number(way, "border_per_stream_letter", 1, 1 << 20));
  kernel.way_back.states = static_cast<std::uint64_t>(in.number(way, "states_per_stream_letter", 1, 1 << 20));
}

void read_split_shape(Reader &in, const Json &at, KernelInfo &kernel) {
  kernel.lanes = static_cast<int>(in.number(at, "lanes", 1, 1024));
  read_layout(in, at, kernel, layouts::sequences);
  in.word(at, "register_side", {"query"});
  kernel.query_in_registers = true;
  kernel.split.border_ints = static_cast<int>(in.number(at, "border_ints", 1, 1 << 10));
  kernel.scratch_fixed = static_cast<std::uint64_t>(in.number(in.member(at, "scratch"), "fixed", 0, kMaxScratch));
  kernel.split.skew = static_cast<int>(in.number(at, "skew", 0, 64));
  if (!kernel.sliced() && kernel.split.skew * (kernel.lanes - 1) + kernel.lanes > ALN_STRIP_PAD)
    in.fail("skew", "must leave the lanes less than " + std::to_string(ALN_STRIP_PAD) + " rows apart");
  kernel.split.always = in.flag(at, "always");
  kernel.split.stripes = kernel.mapping == targets::mappings::striped;
  kernel.split.windows = !at.contains("windows") || in.flag(at, "windows");
  const bool more = kernel.split.windows || kernel.split.stripes || kernel.outputs.contains(kBegins.query);
  if (kernel.sliced() && more) in.fail("width", "of 1 is of strips without windows, and finds no begins");
  if (kernel.outputs.contains(kBegins.query))
    kernel.way_back.states =
        static_cast<std::uint64_t>(in.number(read_patches(in, at, kernel), "states_per_patch", 1, 1 << 20));
}

void read_device_shape(Reader &in, const Json &at, KernelInfo &kernel) {
  if (kernel.form == Form::split || kernel.form == Form::extent)
    in.fail("form", "must be pairwise, shared_profile or single_query for devices");
  const auto integer = [&](const char *key, std::int64_t least, std::int64_t most) {
    return static_cast<int>(in.number(at, key, least, most));
  };
  DeviceShape &d = kernel.device;
  in.word(at, "layout", {layouts::sequences});
  kernel.query_in_registers = in.word(at, "register_side", {"query", "target"}) == 0;
  kernel.level = integer("level", 0, 1000);
  d.suits = in.predicate(at, "suits");
  d.warp = integer("warp", 1, 1024);
  d.p = integer("p", 1, 1024);
  d.packing = integer("packing", 1, 32);
  if (kernel.sliced()) {
    d.spare_rows = integer("spare_rows", 0, 1 << 10);
    const bool shape = kernel.form == Form::pairwise && d.p == 1 && d.packing == 32 && !at.contains("way_back");
    if (!shape || kernel.outputs.contains(kBegins.query))
      in.fail("width", "of 1 is of form pairwise, p 1 and packing 32, and finds no begins");
  } else if (d.packing > 2) {
    in.fail("packing", "must be 1 or 2");
  }
  if (kernel.sliced() == kernel.query_in_registers) in.fail("register_side", "is not that of such kernels");
  d.threads = integer("threads", 1, 1024);
  d.block = in.word(at, "group", {"warp", "block"}) == 1;
  if (d.block && kernel.sliced()) in.fail("group", "must be warp where width is 1");
  if (d.warp % d.p != 0) in.fail("p", "must divide warp");
  if (d.threads % d.warp != 0) in.fail("threads", "must be a multiple of warp");
  d.shared_bytes = static_cast<std::size_t>(integer("shared_bytes", 0, 1 << 20));
  d.border_ints = integer("border_ints", 0, 1 << 16);
  if (at.contains("grid")) d.grid = integer("grid", 1, 64);
  if (kernel.outputs.contains(kBegins.query)) {
    const Json &way = in.member(at, "way_back");
    d.trace_row_words = static_cast<int>(in.number(way, "row_words", 1, 1 << 20));
    d.trace_rows = static_cast<int>(in.number(way, "rows", 0, 1 << 12));
    if (way.contains("walk_words")) d.walk_words = static_cast<int>(in.number(way, "walk_words", 1, 64));
  }
  if (!at.contains("shared_rows") && !at.contains("shared_bytes_per_row")) return;
  d.shared_rows = integer("shared_rows", 0, 1 << 20);
  d.shared_bytes_per_row = static_cast<std::size_t>(integer("shared_bytes_per_row", 0, 1 << 16));
  if (d.shared(d.shared_rows) > (std::size_t{1} << 20)) in.fail("shared_rows", "needs more than 1 MiB a block");
}

KernelInfo read_kernel(Reader &in, const Json &at, bool for_device) {
  KernelInfo kernel;
  kernel.entry = in.text(at, "entry");
  if (!is_identifier(kernel.entry)) in.fail("entry", "must be a C identifier");
  kernel.form = static_cast<Form>(
      in.word(at, "form", {kFormNames[0], kFormNames[1], kFormNames[2], kFormNames[3], kFormNames[4]}));
  kernel.mapping = in.text(at, "mapping");
  kernel.arithmetic = in.text(at, "arithmetic");
  kernel.width = static_cast<int>(in.number(at, "width", 1, 64));
  kernel.k = static_cast<int>(in.number(at, "k", 1, 1024));
  kernel.checked = in.flag(at, "checked");
  for (const OutputInfo &info : kOutputs)
    if (info.output == Output::score || (at.contains(info.key) && in.flag(at, info.key)))
      kernel.outputs.add(info.output);
  if (at.contains("cigar") && in.flag(at, "cigar")) kernel.outputs.add(Output::cigar);
  const bool begin = kernel.outputs.contains(kBegins.query);
  if ((begin && !kernel.outputs.contains(kEnds.query)) || (kernel.outputs.contains(Output::cigar) && !begin))
    in.fail("cigar", "takes a begin, and a begin an end");
  kernel.usable = in.predicate(at, "usable");
  kernel.exact = in.predicate(at, "exact", &kernel.exact_text);
  kernel.lengths_text = in.text(at, "lengths");
  kernel.lengths = in.predicate("lengths", kernel.lengths_text);
  if (for_device)
    read_device_shape(in, at, kernel);
  else if (kernel.form == Form::split)
    read_split_shape(in, at, kernel);
  else
    read_cpu_shape(in, at, kernel);
  return kernel;
}

void read_kernels(Reader &in, const Json &list, Manifest &m) {
  if (!list.is_array() || list.empty() || list.size() > kMaxKernels) return in.fail("kernels", "must be a list");
  for (const Json &item : list) {
    m.kernels.push_back(read_kernel(in, item, m.for_device));
    m.kernels.back().letter_bytes = m.letter_bytes();
    m.kernels.back().spare_rows = !m.sets.empty();
    if (!in.error.empty()) return;
  }
  // By form and width, or level; stripes, which may not hold a pair, before strips. Among equals the planner's order.
  std::map<std::tuple<Form, int, bool>, std::vector<KernelInfo>> groups;
  for (KernelInfo &kernel : m.kernels)
    groups[{kernel.form, m.for_device ? kernel.level : kernel.width, !kernel.split.stripes}].push_back(
        std::move(kernel));
  m.kernels.clear();
  for (int level = 0; auto &[key, group] : groups) {
    for (KernelInfo &kernel : group)
      if (!m.for_device) kernel.level = std::get<Form>(key) == Form::split ? level : level++;
    ++level;
    std::move(group.begin(), group.end(), std::back_inserter(m.kernels));
  }
  m.measure_kernels();
  if (m.band_width && std::ranges::any_of(m.kernels, [](const auto &k) { return k.form != Form::split || k.sliced(); }))
    in.fail("band", "is for kernels of form split and of scores alone");
  if (!m.kernels.empty()) m.outputs = m.kernels.front().outputs;
  for (const KernelInfo &kernel : m.kernels)
    if (kernel.form != Form::extent) m.outputs = m.outputs & kernel.outputs;
  for (const KernelInfo &kernel : m.kernels) {
    const bool asks = kernel.exact.uses(kScoreMin) || kernel.exact.uses(kScoreMax) || kernel.usable.uses(kScoreMin) ||
                      kernel.usable.uses(kScoreMax);
    if (asks && m.matrix == MatrixKind::folded && !(m.scoring[ALN_SCORE_MIN] && m.scoring[ALN_SCORE_MAX]))
      in.fail("scoring", "must give score_min and score_max of a folded matrix that a predicate asks for");
    const auto same = [&](const auto &other) { return other.entry == kernel.entry; };
    if (std::count_if(m.kernels.begin(), m.kernels.end(), same) != 1) in.fail("entry", "is there twice");
  }
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view text) {
  if (text.size() > (std::size_t{16} << 20) || deeper_than(kMaxDepth, text))
    return Error{"manifest: too large to be one"};
  const Json root = Json::parse(text, nullptr, false);
  if (root.is_discarded() || !root.is_object()) return Error{"manifest: not a JSON object"};
  Reader in;
  if (const auto schema = in.number(root, "schema", 0, 1 << 30); schema != 5)
    in.fail("schema", "is not 5: made for another version of alnsmith");
  if (in.number(root, "abi", 0, 1 << 30) != ALN_ABI_VERSION)
    in.fail("abi", "is not " + std::to_string(ALN_ABI_VERSION) + ": made for another version of alnsmith");
  Manifest m;
  m.text = std::string(text);
  if (in.error.empty()) {
    const Json &spec = in.member(root, "spec");
    m.spec_name = in.text(spec, "name");
    m.spec_hash = in.text(spec, "hash");
    if (const Json &g = in.member(root, "generator"); g.is_string()) m.generator = g.get<std::string>();
    m.target_name = in.text(root, "target");
    const auto target = targets::parse(m.target_name);
    if (const auto isa = parse_isa(m.target_name))
      m.target = *isa;
    else if (target && target->kind != targets::Kind::cpu)
      m.for_device = true;
    else
      in.fail("target", "is '" + m.target_name.substr(0, 40) + "', not a target that this runtime knows");
    read_semantics(in, in.member(root, "semantics"), m);
    read_alphabet(in, in.member(root, "alphabet"), m);
    if (in.error.empty()) read_kernels(in, in.member(root, "kernels"), m);
  }
  if (!in.error.empty()) return Error{in.error};
  return m;
}

void Manifest::measure_kernels() {
  widest_tile = widest_vector = 1;
  for (const KernelInfo &kernel : kernels) {
    if (kernel.strips()) widest_tile = std::max(widest_tile, kernel.k);
    widest_vector = std::max(widest_vector, kernel.lanes * kernel.width);
  }
}

std::pair<int, int> Manifest::band(const Values &values) const {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 30;
  const auto within = [&](const Predicate &bound) {
    return static_cast<int>(std::clamp<std::int64_t>(bound.value(values), -kFarthest, kFarthest));
  };
  return {within(band_from), within(band_to)};
}

}  // namespace alnsmith::rt::kernels
