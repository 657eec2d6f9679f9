"""Faults that strike a run from outside, one function per case. Each returns a short report."""

import os
import pathlib
import shutil
import signal
import time

from damages import damage, flipped, lengthened, missing, truncated
from disk_cases import full_disk, full_shared_memory
from job import END_LIMIT, NOBODY, Failure, Job, Skipped, checkpoints, expect
from kills import life
from scenes import AGAIN, CROWD, KEEPING, NO_ROOM, STATION, STOP


# --------------------------------------------------------------------------------- ranks that die

def killed_at_random(work, random):
    wanted, kills, runs, slowest = 20 if work.long else 2, 0, 0, 0
    while kills < wanted:
        new, seconds = life(work, random, STATION, random.randint(1, wanted - kills))
        kills, runs, slowest = kills + new, runs + 1, max(slowest, seconds)
    return f"{kills} kills of {runs} runs, the right result; {slowest:.1f} s to the end at most"


def kill_while_writing(work, random, folder, skip):
    """Lets `skip` checkpoints pass. True: killed a rank during one; False: always too late."""
    job = work.start(CROWD, random.randint(1, 4), folder, "--set", "output.checkpoint_every=0.3",
                     *AGAIN)
    wait = random.uniform(0, 0.15)

    def writing():
        return any(folder.glob("checkpoint-*.tmp"))

    while job.wait_for(writing, "checkpoint"):
        if skip == 0 and job.sleep(wait) and writing() and job.kill_one(random):
            job.expect_killed()
            return writing()
        skip, wait = max(skip - 1, 0), wait / 2
        job.wait_for(lambda: not writing(), "end of a checkpoint")
    job.end()
    return False


def restart_after(work, folder, ranks):
    """Restarts to the right result. True: from a checkpoint; False: from the start."""
    there = checkpoints(folder)
    job = work.run(CROWD, ranks, folder, *AGAIN)
    if there:
        step = int(there[0].stem.removeprefix("checkpoint-"))
        expect(f"continuing from step {step} " in job.out(), f"not on from {step}: {job.out()}")
    else:
        expect("starting from the beginning" in job.err(), f"not from the start: {job.err()}")
    work.expect_whole(CROWD, folder)
    return bool(there)


def killed_while_writing(work, random):
    wanted, hits, older = 10 if work.long else 1, 0, 0
    for _ in range(4 * wanted):
        folder = work.fresh()
        if kill_while_writing(work, random, folder, hits % 3):
            older += restart_after(work, folder, random.randint(1, 4))
            hits += 1
        work.done(folder)
        if hits == wanted:
            return f"{hits} kills inside a checkpoint: {older} went on from the one before, " \
                   f"{hits - older} from the start"
    raise Failure(f"only {hits} of {wanted} kills came while one was written")


# ------------------------------------------------------------------------------ damaged checkpoints

def expect_told_by_info(work, path):
    Job(work, 0, ("info", path)).expect_end(65 if path.exists() else 64, says=path.name)


def expect_older_taken(work, random, part, newest, content):
    folder = work.fresh()
    shutil.copytree(part, folder)
    damage(folder / newest, content)
    job = work.start(STOP, random.choice([0, 2, 3]), folder, *AGAIN)
    job.expect_end(0, says=f"{newest}: ", times=0 if content is None else 1)
    work.expect_whole(STOP, folder)
    work.done(folder)


def expect_both_refused(work, random, part):
    folder = work.fresh()
    shutil.copytree(part, folder)
    for path in checkpoints(folder):
        damage(path, flipped(path.read_bytes(), random))
    for ranks in (0, 3):
        job = work.start(STOP, ranks, folder, *AGAIN)
        job.expect_end(65, says="none of its checkpoints is good")
    job = work.start(STOP, 2, folder, "--restart", checkpoints(folder)[0])
    job.expect_end(65, says=checkpoints(folder)[0].name)
    work.done(folder)


def damaged(work, random):
    part = work.fresh()
    work.run(STOP, 2, part, "--set", "output.checkpoint_every=10", "--steps", "550")
    newest, older = checkpoints(part)
    content = newest.read_bytes()
    count = 100 if work.long else 6
    kinds = [missing] + [truncated] * (count // 10) + [lengthened] + [flipped] * count
    for number, kind in enumerate(kinds):
        changed = kind(content, random)
        copy = work.fresh().with_suffix(".h5")
        damage(copy, changed)
        expect_told_by_info(work, copy)
        if work.long or number % 6 == 0:
            expect_older_taken(work, random, part, newest.name, changed)
    expect_both_refused(work, random, part)
    return f"{len(kinds)} damages to {len(content)} bytes, {count} of them flipped bits: all seen"


# ------------------------------------------------------------------- a rank or a folder taken away

def paused(work, random):
    seconds = [4, 2, 1] if work.long else [1]
    for pause_seconds in seconds:
        ranks, folder = random.randint(2, 4), work.fresh()
        job = work.start(STATION, ranks, folder, *KEEPING)
        job.wait_for(lambda where=folder: checkpoints(where), "checkpoint")
        victim = random.choice(job.living())
        job.signal(victim, signal.SIGSTOP)
        expect(job.sleep(pause_seconds), f"over though a rank stands still: {job.err()}")
        job.signal(victim, signal.SIGCONT)
        job.expect_end(0)
        work.expect_whole(STATION, folder)
    return f"a rank stood still for {' s, '.join(map(str, seconds))} s: the right result"


def take_away(folder):
    """Another name first: nothing new may come into it meanwhile."""
    folder.rename(folder.with_suffix(".gone"))
    shutil.rmtree(folder.with_suffix(".gone"))


def folder_removed(work, random):
    times = 5 if work.long else 1
    for ranks in (1, 3) * times:
        folder = work.fresh()
        job = work.start(CROWD, ranks, folder, "--set", "output.checkpoint_every=0.2")
        expect(job.wait_for(lambda where=folder: checkpoints(where), "checkpoint"), job.err())
        job.sleep(random.uniform(0, 0.4))
        take_away(folder)
        job.expect_end(74, END_LIMIT, says=NO_ROOM)
        expect(not folder.exists(), "made again")
    return f"{2 * times} times on 1 and 3 ranks: exit code 74"


def folder_read_only(work, random):
    user = NOBODY if os.geteuid() == 0 else None
    for ranks in (1, 3):
        folder = work.fresh()
        folder.mkdir()
        if user is not None:
            os.chown(folder, user, user)
        job = work.start(CROWD, ranks, folder, "--set", "output.checkpoint_every=0.2", user=user)
        if not job.wait_for(lambda where=folder: checkpoints(where), "checkpoint"):
            raise Skipped(f"not as another user: {job.err()}")
        job.sleep(random.uniform(0, 0.4))
        folder.chmod(0o555)
        job.expect_end(74, END_LIMIT, says=NO_ROOM)
        folder.chmod(0o755)
        for path in checkpoints(folder):
            Job(work, 0, ("info", path)).expect_end(0)
    return "on 1 and 3 ranks: exit code 74, the checkpoints good"


def expect_unreadable(work, user, ranks, folder, *words):
    """A restart that names every unreadable path and ends with 74."""
    job = work.start(STOP, ranks, folder, *words, user=user)
    job.expect_end(74, END_LIMIT, says=": cannot be read: Permission denied",
                   times=len(checkpoints(folder)) if words == AGAIN else 1)


def unreadable(work, random):
    user = NOBODY if os.geteuid() == 0 else None
    folder = work.fresh()
    folder.mkdir()
    if user is not None:
        os.chown(folder, user, user)
    first = work.start(STOP, 2, folder, "--set", "output.checkpoint_every=10", "--steps", "550",
                       user=user)
    if first.end() != 0:
        raise Skipped(f"not as another user: {first.err()}")
    newest, older = checkpoints(folder)
    newest.chmod(0)
    Job(work, 0, ("info", newest), user).expect_end(
        74, says=f"{newest.name}: cannot be read: Permission denied")
    snapshot = next(folder.glob("snapshot-*"))
    snapshot.chmod(0)
    Job(work, 0, ("info", snapshot), user).expect_end(
        74, says=f"{snapshot.name}: cannot be read: Permission denied")
    expect_unreadable(work, user, 2, folder, "--restart", newest)
    older.chmod(0)
    for ranks in (0, 3):
        expect_unreadable(work, user, ranks, folder, *AGAIN)
    older.chmod(0o644)
    folder.chmod(0o300)  # its files cannot be listed
    job = work.start(STOP, 2, folder, *AGAIN, user=user)
    job.expect_end(74, END_LIMIT, says=f"{folder}: cannot be read: Permission denied")
    job = work.start(STOP, 2, folder, user=user)
    job.expect_end(74, END_LIMIT, says=f"{folder}: cannot be written: Permission denied")
    folder.chmod(0o755)
    job = work.start(STOP, random.choice([0, 3]), folder, *AGAIN, user=user)
    job.expect_end(0, says=f"{newest.name}: cannot be read: Permission denied")
    work.expect_whole(STOP, folder)
    return "74, with the name and the reason; the older one used if it can be read"


# ------------------------------------------------------------------------------------- ended early

def usr1_to_mpirun(job, folder):
    job.signal(job.process.pid, signal.SIGUSR1)


def term_to_one_rank(job, folder):
    job.signal(job.living()[-1], signal.SIGTERM)


def stop_file(job, folder):
    (folder / "stop").touch()


def max_wall(job, folder):
    """The command line holds the limit."""


LASTING = (*CROWD, "--set", "time.end=20")  # `stop` is polled once a second
STOPS = {usr1_to_mpirun: (STATION, "a signal"), term_to_one_rank: (STATION, "a signal"),
         stop_file: (LASTING, "the file `stop`"), max_wall: (STATION, "--max-wall")}


def ended_early(work, random):
    stops = list(STOPS) if work.long else random.sample(list(STOPS), 2)
    for stop in stops:
        scene, reason = STOPS[stop]
        folder = work.fresh()
        words = ("--max-wall", "0.6") if stop is max_wall else ()
        job = work.start(scene, random.randint(2, 3), folder, *KEEPING, *words)
        expect(job.wait_for(lambda where=folder: checkpoints(where), "checkpoint"), job.err())
        stop(job, folder)
        job.expect_end(75, END_LIMIT, says=f"stopped by {reason}")
        expect(not (folder / "stop").exists(), "`stop` is still there")
        work.run(scene, random.randint(1, 4), folder, *AGAIN)
        work.expect_whole(scene, folder)
    names = ", ".join(stop.__name__ for stop in stops)
    return f"by {names}: 75, and on to the right result"


def is_pending(process, number):
    """Whether a signal was sent to a process, which has not taken it yet."""
    try:
        lines = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return False
    masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigPnd:", "ShdPnd:"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


def code_of_two_signals(work, ranks, folder):
    """The exit code of a run that gets two SIGTERMs, one right after the other: two that are
    pending would be one."""
    job = work.start(CROWD, ranks, folder, "--set", "output.checkpoint_every=0.5")
    expect(job.wait_for(lambda: checkpoints(folder), "checkpoint"), job.err())
    victim = job.living()[0]
    job.signal(victim, signal.SIGTERM)
    while is_pending(victim, signal.SIGTERM):
        time.sleep(0.001)
    job.signal(victim, signal.SIGTERM)
    begin = time.monotonic()
    code = job.end(END_LIMIT)
    expect(code in (-signal.SIGTERM, 128 + signal.SIGTERM, 75), f"exit code {code}: {job.err()}")
    expect(time.monotonic() - begin < 5, "not at once")
    return code


def ended_at_once(work, random):
    """The second SIGTERM arrives before the step or the last checkpoint is complete. On a busy
    machine it may come too late, when the run has ended by the first: 75. Then once more."""
    for ranks in (0, 3):
        for _ in range(5):
            folder = work.fresh()
            code = code_of_two_signals(work, ranks, folder)
            if code != 75:
                break
        expect(code != 75, "five times the second SIGTERM came too late")
        work.run(CROWD, 2, folder, *AGAIN)
        work.expect_whole(CROWD, folder)
    return "with and without mpirun; then on to the right result"


# Minutes together: killed at random and full memory have short forms among the trials and the tests
# of messages.
LONG_ONLY = {"a random rank killed at a random moment", "60 MB of disk", "shared memory full",
             "a rank stopped and continued", "checkpoints without read permission"}
CASES = {
    "a random rank killed at a random moment": killed_at_random,
    "a rank killed while a checkpoint is written": killed_while_writing,
    "the newest checkpoint damaged or gone": damaged,
    "checkpoints without read permission": unreadable,
    "60 MB of disk": full_disk,
    "shared memory full": full_shared_memory,
    "a rank stopped and continued": paused,
    "the output directory removed": folder_removed,
    "the output directory made read-only": folder_read_only,
    "ended early": ended_early,
    "a second SIGTERM": ended_at_once,
}
