// See search.h.
#include "search.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "aligner.h"
#include "alnsmith/database_source.hpp"
#include "alnsmith/search.hpp"
#include "alnsmith/significance.hpp"
#include "alnsmith/strands.hpp"
#include "call.h"
#include "sequences.h"
#include "significance.h"
#include "state.h"

namespace alnsmith::python {
namespace {

// Targets in memory.
class MemorySource : public search::TargetSource {
 public:
  explicit MemorySource(const Sequences &targets) : targets_(targets) {}

  Result<std::unique_ptr<search::Portion>> next(std::size_t bytes) override {
    if (at_ == targets_.size()) return std::unique_ptr<search::Portion>();
    auto portion = std::make_unique<MemoryPortion>();
    portion->first = at_;
    for (std::size_t taken = 0; at_ < targets_.size() && (portion->letters.empty() || taken < bytes); ++at_) {
      portion->letters.push_back(targets_.views[at_]);
      taken += targets_.views[at_].size() + sizeof(std::string_view);
    }
    return std::unique_ptr<search::Portion>(std::move(portion));
  }
  Status rewind() override {
    at_ = 0;
    return Ok{};
  }
  std::optional<double> share_read() const override {
    return static_cast<double>(at_) / static_cast<double>(std::max<std::size_t>(targets_.size(), 1));
  }
  bool keeps() const override { return true; }
  Result<search::Entry> entry(std::uint64_t number) override { return entry_of(targets_.views[number]); }

 private:
  struct MemoryPortion : search::Portion {
    Result<search::Entry> entry(std::size_t i) const override { return entry_of(letters[i]); }
  };
  static search::Entry entry_of(std::string_view letters) { return {"", "", std::string(letters)}; }

  const Sequences &targets_;
  std::size_t at_ = 0;
};

// Hits of all queries, one query behind another, as columns.
struct Hits {
  std::vector<std::int64_t> query, target, target_length, offsets{0};
  std::vector<std::int32_t> score;
  std::vector<std::uint8_t> minus;
  std::vector<double> evalue, bits;  // NaN where there is none; empty without statistics
  std::vector<std::string> names;    // of targets, where the database has them
  std::uint64_t sequences = 0, letters = 0;
};

template <class Archive>
void fields(Archive &archive, Hits &h) {
  archive(h.query), archive(h.target), archive(h.target_length), archive(h.offsets), archive(h.score);
  archive(h.minus), archive(h.evalue), archive(h.bits), archive(h.names), archive(h.sequences), archive(h.letters);
}

bool sound(const Hits &h) {
  const std::size_t count = h.query.size();
  return h.target.size() == count && h.target_length.size() == count && h.score.size() == count &&
         h.minus.size() == count && h.names.size() == count && (h.evalue.empty() || h.evalue.size() == count) &&
         h.bits.size() == h.evalue.size() && !h.offsets.empty();
}

struct Request {
  search::StrandChoice strands;
  std::string alphabet;  // its letters
  std::size_t top;
  bool keep_ties;
  std::optional<std::int32_t> min_score;
  double most_evalue;
};

search::StrandChoice chosen_strands(const std::string &word) {
  const Result<search::StrandChoice> chosen = search::strands_of(word);
  if (!chosen) raise({"strand: " + chosen.error().message, chosen.error().exit_code});
  return *chosen;
}

void append(Hits &out, const search::Found &hit, const search::Entry &target, std::size_t query) {
  out.query.push_back(static_cast<std::int64_t>(query));
  out.target.push_back(static_cast<std::int64_t>(hit.number));
  out.target_length.push_back(static_cast<std::int64_t>(target.letters.size()));
  out.score.push_back(hit.score);
  out.minus.push_back(hit.strand == search::Strand::minus);
  out.names.push_back(target.name);
}

void take(Hits &out, const search::Findings &found, const search::Queries &queries, const Significance *significance,
          const Request &request) {
  out.sequences = found.sequences;
  out.letters = found.letters;
  for (std::size_t q = 0; q < found.hits.size(); ++q) {
    std::optional<search::QuerySignificance> of_query;
    if (significance != nullptr)
      of_query.emplace(significance->statistics, &significance->composition, found.letters, request.strands.count(),
                       request.most_evalue);
    for (const search::Found &hit : found.hits[q]) {
      const search::Entry &target = found.targets.at(hit.number);
      if (of_query) {
        const bool minus = hit.strand == search::Strand::minus;
        const auto values = of_query->of(hit, minus ? queries.minus[q] : queries.plus[q], target.letters);
        if (!values) continue;
        out.evalue.push_back(values->evalue.value_or(NAN));
        out.bits.push_back(values->bits.value_or(NAN));
      }
      append(out, hit, target, q);
    }
    out.offsets.push_back(static_cast<std::int64_t>(out.query.size()));
  }
}

// How many strands a word chooses; ValueError where it is none, or where they are more than the alphabet has.
std::size_t count_strands(const std::string &word, const std::string &spec, const std::string &alphabet) {
  const search::StrandChoice chosen = chosen_strands(word);
  if (chosen.minus)
    if (Status ok = search::check_nucleotides("strand '" + word + "'", spec, alphabet); !ok) raise(ok.error());
  return chosen.count();
}

Hits find(const OpenAligner &self, const Sequences &given, const std::variant<const Sequences *, std::string> &targets,
          const Request &request, const Significance *significance, const Options &wanted, nb::handle progress) {
  Hits out;
  if (given.size() == 0) return out;
  const auto work = [&](const Options &call) -> Status {
    search::Queries queries;
    if (request.strands.plus) queries.plus = given.views;
    std::vector<std::string> reversed;
    if (request.strands.minus) {
      const search::Complement complement(request.alphabet);
      for (const std::string_view query : given.views) reversed.push_back(complement.reverse(query));
    }
    queries.minus.assign(reversed.begin(), reversed.end());
    std::optional<search::Database> database;
    std::unique_ptr<search::TargetSource> source;
    if (const auto *path = std::get_if<std::string>(&targets)) {
      Result<search::Database> opened = search::Database::open(*path);
      if (!opened) return opened.error();
      database.emplace(*std::move(opened));
      source = std::make_unique<search::DatabaseSource>(*database, search::Range{0, database->info().sequences});
    } else {
      source = std::make_unique<MemorySource>(*std::get<const Sequences *>(targets));
    }
    search::FindOptions options;
    options.top = request.top;
    options.ties = request.keep_ties ? search::Ties::keep : search::Ties::first;
    options.worst = request.min_score;
    options.call = call;
    Result<search::Findings> found = search::find(self.aligner, queries, *source, options);
    if (!found) return found.error();
    take(out, *found, queries, significance, request);
    return Ok{};
  };
  run(work, wanted, progress, false);
  return out;
}

template <class Value>
nb::object array(nb::handle self, const std::vector<Value> &values) {
  const std::size_t shape[] = {values.size()};
  return nb::cast(nb::ndarray<nb::numpy, const Value>(values.data(), 1, shape, self));
}

nb::object column(nb::handle self, const std::string &name) {
  const auto &hits = nb::cast<const Hits &>(self);
  if (name == "query") return array(self, hits.query);
  if (name == "target") return array(self, hits.target);
  if (name == "target_length") return array(self, hits.target_length);
  if (name == "offsets") return array(self, hits.offsets);
  if (name == "score") return array(self, hits.score);
  if (name == "minus") return array(self, hits.minus);
  if (name == "evalue") return array(self, hits.evalue);
  if (name == "bits") return array(self, hits.bits);
  throw nb::key_error(name.c_str());
}

}  // namespace

void bind_search(nb::module_ &module) {
  bind_significance(module);
  nb::class_<Hits> bound(module, "Hits", "What a search found.");
  bind_state(bound, [](auto &archive, Hits &all) { fields(archive, all); }, &sound);
  bound.def_ro("sequences", &Hits::sequences, "Targets searched.")
      .def_ro("letters", &Hits::letters, "Their letters.")
      .def(
          "name", [](const Hits &hits, std::size_t i) { return hits.names.at(i); }, nb::arg("hit"),
          "Name of a hit's target, empty where the database has none.");
  module.def("hit_column", &column, nb::arg("hits"), nb::arg("name"),
             nb::sig("def hit_column(hits: Hits, name: str) -> typing.Any"), "A column of hits, one value per hit.");
  module.def("strands", &count_strands, nb::arg("strand"), nb::arg("spec"), nb::arg("alphabet"),
             "How many strands a word chooses, of an alphabet with these letters.");
  module.def(
      "search",
      [](const OpenAligner &self, const Sequences &queries, const std::string &strand, std::string alphabet,
         std::variant<const Sequences *, std::string> targets, std::size_t top, bool keep_ties,
         std::optional<std::int32_t> min_score, double evalue, const Significance *significance, int threads,
         std::size_t memory, nb::handle progress) {
        return find(self, queries, targets,
                    {chosen_strands(strand), std::move(alphabet), top, keep_ties, min_score, evalue}, significance,
                    call_options(threads, memory), progress);
      },
      nb::arg("aligner"), nb::arg("queries"), nb::arg("strand"), nb::arg("alphabet"), nb::arg("targets"),
      nb::arg("top"), nb::arg("keep_ties"), nb::arg("min_score").none(), nb::arg("evalue"),
      nb::arg("significance").none(), nb::arg("threads"), nb::arg("memory"), nb::arg("progress").none(),
      "The best targets of each query; targets: sequences, or the path of a database.");
  module.def(
      "database_sequences",
      [](const std::string &path) {
        const Result<search::Database> opened = search::Database::open(path);
        if (!opened) raise(opened.error());
        return opened->info().sequences;
      },
      nb::arg("path"), "How many sequences a database has.");
  module.def(
      "is_database", [](const std::string &path) { return search::Database::recognised(path); }, nb::arg("path"),
      "Whether a file begins as databases do.");
}

}  // namespace alnsmith::python
