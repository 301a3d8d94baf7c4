#!/usr/bin/env python3
"""Synthetic tuning recordings for the tests of the report. The numbers come from a formula, not from a machine.

Usage: synthetic_recording.py KIND FILE
  cpu      204 configurations (k, arithmetic, compiler, threads) with every kind of failure, the model's choice
           measured again in each group, lengths and limits, and a torn last line
  refuted  the same with a final comparison that is noisy and finds no gain
  gpu      k x p x mapping on a device, no lengths
  bare     two configurations, only the keys that must be there
  failed   nothing correct
  hostile  texts that try to break the page
"""

import json
import random
import sys

HASH = "5e" * 32
HOSTILE = [
    "</script><script>window.broken = 1</script>",
    '<img src=x onerror="window.broken = 2">',
    "<!-- <script> ]]> --!>",
    "\"quotes\" 'single' `back` ${window.broken = 3} \\ \\u003c & &amp; &lt;",
    "über 測試 \u2028 \u2029 \U0001f9ec \u202e right to left",
    "@data@ @scripts@ $& $1 \\0 \x01\x1f \t tab",
    "x" * 3000,
]


def environment(**more):
    return {
        "generator": "0.1.0",
        "cpu": "Synthetic CPU 9000",
        "cpu_class": "AuthenticSynth-1-2",
        "cores": 16,
        "device_name": "",
        "driver": "",
        "compiler": "clang version 22.1.0",
        "os": "Linux 6.1 x86_64",
        **more,
    }


def record(sequence, configuration, gcups, limit=None, lengths=(), kind="correct", reason="", **more):
    cells = 92274688
    line = {
        "schema_version": "1.0.0",
        "spec": {"name": "dna-global-affine", "hash": HASH},
        "target": "x86-64-v4",
        "device": "cpu",
        "mode": "pairs",
        "work": {
            "name": "reads",
            "seed": 1,
            "pairs": 4096,
            "cells": cells,
            "query_length": {"min": 100, "median": 150, "max": 250},
            "target_length": {"min": 100, "median": 150, "max": 250},
        },
        "environment": environment(),
        "timestamp": f"2026-01-02T03:{sequence // 60 % 60:02d}:{sequence % 60:02d}Z",
        "search": {"strategy": "exhaustive", "seed": 1, "sequence": sequence, "group": sequence // 8},
        "configuration": configuration,
        "invalidity": kind,
        "reason": reason,
        "correctness": int(kind == "correct"),
        "times": {"generation": 0.4, "compilation": 1.9, "validation": 0.05, "runtimes": []},
        "times_unit": "s",
        "kernels": ["aln_dna_global_affine_pairwise_" + str(configuration.get("k", 0))],
        "measurements": [],
        "objectives": ["gcups"],
        "synthetic": True,
    }
    if kind == "correct":
        time = cells / gcups / 1e9
        line["times"]["runtimes"] = [time, time * 1.01, time * 0.99]
        line["measurements"] = [
            {"name": "gcups", "value": gcups, "unit": "GCUPS"},
            {"name": "time", "value": time, "unit": "s"},
            {"name": "spread", "value": 0.012, "unit": "1"},
            {"name": "outliers", "value": sequence % 3, "unit": "1"},
        ]
        if lengths:
            line["lengths"] = [{"query": q, "target": t, "gcups": g} for q, t, g in lengths]
    if limit:
        line["limit"] = {"value": limit, "unit": "GCUPS"}
    line.update(more)
    return line


def cpu(dice):
    lines, sequence = [], 0
    model = None
    for arithmetic in ("int16", "int8", "int32"):
        for compiler in ("clang++-22", "g++-12"):
            for threads in (1, 2):
                for k in range(1, 18):
                    configuration = {"k": k, "arithmetic": arithmetic, "compiler": compiler, "threads": threads}
                    width = {"int8": 1.7, "int16": 1.0, "int32": 0.5}[arithmetic]
                    limit = round(30 * width * k / (k + 1.5), 3)
                    peak = {"int8": 9, "int16": 12, "int32": 6}[arithmetic]
                    fit = 1 / (1 + ((k - peak) / 7) ** 2)
                    speed = limit * (0.45 + 0.4 * fit) * (0.93 if compiler == "g++-12" else 1)
                    gcups = round(speed * threads**0.93 * dice.uniform(0.97, 1.03) / 1.9, 4)
                    lengths = [
                        (n, n, round(gcups * n / (n + 40 + 6 * abs(k - peak + n / 200)), 4))
                        for n in (100, 150, 250, 512, 1024)
                    ]
                    kind, reason = "correct", ""
                    if k > 14 and arithmetic == "int32":
                        kind, reason = "constraints", "registers: k * 3 + 6 must not exceed 48"
                    elif k == 17:
                        kind, reason = "compile", "kernel.cpp:112:9: error: out of registers in 'aln_pairwise_i16_k17'"
                    elif (arithmetic, k, threads) == ("int8", 16, 2):
                        kind, reason = "runtime", "the kernel ended with signal 11 (SIGSEGV)"
                    elif (arithmetic, k, compiler) == ("int8", 15, "g++-12"):
                        kind, reason = "timeout", "took longer than 10 s"
                    elif (arithmetic, k, compiler) == ("int8", 14, "g++-12"):
                        kind, reason = "correctness", f"pair 17: score {sequence} where the reference has 41"
                    lines.append(record(sequence, configuration, gcups, limit, lengths, kind, reason))
                    if (arithmetic, k, compiler, threads) == ("int16", 8, "clang++-22", 1):
                        model = lines[-1]
                        model["search"]["model"] = True
                    sequence += 1
    drift(lines, model, dice)
    again = []
    for group in range(3):  # the drift anchor
        line = json.loads(json.dumps(model))
        line["search"]["group"] = 5 + group
        line["measurements"][0]["value"] = round(model["measurements"][0]["value"] * (0.99, 1.01, 1.02)[group], 4)
        again.append(line)
    best = max((line for line in lines if line["invalidity"] == "correct"), key=lambda line: value_of(line, "relative"))
    final = json.loads(json.dumps(best))
    final["search"].update(strategy="final", sequence=len(lines), group=40)
    final["measurements"] += [
        {"name": "model_gcups", "value": value_of(model, "gcups"), "unit": "GCUPS"},
        {"name": "gain", "value": 3.51, "unit": "1"},
        {"name": "gain_spread", "value": 0.04, "unit": "1"},
    ]
    return lines[:60] + again[:1] + lines[60:] + again[1:] + [final], '{"schema_version": "1.0.0", "spec": {"na'


def refuted(dice):
    lines, tail = cpu(dice)
    for m in lines[-1]["measurements"]:
        m["value"] = {"gain": 0.931, "gain_spread": 0.14}.get(m["name"], m["value"])
    lines[-1]["measurements"].append({"name": "comparisons", "value": 3, "unit": "1"})
    return lines, tail


def value_of(line, name):
    return next(m["value"] for m in line["measurements"] if m["name"] == name)


def drift(lines, model, dice):
    """The machine is slower in some groups, so the order by GCUPS is not that by `relative`."""
    pace = [dice.choice((1, 0.94)) for _ in range(40)]
    pace[model["search"]["group"]] = 1
    base = value_of(model, "gcups")
    for line in lines:
        if line["invalidity"] == "correct":
            gcups = line["measurements"][0]
            line["measurements"].append({"name": "relative", "value": gcups["value"] / base, "unit": "1"})
            gcups["value"] = round(gcups["value"] * pace[line["search"]["group"]], 4)


def gpu(dice):
    lines = []
    for mapping in ("wavefront", "block"):
        for p in (4, 8, 16, 32):
            for k in (2, 4, 6, 8, 12, 16, 24, 32):
                configuration = {"k": k, "p": p, "mapping": mapping}
                gcups = round(
                    2200 / (1 + abs(k * p - 256) / 300) * (0.8 if mapping == "block" else 1) * dice.uniform(0.96, 1.04),
                    2,
                )
                kind, reason = ("compile", f"spills {k * p} bytes") if k * p >= 768 else ("correct", "")
                lines.append(
                    record(
                        len(lines),
                        configuration,
                        gcups,
                        2600.0,
                        (),
                        kind,
                        reason,
                        target="cuda:sm_90",
                        device="cuda:0",
                        environment=environment(device_name="Synthetic GPU", driver="550.1"),
                    )
                )
                lines[-1]["search"]["strategy"] = "local"
    return lines, ""


def bare(_):
    return [
        {
            "schema_version": "1.0.0",
            "spec": {"name": "s", "hash": HASH},
            "target": "scalar",
            "device": "cpu",
            "configuration": {"k": 4},
            "invalidity": "correct",
            "measurements": [{"name": "gcups", "value": v}],
        }
        for v in (0.5, 0.25)
    ], ""


def failed(_):
    return [record(i, {"k": i + 1}, 1.0, 5.0, (), "compile", "no such compiler") for i in range(3)], ""


def hostile(_):
    lines = []
    for i, text in enumerate(HOSTILE):
        name = text[:60]
        lines.append(record(i, {"k": i, name: name}, 1.0 + i, 10.0, (), "correct", "", kernels=[text]))
        lines.append(record(100 + i, {"k": i, "word": text}, 0, None, (), "compile", text))
    for line in lines:
        line["spec"]["name"] = HOSTILE[0]
        line["environment"] = environment(cpu=HOSTILE[1], compiler=HOSTILE[3], os=HOSTILE[4], driver=HOSTILE[5])
        line["device"], line["mode"] = HOSTILE[3], HOSTILE[4]  # a hostile target is refused where it is read
    return lines, '{"torn": "</script>'


def main():
    kind, path = sys.argv[1:]
    lines, tail = {"cpu": cpu, "refuted": refuted, "gpu": gpu, "bare": bare, "failed": failed, "hostile": hostile}[kind](random.Random(5))
    with open(path, "w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
        out.write(tail)


main()
