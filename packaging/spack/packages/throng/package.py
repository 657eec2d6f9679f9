"""Spack recipe of throng: builds what is committed in the checkout that contains it.

    spack repo add packaging/spack && spack install throng        (docs/cluster.md)
"""
import os

from spack.package import *

try:  # Spack 1 keeps build systems next to the packages; older versions provide this one
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass

CHECKOUT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))


class Throng(CMakePackage):
    """A message-passing simulator for massive crowds of pedestrians: MPI, OpenMP and SIMD, one
    result to the bit on any number of ranks and threads, parallel HDF5 output."""

    git = "file://" + CHECKOUT

    license("MIT")

    # What is committed here; CMakeLists.txt holds the number of the version (0.2.0 or later).
    version("main", branch="main")

    variant("tools", default=True, description="Python for throng-plot and the other tools")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("hdf5@1.10: +mpi")
    depends_on("geos")
    depends_on("libfyaml")
    depends_on("libdeflate")
    depends_on("zlib-api")
    depends_on("random123")
    with when("+tools"):
        depends_on("python@3.9:", type="run")
        depends_on("py-numpy", type="run")
        depends_on("py-h5py", type="run")
        depends_on("py-matplotlib", type="run")
        depends_on("py-jinja2", type="run")  # throng report, as is the next
        depends_on("py-pyyaml", type="run")
        depends_on("py-shapely", type="run")  # throng-osm2geojson, which also calls osmium

    # No avx2 or avx512 requested: every width is built, and one is chosen when throng starts. The
    # tests need Criterion, which Spack does not have: run them from the checkout (tools/test.sh).
    def cmake_args(self):
        args = [self.define("BUILD_TESTING", False)]
        if self.spec.satisfies("+tools"):  # the Python that the installed tools start with
            args.append(self.define("THRONG_PYTHON", self.spec["python"].command.path))
        return args

    @run_after("install")
    def check_program(self):
        """The installed program starts and reads an installed scenario."""
        config = join_path(self.prefix.share.throng.configs, "quickstart.yaml")
        Executable(self.prefix.bin.throng)("check", config, output=os.devnull)

    def setup_run_environment(self, env):
        """The scripts of jobs/ use this variable."""
        env.set("THRONG", self.prefix.bin.throng)
