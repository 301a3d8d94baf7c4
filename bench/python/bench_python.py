"""The package alnsmith against what Python has for the same work: parasail, edlib, pyopal, pywfa, Biopython.

Usage: bench_python.py [--turns N] [--filter WORDS] [--label NAME] [--out FILE.jsonl]
In:  the Python of `tools/setup python`, the package by PYTHONPATH (build/python) or installed.
Out: a line a contender and work on stdout; with --out a record each, as JSON lines: seconds of CPU time of each turn, and the
     machine. One thread each. Contenders of a work take turns in one process; their answers are compared first, and a
     contender that gives another is an error. A turn of less than 20 ms is repeated until it takes that.
"""
from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import random
import statistics
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List

import numpy

import alnsmith

AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"


@dataclass
class Work:
    """What all contenders do."""

    name: str
    pairs: int
    cells: int  # query letters x target letters, all pairs
    contenders: Dict[str, Callable[[], Any]]  # the answer: scores


def drawn(rng: random.Random, letters: str, count: int) -> str:
    return "".join(rng.choices(letters, k=count))


def mutated(rng: random.Random, letters: str, text: str, rate: float) -> str:
    """Substitutions, insertions and deletions in equal parts."""
    out = []
    for letter in text:
        kind = rng.random() / rate
        out.append(letter if kind >= 1 else rng.choice(letters) if kind < 1 / 3 else "" if kind < 2 / 3 else
                   letter + rng.choice(letters))
    return "".join(out)


def short_reads(rng: random.Random) -> List[Work]:
    """10,000 pairs of 150 letters, 5 % changed: global and local scores, distances, alignments."""
    import edlib
    import parasail
    from Bio.Align import PairwiseAligner
    from pywfa.align import WavefrontAligner

    queries = [drawn(rng, "ACGT", 150) for _ in range(10000)]
    targets = [mutated(rng, "ACGT", query, 0.05) for query in queries]
    cells = sum(len(q) * len(t) for q, t in zip(queries, targets))
    matrix = parasail.matrix_create("ACGT", 2, -4)
    ours = {mode: alnsmith.Aligner(alignment=mode, match=2, mismatch=-4, gap_open=4, gap_extend=2, threads=1)
            for mode in ("global", "local")}
    traced = alnsmith.Aligner(alignment="local", match=2, mismatch=-4, gap_open=4, gap_extend=2, output="cigar", threads=1)
    distance = alnsmith.Aligner("edit-distance", threads=1)
    peer = PairwiseAligner(mode="local", match_score=2, mismatch_score=-4, open_gap_score=-6, extend_gap_score=-2)
    pairs = list(zip(queries, targets))

    def wavefronts() -> List[int]:
        return [-WavefrontAligner(q, mismatch=1, gap_opening=0, gap_extension=1, scope="score").wavefront_align(t)
                for q, t in pairs]

    return [
        Work("150 bp, global scores", len(pairs), cells, {
            "alnsmith": lambda: ours["global"].align(queries, targets).score.tolist(),
            "parasail nw_striped_16": lambda: [parasail.nw_striped_16(q, t, 6, 2, matrix).score for q, t in pairs],
        }),
        Work("150 bp, local scores", len(pairs), cells, {
            "alnsmith": lambda: ours["local"].align(queries, targets).score.tolist(),
            "parasail sw_striped_16": lambda: [parasail.sw_striped_16(q, t, 6, 2, matrix).score for q, t in pairs],
            "Biopython": lambda: [peer.score(t, q) for q, t in pairs],
        }),
        Work("150 bp, local alignments", len(pairs), cells, {
            "alnsmith": lambda: scores_and(traced.align(queries, targets)),
            "parasail sw_trace_striped_16": lambda: [parasail_traced(parasail, q, t, matrix) for q, t in pairs],
        }),
        Work("150 bp, edit distances", len(pairs), cells, {
            "alnsmith": lambda: distance.align(queries, targets).score.tolist(),
            "edlib": lambda: [edlib.align(q, t)["editDistance"] for q, t in pairs],
            "pywfa": wavefronts,
        }),
    ]


def scores_and(result: alnsmith.Alignments) -> List[int]:
    """Scores of alignments whose CIGARs are made into text, too."""
    result.cigars.to_list()
    return result.score.tolist()


def parasail_traced(parasail: Any, query: str, target: str, matrix: Any) -> int:
    found = parasail.sw_trace_striped_16(query, target, 6, 2, matrix)
    found.cigar.decode  # pylint: disable=pointless-statement
    return found.score


def proteins(rng: random.Random) -> List[Work]:
    """A query of 350 letters against 2,000 proteins of 50 to 700."""
    import parasail
    import pyopal

    query = drawn(rng, AMINO_ACIDS, 350)
    targets = [drawn(rng, AMINO_ACIDS, rng.randint(50, 700)) for _ in range(2000)]
    aligner = alnsmith.Aligner("protein-local-blosum62", threads=1)
    database = pyopal.Database(targets)
    opal = pyopal.Aligner(scoring_matrix="BLOSUM62", gap_open=12, gap_extend=1)
    profile = parasail.profile_create_16(query, parasail.blosum62)
    return [Work("protein search", len(targets), len(query) * sum(map(len, targets)), {
        "alnsmith": lambda: aligner.align_all(query, targets).score[0].tolist(),
        "parasail sw_striped_profile_16": lambda: [parasail.sw_striped_profile_16(profile, t, 12, 1).score for t in targets],
        "pyopal": lambda: [hit.score for hit in opal.align(query, database)],
    })]


def long_pair(rng: random.Random) -> List[Work]:
    """One pair of 20,000 letters, a tenth changed."""
    import edlib
    import parasail

    query = drawn(rng, "ACGT", 20000)
    target = mutated(rng, "ACGT", query, 0.1)
    matrix = parasail.matrix_create("ACGT", 2, -4)
    ours = alnsmith.Aligner(alignment="global", match=2, mismatch=-4, gap_open=4, gap_extend=2, threads=1)
    distance = alnsmith.Aligner("edit-distance", threads=1)
    cells = len(query) * len(target)
    return [
        Work("one pair of 20 kb, global score", 1, cells, {
            "alnsmith": lambda: ours.align(query, target).score.tolist(),
            "parasail nw_striped_32": lambda: [parasail.nw_striped_32(query, target, 6, 2, matrix).score],
        }),
        Work("one pair of 20 kb, edit distance", 1, cells, {
            "alnsmith": lambda: distance.align(query, target).score.tolist(),
            "edlib": lambda: [edlib.align(query, target)["editDistance"]],
        }),
    ]


def one_small_pair(_: random.Random) -> List[Work]:
    """What a call costs: a pair of 4 letters."""
    import parasail

    matrix = parasail.matrix_create("ACGT", 2, -1)
    aligner = alnsmith.Aligner("dna-global-affine", threads=1)
    query, target = ["ACGT"], ["ACGT"]
    return [Work("one pair of 4 bp: a call", 1, 16, {
        "alnsmith": lambda: aligner.align(query, target).score.tolist(),
        "parasail nw_striped_16": lambda: [parasail.nw_striped_16("ACGT", "ACGT", 3, 1, matrix).score],
    })]


def seconds(call: Callable[[], Any], times: int) -> float:
    """CPU seconds of a call."""
    begin = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - begin) / times


def measure(work: Work, turns: int) -> Dict[str, List[float]]:
    answers = {name: call() for name, call in work.contenders.items()}
    for name, answer in answers.items():
        if not numpy.array_equal(answer, answers["alnsmith"]):
            raise SystemExit(f"bench_python: {work.name}: {name} gives another answer than alnsmith")
    times = {name: max(1, round(0.02 / max(seconds(call, 1), 1e-6))) for name, call in work.contenders.items()}
    out: Dict[str, List[float]] = {name: [] for name in work.contenders}
    for _ in range(turns):
        for name, call in work.contenders.items():
            out[name].append(seconds(call, times[name]))
    return out


def cpu() -> str:
    with open("/proc/cpuinfo", encoding="ascii") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())


def main() -> None:
    parser = argparse.ArgumentParser(description="alnsmith against other packages of Python, one thread each")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--filter", default="")
    parser.add_argument("--label", default=cpu())
    parser.add_argument("--out")
    arguments = parser.parse_args()
    rng = random.Random(1)
    works = [work for group in (short_reads, proteins, long_pair, one_small_pair) for work in group(rng)]
    versions = {name: importlib.metadata.version(name) for name in ("parasail", "edlib", "pyopal", "pywfa", "biopython")}
    with open(arguments.out, "a", encoding="ascii") if arguments.out else open("/dev/null", "w", encoding="ascii") as file:
        for work in works:
            if arguments.filter not in work.name:
                continue
            times = measure(work, arguments.turns)
            ours = statistics.median(times["alnsmith"])
            for name, values in times.items():
                middle = statistics.median(values)
                print(f"{work.name:32} {name:32} {middle * 1e6 / work.pairs:11.2f} us a pair {middle / ours:8.2f} x",
                      flush=True)
                print(json.dumps({"bench": "python", "cpu": arguments.label, "load": os.getloadavg()[0], "python": platform.python_version(),
                                  "versions": versions, "work": work.name, "pairs": work.pairs, "cells": work.cells,
                                  "contender": name, "threads": 1, "cpu_seconds": values}), file=file)


if __name__ == "__main__":
    sys.exit(main())
