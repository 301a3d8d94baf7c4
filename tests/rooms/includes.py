"""The rooms of docs/architecture.md and what files include.

In:  the table of rooms (folder or file, what lives there, what it may use) and the sources as {path: includes}.
Out: problems, a line each: an include that the table does not allow, a permission that nobody uses, a file in no room.
     A room uses only rooms that stand above it in the table, so no two rooms can use each other.
"""
import os
import re

SUFFIXES = (".c", ".cc", ".cpp", ".cl", ".def", ".h", ".hpp", ".inc")
# Where `#include "..."` is looked for, after the file's own folder; the build's -I, in one order for all.
ROOTS = ("runtime/src", "runtime/include", "generator", "tools", "tools/alnsmith", "tools/gpu_check", "oracle", "search/include",
         "search", "placement/include", "placement", "",
         "tests", "tests/golden", "tests/generator", "tests/simt", "tests/tools", "tests/runtime", "tests/device",
         "tests/device/kernels", "templates", "runtime/include/alnsmith")
LIBRARIES = {"CL": "OpenCL", "CLI": "CLI11", "clang": "Clang", "fmt": "fmt", "gtest": "GoogleTest",
             "htslib": "htslib", "llvm": "Clang", "nanobind": "nanobind", "nlohmann": "nlohmann_json", "openssl": "OpenSSL",
             "seqan": "SeqAn2", "tbb": "oneTBB", "wavefront": "WFA2-lib",
             "yaml-cpp": "yaml-cpp"}
SYSTEM = ("asm", "sys", "sanitizer")
OTHER = ("tools/containers",)  # no C++, whatever its files are called


def read_table(page):
    """[(room, {what it may use})] in the table's order; `everything` stands for all rooms above and any library."""
    rooms = []
    section = page.split("\n## Rooms\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        uses = set(re.findall(r"`([^`]+)`", cells[2]))
        uses |= {word.strip() for word in re.sub(r"`[^`]*`", "", cells[2]).split(",") if word.strip()} - {"nothing"}
        rooms += [(name, uses) for name in re.findall(r"`([^`]+)`", cells[0])]
    return rooms


def room_of(path, rooms):
    inside = [name for name, _ in rooms if path == name or name.endswith("/") and path.startswith(name)]
    return max(inside, key=len, default=None)


def target_of(path, name, sources):
    for root in (os.path.dirname(path), *ROOTS):
        found = os.path.normpath(os.path.join(root, name))
        if found in sources:
            return found
    return None


def includes_of(text):
    """[(" or <, name)]"""
    return re.findall(r'^\s*#\s*include\s+(["<])([^">]+)[">]', text, re.M)


def used_by(path, rooms, sources):
    """[(what is included, its room or library)]; None for what is neither."""
    for quote, name in sources[path]:
        found = target_of(path, name, sources)
        if found:
            yield name, room_of(found, rooms)
        elif "/" in name and name.split("/")[0] not in SYSTEM:
            yield name, LIBRARIES.get(name.split("/")[0])
        elif quote == '"' and not name.endswith(".kernels.h"):  # which alnsmith_add_kernels makes
            yield name, None


def problems(rooms, sources):
    order = {name: at for at, (name, _) in enumerate(rooms)}
    allowed = dict(rooms)
    seen = {name: set() for name in order}
    out = []
    for name, uses in rooms:
        for other in uses & set(order):
            if order[other] >= order[name]:
                out.append(f"{name} may use {other}, which does not stand above it in the table")
    for path in sorted(sources):
        room = room_of(path, rooms)
        if room is None:
            out.append(f"{path}: in no room of the table")
            continue
        for name, other in used_by(path, rooms, sources):
            if other is None:
                out.append(f"{path}: {name}: neither a file of a room nor a library that tests/rooms/includes.py knows")
            elif other == room:
                continue
            elif "everything" in allowed[room]:
                if order.get(other, -1) > order[room]:
                    out.append(f"{path}: {name}: {room} stands above {other} in the table")
            elif other not in allowed[room]:
                out.append(f"{path}: {name}: {room} may not use {other}")
            seen[room].add(other)
    for name, uses in rooms:
        out += [f"{name} may use {other}, and does not" for other in sorted(uses - seen[name] - {"everything"})]
    return out


def read_sources(folder, rooms):
    sources = {}
    for top in sorted({name.split("/")[0] for name, _ in rooms}):
        for at, _, files in os.walk(os.path.join(folder, top)):
            for file in files if os.path.relpath(at, folder) not in OTHER else ():
                if file.endswith(SUFFIXES):
                    path = os.path.join(at, file)
                    with open(path, encoding="utf-8") as source:
                        sources[os.path.relpath(path, folder)] = includes_of(source.read())
    return sources
