"""Tables of docs/performance.md: what placements.py measured and modelled, beside the published figures of placements.json."""

import json
import pathlib

from seed_tables import number, picked

PUBLISHED = pathlib.Path(__file__).resolve().parent / "placements.json"
SPECS = ("papara-v25", "papara-eq1")


def read(path):
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return json.loads(PUBLISHED.read_text()), [line for line in found if "part" in line]


def own(lines, part, **facts):
    """The line of each spec, or None."""
    return [next((line for line in lines if line["part"] == part and line["spec"] == spec
                  and all(line.get(name) == fact for name, fact in facts.items())), None) for spec in SPECS]  # fmt: skip


def figures(lines, name):
    return [number(line[name] if line else None) for line in lines]


def in_band(line):
    """The speed by cells that exist: `papara-eq1` has a band of columns - letters + 1 for each letter."""
    if not line:
        return number(None)
    return number(line["cpu_gcups"] * (line["columns"] - line["longest"] + 1) / line["columns"])


def shares(lines):
    return [f"{100 * line['path_share']:.1f}" if line else "–" for line in lines]


def reads_of(lines):
    line = next((line for line in lines if line), None)
    return f"{line['reads']:,}" if line else "–"


def columns(path):
    """Test A: speed by the length of the references."""
    published, lines = read(path)
    rows = []
    for row in published["A"]["rows"]:
        ours = own(lines, "A", columns=row["columns"])
        model = [picked(lines, part="model", spec=spec, columns=row["columns"]) for spec in SPECS]
        rows.append([f"{row['columns']:,}", number(row["cpu"], 2), reads_of(ours), *figures(ours, "cpu_gcups"),
                     in_band(ours[1]), *figures(ours, "whole_cpu_gcups"), ", ".join(shares(ours)),
                     ", ".join(number(v, 0) for v in model)])  # fmt: skip
    return ["columns", "i7-2600, 4 cores", "reads here", "one CPU thread: v25", "eq1", "eq1 by cells of its band",
            "whole program: v25", "eq1", "second phase, % of the first", "H200, model: v25, eq1"], rows  # fmt: skip


def reads(path):
    """Test B: speed by the number of reads."""
    _, lines = read(path)
    rows = []
    for count in sorted({line["reads"] for line in lines if line["part"] == "B"}):
        ours = own(lines, "B", reads=count)
        rows.append([f"{count:,}", *figures(ours, "cpu_gcups"), *figures(ours, "whole_cpu_gcups"),
                     ", ".join(shares(ours))])  # fmt: skip
    return ["reads", "one CPU thread: v25", "eq1", "whole program: v25", "eq1", "second phase, % of the first"], rows


def lengths(path):
    """Speed by the length of the reads."""
    _, lines = read(path)
    rows = []
    for length in sorted({line["longest"] for line in lines if line["part"] == "lengths"}):
        ours = own(lines, "lengths", longest=length)
        rows.append([str(length), *figures(ours, "cpu_gcups"), ", ".join(shares(ours))])
    return ["letters of a read", "v25", "eq1", "second phase, % of the first"], rows


def sets(path):
    """Tests C1, C2 and E: the shapes of the paper's data."""
    published, lines = read(path)
    rows = []
    whole = f"CPU and GPU together at most {published['hybrid_peak']}"
    theirs = {"C1": whole, "C2": whole, "E": f"{published['E']['overclocked']} (i5-2500k at 4.5 GHz, 4 cores)"}
    for part, text in theirs.items():
        ours = own(lines, part)
        line = next((line for line in ours if line), None)
        if line:
            shape = f"{part}: {line['reads']:,} of {line['of_reads']:,} reads x {line['branches']:,} x {line['columns']:,}"
            rows.append([shape, text, *figures(ours, "cpu_gcups"), *figures(ours, "whole_cpu_gcups"),
                         ", ".join(shares(ours))])  # fmt: skip
    return ["test", "published", "one CPU thread: v25", "eq1", "whole program: v25", "eq1",
            "second phase, % of the first"], rows  # fmt: skip


def threads(path):
    """Wall time of the first phase, one thread and two: the best turn, as what else runs on a machine takes whole cores."""
    _, lines = read(path)
    rows = []
    for spec in SPECS:
        found = {line["threads"]: line for line in lines if line["part"] == "threads" and line["spec"] == spec}
        if len(found) == 2:
            gcups = [found[n]["cells"] * 1e-9 / min(found[n]["score_seconds"]) for n in (1, 2)]
            rows.append([spec, *(number(v) for v in gcups), f"{gcups[1] / gcups[0]:.2f}"])
    return ["spec", "1 thread, GCUPS of wall time", "2 threads", "ratio"], rows
