"""What results give: arrays, CIGARs, tables, alignments for people and for Biopython."""
import copy
import gc
import pickle

import alnsmith
import numpy
import polars
import pytest

QUERIES = ["GATTACA", "ACGT", "TTTT"]
TARGETS = ["GATACA", "AGT", "ACCA"]


@pytest.fixture(scope="module")
def pairs():
    return alnsmith.Aligner("dna-local-cigar").align(QUERIES, TARGETS)


@pytest.fixture(scope="module")
def matrix():
    return alnsmith.Aligner("dna-global-cigar").align_all(QUERIES, TARGETS)


def test_arrays(pairs, matrix):
    assert pairs.score.dtype == numpy.int32 and pairs.score.shape == (3,)
    assert matrix.target_end.shape == (3, 3) and matrix.score[1, 1] == alnsmith.Aligner("dna-global-cigar").align(
        "ACGT", "AGT").score[0]
    assert not pairs.score.flags.writeable and not pairs.cigars.runs.flags.writeable
    assert (len(pairs), len(matrix)) == (3, 9)


def test_nothing_aligned(pairs):
    assert (pairs.score[2], pairs.query_end[2], pairs.target_begin[2], pairs.cigars[2]) == (0, -1, -1, "")
    assert pairs.pretty(2) == "" and pairs.rows(2) == ("", "", "")
    assert pairs.to_biopython(2).coordinates.size == 0


def test_arrays_outlive_results():
    values = alnsmith.Aligner("dna-global-affine").align(["ACGT"] * 1000, ["ACGT"] * 1000).score
    gc.collect()
    assert values.sum() == 8000


def test_cigars(matrix):
    cigars = matrix.cigars
    assert len(cigars) == 9 and cigars.offsets.tolist()[0] == 0 and len(cigars.offsets) == 10
    texts = cigars.to_list()
    assert texts == list(cigars) == cigars[:] == [cigars[i] for i in range(9)] and cigars[-1] == texts[-1]
    letters = {0: "M", 1: "I", 2: "D"}
    runs = ["".join(f"{run >> 4}{letters[int(run) & 15]}" for run in cigars.runs[cigars.offsets[i]:cigars.offsets[i + 1]])
            for i in range(9)]
    assert runs == texts
    with pytest.raises(IndexError):
        cigars[9]


def test_tables(pairs, matrix):
    table = matrix.to_dataframe()
    assert table["query"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2] and table["target"].tolist() == [0, 1, 2] * 3
    assert table["score"].tolist() == matrix.score.ravel().tolist() and table["cigar"].tolist() == list(matrix.cigars)
    assert list(pairs.to_dataframe().columns) == ["query", "target", "score", "query_end", "target_end", "query_begin",
                                                  "target_begin", "cigar"]
    assert isinstance(pairs.to_dataframe("polars"), polars.DataFrame)
    with pytest.raises(ValueError, match="neither pandas nor polars"):
        pairs.to_dataframe("excel")


def test_pretty(pairs, matrix):
    assert pairs.cigars[0] == "2M1I4M" and pairs.rows(0) == ("GATTACA", "|| ||||", "GA-TACA")
    assert matrix.rows((0, 0)) == ("GATTACA", "|| ||||", "GA-TACA")
    lines = matrix.pretty((0, 0), width=4).splitlines()
    assert lines[0] == "query          0 GATT" and lines[4] == "query          4 ACA" and lines[6] == "target         3 ACA"
    begins = alnsmith.Aligner("dna-local-cigar").align("TTGATTACA", "CCCGATTACA")
    assert begins.pretty(0).splitlines()[0] == "query          2 GATTACA"
    assert begins.pretty(0).splitlines()[2] == "target         3 GATTACA"
    with pytest.raises(ValueError, match="width"):
        pairs.pretty(0, width=0)


@pytest.mark.parametrize("pair", [3, -4])
def test_pairs_that_are_not_there(pairs, pair):
    with pytest.raises(IndexError):
        pairs.pretty(pair)


def test_pairs_of_the_other_kind(pairs, matrix):
    with pytest.raises(TypeError, match=r"align_all\(\) is \(query, target\)"):
        matrix.pretty(0)
    with pytest.raises(TypeError):
        pairs.pretty((0, 0))
    with pytest.raises(IndexError):
        matrix.pretty((0, 3))


def test_biopython(pairs, matrix):
    for result, pair, query, target in ((pairs, 0, QUERIES[0], TARGETS[0]), (matrix, (2, 1), QUERIES[2], TARGETS[1])):
        made = result.to_biopython(pair)
        assert made.target == target and made.query == query
        rows = result.rows(pair)
        assert (made[0], made[1]) == (rows[2], rows[0])
    assert pairs.to_biopython(0).score == pairs.score[0]


@pytest.mark.parametrize("output,names", [
    ([], ["score"]), ("score", ["score"]), ("end", ["score", "query_end", "target_end"]), (["begin"], [
        "score", "query_end", "target_end", "query_begin", "target_begin"])])
def test_outputs_of_a_call_come_with_those_before(pairs, output, names):
    result = alnsmith.Aligner("dna-local-cigar").align(QUERIES, TARGETS, output=output)
    assert list(result.to_dataframe().columns) == ["query", "target", *names]
    for name in names:
        assert getattr(result, name).tolist() == getattr(pairs, name).tolist()
    whole = alnsmith.Aligner("dna-local-cigar").align(QUERIES, TARGETS, output="cigar")
    assert whole.pretty(0) == pairs.pretty(0)


def test_what_was_not_asked_for():
    result = alnsmith.Aligner("dna-global-cigar").align("ACGT", "ACGT", output="score")
    for name in ("query_end", "target_begin"):
        with pytest.raises(AttributeError, match=rf"no {name}: ask for it .*output=\['{name.split('_')[1]}'\]"):
            getattr(result, name)
    with pytest.raises(AttributeError, match=r"output=\['cigar'\]"):
        result.cigars
    with pytest.raises(AttributeError, match="no scores"):
        result.scores
    assert repr(result) == "<alnsmith.Alignments: 1 pairs: score>"


def test_report(pairs):
    report = pairs.report
    assert (report["pairs"], report["cells"]) == (3, 7 * 6 + 4 * 3 + 4 * 4)
    assert report["devices"] == {"cpu": 3} and report["kernels"] and report["seconds"] >= 0


@pytest.mark.parametrize("again", [lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy])
def test_pickling(pairs, matrix, again):
    for result, pair in ((pairs, 0), (matrix, (1, 1)), (alnsmith.Aligner("dna-global-affine").align([], []), None)):
        read = again(result)
        assert repr(read) == repr(result) and read.report == result.report and read.score.shape == result.score.shape
        assert read.to_dataframe().equals(result.to_dataframe())
        if pair is not None:
            assert read.pretty(pair) == result.pretty(pair)
            assert again(result.cigars).to_list() == result.cigars.to_list()


def test_what_was_pickled_and_is_damaged(pairs):
    state = pairs._core.__getstate__()
    for wrong in (state[:-1], b"", state[:20], b"\xff" * len(state), state.replace(b"\3\0\0\0\0\0\0\0", b"\4" + 7 * b"\0")):
        with pytest.raises(ValueError, match="damaged"):
            alnsmith._core.Results.__new__(alnsmith._core.Results).__setstate__(wrong)
