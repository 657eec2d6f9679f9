"""Finds the program throng and runs it."""
from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from throng.errors import Error

if TYPE_CHECKING:
    from throng.results import Run

ROOT = Path(__file__).resolve().parents[2]  # the checkout, or PREFIX/share/throng
IN_CHECKOUT = (ROOT / "CMakeLists.txt").is_file()
# With more ranks than cores, Open MPI has to be told; other MPIs ignore these words.
RANKS = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
         "OMPI_MCA_hwloc_base_binding_policy": "none"}


def program() -> str:
    """Path of throng: that in THRONG; of the checkout or prefix that this package lies in, which
    one installed by pip does not; or the one in PATH."""
    named = os.environ.get("THRONG")
    if named:
        return named
    own = ROOT / "build/release/throng" if IN_CHECKOUT else ROOT.parent.parent / "bin/throng"
    found = None if own.is_file() or IN_CHECKOUT else shutil.which("throng")
    return found or str(own)


def option_text(value: object) -> str:
    """A value as --set takes it: text as it is, all else as JSON, which is YAML."""
    return value if isinstance(value, str) else json.dumps(value)


def run_command(config: str | os.PathLike[str], options: Mapping[str, object], ranks: int,
                more: Mapping[str, object]) -> list[str]:
    """The words of the command; `more` are options of the command line, left out where None."""
    words = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    words = shlex.split(os.environ.get("THRONG_LAUNCHER", "")) or words
    words += [program(), "run", os.fspath(config)]
    for name, value in more.items():
        words += [] if value is None else [f"--{name}", os.fspath(value) if isinstance(
            value, os.PathLike) else str(value)]
    for key, value in options.items():
        words += ["--set", f"{key}={option_text(value)}"]
    return words


def without_boxes(lines: list[str]) -> list[str]:
    """The lines that are not in a box of mpirun, which says only that a rank ended."""
    own, inside = [], False
    for line in lines:
        if line.startswith("-----"):
            inside = not inside
        elif not inside and line.strip():
            own.append(line.strip())
    return own


def message_of(lines: list[str]) -> str:
    """Why the program ended: its last message, or all that it said before the first step."""
    own = without_boxes(lines)
    named = [line for line in own if line.startswith("throng: ")]
    return named[-1][len("throng: "):] if named else "; ".join(own[-3:])


def said_by(command: list[str], ranks: int, quiet: bool) -> list[str]:
    """Runs the command and returns its last lines; prints them as they come unless quiet."""
    environment = {**(RANKS if ranks > 1 else {}), **os.environ}
    lines: list[str] = []
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", env=environment) as process:
            assert process.stdout
            for line in process.stdout:
                lines = [*lines[-99:], line.rstrip("\n")]
                if not quiet:
                    print(lines[-1], flush=True)
            code = process.wait()
    except FileNotFoundError as error:
        raise Error(f"{error.filename}: no such program; build throng, add it to PATH, or set "
                    "THRONG to its path") from None
    except OSError as error:
        raise Error(f"{command[0]}: {error.strerror}") from None
    if code != 0:
        raise Error(message_of(lines) or f"{command[0]}: exit code {code}", code)
    return lines


def release() -> str:
    """Version and revision of the program, as "0.2.0 (7a080e4)"."""
    launcher = shlex.split(os.environ.get("THRONG_LAUNCHER", ""))
    said = [line for line in said_by([*launcher, program(), "--version"], 1, True)
            if line.startswith("throng ")]
    if not said:
        raise Error(f"{program()} --version: says no version")
    return said[-1][len("throng "):]


def execute(config: str | os.PathLike[str], options: Mapping[str, object], ranks: int,
            more: Mapping[str, object], quiet: bool) -> list[str]:
    """Runs a scenario to its end, without numpy and h5py. THRONG_LAUNCHER replaces mpirun."""
    return said_by(run_command(config, options, ranks, more), ranks, quiet)


# pylint: disable=redefined-builtin,too-many-arguments
def run(config: str | os.PathLike[str], set: Mapping[str, object] | None = None, ranks: int = 1,
        threads: int | None = None, output: str | os.PathLike[str] | None = None,
        steps: int | None = None, restart: str | os.PathLike[str] | None = None,
        quiet: bool = False) -> Run:
    """Runs a scenario to its end, and opens the result.

    set: options of the scenario, as {"time.end": 60, "sources.0.count": 200}. ranks > 1 starts
    mpirun. threads: per rank. output: the directory; by default runs/NAME. steps: at most this
    many. restart: "auto", or a checkpoint. Progress is printed unless quiet.
    Raises Error with the program's message and its exit code: 75 if it was stopped early.
    """
    from throng.results import Run  # loads h5py
    more = {"output": output, "threads": threads, "steps": steps, "restart": restart}
    lines = execute(config, set or {}, ranks, more, quiet)
    if output is None:
        written = [line for line in lines if line.startswith("  written to ")]
        if not written:
            raise Error(f"{config}: the program did not say where it wrote the run")
        output = written[-1][len("  written to "):]
    return Run(output)
