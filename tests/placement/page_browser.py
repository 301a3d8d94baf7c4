"""The page of `alnsmith place --plot` in headless Chromium: the tree, its branches and the reads on them.

usage: page_browser.py PROGRAM TOOLS DATA FOLDER; PROGRAM is followed by `place`, TOOLS has browser.py. Exit status 77
without a browser or D3.
"""
import json
import os
import shutil
import subprocess
import sys

program, tools, data, folder = sys.argv[1:]
sys.path.insert(0, tools)
import browser  # noqa: E402
from report_page import Page, check, failures, same  # noqa: E402


def place(name, reads, tree=None):
    out = os.path.join(folder, name)
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run(
        [program, "place", "--tree", tree or os.path.join(data, "placement_tree.nwk"),
         "--reference", os.path.join(data, "placement_reference.phy.gz"), "--query", reads,
         "--out", out, "--plot", out + ".html", "--quiet", "--insertions", "none"],
        capture_output=True, text=True, check=False)
    if done.returncode == 1 and "no D3" in done.stderr:
        print("skipped: this build has no D3")
        sys.exit(77)
    same((done.returncode, done.stderr), (0, ""), name)
    with open(os.path.join(out, "placements.jplace"), encoding="utf-8") as file:
        return out + ".html", json.load(file)


def check_tree(page, jplace):
    """Branches are drawn with the reads that .jplace has on them."""
    reads = {}
    for one in jplace["placements"]:
        for row in one["p"]:
            reads[row[0]] = reads.get(row[0], 0) + row[2]
    drawn = {int(p["data-branch"]): p for p in page.all("#tree path")}
    same(sorted(drawn), list(range(jplace["tree"].count("{"))), "branches")
    for branch, path in drawn.items():
        check(abs(float(path["data-reads"]) - reads.get(branch, 0)) < 1e-9, "reads of branch", branch)
        same(path.get("class") == "placed", branch in reads, f"class of branch {branch}")
        check("NaN" not in path["d"], "the line of branch", branch)
    widths = {b: float(p["stroke-width"]) for b, p in drawn.items()}
    most = max(reads, key=reads.get)
    same(max(widths, key=widths.get), most, "thickest branch")
    rows = page.chromium.evaluate(
        "[...document.querySelectorAll('#branches tr')].slice(1).map((r) => [...r.cells].map((c) => c.textContent))")
    same(len(rows), min(50, len(reads)), "rows of the list")
    same(int(rows[0][0]), most, "first of the list")
    return drawn


def main():
    os.makedirs(folder, exist_ok=True)
    found = browser.find()
    plain, jplace = place("plain", os.path.join(data, "placement_reads.fasta"))
    if not found:
        print("skipped: no Chromium on this machine")
        return 77
    with browser.Browser(found) as chromium:
        page = Page(chromium)
        for width, phone in ((1200, False), (360, True)):
            chromium.screen(width, 800, phone=phone)
            chromium.open(plain)
            same(chromium.evaluate("document.documentElement.dataset.ready"), "yes", "drawn to its end")
            check_tree(page, jplace)
            check(chromium.evaluate("document.documentElement.scrollWidth") <= width, "wider than the screen", width)
        tips = [t["text"] for t in page.all("#tree text")]
        same(len(tips), 24, "names of tips")
        check("S000112115" in tips, "a tip by its name")
        check("40 reads" in page.all("#what")[0]["text"], "reads in all", page.all("#what"))
        chromium.picture(os.path.join(folder, "plain.png"))
        same(chromium.troubles, [], "console")
        same(chromium.requests, ["file://" + os.path.abspath(plain)], "requests")
    for failure in failures[:40]:
        print(failure)
    print(f"{len(failures)} checks failed" if failures else "all checks held")
    return 1 if failures else 0


sys.exit(main())
