"""Sequences with their names, and the reader of FASTA and FASTQ."""
from __future__ import annotations

import os
from typing import Any, Iterator, List, Tuple, Union, overload

from . import _core
from ._numbers import SIZE, integer


class Sequences:
    """Sequences of a file: letters in one piece of memory, names beside them. Calls take it as it is.

    Attributes:
        names: the first word of each header.
        descriptions: the rest of each header, "" where there is none.
    """

    __slots__ = ("_letters", "names", "descriptions")
    names: List[str]
    descriptions: List[str]

    def __init__(self, letters: _core.Sequences, names: List[str], descriptions: List[str]) -> None:
        self._letters = letters
        self.names = names
        self.descriptions = descriptions

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled with its letters."""
        return Sequences, (self._letters, self.names, self.descriptions)

    def __len__(self) -> int:
        """Number of sequences."""
        return len(self._letters)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequences: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[str, Sequences]:
        """Letters of a sequence, as in the file; of a slice those sequences, whose letters are not copied and so stay in
        memory all together. IndexError beyond the last one."""
        count = len(self._letters)
        if isinstance(index, slice):
            part = self._letters.part(range(*index.indices(count)))
            return Sequences(part, self.names[index], self.descriptions[index])
        if not -count <= index < count:
            raise IndexError(f"sequence {index} of {count}")
        return self._letters.letters(index % count).decode("latin-1")

    def __iter__(self) -> Iterator[str]:
        """Letters of each sequence, in the file's order."""
        return (self[i] for i in range(len(self)))

    @property
    def letters(self) -> int:
        """Letters of all sequences together."""
        return self._letters.total()

    def __repr__(self) -> str:
        return f"<alnsmith.Sequences: {len(self)} sequences, {self.letters} letters>"


def read_sequences(path: Union[str, "os.PathLike[str]"], *, memory: int = 16 << 30) -> Sequences:
    """Reads FASTA or FASTQ, plain, gzip or bgzip, by the same strict reader as the command line's.

    Args:
        path: of the file; "-" is stdin.
        memory: bytes of letters at most, all records together.

    Returns:
        The records in the file's order.

    Raises:
        FileNotFoundError: there is no such file.
        MemoryError: the letters take more than `memory`.
        ValueError: what is no FASTA or FASTQ, is cut off or damaged; the line names file and record.

    >>> reads = read_sequences("tests/data/protein_queries.fasta")
    >>> len(reads), reads.names[0]
    (12, 'sp|Q196Z6|064L_IIV3')
    """
    return Sequences(*_core.read(os.fsdecode(path), integer(memory, "memory", 0, SIZE)))
