"""The program `alnsmith` that belongs to this package: `python -m alnsmith align ...`."""
from __future__ import annotations

import os
import sys

from ._installation import program


def main() -> None:
    """Becomes the program, with this command's arguments."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
