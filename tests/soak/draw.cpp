// Specs and routes: see draw.h. How the kinds are mixed stands in the tables here.
#include "draw.h"

#include <sstream>

#include "target/target.h"

namespace soak {
namespace {

using alnsmith::backend::Language;
using alnsmith::backend::Target;

// In a hundred thousand draws. A draw on a device costs seconds of a device's compiler, one of a template that runs
// directly some milliseconds.
const std::vector<int> route_weights = {30000, 2000, 66500, 1500};  // cpu, opencl, direct, simt

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

const Target &draw_target(Route route, Random &random) {
  std::vector<const Target *> list;
  if (route == Route::cpu || (route == Route::direct && random.chance(35)))
    for (const Target &t : alnsmith::backend::targets()) {
      // What is compiled runs here; a template as it stands needs no machine.
      const std::string_view machine = t.cpu->machine;
      if (route == Route::direct || machine.empty() || machine == alnsmith::targets::host_machine()) list.push_back(&t);
    }
  else
    for (const Target &t : alnsmith::backend::device_targets())
      if (route == Route::direct || (t.device->language == Language::opencl) == (route == Route::opencl))
        list.push_back(&t);
  // As many of OpenCL as of each maker's GPUs: a dozen targets share their templates' values.
  if (route == Route::direct && list[0]->device && random.chance(33)) return *alnsmith::backend::find_target("opencl");
  return *random.pick(list);
}

void draw_alignment(SpecValues &s, Random &random) {
  switch (random.weighted({20, 20, 60})) {
    case 0:
      break;
    case 1:
      s.local = true;
      break;
    default:
      s.free_ends = random.between(1, 15);
  }
}

// Scorings of which there is a circuit, others of the same differences among them.
struct SlicedScores {
  int match, mismatch, insertion_open, insertion, deletion_open, deletion;
  bool affine() const { return insertion_open > 0; }
};
const std::vector<SlicedScores> &sliced_scores() {
  static const std::vector<SlicedScores> scores = {
      {0, -1, 0, 1, 0, 1}, {1, -1, 0, 1, 0, 1}, {2, -1, 0, 1, 0, 1}, {1, -3, 0, 2, 0, 2}, {2, -3, 0, 2, 0, 2},
      {2, -3, 0, 5, 0, 5}, {2, -1, 0, 0, 0, 2}, {1, 0, 0, 0, 0, 1},  {0, -1, 1, 1, 1, 1}, {1, -1, 1, 1, 1, 1},
      {2, -1, 1, 1, 1, 1}, {2, -1, 1, 0, 1, 2}, {1, -1, 2, 1, 2, 1}, {2, -1, 2, 1, 2, 1}};
  return scores;
}

// `of_call`: they come with the call.
void set_sliced_scores(SpecValues &s, const SlicedScores &scores, bool of_call) {
  const auto gap = [&](int open, int extend) { return Gap{open > 0, {of_call && open > 0, open}, {of_call, extend}}; };
  s.insertion = gap(scores.insertion_open, scores.insertion);
  s.deletion = gap(scores.deletion_open, scores.deletion);
  s.match = {of_call, s.minimize ? -scores.match : scores.match};
  s.mismatch = {of_call, s.minimize ? -scores.mismatch : scores.mismatch};
}

// Begins are those of CPUs.
void draw_sliced(SpecValues &s, bool device, Random &random) {
  s.local = s.matrix = s.matrix_runtime = false;
  if (device) s.begin = s.cigar = false;
  s.minimize = random.chance(15);
  s.alphabet = random.chance(50) ? "dna" : "dna5";
  s.letters.clear(), s.wildcard.clear(), s.scores.clear();
  set_sliced_scores(s, random.pick(sliced_scores()), random.chance(35));
  s.arithmetic = "bitsliced";
}

void draw_tile(Case &c, const Target &target, Random &random) {
  SpecValues &s = c.spec;
  const bool compiled = c.route != Route::direct;
  if (random.chance(70)) s.k = random.weighted({70, 25, 5}) == 0 ? random.between(1, 6) : random.between(7, 12);
  if (random.chance(8)) s.k = random.between(13, compiled ? 24 : 32);
  if (!target.device) {
    if (random.chance(30)) c.rows = random.between(2, 4);
    return;
  }
  const int most = target.device->warp > 0 ? target.device->warp : 64;
  // A driver's compiler takes many seconds for the planner's own tiles: seldom more than small ones.
  const bool small = c.route == Route::opencl && random.chance(85);
  if (small) s.k = random.between(1, 4);
  if (small || random.chance(75)) s.p = 1 << random.below(small ? 4 : 7);
  if (s.p > most && random.chance(95)) s.p = most;
  if (s.mapping == "lanes" && random.chance(50)) c.rows = random.between(1, 8);
  if (target.device->warp > 0 && random.chance(30)) c.block = 1 << random.below(4);
}

void draw_device_ways(SpecValues &s, const Target &target, Random &random) {
  static const std::vector<std::string> mappings = {"auto", "wavefront", "lanes", "block"};
  s.mapping = random.pick(mappings);
  auto arithmetics = words(target.device->local);
  for (const auto &other : words(target.device->others)) arithmetics.push_back(other);
  if (random.chance(70)) s.arithmetic = random.pick(arithmetics);
  s.half_precision = s.arithmetic == "half2" || random.chance(5);
}

void draw_lengths(SpecValues &s, Random &random) {
  static const std::vector<int> edges = {1, 2, 7, 8, 16, 24, 31, 32, 64, 100};
  if (!random.chance(15)) return;
  if (random.chance(80)) s.max_query = random.pick(edges);
  if (random.chance(80)) s.max_target = random.pick(edges);
}

// Of whole widths down to the diagonals alone, in what has kernels of bands.
void draw_band(SpecValues &s, bool device, Random &random) {
  if (s.local || s.arithmetic == "bitsliced" || !random.chance(15)) return;
  s.band = random.weighted({20, 80}) == 0 ? 0 : random.between(1, 30);
  s.band_form = random.below(12);
  s.max_query = s.max_target = 0;
  if (device) s.begin = s.cigar = s.half_precision = false;
  s.mapping = device && s.mapping != "auto" && random.chance(80) ? s.mapping : "auto";
  if (device || s.arithmetic == "int8") s.arithmetic = "auto";
}

// `percent`: of draws that ask for begins.
void draw_begins(SpecValues &s, Random &random, int percent) {
  if (!random.chance(percent)) return;
  s.end = s.begin = true;
  s.cigar = random.chance(80);
}

}  // namespace

Case draw(std::uint64_t seed, std::uint64_t number) {
  Random random(seed, number);
  Case c;
  c.route = static_cast<Route>(random.weighted(route_weights));
  const Target &target = draw_target(c.route, random);
  c.target = target.name;
  SpecValues &s = c.spec;
  draw_alignment(s, random);
  draw_scoring(s, random);
  draw_lengths(s, random);
  s.end = random.chance(65);
  static const std::vector<std::string> widths = {"int8", "int16", "int32"};
  draw_begins(s, random, target.device ? 30 : 45);
  if (target.device) {
    draw_device_ways(s, target, random);
    if (random.chance(10)) {
      draw_sliced(s, true, random);
      s.mapping = random.chance(50) ? "lanes" : "auto";
      s.half_precision = false;
    }
  } else if (target.vector_bytes > 0 && random.chance(12)) {
    draw_sliced(s, false, random);
  } else if (random.chance(50)) {
    s.arithmetic = random.pick(widths);
  }
  draw_tile(c, target, random);
  c.kernel = random.below(1000);
  if (!target.device && !s.begin && s.arithmetic == "bitsliced" && random.chance(40)) s.mapping = "strips";
  if (!target.device && !s.begin && s.arithmetic != "bitsliced" && random.chance(20))
    s.mapping = random.chance(50) ? "strips" : "striped";
  draw_band(s, target.device.has_value(), random);
  return c;
}

int calls(const Case &drawn) {
  static constexpr int of_route[] = {12, 3, 4, 3};
  return of_route[static_cast<int>(drawn.route)];
}

Case draw_call(Case c, std::uint64_t seed, std::uint64_t number, int call) {
  Random random(seed ^ 0x5bd1e995u * static_cast<std::uint64_t>(call + 1), number);
  draw_runtime_values(c.spec, random);
  // Mostly those of another circuit.
  if (c.spec.arithmetic == "bitsliced" && c.spec.match.runtime && random.chance(80)) {
    SlicedScores other = random.pick(sliced_scores());
    while (other.affine() != c.spec.insertion.affine) other = random.pick(sliced_scores());
    set_sliced_scores(c.spec, other, true);
  }
  c.all = random.chance(40);
  c.threads = random.between(1, 3);
  draw_pairs(c, random);
  return c;
}

}  // namespace soak
