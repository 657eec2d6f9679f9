"""A rank of test_ranks.py: ranks_simulation.py SCENARIO own|world|parts. own: libthrong starts MPI;
world: mpi4py does; parts: so it does, and the last rank has a simulation of its own."""
import sys

from checkout import ROOT  # noqa: F401  pylint: disable=unused-import

import throng

SCENARIO, BY = sys.argv[1:]


def communicator():
    """That of the simulation; None: all ranks, without mpi4py."""
    if BY == "own":
        return None
    from mpi4py import MPI
    world = MPI.COMM_WORLD
    return world.Split(world.rank // (world.size - 1)) if BY == "parts" else world


def main():
    comm = communicator()
    with throng.Simulation(SCENARIO, threads=1, comm=comm) as sim:
        assert comm is None or (sim.rank, sim.ranks) == (comm.rank, comm.size)
        count = 1
        while not sim.over:
            count += sim.step(count)
        checksum, inside = sim.checksum, sim.inside
        assert comm is None or comm.allreduce(len(sim.agents["id"])) == inside
        if sim.rank == 0:
            print(checksum, sim.ranks, flush=True)


main()
