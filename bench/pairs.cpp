// See pairs.h.
#include "pairs.h"

#include <algorithm>

namespace bench {
namespace {

std::string random_dna(Random &random, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += "ACGT"[random() % 4];
  return text;
}

// Bench letters are those that every contender takes alike: ACGT.
void only_acgt(std::string &letters) {
  for (char &letter : letters)
    if (std::string_view("ACGT").find(letter) == std::string_view::npos) letter = 'A';
}

// `length` letters from `at` on with `errors` in a thousand: four of five substitutions, the others deletions and
// insertions in equal parts. A substitution draws any of `letters`, the one that was there too.
std::string mutated(Random &random, const std::string &text, std::size_t at, std::size_t length, unsigned errors,
                    std::string_view letters) {
  std::string copy;
  while (copy.size() < length) {
    const char letter = at < text.size() ? text[at++] : letters[random() % letters.size()];
    const unsigned dice = random() % 1000;
    if (dice < errors * 8 / 10)
      copy += letters[random() % letters.size()];
    else if (dice < errors * 9 / 10)
      continue;
    else if (dice < errors)
      copy += std::string{letter, letters[random() % letters.size()]};
    else
      copy += letter;
  }
  copy.resize(length);
  return copy;
}

}  // namespace

std::uint64_t Batch::cells() const {
  std::uint64_t cells = 0;
  for (std::size_t i = 0; i < pairs(); ++i) cells += query(i).size() * target(i).size();
  return cells;
}

std::string genome(const std::optional<std::string> &data, Random &random) {
  if (!data) return random_dna(random, 200000);
  std::string letters = golden::read_sequences(*data + "/genomes/ecoli536_first200k.fasta").front().letters;
  only_acgt(letters);
  return letters;
}

std::string protein_letters(const std::string &data) {
  std::string letters;
  for (const golden::Record &record : golden::read_sequences(data + "/protein/queries_cudasw20.fasta"))
    for (const char letter : record.letters)
      if (kResidues.find(letter) != std::string_view::npos) letters += letter;
  return letters;
}

Batch equal_pairs(const std::string &text, std::size_t length, std::uint64_t cells, Random &random) {
  Batch batch;
  const std::size_t pairs = std::max<std::size_t>(256, cells / (150 * length) / 256 * 256);
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t at = random() % (text.size() - 2 * length), other = random() % (text.size() - 2 * length);
    batch.queries.push_back(text.substr(at, length));
    batch.targets.push_back(mutated(random, text, i % 5 == 4 ? other : at, length, 50, "ACGT"));
  }
  return batch;
}

Batch related_pairs(const std::string &text, std::string_view letters, std::size_t length, unsigned errors,
                    std::size_t pairs, Random &random) {
  Batch batch;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t at = random() % (text.size() - 2 * length);
    batch.queries.push_back(text.substr(at, length));
    batch.targets.push_back(mutated(random, text, at, length, errors, letters));
  }
  return batch;
}

Batch each_with_each(const std::string &genome, std::size_t queries, std::size_t targets, Random &random) {
  constexpr std::size_t read = 150, window = 700;
  Batch batch;
  batch.each = true;
  for (std::size_t i = 0; i < targets; ++i)
    batch.targets.push_back(genome.substr(random() % (genome.size() - window), window));
  for (std::size_t i = 0; i < queries; ++i) {
    const std::string &from = batch.targets[random() % targets];
    batch.queries.push_back(mutated(random, from, random() % (window - read), read, 50, "ACGT"));
  }
  return batch;
}

Batch ragged_reads(const std::vector<golden::Record> &reads, std::uint64_t cells) {
  Batch batch;
  std::uint64_t done = 0;
  for (std::size_t i = 0; done < cells; ++i) {
    std::string query = reads[i % reads.size()].letters, target = reads[(i * 7 + 1) % reads.size()].letters;
    only_acgt(query);
    only_acgt(target);
    done += query.size() * target.size();
    batch.queries.push_back(std::move(query));
    batch.targets.push_back(std::move(target));
  }
  return batch;
}

Batch levelled(const Batch &ragged) {
  std::string queries, targets;
  for (const std::string &query : ragged.queries) queries += query;
  for (const std::string &target : ragged.targets) targets += target;
  const std::size_t length = std::min(queries.size(), targets.size()) / ragged.pairs();
  Batch batch;
  for (std::size_t i = 0; i < ragged.pairs(); ++i) {
    batch.queries.push_back(queries.substr(i * length, length));
    batch.targets.push_back(targets.substr(i * length, length));
  }
  return batch;
}

}  // namespace bench
