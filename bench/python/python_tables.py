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
        rows.append([work, f"{base * 1e6 / ours['pairs']:.3g}", f"{ours['cells'] / base * 1e-9:.1f}", ", ".join(others)])
    return head, rows
