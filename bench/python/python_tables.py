"""Tables of docs/python.md from lines of bench_python.py."""

import json
import statistics


def peers(path):
    """Head and rows: each work with its contenders, their time against alnsmith's. Medians of CPU time, one thread."""
    head = ["work", "alnsmith, µs a pair", "GCUPS", "others: how many times as long"]
    works = {}
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        if entry.get("bench") == "python":
            works.setdefault(entry["work"], {})[entry["contender"]] = entry
    if not works:
        raise ValueError("no line of bench_python.py")
    rows = []
    for work, contenders in works.items():
        ours = contenders["alnsmith"]
        base = statistics.median(ours["cpu_seconds"])
        others = [f"{name} {statistics.median(entry['cpu_seconds']) / base:.1f}" for name, entry in contenders.items()
                  if name != "alnsmith"]
        each, gcups = base * 1e6 / ours["pairs"], ours["cells"] / base * 1e-9
        rows.append([work, f"{each:,.2f}" if each < 10 else f"{each:,.0f}", f"{gcups:.1f}" if gcups >= 0.1 else "–",
                     ", ".join(others)])
    return head, rows
