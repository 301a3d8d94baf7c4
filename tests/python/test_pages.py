"""Examples of the pages and docstrings do what they say."""
import doctest
import importlib
import pkgutil
import re

import alnsmith
import pytest
from support import ROOT

FLAGS = doctest.ELLIPSIS


class Verbatim(doctest.OutputChecker):
    """Blanks at the ends of lines do not count."""

    def check_output(self, want, got, optionflags):
        want, got = (re.sub(r" +\n", "\n", text) for text in (want, got))
        return super().check_output(want, got, optionflags)


def run(text, name):
    globs, failures = {}, []
    runner = doctest.DocTestRunner(checker=Verbatim(), optionflags=FLAGS)
    count = 0
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        line = text[:match.start()].count("\n") + 1
        test = doctest.DocTestParser().get_doctest(match[1], globs, f"{name}:{line}", name, line)
        test.globs = globs
        runner.run(test, clear_globs=False, out=failures.append)
        count += len(test.examples)
    assert count and not failures, "".join(failures)


@pytest.mark.parametrize("page", ["python.md", "python-peers.md"])
def test_pages(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    run((ROOT / "docs" / page).read_text(encoding="utf-8"), page)


@pytest.mark.parametrize("name", ["alnsmith", *(f"alnsmith.{part.name}" for part in pkgutil.iter_modules(alnsmith.__path__)
                                                if part.name not in ("_core", "__main__"))])
def test_docstrings(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0


def test_readme():
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "python" / "alnsmith" / "README.md").read_text(), re.M | re.S)
    for block in blocks:
        exec(block, {})  # pylint: disable=exec-used
