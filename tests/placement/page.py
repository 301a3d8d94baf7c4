"""Runs the commands of docs/place.md on the bundled references and reads, and compares what they print with the page.

usage: page.py PROGRAM PAGE DATA [--update]; DATA is tests/data. How a page is read: ../search/page.py.
"""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "search"))
import page  # noqa: E402

FILES = {
    "placement_tree.nwk": "tree.nwk",
    "placement_reference.phy.gz": "reference.phy.gz",
    "placement_reads.fasta": "reads.fasta",
}


def inputs(data, folder):
    for name, own in FILES.items():
        shutil.copy(os.path.join(data, name), os.path.join(folder, own))


if __name__ == "__main__":
    program, path, data = sys.argv[1:4]
    sys.exit(page.run_page(program, path, lambda folder: inputs(data, folder), "--update" in sys.argv))
