// See check.h.
#include "check.h"

#include "oracle.h"
#include "spec/parse.h"

namespace soak {
namespace {

using namespace alnsmith;

std::string shown(long score, bool ends, long query_end, long target_end) {
  std::string text = "score " + std::to_string(score);
  if (ends) text += ", ends " + std::to_string(query_end) + ", " + std::to_string(target_end);
  return text;
}

std::optional<Failure> compare(const Answers &a, const std::vector<oracle::Answer> &want) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    const oracle::Answer &right = want[i];
    const bool ends = !a.query_end.empty();
    if (!a.given[i]) continue;
    if (a.score[i] == right.score &&
        (!ends || (a.query_end[i] == right.query_end && a.target_end[i] == right.target_end)))
      continue;
    return Failure{"wrong answer", a.who,
                   shown(a.score[i], ends, ends ? a.query_end[i] : 0, ends ? a.target_end[i] : 0),
                   shown(right.score, ends, right.query_end, right.target_end), i};
  }
  return std::nullopt;
}

void count(const Case &c, const Answers &a, Counts &counts) {
  Count call;
  for (std::size_t i = 0; i < c.pairs(); ++i) {
    if (!a.given[i]) {
      ++counts.promotable;
      continue;
    }
    ++call.pairs;
    call.cells += c.query(i).size() * c.target_of(i).size();
  }
  const std::string route = std::string(name(c.route)) + " ";
  const auto add = [&](const char *by, const std::string &key) {
    Count &entry = counts.by[by][route + key];
    entry.pairs += call.pairs;
    entry.cells += call.cells;
  };
  add("target", c.target);
  add("arithmetic", a.arithmetic);
  add("mapping", a.mapping);
  add("form", c.all ? "all" : "pairs");
  counts.pairs += call.pairs;
  counts.cells += call.cells;
}

Failure unexpected(const Error &error, const char *what) { return {what, "", error.message, "answers", 0}; }

}  // namespace

std::optional<std::string> foreseen(const std::string &message) {
  // What the message holds, in the rules of the spec, the planner and the runtime.
  static constexpr const char *reasons[] = {
      "the scoring does not fit the kernels of",
      "is not generated for",
      "has no packed half-precision maximum",
      "lanes of a warp of",
      "serves this scoring; scale the scores down",
      "a local alignment without a positive match scores 0 always",
      "a local alignment cannot have a positive mismatch",
      "a local alignment without a positive score is 0 always",
      "a local alignment cannot have a matrix of positive scores only",
      "a match costs more than a mismatch",
      "a match scores less than a mismatch",
      "rows is for one lane an alignment",
      "is one alignment's lanes",
      "contradicts `arithmetic",
  };
  for (const char *reason : reasons)
    if (message.find(reason) != std::string::npos) return reason;
  return std::nullopt;
}

std::optional<Failure> check(const Case &c, const spec::Spec &spec, Kernels &kernels, Counts *counts) {
  const auto answers = kernels.align(c);
  if (!answers) {
    const auto reason = foreseen(answers.error().message);
    if (!reason) return unexpected(answers.error(), "an unexpected refusal of a call");
    if (counts) ++counts->refusals[*reason + " (call)"];
    return std::nullopt;
  }
  if (answers->empty()) {
    if (counts) ++counts->refusals["no kernel of that form takes the call"];
    return std::nullopt;
  }
  const oracle::Problem dp = problem(c.spec, spec);
  std::vector<oracle::Answer> want;
  want.reserve(c.pairs());
  for (std::size_t i = 0; i < c.pairs(); ++i) want.push_back(oracle::align(dp, c.query(i), c.target_of(i)));
  for (const Answers &a : *answers) {
    if (counts) count(c, a, *counts);
    if (auto failure = compare(a, want)) return failure;
  }
  return std::nullopt;
}

std::optional<Failure> Checker::check(const Case &c, Counts *counts) {
  const std::string key = std::string(name(c.route)) + " " + c.target + " " + choice(c) + "\n" + yaml(c.spec);
  if (key != key_) {
    key_ = key;
    kernels_.reset();
    refused_.reset();
    reason_.clear();
    spec_.reset();
    const auto refuse = [&](const Error &error, const char *what) {
      if (const auto reason = foreseen(error.message))
        reason_ = *reason;
      else
        refused_ = unexpected(error, what);
    };
    auto spec = spec::parse_text(yaml(c.spec), "soak.yaml", ".");
    if (!spec) {
      refuse(spec.error(), "an unexpected refusal of a spec");
    } else {
      spec_ = *spec;
      auto opened = open_(c, *spec, places_);
      if (opened)
        kernels_ = *std::move(opened);
      else
        refuse(opened.error(), "an unexpected refusal to make kernels");
    }
  }
  if (kernels_) return soak::check(c, *spec_, *kernels_, counts);
  if (counts && !reason_.empty()) ++counts->refusals[reason_];
  return refused_;
}

}  // namespace soak
