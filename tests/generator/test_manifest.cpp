// What manifests say of a spec's scoring, and what the runtime says of it to users.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "align/call.h"
#include "align/scoring.h"
#include "circuits/gate_sets.h"
#include "direct_run.h"
#include "plan/device_statics.h"
#include "plan/plan.h"
#include "spec/canonical.h"
#include "spec/parse.h"
#include "target/target.h"

namespace {

using namespace alnsmith;
using Json = nlohmann::json;

std::string text_of(const std::string &gap) {
  const auto s = spec::parse_text(
      "version: 1\nname: t\nalignment: global\nalphabet: dna\nscore: {match: 2, mismatch: -1}\ngap: " + gap + "\n",
      "t.yaml", ".");
  EXPECT_TRUE(s) << s.error().message;
  const auto plan = plan::make_plan(*s, *backend::find_target("scalar"), DirectTeller());
  EXPECT_TRUE(plan) << plan.error().message;
  return manifest(*s, *plan);
}

rt::kernels::Manifest manifest_of(const std::string &gap) {
  const auto m = rt::kernels::parse_manifest(text_of(gap));
  EXPECT_TRUE(m) << m.error().message;
  return *m;
}

TEST(Manifest, HasOneSchemaAndNamesItsForms) {
  for (const char *gap :
       {"{model: affine, open: 2, extend: 1}", "{model: dual_affine, open: 4, extend: 2, open2: 24, extend2: 1}"}) {
    const Json manifest = Json::parse(text_of(gap));
    EXPECT_EQ(manifest["schema"], 5);
    std::set<std::string> forms;
    for (const Json &kernel : manifest["kernels"]) forms.insert(kernel["form"]);
    EXPECT_EQ(forms, (std::set<std::string>{"pairwise", "shared_profile"}));
  }
}

TEST(Targets, VariantsHaveTheKernelsOfTheirRow) {
  for (const auto &[name, row] :
       {std::pair{"x86-64-v4+vbmi", "x86-64-v4"}, std::pair{"opencl:spirv64", "opencl"},
        std::pair{"hip:gfx90a:sramecc+:xnack-", "hip:gfx90a"}, std::pair{"cuda:compute_80", "cuda:compute_80"}}) {
    ASSERT_TRUE(backend::find_target(name)) << name;
    EXPECT_EQ(backend::find_target(name)->name, row);
  }
  for (const char *name : {"hip:gfx90a:xnack-:sramecc+", "x86-64-v3+vbmi", "opencl:spirv32", "cuda:sm_50"})
    EXPECT_FALSE(backend::find_target(name)) << name;
}

TEST(Targets, ATileForAVariantIsItsRows) {
  const auto s = spec::parse_text(
      "version: 1\nname: t\nalignment: global\nalphabet: dna\nscore: {match: 2, mismatch: -1}\n"
      "gap: {model: linear, extend: 1}\ntargets: [x86-64-v4+vbmi, x86-64-v3]\narithmetic: int8\n"
      "tile: {k: 3, x86-64-v4+vbmi: {k: 7}}\n",
      "t.yaml", ".");
  ASSERT_TRUE(s) << s.error().message;
  for (const auto &[target, k] : {std::pair{"x86-64-v4", 7}, std::pair{"x86-64-v3", 3}}) {
    const auto plan = plan::make_plan(*s, *backend::find_target(target), DirectTeller());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->kernels.front().k, k) << target;
  }
}

// What a manifest says of bit-sliced kernels is held together: another's would be run with memory that it has not.
TEST(Sliced, ManifestsOfOthersAreRefused) {
  const auto s = spec::parse_text(
      "version: 1\nname: t\nalphabet: dna\nalignment: global\ngap: {model: linear, extend: 1}\n"
      "score: {match: 2, mismatch: -1}\n",
      "t.yaml", ".");
  ASSERT_TRUE(s) << s.error().message;
  const auto check = [&](const char *target, const std::function<bool(const Json &)> &is_it,
                         const std::vector<std::pair<const char *, Json>> &changes) {
    const auto plan = plan::make_plan(*s, *backend::find_target(target), DirectTeller());
    ASSERT_TRUE(plan) << plan.error().message;
    const Json sound = Json::parse(plan::manifest(*s, *plan));
    ASSERT_TRUE(rt::kernels::parse_manifest(sound.dump()));
    for (const auto &[key, value] : changes) {
      Json other = sound;
      const auto kernel = std::ranges::find_if(other["kernels"], is_it);
      ASSERT_NE(kernel, other["kernels"].end());
      if (value.is_null())
        kernel->erase(key);
      else
        (*kernel)[key] = value;
      EXPECT_FALSE(rt::kernels::parse_manifest(other.dump())) << target << " " << key << " " << value;
    }
  };
  const auto of_form = [](const char *form) {
    return [form](const Json &kernel) { return kernel["form"] == form && kernel["width"] == 1; };
  };
  check("x86-64-v4", of_form("pairwise"),
        {{"layout", "lanes-u8-v1"}, {"width", 8}, {"letter_bits", nullptr}, {"letter_bits", Json{0}}, {"lanes", 100}});
  check("x86-64-v4", of_form("split"),
        {{"layout", "sequences-u8-v1"},
         {"width", 8},
         {"letter_bits", Json{0, 1}},
         {"windows", nullptr},
         {"windows", true},
         {"mapping", "striped"},
         {"lanes", 100}});
  check("cuda:sm_90", of_form("pairwise"),
        {{"form", "shared_profile"},
         {"width", 16},
         {"packing", 2},
         {"p", 2},
         {"group", "block"},
         {"register_side", "query"}});
}

// Bit by bit on devices: where the spec says all, in tiles of their own, with memory for lanes that cannot shuffle.
TEST(Sliced, DevicesHaveThemBeforeAllOthers) {
  const auto planned = [](const std::string &more, const char *target) {
    const auto s = spec::parse_text(
        "version: 1\nname: t\nalphabet: dna\nalignment: global\n"
        "gap: {model: linear, extend: 1}\n" +
            more,
        "t.yaml", ".");
    return *plan::make_plan(*s, *backend::find_target(target), DirectTeller());
  };
  const std::string score = "score: {match: 2, mismatch: -1}\n";
  for (const char *target : {"cuda:sm_90", "hip:gfx90a", "opencl"}) {
    const plan::Plan plan = planned(score + "tile: {k: 5}\n", target);
    const plan::KernelPlan &first = plan.kernels.front();
    EXPECT_TRUE(first.sliced() && first.k == 16 && first.level == 0) << first.entry;
    EXPECT_GE(first.shared_bytes, std::string(target) == "opencl" ? 256 : 0);
    EXPECT_TRUE(std::ranges::none_of(plan.kernels, [&](const auto &k) { return k.level == 0 && !k.sliced(); }));
    EXPECT_EQ(planned(score + "arithmetic: bitsliced\ntile: {k: 5}\n", target).kernels.front().k, 5);
    for (const char *others : {"score: {match: runtime, mismatch: -1}\n", "score: {match: 9, mismatch: -1}\n"}) {
      EXPECT_FALSE(planned(others, target).kernels.front().sliced());
      EXPECT_NE(planned(others + std::string("arithmetic: bitsliced\n"), target).note, "");
    }
    const plan::KernelPlan next = planned(score, target).kernels[1];
    EXPECT_TRUE(next.block && next.level == 1) << next.entry;
  }
}

// `auto` has bit-sliced kernels where there is a circuit that beats int8, with a tile of their own.
TEST(Sliced, AutoTakesThemWhereTheyAreFasterByTheModel) {
  const std::string gap = "gap: {model: linear, extend: 1}\n", score = "score: {match: 2, mismatch: -1}\n",
                    open_2 = "gap: {model: affine, open: 2, extend: 1}\n";
  struct Row {
    std::string text;
    const char *target;
    bool bits;
    const char *first = "";  // of a tuned table
  };
  for (const Row &row : {
           Row{"alignment: global\n" + gap + score, "x86-64-v4", true},
           Row{"alignment: global\n" + gap + score, "x86-64-v3", true},
           Row{"alignment: global\n" + gap + score, "aarch64-neon", true},
           Row{"alignment: global\n" + gap + score, "scalar", false},
           Row{"alignment: global\n" + gap + score + "tile: {k: 7}\n", "x86-64-v4", true},
           Row{"alignment: global\n" + gap + score, "x86-64-v4", false, "int16"},
           Row{"alignment: global\n" + gap + score, "x86-64-v4", true, "bitsliced"},
           Row{"alignment: local\n" + gap + score, "x86-64-v4", false},
           Row{"alignment: local\n" + gap + score, "x86-64-v4", false, "bitsliced"},
           Row{"alignment: semiglobal\noutput: [score, end]\n" + gap + score, "x86-64-v4", true},
           Row{"alignment: semiglobal\noutput: [score, end, begin, cigar]\n" + gap + score, "x86-64-v4", true},
           Row{"alignment: global\nmapping: strips\noutput: [score, end, begin]\n" + gap + score, "x86-64-v4", false},
           Row{"alignment: global\narithmetic: int8\n" + gap + score, "x86-64-v4", false},
           Row{"alignment: global\nmapping: strips\n" + gap + score, "x86-64-v4", false},
           Row{"alignment: global\ngap: {model: linear, extend: runtime}\nscore: {matrix: runtime}\n", "x86-64-v4",
               false},
           // More gates of the device than two alignments of 16 bits take.
           Row{"alignment: global\n" + open_2 + score, "hip:gfx90a", false},
           Row{"alignment: global\n" + open_2 + score, "opencl", false},
           // No circuit: a match that gains more than those that are shipped.
           Row{"alignment: global\n" + gap + "score: {match: 9, mismatch: -1}\n", "x86-64-v4", false},
       }) {
    SCOPED_TRACE(row.text + row.target + " " + row.first);
    const auto s = spec::parse_text("version: 1\nname: t\nalphabet: dna\n" + row.text, "t.yaml", ".");
    ASSERT_TRUE(s) << s.error().message;
    plan::Tuning tuning;
    if (*row.first) {
      const std::string table = R"({"schema": 1, "target": ")" + std::string(row.target) +
                                R"(", "rows": [{"name": "t", "spec": ")" + spec::hash(*s) +
                                R"(", "cpu": "c", "choice": {"arithmetic": ")" + row.first + R"("}}]})";
      const auto ok = tuning.add_table(table, "t.json", spec::hash(*s), row.target, "c");
      ASSERT_TRUE(ok) << ok.error().message;
    }
    const auto plan = plan::make_plan(*s, *backend::find_target(row.target), DirectTeller(), tuning);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->note, "");
    const plan::KernelPlan &first = plan->kernels.front();
    EXPECT_EQ(first.sliced(), row.bits);
    if (row.bits) {
      const bool many = backend::find_target(row.target)->registers > 16;
      EXPECT_EQ(first.k, s->output.begin ? 8 : many ? 4 : 3);
      EXPECT_EQ(plan->kernels[1].width, 8);  // what they leave
    }
  }
}

// Costs of the call: a kernel for each circuit of the gap model, and of those beside a base one for costs that are not
// large, another for most.
TEST(Sliced, ScoringOfTheCallHasAKernelForEachCircuit) {
  const auto entries = [](const std::string &gap) {
    const auto s = spec::parse_text("version: 1\nname: t\nalphabet: dna\nalignment: global\ngap: " + gap +
                                        "\nscore: {match: runtime, mismatch: runtime}\n",
                                    "t.yaml", ".");
    const auto plan = plan::make_plan(*s, *backend::find_target("x86-64-v4"), DirectTeller(), {});
    std::vector<std::string> names;
    for (const plan::KernelPlan &kernel : plan->kernels) {
      EXPECT_FALSE(kernel.sliced() && (kernel.usable.always() || kernel.usable.never())) << kernel.entry;
      const std::size_t at = kernel.entry.find("_pairwise_");
      if (at != kernel.entry.npos) names.push_back(kernel.entry.substr(at + 10, kernel.entry.find("_x86") - at - 10));
    }
    return names;
  };
  EXPECT_EQ(entries("{model: linear, extend: runtime}"),
            (std::vector<std::string>{"bits_2_1_k8", "bits_3_1_k8", "bits_4_1_k4", "bits_5_1_k4", "bits_6_1_k4",
                                      "bits_12_7_k2", "i8b_k8_c16", "i8b_k8", "i8b_k4", "i16_k8", "i32_k8"}));
  EXPECT_EQ(entries("{model: affine, open: runtime, extend: runtime}"),
            (std::vector<std::string>{"bits_4_3_1_1_k3", "bits_5_3_1_1_k3", "bits_6_3_1_1_k4", "bits_7_5_2_2_k2",
                                      "bits_8_5_2_2_k2", "i8b_k6_c16_one_gap", "i8b_k6_c16", "i8b_k6", "i8b_k4",
                                      "i16_k6", "i32_k6"}));
}

// Costs of the call: the kernel for one gap is for calls that give both sides the same, and is not there where a side's
// costs are its own or none of them is the call's.
TEST(OneGap, IsForCallsWhoseSidesCostTheSame) {
  const auto usable = [](const std::string &gap) {
    const auto s = spec::parse_text("version: 1\nname: t\nalphabet: dna\nalignment: local\ngap: " + gap +
                                        "\nscore: {match: runtime, mismatch: runtime}\n",
                                    "t.yaml", ".");
    const auto plan = plan::make_plan(*s, *backend::find_target("x86-64-v4"), DirectTeller(), {});
    std::vector<rt::kernels::Predicate> list;
    const auto read = rt::kernels::parse_manifest(manifest(*s, *plan));
    for (const rt::kernels::KernelInfo &kernel : read->kernels)
      if (kernel.entry.find("_one_gap_") != kernel.entry.npos) list.push_back(kernel.usable);
    return list;
  };
  const std::string of_call = "{model: affine, open: runtime, extend: runtime}";
  const auto lists = usable(of_call);
  ASSERT_FALSE(lists.empty());
  rt::kernels::Values costs{};
  costs[ALN_MATCH] = costs[ALN_SCORE_MAX] = 2;
  costs[ALN_MISMATCH] = costs[ALN_SCORE_MIN] = -1;
  costs[ALN_INSERTION_OPEN] = costs[ALN_DELETION_OPEN] = 3;
  costs[ALN_INSERTION_EXTEND] = costs[ALN_DELETION_EXTEND] = 1;
  for (const rt::kernels::Predicate &predicate : lists) {
    EXPECT_TRUE(predicate.holds(costs));
    for (const int cost : {ALN_INSERTION_OPEN, ALN_DELETION_OPEN, ALN_INSERTION_EXTEND, ALN_DELETION_EXTEND}) {
      rt::kernels::Values other = costs;
      ++other[static_cast<std::size_t>(cost)];
      EXPECT_FALSE(predicate.holds(other)) << cost;
    }
  }
  // Pairs beside a base, and profiles of 8 and 16 bits.
  EXPECT_EQ(lists.size(), 3u);
  EXPECT_FALSE(usable("{model: linear, extend: runtime}").empty());
  EXPECT_TRUE(usable("{model: affine, open: 2, extend: 1}").empty());
  EXPECT_TRUE(usable("{insertion: " + of_call + ", deletion: {model: affine, open: 2, extend: runtime}}").empty());
}

// Of kernels that keep scores alike the first serves the call: what outgrows 8 bits goes on to 16, not to other 8 bits.
TEST(OneGap, LeavesALevelOfEachWidth) {
  const auto s = spec::parse_text(
      "version: 1\nname: t\nalphabet: dna\nalignment: local\ngap: {model: affine, open: runtime, extend: runtime}\n"
      "score: {match: 4, mismatch: -3}\n",
      "t.yaml", ".");
  const auto plan = plan::make_plan(*s, *backend::find_target("x86-64-v4"), DirectTeller(), {});
  const auto read = rt::kernels::parse_manifest(manifest(*s, *plan));
  ASSERT_TRUE(read) << read.error().message;
  for (const int deletion : {2, 3}) {
    const auto scoring = rt::align::resolve_scoring(
        *read,
        {{{"insertion_open", 5}, {"insertion_extend", 3}, {"deletion_open", 5}, {"deletion_extend", deletion}}, {}},
        {});
    ASSERT_TRUE(scoring) << scoring.error().message;
    const rt::align::Chooser chooser(*read, *scoring, Form::shared_profile, 16);
    ASSERT_EQ(chooser.levels(), 3);
    for (int level = 0; level < 3; ++level)
      EXPECT_EQ(read->kernels[static_cast<std::size_t>(chooser.kernel(level))].width, 8 << level);
    const std::string &first = read->kernels[static_cast<std::size_t>(chooser.kernel(0))].entry;
    EXPECT_EQ(first.find("_one_gap_") != first.npos, deletion == 3) << first;
  }
}

// A candidate's k is that of the kernel that it begins with.
TEST(Sliced, ATileThatWasGivenByHandIsTheirs) {
  const auto s = spec::parse_text(
      "version: 1\nname: t\nalphabet: dna\nalignment: global\ngap: {model: linear, extend: 1}\n"
      "score: {match: 2, mismatch: -1}\n",
      "t.yaml", ".");
  ASSERT_TRUE(s) << s.error().message;
  plan::Choice choice;
  choice.k = 5;
  const auto plan = plan::make_plan(*s, *backend::find_target("x86-64-v4"), DirectTeller(), plan::Tuning(choice));
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->kernels[0].sliced());
  EXPECT_EQ(plan->kernels[0].k, 5);
  EXPECT_EQ(plan->kernels[1].k, 5);
}

TEST(Targets, NameGatesAndArithmeticsThatThereAre) {
  for (const backend::Target &target : backend::targets())
    EXPECT_EQ(circuits::find_gate_set(target.gates) != nullptr, target.vector_bytes > 0) << target.name;
  for (const backend::Target &target : backend::device_targets()) {
    EXPECT_TRUE(circuits::find_gate_set(target.gates)) << target.name;
    const std::string all = target.device->arithmetics();
    for (const std::string_view word : targets::words(all)) {
      const targets::Arithmetic *row = targets::find_arithmetic(word);
      ASSERT_TRUE(row && row->on_devices()) << target.name << ": " << word;
      for (const bool local : {false, true}) {
        const plan::Range range = plan::range_of(std::string(word), local, target.device->language);
        EXPECT_LT(range.lowest, range.highest);
        EXPECT_TRUE(local || range.floor == Floor::none) << word;
      }
    }
  }
}

TEST(GapFormula, HasNumbersForWhatIsFolded) {
  EXPECT_EQ(rt::align::gap_formula(manifest_of("{model: affine, open: 5, extend: runtime}"), {}),
            "cost(L) = 5 + extend*L");
  EXPECT_EQ(
      rt::align::gap_formula(manifest_of("{model: dual_affine, open: 4, extend: 2, open2: runtime, extend2: 1}"), {}),
      "cost(L) = min(4 + 2*L, open2 + 1*L)");
  EXPECT_EQ(rt::align::gap_formula(manifest_of("{model: affine, open: runtime, extend: runtime}"), {}),
            "cost(L) = open + extend*L");
}

TEST(Scoring, ALineThatTheSpecHasNotIsNotCalledFixed) {
  Scoring given;
  given.values["insertion_open2"] = 3;
  const auto ok = rt::align::check_scoring(manifest_of("{model: affine, open: 2, extend: runtime}"), given);
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().message,
            "scoring: the spec 't' has no gap.insertion.open2: its gap model has no such costs; leave it out");
  EXPECT_EQ(ok.error().exit_code, 2);
}

}  // namespace
