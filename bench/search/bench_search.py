#!/usr/bin/env python3
"""Database search, whole programs with output: alnsmith beside `diamond blastp --swipe` and ssearch36, in turns.

In:  queries and a database (ALNSMITH_DATA_DIR has both), or --residues N of a seeded one. Peers that are missing are
     left out, by name. Out: a table on stdout; with --json FILE lines, appended. README.md says what a line holds.

    bench_search.py --json zen5.jsonl                                  the 20 CUDASW++ queries, real proteins
    bench_search.py --residues 5e7 --json zen5.jsonl                   the same in 50 M residues with planted homologs
    bench_search.py --residues 1e9 --queries-of 144,375,1000 --only alnsmith --cases search

Interrupted (Ctrl-C, SIGTERM), it records what has run of a case and goes on with the next.
Exit status: 0; 1 a program failed, or hits differ (no ratio is printed then); 2 usage.
"""

import argparse
import json
import os
import pathlib
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import agreement
import contenders
import measure
import sequences

CASES = ("search", "length", "start")


def write_fasta(path, records):
    path.write_text("".join(f">{name}\n{letters}\n" for name, letters in records))
    return path


class Bench:
    """What was asked for, and where lines go."""

    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.energy = measure.Energy()
        self.differing = False
        self.tag = ""

    def put(self, line):
        if self.given.json:
            with self.given.json.open("a") as out:
                out.write(json.dumps(line) + "\n")

    def run(self, name, case, words, **how):
        out = self.folder / (name.replace(" ", "_") + ".out")
        made = words(case, out)
        result = measure.timed(made, out=f"{out}.stdout", energy=self.energy, **how)
        own = contenders.closing_line(result.pop("stderr"))
        for key in ("batch_seconds", "cells", "hits", "promoted"):
            if key in own:
                result[key] = float(own[key])
        print(f"{name}: {result['seconds']:.3f} s, {result['cpu_seconds']:.3f} s of CPU time", file=sys.stderr)
        result["out"] = out if out.exists() else pathlib.Path(f"{out}.stdout")
        return result

    def turns(self, key, cells, runs):
        """Runs and records the contenders of one case: name -> function."""
        results = measure.in_turns(runs, self.given.repeats, self.given.once)
        lines = {}
        for name, own in results.items():
            line = {"case": f"{key}{self.tag}", "contender": name, **measure.summary(own, cells)}
            if "batch_seconds" in own[0]:
                middle = sorted(own, key=lambda result: result["seconds"])[len(own) // 2]
                line["batch_seconds"] = middle["batch_seconds"]
                line["batch_share"] = round(middle["batch_seconds"] / middle["seconds"], 4)
                line["batch_cells"] = int(middle["cells"])
            if "hits" in own[0]:
                line["hits"] = int(own[0]["hits"])
            lines[name] = line
            print(
                f"{line['case']:28} {name:28} {line['median_seconds']:9.3f} s {line['gcups']:8.2f} GCUPS "
                f"{line['cpu_gcups']:8.2f} by CPU time, load {line['load']}",
                flush=True,
            )
        return lines, results

    def put_all(self, lines):
        for line in lines.values():
            self.put(line)


def letters_of(records):
    return sum(len(letters) for _, letters in records)


def search_case(bench, case, queries, residues):
    """All queries against the database: ours in all ways, the peers beside."""
    wanted = {**contenders.OURS}
    for name, (program, words) in contenders.PEERS.items():
        if program not in bench.installed:
            print(f"{program}: not installed, left out", file=sys.stderr)
        else:
            wanted[name] = words
    wanted = {name: words for name, words in wanted.items() if any(part in name for part in bench.given.only.split(","))}
    cells = letters_of(queries) * residues
    for name, words in wanted.items():
        words(case, bench.folder / "unused")  # makes the databases
        if name in contenders.OURS:
            bench.run("warm", bench.warm, words)  # kernels are in the cache from now on
    runs = {name: (lambda name=name, words=words: bench.run(name, case, words)) for name, words in wanted.items()}
    lines, results = bench.turns("search", cells, runs)
    base = "alnsmith alndb"
    if base in results:
        ours = contenders.READERS[base](results[base][-1]["out"])
        for name in results:
            if name == base or name not in contenders.READERS:
                continue
            theirs = contenders.READERS[name](results[name][-1]["out"])
            found = agreement.compare(ours, theirs, bench.given.top, name in contenders.OWN_STATISTICS)
            lines[name]["agreement"] = found
            bench.differing |= not found["equal"]
            said = agreement.words(found, bench.given.top)
            if found["equal"]:
                by_wall = lines[name]["median_seconds"] / lines[base]["median_seconds"]
                by_cpu = lines[name]["median_cpu_seconds"] / lines[base]["median_cpu_seconds"]
                lines[name]["ratio"], lines[name]["cpu_ratio"] = round(by_wall, 3), round(by_cpu, 3)
                said = f"{by_wall:.2f} times {base}'s time, {by_cpu:.2f} by CPU time; {said}"
            print(f"{'':28} {name}: {said}")
    bench.put_all(lines)


def length_case(bench, case, queries, residues):
    """The shortest and the longest query alone, from a prepared database, and the ratio of their speeds."""
    ends = {"short": min(queries, key=lambda q: len(q[1])), "long": max(queries, key=lambda q: len(q[1]))}
    speeds = {}
    for key, query in ends.items():
        path = write_fasta(bench.folder / f"{key}.fasta", [query])
        own = contenders.Case(path, case.fasta, case.folder, case.program, case.top, case.evalue, case.device)
        runs = {}
        for name in ("alnsmith alndb", "alnsmith alndb scores", "alnsmith packed", "alnsmith packed scores"):
            words = contenders.OURS[name]
            words(own, bench.folder / "unused")  # makes the databases
            runs[name] = lambda own=own, words=words, name=name: bench.run(f"alone {name}", own, words)
        lines, _ = bench.turns(f"{key}-{len(query[1])}", len(query[1]) * residues, runs)
        bench.put_all(lines)
        speeds[key] = lines
    for name, short in speeds["short"].items():
        long = speeds["long"][name]
        line = {"case": f"short-to-long{bench.tag}", "contender": name,
                "ratio": round(short["gcups"] / long["gcups"], 3),
                "cpu_ratio": round(short["cpu_gcups"] / long["cpu_gcups"], 3),
                "load": short["load"] + long["load"]}  # fmt: skip
        print(f"{line['case']:28} {name:28} {line['ratio']:.3f} of the speed of the long one, {line['cpu_ratio']:.3f} by CPU time")
        bench.put(line)


def start_case(bench, case, queries):
    """From the program's start to the first hit on stdout: one query, 100 targets, kernels from a pack, an empty cache.
    Without --pack one is built of the two specs' kernels, for all targets of this machine's kind."""
    targets = [record for record, _ in zip(sequences.read_fasta(case.fasta), range(100))]
    fasta = write_fasta(bench.folder / "first-100.fasta", targets)
    query = min(queries, key=lambda q: len(q[1]))
    path = write_fasta(bench.folder / "start-query.fasta", [query])
    pack = bench.given.pack
    if not pack:
        pack = bench.folder / "start.pack"
        contenders.once(pack, [case.program, "pack", "build", *contenders.PACKED, "-o", pack, "--quiet"])
    own = contenders.Case(path, fasta, bench.folder, case.program, case.top, case.evalue, pack=pack)
    words = contenders.OURS["alnsmith alndb"]
    runs = {}
    for name, columns in (("alnsmith alndb", contenders.COLUMNS), ("alnsmith alndb scores", contenders.SCORES)):
        to_stdout = contenders.alnsmith(contenders.alndb, columns=columns)

        def one(name=name, words=to_stdout):
            with tempfile.TemporaryDirectory(dir=bench.folder) as empty:
                return bench.run(f"start {name}", own, lambda case, out: words(case, out)[:-2], first_line=True,
                                 environment={"ALNSMITH_CACHE": empty})  # fmt: skip

        runs[name] = one
    words(own, bench.folder / "unused")
    repeats, bench.given.repeats = bench.given.repeats, max(bench.given.repeats, 11)  # milliseconds
    lines, _ = bench.turns("start", len(query[1]) * letters_of(targets), runs)
    bench.given.repeats = repeats
    for name, line in lines.items():
        print(f"{'':28} {name}: first hit after {1e3 * line['median_first_line_seconds']:.1f} ms")
    bench.put_all(lines)


def chosen_queries(given):
    queries = list(sequences.read_fasta(given.queries))
    if not given.queries_of:
        return queries
    wanted = [int(length) for length in given.queries_of.split(",")]
    found = [query for query in queries if len(query[1]) in wanted]
    if len(found) != len(wanted):
        raise measure.Failed(f"--queries-of: {given.queries} has lengths {sorted(len(q[1]) for q in queries)}")
    return found


def measured(given, folder):
    bench = Bench(given, folder)
    bench.installed = versions = contenders.versions(given.program)
    every_query = list(sequences.read_fasta(given.queries))
    queries = chosen_queries(given)
    query_file = write_fasta(folder / "queries.fasta", queries)
    fasta = pathlib.Path(given.database)
    if given.residues:
        fasta = folder / f"seed-{given.seed}-{given.residues}.fasta"
        if not fasta.exists():
            sequences.random_database(given.database, every_query, given.residues, given.seed, fasta)
    residues = sequences_in = 0
    for _, letters in sequences.read_fasta(fasta):
        residues += len(letters)
        sequences_in += 1
    bench.tag = f"-{residues / 1e6:.1f}M"
    case = contenders.Case(query_file, fasta, folder, given.program, given.top, given.evalue, given.device)
    few = write_fasta(folder / "warm.fasta", [r for r, _ in zip(sequences.read_fasta(fasta), range(1000))])
    bench.warm = contenders.Case(query_file, few, folder, given.program, given.top, given.evalue, given.device)
    if bench.energy.why:
        print(f"no GCUPS per watt: {bench.energy.why}", file=sys.stderr)
    bench.put({
        "run": time.strftime("%Y-%m-%d"), "machine": measure.machine(), "versions": versions,
        "queries": len(queries), "query_letters": letters_of(queries), "sequences": sequences_in,
        "residues": residues, "seeded": bool(given.residues), "seed": given.seed if given.residues else None,
        "top": given.top, "evalue": given.evalue, "repeats": given.repeats, "device": given.device or "cpu",
        "power": bench.energy.why or "joules of RAPL or NVML", "load": round(os.getloadavg()[0], 1),
        "tag": bench.tag,
    })  # fmt: skip
    if "search" in given.cases:
        search_case(bench, case, queries, residues)
    if "length" in given.cases:
        length_case(bench, case, queries, residues)
    if "start" in given.cases:
        start_case(bench, case, queries)
    return 1 if bench.differing else 0


def main():
    data = pathlib.Path(os.environ.get("ALNSMITH_DATA_DIR", "")) / "protein"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/alnsmith")
    parser.add_argument("--queries", default=data / "queries_cudasw20.fasta")
    parser.add_argument("--database", default=data / "db.fasta.gz", help="FASTA, plain or gzip; what --residues is like too")
    parser.add_argument("--residues", type=lambda text: int(float(text)), default=0, help="search a seeded database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries-of", default="", help="only those of these lengths, such as 144,375,1000")
    parser.add_argument("--top", type=int, default=500)
    parser.add_argument("--evalue", type=float, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--once", type=lambda text: text.split(","), default=[], help="contenders that run once, in the last turn")
    parser.add_argument("--cases", type=lambda text: text.split(","), default=list(CASES), help=",".join(CASES))
    parser.add_argument("--only", default="", help="contenders whose name has this in it, or one of these, with commas between")
    parser.add_argument("--device", default="", help="for alnsmith, such as cuda:0")
    parser.add_argument("--pack", type=pathlib.Path, help="of case start; by default one is built")
    parser.add_argument("--folder", type=pathlib.Path, help="of databases and outputs; what is there is taken")
    parser.add_argument("--json", type=pathlib.Path, help="lines are appended")
    given = parser.parse_args()
    if unknown := set(given.cases) - set(CASES):
        parser.error(f"--cases: no {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    if given.repeats < 1:
        parser.error("--repeats: at least 1")
    for path in (given.queries, given.database):
        if not pathlib.Path(path).is_file():
            parser.error(f"{path}: not there: name it, or set ALNSMITH_DATA_DIR")
    for number in (signal.SIGINT, signal.SIGTERM):  # shells have their background jobs ignore the first
        signal.signal(number, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            folder = given.folder or pathlib.Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            return measured(given, folder.resolve())
    except (measure.Failed, OSError) as why:
        print(f"bench_search.py: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
