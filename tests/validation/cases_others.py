"""The cases of IMO (MSC.1/Circ.1533) and NIST (Technical Note 1822)."""

import math

import numpy as np

import pictures
from cases_rimea import last_arrival
from registry import case
from scene import flow, mean_and_range


@case("IMO 4", "100 persons, 8 x 5 m, exit of 1 m with a stated capacity of 1.33 /s; three seeds",
      "mean over the whole run <= 1.33 persons/s", "MSC.1/Circ.1533", fast=True)
def imo_4(work):
    runs = work.runs("imo-4")
    flows = [100 / last_arrival(run) for run in runs]
    free = [flow(run.crossings("door"))
            for run in work.runs("imo-4", "destinations.exit.flow=100", name="imo-4-free")]
    return (f"{mean_and_range(flows)} /s; without a stated capacity {np.mean(free):.2f} /s from "
            "the first to the last", 0 < min(flows) <= max(flows) <= 1.33)


@case("IMO 8", "100 persons against 0, 10, 50, 100, corridor of 2 m; nine seeds",
      "mean time increases with the opposing number", "MSC.1/Circ.1533; over nine seeds: ours")
def imo_8(work):
    counts = (0, 10, 50, 100)
    times = {n: [counter_time(work, n, seed) for seed in range(1, 10)] for n in counts}
    means = [np.mean(times[n]) for n in counts]
    imo_8_draw(work, times)
    shown = "; ".join(f"{n}: {mean_and_range(times[n], 1)}" for n in counts)
    return f"{shown} s", all(a < b < math.inf for a, b in zip(means, means[1:]))


def imo_8_draw(work, times):
    axes = pictures.axes_of("IMO 8: 100 persons against others", "opposing persons",
                            "last arrival, s")
    for number, values in times.items():
        axes.plot([number] * len(values), values, ".", color="tab:red", alpha=0.5)
    axes.plot(list(times), [np.mean(values) for values in times.values()], "o-", color="tab:red",
              label="mean of nine seeds")
    axes.set_ylim(bottom=0)
    pictures.save(axes, work.picture("imo-8"))


def counter_time(work, count, seed):
    """Time of the last arrival of the agents that walk to the right, s."""
    # A source has at least one person: for 0, that person enters after all others have arrived.
    sets = [f"seed={seed}", f"sources.right.count={count or 1}"]
    if not count:
        sets.append("sources.right.begin=3500")
    row = work.run("imo-8", *sets, name=f"imo-8-{count}-{seed}").travel(source="left")
    return float(row["max_s"]) if row and int(row["count"]) == 100 else math.inf


def corridor_state(work, density):
    """Density and speed in the middle of fundamental.yaml."""
    run = work.run("fundamental", f"sources.0.density={density}", name=f"fundamental-{density}")
    middle = run.area("middle", 2, 6)
    return np.mean(middle[:, 1]), np.average(middle[:, 2], weights=middle[:, 1])


@case("IMO 12", "flow in a corridor at 1.5 and at 4.5 /m²",
      "the dense crowd has the lower flow", "MSC.1/Circ.1533", fast=True)
def imo_12(work):
    moderate, dense = (np.prod(corridor_state(work, density)) for density in (1.5, 4.5))
    return f"{moderate:.2f} and {dense:.2f} /(m s)", dense < moderate


def arrivals_apart(run):
    """Time between the first and the last arrival of the group, s."""
    row = run.travel(source="five")
    return float(row["max_s"]) - float(row["min_s"]) if int(row["count"]) == 5 else math.inf


@case("NIST 2.9, 2.10, 4.1",
      "a group of five with a slow member; 25 persons, one of them slow; an exit closes; three "
      "seeds",
      "the group arrives within 10 s; the slow person makes it take longer; everybody uses the "
      "other exit", "NIST TN 1822 (ISO 20414)")
def nist(work):
    apart = [arrivals_apart(run) for run in work.runs("nist-group")]
    alone = [arrivals_apart(run)
             for run in work.runs("nist-group", "sources.five.group=1", name="nist-alone")]
    slow = [last_arrival(run) for run in work.runs("nist-slow")]
    fast = [last_arrival(run) for run in work.runs("nist-slow", "sources.slow.profile=person",
                                                   name="nist-fast")]
    exits = work.runs("nist-exit")
    used = [[len(run.crossings(name)) for name in ("first", "second")] for run in exits]
    good = max(apart) <= 10 and np.mean(slow) > np.mean(fast)
    good &= all(pair == [0, 30] for pair in used)
    return (f"group within {max(apart):.1f} s, the same five without a group {max(alone):.1f} s; "
            f"{np.mean(slow):.1f} s with the slow person, {np.mean(fast):.1f} s without; "
            f"{min(b for _, b in used)} of 30 by the other exit", good)
