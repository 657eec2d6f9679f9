#!/usr/bin/env python3
"""Checkpoints whose seal is right and whose numbers are impossible: each is refused, by its name.

    tests/faults/test_forge.py THRONG FORGE
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from job import ENVIRONMENT, HERE

THRONG, FORGE = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
LIVE, STATION = HERE / "live.yaml", HERE.parent / "same_bits/station.yaml"
LIMIT = 60  # s; a run takes a tenth
# (changes as forge.c takes them, what is said)
FORGED = {
    LIVE: (("agents radius 3 nan", "radius is nan"),
           ("agents radius 3 -1", "radius is -1"),
           ("agents vx 0 inf", "vx is inf"),
           ("agents start_x 3 -2147483648", "start_x is"),
           ("agents destination 3 1000", "destination is 1000"),
           ("agents target 2 50", "target is 50"),
           ("agents profile 3 -1", "profile is -1"),
           ("agents source 3 7", "source is 7"),
           ("agents born 3 2000000000", "born is"),
           ("agents neighbours 1 4000000", "neighbours is"),
           ("agents neighbour_distance 1 1e30", "neighbour_distance is"),
           ("header step 0 -5", "impossible step, -5"),
           ("state simulation.step 0 7", "contradicts it: its step"),
           ("state simulation.step 0 -5", '"simulation.step"'),
           ("state simulation.last 0 9", "the number of its agents"),
           ("state newcomers.next_id 0 1", "the number of the next agent"),
           ("state newcomers.timetable_at 0 -1", '"newcomers.timetable_at"'),
           ("state audit.kind 0 99 state audit.step 0 3", '"audit.kind"'),
           ("state snapshots.count 0 -1", '"snapshots.count"'),
           ("state snapshots.count 0 4611686018427387904", '"snapshots.count"'),
           ("state snapshots.step 0 5000", '"snapshots.step"'),
           ("state people.waiting 0 -7", '"people.waiting"'),
           ("state travel.length 0 9223372036854775807", '"travel.length"'),
           ("state travel.least 0 -9223372036854775808", '"travel.least"'),
           ("state totals.length 0 2000000", '"totals.length"'),
           ("state totals.densest 0 1", '"totals.densest"'),
           ("state alarms.told 3 300", '"alarms.told"'),
           ("state plan.closed 0 2", '"plan.closed"'),
           ("state trajectory.numbers 1 -3", '"trajectory.numbers"'),
           ("state trajectory.tail.bytes 0 9007199254740992", '"trajectory.tail.bytes"'),
           ("state deepest.depth 0 nan", '"deepest.depth"'),
           ("state report.spent 0 -inf", '"report.spent"'),
           ("length snapshots.step 0 -1", '"snapshots.step" has -1 values')),
    STATION: (("agents doing 3 9", "doing is 9"),
              ("agents stage 3 99", "stage is 99"),
              ("agents doing 0 3 agents target 0 4 agents stage 0 0", "is at a stop"),
              ("agents doing 0 2 agents target 0 -1", "is at a stop"),
              ("agents until 0 -2147483648", "until is"),
              ("state journeys.issued 0 9007199254740992", '"journeys.issued"'),
              ("state journeys.served 0 -3", '"journeys.served"'),
              ("state journeys.credit 5 nan", '"journeys.credit"')),
}


def throng(folder, scenario, *words):
    """(exit code, what is said on stderr)"""
    done = subprocess.run([THRONG, "run", scenario, "-q", "-t", "1", "-o", folder, *words],
                          env={**os.environ, **ENVIRONMENT}, check=False, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
    return done.returncode, done.stderr


def forged(work, scenario, begun, changes):
    """The end of a run that continues from a checkpoint with these changes."""
    folder = work / "forged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(begun, folder)
    (checkpoint,) = folder.glob("checkpoint-*.h5")
    checkpoint.unlink()
    subprocess.run([FORGE, begun / checkpoint.name, checkpoint, *changes.split()], check=True,
                   env={**os.environ, **ENVIRONMENT})
    return throng(folder, scenario, "--restart", "auto")


def main():
    with tempfile.TemporaryDirectory(prefix="throng-forge-") as name:
        work = pathlib.Path(name)
        for scenario, cases in FORGED.items():
            begun = work / scenario.stem
            options = ("--steps", "150", "--set", "output.checkpoint_every=15")
            code, said = throng(begun, scenario, *options)
            assert code == 0, said
            code, said = forged(work, scenario, begun, "header step 0 150")  # as it is
            assert code == 0, said
            for changes, words in cases:
                code, said = forged(work, scenario, begun, changes)
                assert code == 65 and words in said, (changes, code, said)
                print(f"{changes}: {said.strip()}", flush=True)


if __name__ == "__main__":
    main()
