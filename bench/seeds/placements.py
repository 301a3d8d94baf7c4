#!/usr/bin/env python3
"""The measurements of the paper on PaPaRa's kernels (2012), repeated with the whole program: speed by the length of the
references (test A) and by the number of reads (B), the shapes of its two data sets (C1, C2) and of its overclocked CPU (E).

In:  nothing; trees, alignments and reads are drawn with a seed (place_data.py). CPUs are measured, devices modelled
     (device_model.py). Out: a line per figure, appended to --json; tools/tables prints them beside placements.json, the
     published ones.

    bench/seeds/placements.py --json bench/results/seeds-place-zen5.jsonl [--parts A,B,E,lengths,C1,C2,threads,model]
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "search")]

import contenders
import device_model
import measure
import place_data

PARTS = ("A", "B", "E", "lengths", "C1", "C2", "threads", "model")
SPECS = ("papara-v25", "papara-eq1")
TIPS = 161  # 319 branches, for 320
PHASES = ("score", "path")


class Placements:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.published = json.loads((HERE / "placements.json").read_text())
        self.bare = {}  # of the references in the folder

    def put(self, line):
        print(json.dumps(line), flush=True)
        if self.given.json:
            with self.given.json.open("a") as out:
                out.write(json.dumps(line) + "\n")

    def shape(self, tips, columns):
        """The folder of references of a shape; the one before it is gone, as they may be large."""
        path = self.folder / f"{tips}x{columns}"
        if not path.exists():
            for other in self.folder.glob("*x*"):
                shutil.rmtree(other)
            path.mkdir()
            self.bare = place_data.write_references(path, tips, columns, 1)
        return path

    def run(self, spec, path, reads, threads=1):
        out = self.folder / "placed"
        result = measure.timed(
            [self.given.program, "place", "--spec", spec, "--tree", path / "tree.nwk", "--reference",
             path / "reference.phy", "--query", reads, "--out", out, "--threads", threads, "--insertions", "drop"],
            out=self.folder / "said")  # fmt: skip
        own = contenders.closing_line(result.pop("stderr"))
        shutil.rmtree(out)
        phases = {f"{phase}_{what}": float(own[f"{phase}_{what}"])
                  for phase in PHASES for what in ("cells", "seconds", "cpu_seconds")}  # fmt: skip
        return {**result, **phases, "reads": int(own["reads"]), "branches": int(own["branches"]),
                "columns": int(own["columns"])}  # fmt: skip

    def fitting(self, reads, mean, tips, columns):
        """As many of the reads as --cells has room for, and as fill some vectors at least."""
        return max(16, min(reads, int(self.given.cells / (mean * (2 * tips - 3) * columns))))

    def measured(self, part, path, shortest, longest, reads, threads=(1,), **facts):
        """A line per spec and number of threads, all in turns. `gcups` of a phase is by wall time, `cpu_gcups` by CPU time,
        which on a loaded machine is nearer to the truth."""
        file = self.folder / "reads.fasta"
        place_data.write_reads(file, self.bare, reads, shortest, longest, 2)
        runs = {(spec, n): lambda spec=spec, n=n: self.run(spec, path, file, n)
                for spec in SPECS for n in threads}  # fmt: skip
        for (spec, n), results in measure.in_turns(runs, self.given.repeats).items():
            first, middle = results[0], {}
            for key in [f"{phase}_{what}" for phase in PHASES for what in ("seconds", "cpu_seconds")] + ["cpu_seconds"]:
                middle[key] = statistics.median(result[key] for result in results)
            cells = first["score_cells"] * 1e-9
            self.put({"part": part, "spec": spec, "threads": n, "reads": first["reads"], "branches": first["branches"],
                      "columns": first["columns"], "shortest": shortest, "longest": longest, **facts,
                      "cells": int(first["score_cells"]),
                      "gcups": round(cells / middle["score_seconds"], 2),
                      "cpu_gcups": round(cells / max(middle["score_cpu_seconds"], 1e-6), 2),
                      "whole_cpu_gcups": round(cells / middle["cpu_seconds"], 2),
                      "path_share": round(middle["path_cpu_seconds"] / max(middle["score_cpu_seconds"], 1e-6), 4),
                      **{key: [round(result[key], 6) for result in results] for key in middle},
                      "peak_bytes": max(result["peak_bytes"] for result in results),
                      "load": [result["load"] for result in results]})  # fmt: skip

    def part_a(self):
        own = self.published["A"]
        for row in own["rows"]:
            path = self.shape(TIPS, row["columns"])
            reads = self.fitting(own["reads"], own["read_length"], TIPS, row["columns"])
            self.measured("A", path, own["read_length"], own["read_length"], reads, of_reads=own["reads"])

    def part_b(self):
        own = self.published["B"]
        path = self.shape(TIPS, own["columns"])
        for reads in (10, 50, 100, 250, 500, 1000, 2500, 10000):
            if reads <= self.fitting(10000, own["read_length"], TIPS, own["columns"]):
                self.measured("B", path, own["read_length"], own["read_length"], reads, of_reads=reads)

    def part_e(self):
        own = self.published["E"]
        path = self.shape(TIPS, own["columns"])
        self.measured("E", path, 100, 100, self.fitting(own["reads"], 100, TIPS, own["columns"]), of_reads=own["reads"])

    def part_lengths(self):
        """Not the paper's: reads of other lengths, whose cells are as many."""
        path = self.shape(TIPS, 2000)
        for length in (30, 50, 75, 100, 150, 250, 400):
            reads = self.fitting(1000000, length, TIPS, 2000)
            self.measured("lengths", path, length, length, reads, of_reads=reads)

    def part_c1(self):
        own = self.published["C1"]
        path = self.shape(own["references"], own["columns"])
        reads = self.fitting(own["reads"], own["read_length"], own["references"], own["columns"])
        self.measured("C1", path, own["read_length"], own["read_length"], reads, of_reads=own["reads"])

    def part_c2(self):
        own = self.published["C2"]
        path = self.shape(own["references"], own["columns"])
        mean = (own["shortest"] + own["longest"]) / 2
        reads = self.fitting(own["reads"] // 100, mean, own["references"], own["columns"])
        self.measured("C2", path, own["shortest"], own["longest"], reads, of_reads=own["reads"])

    def part_threads(self):
        """Of test B's shape."""
        own = self.published["B"]
        path = self.shape(TIPS, own["columns"])
        reads = self.fitting(1250, own["read_length"], TIPS, own["columns"])
        self.measured("threads", path, own["read_length"], own["read_length"], reads, (1, 2), of_reads=reads)

    def part_model(self):
        """Test A on an H200, each read with each branch a pair."""
        own = self.published["A"]
        for spec in SPECS:
            text = (HERE.parent.parent / "specs" / f"{spec}.yaml").read_text()
            found = device_model.kernels(self.given.program, text)
            for row in own["rows"]:
                lengths = [row["columns"]] * (own["reads"] * own["branches"])
                seconds, kernel = device_model.best(found, own["read_length"], lengths, "pairwise")
                gcups = own["read_length"] * sum(lengths) * 1e-9 / seconds
                self.put({"part": "model", "spec": spec, "columns": row["columns"], "gcups": round(gcups, 0),
                          "tile": f"{kernel.p}x{kernel.k}"})  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/alnsmith")
    parser.add_argument("--cells", type=float, default=1e11, help="at most, of a run's first phase, about")
    parser.add_argument("--columns", type=int, default=500000, help="of the longest references of test A, at most")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--parts", type=lambda text: text.split(","), default=list(PARTS), help=",".join(PARTS))
    parser.add_argument("--json", type=pathlib.Path, help="lines are appended")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"--parts: no {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    given.program = str(pathlib.Path(given.program).resolve())
    try:
        with tempfile.TemporaryDirectory() as folder:
            seeds = Placements(given, pathlib.Path(folder))
            rows = seeds.published["A"]["rows"]
            seeds.published["A"]["rows"] = [row for row in rows if row["columns"] <= given.columns]
            seeds.put({"run": time.strftime("%Y-%m-%d"), "machine": measure.machine(),
                       "versions": {"alnsmith": contenders.versions(given.program)["alnsmith"]},
                       "repeats": given.repeats, "cells": given.cells,
                       "load": round(os.getloadavg()[0], 1)})  # fmt: skip
            for part in PARTS:
                if part in given.parts:
                    getattr(seeds, f"part_{part.lower()}")()
    except (measure.Failed, OSError) as why:
        print(f"placements.py: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
