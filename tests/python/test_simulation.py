"""Simulations that Python drives: test_simulation.py THRONG FOLDER LAUNCHER..."""
import gc
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

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


def test_evacuation_time_counts_who_was_removed():
    """The last one leaves when the caller removes them; the run ends later or at once."""
    options = {**SHORT, "events": [{"name": "later", "at": 2.5, "open": ["out"]}]}
    for steps in (20, 0):
        with throng.Simulation(HALL, set=options, output="removed") as sim:
            sim.step(10)
            assert sim.arrived == 0 and sim.remove(sim.agents["id"]) == 160
            sim.step(steps)
            sim.finish()
        summary = throng.open("removed").summary
        assert summary["inside"] == 0 and abs(summary["evacuation_time_s"] - 1) < 1e-9, summary


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
        refused(lambda: sim.nearest([[1, 1]], k=99), "from 1 to 32 is expected", 64)
        refused(sim.checkpoint, "needs a directory", 64)
        sim.agents["speed"][3] = -1
        refused(sim.step, "has an impossible speed", 64)
        sim.agents["speed"][3] = 1
        sim.step()
        kept = sim
    refused(kept.step, "is closed", 64)


def test_plausible_mistakes():
    with throng.Simulation(STATION) as sim:
        x, ids = sim.agents["x"], sim.agents["id"]
        refused(lambda: sim.remove(x < 10), "not a mask", 64)
        refused(lambda: sim.remove([1.5]), "ids are integers", 64)
        refused(lambda: sim.add(np.zeros((2, 3))), "[n, 2], not [2, 3]", 64)
        refused(lambda: sim.steer([1, 2], [[1, 1]]), "2 ids need as many goals", 64)
        refused(lambda: sim.add([[5, 5]], source="early", destination="out"), "either a source", 64)
        for radius, speed in ((-0.3, 1), (1e-9, 1), (99, 1), (0.2, -1), (0.2, 70)):
            refused(lambda r=radius, v=speed: sim.add([[25, 30]], radius=r, speed=v), "impossible", 64)
        assert sim.remove([]) == 0 and len(sim.add([])) == 0
        assert sim.remove(ids[:4].reshape(2, 2)) == 4  # as nearest gives them
        refused(lambda: sim.agents.__setitem__("x", 5), "x cannot be written", 64)
        sim.agents["speed"] *= 0.5
        assert np.allclose(sim.agents["max_speed"].max(), 1.3 * 2 * sim.agents["speed"].max(), 0.5)
        sim.step()
        old = sim.agents.column("x")
        sim.step()
        old[:] = 2**31 - 1  # the memory may still be that of the column, or not
        try:
            sim.step()
        except throng.Error as error:
            assert "outside the world" in str(error), error
    for act in (lambda: sim.send([1], "out"), lambda: sim.agents["x"], lambda: list(sim.agents),
                lambda: sim.add([[1, 1]], source="early"), lambda: sim.checksum):
        refused(act, "is closed", 64)


def test_bad_arguments_leave_the_program_and_the_simulation():
    """Numbers that C would cut off, too."""
    for threads in (-1, -3, -2**31, 1025, 2**31, 2**32 - 3, 2**32 + 2):
        refused(lambda n=threads: throng.Simulation(HALL, threads=n), f"threads {threads}", 64)
    for steps in (-5, 2**63, 2**64 + 1):
        refused(lambda n=steps: throng.Simulation(HALL, steps=n), f"steps {steps}", 64)
    with throng.Simulation(HALL, set=SHORT) as sim:
        refused(lambda: sim.step(-1), "step -1", 64)
        refused(lambda: sim.step(2**64 + 1), "step 18446744073709551617", 64)
        for k in (-1, 0, 33, 2**32 + 1):
            refused(lambda n=k: sim.nearest([[1010, -1999]], k=n), f"k {k}", 64)
        assert sim.steps == 0 and sim.step() == 1


def test_texts_with_nul_are_refused():
    """C would take what stands before it."""
    for options in ({"text": "world: {extent: [0, 0, 9, 9]}\0 sourcs: []"}, {"backend": "auto\0x"},
                    {"config": f"{HALL}\0.yaml"}, {"output": "nul\0x"}, {"restart": "auto\0x"},
                    {"set": {"time.end": "3\0x"}}, {"set": {"seed\0s": 1}}):
        given = {"config": HALL, **options}
        refused(lambda o=given: throng.Simulation(o.pop("config"), **o), "has a NUL character", 64)
    assert not os.path.exists("nul")
    with throng.Simulation(HALL, set=SHORT) as sim:
        assert "speed" in sim.agents and "speed\0x" not in sim.agents


def test_a_move_is_of_all_or_of_none():
    with throng.Simulation(HALL, set=SHORT) as sim:
        ids, before = sim.agents["id"][:3].copy(), sim.positions
        for last in ([np.nan, -1990], [1e300, -1990], [-np.inf, -1990], [1003, -2001], [1003, 1e6]):
            refused(lambda at=last: sim.move(ids, [[1003, -1990], [1004, -1990], at]),
                    f"agent {ids[2]}: ({last[0]:g}, {last[1]:g}) lies outside the world", 64)
            assert np.array_equal(sim.positions, before)
        speeds = sim.agents["speed"].copy()
        for values in ([1.5] * 159 + ["slow"], [1.5] * 159, ["1.5"] * 159 + ["2,5"]):
            try:
                sim.agents["speed"] = values
            except ValueError:
                assert np.array_equal(sim.agents["speed"], speeds)
                continue
            raise AssertionError(values[-1])
        sim.move(ids, [[1003, -1990], [1004, -1990], [1005, -1990]])
        assert np.allclose(sim.positions[:3], [[1003, -1990], [1004, -1990], [1005, -1990]],
                           atol=sim.quantum)


def test_moves():
    with throng.Simulation(STATION) as sim:
        sim.step(10)
        ids = sim.agents["id"][:3]
        assert sim.move(ids, [[30, 20], [31, 20], [32, 21]]) == 3
        where = [list(sim.agents["id"]).index(one) for one in ids]
        assert np.allclose(sim.positions[where], [[30, 20], [31, 20], [32, 21]], atol=1e-4)
        sim.step()
        sim.move(ids, [[21, 5]] * 3)
        refused(sim.step, "is inside a wall", 64)
        sim.move(ids, [[30, 20], [31, 20], [32, 21]])
        sim.step()


def test_the_last_of_equal_ids_counts():
    with throng.Simulation(STATION) as sim:
        for copies in (2, 5, 11):
            goals = [[25 + k, 13] for k in range(copies)]
            assert sim.steer([7] * copies, goals) == 1
            at = list(sim.agents["id"]).index(7)
            assert abs(sim.agents["goal_x"][at] - (24 + copies)) < 1e-3


def test_what_the_function_of_a_step_may_not_do():
    wrong = "the function of a step can only read"
    with throng.Simulation(STATION) as sim:
        for act in (lambda s: s.remove([1]), lambda s: s.add([[5, 5]]), lambda s: s.step(),
                    lambda s: s.checksum):
            sim.each_step(act)
            refused(sim.step, wrong, 64)
        sim.each_step(lambda s: s.agents.__setitem__("vx", 0))
        refused(sim.step, "vx cannot be written", 64)
        sim.each_step(lambda s: s.close())
        refused(sim.step, "cannot close", 64)
        sim.each_step(None)
        sim.step(5)


def test_files_are_written_between_two_calls():
    """Also those of a caller that is away. One that fails then ends the next call, and says why."""
    options = {**SHORT, "output.snapshot_every": 0.5, "output.series_every": 0}
    with throng.Simulation(HALL, set=options, output="away") as sim:
        sim.step(5)
        for _ in range(1000):
            if os.path.exists("away/snapshot-00000005.vtkhdf"):
                break
            time.sleep(0.01)
        assert os.path.exists("away/snapshot-00000005.vtkhdf")
        shutil.rmtree("away")

        def step_on():
            for _ in range(20):
                sim.step()
                time.sleep(0.02)
        refused(step_on, "snapshot-00000010.vtkhdf: cannot be written", 74)


def test_files_end_once():
    with throng.Simulation(HALL, set=SHORT, output="once") as sim:
        sim.step(5)
        sim.agents["vx"][2] = np.nan
        refused(sim.checkpoint, "impossible velocity", 64)
        refused(sim.finish, "impossible velocity", 64)
        sim.agents["vx"][2] = 0
        sim.finish()
        sim.finish()
        refused(sim.step, "no step may follow", 64)
        refused(sim.checkpoint, "no checkpoint may follow", 64)
    assert len(throng.open("once").series["step"]) > 1


DESK = """
world: {extent: [0, 0, 30, 10]}
time: {end: 200}
destinations:
  - {name: desk, areas: [{rectangle: [18, 4, 20, 6]}], queue: {line: [[20, 5], [10, 5]], service: 4}}
  - {name: out, areas: [{rectangle: [28, 0, 30, 10]}]}
journeys: [{name: visit, via: [desk, out]}]
sources: [{area: {rectangle: [1, 1, 9, 9]}, count: 8, journey: visit}]
"""
QUEUE = 3  # enum agent_activity


def queue_of(sim):
    """Those in the queue, from its head."""
    waits = sim.agents["doing"] == QUEUE
    order = np.argsort(sim.agents["until"][waits])
    return sim.agents["id"][waits][order].tolist()


def test_who_leaves_a_queue_leaves_its_place():
    """Also who is served at the moment; the others move up and are served in their order."""
    with throng.Simulation(text=DESK) as sim:
        while len(queue_of(sim)) < 6:
            sim.step()
        sim.step(20)  # the first one stands at the desk and is served
        waiting = queue_of(sim)
        assert sim.remove([waiting[0], waiting[2]]) == 2
        sim.steer([waiting[4]], [[5, 1]])
        left = [one for one in waiting if one not in (waiting[0], waiting[2], waiting[4])]
        assert queue_of(sim) == left
        served, before = [], set(left)
        while not sim.over:
            sim.step()
            now = set(queue_of(sim))
            served += sorted(before - now)
            before = now
        assert served[:len(left)] == left, (served, left)
        assert sim.removed == 2 and sim.arrived == 6


def in_child(act):
    """The exit code of a forked process that does this."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except throng.Error as error:
            os._exit(3 if "spawn" in str(error) else 4)
        os._exit(5)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_other_processes_and_threads():
    with throng.Simulation(STATION) as sim:
        sim.step()
        assert in_child(sim.step) == 3 and in_child(lambda: throng.Simulation(STATION)) == 3
        seen = []
        other = threading.Thread(target=lambda: seen.append(tried(sim.step)))
        other.start()
        other.join()
        assert "one thread drives" in seen[0], seen
        sim.step()


def tried(act):
    """The error of an action as text; "": none."""
    try:
        act()
    except throng.Error as error:
        return str(error)
    return ""


def test_an_exception_on_one_rank_ends_all():
    code = f"""
import sys
sys.path.insert(0, {str(ROOT / "python")!r})
import throng
sim = throng.Simulation({str(STATION)!r}, threads=1)
sim.step(3)
if sim.rank == 1:
    raise RuntimeError("on one rank")
sim.step(1000)
"""
    for script in (code, code.replace("sim = throng", "with throng").replace(
            "threads=1)\n", "threads=1) as sim:\n").replace("\nsim.", "\n    sim.").replace(
                "\nif", "\n    if").replace("    raise", "        raise")):
        done = subprocess.run(["timeout", "-k", "5", "40", *LAUNCHER, "-n", "2", sys.executable,
                               "-B", "-c", script], capture_output=True, text=True, check=False,
                              env=dict(os.environ))
        assert done.returncode not in (0, 124, 137) and "on one rank" in done.stderr, (
            done.returncode, done.stderr)


os.makedirs(FOLDER, exist_ok=True)
os.chdir(FOLDER)
run_tests(globals())
