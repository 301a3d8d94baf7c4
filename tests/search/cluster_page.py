"""The commands of docs/cluster.md's section on searches, and where they can be run as they stand there."""
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUERIES = ROOT / "tests/data/protein_queries.fasta"
TARGETS = ROOT / "tests/data/protein_targets.fasta.gz"
PROGRAM = os.environ["ALNSMITH_PROGRAM"]


def blocks():
    """The section's blocks of commands."""
    section = (ROOT / "docs/cluster.md").read_text().split("\n## A search on many nodes\n")[1].split("\n## ")[0]
    return re.findall(r"^```\w*\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def block(first):
    """The one that begins with these words."""
    found = [text for text in blocks() if text.startswith(first)]
    assert len(found) == 1, f"docs/cluster.md has {len(found)} blocks that begin with {first!r}"
    return found[0]


def furnish(folder):
    """Puts the page's files into a folder: q.fa, proteins.fa.gz, proteins.alndb, and examples/."""
    (folder / "q.fa").write_bytes(QUERIES.read_bytes())
    (folder / "proteins.fa.gz").write_bytes(TARGETS.read_bytes())
    (folder / "examples").symlink_to(ROOT / "examples")
    run(f"'{PROGRAM}' makedb proteins.fa.gz -o proteins.alndb", folder)


def run(text, folder, path="", **environment):
    """Runs commands of the page by bash; `alnsmith` is the one under test. path: folder of other programs that they find."""
    return subprocess.run(["bash", "-euc", text], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "PATH": f"{path}:{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}",
                               **environment})


def plain(folder):
    """What one run of the whole database gives."""
    return run("alnsmith search --spec protein-local-blosum62 --query q.fa --db proteins.alndb --quiet", folder).stdout
