"""Specs of keyword arguments and dicts: what `Aligner` writes for the library, which reads specs from files."""
from __future__ import annotations

import json
import os
import shutil
import tempfile
from typing import Any, Literal, Mapping, Optional, Sequence, Tuple, Union

import numpy

from ._numbers import INT, integer

# Order of the rows and columns of a matrix that comes without letters.
ALPHABETS = {"dna": "ACGT", "dna5": "ACGTN", "rna": "ACGU", "iupac": "ACGTRYSWKMBDHVN",
             "protein": "ARNDCQEGHILKMFPSTWYVBJZX*"}
# Gap models by the keys of their costs, those with the fewest first (generator/spec/gap.cpp); Aligner has a keyword for each.
GAPS = {"linear": ["extend"], "affine": ["open", "extend"], "dual_affine": ["open", "extend", "open2", "extend2"]}
# Words of a spec's `output`; each brings those before it.
OUTPUTS = ["score", "end", "begin", "cigar"]

Value = Union[int, Literal["runtime"]]
Matrix = Union[str, "os.PathLike[str]", numpy.ndarray, Sequence[Sequence[float]], Tuple[str, Any]]


def letters_of(alphabet: Union[str, Mapping[str, Any]]) -> Optional[str]:
    """Letters of an alphabet in the order of a matrix' rows; None where a spec alone says it."""
    if isinstance(alphabet, str):
        return ALPHABETS.get(alphabet)
    letters = alphabet.get("letters", "") + alphabet.get("wildcard", "")
    return letters or None


def matrix_rows(matrix: Any, letters: Optional[str]) -> Tuple[str, Sequence[Sequence[int]]]:
    """Letters and rows of a matrix of numbers. ValueError where its shape or values are none of a matrix."""
    if isinstance(matrix, tuple):
        letters, matrix = matrix
    letters = getattr(matrix, "alphabet", letters)  # Biopython's arrays have one
    values = numpy.asarray(matrix)
    if letters is None:
        raise ValueError("matrix: this alphabet says no order of letters: give (letters, array)")
    if values.ndim != 2 or values.shape[0] != values.shape[1] or values.shape[0] != len(letters):
        raise ValueError(f"matrix: an array of shape {values.shape} is none of the {len(letters)} letters {letters}")
    # Biopython's scores are whole floats; infinity is one too, and NaN is neither whole nor small.
    if values.dtype.kind not in "iuf" or not ((values == numpy.rint(values)) & (values <= INT) & (values >= -INT)).all():
        raise ValueError("matrix: scores are integers")
    return str("".join(letters)), values.astype(int).tolist()


def _value(given: Any, name: str) -> Union[int, str]:
    """A score or cost of keywords: an integer, or the word that leaves it to `scoring`."""
    return "runtime" if isinstance(given, str) and given == "runtime" else integer(given, name)


def _score(match: Optional[Value], mismatch: Optional[Value], matrix: Any, alphabet: Any) -> dict[str, Any]:
    if matrix is None:
        if match is None or mismatch is None:
            raise ValueError("scores are missing: give match and mismatch, or matrix")
        return {"match": _value(match, "match"), "mismatch": _value(mismatch, "mismatch")}
    if match is not None or mismatch is not None:
        raise ValueError("matrix takes the place of match and mismatch: leave them out")
    if isinstance(matrix, (str, os.PathLike)):
        return {"matrix": matrix}
    letters, rows = matrix_rows(matrix, letters_of(alphabet))
    return {"matrix": {"letters": letters, "rows": rows}}


def _gap(**words: Optional[Value]) -> dict[str, Any]:
    """Costs by the keywords that start with gap_."""
    given = {word.removeprefix("gap_"): _value(value, word) for word, value in words.items() if value is not None}
    if "extend" not in given:
        raise ValueError("gap_extend is missing: a gap of L letters costs gap_open + gap_extend * L")
    model, costs = next((model, costs) for model, costs in GAPS.items() if given.keys() <= set(costs))
    missing = [f"gap_{cost}" for cost in costs if cost not in given and cost != "open"]
    if missing:
        raise ValueError(f"{' and '.join(missing)} is missing: the costs of a further line come together")
    return {"model": model, **{cost: given.get(cost, 0) for cost in costs}}


def of_keywords(*, alignment: Any, match: Optional[Value], mismatch: Optional[Value], matrix: Any,
                alphabet: Any, objective: Optional[str], output: Optional[Sequence[str]],
                **gaps: Optional[Value]) -> dict[str, Any]:
    """The spec that keyword arguments say, as a dict. ValueError where something is missing or contradicts."""
    if alphabet is None:
        alphabet = "dna5" if matrix is None else "protein"
    spec = {
        "version": 1,
        "name": "keywords",
        "alignment": alignment if isinstance(alignment, (str, Mapping)) else {"free_ends": list(alignment)},
        "gap": _gap(**gaps),
        "alphabet": alphabet,
        "score": _score(match, mismatch, matrix, alphabet),
    }
    if objective is not None:
        spec["objective"] = objective
    if output is not None:
        spec["output"] = complete_output(output)
    return spec


def complete_output(output: Union[str, Sequence[str]]) -> list[str]:
    """Words of a spec's `output`: what is asked for and what comes with it."""
    wanted = [output] if isinstance(output, str) else list(output)
    for word in wanted:
        if word not in OUTPUTS:
            raise ValueError(f"output: '{word}' is none of score, end, begin and cigar")
    return OUTPUTS[:max((OUTPUTS.index(word) for word in wanted), default=0) + 1]


class SpecFile:
    """A dict as a file that the library reads, there as long as this object is used. Paths of matrices in it are relative
    to the working folder; FileNotFoundError where an `os.PathLike` is none of a file."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.process = os.getpid()
        self.folder = tempfile.mkdtemp(prefix="alnsmith-spec-")
        self.path = os.path.join(self.folder, "spec.yaml")
        try:
            score = spec.get("score")
            if isinstance(score, Mapping) and isinstance(score.get("matrix"), (str, os.PathLike)):
                spec = {**spec, "score": {**score, "matrix": self._found_matrix(score["matrix"])}}
            text = json.dumps({"version": 1, "name": "dict", **spec}, indent=0, default=_plain)
            with open(self.path, "w", encoding="ascii") as file:
                file.write(text)
        except TypeError as error:
            self.remove()
            raise ValueError(f"spec: {error}") from None
        except BaseException:
            self.remove()
            raise

    def _found_matrix(self, matrix: Union[str, "os.PathLike[str]"]) -> str:
        """How this file names a matrix that is given by name or path."""
        named = os.fsdecode(matrix)
        there = os.path.exists(named)
        if not there and isinstance(matrix, os.PathLike):
            raise FileNotFoundError(f"matrix: {named}: No such file or directory")
        if not there or named == "runtime":
            return named
        if isinstance(matrix, os.PathLike) or os.sep in named or named == os.path.basename(self.path):
            return os.path.abspath(named)
        # A built-in name goes before a file of that name, which the library knows: it looks beside this file last.
        os.symlink(os.path.abspath(named), os.path.join(self.folder, named))
        return named

    def remove(self) -> None:
        """Takes it away, but not in a process that was forked since: the parent has it. Not an error where it is gone."""
        if os.getpid() == self.process:
            shutil.rmtree(self.folder, ignore_errors=True)

    def said(self, line: str) -> str:
        """A message that names the file, without its place."""
        return line.replace(self.path, "spec").replace(self.folder + os.sep, "")


def _plain(value: Any) -> Any:
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} stands for nothing in a spec")
