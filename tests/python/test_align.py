"""Scores, ends and CIGARs are those of the golden rows and of the command line."""
import pathlib

import alnsmith
import numpy
import pytest
from support import DATA, FULL, command, fasta, golden, keywords, pairs

QUICK = {(mode, scoring) for mode in ("nw", "sw", "sg") for scoring in ("dna_2_1_aff2_1", "dna_2_1_lin1", "b62_aff11_1")}
PAIRS = pairs()
ROWS = golden()


@pytest.mark.parametrize("mode,scoring", sorted(ROWS) if FULL else sorted(QUICK))
def test_golden_rows(mode, scoring):
    rows = ROWS[mode, scoring]
    aligner = alnsmith.Aligner(**keywords(mode, scoring), output="end")
    result = aligner.align([PAIRS[row[0]][0] for row in rows], [PAIRS[row[0]][1] for row in rows])
    assert result.score.tolist() == [row[1] for row in rows]
    for i, row in enumerate(rows):
        if row[2] != ".":
            assert (result.query_end[i], result.target_end[i]) == (int(row[2]), int(row[3])), row[0]


@pytest.mark.parametrize("spec", ["dna-global-cigar", "dna-local-cigar", "dna-semiglobal-cigar"])
def test_as_the_command_line(spec, tmp_path):
    chosen = [pair for name, pair in PAIRS.items() if name.startswith("d")]
    queries, targets = map(list, zip(*chosen))
    header, *rows = command("align", "--spec", spec, "--query", fasta(tmp_path / "q.fa", queries), "--target",
                            fasta(tmp_path / "t.fa", targets))
    result = alnsmith.Aligner(spec).align(queries, targets)
    for name, values in zip(header[2:], zip(*(row[2:] for row in rows))):
        ours = [cigar or "." for cigar in result.cigars] if name == "cigar" else getattr(result, name).tolist()
        assert ["." if value == -1 and name != "score" else str(value) for value in ours] == list(values), name


def test_all_as_the_command_line(tmp_path):
    reads = alnsmith.read_sequences(DATA / "protein_queries.fasta")
    aligner = alnsmith.Aligner("protein-local-blosum62")
    result = aligner.align_all(reads, list(reads)[:5])
    rows = command("align", "--spec", "protein-local-blosum62", "--all", "--query", DATA / "protein_queries.fasta",
                   "--target", fasta(tmp_path / "t.fa", list(reads)[:5]))[1:]
    assert result.score.shape == (12, 5)
    assert result.score.ravel().tolist() == [int(row[2]) for row in rows]


def test_dict_path_and_keywords_are_one_spec(tmp_path):
    spec = {"version": 1, "name": "mine", "alignment": "local", "gap": {"model": "affine", "open": 2, "extend": 1},
            "alphabet": "dna5", "score": {"match": 2, "mismatch": -1}}
    path = tmp_path / "mine.yaml"
    path.write_text(str(spec).replace("'", '"'))
    words = {"alignment": "local", "gap_open": 2, "gap_extend": 1, "match": 2, "mismatch": -1}
    opened = [alnsmith.Aligner(spec), alnsmith.Aligner(path), alnsmith.Aligner(str(path)), alnsmith.Aligner(**words)]
    assert len({aligner._core.hash for aligner in opened}) == 1
    assert {aligner.align("TTACGT", "GGACGT").score[0] for aligner in opened} == {8}


def test_matrices_are_the_same_however_given():
    from Bio.Align import substitution_matrices

    named = {"alignment": "local", "gap_open": 11, "gap_extend": 1}
    blosum = substitution_matrices.load("BLOSUM62")
    letters = "ARNDCQEGHILKMFPSTWYVBZX*"
    rows = numpy.array([[int(blosum[a, b]) for b in letters] for a in letters])
    queries = [PAIRS[name][0] for name in PAIRS if name.startswith("p")]
    expected = alnsmith.Aligner(matrix="blosum62", **named).align(queries, queries[::-1]).score.tolist()
    for matrix in (blosum, (letters, rows)):
        assert alnsmith.Aligner(matrix=matrix, **named).align(queries, queries[::-1]).score.tolist() == expected


@pytest.fixture
def identity(tmp_path, monkeypatch):
    """Matrices of 1 and -1 in the working folder, one of them with a built-in's name."""
    letters = "ARNDCQEGHILKMFPSTWYVBZX*"
    text = "   ".join(["", *letters]) + "\n" + "".join(f"{a} " + " ".join("1" if a == b else "-1" for b in letters) + "\n"
                                                     for a in letters)
    monkeypatch.chdir(tmp_path)
    for name in ("BLOSUM62", "mine.mat", "spec.yaml"):
        pathlib.Path(name).write_text(text)


@pytest.mark.parametrize("matrix,score", [
    ("BLOSUM62", 44), ("blosum62", 44), ("./BLOSUM62", 4), (pathlib.Path("BLOSUM62"), 4), ("mine.mat", 4),
    (pathlib.Path("mine.mat"), 4), ("spec.yaml", 4)])
def test_names_and_files_of_matrices(identity, matrix, score):
    for aligner in (alnsmith.Aligner(alignment="local", matrix=matrix, gap_open=11, gap_extend=1),
                    alnsmith.Aligner({"alignment": "local", "alphabet": "protein", "score": {"matrix": matrix},
                                      "gap": {"model": "affine", "open": 11, "extend": 1}})):
        assert aligner.align("WWWW", "WWWW").score[0] == score
    assert pathlib.Path("spec.yaml").stat().st_size > 1000


def test_scoring_of_a_call_for_runtime_specs():
    aligner = alnsmith.Aligner("dna-global-runtime", scoring={"match": 1, "mismatch": -1, "insertion_open": 0,
                                                              "insertion_extend": 1, "deletion_open": 0,
                                                              "deletion_extend": 1})
    assert aligner.align("ACGT", "ACT").score[0] == 2


def test_keywords_that_leave_scores_to_the_call():
    values = {"match": 2, "mismatch": -3, "insertion_open": 4, "insertion_extend": 1, "deletion_open": 4,
              "deletion_extend": 1}
    left = {"match": "runtime", "mismatch": "runtime", "gap_open": "runtime", "gap_extend": "runtime"}
    aligner = alnsmith.Aligner(alignment="global", **left, scoring=values)
    said = alnsmith.Aligner(alignment="global", match=2, mismatch=-3, gap_open=4, gap_extend=1)
    assert aligner.align("ACGTAC", "ACGTC").score[0] == said.align("ACGTAC", "ACGTC").score[0] == 5


def test_letters_of_named_alphabets():
    import json

    from alnsmith._spec import ALPHABETS
    for name, letters in ALPHABETS.items():
        aligner = alnsmith.Aligner(alignment="local", match=1, mismatch=-1, gap_extend=1, alphabet=name)
        assert json.loads(aligner.manifest)["alphabet"]["letters"] == letters


def test_unlike_threads_give_one_result():
    reads = alnsmith.read_sequences(DATA / "emp16S_reads.fasta.gz")
    near = alnsmith.read_sequences(DATA / "emp16S_neighbours.fasta.gz")
    aligner = alnsmith.Aligner("dna-global-cigar")
    one, two = (aligner.align(reads, near, threads=threads) for threads in (1, 2))
    assert (one.score == two.score).all() and one.cigars.to_list() == two.cigars.to_list()
    assert (one.cigars.offsets == two.cigars.offsets).all() and (one.cigars.runs == two.cigars.runs).all()
