#!/usr/bin/env python3
"""What ABC (Berkeley; Debian's package berkeley-abc) makes of the truth tables of circuits: gates of three operands.

Usage: bench/circuits/abc_lut3.py [--rounds N] FILE.circuit...      (default: 20 rounds of each script)

ABC starts twice: from the truth tables with what cannot be as 0, and from the circuit itself, whose choice in those rows is
better than any ABC has by itself. Of both the fewest gates count that rounds of four scripts come to (balance, rewrite,
refactor, resub; `dch`, mapping for area with `if -K 3 -a`, `mfs2`; not `lutpack`, which makes gates of four operands). Prints a
line for each file: its gates, ABC's from the tables, ABC's from the circuit.
"""
import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml


def planes(codes):
    return max(codes).bit_length() if codes else 0


class Circuit:
    """A file's scheme, codes and gates, and the recurrence of docs/circuits.md over all codes."""

    def __init__(self, path):
        tree = yaml.safe_load(path.read_text())
        scheme = tree["scheme"]
        self.total, self.floor, self.opens = scheme["total"], scheme["floor"], scheme["open"]
        self.codes = [tree["difference"], tree["difference"], tree.get("gap_x", []), tree.get("gap_y", [])]
        self.names = [f"{letter}{p}" for letter, codes in zip("uvxy", self.codes) for p in range(planes(codes))]
        self.gates = tree["gates"]
        self.outputs = [value for letter in "uvxy" for value in tree.get(letter, [])]

    def rows(self):
        """(bits of the inputs, of the outputs) where letters and planes stand for values whose sums can be."""
        def values(codes):
            return range(len(codes)) if codes else [0]

        def bits(state):
            return [codes[value] >> p & 1 for codes, value in zip(self.codes, state) if codes
                    for p in range(planes(codes))]  # fmt: skip

        for equal in (0, 1):
            for u in values(self.codes[0]):
                for v in values(self.codes[1]):
                    for x in values(self.codes[2]):
                        for y in values(self.codes[3]):
                            across, down = u + y, v + x
                            if max(across, down) > self.total:
                                continue
                            best = self.total if equal else max(across, down, self.floor)
                            after = (best - v, best - u, max(down - best + self.opens[0], 0),
                                     max(across - best + self.opens[1], 0))  # fmt: skip
                            yield [equal, *bits((u, v, x, y))], bits(after)

    def head(self):
        return [".inputs equal " + " ".join(self.names), ".outputs " + " ".join(f"new_{name}" for name in self.names)]

    def tables(self):
        """As a .blif with a sum of products for each output."""
        lines = [".model tables", *self.head()]
        rows = list(self.rows())
        for n, name in enumerate(self.names):
            lines.append(f".names equal {' '.join(self.names)} new_{name}")
            lines += ["".join(map(str, inputs)) + " 1" for inputs, outputs in rows if outputs[n]]
        return "\n".join([*lines, ".end", ""])

    def network(self):
        lines, drives = [".model network", *self.head()], {}
        for name, value in zip(self.names, self.outputs):
            if drives.setdefault(value, f"new_{name}") != f"new_{name}" or not value.startswith("g"):
                lines += [f".names {drives[value] if value.startswith('g') else value} new_{name}", "1 1"]
        for n, (table, *operands) in enumerate(self.gates):
            # ABC wants each operand once.
            names = list(dict.fromkeys(drives.get(name, name) for name in operands))
            places = [names.index(drives.get(name, name)) for name in operands]
            lines.append(f".names {' '.join(names)} {drives.get(f'g{n}', f'g{n}')}")
            for row in itertools.product((0, 1), repeat=len(names)):
                a, b, c = (row[place] for place in places)
                if table >> (4 * a + 2 * b + c) & 1:
                    lines.append("".join(map(str, row)) + " 1")
        return "\n".join([*lines, ".end", ""])


RESYN = "balance; rewrite; refactor; balance; rewrite; rewrite -z; balance; refactor -z; rewrite -z; balance"
RESUB = "; ".join(f"balance; resub -K {k} -N {n}; rewrite" for k in (6, 8, 10, 12) for n in (1, 2, 3))
MAP = "dch; if -K 3 -a; mfs2 -a -W 20 -M 500; print_stats"


def fewest(abc, blif, rounds):
    """Gates of three operands that ABC ends with; the least of its rounds."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "circuit.blif"
        path.write_text(blif)
        least = None
        for mine in ("strash", f"strash; {RESYN}", f"strash; {RESYN}; {RESUB}", f"strash; {RESUB}; {RESYN}; {RESUB}"):
            script = f"read_blif {path}; " + "; ".join([f"{mine}; {MAP}"] * rounds)
            said = subprocess.run([abc, "-c", script], capture_output=True, text=True, check=False).stdout
            # A script that ABC does not survive counts as far as it came.
            for gates in re.findall(r"nd =\s*(\d+)", said):
                least = min(int(gates), least or int(gates))
    if least is None:
        sys.exit(f"abc_lut3: ABC told no number of nodes:\n{said[-500:]}")
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=20)
    request = parser.parse_args()
    abc = shutil.which("berkeley-abc")
    if abc is None:
        sys.exit("abc_lut3: berkeley-abc is missing: apt-get install berkeley-abc")
    for path in request.files:
        circuit = Circuit(path)
        print(f"{path.stem}: {len(circuit.gates)} gates; ABC from the tables {fewest(abc, circuit.tables(), request.rounds)}, "
              f"from this circuit {fewest(abc, circuit.network(), request.rounds)}", flush=True)


if __name__ == "__main__":
    main()
