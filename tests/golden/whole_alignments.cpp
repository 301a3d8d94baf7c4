// See whole_alignments.h.
#include "whole_alignments.h"

#include <filesystem>
#include <stdexcept>

#include "alignment_check.h"
#include "mutated.h"
#include "random_problems.h"
#include "spec/parse.h"
#include "spec_problem.h"

namespace golden {

using alnsmith::Output;

PairList ragged_pairs(std::mt19937 &random, std::string_view letters, std::size_t count, std::size_t longest) {
  PairList pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view few = i % 5 == 3 ? letters.substr(0, 2) : letters;
    const std::string query = random_letters(random, few, i == 0 ? longest : 1 + random() % longest);
    std::string target = i % 3 == 0 ? random_letters(random, few, 1 + random() % longest)
                                    : mutated(random, few, query, i % 3 == 1 ? 12 : 40);
    if (target.size() > longest) target.resize(longest);
    pairs.add(query, target);
  }
  return pairs;
}

void add_corner_cases(PairList &pairs, std::string_view letters) {
  const char a = letters[0], c = letters[1];
  const auto run = [](char letter, std::size_t length) { return std::string(length, letter); };
  pairs.add("", "");
  pairs.add("", run(a, 7));
  pairs.add(run(c, 5), "");
  for (const std::size_t length : {1u, 2u, 15u, 16u, 17u, 33u}) {
    pairs.add(run(a, 1), run(a, length));
    pairs.add(run(c, length), run(c, 1));
    pairs.add(run(a, 1), run(c, length));
    pairs.add(run(a, length), run(a, 2 * length + 1));
    pairs.add(run(a, 3 * length), run(a, length));
    pairs.add(run(a, length), run(c, length + 3));
    pairs.add(run(c, 40) + run(a, length), run(a, length) + run(c, 40));
  }
  std::string both;
  for (int i = 0; i < 70; ++i) (both += a) += c;
  pairs.add(both, both.substr(1));
  pairs.add(both.substr(0, 21), both);
  pairs.add(both, run(a, 70));
}

Alignments::Alignments(std::size_t pairs)
    : score(pairs, -999999), query_end(score), target_end(score), query_begin(score), target_begin(score) {}

alnsmith::Columns Alignments::columns(bool with_cigars) {
  alnsmith::Columns columns{{Output::score, score},
                            {Output::query_end, query_end},
                            {Output::target_end, target_end},
                            {Output::query_begin, query_begin},
                            {Output::target_begin, target_begin}};
  if (with_cigars) columns.set(cigars);
  return columns;
}

oracle::Answer Alignments::answer(std::size_t pair) const {
  oracle::Answer answer;
  answer.score = score[pair];
  answer.query_end = query_end[pair];
  answer.target_end = target_end[pair];
  answer.query_begin = query_begin[pair];
  answer.target_begin = target_begin[pair];
  if (cigars.size() > 0) answer.cigar = runs_of(cigars[pair]);
  return answer;
}

std::string shown(const oracle::Answer &answer) {
  return "score " + std::to_string(answer.score) + ", query " + std::to_string(answer.query_begin) + " to " +
         std::to_string(answer.query_end) + ", target " + std::to_string(answer.target_begin) + " to " +
         std::to_string(answer.target_end) + ", " + text(answer.cigar);
}

namespace {

bool same(const oracle::Answer &a, const oracle::Answer &b) {
  return a.score == b.score && a.query_end == b.query_end && a.target_end == b.target_end &&
         a.query_begin == b.query_begin && a.target_begin == b.target_begin && a.cigar == b.cigar;
}

// Long ones by their begin and their length.
std::string letters_of(const std::string &sequence) {
  constexpr std::size_t most = 1000;
  if (sequence.size() <= most) return sequence;
  return sequence.substr(0, 60) + "... (" + std::to_string(sequence.size()) + " letters)";
}

std::string wrong(const PairList &pairs, std::size_t i, const oracle::Answer &got, const std::string &rather) {
  return "pair " + std::to_string(i) + ": " + letters_of(pairs.queries[i]) + " / " + letters_of(pairs.targets[i]) +
         ": " + shown(got) + "; " + rather;
}

}  // namespace

std::string difference(const Alignments &got, const Alignments &wanted, const PairList &pairs) {
  if (got.size() != wanted.size()) return "another number of pairs";
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!same(got.answer(i), wanted.answer(i)))
      return wrong(pairs, i, got.answer(i), "elsewhere " + shown(wanted.answer(i)));
  return "";
}

Alignments WholeAligner::align(const PairList &pairs, alnsmith::Report *report) const {
  Alignments got(pairs.size());
  auto done = aligner->align_pairs(pairs.query_views(), pairs.target_views(), got.columns(), options);
  if (!done) throw std::runtime_error(done.error().message);
  if (report) *report = *std::move(done);
  return got;
}

std::string WholeAligner::complaint(const PairList &pairs, const Alignments &got) const {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const oracle::Answer answer = got.answer(i);
    if (const auto want = oracle::align(problem, pairs.queries[i], pairs.targets[i]); !same(answer, want))
      return wrong(pairs, i, answer, "the textbook says " + shown(want));
    if (const auto said = golden::complaint(problem, pairs.queries[i], pairs.targets[i], answer); !said.empty())
      return wrong(pairs, i, answer, said);
  }
  return "";
}

WholeAligner open_whole(const std::string &fields, alnsmith::Isa isa, const Making &making, const std::string &output) {
  const std::string yaml = "version: 1\nname: whole\n" + fields + "\noutput: " + output + "\n";
  const auto spec = alnsmith::spec::parse_text(yaml, "whole.yaml", ".");
  if (!spec) throw std::runtime_error(spec.error().message);
  alnsmith::Sources sources;
  sources.generator = making.generator;
  sources.cache_dir = scratch::kernel_cache();
  sources.choice = making.choice;
  static const scratch::Folder no_tables;  // the planner's own choices
  sources.tuned_dir = no_tables.path();
  alnsmith::Options options;
  options.isa = isa;
  options.threads = 2;
  options.devices = making.devices;
  options.device_memory_bytes = making.device_memory;
  options.scoring = oracle::call_scoring(*spec);
  auto aligner = TemporaryAligner::open(yaml, sources, options);
  if (!aligner) throw std::runtime_error(aligner.error().message);
  return {*std::move(aligner), options, oracle::spec_problem(*spec, options.scoring)};
}

}  // namespace golden
