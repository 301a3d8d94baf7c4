"""The other strand of nucleotides, by the rules of tools/formats/letters.cpp."""
from __future__ import annotations

import json

from . import _core

_NUCLEOTIDES = set("ACGTURYSWKMBDHVN")
_COMPLEMENT = bytes.maketrans(b"ACGTUacgtuRYSWKMBDHVryswkmbdhv", b"TGCAAtgcaaYRSWMKVHDByrswmkvhdb")


def check(aligner: _core.Aligner, strand: str) -> None:
    """ValueError where a search cannot have that strand: it is none, or the letters are no nucleotides."""
    if strand not in ("plus", "minus", "both"):
        raise ValueError(f"strand: '{strand}' is none of plus, minus and both")
    if strand == "plus":
        return
    letters = json.loads(aligner.manifest)["alphabet"]["letters"]
    if not _NUCLEOTIDES.issuperset(letters) or {"T", "U"}.issubset(letters):
        raise ValueError(f"strand '{strand}': the alphabet of spec {aligner.name} is {letters}, and nucleotides alone have "
                         "two strands: take it out")


def reversed_complements(queries: _core.Sequences) -> _core.Sequences:
    """The other strand of each query."""
    return _core.texts([queries.letters(i).translate(_COMPLEMENT)[::-1] for i in range(len(queries))], "queries")
