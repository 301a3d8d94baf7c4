"""The tables of bench/search: wall times of a busy machine are not printed, nor ratios where hits differ."""
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench/search"))
sys.path.insert(0, str(ROOT / "bench/seeds"))

import search_tables
import seed_tables


def line(contender, seconds, load, **more):
    return {"case": "search-6.5M", "contender": contender, "seconds": [seconds] * 3, "median_seconds": seconds,
            "median_cpu_seconds": seconds / 2, "gcups": 80.0, "cpu_gcups": 160.0, "load": [load] * 3, **more}  # fmt: skip


EQUAL = {"equal": True, "own_statistics": False, "common": 2820, "cut": 78}
RUN = {"run": "2026-11-23", "queries": 20, "residues": 6514948}


class Searches(unittest.TestCase):
    def table(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "lines.jsonl"
            path.write_text("".join(json.dumps(one) + "\n" for one in lines))
            head, rows = search_tables.searches(path)
            return [dict(zip(head, row)) for row in rows]

    def test_ratios_of_one_run(self):
        rows = self.table(RUN, line("alnsmith alndb", 4.0, 1), line("diamond", 20.0, 1, agreement=EQUAL),
                          {**RUN, "residues": 5e7}, line("diamond", 90.0, 1, agreement=EQUAL),
                          line("alnsmith alndb", 30.0, 1))  # fmt: skip
        self.assertEqual([row["time, `alndb` = 1"] for row in rows], ["", "5.00", "3.00", ""])
        self.assertEqual(rows[1]["hits"], "2,820 equal, 78 at the ends of full lists")
        self.assertEqual(rows[2]["queries, database"], "20, 50.0 M")

    def test_hits_that_differ(self):
        rows = self.table(RUN, line("alnsmith alndb", 4.0, 1),
                          line("diamond", 20.0, 1, agreement={**EQUAL, "equal": False}))  # fmt: skip
        self.assertEqual((rows[1]["time, `alndb` = 1"], rows[1]["CPU time, `alndb` = 1"]), ("", ""))
        self.assertEqual(rows[1]["hits"], "hits differ: no ratio")

    def test_a_busy_machine(self):
        rows = self.table(RUN, line("alnsmith alndb", 4.0, 12), line("diamond", 20.0, 12, agreement=EQUAL))
        self.assertEqual((rows[1]["seconds (range)"], rows[1]["GCUPS"], rows[1]["time, `alndb` = 1"]), ("busy",) * 3)
        self.assertEqual(rows[1]["CPU time, `alndb` = 1"], "5.00")

    def test_figures_of_seeds(self):
        one = {"gcups": 20.0, "cpu_gcups": 80.0, "load": [9, 9, 9]}
        self.assertEqual(seed_tables.figure(one), 80.0)
        self.assertIsNone(seed_tables.figure({**one, "threads": 2}))
        self.assertEqual(seed_tables.figure({**one, "threads": 2, "load": [2, 2, 2]}), 20.0)
        self.assertEqual(seed_tables.figure({"gcups": 7000.0}), 7000.0)


if __name__ == "__main__":
    unittest.main()
