// What is read as text: predicates, manifests.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "align/scoring.h"
#include "base/json_depth.h"
#include "kernels/manifest.h"
#include "kernels/predicate.h"
#include "tiny.h"

namespace {

using namespace alnsmith;
using namespace alnsmith::rt;

std::int64_t value(const std::string &text) {
  kernels::Values values{};
  values[ALN_MATCH] = 2;
  values[ALN_MISMATCH] = -3;
  values[kernels::kQuery] = 100;
  values[kernels::kTarget] = 40;
  values[kernels::kScoreMax] = 7;
  const auto p = kernels::Predicate::parse(text);
  EXPECT_TRUE(p) << p.error().message;
  return p ? p->value(values) : -999;
}

std::string error(const std::string &text) {
  const auto p = kernels::Predicate::parse(text);
  return p ? "" : p.error().message;
}

TEST(JsonDepth, BracketsInTextsNeitherCountNorHideOthers) {
  EXPECT_FALSE(deeper_than(2, R"([["[[[[{{{{\"[["]])"));
  EXPECT_TRUE(deeper_than(2, R"([["]]",["]"]]])"));
  EXPECT_TRUE(deeper_than(2, R"({"a\\":{"b":[]}})"));
  EXPECT_FALSE(deeper_than(2, "[[],[],[]]]]]"));
}

TEST(Predicate, FollowsThePrecedenceOfC) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("2 * -3 - -1"), -5);
  EXPECT_EQ(value("1 < 2 == 1"), 1);
  EXPECT_EQ(value("3 > 2 > 1"), 0);
  EXPECT_EQ(value("1 || 0 && 0"), 1);
  EXPECT_EQ(value("!1 + 1"), 1);
  EXPECT_EQ(value("!(1 + 1)"), 0);
  EXPECT_EQ(value("!0 != 0"), 1);
  EXPECT_EQ(value("1 != 2 && 2 >= 2 && 2 <= 2 && 3 > 2"), 1);
  EXPECT_EQ(value("min(query, target) * match + max(mismatch, 4)"), 84);
  EXPECT_EQ(value("4 * min(query, target) + 6 <= 65535"), 1);
  EXPECT_EQ(value("score_max*query<=699||0"), 0);
}

TEST(Predicate, SaturatesInsteadOfOverflowing) {
  EXPECT_EQ(value("9223372036854775807 + 1 == 9223372036854775807"), 1);
  EXPECT_EQ(value("-9223372036854775807 - 5 < -9223372036854775807"), 1);
  EXPECT_EQ(value("9223372036854775807 * 2 > 0"), 1);
  EXPECT_EQ(value("9223372036854775807 * -2 < 0"), 1);
  EXPECT_EQ(value("-(-9223372036854775807 - 1) > 0"), 1);
}

TEST(Predicate, ErrorsNameColumnAndRule) {
  EXPECT_NE(error("").find("column 1: expected a number"), std::string::npos);
  EXPECT_NE(error("1 +").find("column 4"), std::string::npos);
  EXPECT_NE(error("query + colour").find("column 9: unknown name `colour`"), std::string::npos);
  EXPECT_NE(error("(1").find("expected ')'"), std::string::npos);
  EXPECT_NE(error("1 2").find("column 3: expected an operator"), std::string::npos);
  EXPECT_NE(error("12ab"), "");
  EXPECT_NE(error("min(1)").find("expected ','"), std::string::npos);
  EXPECT_NE(error("9999999999999999999").find("64 bits"), std::string::npos);
  EXPECT_NE(error("99999999999999999999").find("19 digits"), std::string::npos);
  EXPECT_NE(error("1 = 1"), "");
  EXPECT_NE(error("1 / 1"), "");
  EXPECT_NE(error(std::string(500, '(')).find("deep"), std::string::npos);
  EXPECT_NE(error(std::string(500, '-') + "1").find("deep"), std::string::npos);
  EXPECT_NE(error(std::string(5000, '1')), "");
}

TEST(Predicate, ThousandMutatedTextsNeverFault) {
  tiny::Random random(1);
  const std::string seed = "4 * min(query, target) + 6 <= 65535 && !(match < -mismatch || max(1, insertion_open) == 2)";
  int parsed = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = seed;
    for (int n = 1 + random.below(4); n > 0; --n) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
      if (random.below(3) == 0)
        text.erase(at, static_cast<std::size_t>(1 + random.below(3)));
      else if (random.below(2))
        text.insert(at, random.letters(1, "()!<>=&|+-*,0129minax \t\n"));
      else
        text[at] = static_cast<char>(random.below(256));
      if (text.empty()) text = "1";
    }
    if (const auto p = kernels::Predicate::parse(text)) {
      ++parsed;
      kernels::Values extreme;
      extreme.fill(random.below(2) ? INT64_MAX : INT64_MIN);
      (void)p->value(extreme);
    }
  }
  EXPECT_GT(parsed, 30);
}

std::string manifest_text() {
  void *handle = ::dlopen(FAKE_DIR "/fake_global.so", RTLD_NOW | RTLD_LOCAL);
  return static_cast<const char *>(::dlsym(handle, "aln_manifest_v1"));
}

std::string with(std::string text, const std::string &from, const std::string &to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Manifest, ReadsWhatTheKernelsSay) {
  const auto m = kernels::parse_manifest(manifest_text());
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->spec_name, "fake");
  EXPECT_EQ(m->target, Isa{});
  EXPECT_EQ(m->max_query, 5000u);
  EXPECT_FALSE(m->max_target);
  ASSERT_EQ(m->kernels.size(), 6u);
  EXPECT_EQ(m->kernels[1].width, 16);
  EXPECT_TRUE(m->kernels[1].query_in_registers);
  EXPECT_EQ(m->kernels[3].form, Form::shared_profile);
}

TEST(Manifest, RefusesWhatItDoesNotKnow) {
  const std::string good = manifest_text();
  const auto refusal = [&](const std::string &from, const std::string &to) {
    const auto m = kernels::parse_manifest(with(good, from, to));
    return m ? "" : m.error().message;
  };
  EXPECT_NE(refusal("\"schema\":5", "\"schema\":6").find("schema is not 5"), std::string::npos);
  EXPECT_NE(refusal("\"abi\":4", "\"abi\":9").find("abi is not 4"), std::string::npos);
  EXPECT_NE(refusal("\"target\":\"scalar\"", "\"target\":\"z80\"").find("'z80'"), std::string::npos);
  EXPECT_NE(refusal("lanes-u8-v1", "lanes-u8-v2").find("layout"), std::string::npos);
  EXPECT_NE(refusal("\"lanes\":64", "\"lanes\":0").find("lanes"), std::string::npos);
  EXPECT_NE(refusal("\"match\":2,", "").find("match"), std::string::npos);
  EXPECT_NE(refusal("score_max *", "score_max /").find("exact is no predicate"), std::string::npos);
  EXPECT_NE(refusal("fake_pairs_i16", "fake_pairs_i8").find("twice"), std::string::npos);
  EXPECT_NE(refusal("[65,0]", "[65,33]").find("query_codes"), std::string::npos);
  EXPECT_NE(refusal("\"none\"", "\"folded\"").find("score_min"), std::string::npos);
  EXPECT_EQ(refusal("\"schema\":5", "\"later\":{\"x\":[1]},\"schema\":5"), "");
}

// Entries are looked up in libraries and name compilers' files; targets say who may load. Any value in any place.
TEST(Manifest, NoValueMakesANameThatIsNone) {
  using Json = nlohmann::ordered_json;
  const Json good = Json::parse(manifest_text());
  const std::vector<Json> values = {"../../evil",
                                    "/tmp/evil.so",
                                    "-o/tmp/evil",
                                    "a b",
                                    "a\nb",
                                    "*/",
                                    "\";system(\"x\");//",
                                    ")json\"",
                                    std::string("a\0b", 3),
                                    "\x1b[2J",
                                    "",
                                    std::string(100000, 'a'),
                                    "cuda:../x",
                                    -1,
                                    0,
                                    1e308,
                                    UINT64_MAX,
                                    INT64_MIN,
                                    nullptr,
                                    true,
                                    Json::array(),
                                    Json::object()};
  const Json flat = good.flatten();
  for (const auto &leaf : flat.items())
    for (const Json &value : values) {
      Json changed = good;
      changed[Json::json_pointer(leaf.key())] = value;
      const auto m = kernels::parse_manifest(changed.dump());
      if (!m) {
        EXPECT_LT(m.error().message.size(), 400U) << m.error().message;
        continue;
      }
      EXPECT_LE(m->letters.size(), 32U);
      for (const kernels::KernelInfo &kernel : m->kernels) {
        EXPECT_TRUE(!kernel.entry.empty() && kernel.entry.size() <= 512 &&
                    std::ranges::all_of(kernel.entry,
                                        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }))
            << kernel.entry;
        EXPECT_TRUE(kernel.lanes <= 1024 && kernel.k <= 1024 && kernel.scratch_fixed <= std::uint64_t{1} << 40);
      }
    }
}

TEST(Manifest, ThousandMutatedTextsNeverFault) {
  const std::string good = manifest_text();
  tiny::Random random(2);
  for (int i = 0; i < 1500; ++i) {
    std::string text = good;
    for (int n = 1 + random.below(6); n > 0; --n) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
      switch (random.below(4)) {
        case 0:
          text.erase(at, static_cast<std::size_t>(1 + random.below(40)));
          break;
        case 1:
          text.insert(at, random.letters(1 + random.below(3), "{}[]\",:0123456789-e.tn\\"));
          break;
        case 2:
          text[at] = static_cast<char>(random.below(256));
          break;
        default:
          text.resize(at + 1);
      }
      if (text.empty()) text = "{";
    }
    (void)kernels::parse_manifest(text);
  }
  EXPECT_FALSE(kernels::parse_manifest(std::string(100000, '[')));
  EXPECT_FALSE(kernels::parse_manifest(""));
  EXPECT_FALSE(kernels::parse_manifest("[]"));
  EXPECT_FALSE(kernels::parse_manifest("{\"schema\":48446744073709551615}"));
}

TEST(Scoring, EmptySequencesFollowTheFreeEnds) {
  kernels::Manifest m;
  align::CallScoring s;
  s.value = {2, -1, 3, 1, 5, 2, -1, 2};
  EXPECT_EQ(align::border_score(m, s, 0, 0), 0);
  EXPECT_EQ(align::border_score(m, s, 4, 0), -7);   // an insertion
  EXPECT_EQ(align::border_score(m, s, 0, 4), -13);  // a deletion
  m.minimize = true;
  EXPECT_EQ(align::border_score(m, s, 0, 4), 13);
  m.minimize = false;
  m.free_target = true;
  EXPECT_EQ(align::border_score(m, s, 0, 4), 0);
  EXPECT_EQ(align::border_score(m, s, 4, 0), -7);
  EXPECT_EQ(align::border_score(m, s, std::size_t{1} << 40, 0), std::nullopt);
  // A second line, where the manifest gives one: 4 letters are on the first, 9 on the second.
  s.value[ALN_INSERTION_OPEN2] = 8;
  s.value[ALN_INSERTION_EXTEND2] = 0;
  EXPECT_EQ(align::border_score(m, s, 9, 0), -12);
  m.runtime[ALN_INSERTION_OPEN2] = m.runtime[ALN_INSERTION_EXTEND2] = true;
  EXPECT_EQ(align::border_score(m, s, 4, 0), -7);
  EXPECT_EQ(align::border_score(m, s, 9, 0), -8);
  m.local = true;
  EXPECT_EQ(align::border_score(m, s, 4, 0), 0);
}

}  // namespace
