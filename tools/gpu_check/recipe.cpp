// See recipe.h. Lengths are drawn first, by one thread; then each sequence by a generator of its own.
#include "recipe.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "random.h"

namespace alnsmith::check {
namespace {

void in_parallel(std::size_t count, const std::function<void(std::size_t)> &work) {
  constexpr std::size_t kStep = 64;
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t first; (first = next.fetch_add(kStep)) < count;)
      for (std::size_t i = first; i < std::min(first + kStep, count); ++i) work(i);
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(run);
  run();
}

// A whole number between the two whose logarithm is uniform, made of integer steps alone: floating-point logarithms
// may differ between machines.
std::uint32_t log_uniform(Random &random, std::uint32_t low, std::uint32_t high) {
  if (low >= high) return low;
  constexpr std::uint64_t kStep = 1025;  // 2.5 / 1,024 octaves
  std::uint64_t steps = 0;
  for (std::uint64_t x = std::uint64_t{low} << 16; x >> 16 < high; x = x * kStep / 1024) ++steps;
  std::uint64_t x = std::uint64_t{low} << 16;
  for (std::uint64_t i = random.below(steps); i > 0; --i) x = x * kStep / 1024;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(x >> 16, high));
}

// A mutated copy of `from`, exactly `length` letters: what is missing at the end comes from `letters`.
void mutate(Random &random, const Recipe &recipe, std::string_view from, std::string_view letters, char *to,
            std::size_t length) {
  const auto any = [&] { return letters[random.below(letters.size())]; };
  std::size_t written = 0, read = 0;
  while (written < length) {
    if (read >= from.size()) {
      to[written++] = any();
      continue;
    }
    const int dice = static_cast<int>(random.below(1000));
    if (dice < recipe.substituted) {
      to[written++] = any();
      ++read;
    } else if (dice < recipe.substituted + recipe.inserted) {
      to[written++] = any();
    } else if (dice < recipe.substituted + recipe.inserted + recipe.lost) {
      ++read;
    } else {
      to[written++] = from[read++];
    }
  }
}

SequenceSet windows(const Recipe &recipe, std::string_view genome) {
  std::vector<std::uint32_t> targets(recipe.count), queries(recipe.count);
  Random random(recipe.seed, ~std::uint64_t{0});
  const auto most = static_cast<std::uint32_t>(genome.size() / 2);
  for (std::size_t i = 0; i < recipe.count; ++i) {
    targets[i] = std::min(log_uniform(random, recipe.shortest, recipe.longest), most);
    queries[i] = targets[i];
    if (recipe.read > 0)
      queries[i] = std::min(recipe.read, targets[i]);
    else if (!recipe.level)
      queries[i] =
          std::max<std::uint32_t>(1, targets[i] - static_cast<std::uint32_t>(random.below(targets[i] / 8 + 1)));
  }
  SequenceSet set;
  set.targets.shape(targets);
  set.queries.shape(queries);
  in_parallel(recipe.count, [&](std::size_t i) {
    Random own(recipe.seed, i);
    const auto somewhere = [&] { return own.below(genome.size() - targets[i] * 9 / 8 - 1); };
    const std::size_t place = somewhere();
    std::copy_n(genome.data() + place, targets[i], set.targets.at(i));
    const bool related = recipe.unrelated == 0 || i % static_cast<std::size_t>(recipe.unrelated) != 0;
    const std::size_t from = related ? place : somewhere();
    const std::size_t before = recipe.read > 0 ? own.below(targets[i] - queries[i] + 1) : 0;
    mutate(own, recipe, genome.substr(from + before, targets[i] * 9 / 8 - before), "ACGT", set.queries.at(i),
           queries[i]);
  });
  return set;
}

SequenceSet proteins(const Recipe &recipe, const SequenceList &source, const SequenceList &queries) {
  // Residues as frequent as in the first proteins.
  std::string residues;
  for (std::size_t i = 0; i < source.size() && residues.size() < 20000; ++i) residues += source[i];
  std::vector<std::uint32_t> lengths(recipe.count);
  std::vector<std::uint32_t> parent(recipe.count);
  for (std::size_t i = 0; i < recipe.count; ++i) {
    Random own(recipe.seed, i);
    parent[i] = static_cast<std::uint32_t>(i < source.size() ? i : own.below(source.size()));
    lengths[i] = static_cast<std::uint32_t>(source.length(parent[i]));
  }
  SequenceSet set;
  set.queries = queries;
  set.targets.shape(lengths);
  in_parallel(recipe.count, [&](std::size_t i) {
    const std::string_view real = source[parent[i]];
    if (i < source.size()) {  // the real ones go first
      std::ranges::copy(real, set.targets.at(i));
      return;
    }
    Random own(recipe.seed + 1, i);
    mutate(own, recipe, real, residues, set.targets.at(i), lengths[i]);
  });
  return set;
}

}  // namespace

Result<SequenceSet> make_set(const Recipe &recipe, const Stored &stored) {
  const auto find = [&](const std::string &name) -> const SequenceList * {
    const auto found = stored.find(name);
    return found == stored.end() || found->second.size() == 0 ? nullptr : &found->second;
  };
  const SequenceList *source = find(recipe.source);
  const SequenceList *queries = recipe.queries.empty() ? source : find(recipe.queries);
  if (!source || !queries)
    return Error{"the folder does not hold the sequences " + recipe.source + " " + recipe.queries};
  if (recipe.kind == "windows") {
    if ((*source)[0].size() < 4096 || recipe.shortest == 0) return Error{recipe.source + ": too short to cut windows"};
    return windows(recipe, (*source)[0]);
  }
  if (recipe.kind == "proteins") return proteins(recipe, *source, *queries);
  if (recipe.kind == "stored") return SequenceSet{*queries, *source};
  return Error{"unknown kind of set: " + recipe.kind};
}

}  // namespace alnsmith::check
