"""Spack's package of alnsmith, built from a checkout: `spack dev-build alnsmith`."""

from spack.package import depends_on, license, variant, version
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Alnsmith(CMakePackage):
    """Forges sequence-alignment kernels from a YAML spec, and aligns batches of DNA and protein sequences with them."""

    license("Apache-2.0")

    version("0.1.0")

    variant("generator", default=True, description="Generate kernels for any spec (needs Clang's libraries)")
    variant("prebuilt", default=True, description="Compile the shipped kernels into the default pack")
    variant("static", default=True, description="Build the static library, too")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("tbb")
    depends_on("openssl")
    depends_on("nlohmann-json")
    depends_on("opencl-c-headers", type="build")
    depends_on("htslib")
    depends_on("zlib-api")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("yaml-cpp")
    depends_on("llvm@19:22 +clang", when="+generator", type=("build", "link", "run"))

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("ALNSMITH_GENERATOR", "generator"),
            # A program without generator has the default pack and nothing else.
            self.define("ALNSMITH_PREBUILT", self.spec.satisfies("+prebuilt") or self.spec.satisfies("~generator")),
            self.define_from_variant("ALNSMITH_STATIC", "static"),
            self.define("ALNSMITH_TESTS", self.run_tests),
        ]
