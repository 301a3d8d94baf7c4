"""The charts of the report's page: each compared with the recording."""

import json
import os
import statistics

from report_expected import text_of
from report_page import check, failures, same


def check_distribution(page, want):
    points = page.all("#distribution circle.point[data-gcups]")
    same(
        sorted((p["data-configuration"], float(p["data-drawn"])) for p in points), sorted(want.drawn.items()), "points"
    )
    ranked = sorted(points, key=lambda p: int(p["data-rank"]))
    values = [float(p["data-drawn"]) for p in ranked]
    same({p["data-configuration"]: float(p["data-gcups"]) for p in points}, want.correct, "GCUPS of the points")
    scores = [want.score[p["data-configuration"]] for p in ranked]
    same(scores, sorted(scores, reverse=True), "ranks")
    same(
        [p["data-configuration"] for p in points if "best" in p["class"].split()],
        [want.best] if want.best else [],
        "marked best",
    )
    # Drawn where the value belongs: heights are linear in the value, and so is the line of the limit.
    if len(set(values)) > 1:
        heights = [float(p["cy"]) for p in ranked]
        low, high = values.index(min(values)), values.index(max(values))
        slope = (heights[high] - heights[low]) / (values[high] - values[low])
        place = lambda value: heights[low] + slope * (value - values[low])
        check(slope < 0 and all(abs(place(v) - h) < 0.01 for v, h in zip(values, heights)), "heights of the points")
        lines = page.all("#distribution line.limit[data-limit]")
        if want.limit(want.best):
            same([float(l["data-limit"]) for l in lines], [want.limit(want.best)], "limit")
            check(abs(float(lines[0]["y1"]) - place(want.drawn_limit(want.best))) < 0.01, "height of the limit")
        else:
            same(lines, [], "limit line")


def check_heat_map(page, want):
    if len(want.varied()) < 2 or not want.best:
        return
    shown = lambda value: "–" if value is None else str(value)
    names = page.options("#heat-map label:nth-child(1) select")
    same(sorted(names), want.varied(), "axes")
    if "p" in names and "k" in names:
        cell = page.all("#heat-map rect[data-x]")[0]
        check(
            cell["aria-label"].startswith("k ") and ", p " in cell["aria-label"],
            "k by p comes first:",
            cell["aria-label"],
        )
    # By default each two parameters once, either of them across in turn: each is across and upright then.
    every = os.environ.get("ALNSMITH_FULL")
    across = None
    for i, x in enumerate(names):
        for j, y in enumerate(names):
            if i == j or not (every or (i + j) % 2 == (i < j)):
                continue
            if x != across:
                page.choose("#heat-map label:nth-child(1) select", x)
                across = x
            page.choose("#heat-map label:nth-child(2) select", y)
            expected = {}
            for text in want.candidates:
                at = (shown(want.parameter(text, x)), shown(want.parameter(text, y)))
                tried, failed, best = expected.get(at, (0, 0, None))
                ok = text in want.correct
                if ok and (best is None or want.score[text] > want.score[best]):
                    best = text
                expected[at] = (tried + 1, failed + (not ok), best)
            cells = {(c["data-x"], c["data-y"]): c for c in page.all("#heat-map rect[data-x]")}
            got = {
                at: (int(c["data-tried"]), int(c["data-failed"]), c.get("data-configuration"))
                for at, c in cells.items()
                if c["data-tried"] != "0"
            }
            same(got, expected, f"heat map of {x} and {y}")
            check(
                all(
                    float(c["data-drawn"]) == want.drawn[c["data-configuration"]]
                    for c in cells.values()
                    if "data-gcups" in c
                ),
                "values of the heat map",
            )
            top = max(want.drawn[best] for _, _, best in expected.values() if best)
            lightest = [at for at, c in cells.items() if c.get("fill") in ("#fde725", "rgb(253, 231, 37)")]
            light = [want.drawn[expected[at][2]] for at in lightest]
            check(light and max(light) == top and min(light) > 0.97 * top, "colour of the fastest", lightest)
            outline = page.all("#heat-map .chart rect.cell-best")
            field = next(c for c in cells.values() if c.get("data-configuration") == want.best)
            same(
                [(float(o["x"]), float(o["y"])) for o in outline],
                [(float(field["x"]) + 1, float(field["y"]) + 1)],
                "outline of the best",
            )
            check(
                all(
                    c.get("fill") == "url(#hatch)"
                    for at, c in cells.items()
                    if at in expected and expected[at][2] is None
                ),
                "hatch",
            )


def check_lengths(page, want):
    expected = {}
    for text in want.correct:
        for one in want.shown[text].get("lengths", []):
            at = (one["query"], one["target"])
            if at not in expected or one["gcups"] > expected[at][0]:
                expected[at] = (one["gcups"], text)
    bars = page.all("#lengths rect.bar")
    got = {
        (int(b["data-query"]), int(b["data-target"])): (float(b["data-gcups"]), b["data-configuration"]) for b in bars
    }
    same(got, expected, "best per length")
    if not expected:
        check("no results by length" in page.all("#lengths")[0]["text"], "word about lengths")
        return
    ratios = [float(b["width"]) / float(b["data-gcups"]) for b in bars]
    check(max(ratios) - min(ratios) < 1e-6 * max(ratios), "widths of the bars", ratios)
    limits = [float(l["x1"]) / ratios[0] for l in page.all("#lengths line.limit-tick")[: len(bars)]]
    wanted = [want.limit(b["data-configuration"]) for b in bars]
    check(
        all(w is None for w in wanted) or all(abs(l - w) < 1e-6 * w for l, w in zip(limits, wanted)),
        "limits of the bars",
    )


def check_effect(page, want):
    if not want.varied() or not want.best:
        return
    for name in page.options("#effect select"):
        page.choose("#effect select", name)
        groups = {}
        for text, value in want.drawn.items():
            groups.setdefault(want.parameter(text, name), []).append((want.score[text], value))
        boxes = {b["data-value"]: b for b in page.all("#effect rect.box")}
        same(sorted(boxes), sorted("–" if v is None else str(v) for v in groups), name + " values")
        for value, scored in groups.items():
            speeds = [speed for _, speed in scored]
            box = boxes["–" if value is None else str(value)]
            same(int(box["data-count"]), len(speeds), f"{name} {value} count")
            check(abs(float(box["data-median"]) - statistics.median(speeds)) < 1e-9, f"{name} {value} median")
            same(float(box["data-best"]), max(scored)[1], f"{name} {value} best")
        same(len(page.all("#effect circle.point[data-gcups]")), len(want.correct), "points of the effect")


def check_failures(page, want):
    expected = {}
    for line in want.lines:
        if line["invalidity"] != "correct":
            expected.setdefault((line["invalidity"], line["reason"]), []).append(text_of(line["configuration"]))
    got = page.chromium.evaluate(
        "[...document.querySelectorAll('#failures tbody tr')].map((r) => [r.dataset.kind, r.querySelector('.reason').textContent,"
        "[...r.querySelectorAll('li')].map((l) => l.dataset.configuration)])"
    )
    same(
        sorted([kind, reason, sorted(texts)] for kind, reason, texts in got),
        sorted([kind, reason, sorted(texts)] for (kind, reason), texts in expected.items()),
        "failures",
    )


def check_course(page, want):
    if not want.best or len(want.candidates) < 3:
        return
    order = sorted(want.candidates, key=lambda t: (want.shown.get(t) or want.candidates[t][-1])["search"]["sequence"])
    within = next(i for i, t in enumerate(order, 1) if want.score.get(t, 0) >= 0.97 * want.score[want.best])
    same(int(page.all("#course [data-within]")[0]["data-within"]), within, "configurations to 97 %")
    risen = []
    for text in order:
        if text in want.drawn and want.drawn[text] > max(risen, default=0):
            risen.append(want.drawn[text])
    same(json.loads(page.all("#course path.steps")[0]["data-steps"]), risen, "best so far")
    same(len(page.all("#course path.cross[data-kind]")), len(want.candidates) - len(want.correct), "crosses")
