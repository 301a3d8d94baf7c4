"""Random scorings and sequences: scores are Biopython's, and each CIGAR scores what is said of it."""
import functools
import random

import alnsmith
import pytest
from Bio.Align import PairwiseAligner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import FULL

MODES = {"global": {}, "local": {}, "semiglobal": {}}
dna = st.lists(st.tuples(st.text("ACGT", min_size=1, max_size=40), st.text("ACGT", min_size=1, max_size=40)), min_size=1,
               max_size=8)
proteins = st.lists(st.tuples(st.text("ARNDCQEGHILKMFPSTWYV", min_size=1, max_size=40),
                              st.text("ARNDCQEGHILKMFPSTWYV", min_size=1, max_size=40)), min_size=1, max_size=8)
# One spec serves all values: they come with the aligner, so nothing is compiled for a new one.
values = st.tuples(st.integers(1, 9), st.integers(-9, 0), st.integers(0, 12), st.integers(1, 6))


def spec(mode):
    return {"alignment": mode, "alphabet": "dna", "gap": {"model": "affine", "open": "runtime", "extend": "runtime"},
            "score": {"match": "runtime", "mismatch": "runtime"}}


@functools.lru_cache(maxsize=4096)
def runtime_aligner(mode, match, mismatch, gap_open, gap_extend):
    return alnsmith.Aligner(spec(mode), threads=1, scoring={
        "match": match, "mismatch": mismatch, "insertion_open": gap_open, "insertion_extend": gap_extend,
        "deletion_open": gap_open, "deletion_extend": gap_extend})


def biopython(mode, gap_open, gap_extend, **scores):
    peer = PairwiseAligner(mode="local" if mode == "local" else "global", open_gap_score=-(gap_open + gap_extend),
                           extend_gap_score=-gap_extend, **scores)
    if mode == "semiglobal":
        peer.end_gap_score = 0
    return peer


def below_zero_by_its_rule(mode, score, ours):
    """With all ends free Biopython may align nothing, for 0 (docs/spec.md, empty alignments)."""
    return mode == "semiglobal" and score == 0 and ours < 0


settings.register_profile("short", max_examples=400 if FULL else 40, deadline=None, derandomize=not FULL,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("short")


@pytest.mark.parametrize("mode", MODES)
@given(pairs=dna, scoring=values)
def test_dna(mode, pairs, scoring):
    match, mismatch, gap_open, gap_extend = scoring
    queries, targets = map(list, zip(*pairs))
    ours = runtime_aligner(mode, *scoring).align(queries, targets).score.tolist()
    peer = biopython(mode, gap_open, gap_extend, match_score=match, mismatch_score=mismatch)
    for query, target, score in zip(queries, targets, ours):
        expected = peer.score(target, query)
        assert score == expected or below_zero_by_its_rule(mode, expected, score), (query, target)


@pytest.mark.parametrize("mode", MODES)
@given(pairs=proteins)
def test_proteins(mode, pairs):
    from Bio.Align import substitution_matrices

    aligner = protein_aligner(mode)
    peer = biopython(mode, 11, 1, substitution_matrix=substitution_matrices.load("BLOSUM62"))
    queries, targets = map(list, zip(*pairs))
    for query, target, score in zip(queries, targets, aligner.align(queries, targets).score.tolist()):
        expected = peer.score(target, query)
        assert score == expected or below_zero_by_its_rule(mode, expected, score), (query, target)


@functools.lru_cache(maxsize=None)
def protein_aligner(mode):
    return alnsmith.Aligner(alignment=mode, matrix="BLOSUM62", gap_open=11, gap_extend=1, threads=1)


@functools.lru_cache(maxsize=None)
def cigar_aligner(name):
    return alnsmith.Aligner(name, threads=1)


@pytest.mark.parametrize("name,mode", [("dna-global-cigar", "global"), ("dna-local-cigar", "local"),
                                       ("dna-semiglobal-cigar", "semiglobal")])
@given(pairs=dna)
def test_alignments_score_what_is_said(name, mode, pairs):
    queries, targets = map(list, zip(*pairs))
    result = cigar_aligner(name).align(queries, targets)
    for i, (query, target) in enumerate(pairs):
        top, marks, bottom = result.rows(i)
        score = 2 * marks.count("|") - marks.count(".") - sum(
            2 + len(run) for row in (top, bottom) for run in row.translate(str.maketrans("ACGT", "    ")).split())
        assert score == result.score[i]
        assert top.replace("-", "") == query[result.query_begin[i]:result.query_end[i] + 1] or not top
        assert bottom.replace("-", "") == target[result.target_begin[i]:result.target_end[i] + 1] or not bottom
        if top:
            made = result.to_biopython(i)
            assert (made[1], made[0]) == (top, bottom)


def test_long_pairs():
    random.seed(3)
    for mode in MODES:
        query = "".join(random.choices("ACGT", k=3000))
        target = "".join(c if random.random() < 0.9 else random.choice("ACGT") for c in query[200:])
        peer = biopython(mode, 4, 2, match_score=2, mismatch_score=-4)
        assert runtime_aligner(mode, 2, -4, 4, 2).align(query, target).score[0] == peer.score(target, query)
