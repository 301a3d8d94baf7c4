// The templates compiled as they stand, -DALN_DIRECT.
#include "direct_run.h"

#include <barrier>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "alnsmith/scoring_values.hpp"
#include "fact_text.h"

#define ALN_DIRECT
#include "exactness.h"
#include "kernels.cc"  // NOLINT(bugprone-suspicious-include): the templates themselves

namespace {

// Reads the fields of a Spec by their paths, and counts the values that it has found.
struct Fields {
  const alnsmith::frontend::Statics &statics;
  std::size_t asked = 0;

  template <class Leaf>
  void read(const std::string &path, Leaf &leaf) {
    ++asked;
    leaf = static_cast<Leaf>(statics.at(path));
  }
  // Of a list as many as there are.
  template <std::size_t size>
  void read(const std::string &path, int (&list)[size]) {
    for (std::size_t i = 0; i < size && statics.contains(path + "." + std::to_string(i)); ++i)
      read(path + "." + std::to_string(i), list[i]);
  }
  template <class Element, std::size_t size>
  void read(const std::string &path, Element (&list)[size]) {
    for (std::size_t i = 0; i < size; ++i) read(path + "." + std::to_string(i), list[i]);
  }
  void read(const std::string &path, Setting &setting) {
    read(path + ".runtime", setting.runtime);
    read(path + ".value", setting.value);
    read(path + ".index", setting.index);
  }
  void read(const std::string &path, GapSetting &gap) {
    read(path + ".open", gap.open);
    read(path + ".extend", gap.extend);
  }
  void read(const std::string &path, Circuit &circuit) {
#define ALN_CIRCUIT_NUMBER(name) read(path + "." #name, circuit.name);
#define ALN_CIRCUIT_LIST(name, extents) read(path + "." #name, circuit.name);
#include "circuit.def"
  }
};

Spec spec_of(const alnsmith::frontend::Statics &statics) {
  Spec sp{};
  Fields fields{statics};
#define ALN_FIELD(type, name) fields.read(#name, sp.name);
#define ALN_FIELD_OR(type, name, otherwise) fields.read(#name, sp.name);
#define ALN_SETTING(name) fields.read(#name, sp.name);
#define ALN_GAP_SETTING(name) fields.read(#name, sp.name);
#define ALN_CIRCUIT(name) fields.read(#name, sp.name);
#include "spec.def"
  if (fields.asked != statics.size()) throw std::logic_error("templates/spec.def lacks a field that the planner sets");
  return sp;
}

// Where expressions find what comes with the call.
struct Names {};
facts::Text load_int(Names, int index) { return facts::Text(alnsmith::kScoringValues[index].name); }

// What is told of a kernel of `mapping`, in numbers of a kind.
template <class Number, class Given, class Keep>
bool tell(const std::string &mapping, const Spec &sp, Given scoring, Number query, Number target, const Keep &keep) {
  if (mapping == "lanes" || mapping == "sliced") {
    const auto told = [&]() -> LanesFacts<Number> {
      if (mapping == "sliced") {
        ALN_EACH_GAP(sp, (sliced_facts<Gap>(sp, scoring, query, target)))
      }
      ALN_EACH_GAP(sp, (lanes_facts<Gap>(sp, scoring, query, target)))
      throw std::logic_error("no such gap model");
    }();
    keep("usable", told.usable);
    keep("exact", told.exact);
    keep("lengths", told.lengths);
    keep("checked", told.checked);
    keep("scratch_per_stream_letter", told.scratch_per_stream_letter);
    keep("border_per_stream_letter", told.border_per_stream_letter);
    keep("states_per_stream_letter", told.states_per_stream_letter);
    keep("scratch_fixed", told.scratch_fixed);
    return true;
  }
  if (mapping == "strips" || mapping == "striped" || mapping == "sliced_strips") {
    const auto told = [&]() -> StripFacts<Number> {
      if (mapping == "sliced_strips") {
        ALN_EACH_GAP(sp, (sliced_strip_facts<Gap>(sp, scoring, query, target)))
      }
      if (mapping == "striped") {
        ALN_EACH_GAP(sp, (striped_facts<Gap>(sp, scoring, query, target)))
      }
      ALN_EACH_GAP(sp, (strip_facts<Gap>(sp, scoring, query, target)))
      throw std::logic_error("no such gap model");
    }();
    keep("usable", told.usable);
    keep("exact", told.exact);
    keep("lengths", told.lengths);
    keep("checked", told.checked);
    keep("border_ints", told.border_ints);
    keep("scratch", told.scratch);
    keep("states", told.states);
    return true;
  }
  if (mapping != "device:lanes" && mapping != "device:sliced" && mapping != "device:wavefront" &&
      mapping != "device:block")
    return false;
  const auto told = [&]() -> DeviceFacts<Number> {
    if (mapping == "device:sliced") {
      ALN_EACH_GAP(sp, (device_sliced_facts<Gap>(sp, scoring, query, target)))
    }
    ALN_EACH_GAP(sp, (device_facts<Gap>(sp, mapping == "device:block", scoring, query, target)))
    throw std::logic_error("no such gap model");
  }();
  keep("usable", told.usable);
  keep("exact", told.exact);
  keep("lengths", told.lengths);
  keep("checked", told.checked);
  keep("permute_bits", told.permute_bits);
  keep("exchange_words", told.exchange_words);
  keep("table_words", told.table_words);
  keep("shared_words", told.shared_words);
  keep("border_words", told.border_words);
  keep("trace_row_words", told.trace_row_words);
  keep("trace_rows", told.trace_rows);
  keep("walk_words", told.walk_words);
  keep("spare_rows", told.spare_rows);
  return true;
}

GroupArgs group_args(const aln_device_args_v1 &device) {
  GroupArgs args{};
#define ALN_COPIED(type, name) args.name = device.name;
  ALN_DEVICE_ARGS_V1(ALN_COPIED)
#undef ALN_COPIED
  return args;
}

}  // namespace

direct::Machine lanes_machine(int bits, int lanes, const int *matrix) {
  return {.lanes = lanes, .bits = bits, .matrix = matrix};
}

direct::Machine device_machine(const std::string &arithmetic, const alnsmith::frontend::Statics &statics,
                               const int *matrix) {
  direct::Machine m;
  m.word = statics.at("circuit.planes") > 0 ? WORD : 1;
  m.packing = m.word > 1 ? 1 : static_cast<int>(statics.at("packing"));
  m.lanes = static_cast<int>(statics.at("warp")) * m.packing;
  m.matrix = matrix;
  m.bits = m.packing == 2 ? 16 : 32;
  if (statics.at("base") == static_cast<int>(Base::moving_unsigned_halves)) m.kept = direct::Kept::unsigned_;
  if (arithmetic == "half2") m.kept = direct::Kept::floating, m.bits = 11;
  if (arithmetic == "fp32") m.kept = direct::Kept::floating, m.bits = 24;
  return m;
}

int run_directly(const std::string &mapping, const alnsmith::frontend::Statics &statics, int bits, int lanes,
                 const int *matrix, const aln_args_v1 *args) {
  direct::machine = lanes_machine(bits, lanes, matrix);
  if (mapping == "lanes") return lanes_kernel(spec_of(statics), args);
  if (mapping == "sliced") return sliced_kernel(spec_of(statics), args);
  return -1;
}

int run_directly(const alnsmith::frontend::Statics &statics, int bits, int lanes, const int *matrix,
                 const aln_strip_args_v1 &args) {
  GroupArgs all{};
#define ALN_COPIED(type, name) all.name = args.name;
  ALN_STRIP_ARGS_V1(ALN_COPIED)
#undef ALN_COPIED
  direct::Block block;
  block.index = args.stage;
  direct::machine = lanes_machine(bits, lanes, matrix);
  direct::machine.block = &block;
  const Spec sp = spec_of(statics);
  if (sp.circuit.planes > 0) return sliced_strips_kernel(sp, &all);
  return sp.mapping == Mapping::striped ? striped_kernel(sp, &all) : strips_kernel(sp, &all);
}

int run_directly(const std::string &mapping, const std::string &arithmetic, const alnsmith::frontend::Statics &statics,
                 int blocks, int shared_bytes, const int *matrix, const aln_device_args_v1 *args) {
  const Spec sp = spec_of(statics);
  const GroupArgs all = group_args(*args);
  using Rendezvous = std::barrier<>;
  std::atomic<int> failures{0};
  for (int b = 0; b < blocks; ++b) {
    const std::size_t words = static_cast<std::size_t>(shared_bytes) / 4;
    std::vector<int> scores(words * static_cast<std::size_t>(sp.packing), 0x5a5a), totals(words, 0x5a5a5a5a);
    Rendezvous rendezvous(sp.warps);
    direct::Block block;
    block.index = b;
    block.count = blocks;
    block.scores = scores.data();
    block.totals = totals.data();
    block.rendezvous = &rendezvous;
    block.meet = [](direct::Block *me) { static_cast<Rendezvous *>(me->rendezvous)->arrive_and_wait(); };
    std::vector<std::jthread> warps;
    for (int w = 0; w < sp.warps; ++w)
      warps.emplace_back([&, w] {
        direct::machine = device_machine(arithmetic, statics, matrix);
        direct::machine.block = &block;
        direct::machine.warp = w;
        int result = -1;
        if (mapping == "wavefront") result = wavefront_kernel(sp, &all);
        if (mapping == "lanes")
          result = sp.circuit.planes > 0 ? device_sliced_kernel(sp, &all) : device_lanes_kernel(sp, &all);
        if (mapping == "block") result = block_kernel(sp, &all);
        if (result != 0) ++failures;
      });
  }
  return failures;
}

std::vector<std::string> DirectTeller::mappings() const {
  return {"device:block",  "device:lanes", "device:sliced", "device:wavefront", "lanes", "sliced",
          "sliced_strips", "striped",      "strips"};
}

alnsmith::Result<alnsmith::frontend::Facts> DirectTeller::facts(const std::string &mapping,
                                                                const alnsmith::frontend::Statics &statics) const {
  alnsmith::frontend::Facts all;
  const auto keep = [&](const char *name, const facts::Text &fact) { all[name] = {fact.text, fact.number}; };
  if (!tell(mapping, spec_of(statics), Names{}, facts::Text("query"), facts::Text("target"), keep))
    return alnsmith::Error{"no mapping '" + mapping + "'"};
  return all;
}

std::map<std::string, long long> facts_at(const std::string &mapping, const alnsmith::frontend::Statics &statics,
                                          const int *scoring, long long query, long long target) {
  std::map<std::string, long long> all;
  struct {
    std::map<std::string, long long> &to;
    void operator()(const char *name, bool fact) const { to[name] = fact; }
    void operator()(const char *name, sat64 fact) const { to[name] = fact.value; }
  } const keep{all};
  tell(mapping, spec_of(statics), scoring, sat64(query), sat64(target), keep);
  return all;
}
