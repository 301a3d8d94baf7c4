"""The recipes of tools/packages ask for the version, the presets and the options that there are.

Neither conda nor Spack runs here: the Spack file runs against stand-ins for Spack's directives. test_lints.py renders the recipe."""
import json
import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECIPE = ROOT / "tools/packages/conda/recipe.yaml"
SPACK = ROOT / "tools/packages/spack/spack_repo/alnsmith/packages/alnsmith/package.py"
OPTIONS = set(re.findall(r"^option\((ALNSMITH_\w+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE))


def version():
    text = (ROOT / "runtime/include/alnsmith/version.h").read_text()
    return ".".join(re.search(rf"ALNSMITH_VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


class Conda(unittest.TestCase):
    text = RECIPE.read_text()

    def test_it_is_of_this_version(self):
        self.assertIn(f'version: "{version()}"', self.text)

    def test_it_asks_for_what_the_cluster_page_lists(self):
        row = re.search(r"^\| conda-forge \| `([^`]*)`", (ROOT / "docs/cluster.md").read_text(), re.MULTILINE).group(1)
        names = {word.split("=")[0] for word in row.split()} - {"cxx-compiler"}
        wanted = re.search(r"^requirements:\n(.*?)^  run:", self.text, re.DOTALL | re.MULTILINE).group(1)
        asked = set(re.findall(r"^    - ([a-z][\w-]*)", wanted, re.MULTILINE))
        self.assertEqual(names, asked)

    def test_its_presets_are_there(self):
        presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
        used = set(re.findall(r"--preset (\S+)", self.text))
        self.assertTrue(used and used <= presets, used)


def spack_package(enabled):
    """The package's class with stand-ins for Spack; `enabled`: names of variants. What its directives said is in `said`."""
    said = []

    def directive(name):
        return lambda *words, **named: said.append((name, words, named))

    class CMakePackage:
        run_tests = False
        spec = types.SimpleNamespace(satisfies=lambda text: (text[1:] in enabled) == (text[0] == "+"))

        def define(self, name, value):
            return name, value

        def define_from_variant(self, name, variant):
            return name, variant in enabled

    package, cmake = types.ModuleType("spack.package"), types.ModuleType("spack_repo.builtin.build_systems.cmake")
    for name in ("depends_on", "license", "variant", "version"):
        setattr(package, name, directive(name))
    cmake.CMakePackage, cmake.generator = CMakePackage, directive("generator")
    modules = {"spack.package": package, "spack_repo.builtin.build_systems.cmake": cmake}
    for name in list(modules):
        for end in (m.start() for m in re.finditer(r"\.", name)):
            modules.setdefault(name[:end], types.ModuleType(name[:end]))
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        scope = {"__name__": "package"}
        exec(compile(SPACK.read_text(), SPACK, "exec"), scope)
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.__setitem__(name, module)
    return scope["Alnsmith"], said


class Spack(unittest.TestCase):
    def test_it_is_of_this_version(self):
        _, said = spack_package(set())
        self.assertEqual([words for name, words, _ in said if name == "version"], [(version(),)])

    def test_its_arguments_are_options_of_the_build(self):
        for enabled in ({"generator", "prebuilt", "static"}, {"generator"}, set()):
            made, said = spack_package(enabled)
            given = dict(made().cmake_args())
            self.assertTrue(given.keys() <= OPTIONS, given.keys() - OPTIONS)
            self.assertEqual(given["ALNSMITH_GENERATOR"], "generator" in enabled)
            self.assertTrue(given["ALNSMITH_GENERATOR"] or given["ALNSMITH_PREBUILT"])
            variants = {words[0] for name, words, _ in said if name == "variant"}
            self.assertEqual(variants, {"generator", "prebuilt", "static"})


if __name__ == "__main__":
    unittest.main()
