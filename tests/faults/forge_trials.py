"""Somebody forges a checkpoint, seal and all, and the run goes on: to an end, or to a refusal."""

import os
import shutil
import subprocess

from damage_trials import PARTS, expect_no_crash
from job import ENVIRONMENT, Failure, Job, checkpoints, expect
from scenes import AGAIN, LIVE, METHODS, ROADMAP, STOP

SCENES = {**PARTS, STOP: ("--steps", "550", "--set", "output.checkpoint_every=10"),
          LIVE: ("--steps", "150", "--set", "output.checkpoint_every=5")}
WHOLE = ["-1", "-2", "0", "1", "2", "7", "255", "256", "65536", "2147483647", "-2147483648",
         "4294967296", "9007199254740992", "9007199254740993", "9223372036854775807",
         "-9223372036854775808"]
REAL = ["nan", "inf", "-inf", "-1", "0", "1e-30", "1", "1e15", "1e300", "-1e300", "3e38"]
LENGTHS = ["-1", "0", "1", "1000000", "4611686018427387904", "9223372036854775807", "x"]


def changeable(forge, path):
    """[(kind, name, count)] of a checkpoint."""
    said = subprocess.run([forge, path], env={**os.environ, **ENVIRONMENT}, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    words = [line.split() for line in said.splitlines()]
    return [(kind, name, int(count)) for kind, name, count in words]


def value_for(kind, random):
    if kind == "text":
        return str(random.randrange(256))
    if kind == "length":
        return random.choice(LENGTHS)
    return random.choice(WHOLE + REAL)


def forged(forge, path, random):
    """Changes one to three values of a checkpoint. Returns the words of the changes."""
    keys = [key for key in changeable(forge, path) if key[2] > 0]
    chosen = random.sample(keys, random.choice([1, 1, 1, 2, 3]))
    lengths = [key for key in chosen if key[0] == "length"]  # forge cannot read on behind one
    words = []
    for kind, name, count in [key for key in chosen if key[0] != "length"] + lengths[:1]:
        words += [kind, name, str(random.randrange(count)), value_for(kind, random)]
    made = path.with_suffix(".forged")
    done = subprocess.run([forge, path, made, *words], env={**os.environ, **ENVIRONMENT},
                          check=False, stderr=subprocess.PIPE, text=True)
    expect(done.returncode == 0, f"forge {' '.join(words)}: {done.returncode} {done.stderr}")
    os.replace(made, path)
    return words


def goes_on(work, random, scene, folder):
    """The exit code of a restart or of a replay."""
    job = work.start(scene, random.choice([0, 0, 1, 2]), folder, *AGAIN)
    return expect_no_crash(job)


def trial(work, random):
    """(1, report)"""
    scene = random.choice(list(SCENES))
    folder = work.fresh()
    shutil.copytree(work.part(scene, *SCENES[scene]), folder)
    newest, *older = checkpoints(folder)
    for path in older:
        path.unlink()
    said = f"{scene[0].stem}: {' '.join(forged(work.forge, newest, random))}"
    try:
        expect_no_crash(Job(work, 0, ("info", newest)))
        code = goes_on(work, random, scene, folder)
        expect(code == 0 or newest.exists(), "the checkpoint is gone")
    except Failure as reason:
        raise Failure(f"{said}: {reason}") from None
    return 1, f"{said}: {code}"
