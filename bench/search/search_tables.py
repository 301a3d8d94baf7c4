"""Tables of docs/performance.md from lines of bench_search.py: whole searches; one query alone, and the start."""

import json
import statistics


def lines(path):
    found = [json.loads(line) for line in path.read_text().splitlines()]
    if not any("contender" in line for line in found):
        raise ValueError("no line of a contender; expected those of `bench_search.py --json`")
    return found


BUSY = 3  # load average with which wall time says little of one thread


def wall(line, text):
    """A figure of wall time, or `busy` where others had the processors."""
    return "busy" if statistics.median(line["load"]) > BUSY else text


def spread(line):
    least, most = min(line["seconds"]), max(line["seconds"])
    return f"{line['median_seconds']:.2f} ({least:.2f}–{most:.2f})"


def agreement(line):
    found = line.get("agreement")
    if found is None:
        return ""
    if not found["equal"]:
        return "hits differ: no ratio"
    if found["own_statistics"]:
        return f"scores of {found['common']:,} hits in common"
    ends = f", {found['cut']} at the ends of full lists" if found["cut"] else ""
    return f"{found['common']:,} equal{ends}"


def searches(path):
    """Head and rows of all searches of a file, in its order. Times are in those of `alndb`, where hits agree."""
    head = ["queries, database", "contender", "seconds (range)", "GCUPS", "GCUPS of CPU time", "time, `alndb` = 1",
            "CPU time, `alndb` = 1", "hits", "load"]  # fmt: skip
    rows, run, base = [], {}, None
    every = lines(path)
    for line in every:
        if "run" in line:
            run = line
            base = next((one for one in every[every.index(line) + 1 :] if one.get("contender") == "alnsmith alndb"), None)
            continue
        if not line["case"].startswith("search"):
            continue
        what = f"{run['queries']}, {run['residues'] / 1e6:,.1f} M"
        name = line["contender"].replace("alnsmith alndb", "`alndb`").replace("alnsmith FASTA", "FASTA")
        ratios = ["", ""]
        if base and line is not base and line.get("agreement", {"equal": True})["equal"]:
            ratios = [f"{line[key] / base[key]:.2f}" for key in ("median_seconds", "median_cpu_seconds")]
            ratios[0] = wall(line, ratios[0])
        load = f"{min(line['load']):.0f}–{max(line['load']):.0f}"
        rows.append([what, name, wall(line, spread(line)), wall(line, f"{line['gcups']:.1f}"), f"{line['cpu_gcups']:.1f}",
                     *ratios, agreement(line), load])  # fmt: skip
    return head, rows


def alone(path):
    """Head and rows: the shortest and the longest query, and from the start to the first hit."""
    head = ["case", "contender", "milliseconds", "of CPU time", "GCUPS", "GCUPS of CPU time", "first hit after, ms",
            "load"]  # fmt: skip
    rows = []
    for line in lines(path):
        if "run" in line or line["case"].startswith(("search", "short-to-long")):
            continue
        first = line.get("median_first_line_seconds")
        rows.append([line["case"], line["contender"].removeprefix("alnsmith "),
                     wall(line, f"{1e3 * line['median_seconds']:.1f}"), f"{1e3 * line['median_cpu_seconds']:.1f}",
                     wall(line, f"{line['gcups']:.1f}"), f"{line['cpu_gcups']:.1f}",
                     wall(line, f"{1e3 * first:.1f}") if first else "",
                     f"{min(line['load']):.0f}–{max(line['load']):.0f}"])  # fmt: skip
    return head, rows


def short_to_long(path):
    """Head and rows: the speed of the shortest query, the longest one's being 1."""
    rows = [[line["contender"].removeprefix("alnsmith "), f"{line['ratio']:.2f}", f"{line['cpu_ratio']:.2f}",
             f"{min(line['load']):.0f}–{max(line['load']):.0f}"]
            for line in lines(path) if line.get("case", "").startswith("short-to-long")]  # fmt: skip
    return ["contender", "speed, of the longest query's", "by CPU time", "load"], rows
