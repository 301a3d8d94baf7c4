"""Linters of others find nothing in the recipes of tools/containers and tools/packages.

Usage: test_lints.py Lints.test_NAME. Exit status 77 where the linter is missing: flake8 is Debian's (`tools/setup test`),
hadolint and py-rattler-build are PyPI's, where the Python that runs this is that of `tools/setup python`."""
import os
import shutil
import subprocess
import sys
import unittest

from test_packages import RECIPE, ROOT, SPACK, version


class Lints(unittest.TestCase):
    def lint(self, setup, program, *words):
        beside = os.path.dirname(sys.executable)
        found = shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", os.defpath), beside]))
        if not found:
            self.skipTest(f"no {program} (tools/setup {setup})")
        done = subprocess.run([found, *words], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_dockerfile(self):
        self.lint("python", "hadolint", ROOT / "tools/containers/Dockerfile")

    def test_spack(self):
        self.lint("test", "flake8", "--max-line-length", "120", SPACK)

    def test_recipe(self):
        try:
            import rattler_build
        except ImportError:
            self.skipTest("no py-rattler-build (tools/setup python)")
        variants = "c_compiler: [gcc]\ncxx_compiler: [gxx]\nc_stdlib: [sysroot]\nc_stdlib_version: ['2.17']\n"
        recipe = rattler_build.Stage0Recipe.from_file(RECIPE)
        rendered = list(recipe.render(rattler_build.VariantConfig.from_yaml(variants)))
        self.assertEqual(len(rendered), 1)
        self.assertIn(f"version='{version()}'", repr(rendered[0].recipe))


if __name__ == "__main__":
    done = unittest.main(exit=False, verbosity=2).result
    sys.exit(1 if not done.wasSuccessful() else 77 if done.skipped else 0)
