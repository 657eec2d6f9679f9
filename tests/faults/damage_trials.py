"""Any files of a run's folder are damaged, and it goes on: the right result, or a clear refusal."""

import shutil

from damages import damage, flipped, lengthened, missing, scrambled, truncated, zeroed
from job import Failure, Job, checkpoints, expect
from scenes import AGAIN, METHODS, ROADMAP, STOP

KINDS = [flipped, flipped, truncated, zeroed, scrambled, lengthened, missing]
# The words that end a run before its time.
PARTS = {STOP: ("--steps", "550", "--set", "output.checkpoint_every=10"),
         ROADMAP: ("--steps", "100", "--set", "output.checkpoint_every=3"),
         METHODS: ("--steps", "40", "--set", "output.checkpoint_every=1")}
DONE, REFUSED = 0, (64, 65, 74)
KNOWN_BY_INFO = (".h5", ".vtkhdf")


def chosen_files(folder, random):
    """Most often checkpoints, which matter most."""
    if random.random() < 0.5:
        return random.sample(checkpoints(folder), random.randint(1, 2))
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.stat().st_size)
    return random.sample(files, random.randint(1, min(4, len(files))))


def strike(path, random):
    """Damages the file up to three times. Returns what was done."""
    content, kinds = path.read_bytes(), []
    for _ in range(random.choice([1, 1, 1, 3])):
        kind = random.choice(KINDS)
        content = kind(content, random)
        kinds.append(kind.__name__)
        if not content:
            break
    damage(path, content)
    return f"{path.name} {' and '.join(kinds)}"


def expect_no_crash(job):
    code = job.end()
    if code not in (DONE, *REFUSED):
        job.fail(f"exit code {code}")
    if code != DONE and "throng: " not in job.err():
        job.fail(f"exit code {code} without a word")
    if "HDF5-DIAG" in job.err():
        job.fail("HDF5 prints its error stack")
    return code


def expect_right_or_refused(work, random, scene, folder, files):
    for path in files:
        if path.suffix in KNOWN_BY_INFO:
            expect_no_crash(Job(work, 0, ("info", path)))
    code = expect_no_crash(work.start(scene, random.randint(0, 4), folder, *AGAIN))
    if code == DONE:
        work.expect_whole(scene, folder, files=False)
    expect(not list(folder.glob("*.tmp")), f"left over: {list(folder.glob('*.tmp'))}")
    return "right" if code == DONE else f"refused, {code}"


def trial(work, random):
    """(damages, report)"""
    scene = random.choice(list(PARTS))
    folder = work.fresh()
    shutil.copytree(work.part(scene, *PARTS[scene]), folder)
    files = chosen_files(folder, random)
    struck = [strike(path, random) for path in files]
    said = f"{scene[0].stem}: {', '.join(struck)}"
    try:
        end = expect_right_or_refused(work, random, scene, folder, files)
    except Failure as reason:
        raise Failure(f"{said}: {reason}") from None
    return len(files), f"{said}: {end}"
