// The rows of invalid_specs.h.
#include "invalid_specs.h"

#include "helpers.h"

namespace alnsmith::spec {
namespace {

const std::string gap = "gap: {model: affine, open: 2, extend: 1}";
const std::string score = "score: {match: 2, mismatch: -1}";
const std::string minimizing = "score: {match: 0, mismatch: 1}";

std::string plus(const std::string &line) { return small_spec + line + "\n"; }

std::string in_local(const std::string &piece, const std::string &other, const std::string &more = "") {
  std::string text = with(piece, other, more);
  const std::string global = "alignment: global";
  return text.replace(text.find(global), global.size(), "alignment: local");
}

void add_keys_and_types(std::vector<Invalid> &rows) {
  rows.insert(
      rows.end(),
      {{"unknown key", plus("taget: [scalar]"),
        "7:1: unknown key `taget` in a spec; the nearest known key is `targets`", true},
       {"unknown nested key", with("extend: 1", "extent: 1"),
        "4:31: unknown key `extent` in `gap`; the nearest known key is `extend`", true},
       {"unknown key in a list's map", with("global", "{free_end: []}"),
        "3:13: unknown key `free_end` in `alignment`; the nearest known key is `free_ends`", true},
       {"missing key", with(score + "\n", ""), "1:1: the required key `score` is missing; add", true},
       {"missing nested key", with(", extend: 1", ""), "4:6: the required key `gap.extend` is missing; add `extend: 1`",
        true},
       {"missing side", with(gap, "gap: {insertion: {model: linear, extend: 1}}"),
        "4:6: the required key `gap.deletion` is missing", true},
       {"wrong type: text for a map", with(gap, "gap: 3"), "4:6: `gap` takes a map, not `3`; write e.g.", true},
       {"wrong type: list for a word", with("global", "[global]"), "3:12: `alignment` takes global, local", true},
       {"wrong type: fraction", with("open: 2", "open: 2.5"),
        "4:28: `gap.open` takes an integer from 0 to 10000 or "
        "runtime, not `2.5`; write e.g. `open: 2`",
        true},
       {"wrong type: quoted integer", with("open: 2", "open: \"2\""), "4:28: `gap.open` takes", true},
       {"wrong type: unquoted number as text", with("name: x", "name: 12"), "2:7: `name` takes text", true},
       {"wrong type: nothing", with("match: 2,", "match: ,"), "6:9: `score.match` takes", true},
       {"wrong type: boolean", plus("half_precision: true"), "7:17: `half_precision` takes off or on, not `true`",
        true},
       {"unknown word", with("global", "Global"),
        "3:12: `alignment` takes global, local, semiglobal or a map, not "
        "`Global`; the nearest is `global`",
        true},
       {"unknown version", with("version: 1", "version: 2"),
        "1:10: `version` takes 1, not `2`; write e.g. `version: 1`", true},
       {"a name with blanks", with("name: x", "name: a b"), "2:7: `name` takes text", true},
       {"keys of two kinds of score", with(score, "score: {match: 2, matrix: BLOSUM62}"),
        "6:19: `matrix` does not go with the other keys of `score`; remove it or them", true},
       {"costs for both sides and per side", with("extend: 1", "insertion: {model: linear, extend: 1}"),
        "4:31: `insertion` does not go with the other keys of `gap`", true},
       {"listed twice", plus("targets: [scalar, x86-64-v2, scalar]"),
        "7:30: `targets` lists `scalar` twice; remove one of them", true},
       {"empty list", plus("targets: []"), "7:10: `targets` has 1 to 32 entries, not 0; write e.g.", true},
       {"too many entries", plus("tune: {p: [1, 2, 4, 8, 16, 32, 64, 1]}"), "7:11: `tune.p` has 1 to 7 entries, not 8",
        true}});
}

void add_ranges(std::vector<Invalid> &rows) {
  rows.insert(
      rows.end(),
      {{"negative open", with("open: 2", "open: -2"),
        "4:28: `gap.open` takes an integer from 0 to 10000 or runtime, not `-2`; costs are positive: write `2`", true},
       {"negative extend", with("extend: 1", "extend: -1"), "4:39: `gap.extend` takes", true},
       {"score out of range", with("match: 2", "match: 10001"), "6:16: `score.match` takes an integer from -10000",
        true},
       {"absurd number", with("match: 2", "match: 99999999999999999999999999"), "6:16: `score.match` takes", true},
       {"k out of range", plus("tile: {k: 65}"), "7:11: `tile.k` takes an integer from 1 to 64, not `65`", true},
       {"k of zero", plus("tile: {k: 0}"), "7:11: `tile.k` takes", true},
       {"p not a power of two", plus("tile: {p: 24}"), "7:11: `tile.p` takes a power of two from 1 to 64, not `24`",
        true},
       {"length of zero", plus("max_length: {query: 0}"), "7:21: `max_length.query` takes", true},
       {"column flags", plus("column_flags: 2"), "7:15: `column_flags` takes an integer from 0 to 1", true},
       {"unknown target", plus("targets: [\"cuda:sm_91\"]"),
        "7:11: `targets` takes text (names such as x86-64-v4, cuda:sm_90, hip:gfx90a, opencl, scalar), not "
        "`cuda:sm_91`; the nearest target is `cuda:sm_90`",
        true},
       {"unknown feature", plus("targets: [x86-64-v4+sse9]"), "7:11: `targets` takes", true},
       {"tile of an unknown target", plus("tile: {\"cuda:sm90\": {p: 1}}"),
        "7:8: unknown key `cuda:sm90` in `tile`; the nearest known key is `cuda:sm_90`", true},
       {"free end twice", with("global", "{free_ends: [query_end, query_end]}"),
        "3:36: `alignment.free_ends` lists `query_end` twice", true},
       {"unknown free end", with("global", "{free_ends: [query_start]}"), "3:25: `alignment.free_ends` takes", true},
       {"insertion at a flag",
        with(gap,
             "gap: {deletion: {model: linear, extend: 1}, insertion: {model: linear, "
             "extend: 1, at_flag: 0}}",
             "column_flags: 1\n"),
        "4:83: unknown key `at_flag` in `gap.insertion`", true},
       {"budget without unit", plus("tune: {budget: fast}"), "7:16: `tune.budget` takes text", true},
       {"more rows per turn than there may be", plus("tune: {rows: [2, 9]}"), "7:18: `tune.rows` takes", true},
       {"no stage at all", plus("tune: {k: [4], stages: [0]}"), "7:25: `tune.stages` takes", true},
       {"a reason without a condition", plus("tune: {constraints: [{reason: why}]}"),
        "7:22: the required key `tune.constraints.expression` is missing", true},
       {"a tuning arithmetic that does not exist", plus("tune: {arithmetic: [int8, int9]}"),
        "7:27: `tune.arithmetic` takes", true}});
}

// A spec never says what is executed.
void add_compilers(std::vector<Invalid> &rows) {
  const char *const place = "7:33: `tune.compiler` takes text (auto, or compilers that are looked up on PATH";
  for (const char *compiler :
       {"./evil.sh", "/bin/sh", "bin/clang++", "../g++",   "-g++",        "g++ -x",          "g++;id",   "clang++-22/x",
        "sh",        "evil",    "auto2",       "clang++-", "clang++-022", "clang++-22-evil", "g++-12.1", "CLANG++",
        "nvcc-12",   "$(id)",   "~/g++",       "."})
    rows.push_back({compiler, plus("tune: {k: [4], compiler: [auto, '" + std::string(compiler) + "']}"), place, true});
}

void add_gap_rules(std::vector<Invalid> &rows) {
  rows.insert(rows.end(),
              {{"linear with open", with("model: affine", "model: linear"),
                "4:22: `gap` is linear and has no `open`; remove it or write `model: affine`", false},
               {"affine without open", with("open: 2, ", ""), "4:6: `gap` is affine and needs `open`; add it", false},
               {"second line of affine", with("extend: 1", "extend: 1, open2: 3"),
                "4:42: `gap` is affine and has no `open2`; remove it or write `model: dual_affine`", false},
               {"dual without second line", with("model: affine", "model: dual_affine"),
                "4:6: `gap` is dual_affine and needs `open2` and `extend2`; add them or write `model: affine`", false},
               {"dual whose second line never pays",
                with(gap,
                     "gap: {model: dual_affine, open: 2, extend: 1, open2: 3, "
                     "extend2: 1}"),
                "4:47: one line of `gap` is never the smaller; write `model: affine`", false},
               {"linear side with open",
                with(gap,
                     "gap:\n  insertion: {model: linear, extend: 1}\n"
                     "  deletion: {model: linear, open: 1, extend: 1}"),
                "6:29: `gap.deletion` is linear and has no `open`", false}});
}

void add_score_rules(std::vector<Invalid> &rows) {
  rows.insert(
      rows.end(),
      {{"match below mismatch", with("match: 2", "match: -2"),
        "6:16: a match scores less than a mismatch; swap them or write `objective: minimize`", false},
       {"match above mismatch, minimizing", plus("objective: minimize"),
        "6:16: a match costs more than a mismatch; swap them or write `objective: maximize`", false},
       {"local, minimizing", in_local(score, minimizing, "objective: minimize\n"),
        "7:12: a local alignment maximizes (its floor is 0); write `objective: maximize`", false},
       {"local without positive match", in_local("match: 2", "match: 0"),
        "6:16: a local alignment without a positive match scores 0 always", false},
       {"local with positive mismatch", in_local("mismatch: -1", "mismatch: 1"),
        "6:29: a local alignment cannot have a positive mismatch; write a negative one or a `matrix`", false},
       {"local with a gain at flags",
        in_local("alphabet: dna\n" + score,
                 "alphabet: {state_sets: dna}\ncolumn_flags: 1\nscore: {match: 2, mismatch: -1, at_flag: 2}"),
        "7:42: a local alignment cannot gain from a mismatch, not at a flagged column either", false},
       {"local without positive matrix",
        in_local("{match: 2, mismatch: -1}",
                 "{matrix: {letters: ACGT, rows: [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]}}"),
        "6:17: a local alignment without a positive score is 0 always; give another matrix", false},
       {"local with a matrix of gains only",
        in_local("{match: 2, mismatch: -1}",
                 "{matrix: {letters: ACGT, rows: [[2,1,1,1],[1,2,1,1],[1,1,2,1],[1,1,1,2]]}}"),
        "6:17: a local alignment cannot have a matrix of positive scores only; make one of them 0 or less", false},
       {"unknown matrix", with("{match: 2, mismatch: -1}", "{matrix: BLOSUM63}"),
        "6:17: `BLOSUM63` is no built-in matrix (the nearest is `BLOSUM62`), and ", false},
       {"matrix of another alphabet",
        with("{match: 2, mismatch: -1}",
             "{matrix: {letters: ACG, rows: [[1,0,0],[0,1,0],"
             "[0,0,1]]}}"),
        "6:27: the matrix lacks the letter `T` of the spec's alphabet; add its row and column", false},
       {"matrix rows missing", with("{match: 2, mismatch: -1}", "{matrix: {letters: AC, rows: [[1,0]]}}"),
        "6:37: `score.matrix.rows` has 1 rows; make it 2 x 2 as the letters ask", false},
       {"matrix row too short", with("{match: 2, mismatch: -1}", "{matrix: {letters: AC, rows: [[1,0],[1]]}}"),
        "6:44: this row has 1 scores; make the matrix 2 x 2", false},
       {"state sets with a matrix",
        "version: 1\nname: x\nalignment: global\n" + gap +
            "\nalphabet: {state_sets: dna}\n"
            "score: {matrix: NUC.4.4}\n",
        "6:8: state sets match by intersection; write `score: {match: ..., mismatch: ...}`", false},
       {"a border that says nothing", plus("border: {}"),
        "7:9: an empty `border` says nothing; forbid `query_begin` or `target_begin`, or leave it out", false},
       {"a band that says nothing", plus("band: {}"),
        "7:7: an empty `band` bounds nothing; give a `width`, or `from` and `to`, or leave it out", false},
       {"flags of letters", plus("column_flags: 1"),
        "7:15: flags come with columns of state sets; write `alphabet: {state_sets: ...}`", false},
       {"a set of what is no state", with("dna", "{state_sets: {states: ACG, sets: {R: AT}}}"),
        "5:44: the set `R` holds `T`, which is no state; list it among the `states` or leave it out", false},
       {"a set twice", with("dna", "{state_sets: {states: ACG, sets: {R: AG, r: AC}}}"),
        "5:44: the letter `R` stands for a set already; list it once", false},
       {"one state", with("dna", "{state_sets: {states: A}}"), "5:24: one state alone matches always; list 2 to 32",
        false},
       {"a state twice", with("dna", "{state_sets: {states: ACa}}"), "5:24: the letter `A` is listed twice", false},
       {"no letter of a set", with("dna", "{state_sets: {states: AC, sets: {RR: AC}}}"),
        "5:44: unknown key `RR` in `alphabet.state_sets.sets`; the nearest known key is `R`", true},
       {"score flag without flags", with("mismatch: -1", "mismatch: -1, at_flag: 1"),
        "6:42: `at_flag` needs flags; add `column_flags: 1`", false},
       {"gap flag without flags",
        with(gap,
             "gap:\n  insertion: {model: linear, extend: 1}\n"
             "  deletion: {model: linear, extend: 1, at_flag: 0}"),
        "6:49: `at_flag` needs flags; add `column_flags: 1`", false}});
}

void add_alphabet_rules(std::vector<Invalid> &rows) {
  rows.insert(
      rows.end(),
      {{"wildcard that is a letter", with("dna", "{letters: ACGTN, wildcard: n}"),
        "5:38: the wildcard `N` is also one of the letters, but is one more letter; take it out of `letters`", false},
       {"duplicated letter", with("dna", "{letters: ACGa}"),
        "5:21: the letter `A` is listed twice (case does not matter); list it once", false},
       {"too many letters", with("dna", "{letters: ABCDEFGHIJKLMNOPQRSTUVWXYZ012345, wildcard: \"9\"}"),
        "5:65: an alphabet has at most 32 letters, its wildcard included, not 33; list fewer", false},
       {"33 letters", with("dna", "{letters: ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456}"),
        "5:21: `alphabet.letters` takes text", true},
       {"letters that are a number", with("dna", "{letters: 0123}"),
        "5:21: `alphabet.letters` takes text (distinct letters, digits, `*`, `.`, `=`, `_`, `-`, without the wildcard; "
        "lower case is folded to upper case), not `0123`; put it in quotes",
        true},
       {"wildcard of two letters", with("dna", "{letters: ACGT, wildcard: NN}"), "5:37: `alphabet.wildcard` takes text",
        true},
       {"unknown alphabet", with("dna", "DNA"),
        "5:11: `alphabet` takes dna, dna5, iupac, rna, protein or a map, not "
        "`DNA`; the nearest is `dna`",
        true}});
}

void add_target_rules(std::vector<Invalid> &rows) {
  rows.insert(
      rows.end(),
      {{"p impossible on CUDA", plus("tile: {p: 64}\ntargets: [\"hip:gfx90a\", \"cuda:sm_90\"]"),
        "7:11: p = 64 is impossible on `cuda:sm_90`, which shares an alignment among at most 32 lanes; write 32 or "
        "less",
        false},
       {"p impossible on gfx11", plus("tile: {p: 64}\ntargets: [\"hip:gfx1100\"]"),
        "7:11: p = 64 is impossible on `hip:gfx1100`", false},
       {"p impossible in a target's tile", plus("tile: {p: 8, \"cuda:sm_80\": {p: 64}}\ntargets: [\"cuda:sm_80\"]"),
        "7:32: p = 64 is impossible on `cuda:sm_80`", false},
       {"p impossible in the search space", plus("tune: {p: [32, 64]}\ntargets: [\"cuda:sm_80\"]"),
        "7:16: p = 64 is impossible on `cuda:sm_80`", false},
       {"a condition that does not parse", plus("tune: {k: [4], constraints: [k * 3 <]}"),
        "7:30: `k * 3 <`, column 8: expected a number, a name, a word or '('; write e.g. `k * p <= 512`", false},
       {"a condition with an unknown name", plus("tune: {k: [4], constraints: [{expression: kk > 3}]}"),
        "7:43: `kk > 3`, column 1: unknown name `kk`; there are k, p,", false},
       {"tile of a target not listed", plus("tile: {\"cuda:sm_80\": {p: 8}}"),
        "7:8: a tile for `cuda:sm_80`, which is not in `targets`; add it there or remove it here", false},
       {"variants of one target that differ",
        plus("tile: {\"hip:gfx90a:xnack-\": {k: 4}, \"hip:gfx90a:xnack+\": {k: 8}}\n"
             "targets: [\"hip:gfx90a:xnack-\", \"hip:gfx90a:xnack+\"]"),
        "7:8: a tile for `hip:gfx90a:xnack-` that is not `hip:gfx90a:xnack+`'s, which has the same kernels", false},
       {"half precision against arithmetic", plus("arithmetic: int16\nhalf_precision: on"),
        "8:17: `half_precision: on` contradicts `arithmetic: int16`; remove one of them", false},
       {"no half precision against arithmetic", plus("arithmetic: half2\nhalf_precision: off"),
        "8:17: `half_precision: off` contradicts `arithmetic: half2`; remove one of them", false}});
}

void add_border_rules(std::vector<Invalid> &rows) {
  rows.insert(
      rows.end(),
      {{"border forbidden and free", with("global", "semiglobal", "border: {target_begin: forbidden}\n"),
        "7:24: `target_begin` is both forbidden and free; remove it here or from `alignment`", false},
       {"band of a local alignment", in_local("name: x", "name: x", "band: {from: 0}\n"),
        "7:7: a local alignment has no band of `from` and `to`; remove `band`", false},
       {"border of a local alignment", in_local("name: x", "name: x", "border: {query_begin: forbidden}\n"),
        "7:9: a local alignment has no border; remove `border`", false},
       {"empty band", plus("band: {from: 3, to: -3}"), "7:14: the band is empty: `from` is more than `to`; swap them",
        false},
       {"band of a width and a bound", plus("band: {width: 3, to: 3}"), "7:22: `width` says both bounds; remove it",
        false},
       {"band of a negative width", plus("band: {width: -1}"), "7:15: ", true},
       {"band that is no expression", plus("band: {to: target -}"), "7:12: `target -` is not an expression of", false},
       {"band of an unknown name", plus("band: {to: taget}"), "7:12: `taget` is not an expression of", false},
       {"output without score", plus("output: [end]"), "7:9: every kernel gives the score; add `score` to `output`",
        false},
       {"begin without end", with("global", "semiglobal", "output: [score, begin]\n"),
        "7:9: a begin belongs to an end; add `end` to `output`", false},
       {"cigar without begin", with("global", "local", "output: [score, end, cigar]\n"),
        "7:9: a cigar that may begin anywhere needs its place; add `end` and `begin` to `output`", false}});
}

void add_yaml_rules(std::vector<Invalid> &rows) {
  rows.insert(
      rows.end(),
      {{"duplicated key", plus("name: y"), "7:1: the key `name` is given twice, first on line 2; remove", false},
       {"duplicated nested key", with("open: 2", "open: 2, open: 3"), "4:31: the key `open` is given twice", false},
       {"undefined alias", with("open: 2", "open: *two"),
        "4:28: not YAML: the referenced anchor is not defined; mend the syntax here", false},
       {"anchor", with("open: 2", "open: &two 2"), "4:28: a spec has no anchors; write the value out", false},
       {"tag", with("open: 2", "open: !!int 2"), "4:28: a spec has no tags (`tag:yaml.org,2002:int`)", false},
       {"second document", plus("---\na: b"), "7:1: a second YAML document; write one spec per file", false},
       {"a list for a key", plus("[a]: b"), "7:1: a key must be a word; write `key: value`", false},
       {"deep nesting", plus("tile: [[[[[[[[[[]]]]]]]]]]"), "7:14: nested deeper than any spec", false},
       {"broken YAML", plus("a: b: c"), "7:5: not YAML: illegal map value; mend the syntax here", false},
       {"unclosed bracket", plus("targets: [scalar"), "8:1: not YAML: end of sequence flow not found", false},
       {"NUL", with("name: x", std::string("name: x\0", 8)), "2:8: a control byte `\\x00`; remove it", false},
       {"Latin-1", plus("# \xe4"), "7:3: not UTF-8; save the file as UTF-8", false},
       {"not a map", "- version: 1\n", "1:1: a spec is a map of keys, not a list; begin with `version: 1`", false},
       {"nothing", "", "1:1: a spec is a map of keys, not nothing; begin with `version: 1`", false},
       {"too large", small_spec + std::string(1 << 20, '#'), "1:1: larger than 1 MiB; a spec is a short text", false}});
}

}  // namespace

std::vector<Invalid> invalid_specs() {
  std::vector<Invalid> rows;
  add_keys_and_types(rows);
  add_ranges(rows);
  add_compilers(rows);
  add_gap_rules(rows);
  add_score_rules(rows);
  add_alphabet_rules(rows);
  add_target_rules(rows);
  add_border_rules(rows);
  add_yaml_rules(rows);
  return rows;
}

}  // namespace alnsmith::spec
