"""The statistics behind a search's E-values: from a scoring as its kernels tell it to those of the library."""
from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Tuple

from . import _core
from ._installation import ask
from ._spec import SpecFile

# Letters, synonyms, wildcard, matrix, lines of gap costs of insertions and of deletions.
_Scoring = Tuple[str, Dict[str, str], str, List[int], List[Tuple[int, int]], List[Tuple[int, int]]]


def find(aligner: _core.Aligner, spec: str, threads: int, memory: int) -> _core.Significance:
    """Statistics of an aligner's scoring.

    Args:
        aligner: whose.
        spec: its name or file, for simulations.
        threads, memory: of simulations.

    Raises:
        ValueError: the scoring has none; the line says why.
    """
    manifest = json.loads(aligner.manifest)
    scoring = _scoring(aligner, manifest)
    try:
        return _core.significance(*scoring, "", threads, memory)
    except ValueError:  # no row of a table
        pass
    begins = SpecFile({})
    try:
        with open(begins.path, "w", encoding="utf-8") as file:
            file.write(_with_begins(ask("spec", "show", "--", spec)))
        return _core.significance(*scoring, begins.path, threads, memory)
    except ValueError as error:
        raise ValueError(begins.said(str(error))) from None
    finally:
        begins.remove()


def _with_begins(canonical: str) -> str:
    lines = [line for line in canonical.splitlines() if not line.startswith(("max_length:", "#"))]
    return "\n".join(re.sub(r"^output: .*", "output: [score, end, begin]", line) for line in lines) + "\n"


def _scoring(aligner: _core.Aligner, manifest: dict[str, Any]) -> _Scoring:
    meaning, alphabet = manifest["semantics"], manifest["alphabet"]
    if meaning["alignment"] != "local" or meaning["objective"] != "maximize":
        raise ValueError("only the best local alignments follow a law that gives E")
    if "band" in meaning:
        raise ValueError("its scores depend on a band")
    values = {**meaning["scoring"], **aligner.values}
    letters, wildcard = alphabet["letters"], alphabet.get("wildcard") or ""
    if meaning["matrix"] != "none":
        matrix = list(aligner.matrix)
        if not matrix:
            raise ValueError("the matrix of this spec is not known: open it by its file or name")
    elif "match" in values and "mismatch" in values:
        matrix = [values["match"] if a == b and a != wildcard else values["mismatch"] for a in letters for b in letters]
    else:
        raise ValueError("the scores are not known")
    return (letters, _synonyms(alphabet), wildcard, matrix, _lines(values, "insertion"), _lines(values, "deletion"))


def _synonyms(alphabet: dict[str, Any]) -> dict[str, str]:
    letters = alphabet["letters"]
    return {chr(byte): letters[code] for byte, code in alphabet["query_codes"]
            if code < len(letters) and chr(byte).isupper() and chr(byte) not in letters}


def _lines(values: dict[str, int], side: str) -> List[Tuple[int, int]]:
    """Lines of a side's gap costs: open and extend."""
    return [(values.get(f"{side}_open{line}", 0), values[f"{side}_extend{line}"]) for line in ("", "2")
            if f"{side}_extend{line}" in values]
