"""Simulations that Python drives: test_simulation.py THRONG FOLDER LAUNCHER..."""
import gc
import os
import pathlib
import subprocess
import sys

import numpy as np
from checkout import ROOT, refused, run_tests

import throng

THRONG, FOLDER, *LAUNCHER = sys.argv[1:]
os.environ.update({"THRONG": THRONG, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1"})
HALL = pathlib.Path(__file__).resolve().parent / "hall.yaml"
STATION = ROOT / "tests/same_bits/station.yaml"
SHORT = {"time.end": 3, "output.snapshot_every": 0, "measure.grid.every": 0}


def test_is_a_run():
    """Driven in steps of any size, it has the files and the checksum of a run."""
    whole = throng.run(HALL, set=SHORT, threads=1, output="whole", quiet=True)
    with throng.Simulation(HALL, set=SHORT, threads=1, output="driven") as sim:
        assert (sim.steps, sim.time, sim.over, sim.rank, sim.ranks) == (0, 0, False, 0, 1)
        assert sim.step(7) == 7 and sim.step(0) == 0
        sim.run()
        assert sim.over and sim.step() == 0 and sim.steps == 30 and abs(sim.time - 3) < 1e-9
        assert sim.checksum == whole.summary["checksum"]
    driven = throng.open("driven")
    assert driven.summary["checksum"] == whole.summary["checksum"]
    assert pathlib.Path("whole/series.csv").read_bytes() == pathlib.Path(
        "driven/series.csv").read_bytes()


def test_continues_from_a_checkpoint():
    options = {**SHORT, "output.checkpoint_keep": 2}
    with throng.Simulation(HALL, set=options, threads=1, output="first") as sim:
        sim.step(10)
        sim.checkpoint()
        sim.run()
        checksum = sim.checksum
    with throng.Simulation(HALL, set=options, restart="first/checkpoint-00000010.h5") as sim:
        assert sim.steps == 10
        sim.run()
        assert sim.checksum == checksum


def test_columns():
    with throng.Simulation(STATION) as sim:
        sim.step(50)
        names = list(sim.agents)
        assert {"id", "x", "y", "vx", "vy", "speed", "radius", "destination"} <= set(names)
        assert len(sim.agents) == len(names)
        assert all(len(sim.agents[name]) == sim.inside for name in names)
        x0, y0, x1, y1 = sim.extent
        assert (x0, y0, x1, y1) == (0, 0, 60, 40)
        assert np.all((sim.positions >= (x0, y0)) & (sim.positions <= (x1, y1)))
        quanta = sim.agents.column("x")
        assert quanta.dtype == np.int32 and quanta.flags.writeable
        assert np.allclose(sim.agents["x"] - sim.agents["x"][0],
                           (quanta - int(quanta[0])) * sim.quantum)
        assert set(np.unique(sim.agents["destination"])) <= set(range(-1, 6))
        for name in ("x", "destination", "id"):
            try:
                sim.agents[name][0] = 1
            except ValueError:
                continue
            raise AssertionError(f"{name} was written")
        assert "speeed" not in sim.agents


def test_people_come_go_and_are_sent():
    with throng.Simulation(STATION, set={"time.end": 40}) as sim:
        sim.step(100)
        before = sim.inside
        ids = sim.add([[24.5, 30], [26, 30], [27, 30]], destination="out", speed=[1, 1.2, 1.4])
        more = sim.add([[28, 28]], source="street")
        last = sim.add([[29, 29]], goals=[[40, 28]], radius=0.3)
        assert sim.inside == before + 5 and len(set([*ids, *more, *last])) == 5
        near, distance = sim.nearest([[29, 29.5]], k=2)
        assert near[0, 0] == last[0] and abs(distance[0, 0] - 0.5) < 1e-4
        own = {one: k for k, one in enumerate(sim.agents["id"])}
        assert np.allclose([sim.agents["speed"][own[one]] for one in ids], [1, 1.2, 1.4])
        assert sim.remove([*ids[:2], 10**12]) == 2 and sim.removed == 2
        assert sim.steer(last, [[20.5, 17]]) == 1 and sim.send(more, "gate") == 1
        at = sim.positions[list(sim.agents["id"]).index(last[0])]
        sim.step(20)
        now = sim.positions[list(sim.agents["id"]).index(last[0])]
        assert np.hypot(*(now - (20.5, 17))) < np.hypot(*(at - (20.5, 17))) - 1
        sim.run()


def test_views_outlive_what_they_show():
    """A crowd that grows moves in memory, and a simulation ends."""
    with throng.Simulation(STATION) as sim:
        views = [sim.agents["vx"]]
        for _ in range(6):
            sim.add(np.random.default_rng(1).uniform((24.5, 26), (33, 38), (300, 2)), source="bus")
            views.append(sim.agents["vx"])
            sim.step()
    del sim
    gc.collect()
    assert all(np.isfinite(view.sum()) for view in views)


def test_preferred_velocities():
    with throng.Simulation(HALL, set=SHORT) as sim, throng.Simulation(HALL, set=SHORT) as other:
        calls = []
        other.each_step(lambda s: calls.append(s.steps))  # changes nothing
        sim.step(10)
        other.step(10)
        assert calls == list(range(10)) and sim.checksum == other.checksum

        def stand(one):
            one.agents["prefer_x"][:] = 0
            one.agents["prefer_y"][:] = 0
        sim.each_step(stand)
        sim.step(15)
        assert np.abs(sim.agents["vx"]).mean() < 0.05
        sim.each_step(lambda _: 1 / 0)
        try:
            sim.step(5)
        except ZeroDivisionError:
            assert sim.steps == 26
        else:
            raise AssertionError("the exception is lost")


def test_what_is_wrong():
    refused(lambda: throng.Simulation("no.yaml"), "no.yaml", 64)
    refused(lambda: throng.Simulation(text="world: {extent: [0, 0, 5, 5]}\nsourcs: 1\n"),
            "text:2:1: sourcs: unknown option; did you mean sources?", 64)
    refused(lambda: throng.Simulation(HALL, set={"time.ende": 3}), "time.ende", 64)
    with throng.Simulation(STATION) as sim:
        refused(lambda: sim.add([[21, 5]]), "is inside a wall", 64)
        refused(lambda: sim.add([[10, 5]], profile="adlt"), "adlt: there is no such profile", 64)
        refused(lambda: sim.send([1], "door"), "there are: hall, left", 64)
        refused(lambda: sim.nearest([[1, 1]], k=99), "1 to 32 neighbours", 64)
        refused(sim.checkpoint, "needs a directory", 64)
        sim.agents["speed"][3] = -1
        refused(sim.step, "has an impossible speed", 64)
        sim.agents["speed"][3] = 1
        sim.step()
        kept = sim
    refused(kept.step, "is closed", 64)


def test_ranks():
    """Also by mpi4py's communicators."""
    checksum = throng.run(STATION, set={"output.trajectory.every": 0}, threads=1, output="station",
                          quiet=True).summary["checksum"]
    here = pathlib.Path(__file__).resolve().parent
    for ranks, more in ((1, []), (2, []), (4, []), (4, ["part"])):
        done = subprocess.run(
            ["timeout", "-k", "5", "100", *LAUNCHER, "-n", str(ranks), sys.executable, "-B",
             here / "ranks_simulation.py", STATION, *more], capture_output=True, text=True,
            check=False, env=dict(os.environ))  # without what MPI has set in this process
        assert done.returncode == 0 and set(
            line.split()[0] for line in done.stdout.splitlines()) == {checksum}, (
                ranks, done.stdout, done.stderr)
        print(done.stdout, end="")


os.makedirs(FOLDER, exist_ok=True)
os.chdir(FOLDER)
run_tests(globals())
