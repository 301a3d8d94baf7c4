"""bench/seeds/searches.py runs on bundled data and its lines become tables; the model of devices keeps its own rules."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "bench/seeds/searches.py"
PROGRAM = os.environ.get("ALNSMITH_PROGRAM", str(ROOT / "build/alnsmith"))
sys.path.insert(0, str(SCRIPT.parent))

import device_model
import seed_tables


def kernel(**changes):
    manifest = {"entry": "k", "form": "single_query", "mapping": "wavefront", "p": 8, "k": 32, "packing": 2, "threads": 256,
                "level": 0, "shared_bytes": 13312, "group": "warp", **changes}  # fmt: skip
    return device_model.Kernel(manifest, 168, 8000.0)


BLOCK = {"form": "pairwise", "mapping": "block", "group": "block", "p": 32, "k": 16}


class Model(unittest.TestCase):
    def test_slots_by_registers(self):
        self.assertEqual(kernel().slots, 132 * 8)  # one block of 8 warps: 43,008 of 65,536 registers
        self.assertEqual(kernel(threads=128).slots, 132 * 12)
        self.assertEqual(kernel(threads=128, shared_bytes=200 * 1024).slots, 132 * 4)
        self.assertEqual(kernel(**BLOCK).slots, 132)

    def test_no_faster_than_the_pipes(self):
        own = kernel()
        lengths = [300] * (own.slots * own.targets * 3)
        work = 256 * sum(lengths) * 1e-9 / own.gcups
        self.assertGreater(own.makespan(256, lengths), work)
        self.assertLess(own.makespan(256, lengths), work * 1.03)  # filling in: 8 rows of 308
        self.assertGreater(own.makespan(257, lengths), 1.9 * work)  # a second stage of one column

    def test_one_long_target_wants_a_block(self):
        found = [kernel(), kernel(**BLOCK)]
        lengths = [300] * 40000 + [36000]
        alone = device_model.search_gcups(found, 5478, lengths)[0]
        self.assertAlmostEqual(device_model.border_gcups(found, 5478, lengths, 40000), alone)
        mixed = device_model.border_gcups(found, 5478, lengths, 3072)
        self.assertGreater(mixed, 1.1 * alone)
        self.assertLess(device_model.border_gcups(found, 567, lengths, 100),  # blocks for all: six of eight warps idle
                        device_model.border_gcups(found, 567, lengths, 3072))  # fmt: skip

    def test_of_the_generator(self):
        # Kernels of one tile: a compiler for CUDA takes a third of a second for each.
        spec = (ROOT / "specs/protein-local-blosum62.yaml").read_text() + "tile: {p: 8, k: 16}\n"
        found = device_model.kernels(PROGRAM, spec)
        if not found:
            self.skipTest("no compiler for CUDA tells how many registers a kernel has")
        seconds, best = device_model.best(found, 375, [300] * 20000)
        self.assertEqual((best.form, best.mapping), ("single_query", "wavefront"))
        self.assertLess(375 * 300 * 20000 * 1e-9 / seconds, best.gcups)
        self.assertTrue(any(one.mapping == "block" for one in found))


class Script(unittest.TestCase):
    def test_lines_and_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "lines.jsonl"
            done = subprocess.run(
                [sys.executable, SCRIPT, "--program", PROGRAM, "--queries", ROOT / "tests/data/protein_queries.fasta",
                 "--database", ROOT / "tests/data/protein_targets.fasta.gz", "--repeats", "1", "--residues", "20000",
                 "--parts", "cudasw2,knl,intra_task", "--json", out],
                capture_output=True, text=True)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [json.loads(line) for line in out.read_text().splitlines()]
            self.assertEqual(lines[0]["machine"]["cpus"], os.cpu_count())
            for line in lines[1:]:
                self.assertGreater(line["gcups"], 0, line)
                if "load" in line:
                    line["load"] = [0.5]  # as on an idle machine, where wall times are printed
            out.write_text("".join(json.dumps(line) + "\n" for line in lines))
            head, rows = seed_tables.knl(out)
            self.assertEqual([row[0] for row in rows], ["AVX2", "AVX-512", "SSE4.1"])
            self.assertTrue(all(len(row) == len(head) for row in rows))
            for line in lines[1:]:  # too short to be told from the start, on data as small as this
                self.assertTrue(line["cpu_gcups"] is None or line["cpu_gcups"] < 1000, line)
            for table in (seed_tables.cudasw2, seed_tables.cudasw2_long, seed_tables.intra_task,
                          seed_tables.spread_of_lengths, seed_tables.border):  # fmt: skip
                head, rows = table(out)
                self.assertTrue(rows and all(len(row) == len(head) for row in rows), table)
            self.assertEqual(len(seed_tables.cudasw2(out)[1]), 20)


if __name__ == "__main__":
    unittest.main()
