"""`alnsmith-ray search` and the plain program: same bytes, whatever dies on the way; nothing is left when it is stopped.

Usage: ALNSMITH_PROGRAM=build/alnsmith test_ray.py, by a Python that has Ray. One cluster serves all tests: a head that
runs no tasks and two nodes with a CPU each, on this machine. A test that needs failures names a script as the program:
it notes that it was started, does what the test says, then becomes the program.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[3] / "python"), str(HERE.parents[1])]

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

import cluster_page  # noqa: E402
from alnsmith_ray import driver, task  # noqa: E402
from cluster_page import PROGRAM, QUERIES, ROOT, TARGETS  # noqa: E402

DATA = os.environ.get("ALNSMITH_DATA_DIR") or os.environ.get("ALNSMITH_DATA_DEFAULT") or ROOT.parent / "shared/data"
PROTEINS = pathlib.Path(DATA) / "protein/db.fasta.gz"
SEARCH = ("--spec", "protein-local-blosum62", "--query", str(QUERIES), "--db", str(TARGETS), "--top", "20")
STORE = 80_000_000


def setUpModule():
    global cluster, kept
    # Tasks that are killed leave their folders. Ray's own have sockets, whose paths have to be short.
    os.environ.setdefault("RAY_TMPDIR", tempfile.gettempdir())
    kept = tempfile.TemporaryDirectory(prefix="alnsmith-test-ray.")
    os.environ["TMPDIR"] = kept.name
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "num_gpus": 0, "include_dashboard": False,
                                                            "object_store_memory": STORE})
    for _ in range(2):
        cluster.add_node(num_cpus=1, num_gpus=0, object_store_memory=STORE)
    cluster.wait_for_nodes()


def tearDownModule():
    cluster.shutdown()
    kept.cleanup()


def plain(*words):
    return subprocess.run([PROGRAM, "search", *words, "--quiet"], check=True, capture_output=True, timeout=120).stdout


def until(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise AssertionError("did not come to pass")
        time.sleep(0.05)


class Search(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="alnsmith-test-ray.")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def script(self, body):
        """A program that runs `body` first; $shard is the shard's number, $try is 1 when it starts first."""
        path = self.folder / "program"
        path.write_text(f"""#!/bin/sh
[ "$1" = search ] || exec '{PROGRAM}' "$@"
for word; do
  [ "$last" != --shard ] || shard=${{word%/*}}
  last=$word
done
echo $$ >>'{self.folder}'/started.$shard
try=$(wc -l <'{self.folder}'/started.$shard)
cd '{self.folder}'
{body}
cd "$OLDPWD"
exec '{PROGRAM}' "$@"
""")
        path.chmod(0o755)
        return str(path)

    def started(self):
        """{shard: process groups of its tries}"""
        return {int(path.suffix[1:]): [int(word) for word in path.read_text().split()]
                for path in self.folder.glob("started.*")}

    def words(self, *words, program=PROGRAM, address=None):
        return [sys.executable, "-m", "alnsmith_ray", "search", "--program", program, *words,
                *(["--address", address or cluster.address] if address != "none" else [])]

    def environment(self):
        return {**os.environ, "PYTHONPATH": str(ROOT / "python")}

    def run_ray(self, *words, **others):
        return subprocess.run(self.words(*words, **others), capture_output=True, timeout=120, cwd=self.folder,
                              env=self.environment())

    def start_ray(self, *words, **others):
        child = subprocess.Popen(self.words(*words, **others), cwd=self.folder, env=self.environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(child.communicate)
        self.addCleanup(child.kill)
        return child

    def parts(self):
        return sorted(path.name for path in (self.folder / "parts").iterdir())

    def assert_same(self, done, wanted=None):
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertGreater(len(done.stdout), 1000)
        self.assertTrue(done.stdout == (wanted or plain(*SEARCH)), done.stderr.decode())

    def assert_refused(self, done, code, *texts):
        lines = done.stderr.decode().splitlines()
        self.assertEqual((done.returncode, done.stdout, len(lines)), (code, b"", 1), done.stderr.decode())
        for text in texts:
            self.assertIn(text, lines[0])

    def running(self):
        """How many programs that a task has started run, or have children that do."""
        groups = {str(group) for tries in self.started().values() for group in tries}
        self.assertGreater(len(groups), 0)
        listed = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
        return len({line.split()[0] for line in listed.splitlines() if line.split()[1][0] != "Z"} & groups)

    def assert_nothing_runs(self):
        until(lambda: self.running() == 0, 20)


class Bytes(Search):
    def test_any_number_of_shards_gives_the_plain_run(self):
        for shards in (1, 7, 80):  # 80: four of them have no target
            self.assert_same(self.run_ray("--shards", str(shards), *SEARCH))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_without_a_cluster_this_machine_is_one(self):
        env = self.environment()
        env.pop("RAY_ADDRESS", None)
        done = subprocess.run(self.words("--shards", "3", *SEARCH, "--out", "hits.tsv", address="none"), env=env,
                              cwd=self.folder, capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr.decode())
        self.assertEqual((self.folder / "hits.tsv").read_bytes(), plain(*SEARCH))
        self.assertEqual(done.stderr.decode().count("alnsmith-ray: shard "), 3)

    def test_a_database_and_relative_names(self):
        cluster_page.furnish(self.folder)
        words = ("--spec", "protein-local-blosum62", "--query", "q.fa", "--db", "proteins.alndb", "--format", "blast6")
        wanted = subprocess.run([PROGRAM, "search", *words, "--quiet"], cwd=self.folder, check=True, capture_output=True)
        done = self.run_ray("--shards", "5", "--memory", "64M", "--quiet", *words)
        self.assert_same(done, wanted.stdout)
        self.assertEqual(done.stderr, b"")

    def test_the_page(self):
        cluster_page.furnish(self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/alnsmith-ray").write_text(f"#!/bin/sh\nexec '{sys.executable}' -m alnsmith_ray \"$@\"\n")
        (self.folder / "bin/alnsmith-ray").chmod(0o755)
        command = cluster_page.block("alnsmith-ray search")
        done = cluster_page.run(command, self.folder, self.folder / "bin", PYTHONPATH=str(ROOT / "python"), RAY_ADDRESS="")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "hits.tsv").read_text(), cluster_page.plain(self.folder))
        self.assertTrue((self.folder / "parts/part.8").exists())

    def test_what_a_task_is_given(self):
        node = cluster.add_node(num_cpus=3, num_gpus=2, object_store_memory=STORE)
        self.addCleanup(cluster.remove_node, node)
        program = self.script('echo "$CUDA_VISIBLE_DEVICES" >gpu.$shard; echo "$*" >words.$shard')
        self.assert_same(self.run_ray("--shards", "2", "--cpus-per-task", "3", "--gpus-per-task", "1", "--top=20",
                                      *SEARCH[:-2], program=program))
        for shard in (1, 2):
            self.assertIn((self.folder / f"gpu.{shard}").read_text(), ("0\n", "1\n"))
            self.assertIn(f" --threads 3 --shard {shard}/2 ", (self.folder / f"words.{shard}").read_text())

    @unittest.skipUnless(PROTEINS.exists(), "no proteins in ALNSMITH_DATA_DIR")
    def test_real_proteins(self):
        words = ("--spec", "protein-local-blosum62", "--query", str(QUERIES), "--db", str(PROTEINS), "--format", "blast6")
        self.assert_same(self.run_ray("--shards", "6", *words), plain(*words))


class Slots(unittest.TestCase):
    def test_what_runs_at_once(self):
        def node(alive=True, **has):
            return {"Alive": alive, "Resources": has}
        nodes = [node(CPU=7.0, GPU=2.0), node(CPU=2.0), node(False, CPU=64.0, GPU=8.0), node(GPU=1.0), node()]
        for cpus, gpus, slots in ((1, 0.0, 9), (2, 0.0, 4), (8, 0.0, 0), (1, 1.0, 2), (1, 0.5, 4), (7, 0.25, 1), (1, 4.0, 0)):
            self.assertEqual(driver.Claim(cpus, gpus).slots(nodes), slots, (cpus, gpus))


class Losses(Search):
    def test_a_task_that_dies_hard_is_run_again(self):
        program = self.script("[ $shard != 2 ] || [ $try != 1 ] || kill -9 $PPID")
        self.assert_same(self.run_ray("--shards", "3", *SEARCH, program=program))
        self.assertEqual({shard: len(tries) for shard, tries in self.started().items()}, {1: 1, 2: 2, 3: 1})

    def test_a_program_that_fails_is_run_again(self):
        program = self.script("[ $shard != 2 ] || case $try in\n"
                              "1) echo 'alnsmith: disk away' >&2; exit 1;;\n2) kill -9 $$;;\nesac")
        done = self.run_ray("--shards", "3", *SEARCH, program=program)
        self.assert_same(done)
        self.assertEqual({shard: len(tries) for shard, tries in self.started().items()}, {1: 1, 2: 3, 3: 1})
        self.assertIn("disk away (try 2 of 4 follows)", done.stderr.decode())
        self.assertIn("killed by signal 9 (try 3 of 4 follows)", done.stderr.decode())

    def test_retries_end(self):
        program = self.script("echo 'alnsmith: disk away' >&2; exit 1")
        done = self.run_ray("--shards", "1", "--retries", "1", "--quiet", *SEARCH, program=program)
        self.assert_refused(done, 1, "shard 1/1 on ", "disk away")
        self.assertEqual(len(self.started()[1]), 2)
        program = self.script("kill -9 $PPID")
        done = self.run_ray("--shards", "1", "--retries", "0", "--quiet", *SEARCH, program=program)
        self.assert_refused(done, 1, "shard 1/1: lost 1 times")

    def test_a_node_that_goes(self):
        node = cluster.add_node(num_cpus=1, num_gpus=0, object_store_memory=STORE)
        program = self.script("while [ ! -e go ]; do sleep 0.05; done")
        search = self.start_ray("--shards", "4", "--work", "parts", *SEARCH, program=program)
        until(lambda: len(self.started()) == 3 and self.running() == 3)
        cluster.remove_node(node, allow_graceful=False)
        until(lambda: self.running() == 2)  # nobody waits for what that node does
        (self.folder / "go").touch()
        out, said = search.communicate(timeout=100)
        self.assertEqual(search.returncode, 0, said.decode())
        self.assertTrue(out == plain(*SEARCH))
        self.assertEqual(sorted(map(len, self.started().values())), [1, 1, 1, 2])

    def test_parts_come_back_from_nodes_that_do_not_see_the_work_folder(self):
        # No token in the folder: a task takes it for another machine's.
        job = task.Job(PROGRAM, SEARCH, 3, 1, str(self.folder), "none", "/nowhere", {})
        said = []
        with driver.connected(cluster.address, os.devnull):
            driver.run_shards(job, driver.Claim(1, 0.0), 0, said.append, self.fail)
            parts = {path.name: path.read_bytes() for path in self.folder.iterdir()}
            self.assertEqual(sorted(parts), ["part.1", "part.2", "part.3"])
            # What the folder has goes to the node, where the program finds it complete, or of another search.
            driver.run_shards(job, driver.Claim(1, 0.0), 0, said.append, self.fail)
            (self.folder / "part.2").write_bytes(parts["part.3"])
            with self.assertRaisesRegex(driver.Failed, "shard 2/3 on .* is a part of another search"):
                driver.run_shards(job, driver.Claim(1, 0.0), 0, said.append, self.fail)
        self.assertEqual((self.folder / "part.1").read_bytes(), parts["part.1"])

    def test_a_task_needs_nothing_but_ray_where_it_runs(self):
        ray.cloudpickle.register_pickle_by_value(task)
        try:
            job = task.Job("/no/such/program", (), 1, 1, str(self.folder), "none", "/", {})
            sent = ray.cloudpickle.dumps((task.search_shard, job))
        finally:
            ray.cloudpickle.unregister_pickle_by_value(task)
        (self.folder / "sent").write_bytes(sent)
        code = ("import pickle, sys; import ray.cloudpickle; run, job = pickle.load(open(sys.argv[1], 'rb')); "
                "assert 'alnsmith_ray' not in sys.modules; print(run(job, 1, []).lines)")
        done = subprocess.run([sys.executable, "-I", "-c", code, str(self.folder / "sent")], capture_output=True,
                              text=True)
        self.assertIn("/no/such/program: cannot be started: No such file", done.stdout, done.stderr)


class Resume(Search):
    def test_complete_parts_are_not_made_again(self):
        work = self.folder / "parts"
        self.assert_same(self.run_ray("--shards", "3", "--work", "parts", *SEARCH))
        self.assertEqual(self.parts(), ["part.1", "part.2", "part.3", "ray.log"])
        before = {path.name: path.stat().st_ino for path in work.glob("part.*")}
        (work / "part.2").unlink()
        self.assert_same(self.run_ray("--shards", "3", "--work", "parts", *SEARCH))
        after = {path.name: path.stat().st_ino for path in work.glob("part.*")}
        self.assertEqual([name for name in before if before[name] == after[name]], ["part.1", "part.3"])

    def test_parts_of_another_search_are_refused(self):
        self.assert_same(self.run_ray("--shards", "2", "--work", "parts", *SEARCH))
        done = self.run_ray("--shards", "2", "--work", "parts", "--quiet", "--retries", "0", *SEARCH[:-1], "5")
        self.assert_refused(done, 1, "part of another search")

    def test_a_merge_that_is_refused_keeps_the_parts(self):
        program = self.script("")
        program_text = pathlib.Path(program).read_text().replace("exec", "{ echo alnsmith: no room >&2; exit 1; } #", 1)
        pathlib.Path(program).write_text(program_text)
        done = self.run_ray("--shards", "2", "--work", "parts", "--quiet", *SEARCH, program=program)
        self.assert_refused(done, 1, "no room")
        self.assertEqual(self.parts(), ["part.1", "part.2", "ray.log"])

    def test_what_was_done_when_a_search_failed_is_kept_and_named(self):
        program = self.script("[ $shard = 1 ] || { until [ -e alnsmith-ray.*/part.1 ]; do sleep 0.05; done; exit 1; }")
        done = self.run_ray("--shards", "2", "--retries", "0", *SEARCH, program=program)
        self.assertEqual(done.returncode, 1)
        kept = next(self.folder.glob("alnsmith-ray.*"))
        self.assertIn(f"--work {kept} goes on", done.stderr.decode())
        self.assert_same(self.run_ray("--shards", "2", "--work", str(kept), *SEARCH))


class Usage(Search):
    def test_a_wrong_option_of_the_program_ends_it_at_once(self):
        program = self.script("")
        done = self.run_ray("--shards", "1", "--work", "parts", *SEARCH, "--bogus", "3", program=program)
        self.assert_refused(done, 2, "--bogus")
        self.assertEqual(len(self.started()[1]), 1)
        self.assertEqual(self.parts(), ["ray.log"])

    def test_what_is_refused_before_anything_runs(self):
        for words, text in (((), "--shards"), (("--shards", "0"), "from 1 to 10000"), (("--shards", "2x"), "2x"),
                            (("--shard", "1/2"), "--shards"), (("--shards", "2", "--hits", "x"), "--work"),
                            (("--shards", "2", "--threads", "2"), "--cpus-per-task"),
                            (("--shards", "2", "--gpus-per-task", "1.5"), "1.5"),
                            (("--shards", "2", "--gpus-per-task", "nan"), "nan"),
                            (("--shards", "2", "--out", str(TARGETS)), "is an input too"),
                            (("--shards", "2", "--query", "-"), "no stdin")):
            self.assert_refused(self.run_ray(*SEARCH, *words), 2, text)
        self.assert_refused(self.run_ray("--shards", "2", *SEARCH, "--out", "none/x"), 1, "none/x")
        self.assert_refused(self.run_ray("--shards", "2", *SEARCH, program="/no/program"), 1, "/no/program")
        self.assert_refused(self.run_ray("--shards", "2", *SEARCH, "--cpus-per-task", "3"), 1, "no node has 3 CPUs")
        self.assert_refused(self.run_ray("--shards", "2", *SEARCH, "--gpus-per-task", "1"), 1, "1 CPUs and 1 GPUs")
        self.assert_refused(self.run_ray("--shards", "2", *SEARCH, address="127.0.0.1:1"), 1, "127.0.0.1:1")


class Stopped(Search):
    def start(self, body="[ $shard = 1 ] || { sh -c 'sleep 1000; true' & wait; }"):
        search = self.start_ray("--shards", "3", "--work", "parts", *SEARCH, program=self.script(body))
        until(lambda: len(self.started()) == 3 and (self.folder / "parts/part.1").exists())
        return search

    def test_no_child_is_left(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            search = self.start()
            search.send_signal(number)
            out, said = search.communicate(timeout=300)
            self.assertEqual((search.returncode, out), (130, b""), said.decode())
            self.assertNotIn("Traceback", said.decode())
            self.assert_nothing_runs()
            self.assertEqual(self.parts(), ["part.1", "ray.log"])
            for path in self.folder.glob("started.*"):
                path.unlink()

    def test_no_child_is_left_where_the_driver_is_killed(self):
        search = self.start("[ $shard = 1 ] || exec sleep 1000")
        search.kill()
        self.assert_nothing_runs()

    def test_no_child_is_left_where_its_worker_is_killed(self):
        program = self.script("exec sleep 1000")
        search = self.start_ray("--shards", "1", "--retries", "0", "--quiet", *SEARCH, program=program)
        until(lambda: self.started() and self.running() == 1)
        os.kill(int(subprocess.check_output(["ps", "-o", "ppid=", "-p", str(self.started()[1][0])])), signal.SIGKILL)
        self.assert_nothing_runs()
        self.assertEqual(search.wait(60), 1)

    def test_no_child_is_left_after_a_failure(self):
        program = self.script("[ $shard = 1 ] || { sh -c 'sleep 1000; true' & wait; }\n"
                              "until [ -e started.2 ]; do sleep 0.05; done; exit 1")
        done = self.run_ray("--shards", "2", "--retries", "0", "--quiet", *SEARCH, program=program)
        self.assert_refused(done, 1, "shard 1/2")
        self.assert_nothing_runs()


if __name__ == "__main__":
    unittest.main()
