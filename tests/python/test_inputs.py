"""Each form of sequences gives what a list of str gives, and letters are not copied where they need not be."""
import io
import pickle

import alnsmith
import numpy
import pandas
import polars
import pyarrow
import pytest
from Bio import SeqIO
from Bio.Seq import MutableSeq, Seq
from Bio.SeqRecord import SeqRecord
from alnsmith import _core
from alnsmith._inputs import gather

QUERIES = ["ACGT", "GATTACAGATTACAGATTACA", "TTT", "ACGTNACGT", "G", "CCGGTTAACCGGTTAA"]
TARGETS = ["ACG", "GATACAGATTACA", "TTGT", "ACGTAACGT", "G", "CCGGTTACCGGTTA"]


@pytest.fixture(scope="module")
def aligner():
    return alnsmith.Aligner("dna-global-cigar", threads=1)


def packed(texts, kind=numpy.int64):
    return numpy.frombuffer("".join(texts).encode(), numpy.uint8), numpy.cumsum([0, *map(len, texts)]).astype(kind)


def rows(texts):
    return numpy.array(texts, "S").view(numpy.uint8).reshape(len(texts), -1)


def sliced(texts):
    return pyarrow.array(["NNNNNNNN", *texts, "C"])[1:-1]


def seqs(texts):
    return [Seq(text) for text in texts]


FORMS = {
    "Biopython": seqs,
    "Biopython, a tuple": lambda texts: tuple(seqs(texts)),
    "Biopython's records": lambda texts: [SeqRecord(seq) for seq in seqs(texts)],
    "Biopython's parser": lambda texts: SeqIO.parse(io.StringIO("".join(f">s\n{text}\n" for text in texts)), "fasta"),
    "bytearrays": lambda texts: [bytearray(text, "ascii") for text in texts],
    "memoryviews": lambda texts: [memoryview(text.encode()) for text in texts],
    "bytes": lambda texts: [text.encode() for text in texts],
    "tuple": tuple,
    "generator": iter,
    "mixed": lambda texts: [text if i % 2 else text.encode() for i, text in enumerate(texts)],
    "numpy S": lambda texts: numpy.array(texts, "S"),
    "numpy U": lambda texts: numpy.array(texts, "U"),
    "numpy S, every second": lambda texts: numpy.array([t for text in texts for t in (text, "C")], "S")[::2],
    "numpy objects": lambda texts: numpy.array(texts, object),
    "rows of uint8": rows,
    "columns of uint8": lambda texts: numpy.asfortranarray(rows(texts)),
    "data and offsets": packed,
    "data and 32-bit offsets": lambda texts: packed(texts, numpy.int32),
    "bytes and offsets": lambda texts: (packed(texts)[0].tobytes(), packed(texts)[1].tolist()),
    "arrow string": pyarrow.array,
    "arrow large_string": lambda texts: pyarrow.array(texts, pyarrow.large_string()),
    "arrow string_view": lambda texts: pyarrow.array(texts, pyarrow.string_view()),
    "arrow binary": lambda texts: pyarrow.array([text.encode() for text in texts]),
    "arrow slice": sliced,
    "arrow chunks": lambda texts: pyarrow.chunked_array([texts[:2], [], texts[2:]]),
    "pandas": pandas.Series,
    "pandas objects": lambda texts: pandas.Series(texts, dtype=object),
    "pandas arrow": lambda texts: pandas.Series(texts, dtype="string[pyarrow]"),
    "pandas python": lambda texts: pandas.Series(texts, dtype="string[python]"),
    "pandas index": pandas.Index,
    "polars": polars.Series,
    "polars column": lambda texts: polars.DataFrame({"q": texts})["q"],
    "polars binary": lambda texts: polars.Series([text.encode() for text in texts]),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(aligner, form):
    expected = aligner.align(QUERIES, TARGETS)
    result = aligner.align(FORMS[form](QUERIES), FORMS[form](TARGETS))
    assert result.score.tolist() == expected.score.tolist()
    assert result.cigars.to_list() == expected.cigars.to_list()
    assert result.rows(1) == expected.rows(1)


def test_zero_bytes_of_rows(aligner):
    """Those at the end are no letters, others are."""
    strict = alnsmith.Aligner(alignment="global", match=2, mismatch=-1, gap_extend=1, alphabet="dna")
    assert strict.align(numpy.frombuffer(b"AC\0\0", numpy.uint8).reshape(1, 4), "AC").score[0] == 4
    with pytest.raises(ValueError):
        strict.align(numpy.frombuffer(b"A\0C\0", numpy.uint8).reshape(1, 4), "AC")


def test_letters_are_where_they_were():
    data, offsets = packed(QUERIES)
    held = gather((data, offsets), "queries")
    before = held.letters(0)
    copy = data.copy()
    copy[0] = ord("T")
    assert held.letters(0) == before == b"ACGT"
    owner = gather((copy, offsets), "queries")
    copy[0] = ord("G")
    assert owner.letters(0) == b"GCGT"  # a view: the array was changed after it was taken
    column = numpy.array(QUERIES, "S")
    fixed = gather(column, "queries")
    column[0] = b"GGGG"
    assert fixed.letters(0) == b"GGGG"


def test_arrow_letters_are_not_copied():
    buffer = bytearray(b"ACGTGGG")
    array = pyarrow.StringArray.from_buffers(2, pyarrow.py_buffer(numpy.array([0, 4, 7], numpy.int32)),
                                             pyarrow.py_buffer(buffer))
    held = gather(array, "queries")
    buffer[0] = ord("T")
    assert held.letters(0) == b"TCGT"


def test_views_outlive_what_they_came_from(aligner):
    result = aligner.align(pyarrow.array(QUERIES * 100), pyarrow.array(TARGETS * 100))
    import gc
    gc.collect()
    assert result.rows(1)[0].replace("-", "") == QUERIES[1]


def test_one_sequence_is_a_batch_of_one(aligner):
    for given in (b"ACGT", bytearray(b"ACGT"), memoryview(b"ACGT"), Seq("ACGT"), MutableSeq("ACGT"),
                  SeqRecord(Seq("ACGT"), "name")):
        assert aligner.align("ACGT", given).score.tolist() == aligner.align(given, "ACGT").score.tolist() == [8]
    assert aligner.align((Seq("ACGT"), Seq("AC")), (bytearray(b"ACGT"), bytearray(b"AC"))).score.tolist() == [8, 4]
    assert aligner.align((b"ACGTAC", memoryview(numpy.array([0, 4, 6]))), ["ACGT", "AC"]).score.tolist() == [8, 4]
    with pytest.raises(ValueError, match="undefined"):
        aligner.align(["A", Seq(None, 4)], ["A", "A"])


def test_empty_sequences_and_batches(aligner):
    assert aligner.align([], []).score.shape == (0,)
    assert aligner.align_all([], TARGETS).score.shape == (0, 6)
    assert aligner.align(["", "AC", ""], ["AC", "", ""]).score.tolist() == [-4, -4, 0]
    assert aligner.align((b"", [0]), (b"", [0])).score.shape == (0,)
    assert aligner.align(pyarrow.array([], pyarrow.string()), polars.Series([], dtype=polars.String)).score.size == 0


def test_files(aligner, tmp_path):
    path = tmp_path / "q.fa"
    path.write_text("".join(f">name{i} rest of it\n{letters}\n" for i, letters in enumerate(QUERIES)))
    reads = alnsmith.read_sequences(path)
    assert list(reads) == QUERIES and reads.names[1] == "name1" and reads.descriptions[1] == "rest of it"
    assert (len(reads), reads.letters, reads[-1]) == (6, sum(map(len, QUERIES)), QUERIES[-1])
    assert aligner.align(reads, TARGETS).score.tolist() == aligner.align(QUERIES, TARGETS).score.tolist()
    with pytest.raises(IndexError):
        reads[6]
    read = pickle.loads(pickle.dumps(reads))
    assert (list(read), read.names, read.descriptions) == (QUERIES, reads.names, reads.descriptions)
    assert aligner.align(read, TARGETS).score.tolist() == aligner.align(reads, TARGETS).score.tolist()
    for part in (slice(2), slice(1, None, 2), slice(None, None, -1), slice(4, 2), slice(-2, 99)):
        some, texts = reads[part], QUERIES[part]
        assert (list(some), some.names, some.descriptions) == (texts, reads.names[part], reads.descriptions[part])
        assert aligner.align(some, texts).score.tolist() == aligner.align(texts, texts).score.tolist()


@pytest.mark.parametrize("given,kind,words", [
    ([b"ACGT", 3], TypeError, r"queries\[1\]: is a int"),
    ([None], TypeError, r"queries\[0\]: is a NoneType"),
    (5, TypeError, "queries: int holds no sequences"),
    (["AC", "A\u00e9"], ValueError, r"queries\[1\]: has a letter that is not ASCII"),
    (["AC", "\ud800"], ValueError, r"queries\[1\]: has a letter that is not ASCII"),
    (pyarrow.array(["AC", "\u00e9"]), ValueError, r"queries\[1\]: has a letter that is not ASCII"),
    (pyarrow.array(["AC", None]), ValueError, r"queries\[1\]: is null"),
    (pyarrow.array([1, 2]), TypeError, "Arrow type 'l'"),
    (pyarrow.array(["AC", "AC"]).dictionary_encode(), TypeError, "with a dictionary"),
    (pyarrow.table({"q": ["AC"]}), TypeError, "a table: give one column"),
    (polars.DataFrame({"q": ["AC"]}), TypeError, "a table: give one column"),
    ((b"ACGT", [0, 5]), ValueError, "no range within 4 bytes"),
    ((b"ACGT", [0, 3, 2]), ValueError, r"queries\[1\]: its offsets 3 and 2"),
    ((b"ACGT", [-1, 3]), ValueError, r"queries\[0\]: its offsets -1 and 3"),
    ((b"ACGT", []), ValueError, "one more than there are sequences"),
    ((b"ACGT", [0.0, 4.0]), ValueError, "offsets are integers"),
    ((7, [0, 4]), TypeError, "data is bytes or an array of uint8"),
    (numpy.array([1.0, 2.0]), TypeError, "an array of float64 with 1 dimensions"),
    (numpy.zeros(4, numpy.uint8), TypeError, "an array of uint8 with 1 dimensions"),
])
def test_what_holds_no_sequences(aligner, given, kind, words):
    with pytest.raises(kind, match=words):
        aligner.align(given, given)


class Elsewhere:
    """An array by DLPack alone, on the host or a device."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, **words):
        return self.array.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.device, 0


def test_arrays_by_dlpack(aligner):
    data, offsets = packed(QUERIES)
    expected = aligner.align(QUERIES, TARGETS).score.tolist()
    assert aligner.align((Elsewhere(data.copy()), offsets), Elsewhere(rows(TARGETS).copy())).score.tolist() == expected
    for given in (Elsewhere(rows(QUERIES), 2), (Elsewhere(data, 2), offsets)):
        with pytest.raises(TypeError, match="queries: an array of a device"):
            aligner.align(given, TARGETS)


def test_capsules_are_taken_once():
    schema, array = pyarrow.array(["AC"]).__arrow_c_array__()
    assert len(_core.arrow_array(schema, array, "queries")) == 1
    with pytest.raises((ValueError, TypeError)):
        _core.arrow_array(schema, array, "queries")
