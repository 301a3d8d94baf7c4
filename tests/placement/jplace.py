"""The .jplace of `alnsmith place` against the format's rules (Matsen and others 2012, version 3) and what gappa wants of it; by
improved-octo-waddle (PyPI: iow) too, where it is installed.

usage: jplace.py PROGRAM DATA; PROGRAM is followed by `place`, DATA is tests/data. Exit status 77 without jsonschema.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: no jsonschema")
    sys.exit(77)

NUMBER = {"type": "number"}
SCHEMA = {
    "type": "object",
    "required": ["version", "metadata", "tree", "fields", "placements"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": 3},
        "metadata": {"type": "object"},
        "tree": {"type": "string", "pattern": ";$"},
        "fields": {
            "type": "array",
            "uniqueItems": True,
            "items": {"type": "string"},
            "allOf": [{"contains": {"const": name}} for name in
                      ("edge_num", "likelihood", "like_weight_ratio", "distal_length", "pendant_length")],
        },
        "placements": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["p", "n"],
                "additionalProperties": False,
                "properties": {
                    "p": {"type": "array", "minItems": 1,
                          "items": {"type": "array", "items": NUMBER, "minItems": 6, "maxItems": 6}},
                    "n": {"type": "array", "minItems": 1, "items": {"type": "string"}},
                },
            },
        },
    },
}


def check(jplace):
    jsonschema.validate(jplace, SCHEMA)
    lengths = {int(n): float(length) for length, n in re.findall(r":([^:{}()]+)\{(\d+)\}", jplace["tree"])}
    assert sorted(lengths) == list(range(len(lengths))), "edges are numbered from 0, each once"
    at = {name: i for i, name in enumerate(jplace["fields"])}
    for one in jplace["placements"]:
        assert abs(sum(row[at["like_weight_ratio"]] for row in one["p"]) - 1) < 1e-9, one["n"]
        for row in one["p"]:
            assert 0 <= row[at["distal_length"]] <= lengths[row[at["edge_num"]]], one["n"]
            assert row[at["pendant_length"]] == 0 and row[at["parsimony"]] == -row[at["likelihood"]], one["n"]
    return len(lengths)


def read_by_others(text, reads):
    try:
        import bp
    except ImportError:
        return "improved-octo-waddle is not here"
    table, tree = bp.parse_jplace(text)
    best = table.sort_values("edge_num").drop_duplicates("fragment")
    names = {tip.name for tip in bp.insert_fully_resolved(best, tree).tips()}
    assert reads <= names and len(names) == len(reads) + 24
    return "improved-octo-waddle reads it"


def main():
    program, data = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        subprocess.run([program, "place", "--tree", os.path.join(data, "placement_tree.nwk"), "--reference",
                        os.path.join(data, "placement_reference.phy.gz"), "--query",
                        os.path.join(data, "placement_reads.fasta"), "--out", out, "--quiet", "--insertions", "none"],
                       check=True)
        with open(os.path.join(out, "placements.jplace"), encoding="utf-8") as file:
            text = file.read()
    jplace = json.loads(text)
    edges = check(jplace)
    reads = {name for one in jplace["placements"] for name in one["n"]}
    assert edges == 2 * 24 - 3 and len(reads) == 40
    print(edges, "edges,", len(reads), "reads;", read_by_others(text, reads))


main()
