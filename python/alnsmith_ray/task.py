"""What runs on a node: the program `alnsmith`, as a child that does not outlive whoever wants its result.

In:  a Job, the same for all tasks of a search, and the number of a shard.
Out: an Outcome; the shard's part lies in the work folder, or comes back as bytes where the node does not see that.
The driver sends this file along with its tasks, so it imports nothing of this package, and a node needs only Ray.
"""
from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import Any, Callable


@dataclass(frozen=True)
class Job:
    """What the tasks of a search have in common; paths are absolute."""

    program: str  # `alnsmith`
    options: tuple[str, ...]  # of `alnsmith search`, all but --threads, --shard and --hits
    shards: int  # 1 or more
    cpus: int  # of a task: its threads
    work: str  # folder of the parts, on the driver's machine
    token: str  # name of a file in it: a node that sees it sees the folder
    folder: str  # where relative names of the options begin
    environment: dict[str, str]  # the driver's ALNSMITH_*


@dataclass(frozen=True)
class Outcome:
    """What came of a task."""

    code: int  # exit status of the program; below 0: minus the signal that killed it
    lines: list[str]  # what it said on stderr
    part: bytes | None  # None: it lies in the work folder, or there is none
    node: str  # name of the machine
    seconds: float  # wall clock


def part_name(index: int | str) -> str:
    """File name of a shard's part. index: 1 to Job.shards; `*` matches all."""
    return f"part.{index}"


def run_child(words: list[str], folder: str, environment: dict[str, str], stderr: Any = None) -> int:
    """Runs a program in a process group of its own, to its end.

    An exception (a cancelled task, Ctrl-C) ends the group; the death of this process ends the program (not what it has
    started: compilers, which end by themselves).
    folder: its working directory. environment: added to this process's. stderr: None for this process's.
    Returns the exit status; below 0: minus the signal that ended it. Raises OSError if the program cannot be started.
    """
    child = subprocess.Popen(words, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                             stderr=stderr, start_new_session=True, preexec_fn=_dies_with_parent())
    try:
        while True:
            # In turns: Ray and signals interrupt Python, not a system call.
            with contextlib.suppress(subprocess.TimeoutExpired):
                return child.wait(0.2)
    finally:
        if child.returncode is None:
            _end_group(child)


def _dies_with_parent() -> Callable[[], None]:
    """What a child does first: from then on it gets SIGTERM when the thread that started it ends (Linux)."""
    libc, parent, set_death_signal = ctypes.CDLL(None), os.getpid(), 1

    def ask() -> None:
        libc.prctl(set_death_signal, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def _end_group(child: subprocess.Popen[bytes], grace: float = 5) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)  # heeded: no half-written file stays
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(grace)
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def search_shard(job: Job, index: int, known: list[Any]) -> Outcome:
    """Runs one shard, 1 to job.shards, and says what came of it.

    known: empty, or a reference to the bytes of a part that the driver has; the program says whether it is complete.
    """
    began = time.monotonic()
    shared = os.path.exists(os.path.join(job.work, job.token))
    with tempfile.TemporaryDirectory(prefix="alnsmith-ray.") as own, tempfile.TemporaryFile() as said:
        path = os.path.join(job.work if shared else own, part_name(index))
        if known and not shared:
            import ray

            with open(path, "wb") as file:
                file.write(ray.get(known[0]))
        words = [job.program, "search", *job.options, "--quiet", "--threads", str(job.cpus),
                 "--shard", f"{index}/{job.shards}", "--hits", path]
        lines: list[str] = []
        try:
            code = run_child(words, job.folder if os.path.isdir(job.folder) else "/", job.environment, said)
        except OSError as error:
            code, lines = 1, [f"{job.program}: cannot be started: {error.strerror}: "
                              "install alnsmith at the same path on all nodes, or name it by --program"]
        said.seek(max(0, said.seek(0, os.SEEK_END) - 65536))
        lines += [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]
        part = None
        if code == 0 and not shared:
            with open(path, "rb") as file:
                part = file.read()
    return Outcome(code, lines, part, platform.node(), time.monotonic() - began)
