"""throng replay: test_replay.py THRONG FOLDER LAUNCHER...

Laws: every state of a replayed part is that of the run, from a checkpoint of other ranks too; what
is measured in it is what the whole run would have measured there."""

import csv
import shutil

import h5py
from launching import FOLDER, new_folder, throng

# Dynamic travel times, a door and an inflow: much of a checkpoint is no agent.
SCENARIO = """
world:
  extent: [0, 0, 40, 20]
  obstacles: ['LINESTRING (20 0, 20 3)', 'LINESTRING (20 6, 20 14)', 'LINESTRING (20 17, 20 20)']
time: {end: 30}
navigation: {model: field, cell: 0.5, live: {period: 4}}
doors:
  - {name: left, line: [[20, 3], [20, 6]]}
  - {name: right, line: [[20, 14], [20, 17]]}
events: [{at: 12, close: [left]}]
destinations: [{name: out, areas: [{rectangle: [37, 5, 40, 15]}]}]
sources:
  - {area: {rectangle: [1, 1, 8, 19]}, count: 150, destination: out}
  - {area: {rectangle: [1, 1, 3, 19]}, rate: 5, destination: out}
"""
LINE = "measure.lines=[{name: gate, from: [22, 0], to: [22, 20]}]"
EACH_STEP = ("--set", "output.snapshot_every=0.1", "--set", "output.series_every=0.1",
             "--set", "output.trajectory.every=0.1")


def checkpoints(name):
    return sorted(path.stem[-3:] for path in (FOLDER / name).glob("checkpoint-*.h5"))


def states(name):
    """{step: checksum} of the snapshots."""
    found = {}
    for path in (FOLDER / name).glob("snapshot-*.vtkhdf"):
        with h5py.File(path) as file:
            about = file["throng"].attrs
            found[int(about["step"])] = bytes(about["checksum"])
    return found


def crossings(name):
    """{step: forward crossings so far} of the line."""
    with open(FOLDER / name / "lines.csv", encoding="utf-8") as file:
        return {int(row["step"]): int(row["forward"]) for row in csv.DictReader(file)}


def positions(name):
    """{step: ids, x and y} of the trajectory."""
    with h5py.File(FOLDER / name / "trajectory.h5") as file:
        group, first = file["trajectory"], file["frames/first"][:]
        ends = first + file["frames/count"][:]
        columns = [group[key][:] for key in ("id", "x", "y")]
        return {step: [column[begin:end].tolist() for column in columns]
                for step, begin, end in zip(file["frames/step"][:].tolist(), first, ends)}


def expect_window(name, begin, end):
    whole, part = states("whole"), states(name)
    assert sorted(part) == list(range(begin, end + 1)), sorted(part)
    assert all(part[step] == whole[step] for step in part), name
    assert not checkpoints(name)


def keeps_as_many_checkpoints_as_asked():
    every = ("run", "hall.yaml", "-q", "--set", "output.checkpoint_every=5")
    throng(*every, "--set", "output.checkpoint_keep=all", "--set", LINE, *EACH_STEP, "-o", "whole")
    assert checkpoints("whole") == ["050", "100", "150", "200", "250", "300"]
    throng(*every, "--set", "output.checkpoint_keep=3", "-o", "three", ranks=3)
    assert checkpoints("three") == ["200", "250", "300"]
    throng(*every, "-o", "two")
    assert checkpoints("two") == ["250", "300"]


def states_are_those_of_the_run():
    throng("replay", "whole", "--from", "17", "--to", "21", "-q", ranks=3)
    expect_window("whole/replay-17-21", 170, 210)
    said = throng("replay", "whole", "--from", "2", "--to", "4", "-q", "-o", "early")
    assert "has no checkpoint before that time" in said, said
    expect_window("early", 20, 40)


def the_scenario_may_have_moved():
    """Where the run's folder is copied to another machine, say."""
    (FOLDER / "hall.yaml").rename(FOLDER / "moved.yaml")
    said = throng("replay", "whole", "--from", "17", code=64)
    assert "hall.yaml" in said and "--config" in said, said
    throng("replay", "whole", "--from", "17", "--to", "18", "-q", "--config", "moved.yaml", "-o",
           "there")
    expect_window("there", 170, 180)
    (FOLDER / "moved.yaml").rename(FOLDER / "hall.yaml")
    assert "throng replay does" in throng("run", "hall.yaml", "--from", "17", code=64)


def another_run_measures_the_same():
    """From checkpoints of three ranks, with a line and a trajectory that the run did not have."""
    throng("replay", "three", "--from", "22.5", "--to", "26", "--set", LINE, *EACH_STEP, "-q",
           "-o", "part")
    expect_window("part", 225, 260)
    whole, part = crossings("whole"), crossings("part")
    assert sorted(part) == list(range(225, 261))
    assert all(part[step] == whole[step] - whole[225] for step in part)
    assert part[260] > 0
    whole, part = positions("whole"), positions("part")
    assert all(part[step] == whole[step] for step in range(225, 261))


def wrong_input_is_told():
    assert "two times within the run" in throng("replay", "whole", "--from", "31", code=64)
    assert "two times within the run" in throng("replay", "whole", "--from", "5", "--to", "3",
                                                code=64)
    assert "a time in seconds" in throng("replay", "whole", "--from", "soon", code=64)
    assert "a finished run is needed" in throng("replay", "nowhere", "--from", "1", code=64)
    said = throng("replay", "whole", "--from", "17", "--set", "time.step=0.05", "-o", "other",
                  code=64)
    assert "is of another scenario: time.step" in said, said
    (FOLDER / "hall.yaml").write_text(SCENARIO.replace("count: 150", "count: 151"))
    said = throng("replay", "whole", "--from", "17", "-o", "other", code=64)
    assert "is of another scenario: sources[0].count" in said, said
    said = throng("replay", "whole", "--from", "2", "-o", "other", code=64)  # no checkpoint before
    assert "is not what it was" in said, said


def quotes_and_lines_survive():
    """What --set says is kept as it is: quotes, several lines, letters of any language."""
    odd = 'profiles=[{name: "Ü \\"x\\"",\n  radius: 0.2\n}]'
    throng("run", "hall.yaml", "-q", "--steps", "30", "--set", odd, *EACH_STEP, "-o", "odd")
    throng("replay", "odd", "--from", "1", "--to", "2", "-q")
    whole, part = states("odd"), states("odd/replay-1-2")
    assert sorted(part) == list(range(10, 21)) and all(part[k] == whole[k] for k in part)


def the_run_itself_is_safe():
    before = sorted(path.name for path in (FOLDER / "whole").iterdir())
    assert "folder of the run itself" in throng("replay", "whole", "--from", "17", "-o", "whole",
                                                code=64)
    assert sorted(path.name for path in (FOLDER / "whole").iterdir()) == before
    assert "not --steps" in throng("replay", "whole", "--from", "17", "--steps", "3", code=64)


def a_damaged_checkpoint_is_passed_over():
    shutil.copytree(FOLDER / "three", FOLDER / "hurt")
    with open(FOLDER / "hurt/checkpoint-00000250.h5", "r+b") as file:
        file.seek(5000)
        file.write(b"damage")
    said = throng("replay", "hurt", "--from", "26", "--to", "27", "-q", *EACH_STEP)
    assert "checkpoint-00000250.h5" in said, said
    expect_window("hurt/replay-26-27", 260, 270)


def a_damaged_summary_is_told():
    path = FOLDER / "two/summary.json"
    text = path.read_text(encoding="utf-8")
    for old, new in (('"overrides": [', '"overrides": [["a"], '), ('"config_path": ', '"path": '),
                     ('"step_s": 0.1', '"step_s": 0'), ('"overrides": [', '"overrides": ')):
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert "damaged" in throng("replay", "two", "--from", "17", code=65), new
    path.write_text(text[:-100], encoding="utf-8")
    assert "damaged" in throng("replay", "two", "--from", "17", code=65)


def main():
    new_folder(SCENARIO)
    keeps_as_many_checkpoints_as_asked()
    states_are_those_of_the_run()
    the_scenario_may_have_moved()
    another_run_measures_the_same()
    quotes_and_lines_survive()
    the_run_itself_is_safe()
    a_damaged_checkpoint_is_passed_over()
    a_damaged_summary_is_told()
    wrong_input_is_told()


main()
