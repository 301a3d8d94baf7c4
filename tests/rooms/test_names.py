"""Names of headers and of namespaces in the rooms. Usage: test_names.py

Headers end in .h; the library's public ones for C++ in .hpp, beside those for C. A room of the runtime has a namespace
of its name, so that two rooms may each have a Slot: what stands in base/, and the calls of runtime/src/ itself, is rt.
"""
import os
import re
import unittest

import includes

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with open(os.path.join(FOLDER, "docs", "architecture.md"), encoding="utf-8") as page:
    ROOMS = includes.read_table(page.read())
PATHS = sorted(includes.read_sources(FOLDER, ROOMS))
OPENED = re.compile(r"^namespace (?:alnsmith::)?rt(?:::([a-z_]+))? \{", re.M)


def wrong_headers(paths):
    return [path for path in paths if path.endswith(".hpp") and "/include/" not in path]


def room_name(path):
    """"schedule" of runtime/src/device/schedule/slot.cpp; None outside the runtime's rooms."""
    parts = path.split("/")
    return parts[-2] if path.startswith("runtime/src/") and len(parts) > 3 else None


def wrong_namespaces(path, text):
    room = room_name(path)
    if room is None:
        return []
    allowed = {None, "fork_join"} if room == "base" else {room}
    return [f"{path}: namespace rt::{name or ''}" for name in OPENED.findall(text) if (name or None) not in allowed]


class Names(unittest.TestCase):
    def test_headers_end_alike(self):
        self.assertEqual(wrong_headers(PATHS), [])
        self.assertEqual(wrong_headers(["runtime/src/align/call.hpp"]), ["runtime/src/align/call.hpp"])

    def test_a_room_of_the_runtime_has_its_namespace(self):
        found, rooms = [], set()
        for path in PATHS:
            if room_name(path):
                rooms.add(room_name(path))
                with open(os.path.join(FOLDER, path), encoding="utf-8") as file:
                    found += wrong_namespaces(path, file.read())
        self.assertEqual(found, [])
        self.assertEqual(len(rooms), 8)

    def test_another_rooms_namespace_is_found(self):
        for text in ("namespace alnsmith::rt {\n", "namespace alnsmith::rt::packs {\n", "namespace rt::packs {\n"):
            self.assertEqual(len(wrong_namespaces("runtime/src/align/call.cpp", text)), 1)
        self.assertEqual(wrong_namespaces("runtime/src/align/call.cpp", "namespace alnsmith::rt::align {\n"), [])
        self.assertEqual(wrong_namespaces("runtime/src/base/files.cpp", "namespace alnsmith::rt {\n"), [])


if __name__ == "__main__":
    unittest.main()
