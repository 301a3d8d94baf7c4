"""Sources include only what docs/architecture.md's table of rooms allows. Usage: test_includes.py"""
import os
import unittest

import includes

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with open(os.path.join(FOLDER, "docs", "architecture.md"), encoding="utf-8") as page:
    ROOMS = includes.read_table(page.read())
SOURCES = includes.read_sources(FOLDER, ROOMS)


def planted(path, line):
    """What is found wrong once `line` stands in the file."""
    before = set(includes.problems(ROOMS, SOURCES))
    sources = {**SOURCES, path: SOURCES[path] + includes.includes_of(line)}
    return [p for p in includes.problems(ROOMS, sources) if p not in before]


class Includes(unittest.TestCase):
    def test_the_table_is_read(self):
        names = [name for name, _ in ROOMS]
        self.assertEqual(len(names), len(set(names)))
        for room in ("models/", "generator/spec/", "runtime/src/base/", "runtime/src/device/schedule/", "tools/tune/"):
            self.assertIn(room, names)
        self.assertGreater(len(SOURCES), 400)

    def test_every_include_is_one_that_the_table_allows(self):
        found = includes.problems(ROOMS, SOURCES)
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_an_upward_include_is_found(self):
        found = planted("runtime/src/base/files.cpp", '#include "align/call.h"')
        self.assertEqual(found, ["runtime/src/base/files.cpp: align/call.h: runtime/src/base/ may not use "
                                 "runtime/src/align/"])

    def test_an_unlisted_room_or_library_is_found(self):
        self.assertEqual(len(planted("runtime/src/align/batch.cpp", '#include "compile/compiler.h"')), 1)
        self.assertEqual(len(planted("runtime/src/align/batch.cpp", "#include <yaml-cpp/yaml.h>")), 1)
        self.assertEqual(len(planted("runtime/src/align/batch.cpp", "#include <unheard/of.h>")), 1)
        self.assertEqual(len(planted("generator/plan/plan.cpp", '#include "clang/AST/Expr.h"')), 1)
        self.assertEqual(len(planted("runtime/src/align/batch.cpp", '#include "no_such_file.hpp"')), 1)

    def test_a_room_above_tests_does_not_use_them(self):
        self.assertEqual(len(planted("tools/alnsmith/main.cpp", '#include "program.h"')), 1)

    def test_a_cycle_in_the_table_is_found(self):
        rooms = [(name, uses | {"runtime/src/align/"} if name == "runtime/src/base/" else uses) for name, uses in ROOMS]
        self.assertIn("runtime/src/base/ may use runtime/src/align/, which does not stand above it in the table",
                      includes.problems(rooms, SOURCES))

    def test_a_permission_that_nobody_uses_is_found(self):
        rooms = [(name, uses | {"models/"} if name == "runtime/src/packs/" else uses) for name, uses in ROOMS]
        self.assertIn("runtime/src/packs/ may use models/, and does not", includes.problems(rooms, SOURCES))

    def test_a_file_in_no_room_is_found(self):
        rooms = [(name, uses) for name, uses in ROOMS if name != "oracle/"]
        self.assertIn("oracle/align.cpp: in no room of the table", includes.problems(rooms, SOURCES))


if __name__ == "__main__":
    unittest.main()
