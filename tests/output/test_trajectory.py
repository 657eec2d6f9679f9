"""trajectory.h5 of real runs: test_trajectory.py THRONG FOLDER LAUNCHER...

Laws: its frames are the snapshots of the same steps; its bytes depend neither on the ranks and
threads nor on being stopped and continued; it can be read while the run goes on."""

import json
import shutil
import time

import h5py
import numpy as np
from launching import FOLDER, new_folder, start, throng

# People come and go; the map has a hole, a wall that is a line, and its own origin.
SCENARIO = """
world:
  extent: [1000.5, -2000, 1040.5, -1980]
  obstacles: ['POLYGON ((1010 -1995, 1014 -1995, 1014 -1985, 1010 -1985, 1010 -1995))',
              'LINESTRING (1025 -2000, 1025 -1992)']
time: {end: 30}
navigation: {model: field, cell: 0.25}
destinations: [{name: out, areas: [{rectangle: [1038, -1992, 1040.5, -1988]}]}]
sources:
  - {area: {rectangle: [1001, -1999, 1006, -1981]}, count: 150, destination: out}
  - {area: {rectangle: [1001, -1999, 1003, -1981]}, rate: 4, destination: out}
output: {snapshot_every: 0.5, positions: f64}
"""
COMPACT = ("output.trajectory.fields=[velocity, speed, radius, destination]",)
ARCHIVE = ("output.trajectory.layout=archive",)
ALONE = ("output.snapshot_every=0",)  # many snapshots take longer than the run
KEEPING = ("output.checkpoint_every=20", "sources.0.count=500", *ALONE)  # a larger crowd


def options_words(every, options):
    sets = (f"output.trajectory.every={every}", *options)
    return [word for option in sets for word in ("--set", option)]


def run(name, *options, ranks=0, more=(), every=0.5, code=0):
    """The folder of a run with these options; what it says if it fails with this code."""
    said = throng("run", "hall.yaml", "-q", *options_words(every, options), "-o", name, *more,
                  ranks=ranks, code=code)
    return said if code else FOLDER / name


def begin(name, *options, every=0.5):
    """The process of such a run."""
    return start("run", "hall.yaml", "-q", *options_words(every, options), "-o", name)


def the_bytes(folder):
    return (folder / "trajectory.h5").read_bytes()


def frames_of(file):
    """(step, first row, end row) of each frame"""
    first = file["frames/first"][:]
    return list(zip(file["frames/step"][:].tolist(), first, first + file["frames/count"][:]))


def expect_frame(trajectory, rows, snapshot, layout):
    about = snapshot["throng"].attrs
    origin, quantum = about["frame_origin"], about["quantum"]
    points = snapshot["VTKHDF/PointData"]
    order = np.argsort(points["id"][:])
    position = snapshot["VTKHDF/Points"][:][order]
    if layout is ARCHIVE:
        table = trajectory["trajectory"][rows]
        own = {"id": table["id"], "x": table["x"], "y": table["y"]}
        assert np.all(table["z"] == 0)
    else:
        group = trajectory["trajectory"]
        own = {name: group[name][rows] for name in group}
        own["x"], own["y"] = (own[k] * quantum + origin[i] for i, k in enumerate("xy"))
        for name in ("speed", "radius", "destination"):
            assert np.array_equal(own[name], points[name][:][order]), name
        assert np.array_equal(own["vx"], points["velocity"][:][order, 0])
        assert np.array_equal(own["vy"], points["velocity"][:][order, 1])
    assert np.array_equal(own["id"], points["id"][:][order])
    assert np.all(np.diff(own["id"]) > 0)
    assert np.array_equal(own["x"], position[:, 0]) and np.array_equal(own["y"], position[:, 1])


def frames_are_the_snapshots(layout):
    folder = run("whole", *layout)
    with h5py.File(folder / "trajectory.h5") as trajectory:
        frames = frames_of(trajectory)
        assert [step for step, _, _ in frames] == list(range(0, 301, 5)), frames
        assert trajectory["trajectory"].attrs["fps"] == 2
        counts = {end - first for _, first, end in frames}
        assert len(counts) > 20, counts  # people come and go
        for number, (step, first, end) in enumerate(frames):
            with h5py.File(folder / f"snapshot-{step:08d}.vtkhdf") as snapshot:
                expect_frame(trajectory, slice(first, end), snapshot, layout)
            if layout is ARCHIVE:
                assert np.all(trajectory["trajectory"]["frame"][first:end] == number)


def bytes_are_the_same_on_any_ranks(layout, machines):
    whole = the_bytes(FOLDER / "whole")
    for ranks, threads in machines:
        beside = () if ranks == 3 else ALONE
        other = run("other", *layout, *beside, ranks=ranks, more=("--threads", str(threads)))
        assert the_bytes(other) == whole, (ranks, threads)
    other = run("other", *layout, *ALONE, ranks=2, more=("--backend", "emulated", "--threads", "1"))
    assert the_bytes(other) == whole, "agents on a device"


# With a frame in each step several chunks are full, and the checkpoint lies between two of them.
def bytes_are_the_same_after_a_restart(layout, ranks_later):
    checkpoint = (*layout, *KEEPING)
    whole = the_bytes(run("whole", *checkpoint, every=0.1))
    run("part", *checkpoint, every=0.1, ranks=3, more=("--steps", "290", "--threads", "1"))
    for ranks in ranks_later:
        shutil.rmtree(FOLDER / "again", ignore_errors=True)
        shutil.copytree(FOLDER / "part", FOLDER / "again")
        with open(FOLDER / "again/trajectory.h5", "r+b") as file:  # killed while it was written
            size = file.seek(0, 2)
            file.seek(0)
            file.write(bytes(2048))
            file.truncate(size - 100)
        run("again", *checkpoint, every=0.1, ranks=ranks, more=("--restart", "auto"))
        assert the_bytes(FOLDER / "again") == whole, ranks


def a_stopped_run_shows_all_its_frames():
    """Though its last chunk is not full. Continued, it ends with the bytes of an undisturbed run."""
    options = (*KEEPING, "time.end=150")
    whole = the_bytes(run("whole", *options))
    run("stopped", *options, code=75, more=("--max-wall", "0.1"))
    step = max(int(path.stem[-8:]) for path in (FOLDER / "stopped").glob("checkpoint-*.h5"))
    with h5py.File(FOLDER / "stopped/trajectory.h5") as file:
        frames = frames_of(file)
        assert [frame for frame, _, _ in frames] == list(range(0, step + 1, 5)), (frames, step)
        rows = len(file["trajectory/x"])
        assert rows == frames[-1][2] and rows % 65536 > 0, (rows, frames[-1])
    run("stopped", *options, ranks=2, more=("--restart", "auto"))
    assert the_bytes(FOLDER / "stopped") == whole


def the_files(name):
    return {path.name: path.read_bytes() for path in (FOLDER / name).iterdir() if path.is_file()}


def continues_elsewhere_with_another_rate():
    before = the_files("part")
    said = run("part", *KEEPING, every=0.7, code=64,
               more=("--restart", "auto"))
    assert "output.trajectory is not what it was at the checkpoint" in said, said
    said = throng("run", "hall.yaml", "-q", "--set", KEEPING[0], "--set", KEEPING[1], "-o", "part",
                  "--restart", "auto", code=64)  # without a trajectory
    assert "output.trajectory is not what it was at the checkpoint" in said, said
    assert the_files("part") == before  # what is refused changes nothing
    other = run("elsewhere", *ARCHIVE, *KEEPING, every=1,
                more=("--restart", "part/checkpoint-00000200.h5"))
    with h5py.File(other / "trajectory.h5") as file:
        assert [step for step, _, _ in frames_of(file)] == list(range(200, 301, 10))


def a_lost_file_is_told():
    (FOLDER / "part/trajectory.h5").unlink()
    said = run("part", *COMPACT, *KEEPING, every=0.1, code=74, more=("--restart", "auto"))
    assert "trajectory.h5: cannot be read: No such file" in said, said
    assert "-o FOLDER" in said, said


def no_checkpoint_without_its_trajectory():
    """A file that is deleted meanwhile ends the run at the next checkpoint, and spares the last."""
    job = begin("robbed", "time.end=4000", "output.checkpoint_every=2", "output.snapshot_every=0")
    folder = FOLDER / "robbed"
    while not list(folder.glob("checkpoint-*.h5")):
        assert job.poll() is None
        time.sleep(0.02)
    (folder / "trajectory.h5").unlink()
    assert job.wait() == 74
    assert len(list(folder.glob("checkpoint-*.h5"))) in (1, 2)


def holds_a_selection():
    folder = run("some", "output.trajectory.stride=3",
                 "output.trajectory.region=[1015, -2000, 1040.5, -1980]")
    with h5py.File(folder / "trajectory.h5") as file:
        group, info = file["trajectory"], file["throng"].attrs
        assert sorted(group) == ["id", "x", "y"]
        x = info["origin"][0] + group["x"][:] * info["quantum"]
        assert np.all(group["id"][:] % 3 == 0) and np.all((x >= 1015) & (x < 1040.5))
        expected = 0
        for step, _, _ in frames_of(file):
            with h5py.File(folder / f"snapshot-{step:08d}.vtkhdf") as snapshot:
                place = snapshot["VTKHDF/Points"][:, 0] + snapshot["throng"].attrs["origin"][0]
                expected += np.sum((snapshot["VTKHDF/PointData/id"][:] % 3 == 0) & (place >= 1015))
        assert len(x) == expected > 100, (len(x), expected)


def compression_changes_no_value():
    rows = []
    for level in (0, 1, 9):
        folder = run("level", *ARCHIVE, *ALONE, f"output.compression={level}")
        with h5py.File(folder / "trajectory.h5") as file:
            rows.append(file["trajectory"][:])
    assert np.array_equal(rows[0], rows[1]) and np.array_equal(rows[0], rows[2])


# Another program may read the file at any time; what it sees are whole frames.
def readable_while_the_run_goes_on():
    job = begin("live", "sources.0.count=500", "time.end=400", "sources.1.rate=60",
              "output.snapshot_every=0", every=0.1)
    path, seen = FOLDER / "live/trajectory.h5", 0
    while job.poll() is None and seen == 0:
        time.sleep(0.05)
        try:
            with h5py.File(path, "r") as file:
                frames = frames_of(file)
                seen = len(frames)
                assert all(first <= end for _, first, end in frames)
                assert len(file["trajectory/x"][:]) == len(file["trajectory/y"][:])
        except OSError:  # not there yet, or it is being written at this moment
            continue
    job.terminate()
    job.wait()
    assert seen > 0


def walkable_ground():
    """The hole and the wall are holes of one polygon, in the coordinates of the scenario."""
    with h5py.File(FOLDER / "elsewhere/trajectory.h5") as file:
        text = file.attrs["wkt_geometry"]
        assert isinstance(text, str) and text.startswith("POLYGON ((")
    try:
        import shapely.wkt
    except ImportError:
        print("no shapely: the polygon is not looked at")
        return
    ground = shapely.wkt.loads(text)
    assert ground.is_valid
    assert abs(ground.area - (40 * 20 - 4 * 10 - 8 * 0.02)) < 1e-3, ground.area
    assert ground.bounds == (1000.5, -2000, 1040.5, -1980)


def summary_counts_output():
    seconds = json.loads((FOLDER / "whole/summary.json").read_text())["seconds"]
    assert seconds["output"] > 0


def main():
    new_folder(SCENARIO)
    frames_are_the_snapshots(COMPACT)
    bytes_are_the_same_on_any_ranks(COMPACT, ((0, 2), (3, 1), (7, 1)))
    frames_are_the_snapshots(ARCHIVE)
    bytes_are_the_same_on_any_ranks(ARCHIVE, ((2, 1), (4, 1)))
    bytes_are_the_same_after_a_restart(ARCHIVE, (2,))
    bytes_are_the_same_after_a_restart(COMPACT, (0, 4))
    continues_elsewhere_with_another_rate()
    a_stopped_run_shows_all_its_frames()
    a_lost_file_is_told()
    no_checkpoint_without_its_trajectory()
    holds_a_selection()
    compression_changes_no_value()
    readable_while_the_run_goes_on()
    walkable_ground()
    summary_counts_output()


main()
