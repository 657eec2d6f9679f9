"""Runs throng-bench, whose CUDA backend executes PTX on the CPU, and reads what it prints."""
import json
import os
import subprocess

METHODS = ("none", "orca", "clearpath", "clearpath-guaranteed", "rvo", "hrvo", "directional")
SCENES = ("", "--pillars", "--mixed --pace --pillars", "--lead roadmap --groups", "--lead fields")


class Failed(Exception):
    """The program ended with an error: its last lines."""


def run(bench, backend, method, scene, settings="", agents=300, steps=4):
    """The line of JSON of one crowd. Raises Failed, with what was found."""
    command = [bench, "crowd", "--backend", backend, "--agents", str(agents), "--steps", str(steps),
               "--warmup", "0", "--threads", "1", "--method", method, *scene.split()]
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, "PTX": settings})
    if done.returncode:
        raise Failed(f"exit code {done.returncode}: {done.stderr[-600:]}")
    return json.loads(done.stdout)


def checksum(*arguments, **options):
    return run(*arguments, **options)["checksum"]
