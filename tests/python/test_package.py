"""The package as such: typed, documented, with its program."""
import inspect
import os
import pathlib
import re
import subprocess
import sys

import alnsmith
import pytest
from support import PROGRAM, ROOT

FOLDER = pathlib.Path(alnsmith.__file__).parent
PUBLIC = [getattr(alnsmith, name) for name in alnsmith.__all__ if not name.startswith("__")]


def members(value):
    return [getattr(value, name) for name in vars(value) if not name.startswith("_")] if inspect.isclass(value) else []


@pytest.mark.parametrize("value", [*PUBLIC, *(member for value in PUBLIC for member in members(value))],
                         ids=lambda value: getattr(value, "__qualname__", str(value)))
def test_words_for_every_public_name(value):
    if inspect.ismemberdescriptor(value):
        return  # of __slots__; the class says what they are
    text = inspect.getdoc(value)
    assert text and text.strip().endswith((".", "]", ")", "[8]", "True", "'")) or ">>>" in text
    if inspect.isfunction(value) and len(inspect.signature(value).parameters) > 1 and "Aligner" not in value.__qualname__:
        assert "Args:" in text
    for name in inspect.signature(value).parameters if inspect.isfunction(value) and "Args:" in (text or "") else ():
        assert name == "self" or re.search(rf"\b{name}\b", text), name


def test_types(tmp_path):
    """The package is typed strictly, and a program over it is checked by its types."""
    assert (FOLDER / "py.typed").exists() and (FOLDER / "_core.pyi").exists()
    program = tmp_path / "program.py"
    program.write_text("""import alnsmith, numpy, typing
aligner = alnsmith.Aligner("dna-global-affine", threads=1)
scores: numpy.ndarray = aligner.align(["A"], ["A"]).score
hits: alnsmith.Hits = aligner.search(["A"], ["A"])
cigar: str = aligner.align("A", "A").cigars[0]
wrong: int = aligner.name
alnsmith.Aligner(alignment={"free_ends": ["query_begin"]}, match=1, mismatch="runtime", gap_extend=1)
alnsmith.Aligner(alignment="global", matrix=[[1, -1], [-1, 1]], alphabet={"letters": "AC"}, gap_extend=1)
core = aligner._core.align(aligner._core, aligner._core, True, [], 1, 1, None)  # type: ignore[arg-type]
typing.assert_type(core.cigar_texts(), list[str])
typing.assert_type(core.report(), dict[str, typing.Any])
typing.assert_type(alnsmith._core.devices(), list[dict[str, typing.Any]])
typing.assert_type(alnsmith._core.read("", 0), tuple[alnsmith._core.Sequences, list[str], list[str]])
""")
    assert alnsmith.Sequences.__annotations__.keys() == {"names", "descriptions"}
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "--config-file",
                           ROOT / "python" / "alnsmith" / "pyproject.toml", program, *FOLDER.glob("[!_]*.py"),
                           *FOLDER.glob("_[!_c]*.py")], capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": str(FOLDER.parent)})
    wrong = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(wrong) == 1 and "program.py:6" in wrong[0], done.stdout + done.stderr


def test_pages_of_docstrings(tmp_path):
    subprocess.run([sys.executable, "-m", "pdoc", "-o", tmp_path, "alnsmith"], check=True, capture_output=True)
    page = (tmp_path / "alnsmith.html").read_text(encoding="utf-8")
    for word in ("align_all", "search", "read_sequences", "query_begin", "offsets"):
        assert word in page


def test_program():
    said = [subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for command in ([sys.executable, "-m", "alnsmith", "--version"], [PROGRAM, "--version"])]
    assert said[0] == said[1] and alnsmith.__version__ in said[0]


def test_versions():
    text = (ROOT / "python" / "alnsmith" / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^version = "(.*)"$', text, re.M)[1] == alnsmith.__version__


def test_shipped_specs():
    named = alnsmith.shipped_specs()
    assert {path.stem for path in (ROOT / "specs").glob("*.yaml")} == set(named) and all(named.values())
