"""A simulation that Python drives on ranks ends as the program does, whether MPI is started by
libthrong (own) or by mpi4py: test_ranks.py own|mpi4py THRONG FOLDER LAUNCHER...

Without mpi4py, its part is skipped (77)."""
import importlib.util
import os
import pathlib
import subprocess
import sys

from checkout import ROOT, throng

BY, THRONG, FOLDER, *LAUNCHER = sys.argv[1:]
HERE = pathlib.Path(__file__).resolve().parent
STATION = ROOT / "tests/same_bits/station.yaml"
CASES = {"own": [(1, "own"), (2, "own"), (4, "own")],
         "mpi4py": [(1, "world"), (2, "world"), (4, "world"), (4, "parts")]}


def said_by_ranks(ranks, comm):
    """What the first rank of each simulation prints: [checksum, number of its ranks], sorted."""
    done = subprocess.run(
        ["timeout", "-k", "5", "100", *LAUNCHER, "-n", str(ranks), sys.executable, "-B",
         HERE / "ranks_simulation.py", STATION, comm], capture_output=True, text=True, check=False,
        env=dict(os.environ))
    assert done.returncode == 0, (ranks, comm, done.stdout, done.stderr)
    return sorted(line.split() for line in done.stdout.splitlines())


def main():
    if BY == "mpi4py" and not importlib.util.find_spec("mpi4py"):
        print("SKIPPED: no mpi4py")
        sys.exit(77)
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)
    os.environ.update({"THRONG": THRONG, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1"})
    checksum = throng.run(STATION, set={"output.trajectory.every": 0}, threads=1, output="station",
                          quiet=True).summary["checksum"]
    for ranks, comm in CASES[BY]:
        sizes = [1, ranks - 1] if comm == "parts" else [ranks]
        assert said_by_ranks(ranks, comm) == [[checksum, str(n)] for n in sizes], (ranks, comm)
        print(f"{ranks} ranks, {comm}: passed", flush=True)


main()
