#!/usr/bin/env python3
"""What generic kernels, whose scoring comes with the call, reach of a spec's own kernels; one thread.

Usage: generic_kernels.py [--program build/alnsmith] [--turns 9] [--pairs 200000] [--isa ISA]
       [--only WORDS] [--json FILE] [--folder DIR]
Builds a pack of the forms that the pack of generic kernels has (generated/generic_specs.cmake), then
times `align` with the kernels generated for a spec and with the pack alone, in turns, after one of each that counts for
nothing, and compares what they write. Pairs of 150 letters of DNA or 300 of proteins with 5 % of errors, and the same
cells as each with each of 32 queries. Lines of --json are appended.
Exit status: 0 if every median is at least 0.8 of the own kernels', 1 if one is not, 2 if an output differs or a run
failed.
"""

import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "search"))

from measure import machine  # noqa: E402

GOAL = 0.8
LETTERS = {"dna": "ACGT", "dna5": "ACGT", "iupac": "ACGT", "protein": "ACDEFGHIKLMNPQRSTVWY"}
LENGTH = {"dna": 150, "dna5": 150, "iupac": 150, "protein": 300}
GAPS = {"linear": "{{model: linear, extend: {1}}}", "affine": "{{model: affine, open: {0}, extend: {1}}}"}
QUERIES = 32
# Alphabet, gap model, score, open and extend: ones that people use, and large ones.
SCORINGS = [
    ("dna", "linear", "{match: 2, mismatch: -1}", 0, 1),
    ("dna5", "linear", "{match: 5, mismatch: -4}", 0, 7),
    ("dna5", "affine", "{match: 1, mismatch: -1}", 1, 1),
    ("dna5", "affine", "{match: 2, mismatch: -1}", 2, 1),
    ("dna", "affine", "{match: 2, mismatch: -4}", 4, 2),
    ("dna", "affine", "{match: 5, mismatch: -4}", 8, 2),
    ("dna", "affine", "{match: 10, mismatch: -9}", 20, 4),
    ("iupac", "linear", "{matrix: NUC.4.4}", 0, 6),
    ("iupac", "affine", "{matrix: NUC.4.4}", 10, 1),
    ("protein", "linear", "{matrix: BLOSUM62}", 0, 8),
    ("protein", "affine", "{matrix: BLOSUM62}", 11, 1),
    ("protein", "affine", "{match: 3, mismatch: -2}", 6, 1),
]


def sequences(dice, letters, length, count):
    """`count` random sequences, and the same with 5 % of errors, all of one length."""
    first = ["".join(dice.choices(letters, k=length)) for _ in range(count)]
    second = []
    for text in first:
        copy = list(text)
        for _ in range(max(1, length // 20)):
            at, kind = dice.randrange(len(copy)), dice.randrange(3)
            copy[at : at + (kind < 2)] = [] if kind == 1 else dice.choice(letters)
        copy = (copy + dice.choices(letters, k=length))[:length]
        second.append("".join(copy))
    return first, second


def write(path, texts):
    path.write_text("".join(f">{i}\n{text}\n" for i, text in enumerate(texts)))
    return path


def fail(why):
    print(why, file=sys.stderr)
    sys.exit(2)


def run(words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        fail(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stderr


def compare(given, folder, pack, spec, files, mode):
    """Medians of GCUPS of the own kernels and of the pack's, and the kernels' names."""
    sides = {"own": [], "generic": ["--pack", pack]}
    rates, kernels = {"own": [], "generic": []}, {}
    for turn in range(given.turns + 1):
        for side, more in sides.items():
            words = [given.program, "align", "--threads", "1", "--spec", spec, "--query", files[0], "--target", files[1]]
            words += ["--out", folder / f"{side}.tsv", *more]
            words += (["--all"] if mode == "all" else []) + (["--isa", given.isa] if given.isa else [])
            said = run(words)
            kernels[side] = re.search(r"kernel=(\S+)", said)[1]
            if turn:
                rates[side].append(float(re.search(r"gcups=([\d.]+)", said)[1]))
    if (folder / "own.tsv").read_bytes() != (folder / "generic.tsv").read_bytes():
        fail(f"{spec}: {mode}: the outputs of both differ; see {folder}/own.tsv and generic.tsv")
    return {side: statistics.median(list_) for side, list_ in rates.items()}, kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/alnsmith")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--pairs", type=int, default=200000, help="of 150 letters; of others as many cells")
    parser.add_argument("--isa", default="", help="as of align; default: the widest that this CPU runs")
    parser.add_argument("--only", default="", help="lines that hold this text")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, help="of specs, pack and sequences; a pack that is there is used")
    given = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or pathlib.Path(scratch)
        forms = folder / "forms"
        forms.mkdir(parents=True, exist_ok=True)
        script = ROOT / "generated" / "generic_specs.cmake"
        run(["cmake", f"-Dfolder={forms}", f"-Dalphabets={';'.join(LETTERS)}", "-P", script])
        pack = folder / "generic.pack"
        if not pack.exists():
            words = ["--target", "x86-64-v4", "--target", "x86-64-v3", "-o", pack]
            run([given.program, "pack", "build", *sorted(forms.iterdir()), *words])
        dice = random.Random(1)
        files = {}
        for alphabet, length in sorted(LENGTH.items()):
            count = given.pairs * 150 * 150 // (length * length)
            first, second = sequences(dice, LETTERS[alphabet], length, count)
            pairs = [write(folder / f"{alphabet}-{side}.fa", texts) for side, texts in (("q", first), ("t", second))]
            each = [write(folder / f"{alphabet}-few.fa", first[:QUERIES])]
            each.append(write(folder / f"{alphabet}-many.fa", second[: count // QUERIES]))
            files[alphabet] = {"pairs": pairs, "all": each}
        for alphabet, model, score, opens, extend in SCORINGS:
            for alignment in ("global", "semiglobal", "local"):
                for mode in ("pairs", "all"):
                    gap = GAPS[model].format(opens, extend)
                    text = f"alignment: {alignment}\ngap: {gap}\nalphabet: {alphabet}\nscore: {score}\n"
                    shown = f"{alphabet} {alignment} {score.strip('{}')}, gap {opens} + {extend} L, {mode}"
                    if given.only not in shown:
                        continue
                    spec = folder / "spec.yaml"
                    spec.write_text(f"version: 1\nname: own\n{text}")
                    medians, kernels = compare(given, folder, pack, spec, files[alphabet][mode], mode)
                    ratio = medians["generic"] / medians["own"]
                    status = status or int(ratio < GOAL)
                    line = {"alphabet": alphabet, "alignment": alignment, "score": score.strip("{}"), "open": opens}
                    line |= {"extend": extend, "mode": mode, "gcups": medians, "ratio": ratio, "kernels": kernels}
                    line |= {"pairs": given.pairs, "turns": given.turns, "isa": given.isa, **machine()}
                    line["load"] = round(os.getloadavg()[0], 1)
                    if given.json:
                        with given.json.open("a") as out:
                            out.write(json.dumps(line) + "\n")
                    print(
                        f"{ratio:5.2f}{'  BELOW' if ratio < GOAL else ''}  {medians['own']:6.1f} own,"
                        f" {medians['generic']:6.1f} generic GCUPS; {shown}",
                        flush=True,
                    )
    return status


sys.exit(main())
