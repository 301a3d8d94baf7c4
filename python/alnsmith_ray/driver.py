"""From shards to parts: what is sent to a Ray cluster, what comes back, and what is sent again.

In:  a Job, what a task takes of a node, how often a shard is tried again.
Out: all parts of the search in the job's work folder; or Failed, with nothing running any more.
"""
from __future__ import annotations

import collections
import contextlib
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable, Iterator

from . import task

OBJECT_STORE_BYTES = 80_000_000  # of a cluster on this machine, near Ray's least: parts lie in files
PATIENCE = 60.0  # seconds that a cluster may be without a node for a task, once it had one
STOP_SECONDS = 15.0  # that cancelled tasks have to end their children; they take 5 at most


class Failed(Exception):
    """The search cannot be completed. code: the exit status, 1, 2 or 130 as the program has them."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Claim:
    """What a task takes of a node, in Ray's units."""

    cpus: int
    gpus: float

    def slots(self, nodes: list[dict[str, Any]]) -> int:
        """How many tasks run at once on the nodes (`ray.nodes()`) that are alive."""
        def of(node: dict[str, Any]) -> int:
            has = node["Resources"]
            by_gpu = int(has.get("GPU", 0) / self.gpus) if self.gpus > 0 else self.cpus * 2**31
            return min(int(has.get("CPU", 0) / self.cpus), by_gpu)
        return sum(of(node) for node in nodes if node["Alive"])

    def __str__(self) -> str:
        return f"{self.cpus} CPUs" + (f" and {self.gpus:g} GPUs" if self.gpus > 0 else "")


@contextlib.contextmanager
def connected(address: str, log: str) -> Iterator[None]:
    """Ray, while it lasts. address: `local` starts a cluster on this machine, others as ray.init() takes them.

    log: file that stdout and stderr go to meanwhile, as Ray prints to both. SIGTERM becomes KeyboardInterrupt.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise Failed(1, "Ray is not installed: run `tools/setup ray`, or install this package with pip") from None
    start = {"num_cpus": len(os.sched_getaffinity(0)), "include_dashboard": False,
             "object_store_memory": OBJECT_STORE_BYTES} if address == "local" else {}
    with _printed_to(log):
        try:
            host, _, port = address.rpartition(":")
            if port.isdecimal() and "/" not in host:
                socket.create_connection((host.strip("[]"), int(port)), 10).close()  # Ray would try for minutes
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", **start)
        except (ConnectionError, OSError, OverflowError, RuntimeError, ValueError) as error:
            raise Failed(1, f"--address {address}: {_first_line(error)}: give HOST:PORT of a running cluster, "
                            "or leave it out for this machine") from None
        try:
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # ray.init() has taken it
            yield
        finally:
            ray.shutdown()


@contextlib.contextmanager
def _printed_to(path: str) -> Iterator[None]:
    kept = os.dup(1), os.dup(2)
    with open(path, "a", encoding="utf-8") as log:
        for number in (1, 2):
            os.dup2(log.fileno(), number)
        try:
            yield
        finally:
            sys.stdout.flush()
            for number, own in enumerate(kept, 1):
                os.dup2(own, number)
                os.close(own)


def run_shards(job: task.Job, claim: Claim, retries: int, say: Callable[[str], None],
               note: Callable[[str], None]) -> None:
    """Runs all shards of a search on the cluster that is connected.

    retries: how often more a shard is tried whose program failed otherwise than by wrong usage (exit status 2); as
    often, by Ray, one whose worker or node was lost. say: takes progress; note: what the program said, each line once.
    Raises Failed with a line that names the shard.
    """
    import ray

    if claim.slots(ray.nodes()) == 0:
        raise Failed(1, f"no node has {claim}, which a task takes: lower --cpus-per-task or --gpus-per-task")
    ray.cloudpickle.register_pickle_by_value(task)
    remote = ray.remote(num_cpus=claim.cpus, num_gpus=claim.gpus, max_retries=retries)(task.search_shard)
    waiting = collections.deque((index, 0) for index in range(1, job.shards + 1))
    pending: dict[Any, tuple[int, int]] = {}  # reference: shard, tries before
    noted: set[str] = set()
    done, seen = 0, time.monotonic()
    try:
        while waiting or pending:
            slots = claim.slots(ray.nodes())
            seen = time.monotonic() if slots > 0 else seen
            if time.monotonic() - seen > PATIENCE:
                raise Failed(1, f"the cluster has lost all nodes with {claim}, which a task takes")
            while waiting and len(pending) < 2 * slots:
                index, tries = waiting.popleft()
                pending[remote.remote(job, index, _known(job, index))] = (index, tries)
            if not pending:
                time.sleep(1)
                continue
            for reference in ray.wait(list(pending), num_returns=1, timeout=5)[0]:
                index, tries = pending.pop(reference)
                outcome = _outcome_of(reference, f"shard {index}/{job.shards}", retries)
                where = f"shard {index}/{job.shards} on {outcome.node}"
                if outcome.code != 0:
                    reason = _reason_to_retry(outcome, where, tries == retries)
                    say(f"{where}: {reason} (try {tries + 2} of {retries + 1} follows)")
                    waiting.appendleft((index, tries + 1))
                    continue
                _keep(job, index, outcome.part)
                for line in outcome.lines:
                    if line not in noted:
                        note(line)
                noted.update(outcome.lines)
                done += 1
                say(f"{where}: {outcome.seconds:.1f} s, {done} of {job.shards} done")
    finally:
        _cancel(list(pending))


def _outcome_of(reference: Any, shard: str, retries: int) -> task.Outcome:
    import ray

    try:
        outcome: task.Outcome = ray.get(reference)
        return outcome
    except ray.exceptions.RayError as error:
        raise Failed(1, f"{shard}: lost {retries + 1} times, or not run: {_first_line(error)}") from None


def _reason_to_retry(outcome: task.Outcome, where: str, last: bool) -> str:
    """Why a program failed. Raises Failed where it is not to be run again: wrong usage, or the last try."""
    if outcome.lines:
        reason = outcome.lines[-1].removeprefix("alnsmith: ")
    elif outcome.code < 0:
        reason = f"the program was killed by signal {-outcome.code}"
    else:
        reason = "the program was interrupted" if outcome.code == 130 else f"the program ended with {outcome.code}"
    if outcome.code == 2:
        raise Failed(2, reason)
    if last:
        raise Failed(130 if outcome.code == 130 else 1, f"{where}: {reason}")
    return reason


def _known(job: task.Job, index: int) -> list[Any]:
    """What the work folder has of a shard, as a reference: it leaves this machine only where a node asks for it."""
    import ray

    try:
        with open(os.path.join(job.work, task.part_name(index)), "rb") as file:
            return [ray.put(file.read())]
    except FileNotFoundError:
        return []


def _keep(job: task.Job, index: int, part: bytes | None) -> None:
    if part is None:
        return
    path = os.path.join(job.work, task.part_name(index))
    with open(path + ".unfinished", "wb") as file:
        file.write(part)
    os.replace(path + ".unfinished", path)


def _cancel(references: list[Any]) -> None:
    """Ends tasks, and waits until they have ended their children."""
    import ray

    for reference in references:
        ray.cancel(reference)
    if references:
        ray.wait(references, num_returns=len(references), timeout=STOP_SECONDS)


def _first_line(error: BaseException) -> str:
    return next((line.strip().rstrip(".:") for line in str(error).splitlines() if line.strip()), type(error).__name__)
