#!/usr/bin/env python3
"""How far the planner's default is from what `alnsmith tune` finds, on random specs; one core of this machine.

Usage: default_choice.py [--program build/alnsmith] [--specs 20] [--seed 1] [--cells N] [--json FILE] [--folder DIR]
Draws specs (alignment, free ends, gap model, alphabet, scoring, output, pairs or all), searches tile and arithmetic of
each exhaustively and prints what the final comparison, winner and default in turns, found. A search that found nothing
better than the default counts as 0 %. The largest of several noisy values tends to be one that noise raised: where the
default is further than it may be, winner and default alone are searched twice more, and the median of the three counts;
`gains` has all. Lines of --json are appended. About 20 s a spec on a quiet machine.
Exit status: 0 if every default is within 10 % of the winner or within the spread, 1 if one is not, 2 if one failed.
"""

import argparse
import functools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

SPACE = "tune: {k: [2, 4, 6, 8, 10, 12, 16], arithmetic: [int8, int16]}\n"
WITHIN = 0.10
TURNS = 3  # of a spec whose default is further


def draw(dice, number):
    """A spec's text without its search space, and the mode: pairs or all."""
    protein = dice.random() < 0.3
    matrix = dice.random() < (0.8 if protein else 0.2)
    ends = [end for end in ("query_begin", "query_end", "target_begin", "target_end") if dice.random() < 0.5]
    kind = dice.choice(["global", "local", "semiglobal", "free"])
    alignment = kind if kind != "free" or not ends else f"{{free_ends: [{', '.join(ends)}]}}"
    if alignment == "free":
        alignment = "global"
    extend, opens = dice.randint(1, 4), dice.randint(1, 12)
    model = dice.choice(["linear", "affine", "affine", "dual_affine"])
    gap = {
        "linear": f"{{model: linear, extend: {extend + opens // 3}}}",
        "affine": f"{{model: affine, open: {opens}, extend: {extend}}}",
        "dual_affine": f"{{model: dual_affine, open: {opens}, extend: {extend + 1}, open2: {opens + 12}, extend2: 1}}",
    }[model]
    if matrix:
        score = "{matrix: BLOSUM62}" if protein else "{matrix: NUC.4.4}"
        alphabet = "protein" if protein else "iupac"
    else:
        score = f"{{match: {dice.randint(1, 5)}, mismatch: -{dice.randint(1, 6)}}}"
        alphabet = "protein" if protein else dice.choice(["dna", "dna5"])
    output = dice.choice(["[score]", "[score]", "[score, end]"])
    text = (
        f"version: 1\nname: drawn-{number}\nalignment: {alignment}\ngap: {gap}\nalphabet: {alphabet}\n"
        f"score: {score}\noutput: {output}\n"
    )
    return text, "all" if dice.random() < 0.25 else "pairs"


def measured(record, name):
    return next((m["value"] for m in record["measurements"] if m["name"] == name), None)


def is_far(line):
    return line["gain"] > WITHIN and line["gain"] > line["spread"]


def compare(program, folder, text, mode, name, cells, space=SPACE):
    """What the search found: a line of the result."""
    spec, out = folder / f"{name}.yaml", folder / f"{name}.jsonl"
    spec.write_text(text + space)
    words = [program, "tune", str(spec), "--mode", mode, "--strategy", "exhaustive", "--out", str(out), "--quiet"]
    words += ["--resume"] if out.exists() else []
    words += ["--cells", str(cells)] if cells else []
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        return {"spec": text, "mode": mode, "failed": done.stderr.strip()}
    records = [json.loads(line) for line in out.read_text().splitlines()]
    model = next(r for r in records if r["search"].get("model"))
    final = next((r for r in reversed(records) if r["search"]["strategy"] == "final"), None)
    line = {
        "spec": text,
        "mode": mode,
        "target": model["target"],
        "default": model["configuration"],
        "default_kernels": model.get("kernels", []),
        "gcups": measured(model, "gcups"),
        "winner": final["configuration"] if final else model["configuration"],
        "gain": measured(final, "gain") - 1 if final else 0.0,
        "spread": measured(final, "gain_spread") if final else 0.0,
        "environment": model["environment"],
    }
    return line


def compare_far_again(line, folder, name, search):
    """The line with the median of TURNS gains, where the default is far from the winner."""
    if "failed" in line or not is_far(line):
        return line
    both = [line["default"], line["winner"]]
    values = {key: sorted({one[key] for one in both}) for key in ("k", "arithmetic")}
    space = f"tune: {{k: {values['k']}, arithmetic: [{', '.join(values['arithmetic'])}]}}\n"
    turns = [line] + [search(folder, name=f"{name}-again-{turn}", space=space) for turn in range(1, TURNS)]
    failed = next((turn for turn in turns if "failed" in turn), None)
    if failed:
        return failed
    middle = statistics.median_low(turn["gain"] for turn in turns)
    spread = next(turn["spread"] for turn in turns if turn["gain"] == middle)
    return {**line, "gain": middle, "spread": spread, "gains": [turn["gain"] for turn in turns]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/alnsmith")
    parser.add_argument("--specs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cells", type=int, default=0, help="of a run; default: the tuner's")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, help="of specs and recordings; one that is there is gone on with")
    given = parser.parse_args()
    dice = random.Random(given.seed)
    status = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, given.specs + 1):
            text, mode = draw(dice, number)
            search = functools.partial(compare, given.program, text=text, mode=mode, cells=given.cells)
            name = f"drawn-{number}"
            line = compare_far_again(search(folder, name=name), folder, name, search)
            line["load"] = round(os.getloadavg()[0], 1)
            if given.json:
                with given.json.open("a") as out:
                    out.write(json.dumps(line) + "\n")
            words = " ".join(part for part in text.replace("\n", "; ").split("; ")[2:] if part)
            if "failed" in line:
                status = 2
                print(f"{number:3} failed: {line['failed']}: {words}", flush=True)
                continue
            far = is_far(line)
            status = status or int(far)
            gains = f" of {', '.join(f'{gain:+.1%}' for gain in line['gains'])}" if "gains" in line else ""
            print(
                f"{number:3} {line['gain']:+6.1%} (spread {line['spread']:.1%}){gains} {line['gcups']:6.2f} GCUPS"
                f"{'  FAR' if far else ''}  {line['winner']} for {line['default']}; {mode}; {words}",
                flush=True,
            )
    return status


sys.exit(main())
