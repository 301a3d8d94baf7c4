// The list of contradictions: one small function each, in the order in which they are reported.
#include "spec/rules.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "spec/canonical.h"
#include "spec/gap.h"
#include "spec/validate.h"
#include "targets/arithmetics.h"
#include "targets/targets.h"

namespace alnsmith::spec {
namespace {

using Complaint = std::optional<Error>;
using Path = std::initializer_list<std::string_view>;

struct Context {
  const Spec &spec;
  const Node &root;
  const std::string &file;

  // The node at the path, or null.
  const Node *find(Path path) const {
    const Node *at = &root;
    for (const std::string_view key : path) at = at == nullptr ? nullptr : at->find(key);
    return at;
  }
  // An error at the deepest node on the path that the file has.
  Error at(Path path, const std::string &message) const {
    const Node *deepest = &root;
    for (const std::string_view key : path) {
      const Node *next = deepest->find(key);
      if (next == nullptr) break;
      deepest = next;
    }
    return error_at(file, deepest->place, message);
  }
};

// The first model with the key, or the last without it.
std::string model_where(const GapField &field, bool has) {
  std::string_view name;
  for (const GapModelRow &row : gap_models()) {
    if (has_field(row.model, field) != has) continue;
    name = row.name;
    if (has) break;
  }
  return std::string(name);
}

// The open of a model's last line.
const GapField &last_open(GapModel model) {
  const GapField *last = &gap_fields().front();
  for (const GapField &field : gap_fields())
    if (field.open && has_field(model, field)) last = &field;
  return *last;
}

// Whether another line of the cost is nowhere larger than line `n`.
bool never_pays(const GapCost &gap, int n) {
  const GapLine line = line_of(gap, n);
  for (int other = 0; other < gap_lines(gap.model); ++other) {
    const GapLine o = line_of(gap, other);
    if (other == n || line.open.runtime || line.extend.runtime || o.open.runtime || o.extend.runtime) continue;
    if (o.open.value <= line.open.value && o.extend.value <= line.extend.value) return true;
  }
  return false;
}

// A gap section as written: `gap` for both sides, or gap.insertion and gap.deletion.
Complaint gap_section(const Context &c, const Node &node, const GapCost &gap, const std::string &path) {
  const auto place = [&](std::string_view key) {
    const Node *child = node.find(key);
    return child == nullptr ? node.place : child->key_place;
  };
  const std::string is = "`" + path + "` is " + std::string(to_text(gap.model));
  std::vector<const GapField *> missing;
  for (const GapField &field : gap_fields()) {
    const bool wanted = has_field(gap.model, field), given = node.find(field.key) != nullptr;
    if (wanted && !given) missing.push_back(&field);
    if (given && !wanted)
      return error_at(c.file, place(field.key),
                      is + " and has no `" + std::string(field.key) +
                          "`; remove it or write `model: " + model_where(field, true) + "`");
  }
  if (!missing.empty()) {
    std::vector<std::string> keys;
    for (const GapField *field : missing) keys.push_back("`" + std::string(field->key) + "`");
    return error_at(c.file, node.place,
                    is + " and needs " + one_of(keys, "and") + "; add " + (keys.size() == 1 ? "it" : "them") +
                        " or write `model: " + model_where(*missing.back(), false) + "`");
  }
  for (int n = 0; n < gap_lines(gap.model); ++n)
    if (never_pays(gap, n))
      return error_at(c.file, place(last_open(gap.model).key),
                      "one line of `" + path +
                          "` is never the smaller; write `model: " + model_where(last_open(gap.model), false) + "`");
  return std::nullopt;
}

Complaint gaps(const Context &c) {
  const Node &gap = *c.find({"gap"});
  if (gap.find("insertion") == nullptr) return gap_section(c, gap, c.spec.insertion, "gap");
  if (Complaint bad = gap_section(c, *gap.find("insertion"), c.spec.insertion, "gap.insertion")) return bad;
  return gap_section(c, *gap.find("deletion"), c.spec.deletion, "gap.deletion");
}

Complaint match_against_mismatch(const Context &c) {
  const Score &score = c.spec.score;
  if (score.kind != ScoreKind::match || score.match.runtime || score.mismatch.runtime) return std::nullopt;
  const bool minimize = c.spec.objective == Objective::minimize;
  if (minimize ? score.match.value <= score.mismatch.value : score.match.value >= score.mismatch.value) {
    return std::nullopt;
  }
  return c.at({"score", "match"},
              minimize ? "a match costs more than a mismatch; swap them or write `objective: maximize`"
                       : "a match scores less than a mismatch; swap them or write `objective: minimize`");
}

// Local alignment needs something to gain, and nothing to gain from padding.
Complaint local(const Context &c) {
  if (c.spec.alignment != Alignment::local) return std::nullopt;
  const Score &score = c.spec.score;
  if (c.spec.objective == Objective::minimize) {
    return c.at({"objective"}, "a local alignment maximizes (its floor is 0); write `objective: maximize`");
  }
  if (score.kind == ScoreKind::match && !score.match.runtime && score.match.value <= 0) {
    return c.at({"score", "match"},
                "a local alignment without a positive match scores 0 always; write e.g. `match: 2`");
  }
  if (score.kind == ScoreKind::match && !score.mismatch.runtime && score.mismatch.value > 0) {
    return c.at({"score", "mismatch"},
                "a local alignment cannot have a positive mismatch; write a negative one or a "
                "`matrix`");
  }
  if (score.at_flag && !score.mismatch.runtime && score.mismatch.value + *score.at_flag > 0) {
    return c.at({"score", "at_flag"},
                "a local alignment cannot gain from a mismatch, not at a flagged column either; let `mismatch` and "
                "`at_flag` add up to 0 or less");
  }
  if (!score.matrix.empty() && *std::ranges::max_element(score.matrix) <= 0) {
    return c.at({"score", "matrix"}, "a local alignment without a positive score is 0 always; give another matrix");
  }
  if (!score.matrix.empty() && *std::ranges::min_element(score.matrix) > 0) {
    return c.at({"score", "matrix"},
                "a local alignment cannot have a matrix of positive scores only; make one of them 0 or less");
  }
  if (c.spec.has_bounds()) {
    return c.at({"band"}, "a local alignment has no band of `from` and `to`; remove `band` or change `alignment`");
  }
  if (!c.spec.border.empty()) {
    return c.at({"border"}, "a local alignment has no border; remove `border` or change `alignment`");
  }
  return std::nullopt;
}

Complaint border(const Context &c) {
  if (c.find({"border"}) != nullptr && c.spec.border.empty())
    return c.at({"border"}, "an empty `border` says nothing; forbid `query_begin` or `target_begin`, or leave it out");
  for (const auto &[side, rule] : c.spec.border) {
    if (side == "query_begin" ? c.spec.ends.query_prefix : c.spec.ends.target_prefix) {
      return c.at({"border", side}, "`" + side + "` is both forbidden and free; remove it here or from `alignment`");
    }
  }
  return std::nullopt;
}

Complaint band(const Context &c) {
  const Node *from = c.find({"band", "from"}), *to = c.find({"band", "to"});
  if (c.find({"band"}) != nullptr && !c.spec.band_width && from == nullptr && to == nullptr)
    return c.at({"band"}, "an empty `band` bounds nothing; give a `width`, or `from` and `to`, or leave it out");
  if (c.find({"band", "width"}) != nullptr && (from != nullptr || to != nullptr))
    return c.at({"band", from != nullptr ? "from" : "to"}, "`width` says both bounds; remove it or the others");
  if (from != nullptr && to != nullptr && from->type == Type::integer && to->type == Type::integer &&
      to_integer(*from) > to_integer(*to)) {
    return c.at({"band", "from"}, "the band is empty: `from` is more than `to`; swap them");
  }
  return std::nullopt;
}

Complaint state_sets(const Context &c) {
  if (c.spec.alphabet.name == "state_sets" && c.spec.score.kind != ScoreKind::match) {
    return c.at({"score"}, "state sets match by intersection; write `score: {match: ..., mismatch: ...}`");
  }
  return std::nullopt;
}

Complaint flags(const Context &c) {
  if (c.spec.column_flags > 0) {
    if (!c.spec.alphabet.sets.empty()) return std::nullopt;
    return c.at({"column_flags"}, "flags come with columns of state sets; write `alphabet: {state_sets: ...}`");
  }
  if (c.spec.score.at_flag) return c.at({"score", "at_flag"}, "`at_flag` needs flags; add `column_flags: 1`");
  if (c.spec.deletion.at_flag) {
    return c.at({"gap", "deletion", "at_flag"}, "`at_flag` needs flags; add `column_flags: 1`");
  }
  return std::nullopt;
}

Complaint output(const Context &c) {
  const Output &output = c.spec.output;
  if (!output.score) return c.at({"output"}, "every kernel gives the score; add `score` to `output`");
  if (c.spec.alignment == Alignment::global) return std::nullopt;
  if (output.begin && !output.end) return c.at({"output"}, "a begin belongs to an end; add `end` to `output`");
  if (output.cigar && !output.begin) {
    return c.at({"output"}, "a cigar that may begin anywhere needs its place; add `end` and `begin` to `output`");
  }
  return std::nullopt;
}

Complaint precision(const Context &c) {
  const std::string &arithmetic = c.spec.arithmetic;
  const bool on = c.spec.half_precision == Switch::on;
  const targets::Arithmetic *asked = targets::find_arithmetic(arithmetic);
  if (on && asked && asked->sums != targets::Numbers::halves) {
    return c.at({"half_precision"}, "`half_precision: on` contradicts `arithmetic: " + arithmetic +
                                        "`; remove one of them or write `arithmetic: half2`");
  }
  if (!on && arithmetic == targets::arithmetics::half2) {
    return c.at({"half_precision"}, "`half_precision: off` contradicts `arithmetic: half2`; remove one of them");
  }
  return std::nullopt;
}

std::string impossible_p(int p, const std::string &target, int largest) {
  return "p = " + std::to_string(p) + " is impossible on `" + target + "`, which shares an alignment among at most " +
         std::to_string(largest) + " lanes; write " + std::to_string(largest) + " or less, or a tile per target";
}

Complaint tiles(const Context &c) {
  for (const auto &[name, tile] : c.spec.target_tile) {
    if (std::ranges::count(c.spec.targets, name) == 0) {
      return error_at(c.file, c.find({"tile", name})->key_place,
                      "a tile for `" + name + "`, which is not in `targets`; add it there or remove it here");
    }
    const auto parsed = targets::parse(name);
    for (const auto &[other, others] : c.spec.target_tile) {
      if (other >= name || others == tile || !targets::one_row(*parsed, *targets::parse(other))) continue;
      return error_at(c.file, c.find({"tile", name})->key_place,
                      "a tile for `" + name + "` that is not `" + other +
                          "`'s, which has the same kernels; write one for both, or a spec for each");
    }
  }
  for (const std::string &name : c.spec.targets) {
    const auto target = targets::parse(name);
    const int largest = target ? targets::largest_p(*target) : 0;
    if (largest == 0) continue;
    const auto own = c.spec.target_tile.find(name);
    const bool has_own = own != c.spec.target_tile.end() && own->second.p.has_value();
    const int p = has_own ? *own->second.p : c.spec.tile.p.value_or(1);
    if (p > largest)
      return has_own ? c.at({"tile", name, "p"}, impossible_p(p, name, largest))
                     : c.at({"tile", "p"}, impossible_p(p, name, largest));
    const Node *tried = c.find({"tune", "p"});
    for (const Node &item : tried == nullptr ? std::vector<Node>{} : tried->children) {
      if (to_integer(item) > largest) {
        return error_at(c.file, item.place, impossible_p(to_integer(item), name, largest));
      }
    }
  }
  return std::nullopt;
}

constexpr Complaint (*rules[])(const Context &) = {
    gaps, match_against_mismatch, local, border, band, state_sets, flags, output, precision, tiles};

}  // namespace

Status check_rules(const Spec &spec, const Node &root, const std::string &file) {
  const Context context{spec, root, file};
  for (const auto rule : rules) {
    if (Complaint bad = rule(context)) return *bad;
  }
  return Ok{};
}

}  // namespace alnsmith::spec
