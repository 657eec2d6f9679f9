"""A rank of test_simulation.py: ranks_simulation.py SCENARIO. With mpi4py, all but the last of four
ranks hold the simulation."""
import sys

from checkout import ROOT  # noqa: F401  pylint: disable=unused-import

import throng

try:
    from mpi4py import MPI
except ImportError:
    COMM = None
else:
    COMM = MPI.COMM_WORLD
    if COMM.size == 4 and "part" in sys.argv:
        COMM = COMM.Split(COMM.rank // 3)
with throng.Simulation(sys.argv[1], threads=1, comm=COMM) as sim:
    if COMM is not None:
        assert (sim.rank, sim.ranks) == (COMM.rank, COMM.size)
    count = 1
    while not sim.over:
        count += sim.step(count)
    checksum, inside = sim.checksum, sim.inside
    if COMM is not None:
        assert COMM.allreduce(len(sim.agents["id"])) == inside
    if sim.rank == 0:
        print(checksum, sim.ranks, "with mpi4py" if COMM else "without mpi4py", flush=True)
