"""Faults of a disk that is full or fills up."""

import copy
import os
import pathlib
import shutil
import subprocess
import time

from job import END_LIMIT, Job, Skipped, checkpoints, expect, partial_files
from scenes import AGAIN, CROWD, NO_ROOM, PLAIN


class Disk:
    """A disk of 60 MB. plain: its file system cannot reserve blocks."""

    def __init__(self, work, plain=False):
        self.folder = work.fresh()
        self.words = ["-t", "tmpfs", "-o", "size=60m", "none"]
        if plain:
            image = work.fresh()
            with open(image, "wb") as file:
                file.truncate(60 << 20)
            self.words = ["-o", "loop", image]
            may(["mkfs.ext2", "-q", "-m", "0", image])

    def __enter__(self):
        self.folder.mkdir()
        may(["mount", *self.words, self.folder])
        return self.folder

    def __exit__(self, *_):
        subprocess.run(["umount", "--lazy", self.folder], check=True)


def may(words):
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True)
    except FileNotFoundError as missing_program:
        raise Skipped(f"no small disk: {missing_program}") from None
    if done.returncode:
        raise Skipped(f"no small disk: {done.stderr.strip()}")


def free_bytes(folder):
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def fill(folder, left):
    """Fills the disk up to `left` bytes, in whole pages."""
    with open(folder / "fill", "wb") as file:
        wanted = free_bytes(folder) - left
        if wanted > 0:
            os.posix_fallocate(file.fileno(), 0, wanted)


def expect_continues_elsewhere(work, output):
    """The checkpoints that are there are good."""
    for path in checkpoints(output):
        Job(work, 0, ("info", path)).expect_end(0)
    expect(not partial_files(output), f"left over: {partial_files(output)}")
    copy = work.fresh()
    shutil.copytree(output, copy)
    work.run(CROWD, 2, copy, *AGAIN)
    work.expect_whole(CROWD, copy)
    work.done(copy)


def full_of_checkpoints(work, ranks):
    with Disk(work) as disk:
        job = work.start(CROWD, ranks, disk / "run", *PLAIN, "--set", "output.checkpoint_every=0.3")
        job.expect_end(74, says=NO_ROOM)
        expect(len(checkpoints(disk / "run")) == 1, "the first checkpoint is gone")
        expect_continues_elsewhere(work, disk / "run")


def full_of_snapshots(work, ranks):
    with Disk(work) as disk:
        job = work.run(CROWD, ranks, disk / "run", *PLAIN, "--set", "output.snapshot_every=0.2")
        expect(job.err().count(": skipped: ") > 3, f"does not say what it skips: {job.err()}")
        expect(len(list((disk / "run").glob("snapshot-*"))) > 3, "wrote no snapshots at all")
        work.expect_whole(CROWD, disk / "run", files=False)


def filled_by_others(work, ranks):
    """No byte is left, not even for a row of a table."""
    with Disk(work) as disk:
        job = work.start(CROWD, ranks, disk / "run", "--set", "output.checkpoint_every=0.3")
        job.wait_for(lambda: checkpoints(disk / "run"), "checkpoint")
        while not job.is_over():
            fill_up(disk)
        job.expect_end(74, END_LIMIT)
        expect_continues_elsewhere(work, disk / "run")


def fill_up(disk):
    with open(disk / "fill", "ab", buffering=0) as file:
        try:
            while file.write(bytes(1 << 16)) == 1 << 16:
                pass
        except OSError:
            time.sleep(0.01)


def filled_while_writing(work, ranks, delay):
    """On a file system that cannot reserve blocks. Blocks touched before can still be written."""
    with Disk(work, plain=True) as disk:
        job = work.start(CROWD, ranks, disk / "run", *PLAIN, "--set", "output.checkpoint_every=1")
        job.wait_for(lambda: list(disk.glob("run/checkpoint-*.tmp")), "checkpoint")
        time.sleep(delay)
        fill_up(disk)
        job.expect_end(74, END_LIMIT)
        expect(not partial_files(disk), f"left over: {partial_files(disk)}")


def nearly_full(work, ranks, level):
    """Slightly less or more space than throng needs: it refuses, or it succeeds."""
    left, code = 20 << 20, 0
    for extra in (0, -200 << 10, -4096, 4096, 40 << 10, 200 << 10):
        with Disk(work) as disk:
            fill(disk, left + extra)
            job = work.start(CROWD, ranks, disk / "run", "--set", "output.checkpoint_every=1",
                             "--steps", "10", "--set", f"output.compression={level}")
            code = job.end(END_LIMIT)
            there = checkpoints(disk / "run")
            expect(code == (0 if there else 74), f"exit code {code}: {job.err()}")
            expect(not partial_files(disk), f"left over: {partial_files(disk)}")
            for path in there:
                Job(work, 0, ("info", path)).expect_end(0)
            if extra == 0:
                left += bytes_missing(job)
    expect(code == 0, f"not even with room enough: {job.err()}")


def bytes_missing(job):
    """Reads a message like "24.0 MB needed, 9.5 MB free"."""
    words = job.err().replace(",", "").split()
    expect("needed" in words and "free" in words, f"no word of what is needed: {job.err()}")
    needed, free = (float(words[words.index(word) - 2]) for word in ("needed", "free"))
    return int(1e6 * (needed - free))


# ----------------------------------------------------------------------------------- shared memory

FULL_MEMORY = "shared memory (/dev/shm) is full"


def within_own_memory(work, prepare):
    """A Work whose jobs have a /dev/shm of their own of 20 MB.

    Without it Open MPI goes over TCP, which tools/test.sh otherwise leaves out."""
    words = ["env", "-u", "OMPI_MCA_btl", "unshare", "--mount", "sh", "-c",
             f'mount -t tmpfs -o size=20m none /dev/shm && {prepare} && exec "$@"', "sh"]
    may([*words, "true"])
    own = copy.copy(work)
    own.folder = work.fresh()
    own.folder.mkdir()
    own.launcher = [*words, *work.launcher]
    return own


def full_shared_memory(work, random):
    """Full from the start, and filled while ranks exchange messages."""
    own = within_own_memory(work, "head -c 20m /dev/zero > /dev/shm/fill")
    job = own.start(CROWD, 3, own.fresh())
    job.expect_end(74, END_LIMIT, says=FULL_MEMORY)
    codes = filled_shared_memory(work, random, 0.3), filled_shared_memory(work, random, 100)
    return f"74 at the start, {codes[0]} and {codes[1]} in the run, and on to the right result"


def filled_shared_memory(work, random, every):
    """Code 74 if a file comes first, 71 if a message between ranks does."""
    own = within_own_memory(work, "true")
    folder = own.fresh()
    job = own.start(CROWD, 4, folder, "--set", f"output.checkpoint_every={every}", "--set",
                    "balance.every=1")
    job.wait_for(lambda: list(folder.glob("snapshot-*[0-9].vtkhdf")), "file")
    fill_up(pathlib.Path(f"/proc/{random.choice(job.living())}/root/dev/shm"))
    code = job.end(END_LIMIT)
    expect(code in (71, 74) and FULL_MEMORY in job.err(), f"exit code {code}: {job.err()}")
    expect_continues_elsewhere(work, folder)
    return code


def full_disk(work, random):
    for ranks in (1, 3):
        full_of_checkpoints(work, ranks)
        if work.long or ranks == 3:
            full_of_snapshots(work, ranks)
            filled_by_others(work, ranks)
        for level in (0, 1) if work.long else ():
            nearly_full(work, ranks, level)
    for delay in (0, 0.01, 0.02, 0.03, 0.04) if work.long else ():
        for ranks in (1, 3):
            filled_while_writing(work, ranks, delay)
    return "no room for a checkpoint: 74, for a snapshot: said, and on; filled by others: 74"
