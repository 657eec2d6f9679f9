#!/usr/bin/env python3
"""The page of tools/gpu_session.sh says what went wrong in a session, and what to do about it.

    check_page.py GPU_PAGE
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]).parent))
import gpu_model  # noqa: E402

H100 = "device: NVIDIA H100 80GB HBM3"
PARTS = "parts: identity repeats sanitize times"
LAUNCHES, BUS = "in launches and waits", "copies over the bus"
STALLS = "look at occupancy and stalls"


def crowd(method="orca", agents=1000000, step=1.0, kernels=1.0, copies=0.0):
    """A line of throng-bench. Times are multiples of the longest predicted ones."""
    counted = gpu_model.kernels_of(gpu_model.read_costs(), method, agents)
    expected = {name: 1e-6 * agents * gpu_model.predicted(cost, gpu_model.GPUS["H100"])[1]
                for name, cost in counted.items()}
    times = {"sort" if name == gpu_model.SORT else name: kernels * ms for name, ms in expected.items()}
    whole = sum(expected.values())
    return json.dumps({"agents": agents, "density": 1, "method": method, "mixed": False,
                       "median_ms": step * whole,
                       "kernels_ms": {**times, "upload": copies * whole, "download": 0}})


def page(*lines):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "gpu_session.log").write_text("\n".join(lines) + "\n")
        return subprocess.run([sys.executable, "-B", sys.argv[1], folder], stdout=subprocess.PIPE,
                              text=True, check=True).stdout


def expect(condition, what, text):
    if not condition:
        sys.exit(f"not so: {what}\n{text}")


def says(what, text, *words, never=()):
    """The text, with blanks and line ends as one blank, has the words, and never the others."""
    flat = " ".join(text.split())
    for word in words:
        expect(" ".join(word.split()) in flat, f"{what}: {word}", text)
    for word in never:
        expect(word not in flat, f"{what}: not {word}", text)


def check_notes():
    notes = ["compute-sanitizer: SKIPPED, not installed",
             "time of cuda with 100000000 agents: SKIPPED, out of memory",
             "time of simd with 4 fields of 100 cells: FAILED"]
    says("notes", page(H100, PARTS, *notes), *notes, never=["not asked for"])
    says("parts", page(H100, "parts: times"), "identity not asked for", "repeats not asked for",
         "sanitize not asked for", never=["times not asked for"])
    says("checks", page(H100, PARTS, "same 12 x", "DIFFERENT 12 none x", "memcheck orca: FAILED",
                        "memcheck rvo: clean"), "identity 1 of 2 FAILED", "memcheck 1 of 2 FAILED")


def check_advice():
    all_advice = [LAUNCHES, BUS, STALLS]
    says("as predicted", page(H100, PARTS, crowd()), "measured/predicted",
         "No step and no kernel is off", never=all_advice)
    says("launches", page(H100, PARTS, crowd(step=5)), "takes 5.0 times", "80 % of it", LAUNCHES,
         never=[BUS, STALLS])
    says("bus", page(H100, PARTS, crowd(step=5, copies=3.9)), "78 % of it", BUS,
         never=[LAUNCHES, STALLS])
    says("kernels", page(H100, PARTS, crowd(step=5, kernels=5)), STALLS, never=[LAUNCHES, BUS])


def check_sizes():
    """A crowd is compared with the kernels of its size: RVO is nested below 20,000 agents."""
    for agents, kernel, other in ((1000, "rvo_evaluate_samples", "next_velocity_rvo"),
                                  (200000, "next_velocity_rvo", "rvo_evaluate_samples")):
        says(f"RVO, {agents} agents", page(H100, PARTS, crowd("rvo", agents)), f"rvo {agents}", kernel,
             " 1.00", never=[other, "What to try next"])


def check_fields():
    gpu = {"cells": 1000, "fields": 16, "backend": "cuda", "median_ms": 2.0, "kernels_ms": {}}
    cpu = {"cells": 1000, "fields": 16, "backend": "simd", "median_ms": 8.0}
    says("fields", page(H100, PARTS, json.dumps(gpu), json.dumps(cpu)), "16 1000 2.0 8.0 4.0")


if __name__ == "__main__":
    check_notes()
    check_advice()
    check_sizes()
    check_fields()
