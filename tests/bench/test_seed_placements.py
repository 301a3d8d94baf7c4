"""bench/seeds/placements.py runs on a small part of its shapes and its lines become tables; what it draws is as it says."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "bench/seeds/placements.py"
PROGRAM = os.environ.get("ALNSMITH_PROGRAM", str(ROOT / "build/alnsmith"))
sys.path.insert(0, str(SCRIPT.parent))

import device_model
import place_data
import place_tables


def numbers(json_value):
    if isinstance(json_value, dict):
        json_value = list(json_value.values())
    if isinstance(json_value, list):
        return set().union(*map(numbers, json_value))
    return {json_value} if type(json_value) in (int, float) else set()


class Published(unittest.TestCase):
    def test_figures_are_the_papers(self):
        shared = pathlib.Path(os.environ.get("ALNSMITH_DATA_DIR", ROOT.parent / "shared/data"))
        paper = shared / "published/papara.json"
        if not paper.exists():
            self.skipTest(f"{paper} is not here")
        own = json.loads((SCRIPT.parent / "placements.json").read_text())
        ours = {2000}  # a length more
        self.assertEqual(numbers(own) - numbers(json.loads(paper.read_text())), ours)


class Data(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def rows(self):
        lines = (self.path / "reference.phy").read_text().splitlines()
        return lines[0], [line.split()[1] for line in lines[1:]]

    def test_references(self):
        bare = place_data.write_references(self.path, 30, 400, 7)
        head, rows = self.rows()
        self.assertEqual(head, "30 400")
        self.assertEqual({len(row) for row in rows}, {400})
        self.assertEqual([row.replace("-", "").encode() for row in rows], bare)
        self.assertEqual((self.path / "tree.nwk").read_text().count("t"), 30)
        for column in zip(*rows):
            self.assertNotEqual(set(column), {"-"})
        gaps = sum(row.count("-") for row in rows) / (30 * 400)
        self.assertTrue(0.05 < gaps < 0.4, gaps)
        inherited = sum(a == b == "-" for row in rows for a, b in zip(row, row[1:]))
        self.assertGreater(inherited, 0.7 * sum(row.count("-") for row in rows))

    def test_the_same_for_the_same_numbers(self):
        place_data.write_references(self.path, 12, 300, 3)
        first = self.rows(), (self.path / "tree.nwk").read_text()
        place_data.write_references(self.path, 12, 300, 3)
        self.assertEqual(first, (self.rows(), (self.path / "tree.nwk").read_text()))
        place_data.write_references(self.path, 12, 300, 4)
        self.assertNotEqual(first[0], self.rows())

    def test_reads_are_pieces_of_tips(self):
        bare = place_data.write_references(self.path, 12, 900, 3)
        place_data.write_reads(self.path / "reads.fasta", bare, 50, 40, 80, 1)
        reads = (self.path / "reads.fasta").read_text().split()[1::2]
        self.assertEqual(len(reads), 50)
        self.assertTrue(all(30 <= len(read) <= 95 for read in reads), [len(read) for read in reads])
        words = {letters[i : i + 8] for letters in bare for i in range(len(letters) - 7)}
        found = [any(read[i : i + 8].encode() in words for i in range(len(read) - 7)) for read in reads]
        self.assertEqual(sum(found), 50)

    def test_lines_nest_however_deep(self):
        dice = random.Random(1)
        root = place_data.birth_tree(3000, dice)
        self.assertEqual(sum(1 for node, _ in place_data.in_order(root) if not node.children), 3000)
        self.assertEqual(place_data.newick(root).count("("), 2998)


class Model(unittest.TestCase):
    def test_a_kernel_without_shared_memory(self):
        manifest = {"entry": "k", "form": "single_query", "mapping": "lanes", "p": 1, "k": 8, "packing": 1, "threads": 256,
                    "level": 0, "shared_bytes": 0, "group": "warp"}  # fmt: skip
        self.assertEqual(device_model.Kernel(manifest, 64, 1000.0).slots, 132 * 4 * 8)


class Script(unittest.TestCase):
    def test_lines_and_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "lines.jsonl"
            done = subprocess.run(
                [sys.executable, SCRIPT, "--program", PROGRAM, "--repeats", "1", "--cells", "3e7", "--columns", "1000",
                 "--parts", "A,B,E,lengths,threads", "--json", out],
                capture_output=True, text=True)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [json.loads(line) for line in out.read_text().splitlines()]
            self.assertEqual(lines[0]["machine"]["cpus"], os.cpu_count())
            self.assertEqual({line["spec"] for line in lines[1:]}, {"papara-v25", "papara-eq1"})
            for line in lines[1:]:
                self.assertEqual(line["branches"], 319)
                self.assertGreater(line["cells"], 0.9 * line["reads"] * line["shortest"] * 319 * line["columns"])
                self.assertLess(line["cells"], 1.1 * line["reads"] * line["longest"] * 319 * line["columns"])
                self.assertLessEqual(line["reads"], line["of_reads"])
                self.assertGreater(line["whole_cpu_gcups"], 0)
                self.assertLess(line["whole_cpu_gcups"], line["cpu_gcups"])
                self.assertTrue(0 < line["path_share"] < 10, line)
            for table, rows in ((place_tables.columns, 7), (place_tables.reads, 1), (place_tables.lengths, 7),
                                (place_tables.sets, 1), (place_tables.threads, 2)):  # fmt: skip
                head, found = table(out)
                self.assertTrue(all(len(row) == len(head) for row in found), table)
                self.assertEqual(len(found), rows, table)


if __name__ == "__main__":
    unittest.main()
