"""The programs that are compared: how each is called, and how its hits are read.

All of them search exhaustively by Smith-Waterman, BLOSUM62, a gap of length L costs 11 + L, E-values up to a cutoff, at
most `top` hits per query, begins, ends and identities of each. One thread unless the name says more.
"""

import gzip
import pathlib
import re
import shutil
import subprocess

from agreement import Hit
from measure import Failed

SPEC = "protein-local-blosum62"
PACKED = (SPEC, "protein-local-cigar")  # scores, and whole alignments of hits
COLUMNS = "qseqid,sseqid,pident,length,mismatch,gapopen,qstart,qend,sstart,send,evalue,bitscore,score"


class Case:
    """What is searched, and where things lie. `fasta` is the database as given, `folder` holds what is prepared."""

    def __init__(self, queries, fasta, folder, program, top, evalue, device="", pack=""):
        self.queries, self.fasta, self.folder = pathlib.Path(queries), pathlib.Path(fasta), pathlib.Path(folder)
        self.program, self.top, self.evalue, self.device, self.pack = program, top, evalue, device, pack

    def prepared(self, suffix):
        return self.folder / (self.fasta.name.removesuffix(".gz") + suffix)


def once(path, words):
    """Runs a program that makes `path`, unless it is there."""
    if not path.exists():
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"{words[0]}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return path


def alndb(case):
    return once(case.prepared(".alndb"), [case.program, "makedb", case.fasta, "-o", case.prepared(".alndb"), "--quiet"])


def packed_alndb(case):
    """The same with a packed copy beside it, in a folder of its own."""
    folder = case.folder / "packed"
    folder.mkdir(exist_ok=True)
    path = folder / case.prepared(".alndb").name
    return once(path, [case.program, "makedb", case.fasta, "-o", path, "--packed", SPEC, "--quiet"])


def plain_fasta(case):
    """Others read no gzip."""
    if case.fasta.suffix != ".gz":
        return case.fasta
    path = case.prepared("")
    if not path.exists():
        with gzip.open(case.fasta, "rb") as packed, open(path, "wb") as out:
            shutil.copyfileobj(packed, out)
    return path


def blast_tab(path, score, evalue):
    """query -> target -> Hit, of a table of columns."""
    found = {}
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            part = line.split("\t")
            found.setdefault(part[0], {})[part[1]] = Hit(int(part[score]), part[evalue])
    return found


def ssearch_list(path):
    """Of -m 9: after `>>>QUERY` and `The best scores are` a line per target, `NAME ... ( LENGTH) SCORE BITS E ...`."""
    found, query, listing = {}, None, False
    row = re.compile(r"^(\S+).*?\(\s*\d+\)\s+(\d+)\s+(\S+)\s+(\S+)")
    for line in path.read_text(errors="replace").splitlines():
        begin = re.match(r"^\s*\d+>>>(\S+)", line)
        if begin:
            query, listing = begin.group(1), False
        elif line.startswith("The best scores are"):
            listing = True
        elif listing and query and (hit := row.match(line)):
            found.setdefault(query, {})[hit.group(1)] = Hit(int(hit.group(2)), hit.group(4))
        elif not line.strip():
            listing = False
    return found


def alnsmith(source, threads=1, extra=("--composition", "off"), columns=COLUMNS):
    def words(case, out):
        device = ["--device", case.device] if case.device else []
        pack = ["--pack", case.pack] if case.pack else []
        return [case.program, "search", "--spec", SPEC, "--query", case.queries, "--db", source(case), "--threads",
                threads, "-e", case.evalue, "--top", case.top, "--format", "blast6", "--columns", columns, *extra,
                *device, *pack, "--out", out]  # fmt: skip

    return words


def align_all(case, out):
    return [case.program, "align", "--all", "--spec", SPEC, "--query", case.queries, "--target", plain_fasta(case),
            "--output", "score", "--threads", 1, "--out", out]  # fmt: skip


def diamond(case, out):
    database = case.prepared(".dmnd")
    once(database, ["diamond", "makedb", "--in", plain_fasta(case), "-d", database, "--quiet"])
    return ["diamond", "blastp", "--swipe", "--comp-based-stats", 0, "--masking", 0, "-k", case.top, "-e", case.evalue,
            "-p", 1, "-q", case.queries, "-d", database, "--quiet", "-o", out, "--outfmt", 6,
            *COLUMNS.split(",")]  # fmt: skip


def ssearch(case, _):
    return ["ssearch36", "-T", 1, "-s", "BL62", "-f", -11, "-g", -1, "-b", case.top, "-d", 0, "-m", 9, "-C", 60, "-E",
            case.evalue, "-p", "-q", case.queries, plain_fasta(case)]  # fmt: skip


SCORES = "query,target,score,evalue,bits"
OURS = {
    "alnsmith FASTA": alnsmith(lambda case: case.fasta),
    "alnsmith alndb": alnsmith(alndb),
    "alnsmith alndb 2 threads": alnsmith(alndb, threads=2),
    "alnsmith alndb scores": alnsmith(alndb, columns=SCORES),
    "alnsmith packed": alnsmith(packed_alndb),
    "alnsmith packed scores": alnsmith(packed_alndb, columns=SCORES),
    "alnsmith alndb composition": alnsmith(alndb, extra=()),
    "alnsmith align --all": align_all,
}
PEERS = {"diamond": ("diamond", diamond), "ssearch36": ("ssearch36", ssearch)}
READERS = {
    "alnsmith FASTA": lambda path: blast_tab(path, 12, 10),
    "alnsmith alndb": lambda path: blast_tab(path, 12, 10),
    "alnsmith alndb 2 threads": lambda path: blast_tab(path, 12, 10),
    "alnsmith packed": lambda path: blast_tab(path, 12, 10),
    "diamond": lambda path: blast_tab(path, 12, 10),
    "ssearch36": ssearch_list,
}
OWN_STATISTICS = {"ssearch36"}


def versions(program):
    """What takes part, each by its own words; a peer that is not installed is missing."""
    found = {"alnsmith": subprocess.run([program, "version"], capture_output=True, text=True).stdout.split("\n")[0]}
    if shutil.which("diamond"):
        found["diamond"] = subprocess.run(["diamond", "version"], capture_output=True, text=True).stdout.strip()
    if shutil.which("ssearch36"):
        said = subprocess.run(["ssearch36", "-h"], capture_output=True, text=True)
        version = re.search(r"\d+\.\d+\.\d+\S*", said.stdout + said.stderr)
        found["ssearch36"] = version.group(0) if version else "unknown"
    return found


def closing_line(said):
    """key -> value of alnsmith's last line on stderr."""
    lines = [line for line in said.splitlines() if "batch_seconds=" in line]
    return dict(part.split("=", 1) for part in lines[-1].split() if "=" in part) if lines else {}
