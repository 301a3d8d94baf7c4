"""What `Aligner.align` and `Aligner.align_all` return."""
from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple, Union, overload

import numpy
from numpy.typing import NDArray

from . import _core, _pretty

Pair = Union[int, Tuple[int, int]]
_COLUMNS = tuple(_core.output_names())


class Cigars:
    """CIGARs of a call: one array of runs, and where each pair's begin. A sequence of str.

    M is a query letter with a target letter, equal or not, I a query letter with nothing, D a target letter with nothing.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Results) -> None:
        self._core = core

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled with all of the call's results."""
        return Cigars, (self._core,)

    @property
    def runs(self) -> NDArray[numpy.uint32]:
        """Runs of all pairs, shape (runs,), as BAM has them: letters * 16 + operation, 0 for M, 1 for I, 2 for D."""
        values: NDArray[numpy.uint32] = _core.cigar_runs(self._core)
        return values

    @property
    def offsets(self) -> NDArray[numpy.int64]:
        """Pair i has runs[offsets[i]:offsets[i + 1]], shape (pairs + 1,). Nothing aligned: none."""
        values: NDArray[numpy.int64] = _core.cigar_offsets(self._core)
        return values

    def __len__(self) -> int:
        """Number of pairs."""
        return self._core.pairs

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> List[str]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[str, List[str]]:
        """A pair's CIGAR, such as "31M2D12M"; "" where nothing is aligned."""
        count = len(self)
        if isinstance(index, slice):
            return [self._core.cigar(i) for i in range(*index.indices(count))]
        if not -count <= index < count:
            raise IndexError(f"pair {index} of {count}")
        return self._core.cigar(index % count)

    def __iter__(self) -> Iterator[str]:
        """CIGARs in the order of pairs."""
        return iter(self.to_list())

    def to_list(self) -> List[str]:
        """All CIGARs, in the order of pairs."""
        return self._core.cigar_texts()


class Alignments:
    """Results of a call, a value for each pair, as NumPy arrays that are made without a copy and not writeable.

    Of `align` their shape is (pairs,), of `align_all` (queries, targets). Positions are counted from 0; ends are the last
    aligned letter, -1 where nothing is aligned (a local score of 0, an empty sequence). Which there are beside `score`
    says the aligner's `output`: AttributeError names it where one is missing. Sequences are kept for `pretty`, so lists
    live as long as the results.

    Attributes:
        score: int32, in the scoring's units.
        query_end, target_end: int32, last aligned letters (output "end").
        query_begin, target_begin: int32, first aligned letters (output "begin").
    """

    score: NDArray[numpy.int32]
    query_end: NDArray[numpy.int32]
    target_end: NDArray[numpy.int32]
    query_begin: NDArray[numpy.int32]
    target_begin: NDArray[numpy.int32]

    def __init__(self, core: _core.Results, queries: _core.Sequences, targets: _core.Sequences) -> None:
        self._core = core
        self._queries = queries
        self._targets = targets

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled with its sequences, as `pretty` wants them."""
        return Alignments, (self._core, self._queries, self._targets)

    def __getattr__(self, name: str) -> NDArray[numpy.int32]:
        values: Optional[NDArray[numpy.int32]] = _core.column(self._core, name) if name in _COLUMNS else None
        if name not in (*_COLUMNS, "cigars"):
            raise AttributeError(f"Alignments have no {name}")
        if values is None:
            word = name.removesuffix("s").rpartition("_")[2]
            raise AttributeError(f"this call gave no {name}: ask for it by Aligner(..., output=['{word}'])")
        setattr(self, name, values)
        return values

    @property
    def cigars(self) -> Cigars:
        """CIGARs (output "cigar"), of `align_all` query by query. AttributeError where there are none."""
        if not self._core.cigars:
            raise AttributeError  # __getattr__ says why
        return Cigars(self._core)

    @property
    def report(self) -> dict[str, Any]:
        """What the call did: pairs, cells (sum of query length x target length), promoted (pairs that a narrow kernel
        could not hold), banded, seconds, kernels (their entries), devices (pairs of each), warnings."""
        return self._core.report()

    def __len__(self) -> int:
        """Number of pairs."""
        return self._core.pairs

    def __repr__(self) -> str:
        given = [name for name in _COLUMNS if _core.column(self._core, name) is not None]
        given += ["cigars"] if self._core.cigars else []
        size = f"{self._core.queries} x {self._core.targets}" if self._core.all else f"{len(self)} pairs"
        return f"<alnsmith.Alignments: {size}: {', '.join(given)}>"

    def to_dataframe(self, library: str = "pandas") -> Any:
        """A table of the results, a row per pair.

        Args:
            library: "pandas" or "polars".

        Returns:
            A DataFrame with columns query and target (indices), those of the results, and cigar.
        """
        queries, targets = self._indices()
        columns: dict[str, Any] = {"query": queries, "target": targets}
        for name in _COLUMNS:
            values = _core.column(self._core, name)
            if values is not None:
                columns[name] = values.ravel()
        if self._core.cigars:
            columns["cigar"] = self._core.cigar_texts()
        return table(columns, library)

    def _indices(self) -> Tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
        pairs = numpy.arange(len(self))
        if not self._core.all:
            return pairs, pairs
        return pairs // max(self._core.targets, 1), pairs % max(self._core.targets, 1)

    def _pair(self, pair: Pair) -> Tuple[int, int, int]:
        """Number of a pair, its query and its target."""
        if isinstance(pair, tuple) != self._core.all:
            raise TypeError("a pair of align() is an int, one of align_all() is (query, target)")
        if isinstance(pair, tuple):
            query, target = pair
            if not (0 <= query < self._core.queries and 0 <= target < self._core.targets):
                raise IndexError(f"pair {pair} of {self._core.queries} x {self._core.targets}")
            return query * self._core.targets + target, query, target
        if not -len(self) <= pair < len(self):
            raise IndexError(f"pair {pair} of {len(self)}")
        return pair % len(self), pair % len(self), pair % len(self)

    def _aligned(self, pair: Pair) -> Tuple[str, str, str, int, int]:
        """CIGAR, letters of both sequences, and where the alignment begins."""
        number, query, target = self._pair(pair)
        begins = (int(self.query_begin.flat[number]), int(self.target_begin.flat[number]))
        letters = (self._queries.letters(query).decode("latin-1"), self._targets.letters(target).decode("latin-1"))
        return self.cigars[number], letters[0], letters[1], begins[0], begins[1]

    def rows(self, pair: Pair) -> Tuple[str, str, str]:
        """An alignment letter by letter.

        Args:
            pair: its number; of `align_all` (query, target).

        Returns:
            The query's letters, marks ('|' equal, '.' not) and the target's letters; '-' against nothing. Empty where
            nothing is aligned.
        """
        cigar, query, target, query_begin, target_begin = self._aligned(pair)
        if not cigar:
            return "", "", ""
        return _pretty.columns(cigar, query[query_begin:], target[target_begin:])

    def pretty(self, pair: Pair, *, width: int = 60) -> str:
        """An alignment for people: letters above letters, each line with its first position. Needs output "cigar".

        Args:
            pair: its number; of `align_all` (query, target).
            width: letters of a line, 1 and up.

        >>> import alnsmith
        >>> aligner = alnsmith.Aligner("dna-global-cigar")
        >>> print(aligner.align("GATTACA", "GATACA").pretty(0))
        query          0 GATTACA
                         || ||||
        target         0 GA-TACA
        """
        cigar, query, target, query_begin, target_begin = self._aligned(pair)
        if width < 1:
            raise ValueError("width: lines have one letter at least")
        if not cigar:
            return ""
        rows = _pretty.columns(cigar, query[query_begin:], target[target_begin:])
        return _pretty.pretty(rows, query_begin, target_begin, width)

    def to_biopython(self, pair: Pair) -> Any:
        """An alignment as Biopython's `Bio.Align.Alignment` of target and query. Needs output "cigar" and Biopython.

        Args:
            pair: its number; of `align_all` (query, target).
        """
        from Bio.Align import Alignment

        number, _, _ = self._pair(pair)
        cigar, query, target, query_at, target_at = self._aligned(pair)
        steps = [[target_at], [query_at]] if cigar else [[], []]
        begin, end = self._runs(number)
        for run in Cigars(self._core).runs[begin:end]:
            count, operation = int(run) >> 4, int(run) & 15
            steps[0].append(steps[0][-1] + (count if operation != 1 else 0))
            steps[1].append(steps[1][-1] + (count if operation != 2 else 0))
        make: Any = Alignment  # it has no types of its own
        made = make([target, query], numpy.array(steps, int))
        made.score = int(self.score.flat[number])
        return made

    def _runs(self, number: int) -> Tuple[int, int]:
        offsets = _core.cigar_offsets(self._core)
        return int(offsets[number]), int(offsets[number + 1])


def table(columns: dict[str, Any], library: str) -> Any:
    """A DataFrame of columns. ValueError for a library that is neither pandas nor polars."""
    if library == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if library == "polars":
        import polars

        return polars.DataFrame(columns)
    raise ValueError(f"library: '{library}' is neither pandas nor polars")
