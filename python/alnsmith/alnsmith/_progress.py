"""`progress=` of calls: a callable of one's own, or tqdm's bar."""
from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Union

Progress = Union[None, bool, Callable[[int, int], object]]


@contextmanager
def told(progress: Progress, total: int) -> Iterator[Optional[Callable[[int], object]]]:
    """What the library calls with the number of pairs done.

    Args:
        progress: None or False; True for tqdm's bar; or a callable that takes pairs done and pairs in all.
        total: pairs in all.
    """
    if progress is None or progress is False:
        yield None
    elif progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ValueError("progress=True shows tqdm's bar: pip install tqdm, or give a callable") from None
        with tqdm(total=total, unit="pair", unit_scale=True) as bar:
            yield lambda done: bar.update(done - bar.n)
    else:
        call: Any = progress
        yield lambda done: call(done, total)
