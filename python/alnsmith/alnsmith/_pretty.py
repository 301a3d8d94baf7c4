"""An alignment letter by letter, for people."""
from __future__ import annotations

from typing import Iterator, List, Tuple


def columns(cigar: str, query: str, target: str) -> Tuple[str, str, str]:
    """Rows of an alignment: the query's letters, marks, the target's letters; '-' against nothing, '|' for equal letters.

    Args:
        cigar: runs of M, I and D.
        query: its aligned letters.
        target: its aligned letters.
    """
    rows: List[List[str]] = [[], [], []]
    q = t = count = 0
    for letter in cigar:
        if letter.isdigit():
            count = 10 * count + int(letter)
            continue
        top = query[q:q + count] if letter != "D" else "-" * count
        bottom = target[t:t + count] if letter != "I" else "-" * count
        q += count if letter != "D" else 0
        t += count if letter != "I" else 0
        rows[0].append(top)
        rows[1].extend("|" if a.upper() == b.upper() else " " if "-" in (a, b) else "." for a, b in zip(top, bottom))
        rows[2].append(bottom)
        count = 0
    return "".join(rows[0]), "".join(rows[1]), "".join(rows[2])


def pretty(rows: Tuple[str, str, str], query_begin: int, target_begin: int, width: int) -> str:
    """The rows in lines of `width` letters, each with the position of its first letter, counted from 0."""
    return "\n\n".join(_blocks(rows, query_begin, target_begin, width))


def _blocks(rows: Tuple[str, str, str], query: int, target: int, width: int) -> Iterator[str]:
    for begin in range(0, len(rows[0]), width):
        top, marks, bottom = (row[begin:begin + width] for row in rows)
        yield f"query  {query:>9} {top}\n{'':>16} {marks}\ntarget {target:>9} {bottom}"
        query += len(top) - top.count("-")
        target += len(bottom) - bottom.count("-")
