"""Exact alignment of many sequences at once: arrays in, arrays out.

>>> import alnsmith
>>> aligner = alnsmith.Aligner("dna-global-affine")
>>> aligner.align(["ACGT", "GATTACA"], ["ACGT", "GATACA"]).score
array([8, 9], dtype=int32)

`Aligner` opens the kernels of a scoring; its calls take batches, run on all cores without the GIL, and return objects of
NumPy arrays. `read_sequences` reads FASTA and FASTQ. Lengths and positions are in letters, positions counted from 0, ends
inclusive; scores are in the scoring's units; a gap of L letters costs gap_open + gap_extend * L.
"""
import atexit as _atexit

from . import _core
from ._core import __version__
from ._installation import devices, shipped_specs
from .aligner import Aligner
from .alignments import Alignments, Cigars
from .hits import Hits
from .sequences import Sequences, read_sequences

__all__ = ["Aligner", "Alignments", "Cigars", "Hits", "Sequences", "__version__", "devices", "read_sequences",
           "shipped_specs"]

_atexit.register(_core.end_calls)
