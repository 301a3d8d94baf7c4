"""Whatever holds sequences to what the library takes; letters are copied only where the layout leaves no other way."""
from __future__ import annotations

from typing import Any

import numpy

from . import _core
from .sequences import Sequences


def gather(given: Any, side: str) -> _core.Sequences:
    """Sequences of a call.

    Args:
        given: one str or bytes, or what has bytes (bytearray, memoryview, Biopython's Seq and SeqRecord); a list or tuple
            of them; `Sequences`; a NumPy array of fixed-width strings, or of uint8 with shape (sequences, letters), zero
            bytes behind the last letter; a pair (data, offsets) of bytes or uint8 letters and sequences + 1 integers; a
            column of strings of pyarrow, polars or pandas; any other iterable.
        side: "queries" or "targets", for messages.
    """
    kind = type(given)
    if kind is list or kind is str or kind is bytes:
        return _core.texts(given, side)
    if isinstance(given, Sequences):
        return given._letters
    if isinstance(given, tuple) and len(given) == 2 and not _is_one(given[1]):
        return _packed(given[0], given[1], side)
    if isinstance(given, (list, tuple, str, bytes)):
        return _core.texts(given, side)
    if isinstance(given, numpy.ndarray):
        return _of_array(given, side)
    if getattr(given, "dtype", None) != object:  # pandas' column of objects would be copied
        if hasattr(given, "__arrow_c_array__"):
            schema, array = given.__arrow_c_array__()
            return _core.arrow_array(schema, array, side)
        if hasattr(given, "__arrow_c_stream__"):
            return _core.arrow_stream(given.__arrow_c_stream__(), side)
        if hasattr(given, "__arrow_array__"):
            return gather(given.__arrow_array__(), side)
        if hasattr(getattr(given, "array", None), "__arrow_array__"):
            return gather(given.array.__arrow_array__(), side)
        if hasattr(given, "__dlpack_device__"):
            return _of_array(_host_array(given, side), side)
    if _is_one(given):  # not one for each letter
        return _core.texts([given], side)
    try:
        items = list(given)
    except TypeError:
        raise TypeError(f"{side}: {kind.__name__} holds no sequences: give str, bytes, or lists, arrays or columns of "
                        "them") from None
    return _core.texts(items, side)


def _is_one(given: Any) -> bool:
    """Whether it is one sequence."""
    if isinstance(given, memoryview):
        return given.itemsize == 1
    return isinstance(given, (str, bytes, bytearray)) or hasattr(type(given), "__bytes__")


def _host_array(given: Any, side: str) -> numpy.ndarray:
    """An array by DLPack, as NumPy's, without a copy."""
    if int(given.__dlpack_device__()[0]) != 1:  # kDLCPU
        raise TypeError(f"{side}: an array of a device: those are not taken yet, copy it to the host")
    return numpy.from_dlpack(given)


def _packed(data: Any, offsets: Any, side: str) -> _core.Sequences:
    letters = numpy.frombuffer(data, numpy.uint8) if isinstance(data, (bytes, bytearray, memoryview)) else data
    if not isinstance(letters, numpy.ndarray) and hasattr(letters, "__dlpack_device__"):
        letters = _host_array(letters, side)
    if not isinstance(letters, numpy.ndarray) or letters.dtype not in (numpy.uint8, numpy.dtype("S1")):
        raise TypeError(f"{side}: of a pair (data, offsets) data is bytes or an array of uint8")
    ends = numpy.asarray(offsets)
    if letters.ndim != 1 or ends.ndim != 1 or ends.dtype.kind not in "iu" or len(ends) == 0:
        raise ValueError(f"{side}: of a pair (data, offsets) both have one dimension, and offsets are integers, one more "
                         "than there are sequences")
    return _core.packed(numpy.ascontiguousarray(letters.view(numpy.uint8)),
                        numpy.ascontiguousarray(ends, numpy.int64), side)


def _of_array(given: numpy.ndarray, side: str) -> _core.Sequences:
    kind = given.dtype.kind
    if kind == "S" and given.ndim == 1:
        packed = numpy.ascontiguousarray(given)
        return _core.rows(packed.view(numpy.uint8).reshape(len(packed), given.dtype.itemsize), side)
    if given.dtype == numpy.uint8 and given.ndim == 2:
        rows = given if given.shape[1] < 2 or given.strides[1] == 1 else numpy.ascontiguousarray(given)
        return _core.rows(rows, side)
    if kind in "UOT" and given.ndim == 1:
        return _core.texts(given.tolist(), side)
    raise TypeError(f"{side}: an array of {given.dtype} with {given.ndim} dimensions holds no sequences: give fixed-width "
                    "strings, uint8 with shape (sequences, letters), or a pair (data, offsets)")
