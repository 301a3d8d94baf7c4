// JSON Lines: an object per pair with the names of TSV's columns, null where nothing is aligned.
#include <nlohmann/json.hpp>
#include <utility>

#include "formats/pieces.h"
#include "formats/writer.h"

namespace alnsmith::formats {
namespace {

using Json = nlohmann::ordered_json;

class JsonlWriter : public AlignmentWriter {
 public:
  explicit JsonlWriter(Request request) : request_(std::move(request)) {}

  Status pair(const AlignedPair &pair, std::string &out) override {
    Json line = {{"query", pair.query_name}, {"target", pair.target_name}};
    if (request_.strands) line["strand"] = std::string(1, strand(pair));
    for (const OutputInfo &info : kOutputs)
      if (request_.outputs.contains(info.output)) line[std::string(info.name)] = value_of(info, pair);
    if (request_.outputs.contains(Output::cigar)) add_alignment(pair, line);
    const auto add = [&](const char *name, const std::optional<double> &value) {
      line[name] = value ? Json(*value) : Json();
    };
    if (request_.evalues) add("evalue", pair.significance.evalue);
    if (request_.evalues) add("bits", pair.significance.bits);
    if (request_.z) add("z", pair.significance.z);
    if (pair.rank > 0) line["rank"] = pair.rank;
    // Names are bytes: what is no UTF-8 in them becomes U+FFFD.
    out += line.dump(-1, ' ', false, Json::error_handler_t::replace);
    out += '\n';
    return Ok{};
  }

 private:
  static Json value_of(const OutputInfo &info, const AlignedPair &pair) {
    const std::int32_t value = pair.as_read(info.output);
    return info.output != Output::score && value == ALN_NONE ? Json() : Json(value);
  }

  void add_alignment(const AlignedPair &pair, Json &line) {
    find_pieces(pair, request_.letters, pieces_);
    if (request_.eqx) equal_or_not(pieces_, runs_);
    const Counts counts = count(pieces_);
    std::string cigar;
    append_cigar(request_.eqx ? std::span<const CigarRun>(runs_) : pair.cigar, cigar);
    const bool aligned = pair.aligned();
    line[std::string(kCigar.name)] = aligned ? Json(std::move(cigar)) : Json();
    line["identity"] = aligned ? Json(counts.identity()) : Json();
    line["matches"] = aligned ? Json(counts.matches) : Json();
    line["mismatches"] = aligned ? Json(counts.mismatches) : Json();
    line["gaps"] = aligned ? Json(counts.gaps) : Json();
  }

  Request request_;
  std::vector<Piece> pieces_;
  std::vector<CigarRun> runs_;
};

}  // namespace

std::unique_ptr<AlignmentWriter> jsonl_writer(Request request) {
  return std::make_unique<JsonlWriter>(std::move(request));
}

}  // namespace alnsmith::formats
