"""`Aligner`: the kernels of one scoring, and the calls that align with them."""
from __future__ import annotations

import json
import math
import os
import weakref
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

import numpy

from . import _core, _significance, _spec
from ._inputs import gather
from ._numbers import INT, SIZE, integer, positive
from ._progress import Progress, told
from .alignments import Alignments
from .hits import Hits
from .sequences import Sequences, read_sequences

Given = Any  # sequences in any of the forms that _inputs.gather() takes
_Path = Union[str, "os.PathLike[str]"]
_USUAL_MEMORY = 2 << 30


class Aligner:
    """Kernels of one scoring and the calls that align with them, exactly. Calls may run in several threads at once.

    Args:
        spec: a shipped spec's name (`shipped_specs()`), the path of a spec file, or a dict with a spec's keys
            (docs/spec.md; its paths are relative to the working folder). None: the keywords below say it.
        alignment: "global", "local", "semiglobal" (all four ends free), or the free ends: a list of query_begin,
            query_end, target_begin, target_end, also as {"free_ends": list}.
        match, mismatch: scores of equal and unequal letters, integers as all scores and costs; a wildcard mismatches
            everything. What is given as "runtime", `scoring` says.
        matrix: in place of them, a built-in matrix by name ("BLOSUM62", before a file of that name), the path of one in
            NCBI's format, an array or lists of shape (letters, letters) with rows and columns in the alphabet's order (row:
            query), or (letters, array).
        gap_open, gap_extend: a gap of L letters costs gap_open + gap_extend * L, both 0 and up (BLAST's and minimap2's
            convention); without gap_open linear gaps.
        gap_open2, gap_extend2: a second line; the smaller cost counts (minimap2's dual affine gaps).
        alphabet: "dna", "dna5" (with N, the default), "rna", "iupac", "protein" (the default with a matrix), or a dict of
            letters and wildcard.
        objective: "maximize" (the default), or "minimize" for distances.
        output: "score" (the default), "end", "begin" or "cigar"; each brings those before it.
        scoring: what a spec leaves `runtime`: values by names such as "match", "insertion_open", "deletion_extend", and
            "matrix".
        device: "cuda:0", "hip:0", "opencl:0", "cpu", a list of them, or "auto" (docs/devices.md); None: the CPU.
        device_memory: bytes of each device, at most; 0: nine tenths of what is free.
        packs: a path of a pack or of a folder of packs, or a list of them, asked before those of the installation.
        isa: widest instruction set, such as "x86-64-v4"; None: the CPU's.
        threads: of a call, 0 and up; 0: all cores. In a process that was forked after calls of several threads, calls have one.
        memory: bytes of one call's packed sequences and queues, at most.

    Raises:
        FileNotFoundError: no such spec, spec file or pack, or no matrix where an `os.PathLike` says.
        ValueError: a spec or scoring that is wrong, kernels that neither a pack nor a compiler gives, a device that
            cannot be used; one line says what, and how to mend it.

    >>> aligner = Aligner(alignment="local", match=2, mismatch=-4, gap_open=4, gap_extend=2, alphabet="dna5")
    >>> aligner.align(["TTACGTTT"], ["GGACGTGG"]).score.tolist()
    [8]
    """

    def __init__(self, spec: Union[None, str, "os.PathLike[str]", Mapping[str, Any]] = None, *,
                 alignment: Union[None, str, Sequence[str], Mapping[str, Any]] = None,
                 match: Optional[_spec.Value] = None, mismatch: Optional[_spec.Value] = None,
                 matrix: Optional[_spec.Matrix] = None, gap_open: Optional[_spec.Value] = None,
                 gap_extend: Optional[_spec.Value] = None, gap_open2: Optional[_spec.Value] = None,
                 gap_extend2: Optional[_spec.Value] = None, alphabet: Union[None, str, Mapping[str, Any]] = None,
                 objective: Optional[str] = None,
                 output: Union[None, str, Sequence[str]] = None, scoring: Optional[Mapping[str, Any]] = None,
                 device: Union[None, str, Sequence[str]] = None, device_memory: int = 0,
                 packs: Union[_Path, Sequence[_Path]] = (), isa: Optional[str] = None, threads: int = 0,
                 memory: int = _USUAL_MEMORY) -> None:
        self._words = {name: value for name, value in locals().items() if name != "self"}
        words: dict[str, Any] = {
            "alignment": alignment, "match": match, "mismatch": mismatch, "matrix": matrix, "alphabet": alphabet,
            "objective": objective, "output": output,
            **{name: value for name, value in self._words.items() if name.startswith("gap_")}}
        if spec is None:
            if alignment is None:
                raise ValueError("which scoring: give a spec, or alignment, match, mismatch, gap_extend and so on")
            spec = _spec.of_keywords(**words)
        else:
            given = [word for word, value in words.items() if value is not None]
            if given:
                raise ValueError(f"a spec says all of its scoring: leave out {', '.join(given)}, or the spec")
        values, letters_matrix = _runtime_scoring(scoring)
        devices = [device] if isinstance(device, str) else list(device or ())
        if isa is not None and not isinstance(isa, str):
            raise ValueError(f"isa: {isa!r} is no name of an instruction set: give one such as 'x86-64-v4'")
        paths = [packs] if isinstance(packs, (str, bytes, os.PathLike)) else list(packs)
        opened = ([os.fsdecode(path) for path in paths], [str(name) for name in devices], isa or "", values,
                  letters_matrix, integer(device_memory, "device_memory", 0, SIZE))
        self._threads = integer(threads, "threads", 0)
        self._memory = integer(memory, "memory", 0, SIZE)
        self._found: Optional[Tuple[Optional[_core.Significance], List[str]]] = None
        self._fewer: Optional[List[str]] = None
        if isinstance(spec, Mapping):
            self._open_dict(spec, opened)
        else:
            self._spec = os.fsdecode(spec)
            self._core = _core.open(self._spec, *opened)

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled by what it was opened with: whoever unpickles it opens it anew."""
        return _reopened, (self._words,)

    def _open_dict(self, spec: Mapping[str, Any], opened: Tuple[Any, ...]) -> None:
        """Opens a spec that has no file. Where there are no kernels for its output, those that store more serve it."""
        outputs = _spec.complete_output(spec.get("output", "score"))
        tries = [dict(spec)] if len(outputs) in (1, 4) else [dict(spec), {**spec, "output": _spec.OUTPUTS}]
        for turn in tries:
            file = _spec.SpecFile(turn)
            weakref.finalize(self, file.remove)  # kernels may be generated from it as long as there are calls
            try:
                self._core, self._spec = _core.open(file.path, *opened), file.path
            except (ValueError, FileNotFoundError) as error:
                if turn is tries[-1] or not str(error).startswith("no kernels for the spec"):
                    raise type(error)(file.said(str(error))) from None
                continue
            self._fewer = outputs if turn is not tries[0] else None
            return

    def align(self, queries: Given, targets: Given, *, output: Union[None, str, Sequence[str]] = None,
              threads: Optional[int] = None, memory: Optional[int] = None, progress: Progress = None) -> Alignments:
        """Aligns the i-th query with the i-th target.

        Args:
            queries: str, bytes, what has bytes (Biopython's Seq and SeqRecord), a list of them, `Sequences`, NumPy arrays
                of fixed-width strings or of uint8 letters, a pair (data, offsets), or a column of strings of pyarrow,
                polars or pandas. Case does not matter.
            targets: the same, as many.
            output: which of the spec's outputs, each with those before it; None: all of them.
            threads: as of `Aligner`, for this call.
            memory: as of `Aligner`, for this call.
            progress: True for tqdm's bar, or a callable that takes pairs done and pairs in all, called in this thread.

        Returns:
            Results of shape (pairs,).

        Raises:
            ValueError: unlike numbers of sequences, a letter outside the alphabet, a sequence too long for its scores.
            TypeError: what holds no sequences.
            MemoryError: `memory` does not suffice for a pair.
            KeyboardInterrupt: Ctrl-C, within 0.3 s.

        >>> Aligner("dna-global-affine").align(["ACGT", "acgt"], ["ACGT", "AGT"]).score.tolist()
        [8, 3]
        """
        return self._call(queries, targets, False, output, threads, memory, progress)

    def align_all(self, queries: Given, targets: Given, *, output: Union[None, str, Sequence[str]] = None,
                  threads: Optional[int] = None, memory: Optional[int] = None,
                  progress: Progress = None) -> Alignments:
        """Aligns each query with each target; arguments and errors are those of `align`.

        Returns:
            Results of shape (queries, targets).

        >>> Aligner("dna-global-affine").align_all(["ACGT", "AC"], ["ACGT", "GT", "AC"]).score
        array([[ 8,  0,  0],
               [ 0, -2,  4]], dtype=int32)
        """
        return self._call(queries, targets, True, output, threads, memory, progress)

    def _call(self, queries: Given, targets: Given, each: bool, output: Union[None, str, Sequence[str]],
              threads: Optional[int], memory: Optional[int], progress: Progress) -> Alignments:
        rows = gather(queries, "queries")
        columns = gather(targets, "targets")
        words = self._fewer or [] if output is None else _spec.complete_output(output)
        if output is not None and words[-1] not in self.outputs:
            raise ValueError(f"output: this aligner gives {', '.join(self.outputs)}, not {words[-1]}")
        count, most = self._limits(threads, memory)
        if progress is None:
            return Alignments(self._core.align(rows, columns, each, words, count, most, None), rows, columns)
        with told(progress, len(rows) * len(columns) if each else len(rows)) as call:
            return Alignments(self._core.align(rows, columns, each, words, count, most, call), rows, columns)

    def _limits(self, threads: Optional[int], memory: Optional[int]) -> Tuple[int, int]:
        """Threads and memory of a call."""
        return (self._threads if threads is None else integer(threads, "threads", 0),
                self._memory if memory is None else integer(memory, "memory", 0, SIZE))

    def search(self, queries: Given, targets: Given, *, top: int = 500, ties: str = "first",
               min_score: Optional[int] = None, evalue: Optional[float] = None, statistics: str = "auto",
               strand: str = "plus", threads: Optional[int] = None, memory: Optional[int] = None,
               progress: Progress = None) -> Hits:
        """The best targets of each query, every query aligned with every target, with E-values where there are any.

        Args:
            queries: as of `align`.
            targets: as of `align`; or a path (`os.PathLike`) of FASTA, FASTQ, or a database of `alnsmith makedb`, which is
                mapped and may be larger than memory.
            top: hits kept for a query, at most.
            ties: of targets that score as the last hit "first" keeps those that come first, "keep" all.
            min_score: the worst score that counts; None: all count.
            evalue: hits with a larger E are left out, 0 and up; None: none is. A hit of two sequences whose letters have
                no E is held to what theirs would be with usual letters.
            statistics: "auto": E-values of local alignments, from NCBI's tables or by simulation, which is done once for
                a scoring and takes seconds; "none": without.
            strand: of nucleotides: "plus", "minus" (queries' reverse complements) or "both", the better one counting.
            threads, memory, progress: as of `align`.

        Returns:
            Hits, query by query.

        Raises:
            FileNotFoundError: no such database.
            ValueError: as of `align`; a damaged database; `evalue` where there are no statistics.

        >>> aligner = Aligner("protein-local-blosum62")
        >>> hits = aligner.search(["HEAGAWGHEE"], ["PAWHEAE", "HEAGAWGHE", "WWWW"], top=2)
        >>> hits.target.tolist(), hits.score.tolist()
        ([1, 0], [57, 17])
        """
        alphabet = json.loads(self._core.manifest)["alphabet"]["letters"]
        strands = _core.strands(strand, self.name, alphabet)
        if ties not in ("first", "keep"):
            raise ValueError(f"ties: '{ties}' is neither first nor keep")
        if statistics not in ("auto", "none"):
            raise ValueError(f"statistics: '{statistics}' is neither auto nor none")
        hits = integer(top, "top", 1, SIZE)
        worst = None if min_score is None else integer(min_score, "min_score")
        limits = self._limits(threads, memory)
        most = math.inf if evalue is None else positive(evalue, "evalue")
        rows = gather(queries, "queries")
        columns, names = _targets(targets)
        significance, warnings = self._significance(statistics)
        if evalue is not None and significance is None:
            raise ValueError(f"evalue: there are no E-values: {'; '.join(warnings) or 'statistics are none'}")
        count = _core.database_sequences(columns) if isinstance(columns, str) else len(columns)
        total = len(rows) * count * strands
        with told(progress, total) as call:
            found = _core.search(self._core, rows, strand, alphabet, columns, hits, ties == "keep", worst, most,
                                 significance, *limits, call)
        return Hits(found, names, significance is not None, warnings)

    def _significance(self, statistics: str) -> Tuple[Optional[_core.Significance], List[str]]:
        if statistics == "none":
            return None, []
        if self._found is None:
            try:
                self._found = _significance.find(self._core, self._spec, self._threads, self._memory), []
            except ValueError as error:
                self._found = None, [f"no E-values: {error}"]
        return self._found

    @property
    def outputs(self) -> List[str]:
        """What calls give: "score", and what the spec's output adds."""
        return self._fewer or self._core.outputs

    @property
    def name(self) -> str:
        """The spec's name."""
        return self._core.name

    @property
    def target(self) -> str:
        """What the kernels were made for: "x86-64-v4", "cuda:sm_90,x86-64-v4"."""
        return self._core.target

    @property
    def gap_formula(self) -> str:
        """What a gap of L letters costs: "cost(L) = 2 + 1*L", both sides where they differ."""
        return self._core.gap_formula

    @property
    def manifest(self) -> str:
        """What the kernels say of themselves, JSON (docs/manifest.md)."""
        return self._core.manifest

    @property
    def provenance(self) -> List[str]:
        """Where each kernel came from and why it was chosen, a line each."""
        return self._core.provenance

    @property
    def warnings(self) -> List[str]:
        """What is not as it was asked for: devices not used, generic kernels; a line each."""
        return self._core.warnings

    def __repr__(self) -> str:
        return f"<alnsmith.Aligner {self.name}: {self.gap_formula}; {', '.join(self.outputs)}; {self.target}>"


def _reopened(words: dict[str, Any]) -> Aligner:
    return Aligner(**words)


def _runtime_scoring(scoring: Optional[Mapping[str, Any]]) -> Tuple[dict[str, int], List[int]]:
    """Values and matrix of `scoring`."""
    given = dict(scoring or {})
    matrix = given.pop("matrix", None)
    values = {str(name): integer(value, f"scoring: {name}") for name, value in given.items()}
    if matrix is None:
        return values, []
    rows = numpy.asarray(matrix)
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or not ((rows <= INT) & (rows >= -INT)).all():
        raise ValueError("scoring: its matrix is an array of integers, letters x letters")
    flat: List[int] = rows.ravel().tolist()
    return values, flat


def _targets(targets: Given) -> Tuple[Union[_core.Sequences, str], Optional[List[str]]]:
    """Targets of a search: sequences, or the path of a database; and their names where these are known."""
    if isinstance(targets, os.PathLike):
        path = os.fsdecode(targets)
        if _core.is_database(path):
            return path, None
        targets = read_sequences(path)
    if isinstance(targets, str) and os.path.exists(targets):  # its letters might all be taken as wildcards
        raise ValueError(f"targets: a str is a sequence, and '{targets}' is a file: give pathlib.Path('{targets}')")
    return gather(targets, "targets"), targets.names if isinstance(targets, Sequences) else None
