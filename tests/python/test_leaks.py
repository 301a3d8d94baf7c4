"""Memory after many calls of every kind is what it was after some: 10^6 calls with ALNSMITH_FULL=1, else a twentieth."""
import gc
import resource

import alnsmith
import numpy
import pyarrow
import pytest
from support import FULL

CALLS = 1_000_000 if FULL else 50_000


def resident():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def grown(call, calls):
    """Bytes that the second half of the calls left behind."""
    for _ in range(calls // 2):
        call()
    before = resident()
    for _ in range(calls // 2):
        call()
    return resident() - before


def refused(call):
    try:
        call()
    except (TypeError, ValueError):
        return
    raise AssertionError("is not refused")


def test_calls():
    aligner = alnsmith.Aligner("dna-global-cigar", threads=1)

    def call():
        result = aligner.align(["ACGT", "GATTACA"], ["ACT", "GATACA"])
        result.score, result.query_end, result.cigars[0], result.cigars.runs

    assert grown(call, CALLS) < 2 << 20


@pytest.mark.parametrize("name", ["rows", "packed", "arrow", "chunks", "all", "search", "progress", "errors", "threads"])
def test_kinds_of_calls(name):
    aligner = alnsmith.Aligner("protein-local-blosum62", threads=1)
    texts = ["ACDEFGH", "KLMNP"]
    rows = numpy.array(texts, "S")
    packed = (b"ACDEFGHKLMNP", numpy.array([0, 7, 12]))
    arrow, chunks = pyarrow.array(texts), pyarrow.chunked_array([texts[:1], texts[1:]])
    calls = {
        "rows": lambda: aligner.align(rows, rows),
        "packed": lambda: aligner.align(packed, packed),
        "arrow": lambda: aligner.align(arrow, arrow),
        "chunks": lambda: aligner.align(chunks, chunks),
        "all": lambda: aligner.align_all(texts, texts).report,
        "search": lambda: aligner.search(texts, texts).target_names,
        "progress": lambda: aligner.align(texts, texts, progress=lambda *_: None),
        "errors": lambda: refused(lambda: aligner.align(["AC", 7], texts)) or refused(lambda: aligner.align("A", texts)),
        "threads": lambda: aligner.align(texts, texts, threads=2),
    }
    assert grown(calls[name], CALLS // 100 if name in ("search", "progress") else CALLS // 10) < 2 << 20


def test_opening():
    def call():
        alnsmith.Aligner("dna-global-affine").align("ACGT", "ACGT")

    assert grown(call, 100) < 2 << 20
