"""Starts throng on ranks, finds its processes and checks how it ends. A hang is a failure."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SAME_FILES = HERE.parent / "same_bits/same_files.py"
RUN_LIMIT = 300  # s; every run takes seconds, and minutes where ranks share cores with other tests
END_LIMIT = 30  # s; from a fault until mpirun and all ranks have ended
NOBODY = 65534  # user and group without rights
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_orte_allowed_exit_without_sync": "1",  # as tools/common.sh says
    "OMP_NUM_THREADS": "1",
}


class Failure(Exception):
    """throng did what it must not do."""


class Skipped(Exception):
    """This machine cannot run the case."""


def expect(condition, text):
    if not condition:
        raise Failure(text)


def pause():
    time.sleep(0.002)


def parents():
    """{process: its parent}, of all processes."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            status = pathlib.Path("/proc", name, "stat").read_bytes()
        except OSError:
            continue  # has ended
        found[int(name)] = int(status.rpartition(b")")[2].split()[1])
    return found


def program_of(process):
    try:
        return os.readlink(f"/proc/{process}/exe")
    except OSError:
        return None  # has ended, or is a zombie


def partial_files(folder):
    return [path.name for path in folder.rglob("*.tmp")]


class Job:
    """A running throng on ranks; 0 ranks: without mpirun."""

    def __init__(self, work, ranks, words, user=None):
        self.work = work
        self.ranks = ranks
        self.words = " ".join(map(str, words))
        self.processes = set()  # all ranks seen so far
        launcher = [*work.launcher, "-n", str(ranks)] if ranks else []
        self.files = [work.fresh(), work.fresh()]
        with open(self.files[0], "wb") as out, open(self.files[1], "wb") as err:
            self.process = subprocess.Popen(
                [*launcher, str(work.throng), *map(str, words)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, user=user, group=user,
                extra_groups=None if user is None else [], cwd=work.folder,
                env={**os.environ, **ENVIRONMENT, "HOME": str(work.folder)})

    def is_over(self):
        return self.process.poll() is not None

    def out(self):
        return self.files[0].read_text(encoding="utf-8", errors="replace")

    def err(self):
        return self.files[1].read_text(encoding="utf-8", errors="replace")

    def living(self):
        """The living processes of the ranks, in the order of their start."""
        over = parents()
        own = []
        for process in over:
            ancestor = process
            while ancestor in over and ancestor != self.process.pid:
                ancestor = over[ancestor]
            if ancestor == self.process.pid and program_of(process) == str(self.work.throng):
                own.append(process)
        self.processes.update(own)
        return sorted(own)

    def signal(self, process, number):
        """False: the process has ended."""
        try:
            os.kill(process, number)
        except ProcessLookupError:
            return False
        return True

    def kill_one(self, random):
        """Kills a random rank by SIGKILL. False: none is alive."""
        return self.kill_some(random, 1)

    def kill_some(self, random, most):
        """Kills up to `most` random ranks at once by SIGKILL. False: none was alive."""
        living = self.living()
        chosen = random.sample(living, min(len(living), random.randint(1, most)))
        return any([self.signal(process, signal.SIGKILL) for process in chosen])

    def wait_for(self, condition, what):
        """Waits for a condition. False: the job ended before."""
        last = time.monotonic() + RUN_LIMIT
        while not condition():
            if self.is_over():
                return False
            if time.monotonic() > last:
                self.give_up(f"no {what} after {RUN_LIMIT} s")
            pause()
        return True

    def sleep(self, seconds):
        """True: the job is still running afterwards."""
        last = time.monotonic() + seconds
        while not self.is_over() and time.monotonic() < last:
            pause()
        return not self.is_over()

    def give_up(self, why):
        living = self.living()
        for process in living:
            self.signal(process, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.fail(f"{why}, {len(living)} ranks alive")

    def fail(self, why):
        raise Failure(f"{why}: {self.words} on {self.ranks} ranks\n{self.out()}{self.err()}")

    def end(self, limit=RUN_LIMIT):
        """Waits for the end of the job and returns its exit code."""
        if not self.is_over():
            self.living()
        try:
            code = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            if not self.ranks or self.living():
                self.give_up(f"hangs: not over after {limit} s")
            code = self.end_launcher()
        last = time.monotonic() + END_LIMIT
        while any(program_of(process) == str(self.work.throng) for process in self.processes):
            if time.monotonic() > last:
                self.fail("a rank outlives the job")
            pause()
        return code

    def end_launcher(self):
        """Ends mpirun, which outlives all ranks if one of them is killed while it connects: Open MPI
        4.1 then says PMIX ERROR: UNREACHABLE. Counted, since a batch system would have to end it."""
        self.process.kill()
        self.process.wait()
        self.work.launcher_hangs += 1
        return -signal.SIGKILL

    def expect_killed(self):
        if self.end(END_LIMIT) == 0:
            self.fail("exit code 0 though a rank was killed")

    def expect_end(self, code, limit=RUN_LIMIT, says=None, times=1):
        """Expects this exit code and `times` occurrences of `says` in the output."""
        ended = self.end(limit)
        if ended != code:
            self.fail(f"exit code {ended} instead of {code}")
        if code not in (0, 75) and not self.err().count("throng: "):
            self.fail(f"exit code {code} without a word")
        if says is not None and (self.out() + self.err()).count(says) != times:
            self.fail(f"says \"{says}\" not {times} times")
        if "HDF5-DIAG" in self.err():
            self.fail("HDF5 prints its error stack")


class Work:
    """Shared by the cases: the program, a folder and the results of undisturbed runs."""

    def __init__(self, throng, launcher, folder, long, gpu=None):
        self.throng = throng
        self.gpu = gpu  # backend of the GPU that random scenarios run on; None: emulated
        self.worker = None  # that runs them: variants.py
        self.launcher = launcher
        self.folder = self.common = folder  # of the case or trial; of all of them
        self.long = long
        self.count = 0
        self.forge = None  # the program of forge.c
        self.launcher_hangs = 0  # mpirun had to be ended although no rank was alive
        self.undisturbed = {}  # {scene: (folder, seconds it took)}
        self.partial = {}  # {(scene, words): folder}

    def fresh(self):
        """An unused file name."""
        self.count += 1
        return self.folder / f"{self.count:04d}"

    @contextlib.contextmanager
    def trial(self, name):
        """Gives it a folder of its own, which stays if the trial fails."""
        self.folder = self.common / name
        self.folder.mkdir()
        try:
            yield
            self.done(self.folder)
        finally:
            self.folder = self.common

    def start(self, scene, ranks, output, *words, user=None):
        return Job(self, ranks, ("run", *scene, "--threads", "1", "-o", output, *words), user)

    def run(self, scene, ranks, output, *words):
        job = self.start(scene, ranks, output, *words)
        job.expect_end(0)
        return job

    def whole(self, scene):
        """(folder, seconds) of an undisturbed run on 2 ranks."""
        if scene not in self.undisturbed:
            begin = time.monotonic()
            folder = self.common / f"whole-{len(self.undisturbed)}"
            self.run(scene, 2, folder)
            self.undisturbed[scene] = folder, time.monotonic() - begin
        return self.undisturbed[scene]

    def part(self, scene, *words):
        """The folder of a run on 2 ranks with more words, which end it before its time."""
        key = scene, words
        if key not in self.partial:
            folder = self.common / f"part-{len(self.partial)}"
            self.run(scene, 2, folder, *words)
            self.partial[key] = folder
        return self.partial[key]

    def checksum(self, output):
        path = output / "summary.json"
        expect(path.exists(), f"{output} has no summary")
        return json.loads(path.read_text(encoding="utf-8"))["checksum"]

    def expect_whole(self, scene, output, files=True):
        """Expects the checksum and, if asked for, the files of the undisturbed run."""
        whole = self.whole(scene)[0]
        own, right = self.checksum(output), self.checksum(whole)
        expect(own == right, f"checksum {own} instead of {right}")
        expect(not partial_files(output), f"left over: {partial_files(output)}")
        if files:
            expect_same_files(whole, output)

    def done(self, output):
        shutil.rmtree(output, ignore_errors=True)


def expect_same_files(whole, output):
    done = subprocess.run([sys.executable, SAME_FILES, whole, output], check=False,
                          capture_output=True, text=True)
    expect(done.returncode == 0, done.stdout + done.stderr)


def checkpoints(folder):
    """The complete checkpoints, newest first."""
    return sorted(folder.glob("checkpoint-*.h5"), reverse=True)
