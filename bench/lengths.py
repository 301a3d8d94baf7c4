#!/usr/bin/env python3
"""Files of pairs of one length, from short reads to genomes: what `auto` takes, beside lanes and beside one pair at a time.

Usage: lengths.py [--program build/alnsmith] [--spec NAME-OR-FILE] [--cells N] [--lengths N,N] [--turns N] [--json FILE]
For each length a file of N cells (10^11; of 1,000 letters and fewer a fifth), at most 64 different pairs over and over:
targets are drawn, a query is its target with 6 % of the letters drawn anew, 2 % left out and 2 % put in. `alnsmith align
--threads 1` scores it as the spec says, with `mapping: lanes` and with `mapping: strips`; turns go round, and GCUPS of the
calls, reading left out, is the best one. Lines of --json are appended.
Exit status: 0 if `auto` is within 15 % of the best at each length, 1 if not, 2 if a run failed.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LENGTHS = [500, 1000, 2000, 3000, 5000, 10000, 30000, 100000, 300000]
WAYS = {"auto": "", "lanes": "mapping: lanes\n", "strips": "mapping: strips\n"}
DIFFERENT = 64
WITHIN = 0.15


def like(dice, target):
    letters = []
    for letter in target:
        roll = dice.random()
        if roll < 0.02:
            continue
        letters.append(dice.choice("ACGT") if roll < 0.08 else letter)
        if roll > 0.98:
            letters.append(dice.choice("ACGT"))
    return "".join(letters)


def write_pairs(folder, length, cells):
    dice = random.Random(length)
    pairs = max(1, round(cells / length**2))
    targets = ["".join(dice.choices("ACGT", k=length)) for _ in range(min(pairs, DIFFERENT))]
    queries = [like(dice, target) for target in targets]
    files = []
    for name, texts in (("query", queries), ("target", targets)):
        files.append(folder / f"{name}.fasta")
        with open(files[-1], "w") as out:
            out.writelines(f">{i}\n{texts[i % len(texts)]}\n" for i in range(pairs))
    return files


def gcups(program, spec, files):
    command = [program, "align", "--spec", spec, "--query", files[0], "--target", files[1]]
    done = subprocess.run([*command, "--threads", "1", "--out", "/dev/null"], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        sys.exit(2)
    said = dict(re.findall(r"(\w+)=(\S+)", done.stderr.splitlines()[-1]))
    return float(said["gcups"]), said["kernel"], int(said["banded"])


def main():
    usage = __doc__.split("\n\n", 1)[1]
    parser = argparse.ArgumentParser(usage=usage, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", default="build/alnsmith")
    parser.add_argument("--spec", default="specs/dna-global-affine.yaml")
    parser.add_argument("--cells", type=float, default=1e11)
    parser.add_argument("--lengths", default=",".join(map(str, LENGTHS)))
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--json")
    args = parser.parse_args()
    text = pathlib.Path(args.spec).read_text()
    missed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for way, line in WAYS.items():
            (folder / f"{way}.yaml").write_text(text.rstrip("\n") + "\n" + line)
        for length in map(int, args.lengths.split(",")):
            cells = args.cells / 5 if length <= 1000 else args.cells
            files = write_pairs(folder, length, cells)
            best = {}
            for _ in range(args.turns):
                for way in WAYS:
                    got = gcups(args.program, folder / f"{way}.yaml", files)
                    best[way] = max(best.get(way, got), got)
            speeds = {way: got[0] for way, got in best.items()}
            missed |= speeds["auto"] < (1 - WITHIN) * max(speeds.values())
            row = {"length": length, "cells": cells, "gcups": speeds, "kernel": best["auto"][1], "banded": best["auto"][2]}
            print(length, *(f"{way} {speed:.1f}" for way, speed in speeds.items()), best["auto"][1], sep="\t", flush=True)
            if args.json:
                with open(args.json, "a") as out:
                    out.write(json.dumps(row) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
