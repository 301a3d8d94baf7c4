"""Tables of docs/performance.md: what searches.py measured and modelled, beside the published figures of searches.json."""

import json
import pathlib
import statistics

PUBLISHED = pathlib.Path(__file__).resolve().parent / "searches.json"


def read(path):
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return json.loads(PUBLISHED.read_text()), [line for line in found if "part" in line]


def number(value, digits=1):
    return "–" if value is None else f"{value:,.{digits}f}"


BUSY = 3  # load average with which wall time says little


def figure(line):
    """GCUPS: of CPU time where one thread was measured, else of wall time where nothing else ran; or the model's."""
    if "cpu_gcups" not in line:
        return line["gcups"]
    if line.get("threads", 1) == 1:
        return line["cpu_gcups"]
    return None if statistics.median(line["load"]) > BUSY else line["gcups"]


def picked(lines, **facts):
    """The figure of the line with these facts, or None."""
    return next((figure(line) for line in lines if all(line.get(name) == fact for name, fact in facts.items())), None)


def cudasw2(path):
    """Tables 1 and 2: a query per row."""
    published, lines = read(path)
    head = ["query", "GTX 280: SIMT 10+2L", "partitioned 10+2L, 20+2L, 40+3L", "GTX 295: SIMT 10+2L",
            "one CPU thread: 10+2L", "20+2L", "40+3L", "H200, model"]  # fmt: skip
    rows = []
    for row in published["cudasw2"]["rows"]:
        length = row["length"]
        ours = [picked(lines, part="cudasw2", table="1 and 2", length=length, scheme=f"BLOSUM62 {scheme}")
                for scheme in ("10+2L", "20+2L", "40+3L")]  # fmt: skip
        model = picked(lines, part="model", table="1 and 2", length=length)
        rows.append([str(length), number(row["gtx280"][0]), ", ".join(number(v) for v in row["gtx280"][1:]),
                     number(row["gtx295"][0]), *(number(v) for v in ours), number(model, 0)])  # fmt: skip
    return head, rows


def cudasw2_long(path):
    """Table 3: the long queries together."""
    published, lines = read(path)
    rows = [[row["software"], f"{row['matrix']} {row['gap']}", number(row["gcups"])]
            for row in published["cudasw2"]["table3"]]  # fmt: skip
    for line in lines:
        if (line["part"], line.get("table")) == ("cudasw2", "3"):
            rows.append([f"alnsmith, one CPU thread, {line['queries']} queries", line["scheme"], number(figure(line))])
    return ["program", "scoring", "GCUPS"], rows


def intra_task(path):
    """Table II: how much long targets cost, by their share."""
    published, lines = read(path)
    lengths = published["intra_task"]["lengths"]
    rows = []
    for row in published["intra_task"]["table2"]:
        if row["gpu"] == "C2050":
            rows.append([f"{row['database']}: C2050, {row['kernel']}", f"{row['over_3072_percent']:g}",
                         *(number(v) for v in row["gcups"])])  # fmt: skip
    for percent in sorted({line["over_3072_percent"] for line in lines if line.get("table") == "II"}):
        ours = [picked(lines, part="intra_task", table="II", over_3072_percent=percent, length=n) for n in lengths]
        rows.append(["seeded: one CPU thread", f"{percent:g}", *(number(v) for v in ours)])
    return ["database", "% of targets over 3,072", *(f"query {length}" for length in lengths)], rows


def spread_of_lengths(path):
    """Figure 2: log-normal lengths."""
    _, lines = read(path)
    own = [line for line in lines if line.get("figure") == "2"]
    deviations = sorted({line["deviation"] for line in own})
    rows = [[str(mean), *(number(picked(own, mean=mean, deviation=d)) for d in deviations)]
            for mean in sorted({line["mean"] for line in own})]  # fmt: skip
    return ["mean length", *(f"deviation {d}" for d in deviations)], rows


def border(path):
    """Where one alignment per block begins: a model."""
    published, lines = read(path)
    own = [line for line in lines if line.get("figure") == "border"]
    borders = sorted({line["border"] for line in own})
    rows = []
    for row in published["intra_task"]["thresholds"]:
        more = "over " if row.get("at_least") else ""
        rows.append([f"{row['gpu']}, {row['database']}", "", "mean",
                     *(more + number(row["gcups"]) if row["threshold"] == b else "" for b in borders)])  # fmt: skip
    for percent in sorted({line["over_3072_percent"] for line in own}):
        for length in sorted({line["length"] for line in own}):
            rows.append(["H200, model", f"{percent:g}", str(length),
                         *(number(picked(own, over_3072_percent=percent, length=length, border=b), 0)
                           for b in borders)])  # fmt: skip
    return ["device", "% of targets over 3,072", "query", *(f"border {b:,}" for b in borders)], rows


def knl(path):
    """Figures 7 and 8: instruction sets and threads, the best query alone."""
    published, lines = read(path)
    rows = []
    for row in published["knl"]["rows"]:
        isa = row["isa"]
        alone = [figure(line) for line in lines if line.get("figure") == "8" and line["isa"] == isa]
        alone = [gcups for gcups in alone if gcups is not None]
        ours = [picked(lines, part="knl", figure="7", isa=isa, threads=threads) for threads in (1, 2)]
        rows.append([isa, f"{row['gcups']:.1f} ({row['threads']} threads)", number(row["gcups"] / 68, 2),
                     number(row["peak_gcups"]), *(number(v) for v in ours),
                     f"{min(alone):.1f} to {max(alone):.1f}" if alone else "–"])  # fmt: skip
    return ["instructions", "Xeon Phi 7250, 68 cores", "a core of it", "best query", "here, 1 thread", "2 threads",
            "each query alone, 1 thread"], rows  # fmt: skip
