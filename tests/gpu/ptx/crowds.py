"""Runs throng-bench, whose CUDA backend executes PTX on the CPU, and reads what it prints."""
import json
import os
import subprocess
import tempfile
from pathlib import Path

METHODS = ("none", "orca", "clearpath", "clearpath-guaranteed", "rvo", "hrvo", "directional")
SCENES = ("", "--pillars", "--mixed --pace --pillars", "--lead roadmap --groups", "--lead fields")


class Failed(Exception):
    """The program ended with an error: its last lines."""


def environment(ptx, settings, counts=""):
    """Of a program that runs the PTX with these settings (settings.c)."""
    values = {"PTX_FILE": str(ptx), "PTX": settings, "PTX_COUNTS": str(counts)}
    others = {name: value for name, value in os.environ.items() if name not in values}
    return {**others, **{name: value for name, value in values.items() if value}}


def run(bench, backend, method, scene, settings="", agents=300, steps=4, ptx="", counts=""):
    """The line of JSON of one crowd. Raises Failed, with what was found."""
    command = [bench, "crowd", "--backend", backend, "--agents", str(agents), "--steps", str(steps),
               "--warmup", "0", "--threads", "1", "--method", method, *scene.split()]
    done = subprocess.run(command, capture_output=True, text=True,
                          env=environment(ptx, settings, counts))
    if done.returncode:
        raise Failed(f"exit code {done.returncode}: {done.stderr[-600:]}")
    return json.loads(done.stdout)


def run_scene(command, scene, folder, ptx="", settings="", options=(), output=None):
    """Runs a scenario into a folder, by default a new one in `folder`. Returns (the folder, what it
    said). Raises Failed."""
    output = output or tempfile.mkdtemp(dir=folder)
    done = subprocess.run(["timeout", "-k", "5", "200", *command, "run", scene, "--threads", "1",
                           "--output", output, *options],
                          capture_output=True, text=True, env=environment(ptx, settings))
    if done.returncode:
        raise Failed(f"exit code {done.returncode}: {done.stderr[-600:]}")
    return Path(output), done.stderr


def summary(run):
    """summary.json of a run's folder."""
    return json.loads((run / "summary.json").read_text())


def checksum(*arguments, **options):
    return run(*arguments, **options)["checksum"]
