#!/usr/bin/env python3
"""The measurements of three papers on database search, repeated: CUDASW++ 2.0's tables 1 to 3, the border between
kernels and table II of the improved intra-task kernel, figures 7 to 9 of the Knights Landing paper.

In:  ALNSMITH_DATA_DIR (protein/queries_cudasw20.fasta, protein/db.fasta.gz), or --queries and --database. CPUs are
     measured, devices modelled (device_model.py). Out: a line per figure, appended to --json; tools/tables prints them beside
     searches.json, the published ones.

    bench/seeds/searches.py --json bench/results/seeds-search-zen5.jsonl [--parts cudasw2,intra_task,knl,model]
"""

import argparse
import json
import math
import os
import pathlib
import random
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
import sequences

PARTS = ("cudasw2", "intra_task", "knl", "model")
SCHEMES = (("BLOSUM62", 10, 2), ("BLOSUM62", 20, 2), ("BLOSUM62", 40, 3), ("BLOSUM50", 10, 3))
ISAS = {"SSE4.1": "x86-64-v2", "AVX2": "x86-64-v3", "AVX-512": "x86-64-v4"}
LONG = 3072  # the border that intra-task kernels began at
LONGEST = 35213  # Swiss-Prot 56.6


def spec(matrix, opened, extend):
    return (
        f"version: 1\nname: seeds-{matrix.lower()}-{opened}-{extend}\nalignment: local\n"
        f"gap: {{model: affine, open: {opened}, extend: {extend}}}\nalphabet: protein\nscore: {{matrix: {matrix}}}\n"
    )


def scheme_name(scheme):
    return f"{scheme[0]} {scheme[1]}+{scheme[2]}L"


def with_long(own_lengths, percent):
    """Draws lengths: `percent` of them over LONG, evenly by their logarithm, the others as the given ones below it."""
    short = [length for length in own_lengths if length <= LONG]

    def draw(dice):
        if dice.random() * 100 < percent:
            return int(math.exp(dice.uniform(math.log(LONG + 1), math.log(LONGEST))))
        return dice.choice(short)

    return draw


def log_normal(mean, deviation):
    sigma = math.sqrt(math.log(1 + (deviation / mean) ** 2))
    return lambda dice: max(1, round(dice.lognormvariate(math.log(mean) - sigma * sigma / 2, sigma)))


class Seeds:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.queries = list(sequences.read_fasta(given.queries))
        self.database = folder / "given.alndb"
        contenders.once(self.database, [given.program, "makedb", given.database, "-o", self.database, "--quiet"])
        self.lengths = [len(letters) for _, letters in sequences.read_fasta(given.database)]

    def put(self, line):
        print(json.dumps(line), flush=True)
        if self.given.json:
            with self.given.json.open("a") as out:
                out.write(json.dumps(line) + "\n")

    def file(self, name, records):
        path = self.folder / name
        path.write_text("".join(f">{key}\n{letters}\n" for key, letters in records))
        return path

    def seeded(self, name, lengths):
        """A database of --residues letters, no homologs in it."""
        fasta = self.folder / f"{name}.fasta"
        sequences.random_database(self.given.database, [], self.given.residues, 1, fasta, lengths)
        database = self.folder / f"{name}.alndb"
        contenders.once(database, [self.given.program, "makedb", fasta, "-o", database, "--quiet"])
        fasta.unlink()
        return database

    def run(self, scheme, queries, database, threads=1, isa=""):
        """Scores alone: what the papers timed. `batch_seconds`: in the library's calls, letters packed inside."""
        path = self.folder / (scheme_name(scheme).replace(" ", "-") + ".yaml")
        path.write_text(spec(*scheme))
        words = [self.given.program, "search", "--spec", path, "--query", queries, "--db", database, "--stats", "none",
                 "--top", 10, "--columns", "query,target,score", "--threads", threads]  # fmt: skip
        words += ["--isa", isa] if isa else []
        result = measure.timed(words, out=self.folder / "hits.tsv")
        own = contenders.closing_line(result.pop("stderr"))
        return {**result, "batch_seconds": float(own["batch_seconds"]), "cells": int(own["cells"])}

    def measure_start(self):
        """CPU seconds of a search for nothing, which `cpu_gcups` leaves out: one letter in one of ten. All kernels that
        are timed are in the cache afterwards."""
        one = self.file("letter.fasta", [("letter", "A")])
        ten = self.file("ten.fasta", [("ten", "ACDEFGHIKL")])
        for scheme in SCHEMES:
            self.run(scheme, self.given.queries, ten)
        for isa in ISAS.values():
            self.run(SCHEMES[0], self.given.queries, ten, isa=isa)
        self.start = statistics.median(self.run(SCHEMES[0], one, ten)["cpu_seconds"] for _ in range(11))

    def turns(self, runs):
        """key -> facts of its runs, the keys in turns. `gcups` is of the time inside the library's calls, `cpu_gcups` of
        the program's CPU time, which on a loaded machine is nearer to the truth."""
        for key, results in measure.in_turns(runs, self.given.repeats).items():
            cells = results[0]["cells"]
            batch = statistics.median(result["batch_seconds"] for result in results)
            cpu = statistics.median(result["cpu_seconds"] for result in results) - self.start
            yield key, {
                "gcups": round(cells * 1e-9 / batch, 2),
                "cpu_gcups": round(cells * 1e-9 / cpu, 2) if cpu > self.start / 2 else None,  # else all is noise
                "batch_seconds": [round(result["batch_seconds"], 6) for result in results],
                "cpu_seconds": [round(result["cpu_seconds"], 6) for result in results],
                "load": [result["load"] for result in results],
            }

    def cudasw2(self):
        for name, letters in self.queries:
            path = self.file("one.fasta", [(name, letters)])
            runs = {s: lambda s=s: self.run(s, path, self.database) for s in SCHEMES[:3]}
            for scheme, facts in self.turns(runs):
                self.put({"part": "cudasw2", "table": "1 and 2", "query": name, "length": len(letters),
                          "scheme": scheme_name(scheme), **facts})  # fmt: skip
        long = [query for query in self.queries if len(query[1]) >= 2000] or self.queries
        path = self.file("long.fasta", long)
        runs = {s: lambda s=s: self.run(s, path, self.database) for s in (SCHEMES[0], SCHEMES[3])}
        for scheme, facts in self.turns(runs):
            self.put({"part": "cudasw2", "table": "3", "queries": len(long), "scheme": scheme_name(scheme), **facts})

    def intra_task(self):
        published = json.loads((HERE / "searches.json").read_text())["intra_task"]
        wanted = [query for query in self.queries if len(query[1]) in published["lengths"]]
        percents = sorted({row["over_3072_percent"] for row in published["table2"]} | {0.0, 2.5})
        for percent in percents:
            database = self.seeded(f"long-{percent}", with_long(self.lengths, percent))
            runs = {}
            for name, letters in wanted:
                path = self.file(f"{len(letters)}.fasta", [(name, letters)])
                runs[len(letters)] = lambda path=path: self.run(SCHEMES[0], path, database)
            for length, facts in self.turns(runs):
                self.put({"part": "intra_task", "table": "II", "over_3072_percent": percent, "length": length,
                          "residues": self.given.residues, **facts})  # fmt: skip
            database.unlink()
        middle = min(self.queries, key=lambda query: abs(len(query[1]) - 567))
        path = self.file("middle.fasta", [middle])
        runs = {}
        for mean in (1000, 1300, 1600):
            for deviation in (100, 600, 1200, 1800):
                database = self.seeded(f"normal-{mean}-{deviation}", log_normal(mean, deviation))
                runs[mean, deviation] = lambda database=database: self.run(SCHEMES[0], path, database)
        for (mean, deviation), facts in self.turns(runs):
            self.put({"part": "intra_task", "figure": "2", "mean": mean, "deviation": deviation,
                      "length": len(middle[1]), "residues": self.given.residues, **facts})  # fmt: skip

    def knl(self):
        for name, letters in self.queries:
            one = self.file("one.fasta", [(name, letters)])
            runs = {isa: lambda target=target: self.run(SCHEMES[0], one, self.database, 1, target)
                    for isa, target in ISAS.items()}  # fmt: skip
            for isa, facts in self.turns(runs):
                self.put({"part": "knl", "figure": "8", "isa": isa, "length": len(letters), **facts})
        path = self.file("all.fasta", self.queries)
        runs = {
            (isa, threads): lambda target=target, threads=threads: self.run(
                SCHEMES[0], path, self.database, threads, target
            )
            for isa, target in ISAS.items()
            for threads in (1, 2)
        }
        for (isa, threads), facts in self.turns(runs):
            self.put({"part": "knl", "figure": "7", "isa": isa, "threads": threads, **facts})

    def model(self):
        """As many targets as Swiss-Prot 56.6 had, 0.12 % of them long; query by query, then border by border."""
        found = device_model.kernels(self.given.program, spec(*SCHEMES[0]))
        for kernel in found:
            if kernel.level == 0:
                self.put({"part": "model", "kernel": kernel.name, "pipe_gcups": kernel.gcups, "slots": kernel.slots,
                          "targets_of_a_slot": kernel.targets})  # fmt: skip
        dice = random.Random(1)
        draw = with_long(self.lengths, 0.12)
        lengths = [draw(dice) for _ in range(405506)]
        for name, letters in self.queries:
            gcups, kernel = device_model.search_gcups(found, len(letters), lengths)
            self.put({"part": "model", "table": "1 and 2", "query": name, "length": len(letters),
                      "gcups": round(gcups, 0), "tile": f"{kernel.p}x{kernel.k}"})  # fmt: skip
        for percent in (0.06, 0.12, 0.56, 2.5):
            draw = with_long(self.lengths, percent)
            lengths = [draw(dice) for _ in range(405506)]
            for query in (567, 5478):
                for border in (1000, 1500, LONG, 10000, 36000):
                    gcups = device_model.border_gcups(found, query, lengths, border)
                    self.put({"part": "model", "figure": "border", "over_3072_percent": percent, "border": border,
                              "length": query, "gcups": round(gcups, 0)})  # fmt: skip


def main():
    data = pathlib.Path(os.environ.get("ALNSMITH_DATA_DIR", "")) / "protein"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/alnsmith")
    parser.add_argument("--queries", default=data / "queries_cudasw20.fasta")
    parser.add_argument("--database", default=data / "db.fasta.gz")
    parser.add_argument("--residues", type=lambda text: int(float(text)), default=5000000, help="of seeded databases")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--parts", type=lambda text: text.split(","), default=list(PARTS), help=",".join(PARTS))
    parser.add_argument("--json", type=pathlib.Path, help="lines are appended")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"--parts: no {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for path in (given.queries, given.database):
        if not pathlib.Path(path).is_file():
            parser.error(f"{path}: not there: name it, or set ALNSMITH_DATA_DIR")
    given.program = str(pathlib.Path(given.program).resolve())
    try:
        with tempfile.TemporaryDirectory() as folder:
            seeds = Seeds(given, pathlib.Path(folder))
            seeds.measure_start()
            seeds.put({"run": time.strftime("%Y-%m-%d"), "machine": measure.machine(),
                       "versions": {"alnsmith": contenders.versions(given.program)["alnsmith"]},
                       "repeats": given.repeats, "load": round(os.getloadavg()[0], 1),
                       "targets": len(seeds.lengths), "letters": sum(seeds.lengths),
                       "start_cpu_seconds": round(seeds.start, 6)})  # fmt: skip
            for part in PARTS:
                if part in given.parts:
                    getattr(seeds, part)()
    except (measure.Failed, OSError) as why:
        print(f"searches.py: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
