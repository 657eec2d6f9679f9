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
SHARE = 0.5        # of a floor in the measured time, from which it is what bounds the kernel; of
                   # what passes beside kernels in a step's, from which that is what bounds the step
LEAST_MS = 0.02    # a kernel that takes less is about its launch
ADVICE_LINES = 6
RATIO = "measured/predicted"
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
ADVICE_OF_STEPS = {
    "bus": "{share:.0f} % of it copies over the bus: look which copies (nsys profile), and at what the "
           "host asks for in every step (src/gpu/host)",
    "waits": "{share:.0f} % of it passes beside kernels and copies, in launches and waits: run more "
             "agents on each GPU, or put more launches into graphs (docs/gpu.md, Not yet done)",
}

PARTS = ("identity", "repeats", "sanitize", "times")
BUS = ("upload", "download")  # the copies among the kernels' times

# asked: parts; notes: what was left out or failed beside the checks; fields, crowds: what
# throng-bench said.
Session = namedtuple("Session", "device asked checks notes fields crowds")
# A kernel whose time is off: factor to the prediction, key of ADVICE, ms lost against it.
Off = namedtuple("Off", "lost kernel method factor bound")


def count_check(checks, line):
    """Counts a line about a check. Returns whether it is one."""
    check = re.match(r"(same|DIFFERENT) |(20 runs|two at the same time): (same)?|"
                     r"(\w+) \w+: (clean|FAILED)$", line)
    if check:
        one, repeats, same, tool, clean = check.groups()
        count = checks.setdefault(tool or repeats or "identity", [0, 0])
        count[0] += bool(same) or one == "same" or clean == "clean"
        count[1] += 1
    return bool(check)


def read(folder):
    """The Session in a folder: checks are {name: [passed, all]}."""
    device, asked, checks, notes, fields, crowds = "none", PARTS, {}, [], [], []
    for line in (Path(folder) / "gpu_session.log").read_text().splitlines():
        if line.startswith("device: "):
            device = line[len("device: "):]
        elif line.startswith("parts: "):
            asked = line[len("parts: "):].split()
        elif line.startswith('{"agents"'):
            crowds.append(json.loads(line))
        elif line.startswith('{"cells"'):
            fields.append(json.loads(line))
        elif not count_check(checks, line) and re.search(": (SKIPPED|FAILED)", line):
            notes.append(line)
    return Session(device, asked, checks, notes, fields, crowds)


def kernels_of(costs, crowd):
    return gpu_model.kernels_of(costs, crowd["method"], crowd["agents"])


def expected(crowd, costs, gpu):
    """The predicted ms of a step: (from, to), or None."""
    kernels = kernels_of(costs, crowd)
    if not gpu or not kernels:
        return None
    return tuple(1e-6 * crowd["agents"] * ns
                 for ns in gpu_model.predicted_sum(kernels.values(), gpu))


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


def of_the_gpu(results):
    return [one for one in results if "kernels_ms" in one]


def beside_the_cpu(results, like, keys):
    """Columns: the time on the CPU, and by how much it is longer. "" if it was not measured."""
    ms = [one["median_ms"] for one in results if "kernels_ms" not in one and
          all(one[key] == like[key] for key in keys)]
    return f"{ms[0]:11.1f}{ms[0] / like['median_ms']:11.1f}" if ms and like["median_ms"] else ""


def times(session, costs, gpu):
    """Lines of the table of whole steps."""
    if not of_the_gpu(session.crowds):
        return
    yield (f"{'method':12}{'agents':>12}{'ms a step':>12}{'predicted':>16}{RATIO:>20}"
           f"{'CPU, ms':>11}{'CPU / GPU':>11}")
    for crowd in of_the_gpu(session.crowds):
        bounds, ms = expected(crowd, costs, gpu), crowd["median_ms"]
        yield (f"{crowd['method']:12}{crowd['agents']:12}{ms:12.3f}" +
               (f"{bounds[0]:8.2f} to {bounds[1]:.2f}".rjust(16) + f"{off(ms, bounds):20.2f}"
                if bounds else f"{'':36}") +
               beside_the_cpu(session.crowds, crowd, ("agents", "method", "density", "mixed")))
    yield ""


def field_times(session):
    """Lines of the table of fields."""
    if not of_the_gpu(session.fields):
        return
    yield f"{'fields':>12}{'cells of each':>16}{'ms':>12}{'CPU, ms':>11}{'CPU / GPU':>11}"
    for one in of_the_gpu(session.fields):
        yield (f"{one['fields']:12}{one['cells']:16}{one['median_ms']:12.1f}" +
               beside_the_cpu(session.fields, one, ("fields", "cells")))
    yield ""


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
    lines = [f"{crowd['method'] + ', ' + str(agents) + ' agents':30}{'ms':>10}{RATIO:>20}" +
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
        lines.append(f"  {name:28}{ms:10.4f}{factor:20.2f}" +
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


def advice_of_steps(crowds, costs, gpu):
    """What to do about the steps that take long, although their kernels do not: {cause: advice}"""
    most, found = {}, {}
    for crowd in of_the_gpu(crowds):
        bounds, ms, kernels = expected(crowd, costs, gpu), crowd["median_ms"], crowd["kernels_ms"]
        beside = {"bus": sum(kernels.get(name, 0) for name in BUS),
                  "waits": ms - sum(kernels.values())}
        what = max(beside, key=beside.get)
        is_off = bounds and ms > FACTOR * bounds[1] and beside[what] > SHARE * ms
        if is_off and beside[what] > most.get(what, 0):
            most[what] = beside[what]
            found[what] = (f"The step of {crowd['method']} with {crowd['agents']} agents takes "
                           f"{ms / bounds[1]:.1f} times the prediction; " +
                           ADVICE_OF_STEPS[what].format(share=100 * beside[what] / ms))
    return found


def worst(kernels):
    """One Off of each kernel, those first that lose the most time."""
    found = {}
    for kernel in sorted(kernels, reverse=True):
        found.setdefault(kernel.kernel, kernel)
    return list(found.values())[:ADVICE_LINES]


def checks(session):
    """Lines about the checks: which passed, and which were not made."""
    for name, (passed, count) in session.checks.items():
        yield f"{name:20} {passed} of {count}" + ("" if passed == count else "   FAILED: see the log")
    for part in PARTS:
        if part not in session.asked:
            yield f"{part:20} not asked for"
    yield from session.notes
    yield ""


def limits(session, costs, gpu):
    """Lines about the kernels of the largest crowds, and what to try next."""
    worse = []
    for crowd in largest(session.crowds):
        lines, more = roofline(crowd, kernels_of(costs, crowd), gpu)
        worse += more
        yield from lines
        yield ""
    hints = [*advice_of_steps(session.crowds, costs, gpu).values(), *map(advice, worst(worse))]
    yield "What to try next" if hints else f"No step and no kernel is off by more than {FACTOR:g}."
    for hint in hints:
        yield textwrap.fill(hint, 100, initial_indent="  ", subsequent_indent="    ",
                            break_on_hyphens=False)


def page(session):
    costs, gpu = gpu_model.read_costs(), gpu_model.gpu_named(session.device)
    yield f"device     {session.device}"
    yield from checks(session)
    yield from times(session, costs, gpu)
    yield from field_times(session)
    if gpu and session.crowds:
        yield from limits(session, costs, gpu)
    elif session.crowds:
        yield (f"No prediction: tools/gpu_model.py knows {', '.join(gpu_model.GPUS)}. Add the figures "
               "of this device there.")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    print("\n".join(page(read(parser.parse_args().folder))))


if __name__ == "__main__":
    main()
