"""How the tests of whole runs start throng: SCRIPT THRONG FOLDER LAUNCHER..."""

import os
import pathlib
import shutil
import subprocess
import sys

THRONG = pathlib.Path(sys.argv[1]).resolve()
FOLDER = pathlib.Path(sys.argv[2])  # where runs start
LAUNCHER = sys.argv[3:]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_ess_singleton_isolated": "1",
               "OMP_WAIT_POLICY": "passive", "HWLOC_COMPONENTS": "-gl,-opencl,-pci"}  # as launch.c
# As tests/launch.c: LeakSanitizer knows the leaks of MPI by the names of its libraries, which only
# the slow unwinder sees.
LEAKS = {False: ":fast_unwind_on_malloc=0", True: ":detect_leaks=0"}


def new_folder(scenario):
    """Makes the folder anew, with the scenario in hall.yaml."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "hall.yaml").write_text(scenario)


def start(*words, ranks=0):
    """Starts the program; ranks 0: without a launcher."""
    launch = [*LAUNCHER, "-n", str(ranks)] if ranks else []
    leaks = os.environ.get("ASAN_OPTIONS", "") + LEAKS[ranks > 0]
    return subprocess.Popen(["timeout", "-k", "5", "120", *launch, THRONG, *words], cwd=FOLDER,
                            env={**ENVIRONMENT, "ASAN_OPTIONS": leaks}, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def outputs(*words, ranks=0, code=0):
    """What a run with this exit code says on stdout and on stderr."""
    job = start(*words, ranks=ranks)
    out, said = job.communicate()
    assert job.returncode == code, (words, job.returncode, out, said)
    return out, said


def throng(*words, ranks=0, code=0):
    """What a run with this exit code says on stderr."""
    return outputs(*words, ranks=ranks, code=code)[1]
