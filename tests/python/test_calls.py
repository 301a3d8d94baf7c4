"""Calls run without the GIL, from many threads; Ctrl-C ends them; progress is told."""
import gzip
import os
import random
import signal
import subprocess
import sys
import threading
import time

import alnsmith
import pytest

random.seed(1)
LONG = ["".join(random.choices("ACGT", k=60000)) for _ in range(2)]
MANY = ["".join(random.choices("ACGT", k=300)) for _ in range(3000)]


@pytest.fixture(scope="module")
def aligner():
    made = alnsmith.Aligner("dna-global-affine", threads=1)
    made.align(LONG[0][:3000], LONG[1][:3000])
    made.align_all(MANY[:4], MANY[:4])
    return made


INTERRUPTED = """
import os, random, signal, sys, threading, time
import alnsmith
random.seed(1)
aligner = alnsmith.Aligner(SPEC, threads=THREADS)
aligner.align("ACGT" * 100, "ACGT" * 100)
long = ["".join(random.choices("ACGT", k=LENGTH)) for _ in range(max(2, 40000 // LENGTH))] * (COUNT // 20)
sent = []
def interrupt():
    time.sleep(0.5)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    CALL
    print("no interrupt", time.monotonic() - sent[0] if sent else "")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - sent[0])
print(aligner.align("ACGT", "ACGT").score[0])
"""


# A pair alone ends with the stage that runs, 16,384 letters of its query: of 1,200,000 letters half a second on a slow
# core, of the whole pair's half a minute.
@pytest.mark.parametrize("call,spec,length,count,threads,within", [
    ("aligner.align(long[0], long[1])", "dna-global-affine", 1200000, 20, 1, 1.5),
    ("aligner.align(long[0], long[1])", "dna-global-affine", 1200000, 20, 2, 1.5),
    ("aligner.align_all(long, long)", "dna-global-affine", 2000, 8000, 2, 0.3),
    ("aligner.align(long * 200, long[::-1] * 200)", "dna-global-cigar", 2000, 1000, 1, 0.3),
    ("aligner.search(long, long, statistics='none')", "dna-local-affine", 2000, 8000, 2, 0.3),
])
def test_interrupt(call, spec, length, count, threads, within):
    text = INTERRUPTED
    for word, value in (("SPEC", repr(spec)), ("THREADS", threads), ("LENGTH", length), ("COUNT", count), ("CALL", call)):
        text = text.replace(word, str(value))
    done = subprocess.run([sys.executable, "-B", "-c", text], capture_output=True, text=True, check=True)
    said, score = done.stdout.split("\n")[:2]
    word, seconds = said.split(" ")
    assert word == "interrupted" and score == "8"
    assert float(seconds) < within + 0.05 * max(0.0, os.getloadavg()[0] - 2), done.stdout


@pytest.mark.parametrize("call", ["aligner.align('ACGT', 'ACGT')", "aligner.align_all(['ACGT' * 500] * 40, ['ACGT' * 500] * 40)"])
def test_interrupt_while_kernels_are_made(call, tmp_path):
    text = INTERRUPTED.replace("SPEC", "{'alignment': 'local', 'alphabet': 'protein', 'score': {'matrix': 'PAM30'}, 'gap': "
                               "{'model': 'affine', 'open': 9, 'extend': 1}, 'output': ['score', 'end', 'begin', 'cigar']}")
    text = text.replace('aligner.align("ACGT" * 100, "ACGT" * 100)\n', "").replace("0.5", "0.2").replace("CALL", call)
    text = text.replace("THREADS", "2").replace("LENGTH", "10").replace("COUNT", "20")
    text = text.rsplit("print(aligner", 1)[0]
    done = subprocess.run([sys.executable, "-B", "-c", text], capture_output=True, text=True, check=True,
                          env={**os.environ, "ALNSMITH_CACHE": str(tmp_path)})
    word, seconds = done.stdout.split("\n")[0].split(" ")
    assert word == "interrupted" and float(seconds) < 0.3 + 0.05 * max(0.0, os.getloadavg()[0] - 2), done.stdout


READING = """
import os, signal, sys, threading, time
import alnsmith
begun = []
def interrupt():
    time.sleep(0.2)
    begun.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    alnsmith.read_sequences(sys.argv[1])
except KeyboardInterrupt:
    print(time.monotonic() - begun[0])
"""


@pytest.mark.parametrize("written", [None, b"", b">a", b">a\nACGT\n>b\nAC" + b"GT" * 60000, b"\x1f\x8b\x08"])
def test_interrupt_while_a_pipe_is_read(tmp_path, written):
    """Its writer is not there, writes nothing, or stops in the middle."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with subprocess.Popen([sys.executable, "-B", "-c", READING, str(path)], stdout=subprocess.PIPE, text=True) as reads:
        pipe = None
        if written is not None:
            pipe = open(path, "wb", buffering=0)
            pipe.write(written)
        try:
            said = reads.communicate(timeout=20)[0]
        except subprocess.TimeoutExpired:
            reads.kill()
            raise
        finally:
            if pipe is not None:
                pipe.close()
    assert float(said) < 0.3 + 0.05 * max(0.0, os.getloadavg()[0] - 2)


def test_interrupt_in_a_long_record(tmp_path):
    path = tmp_path / "long.fa.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b">a\n")
        for _ in range(40):
            file.write(b"ACGTTGCA" * 1_000_000)
    done = subprocess.run([sys.executable, "-B", "-c", READING, path], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.3 + 0.05 * max(0.0, os.getloadavg()[0] - 2)


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_pipes_are_read_as_files(tmp_path, compress):
    text = compress("".join(f">read{i} x\n{'ACGT' * (i % 7 + 1)}\n" for i in range(30000)).encode())
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write():
        with open(path, "wb", buffering=0) as pipe:
            for part in (text[:3], text[3:50], text[50:]):
                pipe.write(part)
                time.sleep(0.05)

    thread = threading.Thread(target=write)
    thread.start()
    reads = alnsmith.read_sequences(path)
    thread.join()
    assert len(reads) == 30000 and reads.names[-1] == "read29999" and reads[1] == "ACGTACGT"
    done = subprocess.run([sys.executable, "-B", "-c", "import alnsmith; print(len(alnsmith.read_sequences('-')))"],
                          input=text, capture_output=True, check=True)
    assert done.stdout == b"30000\n"


def test_handlers_of_ones_own_do_not_end_calls(aligner):
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        result = aligner.align_all(MANY[:600], MANY[:600])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen and len(result) == 360000


def test_what_a_handler_raises_ends_the_call(aligner):
    def fail(*_):
        raise TimeoutError("enough")

    before = signal.signal(signal.SIGALRM, fail)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError, match="enough"):
            aligner.align_all(MANY * 2, MANY * 2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_gil_is_free(aligner):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    counted[0] = 0
    result = aligner.align_all(MANY[:600], MANY[:600])
    during = counted[0]
    stop.set()
    thread.join()
    assert during > 20 * result.report["seconds"]


def test_many_threads_with_one_aligner(aligner):
    expected = aligner.align(MANY, MANY[::-1]).score.tolist()
    failures = []

    def work(seed):
        for turn in range(4):
            begin = (seed * 97 + turn * 311) % 2000
            part = slice(begin, begin + 700)
            if aligner.align(MANY[part], MANY[::-1][part], threads=seed % 3).score.tolist() != expected[part]:
                failures.append((seed, turn))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_lists_may_change_meanwhile(aligner):
    queries = list(MANY)
    expected = aligner.align_all(MANY, MANY[:100]).score.tolist()
    threading.Timer(0.02, queries.clear).start()
    assert aligner.align_all(queries, MANY[:100]).score.tolist() == expected


def test_progress(aligner):
    told = []
    result = aligner.align_all(MANY[:600], MANY[:600], progress=lambda done, total: told.append((done, total)))
    assert told[-1][1] == len(result) and [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(threading.current_thread() is threading.main_thread() for _ in told)


def test_progress_that_raises_ends_the_call(aligner):
    def fail(done, total):
        raise RuntimeError(f"enough of {total}")

    with pytest.raises(RuntimeError, match="enough of 9000000"):
        aligner.align_all(MANY, MANY, progress=fail)


def test_tqdm(aligner, capsys):
    aligner.align_all(MANY[:500], MANY[:500], progress=True)
    assert "250k/250k" in capsys.readouterr().err


def test_progress_of_nothing(aligner):
    assert len(aligner.align([], [], progress=lambda *_: None)) == 0


def test_devices():
    listed = alnsmith.devices()
    assert listed[0]["id"] == "cpu" and listed[0]["memory"] > 0
    for device in listed[1:]:
        if device["id"].startswith("opencl") or device["id"].startswith("cuda"):
            assert alnsmith.Aligner("dna-global-affine", device=device["id"]).align("ACGT", "ACGT").score[0] == 8


ENDING = """
import threading, time
import alnsmith
aligner = alnsmith.Aligner("dna-global-affine")
held = []
def work():
    while True:
        held.append(CALL)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.parametrize("call", [
    "aligner.align('ACGT' * 100, 'ACGT' * 100, threads=1)",
    "aligner.align_all(['ACGT' * 100] * 300, ['ACGT' * 100] * 300)",
    "aligner.align(['ACGT' * 9] * 9, ['ACGT' * 9] * 9, progress=lambda *_: None)",
])
def test_threads_that_align_when_the_interpreter_ends(call):
    for _ in range(4):
        begun = time.monotonic()
        done = subprocess.run([sys.executable, "-B", "-c", ENDING.replace("CALL", call)], capture_output=True, text=True,
                              check=False)
        assert (done.returncode, done.stderr) == (0, "") and time.monotonic() - begun < 5


def test_calls_when_the_interpreter_ends():
    """The thread that ends it still aligns, be the function registered before the package or after."""
    text = """
import atexit
atexit.register(lambda: print(*(aligner.align("ACGT", "ACGT", progress=how).score[0] for how in (None, lambda *_: None))))
import alnsmith
aligner = alnsmith.Aligner("dna-global-affine")
atexit.register(lambda: print(aligner.align("ACGT", "ACGT").score[0]))
"""
    done = subprocess.run([sys.executable, "-B", "-c", text], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("8\n8 8\n", "")
