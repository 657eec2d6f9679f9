"""Runs throng-bench, whose CUDA backend executes PTX on the CPU, and reads what it prints."""
import json
import os
import subprocess

METHODS = ("none", "orca", "clearpath", "clearpath-guaranteed", "rvo", "hrvo", "directional")
SCENES = ("", "--pillars", "--mixed --pace --pillars", "--lead roadmap --groups", "--lead fields")


class Failed(Exception):
    """The program ended with an error: its last lines."""


def environment(ptx, settings, counts=""):
    """Of a program that runs the PTX with these settings (settings.c)."""
    values = {"PTX_FILE": str(ptx), "PTX": settings, "PTX_COUNTS": str(counts)}
    return {**os.environ, **{name: value for name, value in values.items() if value}}


def run(bench, backend, method, scene, settings="", agents=300, steps=4, ptx="", counts=""):
    """The line of JSON of one crowd. Raises Failed, with what was found."""
    command = [bench, "crowd", "--backend", backend, "--agents", str(agents), "--steps", str(steps),
               "--warmup", "0", "--threads", "1", "--method", method, *scene.split()]
    done = subprocess.run(command, capture_output=True, text=True,
                          env=environment(ptx, settings, counts))
    if done.returncode:
        raise Failed(f"exit code {done.returncode}: {done.stderr[-600:]}")
    return json.loads(done.stdout)


def checksum(*arguments, **options):
    return run(*arguments, **options)["checksum"]
