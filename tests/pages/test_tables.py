"""The tables of the pages are what their files say, and tools/tables says in one line what is wrong with either."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Tables(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)
        for name in ("docs", "bench/results", "tuned", "generator/circuits"):
            shutil.copytree(ROOT / name, self.root / name)
        shutil.copy(ROOT / "README.md", self.root)
        self.results = self.root / "bench/results/cpu-zen5-2026-11-25.jsonl"

    def tables(self, *words, root=None):
        return subprocess.run([sys.executable, ROOT / "tools/tables", *words], capture_output=True, text=True,
                              env={**os.environ, "ALNSMITH_TABLES_ROOT": str(root or self.root)})

    def test_pages_are_what_the_files_say(self):
        done = self.tables("--check", root=ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_new_figure_reaches_both_pages(self):
        lines = [json.loads(line) for line in self.results.read_text().splitlines()]
        for line in lines:
            if line.get("case") == "global-linear-1-150" and line["contender"] == "alnsmith":
                line["median_gcups"] *= 2
                line["median_seconds"] /= 2
                twice = f"{line['cells'] * 1e-9 / line['median_seconds']:.1f}"
        self.results.write_text("".join(json.dumps(line) + "\n" for line in lines))
        done = self.tables("--check")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("a table is not what its file says"), 2)
        before = (self.root / "README.md").read_text()
        self.assertEqual(self.tables().returncode, 0)
        self.assertEqual(self.tables("--check").returncode, 0)
        self.assertNotEqual(before, (self.root / "README.md").read_text())
        self.assertIn(twice, (self.root / "README.md").read_text())
        self.assertIn(f"| global-linear-1-150 | {twice} ", (self.root / "docs/performance.md").read_text())

    def test_a_wrong_answer_is_no_speed(self):
        lines = [json.loads(line) for line in self.results.read_text().splitlines()]
        for line in lines:
            if line.get("contender", "").startswith("parasail"):
                line["differing_from_oracle_sample"] = 1
        self.results.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(self.tables().returncode, 0)
        page = (self.root / "docs/performance.md").read_text()
        self.assertRegex(page, r"\| protein-b62-11-1-144 \| [0-9.]+ .*\| – \| – \| – \| – \|")
        self.assertRegex((self.root / "README.md").read_text(), r"\| global linear \| .* \| [0-9.]+x / [0-9.]+x \| – / – \|")

    def test_a_wrong_alignment_is_no_speed(self):
        results = self.root / "bench/results/cigar-zen5-2026-11-25.jsonl"
        lines = [json.loads(line) for line in results.read_text().splitlines()]
        for line in lines:
            if line.get("contender", "").startswith("parasail"):
                line["wrong_alignments"] = 1
        results.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(self.tables().returncode, 0)
        page = (self.root / "docs/performance.md").read_text()
        self.assertRegex(page, r"\| local-affine-2-1-150-e5 \| [^|]* \| [^|]* \| – \| [0-9.]+ \| – \| – \|")

    def test_what_cannot_be_printed_is_said_in_one_line(self):
        page = self.root / "docs/performance.md"
        good = page.read_text()
        cases = {
            "table without its end": good.replace("<!-- end of table -->", "", 1),
            "no table 'peer'": good.replace("table: peers ", "table: peer "),
            "none.jsonl: cannot be printed": good.replace("cpu-zen5-2026-11-25.jsonl -->", "none.jsonl -->"),
        }
        for words, text in cases.items():
            page.write_text(text)
            done = self.tables()
            self.assertEqual(done.returncode, 1, words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(page.read_text(), text)
        page.write_text(good)
        self.results.write_text("no json\n")
        done = self.tables()
        self.assertEqual(done.returncode, 1)
        self.assertIn("cpu-zen5-2026-11-25.jsonl:1: no JSON", done.stderr)

    def test_figures_are_printed_as_they_were_written(self):
        path = self.root / "bench/results/one-pair-bits-xeon-2026-11-26.jsonl"
        good = path.read_text()
        path.write_text(good.replace('"edits_bits": 84', '"edits_bits": 1084.0'))
        self.assertEqual(self.tables().returncode, 0)
        page = (self.root / "docs/performance.md").read_text()
        self.assertIn("| 3,000 | 1084.0 | 259 |", page)
        self.assertIn("| 10,000 | 758 (422 in another run) |", page)
        self.assertIn("| 1,500 |  |  | 65 |", page)
        for wrong in (good.replace('"edits_bits": 84', '"edit_bits": 84'), good.replace('"columns"', '"rows"'), good + "[]\n",
                      good.splitlines(True)[0]):
            path.write_text(wrong)
            done = self.tables()
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
            self.assertIn(path.name, done.stderr)

    def test_usage(self):
        self.assertEqual(self.tables("--what").returncode, 2)


if __name__ == "__main__":
    unittest.main()
