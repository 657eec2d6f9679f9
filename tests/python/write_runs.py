"""Makes the runs that the tests here read: write_runs.py THRONG FOLDER"""
import pathlib
import shutil
import subprocess
import sys

HALL = pathlib.Path(__file__).resolve().parent / "hall.yaml"
SQUARE = HALL.with_name("square.yaml")  # somewhere on earth
FIELDS = "output.trajectory.fields=[velocity, speed, radius, destination]"
RUNS = {"compact": ("output.trajectory.every=0.1", FIELDS),
        "archive": ("output.trajectory.every=0.1", "output.trajectory.layout=archive"),
        "fine": ("output.trajectory.every=0.1", "output.series_every=0.1", "time.end=40"),
        "square": (),
        "plain": ()}  # snapshots only


def main():
    throng, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    for name, options in RUNS.items():
        sets = [word for option in options for word in ("--set", option)]
        subprocess.run([throng, "run", SQUARE if name == "square" else HALL, "--quiet", "--threads", "1", "--output",
                        f"{folder}/{name}", *sets], check=True, timeout=100)


main()
