"""What `Aligner.search` returns."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union

import numpy
from numpy.typing import NDArray

from . import _core
from .alignments import table


class Hits:
    """Hits of a search, query by query, the best first: equal scores rank as they stand in the database.

    All arrays have shape (hits,), but `offsets`.

    Attributes:
        query: int64, number of the query, from 0.
        target: int64, number of the target in the database, from 0.
        score: int32, in the scoring's units.
        minus: bool, whether the query's reverse complement is what was aligned.
        target_length: int64, letters.
        evalue: float64, hits that chance gives at this score or better (docs/statistics.md); NaN where the letters of the
            two have none. None where the search has no statistics.
        bits: float64, the score in bits; as `evalue`.
        offsets: int64, shape (queries + 1,): hits of query q are those from offsets[q] to before offsets[q + 1].
        sequences: targets that were searched.
        letters: and their letters.
        warnings: what is not as it was asked for, a line each.
    """

    def __init__(self, core: _core.Hits, names: Union[None, List[str], Dict[int, str]], significant: bool,
                 warnings: List[str]) -> None:
        self._core = core
        self._names = names
        self.warnings = warnings
        self.query: NDArray[numpy.int64] = _core.hit_column(core, "query")
        self.target: NDArray[numpy.int64] = _core.hit_column(core, "target")
        self.score: NDArray[numpy.int32] = _core.hit_column(core, "score")
        self.minus: NDArray[numpy.bool_] = _core.hit_column(core, "minus").view(numpy.bool_)
        self.target_length: NDArray[numpy.int64] = _core.hit_column(core, "target_length")
        self.offsets: NDArray[numpy.int64] = _core.hit_column(core, "offsets")
        self.evalue: Optional[NDArray[numpy.float64]] = _core.hit_column(core, "evalue") if significant else None
        self.bits: Optional[NDArray[numpy.float64]] = _core.hit_column(core, "bits") if significant else None

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled without the sequences; of targets' names those of its hits."""
        names = None if self._names is None else {number: self._names[number] for number in self.target.tolist()}
        return Hits, (self._core, names, self.evalue is not None, self.warnings)

    @property
    def sequences(self) -> int:
        """Targets that were searched."""
        return self._core.sequences

    @property
    def letters(self) -> int:
        """Letters of all targets together."""
        return self._core.letters

    @property
    def target_names(self) -> List[str]:
        """Name of each hit's target; "" where targets came without names."""
        if self._names is not None:
            return [self._names[number] for number in self.target.tolist()]
        return [self._core.name(i) for i in range(len(self))]

    def of(self, query: int) -> slice:
        """Where a query's hits stand in the arrays.

        Args:
            query: its number, from 0; IndexError for one that is not there.
        """
        if not 0 <= query < len(self.offsets) - 1:
            raise IndexError(f"query {query} of {len(self.offsets) - 1}")
        return slice(int(self.offsets[query]), int(self.offsets[query + 1]))

    def __len__(self) -> int:
        """Number of hits."""
        return len(self.query)

    def __repr__(self) -> str:
        return f"<alnsmith.Hits: {len(self)} hits of {len(self.offsets) - 1} queries among {self.sequences} targets>"

    def to_dataframe(self, library: str = "pandas") -> Any:
        """A table of the hits, a row per hit.

        Args:
            library: "pandas" or "polars".
        """
        columns: dict[str, Any] = {"query": self.query, "target": self.target, "name": self.target_names,
                                   "score": self.score}
        extra: Tuple[Tuple[str, Any], ...] = (("evalue", self.evalue), ("bits", self.bits))
        columns.update((name, values) for name, values in extra if values is not None)
        if self.minus.any():
            columns["strand"] = numpy.where(self.minus, "-", "+")
        return table(columns, library)
