"""Errors are ValueError, FileNotFoundError and MemoryError with one line; nothing ends the interpreter."""
import gzip
import pathlib
import subprocess

import alnsmith
import pytest
from support import DATA, PROGRAM

LOCAL = {"alignment": "local", "match": 2, "mismatch": -1, "gap_extend": 1}


@pytest.mark.parametrize("kind,words,call", [
    (FileNotFoundError, "no such spec file", lambda: alnsmith.Aligner("no-such-spec")),
    (FileNotFoundError, "missing.yaml", lambda: alnsmith.Aligner("/nowhere/missing.yaml")),
    (FileNotFoundError, "No such file", lambda: alnsmith.read_sequences("/nowhere/missing.fa")),
    (ValueError, "give a spec, or alignment", alnsmith.Aligner),
    (ValueError, "leave out match", lambda: alnsmith.Aligner("dna-global-affine", match=3)),
    (ValueError, "leave out objective", lambda: alnsmith.Aligner("dna-global-affine", objective="minimize")),
    (ValueError, "^spec:.*maximise", lambda: alnsmith.Aligner(**LOCAL, objective="maximise")),
    (ValueError, "scores are missing", lambda: alnsmith.Aligner(alignment="local", gap_extend=1)),
    (ValueError, "gap_extend is missing", lambda: alnsmith.Aligner(alignment="local", match=1, mismatch=-1)),
    (ValueError, "come together", lambda: alnsmith.Aligner(**LOCAL, gap_open2=2)),
    (ValueError, "leave them out", lambda: alnsmith.Aligner(**LOCAL, matrix="BLOSUM62")),
    (ValueError, "^spec:.*globall", lambda: alnsmith.Aligner(**{**LOCAL, "alignment": "globall"})),
    (ValueError, "^spec:.*alinment", lambda: alnsmith.Aligner({"alinment": "global"})),
    (ValueError, "^spec:.*BLOSUM63", lambda: alnsmith.Aligner(alignment="local", matrix="BLOSUM63", gap_extend=1)),
    (FileNotFoundError, "^matrix: /no/x.mat: No such file", lambda: alnsmith.Aligner(
        alignment="local", matrix=pathlib.Path("/no/x.mat"), gap_extend=1)),
    (ValueError, "stands for nothing", lambda: alnsmith.Aligner({"alignment": object()})),
    (ValueError, "'ends' is none of", lambda: alnsmith.Aligner(**LOCAL, output="ends")),
    (ValueError, r"shape \(2, 3\)", lambda: alnsmith.Aligner(alignment="local", gap_extend=1, alphabet="dna",
                                                             matrix=__import__("numpy").zeros((2, 3)))),
    (ValueError, "scores are integers", lambda: alnsmith.Aligner(alignment="local", gap_extend=1,
                                                                 matrix=("AC", [[0.5, 1], [1, 1]]))),
    (ValueError, "^match: 2.9 is no integer", lambda: alnsmith.Aligner(**{**LOCAL, "match": 2.9})),
    (ValueError, "^mismatch: -2.0 is no integer: write -2", lambda: alnsmith.Aligner(**{**LOCAL, "mismatch": -2.0})),
    (ValueError, "^match: '2' is no integer", lambda: alnsmith.Aligner(**{**LOCAL, "match": "2"})),
    (ValueError, "^gap_extend: 1.9 is no integer", lambda: alnsmith.Aligner(**{**LOCAL, "gap_extend": 1.9})),
    (ValueError, "^gap_open: inf is no integer", lambda: alnsmith.Aligner(**LOCAL, gap_open=float("inf"))),
    (ValueError, "^gap_extend2: nan is no integer", lambda: alnsmith.Aligner(**LOCAL, gap_open2=9,
                                                                             gap_extend2=float("nan"))),
    *((ValueError, "scores are integers", lambda wrong=wrong: alnsmith.Aligner(
        alignment="local", gap_extend=1, matrix=("AC", [[wrong, -1], [-1, 1]])))
      for wrong in (float("nan"), float("inf"), 1e30, 2**70, -2**63, "1")),
    (ValueError, "no instruction set", lambda: alnsmith.Aligner("dna-global-affine", isa="x86-64-v9")),
    (ValueError, "cuda:99|libcuda", lambda: alnsmith.Aligner("dna-global-affine", device="cuda:99")),
    (ValueError, "nothing:0", lambda: alnsmith.Aligner("dna-global-affine", device=["nothing:0"])),
    (ValueError, "matrix is an array", lambda: alnsmith.Aligner("dna-global-runtime", scoring={"matrix": [1.5]})),
])
def test_opening(kind, words, call):
    with pytest.raises(kind, match=words) as caught:
        call()
    assert "\n" not in str(caught.value) and "/tmp" not in str(caught.value)


@pytest.mark.parametrize("words,call", [
    ("^memory: 1000000000.0 is no integer: write 1000000000", lambda: alnsmith.Aligner("dna-global-affine", memory=1e9)),
    ("^memory: None is no integer", lambda: alnsmith.Aligner("dna-global-affine", memory=None)),
    ("^memory: -1 is outside 0..", lambda: alnsmith.Aligner("dna-global-affine", memory=-1)),
    ("^threads: '2' is no integer", lambda: alnsmith.Aligner("dna-global-affine", threads="2")),
    ("^threads: -1 is outside 0..", lambda: alnsmith.Aligner("dna-global-affine", threads=-1)),
    ("^device_memory: -1 is outside 0..", lambda: alnsmith.Aligner("dna-global-affine", device_memory=-1)),
    ("^isa: 5 is no name", lambda: alnsmith.Aligner("dna-global-affine", isa=5)),
    ("device", lambda: alnsmith.Aligner("dna-global-affine", device=[5])),
    ("^scoring: match: 1.5 is no integer", lambda: alnsmith.Aligner("dna-global-runtime", scoring={"match": 1.5})),
    ("^scoring: match: 1000000000000 is outside", lambda: alnsmith.Aligner("dna-global-runtime",
                                                                           scoring={"match": 10**12})),
    ("^scoring: its matrix is", lambda: alnsmith.Aligner("dna-global-runtime", scoring={"matrix": [[2**40]]})),
    ("scoring: unknown name '5'", lambda: alnsmith.Aligner("dna-global-runtime", scoring={5: 1})),
    ("^memory: 1.5 is no", lambda: alnsmith.read_sequences("/nowhere/missing.fa", memory=1.5)),
    ("^threads: 1.5 is no", lambda: alnsmith.Aligner("dna-global-affine").align("A", "A", threads=1.5)),
    ("^memory: 1.5 is no", lambda: alnsmith.Aligner("dna-global-affine").align_all("A", "A", memory=1.5)),
])
def test_numbers_and_names(words, call):
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_paths_of_bytes():
    assert alnsmith.Aligner(b"dna-global-affine").align("ACGT", "ACGT").score[0] == 8
    assert len(alnsmith.read_sequences(bytes(DATA / "protein_queries.fasta"))) == 12


def test_packs(tmp_path):
    junk, named = tmp_path / "junk.pack", tmp_path / "junk"
    junk.write_text("junk")
    named.write_text("junk")
    for kind, words, packs in ((FileNotFoundError, "packs: x.pack: No such file or directory: name a pack", "x.pack"),
                               (FileNotFoundError, "missing.pack: No such", [tmp_path / "missing.pack"]),
                               (ValueError, "packs: .*junk: a pack's name ends in .pack", named),
                               (ValueError, "junk.pack", [tmp_path, junk])):
        with pytest.raises(kind, match=words) as caught:
            alnsmith.Aligner("dna-global-affine", packs=packs)
        assert "\n" not in str(caught.value)
    assert alnsmith.Aligner("dna-global-affine", packs=tmp_path).align("ACGT", "ACGT").score[0] == 8


@pytest.fixture(scope="module")
def aligner():
    return alnsmith.Aligner("dna-global-affine")


@pytest.fixture(scope="module")
def strict():
    return alnsmith.Aligner(**LOCAL, alphabet="dna")


def test_words_of_python():
    """Arguments of Python stand where the library's messages name options of the command line."""
    given = {}
    runtime = {"alignment": "local", "match": "runtime", "mismatch": "runtime", "gap_open": "runtime",
               "gap_extend": "runtime", "alphabet": "dna"}
    for word, more in (('give it with scoring={"match": VALUE}$', {"match": 2}),
                       ('scoring={"mismatch": VALUE}$', {"mismatch": 1}),
                       ('scoring={"insertion_open": VALUE, "deletion_open": VALUE}$',
                        {"insertion_open": 1, "deletion_open": 1}),
                       ('scoring={"insertion_extend": VALUE, ', {"insertion_extend": 1, "deletion_extend": 1}),
                       ('give scoring={"mismatch": 0} or less', {"mismatch": -1})):
        with pytest.raises(ValueError, match=word):
            alnsmith.Aligner(**runtime, scoring=given).align("ACGT", "ACGT")
        given.update(more)
    assert alnsmith.Aligner(**runtime, scoring=given).align("ACGT", "ACGT").score[0] == 8
    with pytest.raises(ValueError, match='give it with scoring={"matrix": ARRAY}'):
        alnsmith.Aligner("protein-local-runtime", scoring={"insertion_open": 1, "deletion_open": 1, "insertion_extend": 1,
                                                           "deletion_extend": 1}).align("A", "A")


def test_letters_outside_the_alphabet(strict):
    with pytest.raises(ValueError, match="J") as caught:
        strict.align(["ACGT", "ACJT"], ["ACGT", "ACGT"])
    assert "\n" not in str(caught.value)
    assert strict.align("ACGT", "ACGT").score[0] == 8


def test_unlike_numbers(aligner):
    with pytest.raises(ValueError, match="2.*1|1.*2"):
        aligner.align(["A", "C"], ["A"])


def test_outputs_that_the_spec_has_not(aligner):
    with pytest.raises(ValueError, match="cigar"):
        aligner.align("A", "A", output="cigar")
    with pytest.raises(ValueError, match="none of score"):
        aligner.align("A", "A", output="scores")


def test_memory(aligner):
    with pytest.raises(MemoryError, match="memory"):
        alnsmith.Aligner("dna-global-cigar", memory=4096).align("ACGT" * 5000, "ACGT" * 5000)
    assert aligner.align("ACGT", "ACGT").score[0] == 8


def test_files(tmp_path):
    cut = tmp_path / "cut.fa.gz"
    cut.write_bytes(gzip.compress(b">a\n" + b"ACGT" * 1000)[:-20])
    with pytest.raises(ValueError, match="truncated"):
        alnsmith.read_sequences(cut)
    text = tmp_path / "text.txt"
    text.write_text("hello")
    with pytest.raises(ValueError, match="begins with 'h'"):
        alnsmith.read_sequences(text)
    with pytest.raises(ValueError, match="is a folder"):
        alnsmith.read_sequences(tmp_path)
    large = tmp_path / "large.fa"
    large.write_text(">a\n" + "ACGT" * 100 + "\n>b\n" + "ACGT" * 100 + "\n")
    with pytest.raises(MemoryError, match="take more memory"):
        alnsmith.read_sequences(large, memory=600)
    long = tmp_path / "long.fa"
    long.write_text(">a\n" + ("ACGT" * 20 + "\n") * 1000)
    with pytest.raises(MemoryError, match="raise memory=$"):
        alnsmith.read_sequences(long, memory=600)


def test_searches(aligner, tmp_path):
    for words, arguments in (("strand", {"strand": "up"}), ("ties", {"ties": "last"}), ("top", {"top": 0}),
                             ("top: 2.5 is no integer", {"top": 2.5}), ("min_score: 1.5 is no", {"min_score": 1.5}),
                             ("threads: '2' is", {"threads": "2"}),
                             ("statistics", {"statistics": "some"}), ("no E-values", {"evalue": 1.0}),
                             *((f"evalue: {wrong!r} is no number of 0", {"evalue": wrong})
                               for wrong in (-1, float("nan"), "1"))):
        with pytest.raises(ValueError, match=words):
            aligner.search("ACGT", "ACGT", **arguments)
    text = tmp_path / "targets.fa"
    text.write_text(">a\nACGT\n")
    with pytest.raises(ValueError, match="a str is a sequence, and .* is a file"):
        aligner.search("ACGT", str(text))
    damaged = tmp_path / "damaged.alndb"
    subprocess.run([PROGRAM, "makedb", DATA / "protein_queries.fasta", "-o", damaged, "--quiet"], check=True)
    damaged.write_bytes(damaged.read_bytes()[:-100])
    with pytest.raises(ValueError, match="damaged.alndb"):
        alnsmith.Aligner("protein-local-blosum62").search("ACD", damaged)
    with pytest.raises(FileNotFoundError):
        aligner.search("ACGT", tmp_path / "none.alndb")
