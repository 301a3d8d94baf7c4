// See work.h.
#include "tune/work.h"

#include <algorithm>

#include "tune/strategy.h"

namespace alnsmith::tool::tune {
namespace {

// Lengths of a class of pairs, and the part of all cells that it gets.
struct Lengths {
  std::size_t least, most;
  unsigned part;
};
constexpr Lengths kReads[] = {{100, 200, 2}, {50, 76, 1}, {450, 550, 1}};
constexpr Lengths kProteins[] = {{150, 450, 2}, {60, 140, 1}, {600, 1000, 1}};

bool is_protein(const spec::Spec &spec) { return spec.alphabet.letters.size() >= 20; }

class Writer {
 public:
  Writer(const spec::Spec &spec, std::uint64_t seed) : spec_(spec), random_(seed) {
    for (const char letter : spec.alphabet.letters)
      if (letter != spec.alphabet.wildcard && letter != '*') letters_ += letter;
  }

  std::string text(std::size_t length) {
    std::string made;
    for (std::size_t i = 0; i < length; ++i) made += letter();
    return made;
  }

  // 4 % of the letters changed, 0.5 % left out, 0.5 % put in, and one in 1,000 the wildcard.
  std::string mutated(const std::string &text) {
    std::string made;
    for (const char old : text) {
      const std::size_t dice = random_.below(1000);
      if (dice < 40)
        made += letter();
      else if (dice >= 40 && dice < 45)
        continue;
      else if (dice == 50 && spec_.alphabet.wildcard != 0)
        made += spec_.alphabet.wildcard;
      else
        made += old;
      if (dice >= 45 && dice < 50) made += letter();
    }
    if (made.empty()) made += letter();
    return made;
  }

  // What a query is aligned with: a copy, within flanks where the target's ends are free.
  std::string partner(const std::string &query) {
    const bool free = spec_.alignment != spec::Alignment::global;
    const std::size_t flank = free ? query.size() / 8 : 0;
    return fit(text(flank) + mutated(query) + text(flank), spec_.max_target);
  }

  std::string query(std::size_t least, std::size_t most) {
    return fit(text(least + random_.below(most - least + 1)), spec_.max_query);
  }
  std::string target(std::size_t length) { return fit(text(length), spec_.max_target); }
  std::string fit(std::string text, std::optional<int> most) const {
    if (most && text.size() > static_cast<std::size_t>(*most)) text.resize(static_cast<std::size_t>(*most));
    return text;
  }
  char letter() { return letters_[random_.below(letters_.size())]; }
  char letter(std::size_t i) const { return letters_[i % letters_.size()]; }
  Random &random() { return random_; }

 private:
  const spec::Spec &spec_;
  Random random_;
  std::string letters_;
};

// Whole groups of 64 pairs, unless the cells are for less than half a group: kernels score that many at a time.
Batch pairs_of(Writer &writer, const Lengths &lengths, std::uint64_t cells) {
  Batch batch;
  const bool groups = cells >= std::uint64_t{32} * lengths.most * lengths.most;
  for (std::uint64_t done = 0; done < cells || batch.queries.empty() || (groups && batch.queries.size() % 64 != 0);) {
    std::string query = writer.query(lengths.least, lengths.most);
    std::string target = batch.queries.size() % 5 == 4 ? writer.target(query.size()) : writer.partner(query);
    done += query.size() * target.size();
    batch.queries.push_back(std::move(query));
    batch.targets.push_back(std::move(target));
  }
  return batch;
}

// Four queries against as many targets as the cells allow; some of the targets hold a relative of a query.
Batch search_of(Writer &writer, const Lengths &lengths, std::uint64_t cells) {
  Batch batch;
  std::uint64_t letters = 0;
  for (int i = 0; i < 4; ++i) {
    batch.queries.push_back(writer.query(lengths.least, lengths.most));
    letters += batch.queries.back().size();
  }
  for (std::uint64_t done = 0; done < cells || batch.targets.empty();) {
    const std::size_t n = batch.targets.size();
    const std::size_t length = 50 + writer.random().below(300) + (n % 8 == 0 ? writer.random().below(700) : 0);
    batch.targets.push_back(n % 16 == 3 ? writer.partner(batch.queries[n / 16 % 4]) : writer.target(length));
    done += letters * batch.targets.back().size();
  }
  return batch;
}

// Every way in which lengths and letters can be extreme, then some of each class.
Batch sample_of(const spec::Spec &spec, bool all, std::uint64_t seed, const std::vector<Batch> &classes) {
  Writer writer(spec, seed ^ 0x5a5a5a5aU);
  const std::string one(1, writer.letter(0)), other(1, writer.letter(1));
  const std::size_t length = 700;
  const std::string same = writer.text(length), repeated(length, writer.letter(0)), unlike(length, writer.letter(1));
  const std::string ladder[][2] = {{one, one},
                                   {one, other},
                                   {one, same},
                                   {same, one},
                                   {same, same},
                                   {repeated, repeated},
                                   {repeated, unlike},
                                   {unlike, same},
                                   {same, same + same},
                                   {same.substr(0, 33), same},
                                   {same, same.substr(650)}};
  Batch batch;
  const auto add = [&](const std::string &query, const std::string &target) {
    batch.queries.push_back(writer.fit(query, spec.max_query));
    batch.targets.push_back(writer.fit(target, spec.max_target));
  };
  for (const auto &[query, target] : ladder) add(query, target);
  const std::uint64_t most = 12'000'000;
  for (const Batch &one_class : classes)
    for (std::size_t i = 0; i < 48 && batch.cells(all) < most; ++i) {
      const std::size_t n = all ? i : writer.random().below(one_class.targets.size());
      if (n >= one_class.targets.size()) break;
      if (!all) add(one_class.queries[n], one_class.targets[n]);
      if (all && i < one_class.queries.size()) batch.queries.push_back(one_class.queries[i]);
      if (all) batch.targets.push_back(one_class.targets[n]);
    }
  return batch;
}

LengthRange range_of(std::vector<std::uint64_t> lengths) {
  if (lengths.empty()) return {};
  std::sort(lengths.begin(), lengths.end());
  return {lengths.front(), lengths[lengths.size() / 2], lengths.back()};
}

std::vector<std::uint64_t> lengths_of(const std::vector<std::string> &texts) {
  std::vector<std::uint64_t> lengths;
  for (const std::string &text : texts) lengths.push_back(text.size());
  return lengths;
}

}  // namespace

std::uint64_t Batch::pairs(bool all) const { return all ? queries.size() * targets.size() : queries.size(); }

std::uint64_t Batch::cells(bool all) const {
  std::uint64_t query = 0, target = 0, paired = 0;
  for (const std::string &text : queries) query += text.size();
  for (const std::string &text : targets) target += text.size();
  for (std::size_t i = 0; !all && i < queries.size(); ++i) paired += queries[i].size() * targets[i].size();
  return all ? query * target : paired;
}

Work Workload::described() const {
  Work work;
  work.name = name;
  work.seed = seed;
  std::vector<std::uint64_t> query, target;
  for (const Batch &batch : classes) {
    work.pairs += batch.pairs(all);
    work.cells += batch.cells(all);
    const auto more = [](std::vector<std::uint64_t> &to, const std::vector<std::uint64_t> &from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    more(query, lengths_of(batch.queries));
    more(target, lengths_of(batch.targets));
  }
  work.query = range_of(std::move(query));
  work.target = range_of(std::move(target));
  return work;
}

std::vector<LengthResult> Workload::class_lengths() const {
  std::vector<LengthResult> list;
  for (const Batch &batch : classes)
    list.push_back({range_of(lengths_of(batch.queries)).median, range_of(lengths_of(batch.targets)).median, 0});
  return list;
}

Workload make_workload(const spec::Spec &spec, bool all, std::uint64_t seed, std::uint64_t cells) {
  const bool protein = is_protein(spec);
  Workload made{protein ? "proteins" : spec.alphabet.letters.size() > 5 ? "letters" : "reads", seed, all, {}, {}};
  Writer writer(spec, seed);
  for (const Lengths &lengths : protein ? kProteins : kReads) {
    const std::uint64_t part = cells * lengths.part / 4;
    made.classes.push_back(all ? search_of(writer, lengths, part) : pairs_of(writer, lengths, part));
  }
  made.sample = sample_of(spec, all, seed, made.classes);
  return made;
}

Workload file_workload(const spec::Spec &spec, bool all, std::uint64_t seed, Batch sequences) {
  Workload made{"files", seed, all, {std::move(sequences)}, {}};
  made.sample = sample_of(spec, all, seed, made.classes);
  return made;
}

}  // namespace alnsmith::tool::tune
