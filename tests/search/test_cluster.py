"""A search in shards as docs/cluster.md has it, by hand and by the Slurm scripts of examples/: the plain run's bytes.

There is no Slurm here: a script named sbatch runs the tasks of an array one after another, with Slurm's variables, and a
job that depends on another only where that has succeeded. Usage: ALNSMITH_PROGRAM=build/alnsmith test_cluster.py
"""
import pathlib
import subprocess
import tempfile
import unittest

import cluster_page
from cluster_page import ROOT

SLURM = ROOT / "examples/search-slurm"
SBATCH = """#!/bin/bash
# Of sbatch's options those that `submit` gives; jobs are numbered, and a file says that one failed.
echo "$*" >>sbatch.log
job=$(wc -l <sbatch.log) array=
while [[ $1 == --* ]]; do
  case $1 in
    --array=1-*) array=${1#--array=1-} ;;
    --dependency=afterok:*) [[ ! -e failed.${1#*:} ]] || { echo "$job"; exit 0; } ;;
    --parsable | --kill-on-invalid-dep=yes) ;;
    *) echo "sbatch: $1?" >&2; exit 1 ;;
  esac
  shift
done
export SLURM_CPUS_PER_TASK=1
for id in $(seq "${array:-1}"); do
  if [[ $array ]]; then export SLURM_ARRAY_TASK_ID=$id SLURM_ARRAY_TASK_COUNT=$array; fi
  bash "$@" >>slurm.out 2>&1 || touch "failed.$job"
done
echo "$job;here"
"""


class Cluster(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="alnsmith-test-cluster.")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        cluster_page.furnish(self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/sbatch").write_text(SBATCH)
        (self.folder / "bin/sbatch").chmod(0o755)

    def run_page(self, text):
        return cluster_page.run(text, self.folder, self.folder / "bin")

    def assert_hits(self):
        wanted = cluster_page.plain(self.folder)
        self.assertGreater(len(wanted), 1000)
        self.assertEqual((self.folder / "hits.tsv").read_text(), wanted)

    def test_by_hand(self):
        done = self.run_page(cluster_page.block("alnsmith makedb"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_hits()

    def test_slurm(self):
        done = self.run_page(cluster_page.block("examples/search-slurm/submit"))
        self.assertEqual((done.returncode, done.stdout), (0, "1 2\n"), done.stderr)
        self.assert_hits()
        self.assertEqual(len(list(self.folder.glob("parts/part.*"))), 64)

    def test_slurm_after_a_failure(self):
        command = cluster_page.block("examples/search-slurm/submit").replace("submit 64", "submit 3")
        (self.folder / "parts").mkdir()
        (self.folder / "parts/part.2").write_text("something else")
        self.assertEqual(self.run_page(command).returncode, 0)
        self.assertFalse((self.folder / "hits.tsv").exists())
        self.assertIn("is no part of a search", (self.folder / "slurm.out").read_text())
        made = (self.folder / "parts/part.1").stat().st_ino
        (self.folder / "parts/part.2").unlink()
        self.assertEqual(self.run_page(command).stdout, "3 4\n")
        self.assert_hits()
        self.assertEqual((self.folder / "parts/part.1").stat().st_ino, made)

    def test_wrong_use_is_one_line(self):
        for words in ("", "2 parts hits.tsv", "0 parts hits.tsv --spec x", "x parts hits.tsv --spec x"):
            done = self.run_page(f"examples/search-slurm/submit {words}")
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
        self.assertFalse((self.folder / "sbatch.log").exists())

    def test_bash_reads_all_scripts(self):
        scripts = [path.read_text() for path in SLURM.iterdir()]
        scripts += cluster_page.blocks()
        self.assertGreaterEqual(len(scripts), 7)
        for script in scripts:
            done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
