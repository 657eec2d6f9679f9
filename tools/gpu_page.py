#!/usr/bin/env python3
"""Sums up a session on a GPU on one page: which checks passed, times beside the predicted ones, how
near each kernel comes to the limits of the device, and what to try where a time is off.

  tools/gpu_page.py FOLDER     that tools/gpu_session.sh has written; prints the page
"""
import argparse
import json
import re
import textwrap
from collections import namedtuple
from pathlib import Path

import gpu_model

FACTOR = 2.0       # a time beyond it is off
SHARE = 0.5        # of a floor in the measured time, from which it is what bounds the kernel
LEAST_MS = 0.02    # a kernel that takes less is about its launch
ADVICE_LINES = 6
VISIBLE = 0.05     # share of all kernels' time below which one is not listed

ADVICE = {
    "issue": "issues as fast as the device can: fewer instructions, or more lanes active "
             "(tests/gpu/ptx/count_cost.py)",
    "L1": "is bound by the first-level cache: local memory is the likely cause (gpu_code lists it); "
          "keep arrays in registers",
    "L2": "is bound by the second-level cache: put the agents into grid order more often "
          "(REORDER_EVERY, src/gpu/host/step_launch.h)",
    "DRAM": "is bound by memory: gather fewer fields (ACCESS_, src/gpu/kernels/kernel_input.h)",
    "none": "waits, and nothing that was counted explains it: look at occupancy and stalls "
            "(ncu --set full), spills and registers (cuobjdump -res-usage), and the machine code",
    "launch": "takes about as long as its launch: run more agents",
}

Session = namedtuple("Session", "device checks crowds")
# A kernel whose time is off: factor to the prediction, key of ADVICE, ms lost against it.
Off = namedtuple("Off", "lost kernel method factor bound")


def read(folder):
    """The Session in a folder: checks are {name: [passed, all]}, crowds are what throng-bench said."""
    device, checks, crowds = "none", {}, []
    for line in (Path(folder) / "gpu_session.log").read_text().splitlines():
        check = re.match(r"(same|DIFFERENT) |(20 runs|two at the same time): (same)?|"
                         r"(\w+) \w+: (clean|FAILED)$", line)
        if line.startswith("device: "):
            device = line[len("device: "):]
        elif line.startswith('{"agents"'):
            crowds.append(json.loads(line))
        elif check:
            one, repeats, same, tool, clean = check.groups()
            name = tool or repeats or "identity"
            count = checks.setdefault(name, [0, 0])
            count[0] += bool(same) or one == "same" or clean == "clean"
            count[1] += 1
    return Session(device, checks, crowds)


def expected(crowd, kernels, gpu):
    """The predicted ms of a step: (from, to), or None."""
    if not gpu or not kernels:
        return None
    cost = sum(kernels.values(), gpu_model.Cost())
    return tuple(1e-6 * crowd["agents"] * ns for ns in gpu_model.predicted(cost, gpu))


def off(ms, bounds):
    """How many times more than predicted (or less: below 1); 1 within the bounds."""
    low, high = bounds
    return ms / high if ms > high else ms / low if ms < low else 1.0


def bound_by(ms, agents, cost, gpu):
    """What keeps a kernel from being faster: a key of ADVICE."""
    if ms < LEAST_MS:
        return "launch"
    floors = gpu_model.floors(cost, gpu)
    what = max(floors, key=floors.get)
    return what if 1e-6 * agents * floors[what] > SHARE * ms else "none"


def of_the_gpu(crowds):
    return [c for c in crowds if "kernels_ms" in c]


def on_the_cpu(crowds, like):
    same = [c for c in crowds if "kernels_ms" not in c and
            all(c[key] == like[key] for key in ("agents", "method", "density", "mixed"))]
    return same[0] if same else None


def times(session, costs, gpu):
    """Lines of the table of whole steps."""
    yield (f"{'method':12}{'agents':>12}{'ms a step':>12}{'predicted':>16}{'times that':>12}"
           f"{'CPU, ms':>11}{'CPU / GPU':>11}")
    for crowd in of_the_gpu(session.crowds):
        bounds = expected(crowd, costs.get(crowd["method"]), gpu)
        cpu = on_the_cpu(session.crowds, crowd)
        ms = crowd["median_ms"]
        yield (f"{crowd['method']:12}{crowd['agents']:12}{ms:12.3f}" +
               (f"{bounds[0]:8.2f} to {bounds[1]:.2f}".rjust(16) + f"{off(ms, bounds):12.2f}"
                if bounds else f"{'':28}") +
               (f"{cpu['median_ms']:11.1f}{cpu['median_ms'] / ms:11.1f}" if cpu else ""))


def largest(crowds):
    """The crowd with the most agents of each method."""
    found = {}
    for crowd in of_the_gpu(crowds):
        old = found.get(crowd["method"])
        if not old or crowd["agents"] > old["agents"]:
            found[crowd["method"]] = crowd
    return found.values()


def roofline(crowd, kernels, gpu):
    """Lines about the kernels of a crowd, and an Off of each that is."""
    worse, agents, all_ms = [], crowd["agents"], sum(crowd["kernels_ms"].values())
    lines = [f"{crowd['method'] + ', ' + str(agents) + ' agents':30}{'ms':>10}{'times that':>12}" +
             "".join(f"{what + ' %':>9}" for what in gpu_model.floors(gpu_model.Cost(), gpu))]
    for name, ms in sorted(crowd["kernels_ms"].items(), key=lambda x: -x[1]):
        cost = kernels.get("cub" if name == "sort" else name)
        if ms < VISIBLE * all_ms:
            continue
        if not cost or not ms:
            lines.append(f"  {name:28}{ms:10.4f}")
            continue
        bounds = [1e-6 * agents * ns for ns in gpu_model.predicted(cost, gpu)]
        factor = off(ms, bounds)
        shares = [1e-6 * agents * ns / ms for ns in gpu_model.floors(cost, gpu).values()]
        lines.append(f"  {name:28}{ms:10.4f}{factor:12.2f}" +
                     "".join(f"{100 * s:9.0f}" for s in shares))
        if not 1 / FACTOR <= factor <= FACTOR:
            worse.append(Off(ms - bounds[1], name, crowd["method"], factor,
                             bound_by(ms, agents, cost, gpu)))
    return lines, worse


def advice(kernel):
    name = f"{kernel.kernel} ({kernel.method})"
    if kernel.factor < 1:
        return (f"{name} is {1 / kernel.factor:.1f} times faster than predicted: the model is too "
                "cautious, correct tools/gpu_model.py")
    return f"{name} takes {kernel.factor:.1f} times the prediction; it {ADVICE[kernel.bound]}"


def worst(kernels):
    """One Off of each kernel, those first that lose the most time."""
    found = {}
    for kernel in sorted(kernels, reverse=True):
        found.setdefault(kernel.kernel, kernel)
    return list(found.values())[:ADVICE_LINES]


def page(session):
    costs, gpu = gpu_model.read_costs(), gpu_model.gpu_named(session.device)
    yield f"device     {session.device}"
    for name, (passed, count) in session.checks.items():
        yield f"{name:20} {passed} of {count}" + ("" if passed == count else "   FAILED: see the log")
    yield ""
    yield from times(session, costs, gpu)
    yield ""
    if not gpu:
        yield (f"No prediction: tools/gpu_model.py knows {', '.join(gpu_model.GPUS)}. Add the figures "
               "of this device there.")
        return
    worse = []
    for crowd in largest(session.crowds):
        lines, more = roofline(crowd, costs.get(crowd["method"], {}), gpu)
        worse += more
        yield from lines
        yield ""
    yield "What to try next" if worse else f"No kernel is off by more than {FACTOR:g}."
    for kernel in worst(worse):
        yield textwrap.fill(advice(kernel), 100, initial_indent="  ",
                            subsequent_indent="    ", break_on_hyphens=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    print("\n".join(page(read(parser.parse_args().folder))))


if __name__ == "__main__":
    main()
