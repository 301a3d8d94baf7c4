"""What the tests share: data, scorings of the golden rows, the command line."""
import gzip
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
MATRICES = ROOT / "specs" / "matrices"
FULL = os.environ.get("ALNSMITH_FULL") == "1"
PROGRAM = os.environ.get("ALNSMITH_PROGRAM", str(ROOT / "build" / "alnsmith"))


def lines(path):
    with gzip.open(path, "rt", encoding="ascii") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def pairs():
    """{pair: (query, target)}"""
    return {row[0]: (row[2], row[3]) for row in lines(DATA / "pairs.tsv.gz")}


def golden():
    """{(mode, scoring): [(pair, score, query_end, target_end)]}, ends as text: '.' where they are not given"""
    rows = {}
    for pair, mode, scoring, score, query_end, target_end in lines(DATA / "golden.tsv.gz"):
        rows.setdefault((mode, scoring), []).append((pair, int(score), query_end, target_end))
    return rows


ENDS = {"qb": ["query_begin"], "qe": ["query_end"], "db": ["target_begin"], "de": ["target_end"],
        "qx": ["query_begin", "query_end"], "dx": ["target_begin", "target_end"]}
SCORES = {"dna_2_1": {"match": 2, "mismatch": -1}, "nuc44": {"matrix": "NUC.4.4", "alphabet": "dna5"},
          "b62": {"matrix": "BLOSUM62"}, "b50": {"matrix": "BLOSUM50"}, "pam30": {"matrix": "PAM30"}}


def keywords(mode, scoring):
    """Of Aligner, for golden rows."""
    words = dict(SCORES[scoring.rpartition("_lin")[0] or scoring.rpartition("_aff")[0]])
    if "_lin" in scoring:
        words["gap_extend"] = int(scoring.rpartition("_lin")[2])
    else:
        words["gap_open"], words["gap_extend"] = map(int, scoring.rpartition("_aff")[2].split("_"))
    named = {"nw": "global", "sw": "local", "sg": "semiglobal"}
    words["alignment"] = named.get(mode) or [end for part in mode.split("_")[1:] for end in ENDS[part]]
    return words


def command(*words):
    """Rows of what the program prints, the header first."""
    done = subprocess.run([PROGRAM, *map(str, words), "--quiet"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def fasta(path, sequences):
    path.write_text("".join(f">s{i}\n{letters}\n" for i, letters in enumerate(sequences)))
    return path
