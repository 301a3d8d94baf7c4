"""Numbers that a user gives, held to what the library takes: ValueError of one line for what is none."""
from __future__ import annotations

import math
import numbers
import operator
from typing import Any, Optional

# What the library's int, and its sizes in bytes, hold.
INT = 2**31 - 1
SIZE = 2**64 - 1


def integer(given: Any, name: str, least: Optional[int] = None, most: int = INT) -> int:
    """An integer as such: a fraction is refused and never cut off, as it would give other scores.

    Args:
        given: an int, or what stands for one, such as NumPy's integers.
        name: of the argument, for messages.
        least: the smallest that is taken; None: -most - 1.
        most: the largest.

    >>> integer(2.9, "match")
    Traceback (most recent call last):
    ValueError: match: 2.9 is no integer: give one
    >>> integer(1e9, "memory")
    Traceback (most recent call last):
    ValueError: memory: 1000000000.0 is no integer: write 1000000000
    """
    try:
        value = operator.index(given)
    except TypeError:
        mend = f"write {int(given)}" if isinstance(given, float) and given.is_integer() else "give one"
        raise ValueError(f"{name}: {given!r} is no integer: {mend}") from None
    least = -most - 1 if least is None else least
    if not least <= value <= most:
        raise ValueError(f"{name}: {value} is outside {least}..{most}")
    return value


def positive(given: Any, name: str) -> float:
    """A number of 0 or more, as such.

    Args:
        given: an int, a float, or what stands for one.
        name: of the argument, for messages.
    """
    if not isinstance(given, numbers.Real) or math.isnan(given) or given < 0:
        raise ValueError(f"{name}: {given!r} is no number of 0 or more")
    return float(given)
