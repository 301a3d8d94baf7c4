#!/usr/bin/env python3
"""The report's page in a real browser: everything drawn is compared with the recording, read here by other code.

Usage: report_browser.py ALNSMITH SYNTHETIC_RECORDING FOLDER     (pages and screenshots stay in FOLDER)
Exit status: 0 all held, 1 something did not, 77 skipped: no Chromium on this machine, or a build without D3.
"""

import json
import os
import subprocess
import sys

import browser
from report_charts import check_course, check_distribution, check_effect, check_failures, check_heat_map, check_lengths
from report_expected import Expected, measured
from report_page import Page, check, failures, same


KINDS = ("cpu", "refuted", "gpu", "bare", "failed", "hostile")
EVERY = bool(os.environ.get("ALNSMITH_FULL"))
LOOKED_AT = (*KINDS, "both") if EVERY else ("cpu", "hostile")
PICTURES = LOOKED_AT if EVERY else ("cpu",)  # they take long


def check_summary(page, want):
    figures = {f["data-figure"]: f for f in page.all("[data-figure]")}
    same(int(figures["counts"]["data-value"]), len(want.candidates), "number of configurations")
    check(
        f"{len(want.correct)} correct, {len(want.candidates) - len(want.correct)} failed" in figures["counts"]["text"],
        "counts",
    )
    if not want.best:
        check("best" not in figures, "a best without a correct configuration")
        check("nothing was correct" in page.all("[data-next]")[0]["text"], "next step after failures only")
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
        same(next(iter(figures)), "final", "first figure")
        same(float(figures["final"]["data-value"]), measured(want.final, "gain"), "final gain")
        gain, spread = measured(want.final, "gain"), measured(want.final, "gain_spread")
        word = "faster" if gain - 1 > spread else "slower" if 1 - gain > spread else "no difference"
        check(word in figures["final"]["text"], "final word", figures["final"]["text"])
        same("noisy" in figures["final"]["text"], spread > 0.1, "word on noise")
        step = f"alnsmith tune apply {want.name}" if word == "faster" else "nothing to apply: the planner's choice stays"
        check(page.all("[data-next]")[0]["data-next"].startswith(step), "next step", page.all("[data-next]"))
    else:
        check("--resume" in page.all("[data-next]")[0]["text"], "next step of an unfinished search")


def check_table(page, want, sort=True):
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
    if not (sort or EVERY):
        return
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
        if name in PICTURES:
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
        check_table(page, want, sort=i > 0)
    got = page.chromium.evaluate(
        "[...document.querySelectorAll('#transfer tbody tr')].map((r) => "
        "[...r.querySelectorAll('td.number')].map((d) => d.dataset.gcups ? Number(d.dataset.gcups) : null))"
    )
    same(got, [[b.correct.get(a.best) for b in wanted] for a in wanted], "winners in the other runs")


def main():
    program, synthetic, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = lambda name: os.path.join(folder, name)
    for kind in KINDS:
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
    pages = {kind: [kind] for kind in KINDS} | {"both": ["cpu", "cpu2"]}
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
    wants = {kind: Expected(path(kind + ".jsonl")) for kind in (*KINDS, "cpu2")}
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
                page.choose("#drawn-choice select", "GCUPS as measured")
                wants[name].as_measured()
                check_table(page, wants[name], sort=False)
                for part in (check_summary, check_distribution, check_heat_map, check_effect, check_course):
                    part(page, wants[name])
                chromium.paper(path("cpu.pdf"))
            if name == "hostile":
                check_hostile(page, wants[name])
            if name in LOOKED_AT:
                check_looks(page, name, folder)
            check_clean(page, path(name + ".html"), name)
            for i in range(before, len(failures)):
                failures[i] = name + ": " + failures[i]
    for failure in failures[:40]:
        print(failure)
    print(f"{len(failures)} checks failed" if failures else "all checks held")
    return 1 if failures else 0


sys.exit(main())
