// The loop of a search: portions of targets outside, all queries inside, the next portion read meanwhile.
#include <algorithm>
#include <future>
#include <string>
#include <utility>

#include "alnsmith/search.hpp"
#include "best_hits.h"

namespace alnsmith::search {

Portion::~Portion() = default;
TargetSource::~TargetSource() = default;

namespace {

using NextPortion = Result<std::unique_ptr<Portion>>;

// Queries [begin, end) of a search, and what is found for them.
class Turn {
 public:
  Turn(const Aligner &aligner, const Queries &queries, std::size_t begin, std::size_t end, const FindOptions &options)
      : aligner_(aligner), options_(options), n_(end - begin) {
    const auto add = [&](const std::vector<std::string_view> &side, Strand strand) {
      if (side.empty()) return;
      strands_.push_back(strand);
      letters_.insert(letters_.end(), side.begin() + static_cast<std::ptrdiff_t>(begin),
                      side.begin() + static_cast<std::ptrdiff_t>(end));
    };
    add(queries.plus, Strand::plus);
    add(queries.minus, Strand::minus);
    const std::size_t counting = options.count_unit > 0 ? n_ * BestHits::kCountBytes : 0;
    best_ = std::make_unique<BestHits>(n_, strands_, options,
                                       (options.list_bytes - std::min(options.list_bytes, counting)) / sizeof(Found));
  }

  Status align(const Portion &portion) {
    best_->begin_portion(portion);
    Options call = options_.call;
    const std::uint64_t before = pairs_;
    if (options_.call.progress)
      call.progress = [this, before](std::uint64_t done) { options_.call.progress(before + done); };
    const Result<Report> report =
        portion.packed ? align_packed(portion, call) : aligner_.align_all(letters_, portion.letters, *best_, call);
    if (!report) return report.error();
    pairs_ += report->pairs;
    if (options_.called) options_.called(*report);
    return Ok{};
  }

  std::size_t calls_with(const Portion &portion) const { return letters_.size() * portion.size(); }
  std::uint64_t &pairs() { return pairs_; }

  // Keeps the sequences of hits that are in the portion and forgets those that are hits no more.
  Status keep(const Portion &portion, std::map<std::uint64_t, Entry> &earlier) {
    return keep_of(earlier, [&](std::uint64_t number) {
      const auto old = earlier.find(number);
      return old != earlier.end() ? Result<Entry>(std::move(old->second))
                                  : portion.entry(static_cast<std::size_t>((number - portion.first) / portion.step));
    });
  }
  // Looks the sequences of all hits up.
  Status look_up(TargetSource &source, std::map<std::uint64_t, Entry> &out) {
    return keep_of(out, [&](std::uint64_t number) { return source.entry(number); });
  }

  void put_into(Findings &out) const {
    for (std::size_t q = 0; q < n_; ++q) out.hits.push_back(best_->hits(q));
    out.counts = best_->counts();
  }

 private:
  Result<Report> align_packed(const Portion &portion, const Options &call) {
    const auto targets = aligner_.prepare(portion.letters, *portion.packed, call);
    if (!targets) return targets.error();
    return aligner_.align_all(letters_, *targets, *best_, call);
  }
  // Replaces `kept` by the sequences of the hits so far, each once.
  template <class EntryOf>
  Status keep_of(std::map<std::uint64_t, Entry> &kept, const EntryOf &entry_of) {
    std::map<std::uint64_t, Entry> now;
    std::size_t bytes = 0;
    for (std::size_t q = 0; q < n_; ++q)
      for (const Found &hit : best_->hits(q)) {
        if (now.contains(hit.number)) continue;
        Result<Entry> own = entry_of(hit.number);
        if (!own) return own.error();
        bytes += own->name.size() + own->description.size() + own->letters.size() + sizeof(Entry) + 64;
        now.emplace(hit.number, std::move(*own));
        if (bytes > options_.kept_bytes)
          return Error{"the sequences of the hits need more than " + std::to_string(options_.kept_bytes) +
                       " bytes of memory: ask for fewer hits (--top), give fewer queries at a time, or raise --memory"};
      }
    kept = std::move(now);
    return Ok{};
  }

  const Aligner &aligner_;
  const FindOptions &options_;
  std::size_t n_;
  std::vector<Strand> strands_;
  std::vector<std::string_view> letters_;  // those of one strand behind those of the other
  std::unique_ptr<BestHits> best_;
  std::uint64_t pairs_ = 0;
};

// Hands a search's portions to `use`; while it works, the next one is read.
template <class Use>
Status each_portion(TargetSource &source, std::size_t bytes, const Use &use) {
  const auto read = [&] { return source.next(bytes); };
  std::future<NextPortion> coming = std::async(std::launch::async, read);
  for (;;) {
    NextPortion portion = coming.get();
    if (!portion) return portion.error();
    if (!*portion) return Ok{};
    const std::optional<double> share = source.share_read();
    coming = std::async(std::launch::async, read);
    if (Status ok = use(**portion, share); !ok) {
      (void)coming.get();
      return ok;
    }
  }
}

// Queries that a turn takes: their lists of hits fit. A list grows to twice what is wanted, and doubles its room.
std::size_t queries_of_a_turn(const Queries &queries, const FindOptions &options) {
  const std::size_t strands = (queries.plus.empty() ? 0 : 1) + (queries.minus.empty() ? 0 : 1);
  const std::size_t of_one =
      strands * (4 * options.top + 1) * sizeof(Found) + (options.count_unit > 0 ? BestHits::kCountBytes : 0);
  return std::clamp<std::size_t>(options.list_bytes / of_one, 1, std::max<std::size_t>(queries.size(), 1));
}

}  // namespace

Result<Findings> find(const Aligner &aligner, const Queries &queries, TargetSource &source,
                      const FindOptions &options) {
  Findings out;
  const std::size_t each = queries_of_a_turn(queries, options);
  const std::size_t turns = (queries.size() + each - 1) / each;
  std::uint64_t pairs = 0;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    if (turn > 0)
      if (Status ok = source.rewind(); !ok) return ok.error();
    Turn own(aligner, queries, turn * each, std::min(queries.size(), (turn + 1) * each), options);
    own.pairs() = pairs;
    Findings found;
    const Status done =
        each_portion(source, options.portion_bytes, [&](const Portion &portion, std::optional<double> share) -> Status {
          if (options.begins) {
            std::optional<double> until;
            if (share) until = (static_cast<double>(turn) + *share) / static_cast<double>(turns);
            options.begins(own.calls_with(portion), until);
          }
          if (Status ok = own.align(portion); !ok) return ok;
          found.sequences += portion.size();
          for (const std::string_view letters : portion.letters) found.letters += letters.size();
          return source.keeps() ? Status(Ok{}) : own.keep(portion, found.targets);
        });
    if (!done) return done.error();
    pairs = own.pairs();
    if (source.keeps())
      if (Status ok = own.look_up(source, found.targets); !ok) return ok.error();
    own.put_into(found);
    out.sequences = found.sequences;
    out.letters = found.letters;
    if (options.turn) {
      if (Status ok = options.turn(turn * each, std::move(found)); !ok) return ok.error();
      continue;
    }
    out.targets.merge(found.targets);
    for (auto &list : found.hits) out.hits.push_back(std::move(list));
    out.counts.append(std::move(found.counts));
  }
  return out;
}

}  // namespace alnsmith::search
