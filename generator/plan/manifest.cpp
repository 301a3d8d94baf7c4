// The manifest of a plan.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "plan/plan.h"
#include "plan/scoring_values.h"
#include "plan/version.h"
#include "spec/canonical.h"
#include "spec/codes.h"

namespace alnsmith::plan {

namespace {

using nlohmann::ordered_json;
using spec::Spec;

const char *alignment_name(spec::Alignment a) {
  switch (a) {
    case spec::Alignment::global:
      return "global";
    case spec::Alignment::local:
      return "local";
    case spec::Alignment::semiglobal:
      return "semiglobal";
  }
  return "";
}

ordered_json codes(const Spec &s, spec::Side side) {
  ordered_json list = ordered_json::array();
  for (const auto &[byte, code] : spec::letter_codes(s, side)) list.push_back({byte, code});
  return list;
}

// Numbers of the sets in the list of letter_sets(), which is what letters are read by.
ordered_json set_codes(const Spec &s) {
  const std::vector<std::uint32_t> sets = spec::letter_sets(s.alphabet);
  ordered_json list = ordered_json::array();
  for (const auto &[byte, states] : spec::letter_codes(s, spec::Side::query))
    list.push_back({byte, std::ranges::find(sets, static_cast<std::uint32_t>(states)) - sets.begin()});
  return list;
}

ordered_json semantics(const Spec &s) {
  ordered_json scoring = ordered_json::object(), runtime = ordered_json::array();
  const ScoringValues n = scoring_values(s);
  auto put = [&](int i) {
    if (n[i].runtime)
      runtime.push_back(kScoringValues[i].name);
    else
      scoring[kScoringValues[i].name] = n[i].value;
  };
  if (s.score.kind == spec::ScoreKind::match) {
    put(ALN_MATCH);
    put(ALN_MISMATCH);
  }
  for (const auto &[cost, opens] : {std::pair{&s.insertion, kInsertionOpens}, {&s.deletion, kDeletionOpens}})
    for (int line = 0; line < spec::gap_lines(cost->model); ++line) {
      put(opens[line]);
      put(opens[line] + 1);
    }
  if (s.score.kind == spec::ScoreKind::matrix && !s.score.matrix_runtime) {
    put(ALN_SCORE_MIN);
    put(ALN_SCORE_MAX);
  }
  ordered_json j;
  j["alignment"] = alignment_name(s.alignment);
  j["free_ends"] = spec::free_end_names(s.ends);
  j["objective"] = spec::name(s.objective);
  j["scoring"] = scoring;
  j["runtime"] = runtime;
  j["matrix"] = s.score.kind == spec::ScoreKind::match ? "none" : s.score.matrix_runtime ? "runtime" : "folded";
  if (s.band_width) j["band"] = {{"width", *s.band_width}};
  if (s.has_bounds()) {
    j["band"] = ordered_json::object();
    if (!s.band_from.empty()) j["band"]["from"] = s.band_from;
    if (!s.band_to.empty()) j["band"]["to"] = s.band_to;
  }
  if (!s.border.empty()) j["border"] = s.border;
  if (s.column_flags > 0) {
    j["column_flags"] = s.column_flags;
    j["score_at_flag"] = flag_score(s);
    if (s.deletion.at_flag) j["deletion_at_flag"] = *s.deletion.at_flag;
  }
  j["max_query"] = s.max_query ? ordered_json(*s.max_query) : ordered_json(nullptr);
  j["max_target"] = s.max_target ? ordered_json(*s.max_target) : ordered_json(nullptr);
  return j;
}

// What all kernels begin with.
ordered_json named(const KernelPlan &k) {
  return {{"entry", k.entry}, {"form", name_of(k.form)}, {"mapping", k.mapping}, {"arithmetic", k.arithmetic}};
}

// Of a bit-sliced kernel: how fast it is, and what it takes of a letter's code.
void put_planes(const KernelPlan &k, ordered_json &j) {
  if (!k.sliced()) return;
  j["work"] = k.work;
  for (int plane = 0; plane < LETTER_PLANES; ++plane) j["letter_bits"].push_back(letter_bit(plane));
}

ordered_json split_kernel(const Spec &s, const KernelPlan &k) {
  ordered_json j = named(k);
  j.update({{"width", k.width},
            {"lanes", k.lanes},
            {"k", k.k},
            {"layout", k.sliced() ? layouts::planes : layouts::sequences},
            {"register_side", "query"},
            {"border_ints", k.border_ints},
            {"scratch", {{"fixed", k.scratch_fixed}}},
            {"skew", k.statics.at("skew")},
            {"always", s.mapping == k.mapping || s.band_width},
            {"usable", k.usable.text},
            {"exact", k.exact.text},
            {"lengths", k.lengths.text},
            {"checked", k.checked}});
  if (k.mapping == mappings::striped || k.sliced()) j["windows"] = false;
  put_planes(k, j);
  if (k.patch_rows > 0) j["way_back"] = {{"patch_rows", k.patch_rows}, {"states_per_patch", k.states_per_patch}};
  return j;
}

ordered_json cpu_kernel(const KernelPlan &k) {
  ordered_json j = named(k);
  j.update({{"width", k.width},
            {"lanes", k.lanes},
            {"k", k.k},
            {"rows", k.unroll},
            {"layout", k.sliced() ? layouts::planes : layouts::lanes},
            {"register_side", "target"},
            {"segments", k.ends == LaneEnds::segments},
            {"refill", k.ends == LaneEnds::refilled},
            {"based", k.rebased()},
            {"scratch", {{"per_stream_letter", k.scratch_per_stream_letter}, {"fixed", k.scratch_fixed}}},
            {"usable", k.usable.text},
            {"exact", k.exact.text},
            {"lengths", k.lengths.text},
            {"checked", k.checked}});
  if (k.few_maxima()) j["few_maxima"] = true;
  put_planes(k, j);
  if (k.patch_rows > 0)
    j["way_back"] = {{"patch_rows", k.patch_rows},
                     {"border_per_stream_letter", k.border_per_stream_letter},
                     {"states_per_stream_letter", k.states_per_stream_letter}};
  return j;
}

ordered_json device_kernel(const Spec &s, const KernelPlan &k) {
  ordered_json j = named(k);
  j.update({{"level", k.level},
            {"suits", k.suits},
            {"width", k.width},
            {"warp", k.lanes},
            {"p", k.p},
            {"k", k.k},
            {"packing", k.packing},
            {"threads", k.lanes * k.warps},
            {"group", k.block ? "block" : "warp"},
            {"shared_bytes", k.shared_bytes},
            {"border_ints", k.border_ints},
            {"layout", layouts::sequences},
            {"register_side", k.sliced() ? "target" : "query"},
            {"usable", k.usable.text},
            {"exact", k.exact.text},
            {"lengths", k.lengths.text},
            {"checked", k.checked}});
  if (k.sliced()) j["spare_rows"] = k.spare_rows;
  if (s.output.begin)
    j["way_back"] = {{"row_words", k.trace_row_words}, {"rows", k.trace_rows}, {"walk_words", k.walk_words}};
  if (k.p == 1 && !k.sliced()) j["rows"] = k.unroll;
  if (k.grid > 0) j["grid"] = k.grid;
  if (k.block) {
    j["shared_bytes_per_row"] = k.shared_bytes_per_row;
    j["shared_rows"] = k.shared_rows;
  }
  return j;
}

constexpr std::size_t longest_line = 120;

// JSON without blanks, in lines that are broken behind a comma; those behind the first are indented.
std::string wrapped(const std::string &json) {
  std::string out;
  std::size_t begin = 0, comma = 0;  // of the line; behind the last comma outside of a string
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '\\') ++i;
    if (json[i] == '"') in_string = !in_string;
    if (i - begin + 3 > longest_line && comma > begin) {
      out += json.substr(begin, comma - begin) + "\n  ";
      begin = comma;
    }
    if (json[i] == ',' && !in_string) comma = i + 1;
  }
  return out + json.substr(begin);
}

// Each key and each kernel on lines of its own.
std::string lines(const ordered_json &manifest) {
  std::string out;
  for (const auto &[key, value] : manifest.items()) {
    const std::string begin = (out.empty() ? "{" : " ") + ordered_json(key).dump() + ":";
    if (!out.empty()) out += ",\n";
    if (key != "kernels") {
      out += wrapped(begin + value.dump());
      continue;
    }
    const char *before = "[\n ";
    out += begin;
    for (const ordered_json &kernel : value) out += before + wrapped(kernel.dump()), before = ",\n ";
    out += "]";
  }
  return out + "}";
}

}  // namespace

std::string manifest(const Spec &s, const Plan &plan) {
  ordered_json j;
  j["schema"] = 5;
  j["abi"] = ALN_ABI_VERSION;
  j["generator"] = version;
  j["spec"] = {{"name", plan.spec_name}, {"hash", plan.spec_hash}};
  j["target"] = std::string(plan.target->name);
  j["semantics"] = semantics(s);
  j["alphabet"]["letters"] = s.alphabet.letters;
  j["alphabet"]["wildcard"] =
      s.alphabet.wildcard ? ordered_json(std::string(1, s.alphabet.wildcard)) : ordered_json(nullptr);
  const bool sets = !s.alphabet.sets.empty();
  j["alphabet"]["query_codes"] = sets ? set_codes(s) : codes(s, spec::Side::query);
  j["alphabet"]["target_codes"] = sets ? set_codes(s) : codes(s, spec::Side::target);
  if (sets) j["alphabet"]["sets"] = spec::letter_sets(s.alphabet);
  j["kernels"] = ordered_json::array();
  for (const KernelPlan &k : plan.kernels)
    j["kernels"].push_back(plan.target->device ? device_kernel(s, k) : k.split() ? split_kernel(s, k) : cpu_kernel(k));
  for (ordered_json &kernel : j["kernels"]) {
    if (kernel["form"] == "extent") {
      kernel["end"] = true;
      continue;
    }
#define ALN_STORED(Y, type, name, key, words) \
  if (s.output.key) kernel[#key] = true;
    ALN_MORE_OUTPUTS(ALN_STORED, )
#undef ALN_STORED
    if (s.output.cigar) kernel["cigar"] = true;
  }
  return lines(j);
}

}  // namespace alnsmith::plan
