"""What stands beside the library: the program `alnsmith`, shipped specs, devices."""
from __future__ import annotations

import subprocess
from typing import List, Optional

from . import _core


def program() -> str:
    """Path of the program `alnsmith`. FileNotFoundError where the library finds none."""
    path = _core.program()
    if not path:
        raise FileNotFoundError("the program alnsmith is not beside the library: set ALNSMITH_PREFIX")
    return path


def ask(*words: str) -> str:
    """What the program prints. ValueError with its line where it fails."""
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip().splitlines()[-1].removeprefix("alnsmith: "))
    return done.stdout


def shipped_specs() -> dict[str, str]:
    """The shipped specs: what `Aligner` takes by name, and what each is for.

    Returns:
        Names with a line of description each.

    >>> "dna-global-affine" in shipped_specs()
    True
    """
    return dict(line.split("\t", 1) for line in ask("spec", "list").splitlines())


def devices() -> List[dict[str, object]]:
    """The devices that `Aligner(device=...)` can name.

    Returns:
        A dict for each, the CPU first: id ("cuda:0"), name, target (what kernels are made for), memory and free_memory
        in bytes. Drivers are asked anew by each call.

    >>> devices()[0]["id"]
    'cpu'
    """
    return _core.devices()


def matrix_of(aligner: _core.Aligner) -> Optional[List[int]]:
    """The scores of an aligner's letters, row by row, if they are known."""
    return list(aligner.matrix) or None
