#!/usr/bin/env python3
"""The report's page in a real browser: everything drawn is compared with the recording, read here by other code.

Usage: report_browser.py ALNSMITH SYNTHETIC_RECORDING FOLDER     (pages and screenshots stay in FOLDER)
Exit status: 0 all held, 1 something did not, 77 skipped: no Chromium on this machine, or a build without D3.
"""

import json
import os
import statistics
import subprocess
import sys

import browser

failures = []


def check(held, *words):
    if not held:
        failures.append(" ".join(str(word) for word in words)[:600])


def same(got, want, what):
    check(got == want, what, "is", repr(got)[:250], "but should be", repr(want)[:250])


def text_of(configuration):
    return " ".join(f"{name}={value}" for name, value in sorted(configuration.items()))


def gcups_of(line):
    return measured(line, "gcups")


def measured(line, name):
    return next((m["value"] for m in line["measurements"] if m["name"] == name), None)


class Expected:
    """What the page must show of a recording with one run."""

    def __init__(self, path):
        with open(path, encoding="utf-8", newline="\n") as text:
            self.records = [json.loads(line) for line in text.read().split("\n")[:-1]]
        self.lines = [line for line in self.records if line.get("search", {}).get("strategy") != "final"]
        self.final = ([line for line in self.records if line not in self.lines] or [None])[-1]
        self.candidates = {}
        for line in self.lines:
            self.candidates.setdefault(text_of(line["configuration"]), []).append(line)
        self.correct, self.kinds, self.shown = {}, {}, {}
        for text, lines in self.candidates.items():
            good = sorted((line for line in lines if line["invalidity"] == "correct"), key=gcups_of)
            bad = [line for line in lines if line["invalidity"] != "correct"]
            wrong = [line for line in bad if line["invalidity"] == "correctness"]
            if good and not wrong:
                self.shown[text] = good[(len(good) - 1) // 2]
                self.correct[text] = gcups_of(self.shown[text])
                self.kinds[text] = "correct"
            else:
                self.kinds[text] = (wrong or bad[-1:])[0]["invalidity"]
        # Compared by how they stood to the model's choice in their own group, if all say so; else by speed.
        relative = {text: measured(line, "relative") for text, line in self.shown.items()}
        self.score = self.correct if None in relative.values() else relative
        self.drawn = self.correct  # what charts show
        self.best = max(self.score, key=self.score.get) if self.score else None
        self.model = next(
            (t for t, lines in self.candidates.items() if any(l.get("search", {}).get("model") for l in lines)), None
        )

    def correct_for_drift(self):
        """What charts show then: each at the pace of the machine when the model's choice was recorded."""
        self.drawn = {text: value * self.correct[self.model] for text, value in self.score.items()}

    def parameter(self, text, name):
        return self.candidates[text][0]["configuration"].get(name)

    def limit(self, text):
        return self.shown[text].get("limit", {}).get("value")

    def varied(self):
        names = sorted({name for line in self.lines for name in line["configuration"]})
        return [n for n in names if len({self.parameter(t, n) for t in self.candidates}) > 1]


class Page:
    def __init__(self, chromium):
        self.chromium = chromium

    def all(self, selector):
        """Attributes, text and form of each element: a dict each."""
        return self.chromium.evaluate(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => Object.assign(Object.fromEntries("
            "[...e.attributes].map((a) => [a.name, a.value])), {text: e.textContent}))"
        )

    def choose(self, selector, label):
        self.chromium.evaluate(
            f"(() => {{ const s = document.querySelector({json.dumps(selector)});"
            f"s.value = [...s.options].find((o) => o.textContent === {json.dumps(label)}).value;"
            "s.dispatchEvent(new Event('change')); })()"
        )

    def options(self, selector):
        return self.chromium.evaluate(
            f"[...document.querySelector({json.dumps(selector)}).options].map((o) => o.textContent)"
        )


def check_summary(page, want):
    figures = {f["data-figure"]: f for f in page.all("[data-figure]")}
    same(int(figures["counts"]["data-value"]), len(want.candidates), "number of configurations")
    check(
        f"{len(want.correct)} correct, {len(want.candidates) - len(want.correct)} failed" in figures["counts"]["text"],
        "counts",
    )
    if not want.best:
        check("best" not in figures, "a best without a correct configuration")
        return
    best = want.correct[want.best]
    same(float(figures["best"]["data-value"]), best, "best")
    same(page.all("[data-best]")[0]["text"], want.best, "best configuration")
    if want.limit(want.best):
        check(abs(float(figures["limit"]["data-value"]) - best / want.limit(want.best)) < 1e-12, "part of the limit")
    else:
        check("no limit recorded" in figures["limit"]["text"], "word about the limit")
    if want.model:
        check(
            abs(float(figures["gain"]["data-value"]) - want.score[want.best] / want.score[want.model]) < 1e-12,
            "gain over the model",
        )
    else:
        check("not marked" in figures["gain"]["text"], "word about the model")
    same("final" in figures, want.final is not None, "final comparison")
    if want.final:
        same(float(figures["final"]["data-value"]), measured(want.final, "gain"), "final gain")
        faster = measured(want.final, "gain") - 1 > measured(want.final, "gain_spread")
        check(
            ("faster" if faster else "no difference") in figures["final"]["text"],
            "final word",
            figures["final"]["text"],
        )


def check_table(page, want):
    rows = {r["data-configuration"]: r for r in page.all("#configurations tbody tr")}
    same(sorted(rows), sorted(want.candidates), "configurations in the table")
    for text, row in rows.items():
        same(row["data-kind"], want.kinds[text], text)
        if text in want.correct:
            same(float(row["data-gcups"]), want.correct[text], text)
            same(
                int(row["data-repeats"]),
                sum(l["invalidity"] == "correct" for l in want.candidates[text]),
                text + " repeats",
            )
        else:
            check("data-gcups" not in row, text, "failed but has a value")
    for column in page.chromium.evaluate(
        "[...document.querySelectorAll('#configurations th')].map((h) => h.textContent)"
    ):
        if column not in want.varied():
            continue
        for direction in ("ascending", "descending"):
            head = f"[...document.querySelectorAll('#configurations th')].find((h) => h.textContent === {json.dumps(column)})"
            page.chromium.evaluate(head + ".querySelector('button').click()")
            same(page.chromium.evaluate(head + ".getAttribute('aria-sort')"), direction, column + " sorted")
            values = [want.parameter(r["data-configuration"], column) for r in page.all("#configurations tbody tr")]
            known = [v for v in values if v is not None]
            check(values[: len(known)] == known, column, "missing values not last")
            if all(isinstance(v, int) for v in known):
                same(known, sorted(known, reverse=direction == "descending"), column + " in order")


def check_distribution(page, want):
    points = page.all("#distribution circle.point[data-gcups]")
    same(
        sorted((p["data-configuration"], float(p["data-gcups"])) for p in points), sorted(want.drawn.items()), "points"
    )
    ranked = sorted(points, key=lambda p: int(p["data-rank"]))
    values = [float(p["data-gcups"]) for p in ranked]
    scores = [want.score[p["data-configuration"]] for p in ranked]
    same(scores, sorted(scores, reverse=True), "ranks")
    same(
        [p["data-configuration"] for p in points if "best" in p["class"].split()],
        [want.best] if want.best else [],
        "marked best",
    )
    # Drawn where the value belongs: heights are linear in the value, and so is the line of the limit.
    if len(values) > 1 and values[0] > values[-1]:
        heights = [float(p["cy"]) for p in ranked]
        slope = (heights[-1] - heights[0]) / (values[-1] - values[0])
        place = lambda value: heights[0] + slope * (value - values[0])
        check(slope < 0 and all(abs(place(v) - h) < 0.01 for v, h in zip(values, heights)), "heights of the points")
        lines = page.all("#distribution line.limit[data-limit]")
        if want.limit(want.best):
            same([float(l["data-limit"]) for l in lines], [want.limit(want.best)], "limit")
            check(abs(float(lines[0]["y1"]) - place(want.limit(want.best))) < 0.01, "height of the limit")
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
    for x in names:
        for y in names:
            if x == y:
                continue
            page.choose("#heat-map label:nth-child(1) select", x)
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
                    float(c["data-gcups"]) == want.drawn[c["data-configuration"]]
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
    same(len(page.all("#course path.cross[data-kind]")), len(want.candidates) - len(want.correct), "crosses")


CONTRAST = """(() => {
  const colour = (text) => { const pen = document.createElement('canvas').getContext('2d'); pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1); return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (text) => colour(text).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const style = getComputedStyle(document.documentElement), value = (name) => style.getPropertyValue('--' + name).trim();
  const found = {};
  for (const name of ['ink', 'soft', 'limit', 'model', 'bad', 'accent']) for (const ground of ['paper', 'card']) {
    const [a, b] = [light(value(name)), light(value(ground))].sort((x, y) => y - x);
    found[name + ' on ' + ground] = (a + 0.05) / (b + 0.05);
  }
  return found;
})()"""


def check_looks(page, name, folder):
    chromium = page.chromium
    for look, width, dark, phone in (
        ("desktop", 1200, False, False),
        ("dark", 1200, True, False),
        ("phone", 360, False, True),
    ):
        chromium.screen(width, 800, dark=dark, phone=phone)
        check(
            chromium.evaluate("document.documentElement.scrollWidth") <= width, name, look, "is wider than the screen"
        )
        for what, contrast in chromium.evaluate(CONTRAST).items():
            check(contrast >= (3 if what.startswith("accent") else 4.5), look, what, "has contrast", contrast)
        picture = os.path.join(folder, f"{name}-{look}.png")
        chromium.picture(picture)
        check(os.path.getsize(picture) > 20000, picture, "is empty")
    chromium.screen(1200, 800, media="print")
    check(
        chromium.evaluate("getComputedStyle(document.querySelector('#configurations .scroll')).overflowY") == "visible",
        "on paper the table is cut",
    )
    chromium.screen(1200, 800)


def check_clean(page, path, what):
    same(page.chromium.troubles, [], what + " console")
    same(page.chromium.requests, ["file://" + os.path.abspath(path)], what + " requests")


def check_tip(page):
    """By keyboard and by mouse, a mark says what it is."""
    cell = page.chromium.evaluate(
        "(() => { const c = document.querySelector('#heat-map rect[data-configuration]'); c.focus();"
        "return c.dataset.configuration; })()"
    )
    check(cell in page.chromium.evaluate("document.getElementById('tip').textContent"), "tip of a focused field")
    at = page.chromium.evaluate(
        "(() => { document.activeElement.blur(); const p = document.querySelector('#distribution circle.best');"
        "p.scrollIntoView({block: 'center'}); const r = p.getBoundingClientRect();"
        "return [r.x + r.width / 2, r.y + r.height / 2, p.dataset.configuration]; })()"
    )
    page.chromium.evaluate("new Promise((done) => setTimeout(done, 150))")  # the scroll hides it first
    page.chromium.move(at[0], at[1])
    check(
        at[2]
        in page.chromium.evaluate(
            "document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent"
        ),
        "tip under the mouse",
    )


def check_hostile(page, want):
    same(page.chromium.evaluate("typeof window.broken"), "undefined", "script from a recording")
    same(page.chromium.evaluate("document.scripts.length"), 3, "scripts")
    same(page.chromium.evaluate("document.images.length"), 0, "images")
    same(page.all("[data-fact=spec]")[0]["text"], want.lines[0]["spec"]["name"], "hostile spec name")
    same(page.all("[data-fact=system]")[0]["text"], want.lines[0]["environment"]["os"], "hostile system")
    check(page.chromium.evaluate("document.title").startswith("Tuning: </script>"), "hostile title")


def check_comparison(page, wanted):
    bars = page.all("#comparison rect.bar")
    same(
        [(float(b["data-gcups"]), b["data-configuration"]) for b in bars],
        [(want.correct[want.best], want.best) for want in wanted],
        "runs side by side",
    )
    for i, want in enumerate(wanted):
        page.choose("#run-choice select", page.options("#run-choice select")[i])
        check_summary(page, want)
        check_table(page, want)
    got = page.chromium.evaluate(
        "[...document.querySelectorAll('#transfer tbody tr')].map((r) => "
        "[...r.querySelectorAll('td.number')].map((d) => d.dataset.gcups ? Number(d.dataset.gcups) : null))"
    )
    same(got, [[b.correct.get(a.best) for b in wanted] for a in wanted], "winners in the other runs")


def main():
    program, synthetic, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = lambda name: os.path.join(folder, name)
    for kind in ("cpu", "gpu", "bare", "failed", "hostile"):
        subprocess.run([sys.executable, synthetic, kind, path(kind + ".jsonl")], check=True)
    # A second machine: the first one's recording, slower and in part unmeasured.
    with open(path("cpu.jsonl"), encoding="utf-8") as first, open(path("cpu2.jsonl"), "w", encoding="utf-8") as second:
        for line in first.read().split("\n")[:150]:
            one = json.loads(line)
            one["environment"]["cpu"] = "Another Synthetic CPU"
            for m in one["measurements"]:
                m["value"] *= (
                    0.5 + 0.01 * ((one["configuration"]["k"] + 1) % 5) if m["name"] in ("gcups", "relative") else 1
                )
            second.write(json.dumps(one) + "\n")
    pages = {kind: [kind] for kind in ("cpu", "gpu", "bare", "failed", "hostile")} | {"both": ["cpu", "cpu2"]}
    for name, kinds in pages.items():
        done = subprocess.run(
            [program, "tune", "report", *(path(k + ".jsonl") for k in kinds), "-o", path(name + ".html")],
            capture_output=True,
            text=True,
        )
        if done.returncode == 1 and "no D3" in done.stderr:
            print("skipped: this build has no D3")
            return 77
        same((done.returncode, done.stderr), (0, ""), "tune report " + name)
    found = browser.find()
    if not found:
        print("skipped: no Chromium on this machine")
        return 77
    wants = {kind: Expected(path(kind + ".jsonl")) for kind in ("cpu", "cpu2", "gpu", "bare", "failed", "hostile")}
    same(len(wants["cpu"].candidates), 204, "configurations of the recording")
    same(
        {k for k in wants["cpu"].kinds.values()},
        {"correct", "constraints", "compile", "runtime", "timeout", "correctness"},
        "kinds of failures in the recording",
    )
    cpu = wants["cpu"]
    check(
        cpu.best != max(cpu.correct, key=cpu.correct.get), "drift does not matter in the recording, so nothing tests it"
    )
    with browser.Browser(found) as chromium:
        page = Page(chromium)
        for name in pages:
            before = len(failures)
            chromium.screen(1200, 800)
            chromium.open(path(name + ".html"))
            if chromium.evaluate("document.documentElement.dataset.ready") != "yes":
                failures.append(f"{name} was not drawn to its end: {chromium.troubles}")
                continue
            if name == "both":
                check_comparison(page, [wants["cpu"], wants["cpu2"]])
            else:
                want = wants[name]
                for part in (
                    check_summary,
                    check_table,
                    check_distribution,
                    check_heat_map,
                    check_lengths,
                    check_effect,
                    check_course,
                    check_failures,
                ):
                    part(page, want)
            if name == "cpu":
                check_tip(page)
                page.choose("#drawn-choice select", "corrected for the machine's drift")
                wants[name].correct_for_drift()
                for part in (check_summary, check_table, check_distribution, check_heat_map, check_effect):
                    part(page, wants[name])
                chromium.paper(path("cpu.pdf"))
            if name == "hostile":
                check_hostile(page, wants[name])
            check_looks(page, name, folder)
            check_clean(page, path(name + ".html"), name)
            for i in range(before, len(failures)):
                failures[i] = name + ": " + failures[i]
    for failure in failures[:40]:
        print(failure)
    print(f"{len(failures)} checks failed" if failures else "all checks held")
    return 1 if failures else 0


sys.exit(main())
