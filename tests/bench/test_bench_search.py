"""bench/search: the script runs on bundled data with alnsmith alone and beside its peers, its databases are seeded, and
it prints no ratio where hits differ."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "bench/search/bench_search.py"
PROGRAM = os.environ.get("ALNSMITH_PROGRAM", str(ROOT / "build/alnsmith"))
sys.path.insert(0, str(SCRIPT.parent))

import agreement
import contenders
import measure
import sequences

QUERIES = ROOT / "tests/data/protein_queries.fasta"
TARGETS = ROOT / "tests/data/protein_targets.fasta.gz"

# Prints what its real self would, but for the score of the first hit.
LIAR = """#!{python}
import pathlib, subprocess, sys
subprocess.run(["{diamond}", *sys.argv[1:]], check=True)
if "-o" in sys.argv:
    path = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
    first, *rest = path.read_text().splitlines(True)
    cells = first.rstrip("\\n").split("\\t")
    path.write_text("\\t".join(cells[:-1] + [str(int(cells[-1]) + 1)]) + "\\n" + "".join(rest))
"""


class InAFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)


class Script(InAFolder):
    def bench(self, *words, path=None):
        environment = {**os.environ, "PATH": path or os.environ["PATH"]}
        return subprocess.run(
            [sys.executable, SCRIPT, "--program", PROGRAM, "--queries", QUERIES, "--database", TARGETS, "--repeats",
             "1", "--json", self.folder / "lines.jsonl", "--folder", self.folder / "work", *words],
            capture_output=True, text=True, env=environment)  # fmt: skip

    def lines(self):
        return [json.loads(line) for line in (self.folder / "lines.jsonl").read_text().splitlines()]

    def test_alnsmith_alone(self):
        # By default with a pack for this machine alone, whose kernels the searches need too.
        words = []
        if not os.environ.get("ALNSMITH_FULL"):
            words = ["--pack", self.folder / "own.pack"]
            version = subprocess.run([PROGRAM, "version"], capture_output=True, text=True, check=True).stdout
            isa = re.search(r"(?m)^instruction set (\S+)$", version).group(1)
            subprocess.run([PROGRAM, "pack", "build", *contenders.PACKED, "--target", isa, "-o", words[1], "--quiet"],
                           check=True)  # fmt: skip
        done = self.bench("--only", "alnsmith", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        head, *rest = self.lines()
        self.assertEqual(head["residues"], sum(len(letters) for _, letters in sequences.read_fasta(TARGETS)))
        self.assertIn("cpu", head["machine"])
        found = {(line["case"].split("-")[0], line["contender"]) for line in rest}
        self.assertEqual(
            found,
            {("search", name) for name in contenders.OURS}
            | {(case, f"alnsmith alndb{kind}") for case in ("short", "long", "start") for kind in ("", " scores")}
            | {(case, f"alnsmith packed{kind}") for case in ("short", "long") for kind in ("", " scores")},
        )
        ratios = [line for line in rest if line["case"].startswith("short-to-long")]
        self.assertEqual(len(ratios), 4)
        for line in ratios:
            self.assertGreater(line["cpu_ratio"], 0)
        rest = [line for line in rest if line not in ratios]
        for line in rest:
            self.assertGreater(line["median_seconds"], 0)
            self.assertLess(line.get("batch_share", 0), 1)
            self.assertAlmostEqual(line["gcups"], line["cells"] * 1e-9 / line["median_seconds"], places=2)
        by_name = {line["contender"]: line for line in rest if line["case"].startswith("search")}
        self.assertTrue(by_name["alnsmith FASTA"]["agreement"]["equal"])
        self.assertEqual(by_name["alnsmith FASTA"]["hits"], by_name["alnsmith alndb"]["hits"])

    def test_beside_peers(self):
        if not shutil.which("diamond") or not shutil.which("ssearch36"):
            self.skipTest("diamond or ssearch36 is not installed")
        done = self.bench("--cases", "search")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        by_name = {line["contender"]: line for line in self.lines()[1:]}
        for name in ("diamond", "ssearch36"):
            self.assertTrue(by_name[name]["agreement"]["equal"], by_name[name])
            self.assertGreater(by_name[name]["ratio"], 0)

    def test_no_ratio_where_hits_differ(self):
        diamond = shutil.which("diamond")
        if not diamond:
            self.skipTest("diamond is not installed")
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "diamond").write_text(LIAR.format(python=sys.executable, diamond=diamond))
        (programs / "diamond").chmod(0o755)
        done = self.bench("--cases", "search", path=f"{programs}:{os.environ['PATH']}")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("HITS DIFFER: 1 scores", done.stdout)
        line = next(line for line in self.lines()[1:] if line["contender"] == "diamond")
        self.assertNotIn("ratio", line)

    def test_what_fails_is_one_line(self):
        done = self.bench("--device", "cuda:99", "--cases", "search", "--only", "alnsmith FASTA")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr.splitlines()[-1], r"^bench_search.py: .*alnsmith search .*exit status")
        self.assertEqual(self.bench("--cases", "nothing").returncode, 2)


class Databases(InAFolder):
    def make(self, name, seed):
        queries = list(sequences.read_fasta(QUERIES))
        made = sequences.random_database(TARGETS, queries, 300000, seed, self.folder / name)
        return made, (self.folder / name).read_bytes()

    def test_same_seed_same_bytes(self):
        made, first = self.make("a", 1)
        self.assertEqual(self.make("b", 1)[1], first)
        self.assertNotEqual(self.make("c", 2)[1], first)
        records = list(sequences.read_fasta(self.folder / "a"))
        self.assertEqual(made, (len(records), sum(len(letters) for _, letters in records)))
        self.assertGreaterEqual(made[1], 300000)
        queries = [name for name, _ in sequences.read_fasta(QUERIES)]
        names = [name for name, _ in records]
        for query in queries:
            self.assertEqual(sum(f"-of-{query}-" in name for name in names),
                             sequences.COPIES * len(sequences.DIVERGENCES))  # fmt: skip
        self.assertEqual(len(set(names)), len(names))


class Agreement(unittest.TestCase):
    @staticmethod
    def hits(*rows):
        return {"q": {target: agreement.Hit(score, evalue) for target, score, evalue in rows}}

    def test_full_lists_differ_at_their_ends(self):
        ours = self.hits(("a", 90, "1.00e-03"), ("b", 80, "3.00e+00"))
        theirs = self.hits(("a", 90, "1.00e-03"), ("c", 79, "2.00e+00"))
        found = agreement.compare(ours, theirs, 2, False)
        self.assertEqual((found["equal"], found["cut"], found["unexplained"]), (True, 2, 0))
        found = agreement.compare(ours, theirs, 3, False)  # neither list is full
        self.assertEqual((found["equal"], found["unexplained"]), (False, 2))
        better = self.hits(("a", 90, "1.00e-03"), ("c", 85, "2.00e+00"))  # ours should have had it
        self.assertFalse(agreement.compare(ours, better, 2, False)["equal"])

    def test_evalues_at_three_digits(self):
        ours = self.hits(("a", 90, "1.00e-03"))
        self.assertTrue(agreement.compare(ours, self.hits(("a", 90, "0.001")), 5, False)["equal"])
        self.assertFalse(agreement.compare(ours, self.hits(("a", 90, "1.01e-03")), 5, False)["equal"])
        self.assertTrue(agreement.compare(ours, self.hits(("a", 90, "7")), 5, True)["equal"])
        self.assertFalse(agreement.compare(ours, self.hits(("a", 91, "7")), 5, True)["equal"])


class Power(InAFolder):
    def test_counters_that_wrap(self):
        for name, value in (("intel-rapl:0", 900), ("intel-rapl:0:0", 5), ("intel-rapl:1", 100)):
            (self.folder / name).mkdir()
            (self.folder / name / "energy_uj").write_text(f"{value * 1000000}\n")
            (self.folder / name / "max_energy_range_uj").write_text("1000000000\n")
        energy = measure.Energy(self.folder, nvml="none.so")
        before = energy.read()
        (self.folder / "intel-rapl:0/energy_uj").write_text("10000000\n")
        (self.folder / "intel-rapl:1/energy_uj").write_text("150000000\n")
        self.assertAlmostEqual(energy.joules(before, energy.read()), 110 + 50)
        nothing = measure.Energy(self.folder / "none", nvml="none.so")
        self.assertIn("no readable energy_uj", nothing.why)
        self.assertIsNone(nothing.joules(nothing.read(), nothing.read()))


if __name__ == "__main__":
    unittest.main()
