// SAM through htslib: the header with all targets, then a record for each pair.
//
// A query of several records has one primary one, the first in which something is aligned; the others are secondary.
// If nothing is aligned in any of them it has one unmapped record.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "common/text.h"
#include "formats/pieces.h"
#include "formats/writer.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#include <htslib/kstring.h>
#include <htslib/sam.h>
#pragma GCC diagnostic pop

namespace alnsmith::formats {
namespace {

constexpr std::uint8_t kNoQuality = 255;
constexpr std::size_t kLongestQueryName = 254;
constexpr std::size_t kNoQuery = ~std::size_t{0};
// What htslib keeps of a line @SQ beside copies of its name, and this file's own.
constexpr std::size_t kBytesPerTarget = 320, kCopiesOfName = 4;

bool visible(char c) { return c > ' ' && c < 0x7f; }

// SAM's rule for names of queries: no blank, and no @, which begins the header's lines.
Status check_query(std::string_view name) {
  if (name.size() <= kLongestQueryName && name.find('@') == std::string_view::npos &&
      std::ranges::all_of(name, visible))
    return Ok{};
  return Error{
      fmt::format("--format sam: query {}: SAM's names have 1 to {} characters from ! to ~ without @: rename it",
                  tool::printable(name), kLongestQueryName)};
}

// And of targets.
Status check_target(std::string_view name) {
  const bool fits =
      std::ranges::all_of(name, visible) && name.find_first_of("\\,\"`'()[]{}<>") == std::string_view::npos;
  if (fits && name.front() != '*' && name.front() != '=') return Ok{};
  return Error{
      fmt::format("--format sam: target {}: SAM's names of targets have none of \\ , \" ` ' ( ) [ ] {{ }} < > "
                  "and do not begin with * or =: rename it",
                  tool::printable(name))};
}

struct Destroy {
  void operator()(sam_hdr_t *header) const { sam_hdr_destroy(header); }
  void operator()(bam1_t *record) const { bam_destroy1(record); }
};

class SamWriter : public AlignmentWriter {
 public:
  explicit SamWriter(Request request) : request_(std::move(request)), header_(sam_hdr_init()), record_(bam_init1()) {}
  ~SamWriter() override { ks_free(&line_); }
  SamWriter(const SamWriter &) = delete;
  SamWriter &operator=(const SamWriter &) = delete;

  bool needs_targets() const override { return true; }

  Status add_target(std::string_view name, std::string_view letters) override {
    const std::string key(name);
    const std::size_t hash = std::hash<std::string_view>{}(letters);
    if (const int known = tid(key); known >= 0) {
      if (hashes_[static_cast<std::size_t>(known)] == hash) return Ok{};
      return Error{
          fmt::format("--format sam: two targets are called {} and differ: rename one", tool::printable(name))};
    }
    if (Status ok = check_target(name); !ok) return ok;
    bytes_ += kBytesPerTarget + kCopiesOfName * name.size();
    if (bytes_ > request_.header_bytes)
      return Error{
          fmt::format("--format sam: the header with more than {} targets needs more than {} bytes of memory: "
                      "raise --memory, or take paf, jsonl or tsv",
                      hashes_.size(), request_.header_bytes)};
    hashes_.push_back(hash);
    const std::string length = std::to_string(letters.size());
    return done(sam_hdr_add_line(header_.get(), "SQ", "SN", key.c_str(), "LN", length.c_str(), nullptr));
  }

  Status begin(std::string &out) override {
    const std::string words = fmt::format("spec {}, a gap of L letters costs {}", request_.spec, request_.gap);
    if (Status ok = done(sam_hdr_add_line(header_.get(), "HD", "VN", "1.6", "SO", "unsorted", "GO", "query", nullptr));
        !ok)
      return ok;
    if (Status ok =
            done(sam_hdr_add_pg(header_.get(), "alnsmith", "VN", ALNSMITH_VERSION, "DS", words.c_str(), nullptr));
        !ok)
      return ok;
    const char *const text = sam_hdr_str(header_.get());
    if (text == nullptr) return done(-1);
    out.append(text, sam_hdr_length(header_.get()));
    return Ok{};
  }

  Status pair(const AlignedPair &pair, std::string &out) override {
    if (pair.query_number != query_) end(out);
    query_ = pair.query_number;
    if (!pair.aligned()) return written_ || !unmapped_.empty() ? Status(Ok{}) : write(pair, BAM_FUNMAP, unmapped_);
    unmapped_.clear();
    const int strand = pair.reverse ? BAM_FREVERSE : 0;
    return write(pair, strand | (std::exchange(written_, true) ? BAM_FSECONDARY : 0), out);
  }

  // What is left of a query.
  void end(std::string &out) override {
    out += unmapped_;
    unmapped_.clear();
    written_ = false;
  }

 private:
  static Status done(int code) {
    if (code >= 0) return Ok{};
    return Error{"--format sam: htslib cannot make the text: out of memory, or a sequence is too long for SAM"};
  }
  static char nucleotide(char letter) { return letter == 'U' ? 'T' : letter; }

  int tid(const std::string &name) { return sam_hdr_name2tid(header_.get(), name.c_str()); }

  Status write(const AlignedPair &pair, int flag, std::string &out) {
    if (Status ok = check_query(pair.query_name); !ok) return ok;
    const std::string name(pair.target_name);
    const int target = pair.aligned() ? tid(name) : -1;
    if (pair.aligned() && target < 0)
      return Error{fmt::format("--format sam: target {}: was not there when the targets were first read",
                               tool::printable(name))};
    letters_.clear();
    for (const char read : pair.query) letters_ += nucleotide(request_.letters.letter(read));
    find_pieces(pair, request_.letters, pieces_);
    find_runs(pair);
    // Without an aligned letter of the target, the one that the alignment stands in front of, or the last.
    const hts_pos_t position =
        std::min<hts_pos_t>(pair[kBegins.target], static_cast<hts_pos_t>(pair.target.size()) - 1);
    const int quality = pair.aligned() ? kNoQuality : 0;
    if (Status ok = done(bam_set1(record_.get(), pair.query_name.size(), std::string(pair.query_name).c_str(),
                                  static_cast<std::uint16_t>(flag), target, pair.aligned() ? position : -1,
                                  static_cast<std::uint8_t>(quality), runs_.size(), runs_.data(), -1, -1, 0,
                                  letters_.size(), letters_.data(), nullptr, 0));
        !ok)
      return ok;
    if (Status ok = add_tags(pair); !ok) return ok;
    line_.l = 0;
    if (Status ok = done(sam_format1(header_.get(), record_.get(), &line_)); !ok) return ok;
    out.append(line_.s, line_.l);
    append_significance(pair.significance, out);
    out += '\n';
    return Ok{};
  }

  // The CIGAR of the whole query: what is not aligned is clipped, but stays in the sequence.
  void find_runs(const AlignedPair &pair) {
    runs_.clear();
    if (!pair.aligned()) return;
    const auto clip = [&](std::size_t letters) {
      if (letters > 0) runs_.push_back(run_of(static_cast<std::uint32_t>(letters), kClip));
    };
    clip(static_cast<std::size_t>(pair[kBegins.query]));
    if (request_.eqx) equal_or_not(pieces_, equal_runs_);
    const std::span<const CigarRun> middle = request_.eqx ? std::span<const CigarRun>(equal_runs_) : pair.cigar;
    runs_.insert(runs_.end(), middle.begin(), middle.end());
    clip(pair.query.size() - static_cast<std::size_t>(pair[kEnds.query]) - 1);
  }

  Status add_tags(const AlignedPair &pair) {
    if (Status ok = done(bam_aux_update_int(record_.get(), "AS", pair[Output::score])); !ok || !pair.aligned())
      return ok;
    const auto differences = static_cast<std::int64_t>(count(pieces_).differences());
    if (Status ok = done(bam_aux_update_int(record_.get(), "NM", differences)); !ok) return ok;
    md_.clear();
    append_md(pair, pieces_, [&](char read) { return nucleotide(request_.letters.letter(read)); }, md_);
    return done(bam_aux_update_str(record_.get(), "MD", static_cast<int>(md_.size()) + 1, md_.c_str()));
  }

  Request request_;
  std::unique_ptr<sam_hdr_t, Destroy> header_;
  std::unique_ptr<bam1_t, Destroy> record_;
  kstring_t line_ = KS_INITIALIZE;
  std::vector<std::size_t> hashes_;  // of the targets' letters, by line @SQ
  std::size_t bytes_ = 0;

  std::uint64_t query_ = kNoQuery;
  bool written_ = false;  // the query has a primary record
  std::string unmapped_;  // its record, should nothing be aligned in the others either

  std::vector<Piece> pieces_;
  std::vector<CigarRun> runs_, equal_runs_;
  std::string letters_, md_;
};

}  // namespace

std::unique_ptr<AlignmentWriter> sam_writer(Request request) { return std::make_unique<SamWriter>(std::move(request)); }

}  // namespace alnsmith::formats
