"""Runs whose ranks are killed at random moments, and started again until they are over."""

import time

from job import END_LIMIT
from scenes import AGAIN, CROWD, KEEPING, METHODS, STATION

SCENES = {STATION: KEEPING, CROWD: ("--set", "output.checkpoint_every=0.3"),
          METHODS: ("--set", "output.checkpoint_every=0.5")}
KILLS_MAX = 6  # of one run


def life(work, random, scene, most, at_once=1):
    """One run, struck up to `most` times, restarted until it is over: (kills, slowest end in s)."""
    folder = work.fresh()
    seconds = work.whole(scene)[1]
    kills, slowest = 0, 0
    while True:
        job = work.start(scene, random.randint(1, 4), folder, *SCENES[scene], *AGAIN)
        killed = (kills < most and job.sleep(random.uniform(0, 1.2 * seconds))
                  and job.kill_some(random, at_once))
        begin = time.monotonic()
        code = job.end(END_LIMIT) if killed else job.end()
        if code == 0:  # the kill may come when all is done
            work.expect_whole(scene, folder)
            work.done(folder)
            return kills, slowest
        if not killed:
            job.fail(f"exit code {code} though no rank was killed")
        kills += 1
        slowest = max(slowest, time.monotonic() - begin)


def trial(work, random):
    """(kills, report)"""
    scene = random.choice(list(SCENES))
    hangs = work.launcher_hangs
    kills, slowest = life(work, random, scene, random.randint(1, KILLS_MAX), at_once=4)
    said = f"{scene[0].stem}: {kills} kills, right; {slowest:.1f} s to the end at most"
    hangs = work.launcher_hangs - hangs
    return kills, said + (f"; mpirun outlived the ranks {hangs} times" if hangs else "")
