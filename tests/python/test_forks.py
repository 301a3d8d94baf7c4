"""Workers that are forked align rightly, whatever the parent did before and is doing meanwhile."""
import concurrent.futures
import multiprocessing
import os
import random
import threading
import time
import warnings

import alnsmith
import pytest
from support import FULL

warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: a fork of a process with threads
random.seed(2)
QUERIES = ["".join(random.choices("ACGT", k=200)) for _ in range(200)]
TARGETS = QUERIES[1:] + QUERIES[:1]
aligner = alnsmith.Aligner("dna-global-affine")


def scores(_=None):
    return aligner.align(QUERIES, TARGETS).score.tolist()


def all_scores(_=None):
    return aligner.align_all(QUERIES, TARGETS, threads=2).score.sum()


def forked(work, limit=60):
    """What `work` returns in a child; TimeoutError where the child hangs."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, repr(work()).encode())
        os._exit(0)
    os.close(writing)
    end = time.monotonic() + limit
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > end:
            os.kill(child, 9)
            os.waitpid(child, 0)
            raise TimeoutError("the child hangs")
        time.sleep(0.01)
    with os.fdopen(reading) as said:
        return said.read()


@pytest.fixture(scope="module")
def expected():
    return scores()


def test_after_calls_of_several_threads(expected):
    total = all_scores()
    assert forked(scores) == repr(expected)
    assert forked(all_scores) == repr(total)
    assert scores() == expected  # the parent goes on as before


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_pools(expected, start):
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(start)) as pool:
        assert list(pool.map(scores, range(4))) == [expected] * 4


def test_while_other_threads_align(expected):
    total = all_scores()
    stop = threading.Event()
    failures = []

    def work():
        while not stop.is_set():
            if all_scores() != total:
                failures.append("parent")

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(100 if FULL else 8):
            assert forked(all_scores) == repr(total)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not failures


def test_children_of_children(expected):
    assert forked(lambda: forked(scores) == repr(expected)) == "True"


def test_an_aligner_opened_in_the_child(expected):
    all_scores()
    assert forked(lambda: alnsmith.Aligner("dna-global-linear").align("ACGT", "ACGT").score.tolist()) == "[8]"


def test_a_childs_end_leaves_the_parents_spec():
    mine = alnsmith.Aligner(alignment="local", match=2, mismatch=-4, gap_open=4, gap_extend=2)
    child = multiprocessing.get_context("fork").Process(target=mine.align, args=("ACGT", "ACGT"))
    child.start()
    child.join()
    assert child.exitcode == 0 and os.path.exists(mine._spec)
    path = mine._spec
    del mine
    assert not os.path.exists(path)


def test_pickles():
    import pickle

    for mine in (alnsmith.Aligner(alignment="local", match=2, mismatch=-4, gap_open=4, gap_extend=2), aligner):
        again = pickle.loads(pickle.dumps(mine))
        assert again._core.hash == mine._core.hash and again.align("ACGT", "ACGT").score[0] == 8
