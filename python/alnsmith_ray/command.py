"""`alnsmith-ray search`: options, and the way from them to hits: shards on a cluster, then `alnsmith merge` here.

Exit status as the program's: 0 success, 1 bad input or failure, 2 usage, 130 interrupted. A failure is one line.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import secrets
import shutil
import signal
import sys
import tempfile
from typing import Callable, NoReturn, Sequence, TextIO

from . import driver, task

EPILOG = """All other options are those of `alnsmith search` (--spec, --top, --format, ...) and go to it as they are.
Query, database and program lie on a disk that all nodes see, or at the same path on each of them.
docs/cluster.md says more.
Example:
  alnsmith-ray search --shards 64 --cpus-per-task 8 --address auto --work parts --spec protein-local-blosum62
    --query q.fa --db proteins.alndb --out hits.tsv"""
# Options of a search that its merge takes too, each with a value: what the driver's machine has of kernels and memory.
OF_MERGE = ("--pack", "--isa", "--tuned", "--memory")
LOG = "ray.log"  # in the work folder
REFUSED = {"--shard": "shards are made here: give their number by --shards",
           "--hits": "parts lie in the folder that --work names",
           "--threads": "a task has a thread for each of its CPUs: give --cpus-per-task"}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise driver.Failed(2, f"{message} (see `alnsmith-ray --help`)")


class _Refuse(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        raise driver.Failed(2, f"{rest[-1]}: {REFUSED[str(rest[-1])]}")


def _between(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text} is no whole number from {least} to {most}")
    return number


def _gpus(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if 0 <= value < 1 or value == int(max(value, -1)) and 0 <= value <= 1024:
        return value
    raise argparse.ArgumentTypeError(f"{text} is neither a whole number from 0 to 1024 nor a fraction of 1")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="alnsmith-ray", usage="alnsmith-ray search --shards N --query FILE --db FILE [OPTIONS]",
                     description="A database search on a Ray cluster: what `alnsmith search` finds, to the byte.",
                     epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("subcommand", choices=["search"], help=argparse.SUPPRESS)
    add = parser.add_argument
    add("--shards", type=_between(1, 10000), required=True, metavar="N",
        help="parts that the database is split into, a task each: a few for each task that runs at once; 1 to 10000")
    add("--query", required=True, metavar="FILE", help="as `alnsmith search` has it, but for stdin")
    add("--db", required=True, metavar="FILE", help="as `alnsmith search` has it, but for stdin")
    add("--out", metavar="FILE", help="result file, put in place when complete; stdout by default")
    add("--cpus-per-task", type=_between(1, 4096), default=1, metavar="N", help="CPUs of a task, and its threads; 1")
    add("--gpus-per-task", type=_gpus, default=0.0, metavar="N",
        help="GPUs of a task, 0.5 for half of one; 0. A task sees its own alone: --device cuda:0, or auto")
    add("--address", metavar="ADDRESS",
        help="a running cluster, HOST:PORT or auto; RAY_ADDRESS by default, else this machine alone")
    add("--work", metavar="DIR",
        help="folder of the parts; they stay there, and those that are complete are not made again")
    add("--retries", type=_between(0, 1000), default=3, metavar="N",
        help="how often a shard is tried again that failed or was lost; 3")
    add("--program", default="alnsmith", metavar="FILE", help="the program, at the same path on all nodes; alnsmith")
    add("--quiet", action="store_true", help="no progress")
    for name in REFUSED:
        add(name, action=_Refuse, nargs="?", help=argparse.SUPPRESS)
    return parser


def _for_merge(options: Sequence[str]) -> list[str]:
    out: list[str] = []
    for at, word in enumerate(options):
        if word.split("=")[0] in OF_MERGE:
            out += options[at:at + (1 if "=" in word else 2)]
    return out


def _check(given: argparse.Namespace, others: Sequence[str]) -> None:
    """What the program cannot see: it is not told --out, and its stdin is not the user's."""
    for option, path in (("--query", given.query), ("--db", given.db)):
        if path == "-":
            raise driver.Failed(2, f"{option} -: the nodes have no stdin of yours: give a file that they see")
    if given.out is None:
        return
    inputs = {os.path.realpath(path) for path in (given.query, given.db, *others)}
    if os.path.isfile(given.out) and os.path.realpath(given.out) in inputs:
        raise driver.Failed(2, f"--out {given.out}: is an input too: name another file")
    if not os.access(os.path.dirname(os.path.abspath(given.out)), os.W_OK):
        raise driver.Failed(1, f"--out {given.out}: its folder is not there, or may not be written to")


def _work_folder(given: argparse.Namespace) -> pathlib.Path:
    beside = os.path.dirname(os.path.abspath(given.out)) if given.out else os.getcwd()
    try:
        if given.work is None:
            return pathlib.Path(tempfile.mkdtemp(prefix="alnsmith-ray.", dir=beside))
        folder = pathlib.Path(given.work).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError as error:
        raise driver.Failed(1, f"--work {given.work or beside}: {error.strerror}: name a folder to write to") from None


def _search(words: Sequence[str], talk: TextIO) -> None:
    given, others = _parser().parse_known_args(words)
    _check(given, others)
    program = shutil.which(given.program)
    if program is None:
        raise driver.Failed(1, f"--program {given.program}: is not there, or cannot be run")

    def say(line: str) -> None:
        if not given.quiet:
            print(f"alnsmith-ray: {line}", file=talk)

    work = _work_folder(given)
    token = f".seen.{secrets.token_hex(8)}"
    own = {name: value for name, value in os.environ.items() if name.startswith("ALNSMITH_")}
    job = task.Job(os.path.abspath(program),
                   ("--query", os.path.abspath(given.query), "--db", os.path.abspath(given.db), *others), given.shards,
                   given.cpus_per_task, str(work), token, os.getcwd(), own)
    merged = False
    try:
        (work / token).touch()
        with driver.connected(given.address or os.environ.get("RAY_ADDRESS") or "local", str(work / LOG)):
            driver.run_shards(job, driver.Claim(given.cpus_per_task, given.gpus_per_task), given.retries, say,
                              lambda line: print(line, file=talk))
        parts = [str(work / task.part_name(index)) for index in range(1, given.shards + 1)]
        out = ["--out", given.out] if given.out else []
        quiet = ["--quiet"] if given.quiet else []
        code = task.run_child([job.program, "merge", *parts, *_for_merge(others), *out, *quiet], os.getcwd(), {})
        if code < 0:
            raise driver.Failed(1, f"`alnsmith merge` was killed by signal {-code}")
        if code > 0:  # it has said why
            raise driver.Failed(code, "")
        merged = True
    finally:
        (work / token).unlink(missing_ok=True)
        useful = not merged and any(work.glob(task.part_name("*")))
        if given.work is None and not useful:
            shutil.rmtree(work, ignore_errors=True)
        if useful:
            say(f"finished parts are in {work}: --work {work} goes on from there")


def main(words: Sequence[str] | None = None) -> int:
    """The command. words: its arguments, those of the process by default. Returns the exit status."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with os.fdopen(os.dup(2), "w", buffering=1) as talk:  # stderr is not ours while Ray runs
            _search(sys.argv[1:] if words is None else words, talk)
    except driver.Failed as failed:
        if str(failed):
            print(f"alnsmith-ray: {failed}", file=sys.stderr)
        return failed.code
    except OSError as error:
        print(f"alnsmith-ray: {error.filename or 'the work folder'}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
