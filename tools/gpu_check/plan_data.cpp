// See plan_data.h.
#include "plan_data.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "alnsmith/forms.hpp"
#include "golden.h"
#include "random.h"

namespace alnsmith::check {
namespace {

constexpr std::string_view kBases = "ACGT";

std::string upper(std::string text, std::string_view allowed, char otherwise) {
  for (char &c : text) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (allowed.find(c) == std::string_view::npos) c = otherwise;
  }
  return text;
}

SequenceList read_list(const std::string &path, std::string_view allowed, char otherwise, std::size_t most) {
  SequenceList list;
  for (const golden::Record &record : golden::read_sequences(path)) {
    if (list.size() == most) break;
    if (!record.letters.empty()) list.add(upper(record.letters, allowed, otherwise));
  }
  return list;
}

std::string of_length(const SequenceList &list, std::size_t wanted) {
  std::size_t best = 0;
  const auto off = [&](std::size_t i) { return std::max(list.length(i), wanted) - std::min(list.length(i), wanted); };
  for (std::size_t i = 1; i < list.size(); ++i)
    if (off(i) < off(best)) best = i;
  return std::string(list[best]);
}

std::string random_letters(Random &random, std::string_view letters, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += letters[random.below(letters.size())];
  return text;
}

// Lengths that kernels stumble over: one letter, a tile's width and one beside it, more than a block's strip, long
// against short.
void add_extremes(const Data &data, Random &random, std::string_view letters, SequenceList &queries,
                  SequenceList &targets) {
  constexpr struct {
    std::size_t query, target;
  } kLengths[] = {{1, 1},    {1, 200},  {200, 1},  {127, 128}, {128, 127},  {256, 257},
                  {257, 31}, {33, 513}, {515, 70}, {700, 900}, {1500, 1400}};
  for (const auto &length : kLengths) {
    if (!data.takes(length.query, length.target)) continue;
    const std::string query = random_letters(random, letters, length.query);
    queries.add(query);
    targets.add(random_letters(random, letters, length.target / 2) +
                (query + random_letters(random, letters, length.target)).substr(0, length.target - length.target / 2));
  }
  const std::string same(300, letters[0]);
  queries.add(same);
  targets.add(same);
  queries.add(same);
  targets.add(std::string(300, letters[1]));
}

void add_stored(Data &data, const std::string &name, SequenceList queries, SequenceList targets) {
  data.stored[name + "-queries"] = std::move(queries);
  data.stored[name + "-targets"] = std::move(targets);
  Recipe recipe;
  recipe.kind = "stored";
  recipe.source = name + "-targets";
  recipe.queries = name + "-queries";
  data.sets.push_back({name, recipe, 0, 0});
}

// Golden pairs of an alphabet, at most `count`, then the extremes.
void add_golden(Data &data, const std::string &name, std::string_view alphabet, std::string_view letters,
                std::size_t count) {
  const auto present = golden::present_data();
  const golden::Set set = golden::load(present.back());
  std::vector<std::string> ids;
  for (const auto &[id, pair] : set.pairs) {
    const bool known =
        pair.alphabet == alphabet && (pair.query + pair.target).find_first_not_of(letters) == std::string::npos;
    if (known && !pair.query.empty() && !pair.target.empty() && data.takes(pair.query.size(), pair.target.size()) &&
        pair.cells() <= 1000000)
      ids.push_back(id);
  }
  std::ranges::sort(ids);
  Random random(7, name.size());
  for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.below(i)]);
  if (ids.size() > count) ids.resize(count);
  SequenceList queries, targets;
  for (const std::string &id : ids) {
    queries.add(set.pairs.at(id).query);
    targets.add(set.pairs.at(id).target);
  }
  add_extremes(data, random, letters, queries, targets);
  data.ids[name] = std::move(ids);
  add_stored(data, name, std::move(queries), std::move(targets));
}

SetEntry windows(const std::string &name, std::uint64_t count, std::uint32_t shortest, std::uint32_t longest,
                 bool noisy) {
  Recipe recipe;
  recipe.kind = "windows";
  recipe.source = "genome";
  recipe.count = count;
  recipe.shortest = shortest;
  recipe.longest = longest;
  recipe.level = shortest == longest;
  recipe.substituted = noisy ? 40 : 20;
  recipe.inserted = noisy ? 40 : 5;
  recipe.lost = noisy ? 40 : 5;
  recipe.unrelated = noisy ? 0 : 5;
  recipe.seed = shortest;
  return {name, recipe, 0, 0};
}

BenchEntry bench(const std::string &name, const std::string &spec, Form form, const std::string &set) {
  BenchEntry entry;
  entry.name = name;
  entry.spec = spec;
  entry.form = name_of(form);
  entry.set = set;
  return entry;
}

}  // namespace

Result<Data> plan_data(bool tiny) {
  Data data;
  if (tiny) data.longest = 520, data.most_cells = 70000;
  const auto folder = golden::data_dir();
  const std::string residues = "ARNDCQEGHILKMFPSTWYVBJZX";
  try {
    const std::string genome =
        folder ? *folder + "/genomes/ecoli536.fasta.gz" : golden::bundled_dir() + "/lambda_windows.fasta.gz";
    std::string bases;
    for (const golden::Record &record : golden::read_sequences(genome)) bases += upper(record.letters, kBases, 'A');
    if (tiny && bases.size() > 200000) bases.resize(200000);
    data.stored["genome"].add(bases);
    const std::string queries =
        folder ? *folder + "/protein/queries_cudasw20.fasta" : golden::bundled_dir() + "/protein_queries.fasta";
    const std::string proteins =
        folder && !tiny ? *folder + "/protein/db.fasta.gz" : golden::bundled_dir() + "/protein_targets.fasta.gz";
    data.stored["protein-queries"] = read_list(tiny ? golden::bundled_dir() + "/protein_queries.fasta" : queries,
                                               residues, 'X', tiny ? 2 : SIZE_MAX);
    data.stored["protein-query"].add(of_length(data.stored["protein-queries"], 464));
    data.stored["proteins"] = read_list(proteins, residues, 'X', SIZE_MAX);
    const std::size_t count = tiny ? 24 : 300;
    add_golden(data, "test-dna", "dna", kBases, count);
    add_golden(data, "test-dna-n", "dna", "ACGTN", count);
    add_golden(data, "test-protein", "protein", residues, count);
  } catch (const std::runtime_error &error) {
    return Error{error.what()};
  }
  Recipe search;
  search.kind = "proteins";
  search.source = "proteins";
  search.queries = "protein-queries";
  search.count = tiny ? 12 : 500000;
  search.substituted = 150;
  search.inserted = search.lost = 10;
  data.sets.push_back({"proteins", search, 0, 0});
  search.queries = "protein-query";
  data.sets.push_back({"proteins-one-query", search, 0, 0});
  for (const std::uint32_t length : {150u, 512u, 1024u, 2048u, 4096u})
    data.sets.push_back(tiny ? windows("windows-" + std::to_string(length), 8, length / 8, length / 8, false)
                             : windows("windows-" + std::to_string(length),
                                       std::min<std::uint64_t>(2000000, (std::uint64_t{1} << 29) / length), length,
                                       length, false));
  SetEntry placed =
      tiny ? windows("reads-on-branches", 8, 120, 120, false) : windows("reads-on-branches", 100000, 1000, 1000, false);
  placed.recipe.read = tiny ? 40 : 100;
  data.sets.push_back(std::move(placed));
  data.sets.push_back(tiny ? windows("reads-long", 3, 300, 600, true) : windows("reads-long", 8192, 4000, 57000, true));
  return data;
}

std::string test_set(const spec::Spec &spec, Data &data) {
  const std::string &letters = spec.alphabet.letters;
  const auto has = [&](std::string_view wanted) {
    return std::ranges::all_of(wanted, [&](char c) { return letters.find(c) != std::string::npos; });
  };
  const bool bounds = spec.has_bounds();  // in which every query has room here, and not every golden pair
  if (!bounds && has("ARNDCQEGHILKMFPSTWYVX")) return "test-protein";
  if (!bounds && has("ACGTN")) return "test-dna-n";
  if (!bounds && has(kBases)) return "test-dna";
  const std::string name = "test-" + spec.name;
  SequenceList queries, targets;
  Random random(5, letters.size());
  for (int i = 0; i < 60; ++i) {
    const std::string query = random_letters(random, letters, 1 + random.below(300));
    queries.add(query);
    targets.add(bounds ? random_letters(random, letters, 150) + query + random_letters(random, letters, 151)
                       : query.substr(0, query.size() / 2) + random_letters(random, letters, 1 + random.below(200)));
  }
  if (!bounds) add_extremes(data, random, letters, queries, targets);
  add_stored(data, name, std::move(queries), std::move(targets));
  return name;
}

// The goals are docs/performance.md's, for one H200.
std::vector<BenchEntry> plan_benches(const std::vector<std::string> &specs, bool tiny) {
  std::vector<BenchEntry> list;
  const auto add = [&](BenchEntry entry) {
    if (std::ranges::count(specs, entry.spec)) list.push_back(std::move(entry));
  };
  BenchEntry search = bench("protein-search", "protein-local-blosum62", Form::shared_profile, "proteins");
  search.goal = tiny ? 0 : 6.5;
  search.stretch = 8;
  search.sweep = true;
  add(search);
  search.name = "protein-search-one-query";
  search.form = name_of(Form::single_query);
  search.set = "proteins-one-query";
  search.stretch = 0;
  add(search);
  constexpr struct {
    const char *name, *spec;
    double goal;
  } kShort[] = {{"linear-512", "anyseq-global-linear", 13}, {"affine-512", "anyseq-global-affine", 8.5}};
  for (const auto &row : kShort) {
    BenchEntry entry = bench(row.name, row.spec, Form::pairwise, "windows-512");
    entry.goal = tiny ? 0 : row.goal;
    entry.sweep = true;
    add(entry);
  }
  for (const auto &[name, spec] : {std::pair{"local-affine-512", "anyseq-local-affine"},
                                   std::pair{"semiglobal-affine-512", "anyseq-semiglobal-affine"}})
    add(bench(name, spec, Form::pairwise, "windows-512"));
  // Whole alignments, beside the figures of AnySeq/GPU on an A100 (0.76 and 2.0 TCUPS); goals by the model of
  // docs/devices.md.
  constexpr struct {
    const char *name, *spec, *set;
    double goal;
  } kWhole[] = {{"local-affine-cigar-150", "dna-local-cigar", "windows-150", 3},
                {"global-affine-cigar-512", "dna-global-cigar", "windows-512", 0},
                {"edit-distance-cigar-512", "edit-distance-cigar", "windows-512", 6}};
  for (const auto &row : kWhole) {
    BenchEntry entry = bench(row.name, row.spec, Form::pairwise, row.set);
    entry.goal = tiny ? 0 : row.goal;
    entry.sweep = true;
    add(entry);
  }
  // Reads of 100 letters with branches of 1,000 columns, none flagged: test A of PaPaRa's paper of 2012. Goals by the
  // model, docs/performance.md.
  for (const auto &[name, spec, goal] :
       {std::tuple{"placement-v25", "papara-v25", 1.2}, {"placement-eq1", "papara-eq1", 1.3}}) {
    BenchEntry entry = bench(name, spec, Form::pairwise, "reads-on-branches");
    entry.goal = tiny ? 0 : goal;
    entry.sweep = true;
    add(entry);
  }
  for (const char *length : {"150", "1024", "2048", "4096"})
    for (const char *gap : {"linear", "affine"}) {
      BenchEntry entry = bench(std::string(gap) + "-" + length, std::string("anyseq-global-") + gap, Form::pairwise,
                               std::string("windows-") + length);
      if (length != std::string_view("150")) {
        entry.relative = std::string(gap) + "-512";
        entry.least = 0.8;
      }
      add(entry);
    }
  for (const char *gap : {"linear", "affine"}) {
    BenchEntry entry =
        bench(std::string(gap) + "-long-reads", std::string("anyseq-global-") + gap, Form::pairwise, "reads-long");
    entry.relative = std::string(gap) + "-512";
    entry.least = 0.8;
    entry.sweep = true;
    add(entry);
  }
  return list;
}

}  // namespace alnsmith::check
