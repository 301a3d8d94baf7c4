// For people: what a pair is, then its letters in blocks of 60 columns, the query above the target.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/pieces.h"
#include "formats/writer.h"

namespace alnsmith::formats {
namespace {

constexpr std::size_t kColumns = 60;

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// One of the two sequences in a block.
struct Line {
  std::string_view name;
  std::string_view letters;
  std::int64_t position;  // 1-based, of the letter before the block's first
  std::string text;
  bool reverse = false;  // positions are shown as of the sequence that was read

  void add(const Letters &alphabet, bool letter) {
    text += letter ? alphabet.shown(letters[static_cast<std::size_t>(position++)]) : '-';
  }
  // A block without letters of this side stands behind the last one.
  void print(std::int64_t before, std::size_t width, std::string &out) const {
    fmt::format_to(std::back_inserter(out), "{:<6} {:>{}} {} {}\n", name, shown(std::min(before + 1, position)), width,
                   text, shown(position));
  }
  std::int64_t shown(std::int64_t at) const {
    return reverse ? static_cast<std::int64_t>(letters.size()) + 1 - at : at;
  }
};

class PrettyWriter : public AlignmentWriter {
 public:
  explicit PrettyWriter(Request request) : request_(std::move(request)) {}

  Status pair(const AlignedPair &pair, std::string &out) override {
    find_pieces(pair, request_.letters, pieces_);
    const Counts counts = count(pieces_);
    const auto put = std::back_inserter(out);
    fmt::format_to(put, "query  {} ({} letters{})\ntarget ", pair.query_name, pair.query.size(),
                   pair.reverse ? ", reverse complement" : "");
    append_title(pair, out);
    fmt::format_to(put, " ({} letters)\nscore {}", pair.target.size(), pair[Output::score]);
    if (!pair.aligned()) {
      out += ", nothing is aligned\n\n\n";
      return Ok{};
    }
    if (pair.significance.bits) fmt::format_to(put, " ({:.1f} bits)", *pair.significance.bits);
    if (pair.significance.evalue) append_evalue(*pair.significance.evalue, out += ", E ");
    if (pair.significance.z) fmt::format_to(put, ", z {:.1f}", *pair.significance.z);
    fmt::format_to(put, ", identity {}/{} ({:.1f} %), gaps {}/{} ({:.1f} %)\n\n", counts.matches, counts.columns(),
                   percent(counts.matches, counts.columns()), counts.gaps, counts.columns(),
                   percent(counts.gaps, counts.columns()));
    blocks(pair, out);
    out += '\n';
    return Ok{};
  }

 private:
  void blocks(const AlignedPair &pair, std::string &out) {
    Line query{"query", pair.query, pair[kBegins.query], {}, pair.reverse},
        target{"target", pair.target, pair[kBegins.target], {}};
    const std::int32_t largest =
        std::max({pair.as_read(kBegins.query), pair.as_read(kEnds.query), pair[kEnds.target], 0});
    const std::size_t width = fmt::formatted_size("{}", largest + 1);
    std::int64_t query_before = query.position, target_before = target.position;
    std::string middle;
    const auto print = [&] {
      query.print(query_before, width, out);
      middle.erase(middle.find_last_not_of(' ') + 1);
      if (!middle.empty()) out.append(8 + width, ' ') += middle;
      out += '\n';
      target.print(target_before, width, out);
      out += '\n';
      query_before = query.position;
      target_before = target.position;
      for (std::string *text : {&query.text, &middle, &target.text}) text->clear();
    };
    for (const Piece &piece : pieces_)
      for (std::uint32_t i = 0; i < piece.length; ++i) {
        middle += sign(pair, piece, i);
        query.add(request_.letters, piece.operation != kDeletion);
        target.add(request_.letters, piece.operation != kInsertion);
        if (query.text.size() == kColumns) print();
      }
    if (!query.text.empty()) print();
  }

  // | equal, . a score above 0 of unequal letters.
  char sign(const AlignedPair &pair, const Piece &piece, std::uint32_t i) const {
    if (piece.operation == kEqual) return '|';
    if (piece.operation != kUnequal) return ' ';
    return request_.letters.positive(pair.query[piece.query + i], pair.target[piece.target + i]) ? '.' : ' ';
  }

  Request request_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::unique_ptr<AlignmentWriter> pretty_writer(Request request) {
  return std::make_unique<PrettyWriter>(std::move(request));
}

}  // namespace alnsmith::formats
