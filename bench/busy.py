#!/usr/bin/env python3
"""How long a run takes on a quiet machine and beside programs that never rest.

    bench/busy.py build/release/throng                         # a few minutes
    bench/busy.py build/release/throng --before OLD/throng     # the same by another build, in turns

Prints a line of CSV per load and way of waiting: the least and the median time of the steps, how
many times that of threads that sleep (OMP_WAIT_POLICY=passive) and, with --before, of the other
build, and for which share of the time threads waited for cores. Runs of all ways follow each other,
so that what else the machine does concerns all of them."""
import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile

CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../configs/monaco-matchday.yaml")
HOW = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_NUM_THREADS")
SPIN = "while True:\n    pass\n"


def start_spinner():
    return subprocess.Popen([sys.executable, "-c", SPIN], start_new_session=True)


def run(program, environment, options):
    """Returns wall_s and waiting_for_cores_share of one run."""
    clean = {key: value for key, value in os.environ.items() if key not in HOW}
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", options.config, "--quiet", "--steps", str(options.steps),
                   "--threads", str(options.threads), "--output", folder + "/run"]
        subprocess.run(command, env={**clean, **environment}, check=True)
        with open(folder + "/run/summary.json", encoding="utf-8") as file:
            summary = json.load(file)
    return summary["wall_s"], summary.get("waiting_for_cores_share", float("nan"))


def measure(spinners, ways, options):
    """Prints the lines of one load."""
    beside = [start_spinner() for _ in range(spinners)]
    times = {way: [] for way in ways}
    try:
        for _ in range(options.rounds):
            for way, (program, environment) in ways.items():
                times[way].append(run(program, environment, options))
    finally:
        for process in beside:
            process.send_signal(signal.SIGKILL)
            process.wait()
    least = {way: min(t[0] for t in times[way]) for way in ways}
    for way in ways:
        before = least[way] / least["before"] if "before" in least else float("nan")
        median, waiting = (statistics.median(t[k] for t in times[way]) for k in range(2))
        print(f"{spinners},{way},{least[way]:.2f},{median:.2f},{least[way] / least['asleep']:.2f},"
              f"{before:.3f},{waiting:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--before", help="another build, whose threads spin")
    parser.add_argument("--config", default=CONFIG)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--spinners", type=int, nargs="+", default=[0, 1, os.cpu_count()])
    options = parser.parse_args()
    ways = {"default": (options.program, {}),
            "asleep": (options.program, {"OMP_WAIT_POLICY": "passive"})}
    if options.before:
        ways["before"] = (options.before, {})
    print("spinners,way,least_s,median_s,times_asleep,times_before,waiting_for_cores")
    for spinners in options.spinners:
        measure(spinners, ways, options)


if __name__ == "__main__":
    main()
