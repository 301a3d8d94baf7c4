// See check.h.
#include "check.h"

#include <algorithm>

#include "alignment_check.h"
#include "oracle.h"
#include "spec/parse.h"

namespace soak {
namespace {

using namespace alnsmith;

// What is compared of a pair; `like`: has the outputs that count.
std::string shown(const Answers &like, long score, std::pair<long, long> ends, std::pair<long, long> begins,
                  const std::string &cigar) {
  std::string text = "score " + std::to_string(score);
  const auto add = [&](const char *what, const std::pair<long, long> &at) {
    text += what + std::to_string(at.first) + ", " + std::to_string(at.second);
  };
  if (!like.query_end.empty()) add(", ends ", ends);
  if (!like.query_begin.empty()) add(", begins ", begins);
  if (!like.cigar.empty()) text += ", " + cigar;
  return text;
}

std::string shown(const Answers &a, std::size_t i) {
  const auto at = [i](const auto &query, const auto &target) {
    return query.empty() ? std::pair<long, long>() : std::pair<long, long>(query[i], target[i]);
  };
  return shown(a, a.score[i], at(a.query_end, a.target_end), at(a.query_begin, a.target_begin),
               a.cigar.empty() ? "" : a.cigar[i]);
}

std::optional<Failure> compare(const Answers &a, const std::vector<oracle::Answer> &want) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    const oracle::Answer &right = want[i];
    if (!a.given[i]) continue;
    const std::string got = shown(a, i),
                      expected = shown(a, right.score, {right.query_end, right.target_end},
                                       {right.query_begin, right.target_begin}, oracle::text(right.cigar));
    if (got != expected) return Failure{"wrong answer", a.who, got, expected, i};
  }
  return std::nullopt;
}

// The textbook's own alignments, which the kernels' are equal to, against the checker that knows no recurrence.
std::optional<Failure> check_textbook(const Case &c, const oracle::Problem &dp,
                                      const std::vector<oracle::Answer> &answers) {
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (const auto said = golden::complaint(dp, c.query(i), c.target_of(i), answers[i]); !said.empty())
      return Failure{"an unsound alignment", "the textbook", oracle::text(answers[i].cigar), said, i};
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
  add("output", c.spec.cigar ? "cigar" : c.spec.begin ? "begin" : c.spec.end ? "end" : "score");
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
      "rows is for one lane per alignment",
      "is one alignment's lanes",
      "contradicts `arithmetic",
      "mapping: strips has no template for",
      "mapping: striped has no template for",
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
  // A pair without an alignment in its band the library refuses; no kernel of its own is asked for one. None is drawn:
  // shrinking makes them.
  const bool alone = c.route == Route::direct || c.route == Route::simt;
  if (alone && std::ranges::any_of(want, [](const auto &answer) { return answer.score == oracle::no_alignment; }))
    return std::nullopt;
  for (const Answers &a : *answers) {
    if (counts) count(c, a, *counts);
    if (auto failure = compare(a, want)) return failure;
  }
  if (spec.output.begin) return check_textbook(c, dp, want);
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
