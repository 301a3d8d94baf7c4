"""The notebook runs from its first cell to its last and shows what it says."""
import pathlib
import shutil

import nbformat
from nbclient import NotebookClient
from support import ROOT


def test_tour():
    folder = ROOT / "examples" / "python"
    notebook = nbformat.read(folder / "tour.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs"
    before = set(folder.iterdir())
    try:
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
        pages = [page for page in folder.glob("tuning-*/page.html") if page.parent not in before]
        assert len(pages) == 1 and "dna-global-affine" in pathlib.Path(pages[0]).read_text(encoding="utf-8")
    finally:
        for made in set(folder.iterdir()) - before:
            shutil.rmtree(made, ignore_errors=True)
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = "".join(output.get("text", "") + output.get("data", {}).get("text/plain", "") for output in shown)
    assert any("image/png" in output.get("data", {}) for output in shown)
    assert "query          0 " in texts and "||||" in texts and "evalue" in texts and "IFrame" in texts
