"""What an installed wheel does where there is Python and NumPy alone: no pytest, no compiler, no clone around it.

Usage: python installed.py DATA        (DATA: tests/data of the repository)
"""
import gzip
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

CACHE = tempfile.TemporaryDirectory()  # nothing of earlier runs; removed at the end
os.environ["ALNSMITH_CACHE"] = CACHE.name
os.environ.pop("ALNSMITH_PREFIX", None)

import numpy  # noqa: E402

import alnsmith  # noqa: E402

DATA = pathlib.Path(sys.argv[1])
SCORES = {"dna_2_1": {"match": 2, "mismatch": -1}, "nuc44": {"matrix": "NUC.4.4", "alphabet": "dna5"},
          "b62": {"matrix": "BLOSUM62"}, "b50": {"matrix": "BLOSUM50"}, "pam30": {"matrix": "PAM30"}}
MODES = {"nw": "global", "sw": "local", "sg": "semiglobal"}


def lines(name):
    with gzip.open(DATA / name, "rt", encoding="ascii") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def gaps(scoring):
    name, _, costs = scoring.partition("_lin") if "_lin" in scoring else scoring.partition("_aff")
    if "_lin" in scoring:
        return {**SCORES[name], "gap_extend": int(costs)}
    return {**SCORES[name], "gap_open": int(costs.split("_")[0]), "gap_extend": int(costs.split("_")[1])}


def golden_rows():
    """Every scoring of the golden rows, from the packs of generic kernels: scores, and ends of whole alignments."""
    pairs = {row[0]: row[2:4] for row in lines("pairs.tsv.gz")}
    rows = {}
    for row in lines("golden.tsv.gz"):
        rows.setdefault((row[1], row[2]), []).append(row)
    count = 0
    for (mode, scoring), some in rows.items():
        if mode not in MODES:
            continue
        queries, targets = zip(*(pairs[row[0]] for row in some))
        for output in ("score", "end", "cigar"):
            result = alnsmith.Aligner(alignment=MODES[mode], output=output, **gaps(scoring)).align(queries, targets)
            assert result.score.tolist() == [int(row[3]) for row in some], (mode, scoring)
            if output == "score":
                continue
            for i, row in enumerate(some):
                if row[4] != ".":
                    assert (result.query_end[i], result.target_end[i]) == (int(row[4]), int(row[5]))
        count += len(some)
    return count


def main():
    print("CPython", sys.version.split()[0], "NumPy", numpy.__version__, "alnsmith", alnsmith.__version__)
    print("golden rows:", golden_rows())
    hits = alnsmith.Aligner("protein-local-blosum62").search(
        alnsmith.read_sequences(DATA / "protein_queries.fasta"), DATA / "protein_targets.fasta.gz", top=1)
    assert len(hits) == 12 and (hits.evalue < 10).any() and not hits.warnings
    result = alnsmith.Aligner(alignment="local", match=5, mismatch=-4, gap_open=8, gap_extend=3, output="cigar").align(
        "GATTACAGATTACA", "TTGATTACATTACAGG")
    assert result.cigars[0] and "generic" in alnsmith.Aligner(
        alignment="local", match=5, mismatch=-4, gap_open=8, gap_extend=3).warnings[0]
    for name in alnsmith.shipped_specs():
        if "papara" not in name and "runtime" not in name:
            alnsmith.Aligner(name).align("ACDEF" if "protein" in name else "ACGT", "AC")
    program = os.path.join(sysconfig.get_path("scripts"), "alnsmith")
    assert "alnsmith" in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    try:
        alnsmith.Aligner(alignment=["query_begin"], match=1, mismatch=-1, gap_extend=1)
        raise AssertionError("kernels out of nothing")
    except ValueError as error:
        print("without a generator:", error)
    print("ok")


if __name__ == "__main__":
    main()
