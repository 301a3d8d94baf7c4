"""No source file is so long that nobody reads it to its end. Usage: test_lengths.py"""
import os
import unittest

import includes

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MOST = 400  # lines


def sources():
    """Files that people write: of every language, but what the generator has printed."""
    for folder, names, files in os.walk(FOLDER):
        inside = os.path.relpath(folder, FOLDER)
        names[:] = sorted(name for name in names if not name.startswith((".", "build")) and
                          os.path.normpath(os.path.join(inside, name)) != "generated")
        for name in files:
            if name.endswith((*includes.SUFFIXES, ".py", ".sh")):
                yield os.path.normpath(os.path.join(inside, name))


def lines(path):
    with open(os.path.join(FOLDER, path), encoding="utf-8") as file:
        return sum(1 for _ in file)


class Lengths(unittest.TestCase):
    def test_no_file_is_over_the_limit(self):
        paths = list(sources())
        self.assertGreater(len(paths), 500)
        self.assertEqual([f"{path}: {lines(path)} lines" for path in paths if lines(path) > MOST], [])


if __name__ == "__main__":
    unittest.main()
