"""A model of searches on a device that nobody has at hand: kernels' limits and how alignments of unequal lengths share it.

In:  a spec and the program, whose `generate --explain` gives each kernel's pipe limit and registers, the manifest its tile.
Out: GCUPS of a query against targets of given lengths, and of a border between kernels. Nothing here was measured.

What it takes to be so: the device is full, each slot (a warp, or a block where a block shares an alignment) runs at its
share of the pipe limit and no faster when others have finished, which with three warps per scheduler and four clocks from
an operation to its result is nearly what it could do; targets go to slots the longest first; a stage computes p * k
columns of the query whether it needs them or not, and fills in p rows. Memory and transfers are left out.
"""

import heapq
import json
import math
import pathlib
import re
import subprocess
import tempfile

PROCESSORS, REGISTERS, SHARED, WARPS = 132, 65536, 227 * 1024, 64  # of an H200; the last three for each processor


class Kernel:
    def __init__(self, manifest, registers, gcups):
        self.name, self.form, self.mapping = manifest["entry"], manifest["form"], manifest["mapping"]
        self.p, self.k, self.packing, self.threads = (manifest[key] for key in ("p", "k", "packing", "threads"))
        self.gcups, self.level = gcups, manifest["level"]
        warps = self.threads // 32
        a_block = math.ceil(registers / 8) * 8 * self.threads
        shared = SHARED // manifest["shared_bytes"] if manifest["shared_bytes"] else WARPS
        blocks = min(REGISTERS // a_block, shared, WARPS // warps)
        self.block = manifest["group"] == "block"
        self.stages_at_once = warps if self.block else 1
        self.slots = PROCESSORS * blocks * (1 if self.block else warps)
        self.targets = self.packing * (1 if self.block else 32 // self.p)  # that a slot aligns together

    def seconds(self, query, length):
        """Of a slot that aligns as many targets of this length as it takes together."""
        stages = math.ceil(query / (self.p * self.k))
        turns = math.ceil(stages / self.stages_at_once)
        rows = length + self.p * self.stages_at_once
        cells = turns * rows * self.p * self.k * self.stages_at_once * self.targets
        return cells / (self.gcups * 1e9 / self.slots)

    def makespan(self, query, lengths):
        """Seconds until the last slot is done. `lengths`: descending."""
        free = [0.0] * min(self.slots, max(1, math.ceil(len(lengths) / self.targets)))
        for first in range(0, len(lengths), self.targets):
            heapq.heapreplace(free, free[0] + self.seconds(query, lengths[first]))
        return max(free, default=0.0)


def kernels(program, spec, target="cuda:sm_90"):
    """Those of a spec's text, by what the generator says of them."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "spec.yaml"
        path.write_text(spec)
        said = subprocess.run([program, "generate", path, "--target", target, "--explain", "-o", folder], check=True,
                              capture_output=True, text=True)  # fmt: skip
        manifest = json.loads(next(pathlib.Path(folder).glob("*.json")).read_text())
    by_entry = {kernel["entry"]: kernel for kernel in manifest["kernels"]}
    found, entry, registers = [], None, None
    for line in (said.stdout + said.stderr).splitlines():
        if line.strip() in by_entry:
            entry, registers = line.strip(), None
        elif match := re.match(r"\s+registers: (\d+)", line):
            registers = int(match.group(1))
        elif (match := re.match(r"\s+pipe limit, .*: (\d+) GCUPS", line)) and entry and registers:
            found.append(Kernel(by_entry[entry], registers, float(match.group(1))))
    return found


def best(found, query, lengths, form="single_query", mapping="wavefront"):
    """(seconds, kernel) of the fastest of a form and mapping, the narrowest arithmetic."""
    fitting = [kernel for kernel in found if (kernel.form, kernel.mapping, kernel.level) == (form, mapping, 0)]
    return min(((kernel.makespan(query, lengths), kernel) for kernel in fitting), key=lambda pair: pair[0])


def search_gcups(found, query, lengths):
    """One query against all targets, one alignment per group of lanes: (GCUPS, kernel)."""
    seconds, kernel = best(found, query, sorted(lengths, reverse=True))
    return query * sum(lengths) * 1e-9 / seconds, kernel


def border_gcups(found, query, lengths, border):
    """Targets longer than `border` go to the block kernel, one alignment per block, after all others are done."""
    descending = sorted(lengths, reverse=True)
    long = sum(length > border for length in descending)
    seconds = best(found, query, descending[long:])[0] if long < len(descending) else 0.0
    if long:
        seconds += best(found, query, descending[:long], "pairwise", "block")[0]
    return query * sum(lengths) * 1e-9 / seconds
