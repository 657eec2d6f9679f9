"""Runs a scenario on several machines in processes that stay from one scenario to the next:
rank_variants.c."""

import os
import re
import select
import subprocess
import time
from dataclasses import dataclass

from job import ENVIRONMENT, Failure

RANKS = 4
LIMIT = 300  # s, for all variants of a scenario


@dataclass
class Variant:
    ranks: int
    threads: int
    backend: str
    seed: int = 0  # of the numbers of steps by which the caller advances; 0: all at once
    mode: str = "run"  # or restart, replay
    folder: str = "-"
    first: int = 0  # step of a replay
    identity: str = "0"  # of the replayed run

    def __str__(self):
        return " ".join(map(str, vars(self).values()))


@dataclass
class Outcome:
    code: int
    checksum: str
    halfway: str
    arrived: int
    created: int
    said: str


class Worker:
    """Processes that run variants; started when they are needed, and again after a crash."""

    def __init__(self, program, launcher, folder):
        self.program = program
        self.command = [*launcher, "-n", str(RANKS), str(program)]
        self.folder = folder
        self.sleep = program.parent / "sleep_when_idle.so"
        self.process = None
        self.rest = b""

    def start(self):
        if not self.program.exists():
            raise Failure(f"{self.program} is not built")
        environment = {**os.environ, **ENVIRONMENT, "HOME": str(self.folder),
                       "OMP_WAIT_POLICY": "passive", "THRONG_CHECK_FIELDS": "1"}
        if self.sleep.exists():  # ranks beyond the cores leave these to others while they wait
            environment["OMPI_MCA_mca_base_env_list"] = f"LD_PRELOAD={self.sleep}"
        self.rest = b""
        with open(self.folder / "rank_variants.err", "wb") as errors:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=errors,
                                            cwd=self.folder, env=environment)

    def end(self):
        if self.process:
            self.process.stdin.close()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def give_up(self, why):
        self.process.kill()
        code = self.process.wait()
        self.process = None
        said = (self.folder / "rank_variants.err").read_text(errors="replace")[-2000:]
        raise Failure(f"{why}, exit code {code}\n{said}")

    def read_line(self, last):
        """Before the time `last`."""
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.process.stdout], [], [], last - time.monotonic())
            if not ready:
                self.give_up(f"no end after {LIMIT} s")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                self.process.wait()
                self.give_up("rank_variants ended")
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode(errors="replace")

    def read_outcome(self, last):
        line = self.read_line(last)
        match = re.fullmatch(r"(\d+) (\w{16}) (\w{16}) (-?\d+) (-?\d+) (.*)", line)
        if not match:
            self.give_up(f"rank_variants says: {line}")
        code, checksum, halfway, arrived, created, said = match.groups()
        return Outcome(int(code), checksum, halfway, int(arrived), int(created), said)

    def run(self, config, half, variants):
        """The outcome of each variant."""
        if not self.process:
            self.start()
        lines = [f"{config} {half} {len(variants)}", *map(str, variants)]
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            self.give_up("rank_variants has ended")
        last = time.monotonic() + LIMIT
        return [self.read_outcome(last) for _ in variants]
