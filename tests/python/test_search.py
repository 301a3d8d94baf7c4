"""Searches find what the command line finds, with its E-values."""
import os
import pickle
import subprocess

import alnsmith
import numpy
import polars
import pytest
from support import DATA, PROGRAM, command, fasta

QUERIES = DATA / "protein_queries.fasta"
TARGETS = DATA / "protein_targets.fasta.gz"


@pytest.fixture(scope="module")
def aligner():
    return alnsmith.Aligner("protein-local-blosum62")


@pytest.fixture(scope="module")
def expected():
    header, *rows = command("search", "--spec", "protein-local-blosum62", "--query", QUERIES, "--db", TARGETS, "--top",
                            10, "--columns", "query,target,score,evalue,bits,target_number")
    assert header == ["#query", "target", "score", "evalue", "bits", "target_number"]
    return rows


def same(hits, queries, rows):
    assert [queries.names[q] for q in hits.query] == [row[0] for row in rows]
    assert hits.target_names == [row[1] for row in rows]
    assert hits.score.tolist() == [int(row[2]) for row in rows]
    assert [f"{value:.3g}" for value in hits.evalue] == [f"{float(row[3]):.3g}" for row in rows]
    assert [round(value, 1) for value in hits.bits] == [float(row[4]) for row in rows]
    assert hits.target.tolist() == [int(row[5]) - 1 for row in rows]


def test_as_the_command_line(aligner, expected):
    queries = alnsmith.read_sequences(QUERIES)
    for targets in (TARGETS, alnsmith.read_sequences(TARGETS)):
        same(aligner.search(queries, targets, top=10, evalue=10), queries, expected)


def test_databases(aligner, expected, tmp_path):
    path = tmp_path / "targets.alndb"
    subprocess.run([PROGRAM, "makedb", TARGETS, "-o", path, "--quiet"], check=True)
    queries = alnsmith.read_sequences(QUERIES)
    hits = aligner.search(queries, path, top=10, evalue=10)
    same(hits, queries, expected)
    assert hits.sequences == 76


@pytest.mark.parametrize("evalue", [0, 1e-5, 1, 1e6])
def test_evalues_that_leave_hits_out(aligner, tmp_path, evalue):
    """Also of a pair whose letters have no E, which no rule would drop by itself."""
    texts = ["ACD", "HEAGAWGHEE", "WWWWWWWWWW", "MKVLAAGIVGLCAKAYLEHR"]
    path = fasta(tmp_path / "q.fa", texts)
    rows = command("search", "--spec", "protein-local-blosum62", "--query", path, "--db", path, "--evalue", evalue,
                   "--columns", "query,target,score,evalue")[1:]
    hits = aligner.search(texts, texts, evalue=evalue, min_score=1)
    assert [f"s{i}" for i in hits.query] == [row[0] for row in rows]
    assert [f"s{i}" for i in hits.target] == [row[1] for row in rows]
    assert [numpy.isnan(value) for value in hits.evalue] == [row[3] == "." for row in rows]
    assert evalue < 1e6 or numpy.isnan(hits.evalue).any()


def test_arrays(aligner):
    hits = aligner.search(["HEAGAWGHEE", "WWWW"], ["PAWHEAE", "HEAGAWGHE", "WWWW", "WWWW"], top=2)
    assert hits.offsets.tolist() == [0, 2, 4] and hits.of(1) == slice(2, 4) and len(hits) == 4
    assert hits.target[hits.of(1)].tolist() == [2, 3] and hits.score[2] == hits.score[3] == 44
    assert hits.target_length.tolist() == [9, 7, 4, 4] and not hits.minus.any()
    assert hits.letters == 24 and hits.evalue.shape == (4,)
    with pytest.raises(IndexError):
        hits.of(2)
    assert aligner.search(["WWWW"], ["WWWW"] * 3, top=1, ties="keep").target.tolist() == [0, 1, 2]
    assert aligner.search(["WWWW"], ["WWWW", "AAAA"], min_score=10, statistics="none").target.tolist() == [0]
    assert aligner.search(["WWWW"], ["WWWW"], statistics="none").evalue is None
    assert len(aligner.search([], ["WWWW"])) == 0 and len(aligner.search(["WWWW"], [])) == 0


def test_tables(aligner):
    hits = aligner.search(alnsmith.read_sequences(QUERIES), TARGETS, top=3)
    table = hits.to_dataframe()
    assert list(table.columns) == ["query", "target", "name", "score", "evalue", "bits"] and len(table) == 36
    assert isinstance(hits.to_dataframe("polars"), polars.DataFrame)


def test_pickling(aligner):
    for targets in (TARGETS, ["WWWW", "HEAGAWGHEE"]):
        hits = aligner.search(["HEAGAWGHEE", "WWWW"], targets, top=3)
        read = pickle.loads(pickle.dumps(hits))
        assert repr(read) == repr(hits) and read.to_dataframe().equals(hits.to_dataframe())
        assert (read.of(1), read.letters, read.warnings) == (hits.of(1), hits.letters, hits.warnings)
    assert pickle.loads(pickle.dumps(aligner.search("WWWW", "WWWW", statistics="none"))).evalue is None


def test_strands(tmp_path):
    queries = ["ACGTTGCAAGGCTTACG", "TTTTGGGCCA"]
    complement = str.maketrans("ACGT", "TGCA")
    targets = ["CC" + queries[0].translate(complement)[::-1] + "GG", queries[1], "ACACACAC"]
    aligner = alnsmith.Aligner("dna-local-affine")
    hits = aligner.search(queries, targets, strand="both", top=1, statistics="none")
    assert hits.minus.tolist() == [True, False] and hits.score.tolist() == [34, 20]
    assert aligner.search(queries, targets, strand="minus", top=1, statistics="none").score[0] == 34
    assert list(hits.to_dataframe()["strand"]) == ["-", "+"]
    rows = command("search", "--spec", "dna-local-affine", "--stats", "none", "--top", 1, "--query",
                   fasta(tmp_path / "q.fa", queries), "--db", fasta(tmp_path / "t.fa", targets), "--columns",
                   "query,target,score,strand")[1:]
    assert [row[2:] for row in rows] == [["34", "-"], ["20", "+"]]


@pytest.mark.parametrize("strand", ["minus", "both"])
def test_proteins_have_one_strand(aligner, tmp_path, strand):
    path = fasta(tmp_path / "q.fa", ["WWWW"])
    refused = subprocess.run([PROGRAM, "search", "--spec", "protein-local-blosum62", "--query", path, "--db", path,
                              "--strand", strand], capture_output=True, text=True, check=False)
    with pytest.raises(ValueError, match="nucleotides alone have two strands") as caught:
        aligner.search("WWWW", ["WWWW"], strand=strand)
    assert str(caught.value).partition(": ")[2] == refused.stderr.strip().partition(": ")[2].partition(": ")[2]


@pytest.mark.parametrize("alphabet", ["dna", "rna", "iupac", {"letters": "TGCA", "wildcard": "N"}])
def test_nucleotides_have_two(alphabet):
    local = alnsmith.Aligner(alignment="local", match=2, mismatch=-3, gap_extend=4, alphabet=alphabet)
    assert local.search("AAACG", ["CGTTT"], strand="minus", statistics="none").score.tolist() == [10]


def test_why_there_are_no_evalues():
    hits = alnsmith.Aligner("dna-global-affine").search("ACGT", "ACGT")
    assert hits.evalue is None and hits.warnings == ["no E-values: only the best local alignments follow a law that gives E"]


def test_simulated_statistics(tmp_path):
    """DNA has no table: what the command line simulates, and keeps, is what is found here."""
    os.environ.setdefault("ALNSMITH_CACHE", str(tmp_path))
    queries, targets = fasta(tmp_path / "q.fa", ["ACGTTGCAAGGCTTACG" * 3]), fasta(tmp_path / "t.fa", ["ACGTTGCAAGGCTTACG" * 2])
    row = command("search", "--spec", "blastn-local-affine", "--query", queries, "--db", targets, "--strand", "plus",
                  "--columns", "score,evalue,bits")[1]
    hits = alnsmith.Aligner("blastn-local-affine").search(alnsmith.read_sequences(queries), targets)
    assert not hits.warnings and hits.score[0] == int(row[0])
    assert numpy.isclose(hits.evalue[0], float(row[1]), rtol=0.01) and round(hits.bits[0], 1) == float(row[2])


def test_progress(aligner, tmp_path):
    database = tmp_path / "targets.alndb"
    subprocess.run([PROGRAM, "makedb", TARGETS, "-o", database, "--quiet"], check=True)
    queries = alnsmith.read_sequences(QUERIES)
    for targets in (alnsmith.read_sequences(TARGETS), TARGETS, database):
        told = []
        aligner.search(queries, targets, progress=lambda done, total: told.append((done, total)))
        assert told[-1] == (12 * 76, 12 * 76)
