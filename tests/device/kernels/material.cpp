// See material.h.
#include "material.h"

#include <algorithm>
#include <cctype>

#include "../../mutated.h"
#include "golden.h"
#include "spec/codes.h"
#include "spec_problem.h"

namespace alnsmith::test {
namespace {

enum class Shape { ragged, extremes, stages, real };

std::size_t below(std::mt19937 &random, std::size_t end) { return random() % static_cast<unsigned>(end); }

// Letters of the register side that a group of lanes holds at a time.
std::size_t stage_width(const plan::KernelPlan &kernel) {
  return static_cast<std::size_t>(kernel.p * kernel.k * (kernel.mapping == "block" ? kernel.warps : 1));
}

std::string query_of(std::mt19937 &random, const std::string &letters, const std::vector<std::string> &real,
                     std::size_t width, Shape shape, std::size_t turn) {
  if (shape == Shape::stages) return random_text(random, letters, width + 1 + below(random, 1 + width / 4));
  if (shape == Shape::extremes) return random_text(random, letters, turn % 2 == 0 ? 1 : 1 + below(random, width));
  if (shape == Shape::real) return real[below(random, real.size())];
  if (turn % 8 == 3) return std::string(1 + below(random, 40), letters[below(random, letters.size())]);
  return random_text(random, letters, 1 + below(random, 50));
}

std::string target_of(std::mt19937 &random, const std::string &letters, const std::vector<std::string> &real,
                      const std::string &query, Shape shape, std::size_t turn) {
  switch (shape) {
    case Shape::stages:
      return random_text(random, letters, 1 + below(random, 50));
    case Shape::extremes:
      return turn % 3 == 0 ? std::string(1, letters.back()) : random_text(random, letters, 1 + below(random, 3));
    case Shape::real:
      return real[below(random, real.size())];
    case Shape::ragged:
      break;
  }
  return turn % 2 == 0 ? mutated(random, letters, query, 24) : random_text(random, letters, 1 + below(random, 60));
}

std::vector<Pair> batch(std::mt19937 &random, const std::string &letters, const std::vector<std::string> &real,
                        const plan::KernelPlan &kernel, Shape shape, std::size_t count) {
  const std::size_t shared = static_cast<std::size_t>(kernel.queries()), width = stage_width(kernel);
  std::vector<std::string> queries;
  for (std::size_t h = 0; h < shared; ++h)
    queries.push_back(query_of(random, letters, real, width, shape, random() % 8));
  std::vector<Pair> pairs;
  std::string target;
  for (std::size_t i = 0; i < (shared > 0 ? count / shared * shared : count); ++i) {
    const std::string query = shared > 0 ? queries[i % shared] : query_of(random, letters, real, width, shape, i);
    if (shared == 0 || i % shared == 0)
      target = target_of(random, letters, real, query, shape, i / static_cast<std::size_t>(kernel.packing));
    pairs.emplace_back(query, target);
  }
  return pairs;
}

}  // namespace

std::string all_letters(const spec::Alphabet &alphabet) {
  std::string letters = alphabet.letters + alphabet.letters;
  for (const char letter : alphabet.letters)
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  for (const auto &[byte, letter] : alphabet.synonyms) letters += byte;
  return letters;
}

std::string random_text(std::mt19937 &random, const std::string &letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[below(random, letters.size())];
  return text;
}

std::vector<std::string> real_sequences(const spec::Spec &spec) {
  const std::string folder = golden::bundled_dir();
  const bool protein = spec.alphabet.name == "protein";
  const bool bases = spec.alphabet.letters.starts_with("ACGT") || spec.alphabet.name == "iupac";
  if (!protein && !bases) return {};
  std::vector<std::string> texts;
  for (const auto &record :
       golden::read_sequences(folder + (protein ? "/protein_targets.fasta.gz" : "/emp16S_reads.fasta.gz"))) {
    const auto codes = spec::letter_codes(spec, spec::Side::query);
    const bool known = std::ranges::all_of(record.letters, [&](char c) {
      return std::ranges::any_of(codes, [&](const auto &code) { return code.first == static_cast<unsigned char>(c); });
    });
    if (known) texts.push_back(record.letters);
    if (texts.size() == 60) break;
  }
  return texts;
}

std::vector<std::vector<Pair>> batches(std::mt19937 &random, const spec::Spec &spec, const plan::KernelPlan &kernel) {
  const std::string letters = all_letters(spec.alphabet);
  const auto real = real_sequences(spec);
  const bool block = kernel.mapping == "block";
  // More than one block's worth: some warps take a second work item, and the last item is not full.
  const std::size_t at_once =
      static_cast<std::size_t>(block ? kernel.packing : kernel.lanes / kernel.p * kernel.packing * kernel.warps);
  std::vector<std::vector<Pair>> all = {
      batch(random, letters, real, kernel, Shape::ragged, block ? 5 : at_once + 1),
      batch(random, letters, real, kernel, Shape::extremes, block ? 5 : 11),
      batch(random, letters, real, kernel, Shape::stages, 3 + static_cast<std::size_t>(kernel.packing) % 2)};
  if (!real.empty()) all.push_back(batch(random, letters, real, kernel, Shape::real, 4));
  return all;
}

std::string high_scoring(const spec::Spec &spec, const Scoring &call, long highest, std::size_t most) {
  const oracle::Problem problem = oracle::spec_problem(spec, call);
  char best = spec.alphabet.letters[0];
  for (const char letter : spec.alphabet.letters)
    if (oracle::score(problem, std::string(1, letter), std::string(1, letter)) >
        oracle::score(problem, std::string(1, best), std::string(1, best)))
      best = letter;
  const long each = oracle::score(problem, std::string(1, best), std::string(1, best));
  if (each <= 0) return {};
  const std::size_t length = static_cast<std::size_t>(highest / each) + 1;
  return length > most ? std::string() : std::string(length, best);
}

}  // namespace alnsmith::test
