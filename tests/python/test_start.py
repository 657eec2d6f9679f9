"""throng.run and throng.sweep on a small scenario: test_start.py THRONG FOLDER"""
import contextlib
import csv
import hashlib
import importlib.util
import io
import json
import os
import pathlib
import shutil
import stat
import statistics
import subprocess
import sys

import numpy as np
from checkout import ROOT, refused, run_tests

import throng
from throng import named_files, program, sweeps
from throng.report.facts import Facts

THRONG, FOLDER = sys.argv[1:]
os.environ.update({"THRONG": THRONG, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
HALL = pathlib.Path(__file__).resolve().parent / "hall.yaml"
SHORT = {"time.end": 3, "output.snapshot_every": 0, "measure.grid.every": 0}


def test_run():
    """The same result with options as Python values, on ranks, and after a stop."""
    one = throng.run(HALL, set={**SHORT, "output.positions": "f32"}, threads=1, output="one",
                     quiet=True)
    assert one.summary["steps"] == 30 and one.summary["threads"] == 1
    two = throng.run(HALL, set=SHORT, ranks=2, threads=1, output="two", quiet=True)
    assert two.summary["ranks"] == 2 and two.summary["checksum"] == one.summary["checksum"]
    part = throng.run(HALL, set={**SHORT, "output.checkpoint_every": 1}, steps=20, output="part",
                      quiet=True)
    assert part.summary["steps"] == 20
    whole = throng.run(HALL, set=SHORT, output="part", restart="auto", quiet=True)
    assert whole.summary["checksum"] == one.summary["checksum"]


def test_export_is_a_command_of_the_program():
    run = throng.run(HALL, set=SHORT, output="plain", quiet=True)
    subprocess.run([THRONG, "export", run.folder, "--format", "csv", "-o", "plain.csv"], check=True)
    run.export("same.csv", "csv")
    text = pathlib.Path("plain.csv").read_text(encoding="utf-8")
    assert text == pathlib.Path("same.csv").read_text(encoding="utf-8") and len(text) > 1000
    done = subprocess.run([THRONG, "export", "nowhere", "--format", "csv", "-o", "x"], check=False,
                          capture_output=True, text=True)
    assert done.returncode == 64 and done.stderr.count("\n") == 1, done


def expect_no_room(words, kilobytes, name):
    """A command whose file has no room; one that was there before stays."""
    for before in (None, "before"):
        if before:
            pathlib.Path(name).write_text(before, encoding="utf-8")
        line = f"ulimit -f {kilobytes}; exec \"$@\""
        done = subprocess.run(["bash", "-c", line, "bash", THRONG, *words], check=False,
                              capture_output=True, text=True)
        assert done.returncode == 74 and "File too large" in done.stderr, (words, done)
        assert done.stderr.count("\n") == 1, done.stderr
        left = sorted(path.name for path in pathlib.Path().glob(f"{pathlib.Path(name).stem}.*"))
        assert left == ([name] if before else []), left
        if before:
            assert pathlib.Path(name).read_text(encoding="utf-8") == before
            os.remove(name)


def test_a_file_without_room_leaves_nothing():
    throng.run(HALL, set=SHORT, output="room", quiet=True, threads=1)
    expect_no_room(["view", "room", "-o", "player.html"], 100, "player.html")
    expect_no_room(["plot", "room", "-o", "people.png"], 4, "people.png")
    expect_no_room(["export", "room", "--format", "csv", "-o", "rows.csv"], 4, "rows.csv")
    if importlib.util.find_spec("jinja2"):
        expect_no_room(["report", "room", "--quiet", "-o", "told.html"], 40, "told.html")
    subprocess.run([THRONG, "plot", "room", "-o", "bare"], check=True, stdout=subprocess.DEVNULL)
    assert pathlib.Path("bare").read_bytes().startswith(b"\x89PNG")
    subprocess.run([THRONG, "view", "room", "-o", "/dev/null"], check=True,
                   stdout=subprocess.DEVNULL)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_run_that_goes_on():
    """It can be read at any moment; there is more each time, and no summary yet."""
    words = (word for option in ("output.trajectory.every=0.01", "time.step=0.001", "time.end=99",
                                 "output.compression=0") for word in ("--set", option))
    job = subprocess.Popen([THRONG, "run", HALL, "-q", "-o", "live", *words])
    try:
        seen = [0]
        while len(set(seen)) < 4:
            assert job.poll() is None, "it ended before it was seen at work"
            if os.path.exists("live/trajectory.h5"):
                run = throng.open("live")
                rows = run.trajectories()
                assert all(len(values) == len(rows["id"]) for values in rows.values())
                assert len(rows["id"]) == max(run.trajectory.load.ends, default=0)
                assert np.all(np.diff(1000 * rows["frame"] + rows["id"]) > 0)
                seen.append(len(rows["id"]))
        assert seen == sorted(seen)
        refused(lambda: run.summary, "the run is unfinished", 64)
    finally:
        job.terminate()
        job.wait()


def test_what_a_run_says():
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        run = throng.run(HALL, set={**SHORT, "name": "said", "sources.0.count": 7})
    assert os.path.realpath(run.folder) == os.path.realpath("runs/said")
    assert "written to runs/said" in said.getvalue() and run.summary["agents"] == 67
    with contextlib.redirect_stdout(io.StringIO()) as said:
        throng.run(HALL, set=SHORT, quiet=True)
    assert said.getvalue() == ""


def test_errors():
    refused(lambda: throng.run("nowhere.yaml", quiet=True), "nowhere.yaml: cannot read", 64)
    refused(lambda: throng.run(HALL, set={"tim.end": 3}, quiet=True), "did you mean time?", 64)
    refused(lambda: throng.run(HALL, set={"tim.end": 3}, ranks=2, quiet=True),
            "--set tim.end=3: unknown option; did you mean time?", 64)
    pathlib.Path("stopped").mkdir()
    pathlib.Path("stopped/stop").touch()
    refused(lambda: throng.run(HALL, set={**SHORT, "time.end": 99, "time.step": 0.001},
                               output="stopped", quiet=True), "", 75)
    before = os.environ.pop("THRONG")
    os.environ["THRONG"] = "./nothing"
    refused(lambda: throng.run(HALL), "./nothing: no such program", 64)
    os.environ["THRONG"] = before


def test_a_sweep_measures_when_the_last_one_left():
    """The runs themselves end later."""
    table = throng.sweep(ROOT / "tests/cli/inflow_ends_by_event.yaml", seeds=[1, 2],
                         over={"events.0.at": [0, 30]}, set={"time.end": 200}, output="last",
                         quiet=True, threads=1)
    nobody, first, second = ([row["evacuation_time_s"] for row in table.rows][k] for k in (0, 2, 3))
    assert nobody is None and first == 86.9 and 80 < second < 95, table.rows
    facts = Facts(throng.open("last/0003"))
    assert facts.time == 200 and facts.all_out == facts.time_of_share(1) == 86.9


def arrivals(run):
    """A number and a text, from another file than the summary."""
    return {"last": int(run.series["agents"][-1]), "name": run.summary["name"]}


def test_sweep():
    options = {"over": {"sources.0.count": [5, 10], "avoidance.method": ["orca", "none"]},
               "seeds": [1, 2, 3], "set": SHORT, "output": "sweep", "quiet": True, "threads": 1}
    keys = ["agents", "travel.mean_s", "contact_share"]
    table = throng.sweep(HALL, measure=keys, **options)
    assert len(table.rows) == 12 and table.results == keys
    assert table.rows[3] == {"sources.0.count": 5, "avoidance.method": "none", "seed": 1,
                             **{name: table.rows[3][name] for name in keys}}
    for row, number in zip(table.rows, range(1, 13)):
        summary = json.loads(pathlib.Path(f"sweep/{number:04d}/summary.json").read_text())
        assert summary["seed"] == row["seed"] and row["agents"] == 60 + row["sources.0.count"]
        assert row["contact_share"] == summary["contact_share"]
    with open("sweep/table.csv", encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [int(row["agents"]) for row in written] == [row["agents"] for row in table.rows]

    means = table.summary()
    shares = [row["contact_share"] for row in table.rows[3:6]]
    one, = (row for row in means if row["result"] == "contact_share" and
            row["sources.0.count"] == 5 and row["avoidance.method"] == "none")
    half = 4.302653 * statistics.stdev(shares) / 3**0.5  # Student's t of 2 degrees, 95 %
    assert one["n"] == 3 and abs(one["mean"] - statistics.fmean(shares)) < 1e-12
    assert half > 0 and abs((one["high"] - one["low"]) / 2 - half) < 1e-6 * half, (one, half)

    # collect.py reads the folder as well.
    subprocess.run([sys.executable, ROOT / "tools/collect.py", "sweep", "--keys", "contact_share",
                    "--csv", "collected.csv"], check=True, stdout=subprocess.DEVNULL, timeout=60)
    with open("collected.csv", encoding="utf-8", newline="") as file:
        collected = [float(row["high"]) for row in csv.DictReader(file)]
    assert collected == [row["high"] for row in means if row["result"] == "contact_share"]

    # Again: only what is missing is run; another measure needs no run at all.
    times = {path: path.stat().st_mtime_ns for path in pathlib.Path("sweep").glob("*/summary.json")}
    shutil.rmtree("sweep/0004")
    os.remove("sweep/0007/summary.json")
    again = throng.sweep(HALL, measure=keys, **options)
    assert again == table
    new = {path.parent.name for path, time in times.items() if path.stat().st_mtime_ns != time}
    assert new == {"0004", "0007"}, new
    other = throng.sweep(HALL, measure=arrivals, **options)
    assert other.results == ["last", "name"] and other.rows[0]["name"] == "hall"
    assert {row["result"] for row in other.summary()} == {"last"}
    single = throng.sweep(HALL, measure=lambda run: run.summary["steps"], **options)
    assert single.rows[0]["result"] == 30

    refused(lambda: throng.sweep(HALL, **{**options, "seeds": [1]}), "another sweep (plan.tsv)", 64)
    refused(lambda: throng.sweep(HALL, **{**options, "set": {}}), "another sweep (sweep.json)", 64)
    refused(lambda: throng.sweep(HALL, measure=["no"], **options), "has no no", 64)


def test_the_plan_is_that_of_the_job():
    """jobs/sweep.sh writes the same plan, so each can continue the folder of the other."""
    pathlib.Path("bin").mkdir()
    pathlib.Path("bin/sbatch").write_text("#!/bin/sh\n", encoding="utf-8")  # submits nothing
    os.chmod("bin/sbatch", 0o755)
    environment = {**os.environ, "PATH": f"{os.getcwd()}/bin:{os.environ['PATH']}"}
    subprocess.run([ROOT / "jobs/sweep.sh", "job", HALL, "2", "sources.0.count", "5", "10"],
                   check=True, env=environment, timeout=60)
    plan = sweeps.plan_text(sweeps.plan_of({"sources.0.count": [5, 10]}, [1, 2]))
    assert pathlib.Path("job/plan.tsv").read_text(encoding="utf-8") == plan
    subprocess.run([ROOT / "jobs/sweep.sh", "two", HALL, "2", "sources.0.count", "5", "10", "--",
                    "time.end", "2", "3"], check=True, env=environment, timeout=60)
    plan = sweeps.plan_text(sweeps.plan_of({"sources.0.count": [5, 10], "time.end": [2, 3]}, [1, 2]))
    assert pathlib.Path("two/plan.tsv").read_text(encoding="utf-8") == plan


def test_a_sweep_of_the_command_line():
    """The same runs, one as a task and the others at once; words that make no sense."""
    words = [sys.executable, ROOT / "tools/sweep.py", HALL, "-o", "words", "--seeds", "2", "--over",
             "sources.0.count", "5", "10", *(f"--set={key}={value}" for key, value in SHORT.items())]

    def said(*more):
        done = subprocess.run([*words, *more], capture_output=True, text=True, timeout=100,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    assert said("--plan") == (0, "4\n", "")
    assert said("--task", "3")[0] == 0
    assert sorted(path.name for path in pathlib.Path("words").iterdir() if path.is_dir()) == ["0003"]
    assert said("--task", "3")[1] == "words/0003 is already finished\n"
    code, _, errors = said("--task", "9")
    assert code == 64 and "1 to 4" in errors
    code, _, errors = said()
    assert code == 0 and "sweep: 4 of 4 runs" in errors
    assert all(json.loads(pathlib.Path(f"words/000{k}/summary.json").read_text())["seed"] == seed
               for k, seed in ((1, 1), (2, 2), (3, 1), (4, 2)))
    code, _, errors = said("--over", "time.step")
    assert code == 64 and "at least one value" in errors, errors


def copy_of_the_hall(folder):
    """The scenario with its walls in a file, and that file."""
    walls = "POLYGON ((1010 -1995, 1014 -1995, 1014 -1985, 1010 -1985, 1010 -1995))"
    text = HALL.read_text(encoding="utf-8")
    head, tail = text.index("  obstacles:"), text.index("time:")
    folder.mkdir()
    (folder / "walls of the hall.wkt").write_text(walls, encoding="utf-8")
    (folder / "hall.yaml").write_text(
        f"{text[:head]}  geometry: walls of the hall.wkt  # two\n{text[tail:]}", encoding="utf-8")
    return folder / "hall.yaml", folder / "walls of the hall.wkt"


def test_a_sweep_is_of_one_state_of_its_files():
    """A changed file is refused, whether the scenario, an option of all runs or one of a single
    run names it."""
    scenario, walls = copy_of_the_hall(pathlib.Path("named"))
    table = pathlib.Path("named/some.csv")
    table.write_text("id,x,y,destination\n500,1008,-1990,out\n", encoding="utf-8")
    options = {"over": {"agents": ["some.csv"], "sources.0.count": [5, 6]}, "seeds": [1],
               "set": SHORT, "output": "files", "quiet": True, "threads": 1}
    first = throng.sweep(scenario, measure=["agents"], **options)
    assert [row["agents"] for row in first.rows] == [66, 67]
    (scenario.parent / "other.yaml").write_text(
        scenario.read_text(encoding="utf-8").replace("walls of the hall.wkt", "walls.wkt"),
        encoding="utf-8")
    shutil.copy(walls, scenario.parent / "walls.wkt")
    refused(lambda: throng.sweep(scenario.parent / "other.yaml", **options), "another sweep", 64)
    for path in (walls, table):
        before = path.read_text(encoding="utf-8")
        path.write_text(before + " \n", encoding="utf-8")
        refused(lambda: throng.sweep(scenario, **options),
                f"files: {path.name} has changed since this sweep began", 64)
        path.write_text(before, encoding="utf-8")
        assert throng.sweep(scenario, measure=["agents"], **options) == first


def test_what_changes_during_a_sweep():
    """A file, or the program."""
    scenario, walls = copy_of_the_hall(pathlib.Path("edited"))
    options = {"over": {"sources.0.count": [5]}, "seeds": [1, 2], "set": SHORT, "workers": 1,
               "output": "meanwhile", "quiet": True, "threads": 1}
    for act, part in ((f"echo >>'{walls}'", f"{walls.name} has changed"),
                      ("sed -i 's/\"revision\": .*/\"revision\": \"another\",/' "
                       "meanwhile/0002/summary.json",
                       f"0002 was made by throng {throng.__version__} (another)")):
        pathlib.Path("acts").write_text(f'#!/bin/sh\n"{THRONG}" "$@" && [ ! -d meanwhile/0002 ] || '
                                        f"{act}\n", encoding="utf-8")
        os.chmod("acts", 0o755)
        shutil.rmtree("meanwhile", ignore_errors=True)
        os.environ["THRONG"] = "./acts"
        refused(lambda: throng.sweep(scenario, **options), part, 64)
        os.environ["THRONG"] = THRONG
    assert json.loads(pathlib.Path("meanwhile/0001/summary.json").read_text())["steps"] == 30


def test_names_in_a_scenario():
    """However YAML writes them."""
    folder = pathlib.Path("written")
    folder.mkdir()
    names = ["a.wkt", "b c.csv", "d, e.csv", "f.geojson", "g.so", "it's.wkt", "h.csv", "i.geojson"]
    for name in [*names, "not named.wkt", "40"]:
        (folder / name).write_text(name, encoding="utf-8")
    text = """
world: {geometry: a.wkt, places: [ f.geojson , "i.geojson"]}
trips: b c.csv    # people
agents: "d, e.csv"
list:
  - h.csv
  - "it's.wkt"
time: 40
"""
    found = named_files.hashes("written/x.yaml", [text, '{"plugin": {"file": "g.so"}}'])
    assert sorted(found) == sorted(names), sorted(found)
    assert found["g.so"] == hashlib.sha256(b"g.so").hexdigest()


def of_another_release(path):
    """Makes a summary say that another build of throng has written it."""
    summary = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**summary, "revision": "another"}), encoding="utf-8")


def test_a_sweep_is_of_one_version():
    """Finished runs of two are refused, and so is to add runs to those of another one."""
    options = {"over": {"sources.0.count": [5]}, "seeds": [1, 2], "set": SHORT, "quiet": True,
               "output": "versions", "threads": 1}
    throng.sweep(HALL, **options)
    one, two = (pathlib.Path(f"versions/000{k}/summary.json") for k in (1, 2))
    of_another_release(two)
    refused(lambda: throng.sweep(HALL, **options),
            f"versions/0002 was made by throng {throng.__version__} (another), "
            f"not {program.release()}; remove it", 64)
    done = subprocess.run([sys.executable, ROOT / "tools/collect.py", "versions"], check=False,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 64 and "0002 was made by throng" in done.stderr, done
    of_another_release(one)
    assert len(throng.sweep(HALL, **options).rows) == 2  # nothing is run
    two.unlink()
    refused(lambda: throng.sweep(HALL, **options), "versions/0001 was made by", 64)
    done = subprocess.run([sys.executable, ROOT / "tools/sweep.py", HALL, "-o", "versions", "--seeds",
                           "2", "--over", "sources.0.count", "5", "--task", "2",
                           *(f"--set={key}={value}" for key, value in SHORT.items())],
                          check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 64 and not two.exists(), done


def test_a_sweep_that_fails():
    refused(lambda: throng.sweep(HALL, over={"sources.0.count": [5, -1]}, seeds=[1], set=SHORT,
                                 output="fails", quiet=True), "fails/0002 (seed 1): ", 64)
    for over, seeds in (({"sources.0.count": []}, [1]), ({"seed": [1]}, [1]), ({"time.end": [2]}, [])):
        refused(lambda o=over, s=seeds: throng.sweep(HALL, over=o, seeds=s, output="none"),
                "at least one value per option and one seed", 64)
    refused(lambda: throng.sweep("nowhere.yaml", over={}, output="none"), "no such file", 64)


shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
os.chdir(FOLDER)
run_tests(globals())
